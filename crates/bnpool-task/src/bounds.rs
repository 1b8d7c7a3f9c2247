//! Bounds of settings that no memory bounds.

/// Most epochs of a training. The random streams number them below 2⁴⁰.
pub(super) const MOST_EPOCHS: usize = 1_000_000_000;
/// The bound in words.
pub(super) const EPOCHS: &str = "at least 1 and at most 1000000000";

/// Most independent starts.
pub(super) const MOST_STARTS: usize = 1_000_000;
/// The bound in words.
pub(super) const STARTS: &str = "at least 1 and at most 1000000";

/// Most samples of an evaluation: each has a range of the random streams.
pub(super) const MOST_SAMPLES: usize = 1_000_000;
/// The bound in words.
pub(super) const SAMPLES: &str = "at least 1 and at most 1000000";

/// Most layers of a kind in a network.
pub(super) const MOST_LAYERS: usize = 1000;
/// The bound in words.
pub(super) const LAYERS: &str = "at least 1 and at most 1000";
