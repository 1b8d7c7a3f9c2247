//! Communities of one graph, without being told how many.

use super::TaskError;
use crate::model::ClusterModelConfig;
use crate::nn::{Gcn, Initialiser, NodeInput};
use crate::pool::{BnPoolConfig, BnPoolPass, PoolOutput, Topology};
use bnpool_graph::Graph;
use bnpool_math::metrics::{cosine_agreement, normalised_mutual_information};
use burn::module::Module;
use burn::optim::{AdamConfig, GradientsParams};
use burn::tensor::{Device, Tensor};
use std::f64::consts::PI;
use std::time::{Duration, Instant};

/// How communities are looked for.
#[derive(Debug, Clone)]
pub struct ClusterConfig {
    /// The pooler.
    pub pool: BnPoolConfig,
    /// Width of the two message-passing layers.
    pub hidden: usize,
    /// Training epochs.
    pub epochs: usize,
    /// Learning rate of Adam.
    pub learning_rate: f64,
    /// Epochs over which the weight γ of the divergence rises from 0 to 1.
    pub annealing: usize,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for ClusterConfig {
    fn default() -> Self {
        Self {
            pool: BnPoolConfig::new(1),
            hidden: 32,
            epochs: 1500,
            learning_rate: 5e-3,
            annealing: 1000,
            seed: 0,
        }
    }
}

/// An epoch, as told to whoever watches.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Number of the epoch, from 1.
    pub epoch: usize,
    /// All epochs.
    pub epochs: usize,
    /// L_rec.
    pub reconstruction: f64,
    /// γ L_π.
    pub divergence: f64,
    /// L_K.
    pub block_prior: f64,
    /// γ.
    pub kl_weight: f64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// Communities and how they were found.
#[derive(Debug, Clone)]
pub struct ClusterResult {
    /// Community of every node: 0 is the largest, then by size.
    pub labels: Vec<usize>,
    /// Nodes of every community, largest first.
    pub sizes: Vec<usize>,
    /// Membership of every node in its community, by the posterior mean.
    pub confidence: Vec<f32>,
    /// Posterior mean of S, [nodes, C].
    pub assignments: Vec<f32>,
    /// K, [C, C].
    pub block_matrix: Vec<f32>,
    /// The losses of the last epoch.
    pub last: Progress,
    /// Agreement with known classes, where there are any.
    pub truth: Option<Truth>,
}

/// Agreement with known classes.
#[derive(Debug, Clone, Copy)]
pub struct Truth {
    /// Classes.
    pub classes: usize,
    /// Normalised mutual information of communities and classes.
    pub nmi: f64,
    /// Cosine of S Sᵀ and Y Yᵀ.
    pub cos: f64,
}

impl ClusterConfig {
    fn check(&self) -> Result<(), TaskError> {
        let rate = self.learning_rate;
        let rules = [
            ("epochs", self.epochs as f64, self.epochs >= 1, "at least 1"),
            ("hidden", self.hidden as f64, self.hidden >= 1, "at least 1"),
            (
                "learning_rate",
                rate,
                rate > 0.0 && rate.is_finite(),
                "positive and finite",
            ),
        ];
        match rules.into_iter().find(|rule| !rule.2) {
            Some((name, value, _, bound)) => Err(TaskError::OutOfRange { name, value, bound }),
            None => Ok(self.pool.check()?),
        }
    }

    /// γ of an epoch counted from 0: a half cosine from 0 to 1.
    fn kl_weight(&self, epoch: usize) -> f64 {
        if epoch >= self.annealing {
            return 1.0;
        }
        0.5 * (1.0 - (PI * epoch as f64 / self.annealing as f64).cos())
    }
}

/// Looks for the communities of a graph (section 5.1 of the paper) and reports
/// every epoch to `watch`.
///
/// The network is trained on the auxiliary loss alone; labels come from the
/// posterior mean of S.
///
/// # Errors
///
/// When a setting is out of range, the graph is too small or without features,
/// or training diverges.
pub fn cluster(
    graph: &Graph,
    config: &ClusterConfig,
    device: &Device,
    mut watch: impl FnMut(Progress),
) -> Result<ClusterResult, TaskError> {
    config.check()?;
    if graph.nodes() < 2 {
        return Err(TaskError::TooSmall {
            nodes: graph.nodes(),
        });
    }
    if graph.features().width() == 0 {
        return Err(TaskError::NoFeatures);
    }
    let device = device.clone().autodiff();
    let topology = Topology::of_graph(graph);
    let normalised = Gcn::normalise(&topology.targets)?;
    let x = NodeInput::of(graph.features(), &device);
    let mut model = ClusterModelConfig::new(graph.features().width(), config.pool.clone())
        .with_hidden(config.hidden)
        .init(&mut Initialiser::new(config.seed, &device))?;
    // PyTorch's epsilon: Burn's own default is a thousand times larger.
    let mut optimiser = AdamConfig::new().with_epsilon(1e-8).init();
    let started = Instant::now();
    let mut last = None;
    for epoch in 0..config.epochs {
        let kl_weight = config.kl_weight(epoch);
        let pass = BnPoolPass::sample(config.seed, epoch as u64, kl_weight);
        let losses = model.forward(&normalised, &x, &topology, &pass).losses;
        let progress = Progress {
            epoch: epoch + 1,
            epochs: config.epochs,
            reconstruction: scalar(&losses.reconstruction),
            divergence: scalar(&losses.divergence),
            block_prior: scalar(&losses.block_prior),
            kl_weight,
            elapsed: started.elapsed(),
        };
        let loss = progress.reconstruction + progress.divergence + progress.block_prior;
        if !loss.is_finite() {
            return Err(TaskError::Diverged {
                epoch: epoch + 1,
                loss,
            });
        }
        let gradients = GradientsParams::from_grads(losses.total().backward(), &model);
        model = optimiser.step(config.learning_rate, model, gradients);
        watch(progress);
        last = Some(progress);
    }
    let last = last.expect("at least one epoch");
    let mean = model
        .valid()
        .forward(&normalised, &x.inner(), &topology, &BnPoolPass::mean(1.0));
    let block_matrix = values(model.pool.block_matrix.val());
    Ok(result(graph, &mean, block_matrix, last))
}

/// The one value of a loss.
fn scalar(x: &Tensor<1>) -> f64 {
    x.clone().detach().into_scalar::<f64>()
}

fn values<const D: usize>(x: Tensor<D>) -> Vec<f32> {
    x.into_data().iter::<f32>().collect()
}

fn result(
    graph: &Graph,
    mean: &PoolOutput,
    block_matrix: Vec<f32>,
    last: Progress,
) -> ClusterResult {
    let [nodes, clusters] = mean.assignments.dims();
    let assignments = values(mean.assignments.clone());
    let mut best = Vec::with_capacity(nodes);
    let mut confidence = Vec::with_capacity(nodes);
    for row in assignments.chunks_exact(clusters) {
        // The first of equal memberships wins.
        let (c, &s) = row
            .iter()
            .enumerate()
            .rev()
            .max_by(|a, b| a.1.total_cmp(b.1))
            .expect("at least two clusters");
        best.push(c);
        confidence.push(s);
    }
    let mut counts = vec![0_usize; clusters];
    for &c in &best {
        counts[c] += 1;
    }
    let mut order: Vec<usize> = (0..clusters).filter(|&c| counts[c] > 0).collect();
    order.sort_by_key(|&c| (std::cmp::Reverse(counts[c]), c));
    let mut rank = vec![0; clusters];
    for (i, &c) in order.iter().enumerate() {
        rank[c] = i;
    }
    let labels: Vec<usize> = best.iter().map(|&c| rank[c]).collect();
    let truth = graph.node_labels().map(|classes| {
        let found: Vec<u32> = labels.iter().map(|&l| l as u32).collect();
        let mut distinct = classes.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        Truth {
            classes: distinct.len(),
            nmi: normalised_mutual_information(&found, classes),
            cos: cosine_agreement(&assignments, clusters, classes),
        }
    });
    ClusterResult {
        sizes: order.iter().map(|&c| counts[c]).collect(),
        labels,
        confidence,
        assignments,
        block_matrix,
        last,
        truth,
    }
}
