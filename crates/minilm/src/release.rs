//! Weights that a process has read count as its memory until it gives them back. They are pages of
//! the program's file, and come from there again.

#![expect(unsafe_code, reason = "the system takes an address and a length")]

use crate::MODEL;

/// A multiple of the size of a page on every system.
const PAGE: usize = 64 * 1024;

/// For a process that embeds nothing for a while. The next text takes a millisecond longer.
pub fn release() {
    let bytes = &MODEL.0[..];
    let first = bytes.as_ptr().align_offset(PAGE);
    let whole = bytes.len().saturating_sub(first) / PAGE * PAGE;
    if whole > 0 {
        let start = bytes[first..].as_ptr().cast_mut().cast();
        // SAFETY: these are whole pages inside of one constant. Nothing ever writes to them, so
        // the file has the same bytes. If the system refuses, nothing has changed.
        unsafe { libc::madvise(start, whole, libc::MADV_DONTNEED) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MiniLm;

    #[test]
    fn what_was_given_back_is_there_again() {
        let model = MiniLm::open().unwrap();
        let before = model.embed("we keep money in integer cents");
        release();
        assert_eq!(model.embed("we keep money in integer cents").bytes, before.bytes);
    }
}
