//! Results of folds.

use super::{FoldTrainer, Monitor};
use crate::TaskError;
use crate::run::NamedTensor;
use bnpool::pool::PoolSettings;
use serde::{Deserialize, Serialize};

/// A finished fold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FoldResult {
    /// Number of the fold.
    pub fold: usize,
    /// Number of graphs for training, validation and test.
    pub graphs: [usize; 3],
    /// Metric on the validation graphs at the best epoch.
    pub val: Option<f64>,
    /// Metric on the test graphs.
    pub test: Option<f64>,
    /// Number of training epochs.
    pub epochs: usize,
    /// Epoch whose model was tested, from 1.
    pub best_epoch: usize,
    /// Test graphs, by their position in the data.
    pub test_graphs: Vec<usize>,
    /// Predictions for the test graphs: probabilities or numbers, by graph.
    pub predictions: Vec<f64>,
    /// Number of non-empty clusters of each test graph; empty if the pooler has
    /// no clusters.
    pub clusters: Vec<usize>,
    /// Number of trainable values.
    pub parameters: usize,
    /// Tested parameters.
    #[serde(skip)]
    pub model: Vec<NamedTensor>,
}

impl<C: PoolSettings> FoldTrainer<'_, C> {
    /// Tests the best model, once.
    ///
    /// # Errors
    ///
    /// Returns an error if no epoch was trained.
    pub fn finish(&self) -> Result<FoldResult, TaskError> {
        let (evaluation, best_epoch, monitored) = self.test()?;
        let data = self.data;
        let targets = data.targets(&self.split.test)?;
        let test = evaluation.score(data.objective, data.score, &targets);
        Ok(FoldResult {
            fold: self.fold,
            graphs: [
                self.split.train.len(),
                self.split.validation.len(),
                self.split.test.len(),
            ],
            val: self.validated(monitored)?,
            test: test.is_finite().then_some(test),
            epochs: self.epochs(),
            best_epoch,
            test_graphs: self.split.test.clone(),
            predictions: evaluation.predictions,
            clusters: evaluation.clusters,
            parameters: self.parameters(),
            model: self.best_parameters().to_vec(),
        })
    }

    /// Returns the parameters of the best epoch, its number and its metric on
    /// the validation graphs, without a test.
    pub(super) fn best(&self) -> Result<(Vec<NamedTensor>, usize, Option<f64>), TaskError> {
        let (epoch, monitored) = self.best_epoch()?;
        let val = self.validated(monitored)?;
        Ok((self.best_parameters().to_vec(), epoch, val))
    }

    /// Returns the metric of the best epoch on the validation graphs, given the
    /// monitored value.
    fn validated(&self, monitored: f64) -> Result<Option<f64>, TaskError> {
        let val = match self.config.training.monitor {
            Monitor::Metric | Monitor::MetricThenLoss => monitored,
            Monitor::Loss => self.validation_score()?,
        };
        Ok((val.is_finite() && val.abs() < f64::MAX).then_some(val))
    }
}

/// Returns mean and population standard deviation, as in the tables of the
/// paper.
#[must_use]
pub fn mean_and_deviation(values: &[f64]) -> Option<(f64, f64)> {
    if values.is_empty() {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let square = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
    Some((mean, square.sqrt()))
}
