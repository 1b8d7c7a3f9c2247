//! How graphs are learned from: every value that can be set.

use crate::model::Norm;
use crate::nn::Readout;
use crate::pool::{PoolerConfig, find_pooler};
use crate::task::TaskError;
use crate::train::PlateauConfig;
use serde::{Deserialize, Serialize};

/// Named sets of values to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// The text of the paper.
    Paper,
    /// The authors' code.
    Authors,
}

impl Preset {
    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Authors => "authors",
        }
    }
}

/// All settings of `bnpool train`; the keys of its configuration file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LearnConfig {
    /// The preset that the values started from.
    pub preset: Preset,
    /// Seed of everything random.
    pub seed: u64,
    /// What is taken of the data.
    pub data: DataConfig,
    /// The network.
    pub model: ModelConfig,
    /// The pooler.
    pub pooler: PoolerConfig,
    /// The training.
    pub training: TrainingConfig,
    /// How a trained model is judged.
    pub evaluation: EvaluationConfig,
}

/// How the graphs are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SplitKind {
    /// The split that belongs to the data where there is one, else folds.
    Auto,
    /// Folds by our own random streams.
    Folds,
    /// The very folds of the authors' code.
    Authors,
    /// The split that belongs to the data.
    Official,
}

/// What is taken of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataConfig {
    /// TU sets without isomorphic graphs.
    pub cleaned: bool,
    /// Node attributes of TU sets, not only their node labels.
    pub node_attributes: bool,
    /// The column of COLORS-3 that tells where the green nodes are.
    pub attention_column: bool,
    /// How the graphs are divided.
    pub split: SplitKind,
    /// Number of folds.
    pub folds: usize,
    /// Seed of the division; runs with other seeds share their folds.
    pub split_seed: u64,
}

/// What stands for atoms and bonds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoder {
    /// The features as they are.
    None,
    /// Vectors for the categories of the Open Graph Benchmark.
    Molecule,
}

/// The network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelConfig {
    /// Width of the layers.
    pub hidden: usize,
    /// Message-passing layers before the first pooler.
    pub before: usize,
    /// Message-passing layers behind every pooler.
    pub after: usize,
    /// Number of poolers, each on the graphs of the one before.
    pub levels: usize,
    /// Where batches are normalised.
    pub norm: Norm,
    /// Share of units that a training pass leaves out.
    pub dropout: f64,
    /// How the nodes of a graph become one vector.
    pub readout: Readout,
    /// δ of the pre-transform A → I − δL that message passing and the pooled
    /// edges see; 0 leaves A.
    pub delta: f64,
    /// Whether every column of the node features is brought to mean 0 and
    /// deviation 1, as measured on the training graphs. Categories that an
    /// encoder reads are left as they are.
    #[serde(default)]
    pub standardise: bool,
    /// What stands for atoms and bonds.
    pub encoder: Encoder,
    /// Width of these vectors.
    pub encoder_width: usize,
}

/// Which number decides on the best epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Monitor {
    /// The metric on the validation graphs.
    Metric,
    /// The loss on the validation graphs, auxiliary losses included.
    Loss,
}

/// The training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrainingConfig {
    /// Most epochs of one fold.
    pub epochs: usize,
    /// Graphs a step.
    pub batch_size: usize,
    /// Learning rate of Adam.
    pub learning_rate: f64,
    /// Largest global norm of the gradients; 0 leaves them as they are.
    pub clip_norm: f64,
    /// Epochs over which γ rises from 0 to 1.
    pub annealing: usize,
    /// Epochs without a better monitor before a fold ends.
    pub patience: usize,
    /// The monitor of the best epoch.
    pub monitor: Monitor,
    /// Factor of the learning rate on a plateau of the monitor; 1 keeps it.
    pub plateau_factor: f64,
    /// Epochs of a plateau that are borne.
    pub plateau_patience: usize,
}

/// How a trained model is judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvaluationConfig {
    /// Samples of S that predictions are averaged over.
    pub samples: usize,
    /// The posterior mean of S instead of samples.
    pub mean: bool,
}

/// α_DP, μ_K and σ_K that were best in the paper (table 8), by data set.
const BEST_PRIORS: [(&str, [f64; 3]); 14] = [
    ("gcb-h", [10.0, 30.0, 1.0]),
    ("collab", [1.0, 10.0, 0.1]),
    ("colors-3", [10.0, 30.0, 1.0]),
    ("imdb-binary", [10.0, 10.0, 0.1]),
    ("mutagenicity", [10.0, 30.0, 1.0]),
    ("nci1", [10.0, 1.0, 0.1]),
    ("reddit-binary", [1.0, 1.0, 1.0]),
    ("dd", [30.0, 1.0, 1.0]),
    ("mutag", [1.0, 10.0, 1.0]),
    ("proteins", [1.0, 1.0, 0.1]),
    ("enzymes", [1.0, 30.0, 0.1]),
    ("ogbg-molhiv", [10.0, 1.0, 0.1]),
    ("peptides-struct", [1.0, 0.1, 0.1]),
    ("multipartite", [1.0, 10.0, 1.0]),
];

/// Sets whose best epoch the authors' code finds by the validation loss.
const AUTHORS_BY_LOSS: [&str; 6] = [
    "mutag",
    "proteins",
    "dd",
    "imdb-binary",
    "gcb-h",
    "multipartite",
];

/// Sets whose node features are measured quantities of very different size. As
/// they are, next to nothing is learned from them (Multipartite stays at chance,
/// ENZYMES far below the paper); standardised, the paper's accuracy is reached.
const MEASURED: [&str; 3] = ["enzymes", "multipartite", "proteins"];

/// Sets of molecules as the Open Graph Benchmark describes them.
const MOLECULES: [&str; 2] = ["ogbg-molhiv", "peptides-struct"];

impl LearnConfig {
    /// The values of a preset, for a data set of the paper or for others.
    #[must_use]
    pub fn preset(preset: Preset, dataset: Option<&str>) -> Self {
        let name = dataset.unwrap_or_default().to_lowercase();
        let mut config = match preset {
            Preset::Paper => Self::paper(),
            Preset::Authors => Self::authors(),
        };
        let molecules = MOLECULES.contains(&name.as_str());
        if molecules {
            config.model.encoder = Encoder::Molecule;
        }
        config.model.standardise = match preset {
            // Graphs of users may have features of any size.
            Preset::Paper => dataset.is_none() || MEASURED.contains(&name.as_str()),
            // Which takes no attributes of the other sets.
            Preset::Authors => name == "multipartite",
        };
        match preset {
            Preset::Paper => {
                if let Some((_, [alpha, mu, sigma])) = BEST_PRIORS.iter().find(|p| p.0 == name) {
                    config.pooler.alpha_dp = *alpha;
                    config.pooler.mu_k = *mu;
                    config.pooler.sigma_k = *sigma;
                }
                if molecules {
                    config.model.hidden = 64;
                    config.model.before = 2;
                    config.model.after = 2;
                    config.model.norm = Norm::All;
                    config.model.dropout = 0.1;
                }
            }
            Preset::Authors => {
                if molecules {
                    config.model.norm = Norm::Layer;
                }
                if AUTHORS_BY_LOSS.contains(&name.as_str()) {
                    config.training.monitor = Monitor::Loss;
                }
                if matches!(name.as_str(), "colors-3" | "ogbg-molhiv") {
                    config.training.batch_size = 64;
                }
            }
        }
        config
    }

    fn paper() -> Self {
        Self {
            preset: Preset::Paper,
            seed: 0,
            data: DataConfig {
                cleaned: false,
                node_attributes: true,
                attention_column: false,
                split: SplitKind::Auto,
                folds: 10,
                split_seed: 0,
            },
            model: ModelConfig {
                hidden: 32,
                before: 1,
                after: 1,
                levels: 1,
                norm: Norm::None,
                dropout: 0.5,
                readout: Readout::Sum,
                delta: 0.85,
                standardise: false,
                encoder: Encoder::None,
                encoder_width: 100,
            },
            pooler: PoolerConfig::paper(),
            training: TrainingConfig {
                epochs: 10_000,
                batch_size: 16,
                learning_rate: 5e-4,
                clip_norm: 0.0,
                annealing: 50,
                patience: 100,
                monitor: Monitor::Metric,
                plateau_factor: 0.5,
                plateau_patience: 30,
            },
            evaluation: EvaluationConfig {
                samples: 1,
                mean: false,
            },
        }
    }

    fn authors() -> Self {
        let paper = Self::paper();
        Self {
            preset: Preset::Authors,
            data: DataConfig {
                cleaned: true,
                node_attributes: false,
                attention_column: true,
                split: SplitKind::Authors,
                ..paper.data
            },
            model: ModelConfig {
                hidden: 64,
                before: 2,
                norm: Norm::Mlp,
                delta: 0.0,
                ..paper.model
            },
            pooler: PoolerConfig::authors(),
            training: TrainingConfig {
                epochs: 100_000,
                batch_size: 32,
                learning_rate: 1e-3,
                clip_norm: 5.0,
                annealing: 300,
                patience: 500,
                monitor: Monitor::Metric,
                plateau_factor: 0.8,
                plateau_patience: 150,
            },
            ..paper
        }
    }

    /// Checks every value that can be checked without data.
    ///
    /// # Errors
    ///
    /// The first one that is out of range, with its bound.
    pub fn check(&self) -> Result<(), TaskError> {
        let (m, t) = (&self.model, &self.training);
        let at_least = |name, x: usize, least: usize, bound| (name, x as f64, x >= least, bound);
        let rules = [
            at_least("training.epochs", t.epochs, 1, "at least 1"),
            at_least("training.batch_size", t.batch_size, 1, "at least 1"),
            at_least("training.patience", t.patience, 1, "at least 1"),
            at_least("data.folds", self.data.folds, 2, "at least 2"),
            at_least("model.hidden", m.hidden, 1, "at least 1"),
            at_least("model.levels", m.levels, 1, "at least 1"),
            at_least("model.encoder_width", m.encoder_width, 1, "at least 1"),
            at_least(
                "evaluation.samples",
                self.evaluation.samples,
                1,
                "at least 1",
            ),
            (
                "training.learning_rate",
                t.learning_rate,
                t.learning_rate > 0.0 && t.learning_rate.is_finite(),
                "positive and finite",
            ),
            (
                "training.clip_norm",
                t.clip_norm,
                t.clip_norm >= 0.0,
                "0 (off) or more",
            ),
            (
                "training.plateau_factor",
                t.plateau_factor,
                t.plateau_factor > 0.0 && t.plateau_factor <= 1.0,
                "above 0 and at most 1",
            ),
            (
                "model.dropout",
                m.dropout,
                (0.0..1.0).contains(&m.dropout),
                "at least 0 and below 1",
            ),
            (
                "model.delta",
                m.delta,
                (0.0..=1.0).contains(&m.delta),
                "between 0 (off) and 1",
            ),
            (
                "pooler.ratio",
                self.pooler.ratio,
                self.pooler.ratio > 0.0 && self.pooler.ratio <= 1.0,
                "above 0 and at most 1",
            ),
        ];
        if let Some((name, value, _, bound)) = rules.into_iter().find(|rule| !rule.2) {
            return Err(TaskError::OutOfRange { name, value, bound });
        }
        find_pooler(&self.pooler.name)?;
        Ok(self.pooler.bn(1).check()?)
    }

    pub(super) fn plateau(&self) -> PlateauConfig {
        PlateauConfig {
            factor: self.training.plateau_factor,
            patience: self.training.plateau_patience,
            threshold: 1e-4,
            min_rate: 1e-6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_their_own_defaults() {
        let paper = LearnConfig::preset(Preset::Paper, Some("DD"));
        assert_eq!(paper.pooler.alpha_dp, 30.0);
        let molecules = LearnConfig::preset(Preset::Paper, Some("ogbg-molhiv"));
        assert_eq!((molecules.model.hidden, molecules.model.after), (64, 2));
        let authors = LearnConfig::preset(Preset::Authors, Some("MUTAG"));
        assert_eq!(authors.training.monitor, Monitor::Loss);
        for config in [paper, molecules, authors] {
            config.check().expect("presets are in range");
        }
        for (name, _) in BEST_PRIORS {
            bnpool_graph::dataset::find(name).expect("a data set of the registry");
        }
    }

    #[test]
    fn values_out_of_range_are_named() {
        let mut config = LearnConfig::preset(Preset::Paper, None);
        config.model.dropout = 1.0;
        let message = config.check().expect_err("out of range").to_string();
        assert!(message.contains("model.dropout = 1"), "{message}");
        config.model.dropout = 0.1;
        config.pooler.name = "best".into();
        let message = config.check().expect_err("unknown").to_string();
        assert!(message.contains("mincut"), "{message}");
    }
}
