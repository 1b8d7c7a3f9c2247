//! What changes from one forward pass to the next.

use crate::nn::Mode;
use bnpool_math::stream::DrawKey;
use bnpool_parallel::Member;

/// What a pooler must know of a forward pass beside the graphs. It is the same
/// for every pooler: a pooler takes from it what it needs.
#[derive(Debug, Clone)]
pub struct Pass {
    /// Training or evaluation; it also draws the units that dropout leaves out.
    pub mode: Mode,
    /// Whose random draws they are.
    pub key: DrawKey,
    /// Number of the pass: every pass draws anew.
    pub step: u64,
    /// How far the warm-up of the training has come, from 0 to 1.
    pub progress: f64,
    /// Whether a random pooler gives the mean of what it would draw.
    pub mean: bool,
    /// Whether a loss that is expensive to compute may be estimated.
    pub estimate: bool,
}

impl Pass {
    /// A pass that trains.
    #[must_use]
    pub fn training(key: impl Into<DrawKey>, step: u64, progress: f64) -> Self {
        let key = key.into();
        Self {
            mode: Mode::training(key.seed(), step),
            key,
            step,
            progress,
            mean: false,
            estimate: false,
        }
    }

    /// A pass that evaluates, with random draws where a pooler has some.
    #[must_use]
    pub fn evaluation(key: impl Into<DrawKey>, step: u64) -> Self {
        Self {
            mode: Mode::evaluation(),
            key: key.into(),
            step,
            progress: 1.0,
            mean: false,
            estimate: false,
        }
    }

    /// A pass that evaluates without random draws.
    #[must_use]
    pub fn mean() -> Self {
        Self {
            mean: true,
            ..Self::evaluation(0, 0)
        }
    }

    /// The same for a part of a batch, of which other members of a team have the
    /// rest.
    #[must_use]
    pub fn among(self, member: Member) -> Self {
        Self {
            mode: self.mode.with_member(member),
            ..self
        }
    }

    /// The same for the pooler at this depth of a hierarchy, counted from 0: its
    /// draws are its own.
    #[must_use]
    pub fn at_depth(&self, depth: usize) -> Self {
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        Self {
            key: DrawKey { depth, ..self.key },
            ..self.clone()
        }
    }
}
