//! BN-Pool: Bayesian nonparametric pooling.

use super::loss::block_prior;
use super::registry::{Pool, PoolSite};
use super::{
    ConnectConfig, Level, LossPreset, Losses, PoolError, Pooled, PoolerConfig, Topology, connect,
};
use crate::nn::{Initialiser, Mlp, MlpConfig, Mode};
use crate::ops::{Activation, BlockLossPairs, Draw, StickDraw, Sticks, block_loss, break_sticks};
use bnpool_math::kernel::{Negatives, sample_negatives};
use bnpool_math::stream::{Purpose, Stream};
use burn::config::Config;
use burn::module::{Module, Param};
use burn::nn::Linear;
use burn::tensor::Tensor;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How the reconstruction loss looks at the pairs of nodes.
#[derive(Config, Debug, Copy, PartialEq, Eq)]
pub enum Reconstruction {
    /// All ordered pairs, exactly: O(N² C) time, O(N C) memory.
    Dense,
    /// The edges and as many sampled non-edges: O(E C).
    Sparse,
}

/// Where the posterior of the stick fractions starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PosteriorStart {
    /// Biases as of any affine map, near zero. Fractions start near one half,
    /// so all nodes begin in the first handful of clusters.
    Plain,
    /// Biases that put every node at the prior Beta(1, α_DP): about α_DP
    /// clusters are in use from the start, and the divergence starts near zero.
    Prior,
}

/// More samples a step change nothing but the time it takes, and each needs an
/// index of its own in the random streams.
const MOST_PARTICLES: usize = 1 << 16;

/// Configuration of [`BnPool`], with the paper's defaults.
///
/// ```
/// use bnpool::pool::BnPoolConfig;
///
/// let config = BnPoolConfig::new(32).with_max_clusters(20);
/// assert_eq!(config.concentration, 10.0);
/// assert!(config.with_concentration(-1.0).check().is_err());
/// ```
#[derive(Config, Debug)]
pub struct BnPoolConfig {
    /// Width of the node features that the posterior is estimated from.
    pub inputs: usize,
    /// Width of a hidden layer between the features and the posterior. The
    /// authors' code has none; the paper's listing has one.
    #[config(default = "None")]
    pub posterior_hidden: Option<usize>,
    /// Whether the maps to the posterior have a bias (the paper's listing: no).
    #[config(default = true)]
    pub posterior_bias: bool,
    /// Where the posterior starts; only with a bias.
    #[config(default = "PosteriorStart::Plain")]
    pub posterior_start: PosteriorStart,
    /// C: truncation level of the posterior, the largest number of clusters.
    #[config(default = 50)]
    pub max_clusters: usize,
    /// α_DP: concentration of the Dirichlet process; more lets more clusters live.
    #[config(default = 10.0)]
    pub concentration: f64,
    /// μ_K: prior mean of K, positive on the diagonal and negative off it.
    #[config(default = 1.0)]
    pub block_mean: f64,
    /// σ_K: prior variance of K; less keeps K closer to its prior.
    #[config(default = 1.0)]
    pub block_variance: f64,
    /// η_K: initial value of K, positive on the diagonal and negative off it.
    #[config(default = 1.0)]
    pub block_init: f64,
    /// T: samples of the assignments that the reconstruction is averaged over.
    #[config(default = 1)]
    pub particles: usize,
    /// All pairs, or edges and sampled non-edges.
    #[config(default = "Reconstruction::Dense")]
    pub reconstruction: Reconstruction,
    /// Whether K is learned; otherwise it stays at its initial value.
    #[config(default = true)]
    pub train_block_matrix: bool,
    /// How supernodes are connected.
    #[config(default = "ConnectConfig::new()")]
    pub connect: ConnectConfig,
    /// Weights and divisors of the losses.
    #[config(default = "LossPreset::Paper")]
    pub losses: LossPreset,
}

/// What changes from one forward pass to the next.
#[derive(Debug, Clone)]
pub struct PoolPass {
    /// γ: weight of the divergence, usually annealed from 0 to 1.
    pub kl_weight: f64,
    /// Sample (with seed and step), posterior mean, or given fractions.
    pub draw: Draw,
    /// Negative edges to use instead of sampled ones; only for the sparse loss.
    pub negatives: Option<Arc<Negatives>>,
    /// Whether a dense reconstruction loss is estimated by the edges and as many
    /// sampled non-edges ([`LossPreset::Estimate`]): O(E C) instead of O(N² C).
    pub estimated: bool,
}

impl PoolPass {
    /// A training pass: a sample of the posterior, γ as given.
    #[must_use]
    pub fn sample(seed: u64, step: u64, kl_weight: f64) -> Self {
        Self {
            kl_weight,
            draw: Draw::Sample { seed, step },
            negatives: None,
            estimated: false,
        }
    }

    /// A deterministic pass by the posterior mean of S.
    #[must_use]
    pub fn mean(kl_weight: f64) -> Self {
        Self {
            kl_weight,
            draw: Draw::Mean,
            negatives: None,
            estimated: false,
        }
    }

    /// The same for the pooler at this depth of a hierarchy, counted from 0: its
    /// draws are others than those of the first.
    #[must_use]
    pub fn at_depth(&self, depth: usize) -> Self {
        let draw = match self.draw.clone() {
            Draw::Sample { seed, step } => Draw::Sample {
                seed: derived_seed(seed, depth),
                step,
            },
            other => other,
        };
        Self {
            draw,
            ..self.clone()
        }
    }

    /// Seed and step of the negatives: those of the sample, else fixed ones.
    fn stream(&self) -> Stream {
        let (seed, step) = match self.draw {
            Draw::Sample { seed, step } => (seed, step),
            Draw::Mean | Draw::Given(_) => (0, 0),
        };
        Stream::new(seed, Purpose::NegativeEdges, step)
    }
}

/// The seed of the `index`-th thing of a kind: that of the run for the first.
pub(crate) fn derived_seed(seed: u64, index: usize) -> u64 {
    // An odd constant (2⁶⁴ / golden ratio) keeps derived seeds apart from the
    // small numbers that people choose.
    seed.wrapping_add((index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// The BN-Pool operator.
///
/// An affine map (or a small perceptron) turns node features into the parameters of the posterior of
/// the stick fractions; a sample of it, broken into sticks, is the assignment
/// matrix S. A stochastic block model with block matrix K must explain the
/// graph by S, which trains both.
#[derive(Module, Debug)]
pub struct BnPool {
    /// Node features → (α̃, β̃) before softplus, F → 2(C−1).
    pub posterior: Mlp,
    /// μ̃: the variational mean of the block matrix K, [C, C].
    pub block_matrix: Param<Tensor<2>>,
    #[module(skip)]
    config: BnPoolConfig,
}

/// What SEL gives.
#[derive(Debug, Clone)]
pub struct Selection {
    /// S, [nodes, C].
    pub assignments: Tensor<2>,
    /// The auxiliary losses. BN-Pool's are `rec` (L_rec), `kl` (γ L_π) and `k`
    /// (L_K).
    pub losses: Losses,
}

impl BnPoolConfig {
    /// The same for features of another width.
    #[must_use]
    pub fn with_inputs(self, inputs: usize) -> Self {
        Self { inputs, ..self }
    }

    /// Checks every hyper-parameter.
    ///
    /// # Errors
    ///
    /// The first one that is out of range, with its value and bound.
    pub fn check(&self) -> Result<(), PoolError> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let rules = [
            ("inputs", self.inputs as f64, self.inputs >= 1, "at least 1"),
            (
                "max_clusters",
                self.max_clusters as f64,
                self.max_clusters >= 2,
                "at least 2",
            ),
            (
                "particles",
                self.particles as f64,
                (1..=MOST_PARTICLES).contains(&self.particles),
                "at least 1 and at most 65536",
            ),
            (
                "concentration",
                self.concentration,
                positive(self.concentration),
                "positive and finite",
            ),
            (
                "block_mean",
                self.block_mean,
                self.block_mean.is_finite(),
                "finite",
            ),
            (
                "block_variance",
                self.block_variance,
                positive(self.block_variance),
                "positive and finite",
            ),
            (
                "block_init",
                self.block_init,
                self.block_init.is_finite(),
                "finite",
            ),
        ];
        match rules.into_iter().find(|rule| !rule.2) {
            Some((name, value, _, bound)) => Err(PoolError::OutOfRange { name, value, bound }),
            None => Ok(()),
        }
    }

    /// Initialises the operator: the affine map uniformly, K by η_K.
    ///
    /// # Errors
    ///
    /// When a hyper-parameter is out of range.
    pub fn init(&self, init: &mut Initialiser) -> Result<BnPool, PoolError> {
        self.check()?;
        let c = self.max_clusters;
        let mut block = vec![-self.block_init as f32; c * c];
        for i in 0..c {
            block[i * c + i] = self.block_init as f32;
        }
        let block_matrix = init.values(block, [c, c]);
        let mut widths = vec![self.inputs];
        widths.extend(self.posterior_hidden);
        widths.push(2 * (c - 1));
        let mut posterior = MlpConfig::new(widths)
            .with_bias(self.posterior_bias)
            .init(init);
        if self.posterior_start == PosteriorStart::Prior
            && let Some(Linear {
                bias: Some(bias), ..
            }) = posterior.layers.last_mut()
        {
            // The inverse of softplus.
            let before = |x: f64| (x + (-(-x).exp()).ln_1p()) as f32;
            let mut values = vec![before(1.0); c - 1];
            values.extend(vec![before(self.concentration); c - 1]);
            *bias = init.values(values, [2 * (c - 1)]);
        }
        Ok(BnPool {
            posterior,
            block_matrix: if self.train_block_matrix {
                block_matrix
            } else {
                block_matrix.set_require_grad(false)
            },
            config: self.clone(),
        })
    }
}

impl BnPool {
    /// The configuration it was made with.
    #[must_use]
    pub fn config(&self) -> &BnPoolConfig {
        &self.config
    }

    /// α̃ and β̃ of every stick.
    ///
    /// # Shapes
    ///
    /// - x: [nodes, F] → [nodes, 2(C−1)], α̃ before β̃
    #[must_use]
    pub fn posterior_parameters(&self, x: Tensor<2>) -> Tensor<2> {
        self.posterior
            .forward_then(x, Activation::BoundedSoftplus, &Mode::evaluation())
    }

    /// SEL without the losses: S of a sample, the mean or given fractions.
    ///
    /// # Shapes
    ///
    /// - x: [nodes, F] → [nodes, C]
    ///
    /// # Panics
    ///
    /// When x has not a row for every node of the topology.
    #[must_use]
    pub fn assignments(&self, x: Tensor<2>, topology: &Topology, draw: Draw) -> Tensor<2> {
        let no_price = vec![0.0; topology.segments.nodes()].into();
        self.sticks(x, topology, draw, 1, no_price)
            .assignments
            .squeeze_dim(0)
    }

    fn sticks(
        &self,
        x: Tensor<2>,
        topology: &Topology,
        draw: Draw,
        particles: usize,
        node_weights: Arc<[f64]>,
    ) -> Sticks {
        break_sticks(
            self.posterior_parameters(x),
            &topology.segments,
            StickDraw {
                sticks: self.config.max_clusters - 1,
                particles,
                draw,
                concentration: self.config.concentration,
                node_weights,
            },
        )
    }

    /// SEL: assignments and auxiliary losses, all that training on the graph
    /// alone needs.
    ///
    /// With more than one particle the reconstruction is averaged over all of
    /// them, and the assignments are those of the first.
    ///
    /// # Shapes
    ///
    /// - x: [nodes, F]
    /// - assignments: [nodes, C]
    ///
    /// # Panics
    ///
    /// When x has not a row for every node of the topology.
    #[must_use]
    pub fn select(&self, x: Tensor<2>, topology: &Topology, pass: &PoolPass) -> Selection {
        let config = &self.config;
        let segments = &topology.segments;
        let (reconstruction, losses) = match (config.reconstruction, pass.estimated) {
            (Reconstruction::Dense, true) => (Reconstruction::Sparse, LossPreset::Estimate),
            (own, _) => (own, config.losses),
        };
        let negatives = match (reconstruction, &pass.negatives) {
            (Reconstruction::Dense, _) => None,
            (Reconstruction::Sparse, Some(given)) => Some(given.clone()),
            (Reconstruction::Sparse, None) => Some(Arc::new(sample_negatives(
                topology.targets.view(),
                segments.offsets(),
                segments.keys(),
                &pass.stream(),
            ))),
        };
        let scale = losses.normalisation(topology, reconstruction, negatives.as_deref());
        let node_weights = scale.nodes.iter().map(|w| w * pass.kl_weight).collect();
        let draw = pass.draw.clone();
        let sticks = self.sticks(x, topology, draw, config.particles, node_weights);
        let block_matrix = self.block_matrix.val();
        let pairs = BlockLossPairs {
            edges: topology.targets.clone(),
            negatives,
            weights: scale.pairs,
        };
        let particle = |t: usize| -> Tensor<2> {
            let all = sticks.assignments.clone();
            match config.particles {
                // A part of all would be copied, and its gradient padded.
                1 => all.squeeze_dim(0),
                _ => all.narrow(0, t, 1).squeeze_dim(0),
            }
        };
        let rec = (0..config.particles)
            .map(|t| block_loss(segments, particle(t), block_matrix.clone(), pairs.clone()))
            .reduce(|sum, loss| sum + loss)
            .expect("at least one particle");
        let rec = match config.particles {
            1 => rec,
            particles => rec / particles as f64,
        };
        let prior = block_prior(block_matrix, config.block_mean, config.block_variance);
        Selection {
            assignments: particle(0),
            losses: Losses::new([
                ("rec", rec),
                ("kl", sticks.divergence),
                ("k", prior * scale.block_prior),
            ]),
        }
    }

    /// Pools a graph or a batch: SEL, RED and CON.
    ///
    /// # Shapes
    ///
    /// - x: [nodes, F]
    /// - of the result: features [graphs, C, F], adjacency [graphs, C, C],
    ///   assignments [nodes, C]
    ///
    /// # Panics
    ///
    /// When x has not a row for every node of the topology.
    #[must_use]
    pub fn forward(&self, x: Tensor<2>, topology: &Topology, pass: &PoolPass) -> Pooled {
        self.pool(&Level::new(x, topology.clone()), pass)
    }
}

impl Pool for BnPool {
    const NAME: &'static str = "bn";
    const TITLE: &'static str = "BN-Pool";
    const SUMMARY: &'static str = "BN-Pool: soft clusters, as many as each graph needs";
    const SOFT: bool = true;
    const POSTERIOR: bool = true;
    const RECONSTRUCTION: bool = true;

    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        init: &mut Initialiser,
    ) -> Result<Self, PoolError> {
        config
            .bn(site.inputs)
            .with_reconstruction(config.reconstruction(site.nodes as usize))
            .init(init)
    }

    fn pool(&self, level: &Level, pass: &PoolPass) -> Pooled {
        let x = level.features.clone();
        let Selection {
            assignments,
            losses,
        } = self.select(x, &level.structure.topology(), pass);
        let adjacency = connect(&level.structure, assignments.clone(), self.config.connect);
        Pooled::soft(level, assignments, adjacency, losses)
    }

    fn select(&self, level: &Level, pass: &PoolPass) -> Option<Selection> {
        let x = level.features.clone();
        Some(self.select(x, &level.structure.topology(), pass))
    }

    fn nodes_after(&self, _: f64) -> f64 {
        self.config.max_clusters as f64
    }
}
