//! Parameters of a forward pass.
//!
//! [`Pass`] is neutral: mode, draws, step and progress of the warm-up. `BnPass` has the
//! parameters that only BN-Pool needs.

use crate::nn::Mode;
use bnpool_math::stream::DrawKey;
use bnpool_parallel::Member;

/// Parameters of a forward pass, besides the graphs. Shared by all poolers;
/// each uses those it needs.
#[derive(Debug, Clone)]
pub struct Pass {
    /// Training or evaluation; also draws dropout masks.
    pub mode: Mode,
    /// Key of the random draws.
    pub key: DrawKey,
    /// Number of the pass; each pass has new draws.
    pub step: u64,
    /// Progress of the warm-up, from 0 to 1.
    pub progress: f64,
    /// Whether a random pooler returns the mean instead of a sample.
    pub mean: bool,
    /// Whether expensive losses may be estimated.
    pub estimate: bool,
}

impl Pass {
    /// A training pass.
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

    /// An evaluation pass, with the random draws of poolers, if any.
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

    /// An evaluation pass without random draws.
    #[must_use]
    pub fn mean() -> Self {
        Self {
            mean: true,
            ..Self::evaluation(0, 0)
        }
    }

    /// Restricts the pass to a part of a batch, the rest of which other members
    /// of a team have.
    #[must_use]
    pub fn among(self, member: Member) -> Self {
        Self {
            mode: self.mode.with_member(member),
            ..self
        }
    }

    /// The pass for the pooler at this depth of a hierarchy, counted from 0,
    /// with separate draws.
    #[must_use]
    pub fn at_depth(&self, depth: usize) -> Self {
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        Self {
            key: DrawKey { depth, ..self.key },
            ..self.clone()
        }
    }
}
