//! SEL: pieces that say which node belongs to which supernode.

mod assigned;
mod kept;
mod membership;
mod prepare;
mod softmax;

pub use assigned::{assign, prepared};
pub use kept::keep_best;
pub use membership::{Membership, Selection};
pub use prepare::prepared_or_now;
pub use softmax::softmax_assignments;
pub(super) use softmax::{SOFTMAX, clusters_of, softmax_map, softmax_selection};

/// A score that ranks before all others if it is not a number, so that it is not
/// left out unnoticed.
pub(super) fn rank_of(score: f32) -> f32 {
    if score.is_nan() {
        // Not every NaN is the largest to `total_cmp`: that depends on its sign.
        f32::MAX
    } else {
        score.clamp(f32::MIN, f32::MAX)
    }
}
