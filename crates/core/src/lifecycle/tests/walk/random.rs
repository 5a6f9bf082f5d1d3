//! Numbers that are the same on every machine: splitmix64.

pub(in crate::lifecycle::tests) struct Random(pub u64);

impl Random {
    pub(in crate::lifecycle::tests) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(in crate::lifecycle::tests) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(in crate::lifecycle::tests) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub(in crate::lifecycle::tests) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}
