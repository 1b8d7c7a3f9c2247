//! The edges between two groups, as merges keep them.

use crate::description_length::Moments;
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// Edges between two groups: their moments, or only their number if weights say nothing.
/// There is one for each pair of adjacent groups and direction, so its size counts.
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

/// Only for graphs of at most so many edges.
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

/// The groups around a group. Only looked up by key, or walked to fill a heap that sorts
/// by itself, so that its order never matters.
pub(crate) type Neighbours<B> = HashMap<u32, B, FixedState>;
