//! BN-Pool: Bayesian nonparametric pooling.
//!
//! With several particles the reconstruction is their mean; the paper's formula lacks the
//! factor 1/T, which makes no difference for T = 1. The map to the posterior is one affine
//! layer with a bias, as in the authors' code.

use crate::batch::{Level, Topology};
use crate::nn::{Initialiser, Mlp, MlpConfig, Mode};
use crate::ops::{Activation, BlockLossPairs, Draw, StickDraw, Sticks, block_loss, break_sticks};
use crate::pool::loss::{LossNormalisation, block_prior};
use crate::pool::registry::Registered;
use crate::pool::{
    Assigns, ConnectConfig, Losses, Membership, Pass, Pool, PoolError, PoolSite, PoolTraits,
    Pooled, PoolerConfig, Selection,
};
use bnpool_math::kernel::{Negatives, sample_negatives};
use bnpool_math::stream::{Purpose, Stream};
use bnpool_parallel::Member;
use burn::config::Config;
use burn::module::{Module, Param, ParamId};
use burn::nn::Linear;
use burn::tensor::{Tensor, TensorData};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;
use std::sync::Arc;

/// Pairs of nodes in the reconstruction loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reconstruction {
    /// Dense if its cost is moderate, otherwise sparse.
    Auto,
    /// All ordered pairs, exactly: O(N² C) time, O(N C) memory.
    Dense,
    /// The edges and as many sampled non-edges: O(E C).
    Sparse,
}

/// Number of products N² C above which `auto` selects the sparse loss: an epoch
/// of the dense loss then takes more than about 50 ms on two cores and several
/// times as long as the sparse one. A count rather than a measured time, so that
/// the choice is the same on every machine.
const DENSE_BOUND: f64 = 1e9;

impl Reconstruction {
    /// Resolves `auto` to dense or sparse, for graphs with this many nodes and
    /// up to `clusters` clusters.
    #[must_use]
    pub fn resolve(self, nodes: usize, clusters: usize) -> Self {
        let products = (nodes as f64).powi(2) * clusters as f64;
        match self {
            Self::Auto if products > DENSE_BOUND => Self::Sparse,
            Self::Auto => Self::Dense,
            chosen => chosen,
        }
    }
}

/// Initial posterior of the stick fractions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PosteriorStart {
    /// Standard biases of an affine map, near zero. Fractions start near one
    /// half, so all nodes begin in the first few clusters.
    Plain,
    /// Biases that initialise every node to the prior Beta(1, α_DP): about α_DP
    /// clusters are in use from the start, and the divergence starts near zero.
    Prior,
}

/// Largest number of samples per step. More samples only take longer, and each
/// needs a separate index in the random streams.
const MOST_PARTICLES: usize = 1 << 16;

/// Configuration of [`BnPool`], with the paper's defaults.
///
/// ```
/// use bnpool::pool::BnPoolConfig;
///
/// let config = BnPoolConfig::new(32).with_max_clusters(20);
/// assert_eq!(config.alpha_dp, 10.0);
/// assert!(config.with_alpha_dp(-1.0).check().is_err());
/// ```
#[derive(Config, Debug)]
pub struct BnPoolConfig {
    /// Width of the node features.
    pub inputs: usize,
    /// Width of a hidden layer between the features and the posterior. The
    /// authors' code has none; the paper's listing has one.
    #[config(default = "None")]
    pub posterior_hidden: Option<usize>,
    /// Whether the maps to the posterior have a bias (the paper's listing: no).
    #[config(default = true)]
    pub posterior_bias: bool,
    /// Initial posterior; only with a bias.
    #[config(default = "PosteriorStart::Plain")]
    pub start: PosteriorStart,
    /// C: truncation level of the posterior, the largest number of clusters.
    #[config(default = 50)]
    pub max_clusters: usize,
    /// α_DP: concentration of the Dirichlet process; more lets more clusters live.
    #[config(default = 10.0)]
    pub alpha_dp: f64,
    /// μ_K: prior mean of K, positive on the diagonal and negative off it.
    #[config(default = 1.0)]
    pub mu_k: f64,
    /// σ_K: prior variance of K; less keeps K closer to its prior.
    #[config(default = 1.0)]
    pub sigma_k: f64,
    /// η_K: initial value of K, positive on the diagonal and negative off it.
    #[config(default = 1.0)]
    pub eta_k: f64,
    /// T: samples of the assignments that the reconstruction is averaged over.
    #[config(default = 1)]
    pub particles: usize,
    /// All pairs, or edges and sampled non-edges.
    #[config(default = "Reconstruction::Dense")]
    pub loss: Reconstruction,
    /// Whether K is learned; otherwise it stays at its initial value.
    #[config(default = true)]
    pub train_k: bool,
    /// Whether nodes of high degree are expected to have more edges: the logit of
    /// an edge has a term b_u + b_v, with b the logarithm of the degree over its
    /// mean.
    #[config(default = false)]
    pub degree_correction: bool,
    /// How supernodes are connected.
    #[config(default = "ConnectConfig::new()")]
    pub connect: ConnectConfig,
    /// Weights and divisors of the losses.
    #[config(default = "LossNormalisation::Paper")]
    pub normalisation: LossNormalisation,
}

/// Parameters of a single forward pass.
#[derive(Debug, Clone)]
pub struct BnPass {
    /// γ: weight of the divergence, usually annealed from 0 to 1.
    pub kl_weight: f64,
    /// Sample (with seed and step), posterior mean, or given fractions.
    pub draw: Draw,
    /// Negative edges to use instead of sampled ones; only for the sparse loss.
    pub negatives: Option<Arc<Negatives>>,
    /// Whether to estimate a dense reconstruction loss from the edges and as many
    /// sampled non-edges ([`LossNormalisation::Estimate`]): O(E C) instead of O(N² C).
    pub estimated: bool,
    /// Member of a team that this part of a batch belongs to, if any.
    pub member: Option<Member>,
}

impl BnPass {
    /// A training pass: a sample of the posterior, with the given γ.
    #[must_use]
    pub fn sample(seed: u64, step: u64, kl_weight: f64) -> Self {
        Self {
            kl_weight,
            draw: Draw::Sample { seed, step },
            negatives: None,
            estimated: false,
            member: None,
        }
    }

    /// A deterministic pass with the posterior mean of S.
    #[must_use]
    pub fn mean(kl_weight: f64) -> Self {
        Self {
            kl_weight,
            draw: Draw::Mean,
            negatives: None,
            estimated: false,
            member: None,
        }
    }

    /// Stream of the negatives: with the seed and step of the sample, or fixed
    /// ones otherwise.
    fn stream(&self) -> Stream {
        let (seed, step) = match self.draw {
            Draw::Sample { seed, step } => (seed, step),
            Draw::Mean | Draw::Given(_) => (0, 0),
        };
        Stream::new(seed, Purpose::NegativeEdges, step)
    }
}

impl From<&Pass> for BnPass {
    fn from(pass: &Pass) -> Self {
        Self {
            kl_weight: kl_weight(pass.progress),
            draw: draw(pass),
            negatives: None,
            estimated: pass.estimate,
            member: pass.mode.member().cloned(),
        }
    }
}

/// γ at this progress of the warm-up: half a cosine from 0 to 1.
#[must_use]
pub fn kl_weight(progress: f64) -> f64 {
    match progress {
        p if p >= 1.0 => 1.0,
        p => 0.5 * (1.0 - (PI * p).cos()),
    }
}

fn draw(pass: &Pass) -> Draw {
    if pass.mean {
        Draw::Mean
    } else {
        Draw::Sample {
            seed: pass.key.seed(),
            step: pass.step,
        }
    }
}

/// The BN-Pool operator.
///
/// An affine map (or a small perceptron) turns node features into the parameters of the
/// posterior of the stick fractions; a sample of the stick fractions gives the assignment
/// matrix S. A stochastic block model with block matrix K models the graph given S, which
/// trains both.
#[derive(Module, Debug)]
pub struct BnPool {
    /// Node features → (α̃, β̃) before softplus, F → 2(C−1).
    pub posterior: Mlp,
    /// μ̃: the variational mean of the block matrix K (`eq:q_K` of the paper),
    /// [C, C].
    pub block_matrix: Param<Tensor<2>>,
    #[module(skip)]
    config: BnPoolConfig,
}

impl BnPoolConfig {
    /// Checks every hyper-parameter.
    ///
    /// # Errors
    ///
    /// Returns an error if a hyper-parameter is out of range; the error names
    /// the first one, with its value and bound.
    pub fn check(&self) -> Result<(), PoolError> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let rules = [
            ("inputs", self.inputs as f64, self.inputs >= 1, "at least 1"),
            (
                "pooler.max_clusters",
                self.max_clusters as f64,
                self.max_clusters >= 2,
                "at least 2",
            ),
            (
                "pooler.particles",
                self.particles as f64,
                (1..=MOST_PARTICLES).contains(&self.particles),
                "at least 1 and at most 65536",
            ),
            (
                "pooler.alpha_dp",
                self.alpha_dp,
                positive(self.alpha_dp),
                "positive and finite",
            ),
            ("pooler.mu_k", self.mu_k, self.mu_k.is_finite(), "finite"),
            (
                "pooler.sigma_k",
                self.sigma_k,
                positive(self.sigma_k),
                "positive and finite",
            ),
            ("pooler.eta_k", self.eta_k, self.eta_k.is_finite(), "finite"),
        ];
        match rules.into_iter().find(|rule| !rule.2) {
            Some((name, value, _, bound)) => Err(PoolError::OutOfRange { name, value, bound }),
            None => Ok(()),
        }
    }

    /// Initialises the operator: the affine map uniformly, K from η_K.
    ///
    /// # Errors
    ///
    /// Returns an error if a hyper-parameter is out of range.
    pub fn init(&self, init: &mut Initialiser) -> Result<BnPool, PoolError> {
        self.check()?;
        let c = self.max_clusters;
        let mut block = vec![-self.eta_k as f32; c * c];
        for i in 0..c {
            block[i * c + i] = self.eta_k as f32;
        }
        let block_matrix = init.values(block, [c, c]);
        let mut widths = vec![self.inputs];
        widths.extend(self.posterior_hidden);
        widths.push(2 * (c - 1));
        let mut posterior = MlpConfig::new(widths)
            .with_bias(self.posterior_bias)
            .init(init);
        if self.start == PosteriorStart::Prior
            && let Some(Linear {
                bias: Some(bias), ..
            }) = posterior.layers.last_mut()
        {
            // The inverse of softplus.
            let before = |x: f64| (x + (-(-x).exp()).ln_1p()) as f32;
            let mut values = vec![before(1.0); c - 1];
            values.extend(vec![before(self.alpha_dp); c - 1]);
            *bias = init.values(values, [2 * (c - 1)]);
        }
        Ok(BnPool {
            posterior,
            block_matrix: if self.train_k {
                block_matrix
            } else {
                block_matrix.set_require_grad(false)
            },
            config: self.clone(),
        })
    }
}

impl BnPool {
    /// Configuration of the operator.
    #[must_use]
    pub fn config(&self) -> &BnPoolConfig {
        &self.config
    }

    /// Computes α̃ and β̃ of all sticks.
    ///
    /// # Shapes
    ///
    /// - x: [nodes, F] → [nodes, 2(C−1)], α̃ before β̃
    #[must_use]
    pub fn posterior_parameters(&self, x: Tensor<2>) -> Tensor<2> {
        self.posterior
            .forward_then(x, Activation::BoundedSoftplus, &Mode::evaluation())
    }

    /// SEL without the losses: S from a sample, the mean or given fractions.
    ///
    /// # Shapes
    ///
    /// - x: [nodes, F] → [nodes, C]
    ///
    /// # Panics
    ///
    /// Panics if the number of rows of x is not the number of nodes of the
    /// topology.
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
                concentration: self.config.alpha_dp,
                node_weights,
            },
        )
    }

    /// SEL: assignments and auxiliary losses, the terms of L_aux (`eq:aux_loss`
    /// of the paper). Sufficient for training on the graph alone.
    ///
    /// With several particles, the reconstruction is averaged over all of them,
    /// and the assignments are those of the first one.
    ///
    /// # Shapes
    ///
    /// - x: [nodes, F]
    /// - assignments: [nodes, C]
    ///
    /// # Panics
    ///
    /// Panics if the number of rows of x is not the number of nodes of the
    /// topology.
    #[must_use]
    pub fn select(&self, x: Tensor<2>, topology: &Topology, pass: &BnPass) -> Selection {
        let config = &self.config;
        let segments = &topology.segments;
        let (mut nodes, mut graphs) = (segments.nodes(), segments.graphs());
        if let Some(member) = &pass.member {
            let all = member.all_gather_f64(&[nodes as f64, graphs as f64]);
            let sum = |i: usize| all.iter().map(|own| own[i]).sum::<f64>() as usize;
            (nodes, graphs) = (sum(0), sum(1));
        }
        let nodes = nodes / graphs.max(1);
        let own = config.loss.resolve(nodes, config.max_clusters);
        let (reconstruction, losses) = match (own, pass.estimated) {
            (Reconstruction::Dense, true) => (Reconstruction::Sparse, LossNormalisation::Estimate),
            (own, _) => (own, config.normalisation),
        };
        let negatives = match (reconstruction, &pass.negatives) {
            (Reconstruction::Dense | Reconstruction::Auto, _) => None,
            (Reconstruction::Sparse, Some(given)) => Some(given.clone()),
            (Reconstruction::Sparse, None) => Some(Arc::new(sample_negatives(
                topology.targets.view(),
                segments.offsets(),
                segments.keys(),
                &pass.stream(),
            ))),
        };
        let scale = losses.normalisation(topology, reconstruction, negatives.as_deref(), graphs);
        let node_weights = scale.nodes.iter().map(|w| w * pass.kl_weight).collect();
        let draw = pass.draw.clone();
        let sticks = self.sticks(x, topology, draw, config.particles, node_weights);
        let block_matrix = self.block_matrix.val();
        let pairs = BlockLossPairs {
            edges: topology.targets.clone(),
            negatives,
            weights: scale.pairs,
        };
        let corrected = self.correction(topology, &block_matrix);
        let particle = |t: usize| -> Tensor<2> {
            let all = sticks.assignments.clone();
            match config.particles {
                // Slicing would copy the tensor and pad its gradient.
                1 => all.squeeze_dim(0),
                _ => all.narrow(0, t, 1).squeeze_dim(0),
            }
        };
        let rec = (0..config.particles)
            .map(|t| match &corrected {
                None => block_loss(segments, particle(t), block_matrix.clone(), pairs.clone()),
                Some((columns, k)) => {
                    let s = Tensor::cat(vec![particle(t), columns.clone()], 1);
                    block_loss(segments, s, k.clone(), pairs.clone())
                }
            })
            .reduce(|sum, loss| sum + loss)
            .expect("at least one particle");
        let rec = match config.particles {
            1 => rec,
            particles => rec / particles as f64,
        };
        let prior = block_prior(block_matrix, config.mu_k, config.sigma_k);
        let losses = Losses::new([
            ("rec", rec),
            ("kl", sticks.divergence),
            ("k", prior * scale.block_prior),
        ]);
        Selection::soft(particle(0), losses)
    }

    /// Degree correction as two additional clusters: columns (b, 1) appended to S,
    /// and the block [[0, 1], [1, 0]] appended to K, so that s_u K s_v gains b_u +
    /// b_v. For directed graphs, b_u is based on out-degrees and b_v on in-degrees,
    /// which takes three columns: (b_out, b_in, 1).
    fn correction(&self, topology: &Topology, k: &Tensor<2>) -> Option<(Tensor<2>, Tensor<2>)> {
        if !self.config.degree_correction {
            return None;
        }
        let like = (&k.device(), k.dtype());
        let clusters = k.dims()[0];
        let nodes = topology.segments.nodes();
        let matrix = &topology.targets;
        let sides = if matrix.is_symmetric() {
            vec![matrix.as_ref()]
        } else {
            vec![matrix.as_ref(), matrix.transpose()]
        };
        let more = sides.len() + 1;
        let mut values = Vec::with_capacity(more * nodes);
        for graph in topology.segments.ranges() {
            let edges = matrix.offsets()[graph.end] - matrix.offsets()[graph.start];
            let mean = (edges as f64 / graph.len().max(1) as f64).max(f64::MIN_POSITIVE);
            for u in graph {
                values.extend(sides.iter().map(|side| {
                    // A node without edges counts as having half an edge.
                    let degree = (side.degree(u) as f64).max(0.5);
                    (degree / mean).ln().clamp(-20.0, 20.0)
                }));
                values.push(1.0);
            }
        }
        let columns = Tensor::from_data(TensorData::new(values, [nodes, more]), like);
        let zeros = |rows, width| Tensor::<2>::zeros([rows, width], like);
        let swap = match more {
            2 => vec![0.0_f32, 1.0, 1.0, 0.0],
            _ => vec![0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        };
        let swap = Tensor::<2>::from_data(TensorData::new(swap, [more, more]), like);
        let above = Tensor::cat(vec![k.clone(), zeros(clusters, more)], 1);
        let below = Tensor::cat(vec![zeros(more, clusters), swap], 1);
        Some((columns, Tensor::cat(vec![above, below], 0)))
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
    /// Panics if the number of rows of x is not the number of nodes of the
    /// topology.
    #[must_use]
    pub fn forward(&self, x: Tensor<2>, topology: &Topology, pass: &BnPass) -> Pooled {
        let selection = self.select(x.clone(), topology, pass);
        let level = Level::new(x, topology.clone());
        Pooled::of(&level, selection, self.config.connect)
    }
}

impl Pool for BnPool {
    fn select(&self, level: &Level, pass: &Pass) -> Selection {
        Self::select(self, level.x(), &level.structure.topology(), &pass.into())
    }

    fn connect(&self) -> ConnectConfig {
        self.config.connect
    }

    // Skips the losses, which cost more than the rest.
    fn membership(&self, level: &Level, pass: &Pass) -> Membership {
        let topology = level.structure.topology();
        Membership::Soft(self.assignments(level.x(), &topology, draw(pass)))
    }

    fn nodes_after(&self, _: f64) -> f64 {
        self.config.max_clusters as f64
    }

    fn block_matrix(&self) -> Option<Tensor<2>> {
        Some(self.block_matrix.val())
    }

    fn with_block_matrix(self, block_matrix: Tensor<2>) -> Self {
        let grad = self.block_matrix.val().is_require_grad();
        Self {
            block_matrix: self.block_matrix.map(|old| {
                assert_eq!(
                    old.dims(),
                    block_matrix.dims(),
                    "K has a row for every cluster"
                );
                let new = block_matrix.detach();
                if grad { new.require_grad() } else { new }
            }),
            ..self
        }
    }

    fn bn(&self) -> Option<&BnPool> {
        Some(self)
    }

    fn block_parameters(&self) -> Vec<ParamId> {
        vec![self.block_matrix.id]
    }
}

impl Registered for BnPool {
    const TRAITS: PoolTraits = PoolTraits {
        name: "bn",
        title: "BN-Pool",
        summary: "BN-Pool: soft clusters, as many as each graph needs",
        assigns: Assigns::Softly,
        trainable: true,
        losses: &["rec", "kl", "k"],
        complexity: "O(N² C) dense, O(E C) sparse",
        posterior: true,
        reconstruction: true,
        ..PoolTraits::FIRM
    };

    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        init: &mut Initialiser,
    ) -> Result<Self, PoolError> {
        config
            .bn(site.inputs)
            .with_loss(config.reconstruction(site.nodes as usize))
            .init(init)
    }
}
