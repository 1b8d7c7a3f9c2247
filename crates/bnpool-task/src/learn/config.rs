//! How graphs are learned from: every value that can be set.

use crate::bounds::{EPOCHS, LAYERS, MOST_EPOCHS, MOST_LAYERS, MOST_SAMPLES, SAMPLES};
use crate::optim::PlateauConfig;
use crate::settings::{Whole, Written};
use crate::{Preset, TaskError};
use bnpool::model::Norm;
use bnpool::nn::{LayerKind, Readout};
use bnpool::pool::{PoolSettings, PoolerConfig};
use serde::{Deserialize, Serialize};

/// All settings of `bnpool train`; the keys of its configuration file.
///
/// A file may leave keys out. They have the values of the preset that it names,
/// or else of the default preset, for data of one's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", bound(deserialize = "C: PoolSettings"))]
#[non_exhaustive]
pub struct LearnConfig<C = PoolerConfig> {
    /// The preset that the values started from.
    pub preset: Preset,
    /// Seed of everything random.
    pub seed: u64,
    /// What is taken of the data.
    pub data: DataConfig,
    /// The network.
    pub model: ModelConfig,
    /// The pooler.
    pub pooler: C,
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
    /// The same with every class in proportion; of numbers, simply folds.
    Stratified,
    /// The very folds of the authors' code.
    Authors,
    /// The split that belongs to the data.
    Official,
}

/// What is taken of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
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
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ModelConfig {
    /// The message-passing layers.
    pub layer: LayerKind,
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
    pub standardise: bool,
    /// Whether numbers to predict are learned as they are when brought to mean 0
    /// and deviation 1 in the same way. Predictions are in their own
    /// unit all the same.
    pub standardise_targets: bool,
    /// What stands for atoms and bonds.
    pub encoder: Encoder,
    /// Width of these vectors.
    pub encoder_width: usize,
}

/// Which number decides on the best epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Monitor {
    /// The metric on the validation graphs.
    Metric,
    /// The metric on the validation graphs, and among equals the task loss on
    /// them: a handful of graphs has few accuracies, and the first epoch that
    /// reaches the best of them need not be good.
    MetricThenLoss,
    /// The loss on the validation graphs, auxiliary losses included.
    Loss,
}

/// The training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
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
    /// Epochs without improvement before the rate drops.
    pub plateau_patience: usize,
}

/// How a trained model is judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct EvaluationConfig {
    /// Samples of S that predictions are averaged over.
    pub samples: usize,
    /// The posterior mean of S instead of samples.
    pub mean: bool,
}

impl Default for LearnConfig {
    /// The default preset, for data of one's own.
    fn default() -> Self {
        Self::preset(Preset::default(), None)
    }
}

impl<C: PoolSettings> TryFrom<Written> for LearnConfig<C> {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let preset = LearnConfig::preset(written.preset()?, None);
        written.over::<C>(&preset)?.try_into()
    }
}

impl<C: PoolSettings> TryFrom<Whole> for LearnConfig<C> {
    type Error = String;

    fn try_from(mut whole: Whole) -> Result<Self, String> {
        Ok(Self {
            preset: whole.take("preset")?,
            seed: whole.take("seed")?,
            data: whole.take("data")?,
            model: whole.take("model")?,
            pooler: whole.take("pooler")?,
            training: whole.take("training")?,
            evaluation: whole.take("evaluation")?,
        })
    }
}

impl<C> LearnConfig<C> {
    /// The same with another seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same with a pooler of another kind, such as one of another crate.
    #[must_use]
    pub fn with_pooler<D: PoolSettings>(self, pooler: D) -> LearnConfig<D> {
        LearnConfig {
            preset: self.preset,
            seed: self.seed,
            data: self.data,
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

impl<C: PoolSettings> LearnConfig<C> {
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

    /// Checks every value that can be checked without data.
    ///
    /// # Errors
    ///
    /// The first one that is out of range, with its bound.
    pub fn check(&self) -> Result<(), TaskError> {
        let (m, t) = (&self.model, &self.training);
        let at_least = |name, x: usize, least: usize, bound| (name, x as f64, x >= least, bound);
        let within =
            |name, x: usize, most: usize, bound| (name, x as f64, (1..=most).contains(&x), bound);
        let rules = [
            within("training.epochs", t.epochs, MOST_EPOCHS, EPOCHS),
            at_least("training.batch_size", t.batch_size, 1, "at least 1"),
            at_least("training.patience", t.patience, 1, "at least 1"),
            at_least("data.folds", self.data.folds, 2, "at least 2"),
            at_least("model.hidden", m.hidden, 1, "at least 1"),
            within("model.levels", m.levels, MOST_LAYERS, LAYERS),
            (
                "model.before",
                m.before as f64,
                m.before <= MOST_LAYERS,
                "at most 1000",
            ),
            (
                "model.after",
                m.after as f64,
                m.after <= MOST_LAYERS,
                "at most 1000",
            ),
            at_least("model.encoder_width", m.encoder_width, 1, "at least 1"),
            within(
                "evaluation.samples",
                self.evaluation.samples,
                MOST_SAMPLES,
                SAMPLES,
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
        ];
        if let Some((name, value, _, bound)) = rules.into_iter().find(|rule| !rule.2) {
            return Err(TaskError::OutOfRange { name, value, bound });
        }
        Ok(self.pooler.check()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
