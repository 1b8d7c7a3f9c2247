//! Settings of learning from graphs.

use crate::bounds;
use crate::optim::PlateauConfig;
use crate::settings::{Whole, Written};
use crate::{Preset, TaskError};
use bnpool::model::Norm;
use bnpool::nn::{LayerKind, Readout};
use bnpool::pool::{PoolSettings, PoolerConfig};
use serde::{Deserialize, Serialize};

/// All settings of `bnpool train`, which are the keys of its configuration
/// file.
///
/// A file may omit keys. They take the values of the preset named in the file,
/// or of the default preset, for the user's own data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", bound(deserialize = "C: PoolSettings"))]
#[non_exhaustive]
pub struct LearnConfig<C = PoolerConfig> {
    /// Preset that provides the initial values.
    pub preset: Preset,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Selection and split of the data.
    pub data: DataConfig,
    /// Network settings.
    pub model: ModelConfig,
    /// Pooler settings.
    pub pooler: C,
    /// Training settings.
    pub training: TrainingConfig,
    /// Evaluation settings.
    pub evaluation: EvaluationConfig,
}

/// Split of the graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SplitKind {
    /// Official split of the data if there is one, otherwise folds.
    Auto,
    /// Random folds.
    Folds,
    /// Random folds with the same proportions of classes; like `folds` for
    /// numbers.
    Stratified,
    /// Folds identical to those of the authors' code.
    Authors,
    /// Official split of the data.
    Official,
}

/// Selection and split of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DataConfig {
    /// TU sets without isomorphic graphs.
    pub cleaned: bool,
    /// Node attributes of TU sets in addition to node labels.
    pub node_attributes: bool,
    /// The column of COLORS-3 that marks the green nodes.
    pub attention_column: bool,
    /// Split of the graphs.
    pub split: SplitKind,
    /// Number of folds.
    pub folds: usize,
    /// Seed of the split, which is separate from the seed of the run, so that
    /// runs with other seeds share their folds.
    pub split_seed: u64,
}

/// Encoding of atoms and bonds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoder {
    /// Features without encoding.
    None,
    /// Embeddings of the categories of the Open Graph Benchmark.
    Molecule,
}

/// Network settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ModelConfig {
    /// Type of the message-passing layers.
    pub layer: LayerKind,
    /// Width of the layers.
    pub hidden: usize,
    /// Number of message-passing layers before the first pooler.
    pub before: usize,
    /// Number of message-passing layers after each pooler.
    pub after: usize,
    /// Number of poolers, each applied to the output of the previous one.
    pub levels: usize,
    /// Position of batch normalisation.
    pub norm: Norm,
    /// Fraction of units that are dropped in training.
    pub dropout: f64,
    /// Aggregation of the nodes of a graph to one vector.
    pub readout: Readout,
    /// δ of the transform A → I − δL before message passing, which also applies
    /// to pooled edges; 0 keeps A.
    pub delta: f64,
    /// Whether all columns of the node features are standardised to mean 0 and
    /// deviation 1 of the training graphs. Categories for an encoder are not
    /// changed.
    pub standardise: bool,
    /// Whether numeric targets are standardised in the same way for training.
    /// Predictions are still in the original unit.
    pub standardise_targets: bool,
    /// Encoding of atoms and bonds.
    pub encoder: Encoder,
    /// Width of the embeddings.
    pub encoder_width: usize,
}

/// Quantity that determines the best epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Monitor {
    /// Metric on the validation graphs.
    Metric,
    /// Metric on the validation graphs; ties are broken by the task loss. Few
    /// graphs give few distinct accuracies, and the first epoch with the best
    /// accuracy is not necessarily good.
    MetricThenLoss,
    /// Loss on the validation graphs, including auxiliary losses.
    Loss,
}

/// Training settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TrainingConfig {
    /// Maximum number of epochs per fold.
    pub epochs: usize,
    /// Number of graphs per step.
    pub batch_size: usize,
    /// Learning rate of Adam.
    pub learning_rate: f64,
    /// Largest global norm of the gradients; 0 disables clipping.
    pub clip_norm: f64,
    /// Number of epochs in which γ increases from 0 to 1.
    pub annealing: usize,
    /// Number of epochs without an improvement of the monitor after which a
    /// fold ends.
    pub patience: usize,
    /// Monitored quantity, which determines the best epoch.
    pub monitor: Monitor,
    /// Factor of the learning rate on a plateau of the monitor; 1 keeps the
    /// rate.
    pub plateau_factor: f64,
    /// Number of epochs without an improvement before the rate is reduced.
    pub plateau_patience: usize,
}

/// Evaluation settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct EvaluationConfig {
    /// Number of samples of S over which predictions are averaged.
    pub samples: usize,
    /// Whether to use the posterior mean of S instead of samples.
    pub mean: bool,
}

impl Default for LearnConfig {
    /// Returns the default preset, for the user's own data.
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
    /// Replaces the seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Replaces the pooler by one of another type, such as one of another
    /// crate.
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

    /// Checks all values that can be checked without data.
    ///
    /// # Errors
    ///
    /// Returns an error that names the first value out of range, and its bound.
    pub fn check(&self) -> Result<(), TaskError> {
        bounds::check("training", &self.training)?;
        bounds::check("data", &self.data)?;
        bounds::check("model", &self.model)?;
        bounds::check("evaluation", &self.evaluation)?;
        bounds::check("pooler", &self.pooler)?;
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
