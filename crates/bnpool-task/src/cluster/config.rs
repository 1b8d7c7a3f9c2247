//! Settings of community detection.

use crate::bounds;
use crate::optim::PlateauConfig;
use crate::settings::{Whole, Written};
use crate::{Preset, TaskError};
use bnpool::nn::LayerKind;
use bnpool::pool::{
    LossNormalisation, PoolError, PoolSettings, PoolerConfig, Reconstruction, RivalConfig,
};
use bnpool_graph::Graph;
use serde::{Deserialize, Serialize};

/// All settings of `bnpool cluster`, which are the keys of its configuration
/// file.
///
/// A file may omit keys. They take the values of the preset named in the file,
/// or of the default preset.
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
    /// Preset that provides the initial values.
    pub preset: Preset,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of communities for poolers that do not infer it. 0 means the
    /// number of known classes, or `pooler.max_clusters` if there are none.
    pub clusters: usize,
    /// Search for groups before training.
    pub search: SearchSettings,
    /// Features of the nodes.
    pub features: FeatureConfig,
    /// Network settings.
    pub model: ModelConfig,
    /// Pooler settings.
    pub pooler: C,
    /// Training settings.
    pub training: TrainingConfig,
    /// Evaluation settings.
    pub evaluation: EvaluationConfig,
}

/// Source of the node features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FeatureSource {
    /// Features of the graph if they distinguish nodes, otherwise features
    /// computed from the structure.
    Auto,
    /// Features of the graph only.
    Given,
    /// Features computed from the structure only.
    Structure,
    /// Features computed from the structure, and additionally those of the
    /// graph if they distinguish nodes.
    Both,
}

/// Features of the nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct FeatureConfig {
    /// Given features, computed features, or both.
    pub source: FeatureSource,
    /// Computed features: number of leading eigenvectors of the normalised
    /// adjacency matrix.
    pub spectral: usize,
    /// Computed features: number of columns of normal random values.
    pub random: usize,
}

/// Target of the reconstruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TargetMatrix {
    /// A without edge weights.
    Binary,
    /// A with edge weights.
    Weighted,
    /// I − δL, the input of message passing. This is the literal reading of the
    /// paper. It predicts no edge anywhere, so the model becomes useless.
    Transformed,
}

/// Settings of the network before the pooler.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ModelConfig {
    /// Type of the message-passing layers.
    pub layer: LayerKind,
    /// Width of both message-passing layers.
    pub hidden: usize,
    /// δ of the transform A → I − δL before message passing; 0 keeps A.
    pub delta: f64,
    /// Target of L_rec.
    pub target: TargetMatrix,
}

/// Quantity that determines the best epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Monitor {
    /// L_rec, or the sum of all auxiliary losses for poolers without L_rec.
    Rec,
    /// Sum of all auxiliary losses.
    Total,
}

/// Initialisation of the network before training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WarmStart {
    /// Random weights.
    Off,
    /// Groups by eigenvectors, on graphs without given features.
    Auto,
    /// Groups by eigenvectors, on any graph.
    Spectral,
    /// Groups by evidence: the partition of shortest description. It also
    /// determines the number of communities.
    Evidence,
}

/// Kind of groups to search for by evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StructureKind {
    /// Communities, or blocks if there are no communities.
    #[default]
    Auto,
    /// Communities only: groups with mostly internal edges.
    Communities,
    /// Blocks: groups of nodes with similar connections.
    Blocks,
}

/// Settings of the search for groups by evidence, and of the training that
/// starts from them. Poolers that do not start from groups are trained by
/// [`TrainingConfig`] alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct SearchSettings {
    /// Kind of groups to search for.
    pub structure: StructureKind,
    /// Number of random graphs with the same degrees to compare with if the
    /// evidence is weak.
    pub replicas: usize,
    /// Maximum number of epochs after the search for groups; `training.epochs`
    /// may allow fewer.
    pub epochs: usize,
    /// Learning rate of these epochs.
    pub learning_rate: f64,
    /// Number of these epochs without an improvement of the monitor after which
    /// the training stops.
    pub patience: usize,
    /// The training stops if the loss decreases by less than 0.1 % and the number
    /// of clusters does not change in this number of epochs; 0 disables this.
    pub still: usize,
    /// Number of nodes and entries above which a graph is processed in parts; 0
    /// disables this.
    pub divide: usize,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            structure: StructureKind::Auto,
            replicas: 19,
            // The groups are given; the network only learns their uncertainty.
            epochs: 60,
            learning_rate: 2e-3,
            patience: 30,
            still: 10,
            divide: 4_000_000,
        }
    }
}

/// Training settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TrainingConfig {
    /// Maximum number of epochs per start.
    pub epochs: usize,
    /// Learning rate of Adam.
    pub learning_rate: f64,
    /// Factor of the learning rate of K. Adam moves a parameter by at most its
    /// rate per epoch, and the entries of K have to move further than any
    /// weight.
    pub block_rate: f64,
    /// Largest global norm of the gradients; 0 disables clipping.
    pub clip_norm: f64,
    /// Number of initial epochs that estimate the dense loss from edges and
    /// sampled non-edges, at the cost of the sparse loss.
    pub estimated: usize,
    /// Number of epochs in which γ increases from 0 to 1.
    pub annealing: usize,
    /// Number of epochs without an improvement of the monitor after which a
    /// start ends.
    pub patience: usize,
    /// Monitored quantity, which determines the best epoch.
    pub monitor: Monitor,
    /// Factor of the learning rate on a plateau of the monitor; 1 keeps the
    /// rate.
    pub plateau_factor: f64,
    /// Number of epochs without an improvement before the rate is reduced.
    pub plateau_patience: usize,
    /// Initialisation of the network before training.
    pub warm_start: WarmStart,
    /// Number of independent starts; the one with the best ELBO is kept.
    pub starts: usize,
}

/// Evaluation settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct EvaluationConfig {
    /// Number of posterior samples for the interval of the number of
    /// communities.
    pub samples: usize,
    /// Smaller communities are merged into the neighbour with most edges to
    /// them.
    pub min_size: usize,
    /// Whether communities are split into connected components.
    pub split_disconnected: bool,
}

impl ClusterConfig {
    /// Returns the values of a preset.
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
                // On large sparse graphs the entries of K have to reach about ±30, and
                // a higher rate helps. On graphs with clear communities it splits them.
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
                    // Features that are unrelated to the communities must not
                    // hide the structure.
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

    /// Returns the reconstruction for a graph of this size.
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
    /// Replaces the seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Replaces the pooler by one of another type, such as one of another
    /// crate.
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
    /// Returns δ of the transform A → I − δL: that of the network or, if 0, the
    /// one that the pooler needs.
    #[must_use]
    pub fn delta(&self) -> f64 {
        if self.model.delta > 0.0 {
            self.model.delta
        } else {
            self.pooler.delta()
        }
    }

    /// Returns the number of clusters for a pooler that does not infer it,
    /// given the number of known classes.
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

    /// Returns whether the training starts from groups found by evidence.
    #[must_use]
    pub fn looks_for_groups(&self) -> bool {
        self.training.warm_start == WarmStart::Evidence && self.pooler.traits().posterior
    }

    /// Returns whether this graph is processed in parts. This depends only on the
    /// graph and the settings, so the result does not depend on processes and
    /// memory.
    #[must_use]
    pub fn divides(&self, graph: &Graph) -> bool {
        self.is_beyond(graph.nodes(), graph.edges()) && self.needs_whole(graph).is_none()
    }

    /// Returns the setting or the property of the graph that needs the whole graph, if
    /// any.
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

    /// Returns whether a graph with these numbers of nodes and entries is large enough
    /// to be processed in parts.
    #[must_use]
    pub fn is_beyond(&self, nodes: usize, entries: usize) -> bool {
        let bound = self.search.divide;
        bound > 0 && nodes.saturating_add(entries) > bound
    }

    /// Returns the first setting that needs the whole graph, if any.
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

    /// Checks all values that can be checked without a graph.
    ///
    /// # Errors
    ///
    /// Returns an error that names the first value out of range, and its bound.
    pub fn check(&self) -> Result<(), TaskError> {
        bounds::check("training", &self.training)?;
        bounds::check("search", &self.search)?;
        bounds::check("model", &self.model)?;
        bounds::check("evaluation", &self.evaluation)?;
        bounds::check("features", &self.features)?;
        if self.features.random == 0 && self.features.spectral == 0 {
            return Err(TaskError::OutOfRange {
                name: "features.random",
                value: 0.0,
                bound: "at least 1 unless features.spectral is",
            });
        }
        bounds::check("pooler", &self.pooler)?;
        self.pooler.check()?;
        let traits = self.pooler.traits();
        if traits.divides() {
            Ok(())
        } else {
            Err(PoolError::not_dividing(traits.name).into())
        }
    }
}

impl Default for ClusterConfig {
    fn default() -> Self {
        Self::preset(Preset::default())
    }
}
