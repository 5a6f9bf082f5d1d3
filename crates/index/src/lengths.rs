//! Field lengths in one byte each: exact while short, then in steps of at most an eighth. Averages are taken
//! over what is stored, so that they don't depend on how documents are spread over segments.

/// Lengths below this are their own code.
const EXACT: u32 = 16;
const STEPS: u32 = 8;

/// The code of the longest length that is not above the given one.
pub(crate) fn encode(length: u32) -> u8 {
    if length < EXACT {
        return length as u8;
    }
    let exponent = length.ilog2() - EXACT.ilog2();
    let step = (length >> (exponent + 1)) - STEPS;
    (EXACT + exponent * STEPS + step) as u8
}

/// The length that a code stands for.
pub fn decode(code: u8) -> u32 {
    let code = u32::from(code);
    if code < EXACT {
        return code;
    }
    let (exponent, step) = ((code - EXACT) / STEPS, (code - EXACT) % STEPS);
    // Codes that `encode` never makes stop at the largest length.
    (u64::from(STEPS + step) << (exponent + 1)).min(u64::from(u32::MAX)) as u32
}
