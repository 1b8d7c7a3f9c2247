//! Bounds of settings that are not limited by memory.

/// Largest number of epochs of a training. The random streams number them below
/// 2⁴⁰.
pub(super) const MOST_EPOCHS: usize = 1_000_000_000;
/// Description of the bound.
pub(super) const EPOCHS: &str = "at least 1 and at most 1000000000";

/// Largest number of independent starts.
pub(super) const MOST_STARTS: usize = 1_000_000;
/// Description of the bound.
pub(super) const STARTS: &str = "at least 1 and at most 1000000";

/// Largest number of samples of an evaluation; each uses a range of the random
/// streams.
pub(super) const MOST_SAMPLES: usize = 1_000_000;
/// Description of the bound.
pub(super) const SAMPLES: &str = "at least 1 and at most 1000000";

/// Largest number of layers of one kind in a network.
pub(super) const MOST_LAYERS: usize = 1000;
/// Description of the bound.
pub(super) const LAYERS: &str = "at least 1 and at most 1000";
