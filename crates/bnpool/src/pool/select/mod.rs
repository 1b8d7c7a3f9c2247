//! SEL: building blocks that assign nodes to supernodes.

mod membership;
mod prepare;
mod softmax;

pub use membership::{Membership, Selection};
pub(super) use prepare::coarsen_levels;
pub use prepare::{assign, keep_best, prepared, prepared_or_now};
pub use softmax::softmax_assignments;
pub(super) use softmax::{SOFTMAX, clusters_of, softmax_map, softmax_selection};

/// Rank of a score: NaN ranks first, so that it is not dropped silently.
pub(super) fn rank_of(score: f32) -> f32 {
    if score.is_nan() {
        // `total_cmp` only treats NaN as the largest value if its sign is
        // positive.
        f32::MAX
    } else {
        score.clamp(f32::MIN, f32::MAX)
    }
}
