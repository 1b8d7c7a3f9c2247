//! How communities are looked for: every value that can be set.

use crate::bounds::{EPOCHS, MOST_EPOCHS, MOST_SAMPLES, MOST_STARTS, SAMPLES, STARTS};
use crate::optim::PlateauConfig;
use crate::settings::{Whole, Written};
use crate::{Preset, TaskError};
use bnpool::nn::LayerKind;
use bnpool::pool::{
    LossNormalisation, PoolError, PoolSettings, PoolerConfig, Reconstruction, RivalConfig,
};
use bnpool_graph::Graph;
use serde::{Deserialize, Serialize};

/// All settings of `bnpool cluster`; the keys of its configuration file.
///
/// A file may leave keys out. They have the values of the preset that it names,
/// or else of the default preset.
///
/// ```
/// use bnpool_task::{Preset, cluster::ClusterConfig};
///
/// let written: ClusterConfig = serde_json::from_str(r#"{"preset": "paper", "seed": 4}"#)?;
/// assert_eq!(written, ClusterConfig::preset(Preset::Paper).with_seed(4));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", bound(deserialize = "C: PoolSettings"))]
#[non_exhaustive]
pub struct ClusterConfig<C = PoolerConfig> {
    /// The preset that the values started from.
    pub preset: Preset,
    /// Seed of everything random.
    pub seed: u64,
    /// Number of communities for poolers that do not find it; 0 takes the number
    /// of known classes, or else `pooler.max_clusters`.
    pub clusters: usize,
    /// How groups are looked for before training.
    pub search: SearchSettings,
    /// What the nodes are described by.
    pub features: FeatureConfig,
    /// The network.
    pub model: ModelConfig,
    /// The pooler.
    pub pooler: C,
    /// The training.
    pub training: TrainingConfig,
    /// What is done with the trained model.
    pub evaluation: EvaluationConfig,
}

/// Where node features come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FeatureSource {
    /// Those of the graph if they tell nodes apart, else made ones.
    Auto,
    /// Those of the graph alone.
    Given,
    /// Made from the structure alone.
    Structure,
    /// Made from the structure, and beside them those of the graph if they tell
    /// nodes apart.
    Both,
}

/// What the nodes are described by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct FeatureConfig {
    /// Given or made.
    pub source: FeatureSource,
    /// Made features: leading eigenvectors of the normalised adjacency.
    pub spectral: usize,
    /// Made features: random normal columns.
    pub random: usize,
}

/// What the reconstruction must explain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TargetMatrix {
    /// A without weights.
    Binary,
    /// A with its weights.
    Weighted,
    /// I − δL, what message passing sees. The paper's text read literally; it
    /// says "no edge" everywhere and ruins the model.
    Transformed,
}

/// The network before the pooler.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ModelConfig {
    /// The message-passing layers.
    pub layer: LayerKind,
    /// Width of both message-passing layers.
    pub hidden: usize,
    /// δ of the pre-transform A → I − δL that message passing sees; 0 leaves A.
    pub delta: f64,
    /// The target of L_rec.
    pub target: TargetMatrix,
}

/// Which number decides on the best epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Monitor {
    /// L_rec; the sum for poolers that have none.
    Rec,
    /// The sum of all auxiliary losses.
    Total,
}

/// What the network knows before training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WarmStart {
    /// Nothing: random weights.
    Off,
    /// Groups by eigenvectors, on graphs without features of their own.
    Auto,
    /// Groups by eigenvectors, on any graph.
    Spectral,
    /// Groups by evidence: the division of shortest description. They also decide
    /// on the number of communities.
    Evidence,
}

/// What is looked for by evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StructureKind {
    /// Communities; blocks if there are none.
    #[default]
    Auto,
    /// Communities only: groups with most of their edges inside.
    Communities,
    /// Blocks: groups of nodes that are connected alike.
    Blocks,
}

/// How groups are looked for by evidence, and how the network is trained behind
/// them. Poolers that do not start from groups are trained by
/// [`TrainingConfig`] alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct SearchSettings {
    /// What is looked for.
    pub structure: StructureKind,
    /// Random graphs of the same degrees to compare with if evidence is weak.
    pub replicas: usize,
    /// Most epochs behind the groups; `training.epochs` may allow fewer.
    pub epochs: usize,
    /// Learning rate of these epochs.
    pub learning_rate: f64,
    /// Of these epochs, those without a better monitor before the training ends.
    pub patience: usize,
    /// The training ends if the loss falls by less than a thousandth and the number
    /// of clusters stays the same in so many epochs; 0 never ends it so.
    pub still: usize,
    /// Nodes and entries above which a graph is worked on in parts; 0 never divides it.
    pub divide: usize,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            structure: StructureKind::Auto,
            replicas: 19,
            // The groups are there; the network learns how sure they are.
            epochs: 60,
            learning_rate: 2e-3,
            patience: 30,
            still: 10,
            divide: 4_000_000,
        }
    }
}

/// The training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TrainingConfig {
    /// Most epochs of one start.
    pub epochs: usize,
    /// Learning rate of Adam.
    pub learning_rate: f64,
    /// Factor of the learning rate of K. Adam moves a parameter by at most its
    /// rate an epoch, and the entries of K have further to go than any weight.
    pub block_rate: f64,
    /// Largest global norm of the gradients; 0 leaves them as they are.
    pub clip_norm: f64,
    /// Epochs at the beginning that estimate the dense loss by edges and sampled
    /// non-edges, at the cost of the sparse one.
    pub estimated: usize,
    /// Epochs over which γ rises from 0 to 1.
    pub annealing: usize,
    /// Epochs without a better monitor before a start ends.
    pub patience: usize,
    /// The monitor of the best epoch.
    pub monitor: Monitor,
    /// Factor of the learning rate on a plateau of the monitor; 1 keeps it.
    pub plateau_factor: f64,
    /// Epochs without improvement before the rate drops.
    pub plateau_patience: usize,
    /// Whether the network first imitates groups by eigenvectors.
    pub warm_start: WarmStart,
    /// Independent starts, of which the best ELBO is kept.
    pub starts: usize,
}

/// What is done with the trained model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct EvaluationConfig {
    /// Posterior samples behind the interval of the number of communities.
    pub samples: usize,
    /// Smaller communities join the neighbour they have most edges to.
    pub min_size: usize,
    /// Whether pieces of a community without a path between them are told apart.
    pub split_disconnected: bool,
}

impl ClusterConfig {
    /// The values of a preset.
    #[must_use]
    pub fn preset(preset: Preset) -> Self {
        let paper = Self {
            preset,
            seed: 0,
            clusters: 0,
            search: SearchSettings::default(),
            features: FeatureConfig {
                source: FeatureSource::Auto,
                spectral: 32,
                random: 16,
            },
            model: ModelConfig {
                layer: LayerKind::Gcn,
                hidden: 32,
                delta: 0.85,
                target: TargetMatrix::Binary,
            },
            pooler: PoolerConfig::paper(),
            training: TrainingConfig {
                epochs: 10_000,
                learning_rate: 1e-3,
                // On large sparse graphs the entries of K have to reach some ±30, and a
                // faster pace helps. On graphs with clear communities it splits them.
                block_rate: 1.0,
                clip_norm: 0.0,
                estimated: 0,
                annealing: 5000,
                patience: 1000,
                monitor: Monitor::Rec,
                plateau_factor: 1.0,
                plateau_patience: 200,
                warm_start: WarmStart::Off,
                starts: 1,
            },
            evaluation: EvaluationConfig {
                samples: 100,
                min_size: 1,
                split_disconnected: false,
            },
        };
        match preset {
            Preset::Paper => paper,
            Preset::Authors | Preset::PaperCode => Self {
                preset,
                model: ModelConfig {
                    delta: 0.0,
                    ..paper.model
                },
                pooler: PoolerConfig::authors(),
                training: TrainingConfig {
                    learning_rate: 5e-3,
                    clip_norm: 5.0,
                    patience: 300,
                    monitor: Monitor::Total,
                    plateau_factor: 0.8,
                    ..paper.training
                },
                ..paper
            },
            Preset::Default => Self {
                features: FeatureConfig {
                    // Features that have nothing to do with the communities
                    // must not hide the structure.
                    source: FeatureSource::Both,
                    ..paper.features
                },
                training: TrainingConfig {
                    epochs: 800,
                    learning_rate: 5e-3,
                    clip_norm: 5.0,
                    annealing: 300,
                    patience: 500,
                    warm_start: WarmStart::Evidence,
                    ..paper.training
                },
                pooler: PoolerConfig {
                    alpha_dp: 1.0,
                    max_clusters: 0,
                    degree_correction: true,
                    loss: Reconstruction::Auto,
                    normalisation: LossNormalisation::Estimate,
                    rivals: RivalConfig::default(),
                    ..paper.pooler
                },
                ..paper
            },
        }
    }

    /// The reconstruction for a graph of this size.
    #[must_use]
    pub fn reconstruction(&self, nodes: usize) -> Reconstruction {
        self.pooler.reconstruction(nodes)
    }
}

impl<C: PoolSettings> TryFrom<Written> for ClusterConfig<C> {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let preset = ClusterConfig::preset(written.preset()?);
        written.over::<C>(&preset)?.try_into()
    }
}

impl<C: PoolSettings> TryFrom<Whole> for ClusterConfig<C> {
    type Error = String;

    fn try_from(mut whole: Whole) -> Result<Self, String> {
        Ok(Self {
            preset: whole.take("preset")?,
            seed: whole.take("seed")?,
            clusters: whole.take("clusters")?,
            search: whole.take("search")?,
            features: whole.take("features")?,
            model: whole.take("model")?,
            pooler: whole.take("pooler")?,
            training: whole.take("training")?,
            evaluation: whole.take("evaluation")?,
        })
    }
}

impl<C> ClusterConfig<C> {
    /// The same with another seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same with a pooler of another kind, such as one of another crate.
    #[must_use]
    pub fn with_pooler<D: PoolSettings>(self, pooler: D) -> ClusterConfig<D> {
        ClusterConfig {
            preset: self.preset,
            seed: self.seed,
            clusters: self.clusters,
            search: self.search,
            features: self.features,
            model: self.model,
            pooler,
            training: self.training,
            evaluation: self.evaluation,
        }
    }

    pub(super) fn plateau(&self) -> PlateauConfig {
        PlateauConfig::new(self.training.plateau_factor, self.training.plateau_patience)
    }
}

impl<C: PoolSettings> ClusterConfig<C> {
    /// δ of the transform A → I − δL: that of the network, or else the one that
    /// the pooler needs.
    #[must_use]
    pub fn delta(&self) -> f64 {
        if self.model.delta > 0.0 {
            self.model.delta
        } else {
            self.pooler.delta()
        }
    }

    /// Number of clusters of a pooler that does not find it, for a graph with
    /// this many known classes.
    pub(super) fn fixed_clusters(&self, classes: Option<usize>) -> usize {
        match self.clusters {
            0 => match (classes, self.pooler.max_clusters()) {
                (Some(classes), _) => classes,
                (None, 0) => 50,
                (None, most) => most,
            },
            clusters => clusters,
        }
    }

    /// Whether groups are looked for by evidence, for the network to start from.
    #[must_use]
    pub fn looks_for_groups(&self) -> bool {
        self.training.warm_start == WarmStart::Evidence && self.pooler.traits().posterior
    }

    /// Whether this graph is worked on in parts. It depends on the graph and the
    /// settings alone, so that the result does not depend on processes and memory.
    #[must_use]
    pub fn divides(&self, graph: &Graph) -> bool {
        self.is_beyond(graph.nodes(), graph.edges()) && self.needs_whole(graph).is_none()
    }

    /// What of the settings or the graph cannot be had in parts, if there is anything.
    #[must_use]
    pub fn needs_whole(&self, graph: &Graph) -> Option<&'static str> {
        let adjacency = graph.adjacency();
        let reasons = [
            (adjacency.weights().is_some(), "weights of edges"),
            (self.uses_given_features(graph), "features of nodes"),
            (graph.node_labels().is_some(), "known classes"),
            (!adjacency.is_symmetric(), "directions of edges"),
        ];
        let of_graph = reasons.into_iter().find(|reason| reason.0);
        self.undivided().or(of_graph.map(|reason| reason.1))
    }

    /// Whether a graph of so many nodes and entries is large enough to be worked on in
    /// parts.
    #[must_use]
    pub fn is_beyond(&self, nodes: usize, entries: usize) -> bool {
        let bound = self.search.divide;
        bound > 0 && nodes.saturating_add(entries) > bound
    }

    /// The first setting that needs the whole graph, if there is one.
    #[must_use]
    pub fn undivided(&self) -> Option<&'static str> {
        let pooler = &self.pooler;
        let reasons = [
            (!self.looks_for_groups(), "another start than evidence"),
            (
                !pooler.works_in_parts(),
                "this pooler, its dense loss or several particles",
            ),
            (
                self.search.structure == StructureKind::Blocks,
                "blocks to look for",
            ),
            (self.model.layer != LayerKind::Gcn, "other layers than gcn"),
            (
                self.model.target != TargetMatrix::Binary,
                "weights to explain",
            ),
            (self.training.starts > 1, "several starts"),
            (self.training.estimated > 0, "estimated epochs"),
            (self.evaluation.min_size > 1, "a smallest community"),
            (
                self.evaluation.split_disconnected,
                "communities to be split",
            ),
        ];
        reasons
            .into_iter()
            .find(|reason| reason.0)
            .map(|reason| reason.1)
    }

    /// Checks every value that can be checked without a graph.
    ///
    /// # Errors
    ///
    /// The first one that is out of range, with its bound.
    pub fn check(&self) -> Result<(), TaskError> {
        let t = &self.training;
        let (count, positive) = ("at least 1", "positive and finite");
        let at_least_one = |x: usize| (x as f64, x >= 1, count);
        let is_positive = |x: f64| (x, x > 0.0 && x.is_finite(), positive);
        let within = |x: f64, ok: bool, bound| (x, ok, bound);
        let rules = [
            (
                "training.epochs",
                within(
                    t.epochs as f64,
                    (1..=MOST_EPOCHS).contains(&t.epochs),
                    EPOCHS,
                ),
            ),
            (
                "training.starts",
                within(
                    t.starts as f64,
                    (1..=MOST_STARTS).contains(&t.starts),
                    STARTS,
                ),
            ),
            ("training.patience", at_least_one(t.patience)),
            (
                "search.epochs",
                within(
                    self.search.epochs as f64,
                    (1..=MOST_EPOCHS).contains(&self.search.epochs),
                    EPOCHS,
                ),
            ),
            ("search.patience", at_least_one(self.search.patience)),
            (
                "search.learning_rate",
                is_positive(self.search.learning_rate),
            ),
            ("training.learning_rate", is_positive(t.learning_rate)),
            ("training.block_rate", is_positive(t.block_rate)),
            (
                "training.clip_norm",
                within(t.clip_norm, t.clip_norm >= 0.0, "0 (off) or more"),
            ),
            (
                "training.plateau_factor",
                within(
                    t.plateau_factor,
                    t.plateau_factor > 0.0 && t.plateau_factor <= 1.0,
                    "above 0 and at most 1",
                ),
            ),
            ("model.hidden", at_least_one(self.model.hidden)),
            (
                "model.delta",
                within(
                    self.model.delta,
                    (0.0..=1.0).contains(&self.model.delta),
                    "between 0 (off) and 1",
                ),
            ),
            (
                "evaluation.samples",
                within(
                    self.evaluation.samples as f64,
                    (1..=MOST_SAMPLES).contains(&self.evaluation.samples),
                    SAMPLES,
                ),
            ),
            (
                "features.random",
                within(
                    self.features.random as f64,
                    self.features.random >= 1 || self.features.spectral >= 1,
                    "at least 1 unless features.spectral is",
                ),
            ),
        ];
        match rules.into_iter().find(|(_, rule)| !rule.1) {
            Some((name, (value, _, bound))) => Err(TaskError::OutOfRange { name, value, bound }),
            None => {
                self.pooler.check()?;
                let traits = self.pooler.traits();
                if traits.divides() {
                    Ok(())
                } else {
                    Err(PoolError::not_dividing(traits.name).into())
                }
            }
        }
    }
}

impl Default for ClusterConfig {
    fn default() -> Self {
        Self::preset(Preset::default())
    }
}
