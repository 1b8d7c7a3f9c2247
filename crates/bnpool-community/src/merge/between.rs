//! Edges between two groups, as stored during merging.

use crate::description_length::Moments;
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// Edges between two groups: their moments, or only their number if weights are ignored.
/// There is one value per pair of adjacent groups and direction, so its size matters.
pub(crate) trait Between: Copy + Default {
    fn of(moments: Moments) -> Self;
    fn moments(self) -> Moments;
    fn plus(self, other: Self) -> Self;
}

impl Between for Moments {
    fn of(moments: Moments) -> Self {
        moments
    }

    #[inline]
    fn moments(self) -> Moments {
        self
    }

    #[inline]
    fn plus(self, other: Self) -> Self {
        Self::plus(self, other)
    }
}

/// Only for graphs with at most `u32::MAX` edges.
impl Between for u32 {
    fn of(moments: Moments) -> Self {
        moments.count as Self
    }

    #[inline]
    fn moments(self) -> Moments {
        Moments::edges(self.into())
    }

    #[inline]
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

/// Adjacent groups of a group. Only used for lookups or to fill a heap, so the iteration
/// order does not matter.
pub(crate) type Neighbours<B> = HashMap<u32, B, FixedState>;
