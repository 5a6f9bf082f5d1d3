//! The float operations, once for all processors: each is a fixed sequence of IEEE additions and
//! multiplications without libm or fused steps, so wider registers change the speed alone.
//! Everything is `inline(always)`: it must be compiled into the kernel's own target features.

pub(crate) const LANES: usize = 16;

/// To the nearest integer, ties to even, for magnitudes below 2^22: the addition rounds.
#[inline(always)]
pub(crate) fn round(value: f32) -> i32 {
    const MAGIC: f32 = 12_582_912.0;
    ((value + MAGIC).to_bits() as i32).wrapping_sub(MAGIC.to_bits() as i32)
}

/// e^x within 2 units in the last place for x in -87..=88, which it is clamped to (Cephes).
#[inline(always)]
pub(crate) fn exp(value: f32) -> f32 {
    let x = at_least(at_most(value, 88.0), -87.0);
    let power = round(x * std::f32::consts::LOG2_E);
    let n = power as f32;
    let r = x - n * 0.693_359_4 + n * 2.121_944_4e-4;
    let mut p = 1.987_569_1e-4;
    p = p * r + 1.398_2e-3;
    p = p * r + 8.333_452e-3;
    p = p * r + 4.166_579_6e-2;
    p = p * r + 1.666_666_5e-1;
    p = p * r + 0.5;
    let y = p * (r * r) + r + 1.0;
    f32::from_bits((y.to_bits() as i32 + (power << 23)) as u32)
}

/// x * Phi(x), with erf after Abramowitz and Stegun 7.1.26, which is off by at most 1.5e-7.
#[inline(always)]
pub(crate) fn gelu(x: f32) -> f32 {
    let z = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let mut p = 1.061_405_4;
    p = p * t + -1.453_152;
    p = p * t + 1.421_413_8;
    p = p * t + -0.284_496_72;
    p = p * t + 0.254_829_6;
    let erf = (1.0 - p * t * exp(-(z * z))).copysign(x);
    0.5 * x * (1.0 + erf)
}

#[inline(always)]
pub(crate) fn at_most(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
pub(crate) fn at_least(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Combines the lanes pairwise in a fixed order.
#[inline(always)]
pub(crate) fn fold_lanes(mut lanes: [f32; LANES], combine: impl Fn(f32, f32) -> f32) -> f32 {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] = combine(lanes[lane], lanes[lane + half]);
        }
        half /= 2;
    }
    lanes[0]
}

/// Adds up a row whose length is a multiple of the lanes.
#[inline(always)]
pub(crate) fn sum(row: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for chunk in row.chunks_exact(LANES) {
        for lane in 0..LANES {
            lanes[lane] += chunk[lane];
        }
    }
    fold_lanes(lanes, |a, b| a + b)
}

/// The smallest and the largest value of the row and zero.
#[inline(always)]
pub(crate) fn range_with_zero(row: &[f32]) -> (f32, f32) {
    let (mut low, mut high) = ([0.0; LANES], [0.0; LANES]);
    for chunk in row.chunks_exact(LANES) {
        for lane in 0..LANES {
            low[lane] = at_most(chunk[lane], low[lane]);
            high[lane] = at_least(chunk[lane], high[lane]);
        }
    }
    (fold_lanes(low, at_most), fold_lanes(high, at_least))
}

/// The model's norm: mean 0, variance 1, then the learned weight and bias.
#[inline(always)]
pub(crate) fn layer_norm(row: &mut [f32], weight: &[f32], bias: &[f32]) {
    // The variance of the original has 1e-12 added.
    const EPSILON: f32 = 1e-12;
    let share = 1.0 / row.len() as f32;
    let mean = sum(row) * share;
    let mut squares = [0.0; LANES];
    for chunk in row.chunks_exact_mut(LANES) {
        for lane in 0..LANES {
            chunk[lane] -= mean;
            squares[lane] += chunk[lane] * chunk[lane];
        }
    }
    let variance = fold_lanes(squares, |a, b| a + b) * share;
    let factor = 1.0 / (variance + EPSILON).sqrt();
    for ((value, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
        *value = *value * factor * weight + bias;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_exp(x: f32) {
        let want = f64::from(x).exp();
        let off = (f64::from(exp(x)) - want).abs() / want;
        assert!(off < 2.5e-7, "exp({x}): {off}");
    }

    #[test]
    fn exp_is_close_over_its_range() {
        (-8700..=8800).for_each(|step| check_exp(step as f32 / 100.0));
    }

    // Values of x * Phi(x) computed with Python's math.erf.
    #[test]
    fn gelu_is_the_one_with_erf() {
        for (x, want) in [
            (-8.0, -4.9738e-15),
            (-2.0, -0.045_500_264),
            (-0.5, -0.154_268_77),
            (0.0, 0.0),
            (0.5, 0.345_731_23),
            (1.0, 0.841_344_8),
            (3.0, 2.995_950_3),
            (20.0, 20.0),
        ] {
            assert!((gelu(x) - want).abs() < 1e-6, "gelu({x}) = {}", gelu(x));
        }
    }

    #[test]
    fn round_takes_ties_to_even() {
        for (value, want) in
            [(0.5, 0), (1.5, 2), (-0.5, 0), (-1.5, -2), (126.6, 127), (-253.4, -253)]
        {
            assert_eq!(round(value), want, "{value}");
        }
    }
}
