//! The pooler of a configuration file: every value that can be set.

use super::registry::RivalConfig;
use super::{BnPoolConfig, LossPreset, PosteriorStart, Reconstruction};
use serde::{Deserialize, Serialize};

/// Which pairs of nodes the reconstruction looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Loss {
    /// Dense where that is bearable, else sparse.
    Auto,
    /// All pairs, exactly.
    Dense,
    /// Edges and as many sampled non-edges.
    Sparse,
}

/// Divisors and weights of the losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LossNormalisation {
    /// As the paper writes them.
    Paper,
    /// As the authors' code computes them.
    Authors,
    /// As the paper writes them for all pairs, and the sparse loss an estimate
    /// of that.
    Estimate,
}

/// The section `[pooler]`. BN-Pool's values stand directly in it, those of
/// another pooler in a section of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PoolerConfig {
    /// Name of the pooler, as [`super::POOLERS`] lists them.
    pub name: String,
    /// κ: supernodes of poolers that do not find their number, as a part of the
    /// nodes.
    pub ratio: f64,
    /// C: the largest number of clusters.
    pub max_clusters: usize,
    /// α_DP: concentration; more allows more clusters.
    pub alpha_dp: f64,
    /// μ_K: prior mean of the block matrix.
    pub mu_k: f64,
    /// σ_K: prior variance of the block matrix.
    pub sigma_k: f64,
    /// η_K: initial value of the block matrix.
    pub eta_k: f64,
    /// T: samples a training step averages over.
    pub particles: usize,
    /// Where the posterior starts.
    pub start: PosteriorStart,
    /// Whether the block matrix is learned.
    pub train_k: bool,
    /// All pairs, or edges and sampled non-edges.
    pub loss: Loss,
    /// Divisors and weights of the losses.
    pub normalisation: LossNormalisation,
    /// Values of the other poolers.
    #[serde(flatten)]
    pub rivals: RivalConfig,
}

/// Above this many products N² C an epoch of the dense loss takes more than
/// about two seconds on two cores, and `auto` takes the sparse one. A count and
/// not a measured time, so that the choice is the same on every machine.
pub const DENSE_BOUND: f64 = 4e10;

impl PoolerConfig {
    /// The values of the paper.
    #[must_use]
    pub fn paper() -> Self {
        Self {
            name: "bn".into(),
            ratio: 0.5,
            max_clusters: 50,
            alpha_dp: 10.0,
            mu_k: 1.0,
            sigma_k: 1.0,
            eta_k: 1.0,
            particles: 1,
            start: PosteriorStart::Plain,
            train_k: true,
            loss: Loss::Auto,
            normalisation: LossNormalisation::Paper,
            rivals: RivalConfig::default(),
        }
    }

    /// The values of the authors' code.
    #[must_use]
    pub fn authors() -> Self {
        Self {
            mu_k: 10.0,
            normalisation: LossNormalisation::Authors,
            ..Self::paper()
        }
    }

    /// The reconstruction for graphs of this many nodes.
    #[must_use]
    pub fn reconstruction(&self, nodes: usize) -> Reconstruction {
        let products = (nodes as f64).powi(2) * self.max_clusters as f64;
        match self.loss {
            Loss::Dense => Reconstruction::Dense,
            Loss::Sparse => Reconstruction::Sparse,
            Loss::Auto if products > DENSE_BOUND => Reconstruction::Sparse,
            Loss::Auto => Reconstruction::Dense,
        }
    }

    /// BN-Pool with these values, for features of width `inputs`.
    #[must_use]
    pub fn bn(&self, inputs: usize) -> BnPoolConfig {
        BnPoolConfig::new(inputs)
            .with_max_clusters(self.max_clusters)
            .with_concentration(self.alpha_dp)
            .with_block_mean(self.mu_k)
            .with_block_variance(self.sigma_k)
            .with_block_init(self.eta_k)
            .with_particles(self.particles)
            .with_posterior_start(self.start)
            .with_train_block_matrix(self.train_k)
            .with_losses(match self.normalisation {
                LossNormalisation::Paper => LossPreset::Paper,
                LossNormalisation::Authors => LossPreset::Authors,
                LossNormalisation::Estimate => LossPreset::Estimate,
            })
    }
}
