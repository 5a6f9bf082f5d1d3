//! When an index chooses what is near, and which tenants have one: numbers in, decisions out.

use std::collections::BTreeSet;

/// When passages are compared one by one, and when an index chooses among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NearPolicy {
    /// Up to so many passages in reach, every one is compared. A tenant with more is promoted.
    pub exact_max: i64,
    /// A reach below this share of its tenant's passages: most of what the index finds would be left out.
    pub small_share: i64,
    /// How large such a reach may be and still be compared exactly.
    pub small_reach_max: i64,
    /// More partial indexes than these make planning slow.
    pub promoted_max: usize,
}

impl Default for NearPolicy {
    /// Measured with 200,000 rows: exactly, 40,000 in reach take about 35 ms and 200,000 78 ms.
    fn default() -> Self {
        Self { exact_max: 50_000, small_share: 10, small_reach_max: 200_000, promoted_max: 64 }
    }
}

/// A vector index that is there. One whose making broke off is invalid: it costs writes and is never read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NearIndex {
    pub tenant: i32,
    pub is_valid: bool,
}

/// What has to be done so that those tenants have an index that should.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Upkeep {
    pub drop: Vec<i32>,
    pub make: Vec<i32>,
    /// Indexes that are as they should be.
    pub kept: Vec<i32>,
}

impl NearPolicy {
    /// Whether an index would be asked, with so many passages in reach and in the tenant as a whole.
    pub fn is_for_index(&self, in_reach: i64, of_tenant: i64) -> bool {
        let is_small = in_reach.saturating_mul(self.small_share) < of_tenant;
        in_reach > self.exact_max && !(is_small && in_reach <= self.small_reach_max)
    }

    /// `sizes` are passages by tenant. A tenant keeps its index until it has shrunk to half of the limit, so that one
    /// at the limit does not make it again and again.
    pub fn upkeep(&self, sizes: &[(i32, i64)], there: &[NearIndex]) -> Upkeep {
        let has_index = |tenant: i32| there.iter().any(|it| it.tenant == tenant && it.is_valid);
        let is_large = |(tenant, passages): &&(i32, i64)| {
            *passages > if has_index(*tenant) { self.exact_max / 2 } else { self.exact_max }
        };
        let mut large: Vec<(i32, i64)> = sizes.iter().filter(is_large).copied().collect();
        large.sort_by_key(|(tenant, passages)| (std::cmp::Reverse(*passages), *tenant));
        large.truncate(self.promoted_max);
        let wanted: BTreeSet<i32> = large.iter().map(|(tenant, _)| *tenant).collect();
        let is_kept = |it: &&NearIndex| it.is_valid && wanted.contains(&it.tenant);
        let kept: Vec<i32> = there.iter().filter(is_kept).map(|it| it.tenant).collect();
        let drop = there.iter().filter(|it| !is_kept(it)).map(|it| it.tenant).collect();
        let make = wanted.into_iter().filter(|tenant| !kept.contains(tenant)).collect();
        Upkeep { drop, make, kept }
    }

    /// Tenants whose size matters for the upkeep.
    pub(crate) fn counted_above(&self) -> i64 {
        self.exact_max / 2
    }
}

#[cfg(test)]
mod tests {
    use super::{NearIndex, NearPolicy, Upkeep};

    #[track_caller]
    fn asks(in_reach: i64, of_tenant: i64, want: bool) {
        assert_eq!(NearPolicy::default().is_for_index(in_reach, of_tenant), want);
    }

    /// R481.
    #[test]
    fn a_small_reach_is_compared_exactly() {
        asks(50_000, 50_000, false);
        asks(50_001, 50_001, true);
        asks(60_000, 600_000, true);
        asks(60_000, 600_001, false);
        asks(200_000, 2_000_001, false);
        asks(200_001, 20_000_000, true);
    }

    #[track_caller]
    fn keeps(sizes: &[(i32, i64)], there: &[(i32, bool)], want: [&[i32]; 3]) {
        let policy = NearPolicy { exact_max: 100, promoted_max: 2, ..NearPolicy::default() };
        let there: Vec<NearIndex> =
            there.iter().map(|&(tenant, is_valid)| NearIndex { tenant, is_valid }).collect();
        let [drop, make, kept] = want.map(<[i32]>::to_vec);
        assert_eq!(policy.upkeep(sizes, &there), Upkeep { drop, make, kept });
    }

    /// R481 R482.
    #[test]
    fn the_largest_tenants_have_an_index_and_no_broken_one_stays() {
        keeps(&[(1, 100), (2, 101)], &[], [&[], &[2], &[]]);
        // At the limit it stays; at half of it it goes.
        keeps(&[(1, 51), (2, 50)], &[(1, true), (2, true)], [&[2], &[], &[1]]);
        keeps(&[(1, 101)], &[(1, false)], [&[1], &[1], &[]]);
        keeps(&[], &[(9, false)], [&[9], &[], &[]]);
        keeps(&[(1, 101), (2, 300), (3, 200)], &[(1, true)], [&[1], &[2, 3], &[]]);
    }
}
