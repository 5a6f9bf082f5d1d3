//! The three versions of anything: the base may be of another type, as it may be missing.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Three<O, S = O> {
    pub base: O,
    pub ours: S,
    pub theirs: S,
}

/// The two sides without their base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pair<T> {
    pub(crate) ours: T,
    pub(crate) theirs: T,
}

impl<T: PartialEq> Three<T> {
    /// The one answer, unless both sides changed it in different ways.
    pub(crate) fn settled(&self) -> Option<&T> {
        if self.ours == self.theirs || self.base == self.theirs {
            return Some(&self.ours);
        }
        (self.base == self.ours).then_some(&self.theirs)
    }

    pub(crate) fn is_one(&self) -> bool {
        self.base == self.ours && self.ours == self.theirs
    }
}

impl<T> Three<T> {
    pub(crate) fn map<U>(self, each: impl Fn(T) -> U) -> Three<U> {
        Three { base: each(self.base), ours: each(self.ours), theirs: each(self.theirs) }
    }

    pub(crate) fn try_map<U>(self, each: impl Fn(T) -> Option<U>) -> Option<Three<U>> {
        Some(Three { base: each(self.base)?, ours: each(self.ours)?, theirs: each(self.theirs)? })
    }

    pub(crate) fn as_ref(&self) -> Three<&T> {
        Three { base: &self.base, ours: &self.ours, theirs: &self.theirs }
    }

    pub(crate) fn pair(self) -> Pair<T> {
        Pair { ours: self.ours, theirs: self.theirs }
    }
}

impl<'p, P> Three<Option<&'p P>, &'p P> {
    /// Something of each version that may be missing there.
    pub(crate) fn each<T>(&self, of: impl Fn(&'p P) -> Option<T>) -> Three<Option<T>> {
        Three { base: self.base.and_then(&of), ours: of(self.ours), theirs: of(self.theirs) }
    }
}

impl<T> Pair<T> {
    pub(crate) fn map<U>(self, each: impl Fn(T) -> U) -> Pair<U> {
        Pair { ours: each(self.ours), theirs: each(self.theirs) }
    }

    pub(crate) fn try_map<U>(self, each: impl Fn(T) -> Option<U>) -> Option<Pair<U>> {
        Some(Pair { ours: each(self.ours)?, theirs: each(self.theirs)? })
    }

    pub(crate) fn as_ref(&self) -> Pair<&T> {
        Pair { ours: &self.ours, theirs: &self.theirs }
    }
}

impl<T> IntoIterator for Pair<T> {
    type Item = T;
    type IntoIter = std::array::IntoIter<T, 2>;

    fn into_iter(self) -> Self::IntoIter {
        [self.ours, self.theirs].into_iter()
    }
}
