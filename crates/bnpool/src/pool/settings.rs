//! The pooler settings of a configuration file.

use super::registry::{self, RivalConfig, find_pooler};
use super::{
    BnPoolConfig, Coarsen, LossNormalisation, PoolError, PoolSettings, PoolSite, PoolTraits,
    Pooler, PosteriorStart, Reconstruction,
};
use crate::nn::Initialiser;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The section `[pooler]`. It contains the values of BN-Pool directly; each
/// other pooler has its own subsection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct PoolerConfig {
    /// Name of the pooler, one of [`super::POOLERS`].
    pub name: String,
    /// κ: number of supernodes as a fraction of the nodes, for poolers that do
    /// not infer it.
    pub ratio: f64,
    /// C: largest number of clusters. 0 chooses it from the graph for
    /// communities of one graph, and means 50 otherwise.
    pub max_clusters: usize,
    /// α_DP: concentration; more allows more clusters.
    pub alpha_dp: f64,
    /// μ_K: prior mean of the block matrix.
    pub mu_k: f64,
    /// σ_K: prior variance of the block matrix.
    pub sigma_k: f64,
    /// η_K: initial value of the block matrix.
    pub eta_k: f64,
    /// T: number of samples per training step.
    pub particles: usize,
    /// Initial posterior.
    pub start: PosteriorStart,
    /// Whether the block matrix is learned.
    pub train_k: bool,
    /// Whether nodes of high degree are expected to have more edges.
    pub degree_correction: bool,
    /// All pairs, or edges and sampled non-edges.
    pub loss: Reconstruction,
    /// Divisors and weights of the losses.
    pub normalisation: LossNormalisation,
    /// Values of the other poolers.
    #[serde(flatten)]
    pub rivals: RivalConfig,
}

/// The section as written, with unknown keys: a derived implementation with a
/// flattened field would accept them silently.
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
    #[serde(default)]
    degree_correction: bool,
    loss: Reconstruction,
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
            degree_correction: written.degree_correction,
            loss: written.loss,
            normalisation: written.normalisation,
            rivals: written.rivals,
        })
    }
}

/// C of the paper.
const USUAL_CLUSTERS: usize = 50;

impl PoolerConfig {
    /// The values of the paper.
    #[must_use]
    pub fn paper() -> Self {
        Self {
            name: "bn".into(),
            ratio: 0.5,
            max_clusters: USUAL_CLUSTERS,
            alpha_dp: 10.0,
            mu_k: 1.0,
            sigma_k: 1.0,
            eta_k: 1.0,
            particles: 1,
            start: PosteriorStart::Plain,
            train_k: true,
            degree_correction: false,
            loss: Reconstruction::Dense,
            normalisation: LossNormalisation::Paper,
            rivals: RivalConfig::authors(),
        }
    }

    /// Replaces the name of the pooler, one of [`super::POOLERS`].
    #[must_use]
    pub fn with_name(self, name: &str) -> Self {
        Self {
            name: name.into(),
            ..self
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

    /// The reconstruction for graphs of this many nodes: dense or sparse.
    #[must_use]
    pub fn reconstruction(&self, nodes: usize) -> Reconstruction {
        self.loss.resolve(nodes, self.bn(1).max_clusters)
    }

    /// Checks all values.
    ///
    /// # Errors
    ///
    /// Returns an error if a value is out of range; the error names the first
    /// one, with its bound.
    pub fn check(&self) -> Result<(), PoolError> {
        find_pooler(&self.name)?;
        PoolError::check_ratio(self.ratio)?;
        self.rivals.check()?;
        self.bn(1).check()
    }

    /// BN-Pool with these values, for features of width `inputs`.
    #[must_use]
    pub fn bn(&self, inputs: usize) -> BnPoolConfig {
        let most = match self.max_clusters {
            0 => USUAL_CLUSTERS,
            most => most,
        };
        BnPoolConfig::new(inputs)
            .with_max_clusters(most)
            .with_alpha_dp(self.alpha_dp)
            .with_mu_k(self.mu_k)
            .with_sigma_k(self.sigma_k)
            .with_eta_k(self.eta_k)
            .with_particles(self.particles)
            .with_start(self.start)
            .with_train_k(self.train_k)
            .with_degree_correction(self.degree_correction)
            .with_loss(self.loss)
            .with_normalisation(self.normalisation)
    }
}

impl PoolSettings for PoolerConfig {
    type Pool = Pooler;

    fn traits(&self) -> PoolTraits {
        *find_pooler(&self.name).unwrap_or(&registry::POOLERS[0])
    }

    fn check(&self) -> Result<(), PoolError> {
        Self::check(self)
    }

    fn init(&self, site: &PoolSite, init: &mut Initialiser) -> Result<Pooler, PoolError> {
        Pooler::make(self, site, init)
    }

    fn coarsen(&self, site: &PoolSite) -> Option<Arc<dyn Coarsen>> {
        registry::coarsen(self, site)
    }

    fn delta(&self) -> f64 {
        registry::delta(self)
    }

    fn max_clusters(&self) -> usize {
        self.max_clusters
    }

    fn works_in_parts(&self) -> bool {
        self.name == "bn" && self.particles == 1 && self.loss != Reconstruction::Dense
    }

    fn with_max_clusters(self, max_clusters: usize) -> Self {
        Self {
            max_clusters,
            ..self
        }
    }

    fn for_blocks(self) -> Self {
        Self { mu_k: 0.0, ..self }
    }
}
