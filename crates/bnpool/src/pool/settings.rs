//! The pooler of a configuration file: every value that can be set.

use super::registry::{RivalConfig, find_pooler};
use super::{BnPoolConfig, LossPreset, PoolError, PosteriorStart, Reconstruction};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
#[serde(try_from = "Written")]
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

/// The section as it is written, with the keys that nothing is called by: a
/// derived implementation with a flattened field would take them in silence.
#[derive(Deserialize)]
struct Written {
    name: String,
    ratio: f64,
    max_clusters: usize,
    alpha_dp: f64,
    mu_k: f64,
    sigma_k: f64,
    eta_k: f64,
    particles: usize,
    start: PosteriorStart,
    train_k: bool,
    loss: Loss,
    normalisation: LossNormalisation,
    #[serde(flatten)]
    rivals: RivalConfig,
    #[serde(flatten)]
    unknown: BTreeMap<String, IgnoredAny>,
}

impl TryFrom<Written> for PoolerConfig {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        if let Some(key) = written.unknown.keys().next() {
            return Err(format!("unknown field `{key}` of the section `pooler`"));
        }
        Ok(Self {
            name: written.name,
            ratio: written.ratio,
            max_clusters: written.max_clusters,
            alpha_dp: written.alpha_dp,
            mu_k: written.mu_k,
            sigma_k: written.sigma_k,
            eta_k: written.eta_k,
            particles: written.particles,
            start: written.start,
            train_k: written.train_k,
            loss: written.loss,
            normalisation: written.normalisation,
            rivals: written.rivals,
        })
    }
}

/// Fields of [`BnPoolConfig`], and what they are called here.
const FIELDS: [(&str, &str); 6] = [
    ("max_clusters", "pooler.max_clusters"),
    ("particles", "pooler.particles"),
    ("concentration", "pooler.alpha_dp"),
    ("block_mean", "pooler.mu_k"),
    ("block_variance", "pooler.sigma_k"),
    ("block_init", "pooler.eta_k"),
];

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

    /// Checks every value.
    ///
    /// # Errors
    ///
    /// The first one that is out of range, with its bound.
    pub fn check(&self) -> Result<(), PoolError> {
        find_pooler(&self.name)?;
        PoolError::check_ratio(self.ratio)?;
        self.rivals.mincut.check()?;
        self.bn(1).check().map_err(|error| match error {
            PoolError::OutOfRange { name, value, bound } => PoolError::OutOfRange {
                name: FIELDS
                    .iter()
                    .find(|field| field.0 == name)
                    .map_or(name, |field| field.1),
                value,
                bound,
            },
            other => other,
        })
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
