//! Training of one model on all graphs, without a test.

use super::{FoldTrainer, LearnConfig, LearnData, LearnEpoch, ModelCard, TrainedModel};
use crate::{TaskError, in_pool};
use bnpool::pool::{PoolSettings, PoolerConfig};
use bnpool_graph::Targets;
use bnpool_graph::split::{Split, SplitError, k_fold, stratified_k_fold};
use std::ops::ControlFlow;

/// A model that was trained on all graphs.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Learned<C = PoolerConfig> {
    /// Model of the best epoch.
    pub model: TrainedModel<C>,
    /// Metric on the validation graphs.
    pub val: Option<f64>,
    /// Number of training epochs.
    pub epochs: usize,
    /// Best epoch, from 1.
    pub best_epoch: usize,
    /// Whether the training was stopped early.
    pub unfinished: bool,
}

/// Trains one model. A fraction `validation` of the graphs, stratified by class,
/// determines the best epoch. All others are used for training, and none for a
/// test.
///
/// # Errors
///
/// As [`train`](super::train). Also returns an error if there are fewer than
/// two graphs.
///
/// ```
/// use bnpool_task::Preset;
/// use bnpool_task::learn::{LearnConfig, LearnData, fit};
/// use bnpool_graph::{Csr, Graph, Target};
/// use std::ops::ControlFlow;
///
/// let graph = |i: u32| {
///     let edges = (1..6).map(|u| if i % 2 == 0 { (u - 1, u) } else { (0, u) });
///     let both = edges.flat_map(|(u, v)| [(u, v), (v, u)]);
///     Graph::builder(Csr::from_edges(6, both)?).target(Target::Class(i % 2)).build()
/// };
/// let mut config = LearnConfig::preset(Preset::Default, None);
/// config.training.epochs = 3;
/// let graphs = (0..12).map(graph).collect::<Result<Vec<_>, _>>()?;
/// let data = LearnData::from_graphs(graphs, Vec::new(), &config)?;
/// let learned = fit(&data, &config, 0.15, |_| ControlFlow::Continue(()))?;
/// assert_eq!(learned.epochs, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit<C: PoolSettings>(
    data: &LearnData,
    config: &LearnConfig<C>,
    validation: f64,
    mut observer: impl FnMut(&LearnEpoch) -> ControlFlow<()> + Send,
) -> Result<Learned<C>, TaskError> {
    in_pool(|| {
        let split = split(data, config, validation)?;
        let mut trainer = FoldTrainer::untested(data, config, &split)?;
        let mut unfinished = false;
        while let Some(epoch) = trainer.advance()? {
            unfinished = observer(&epoch).is_break();
            if unfinished {
                break;
            }
        }
        let (parameters, best_epoch, val) = trainer.best()?;
        Ok(Learned {
            model: TrainedModel {
                card: ModelCard::new(data, config),
                parameters,
            },
            val,
            epochs: trainer.epochs(),
            best_epoch,
            unfinished,
        })
    })
}

/// Splits the graphs into training and validation graphs.
fn split<C>(
    data: &LearnData,
    config: &LearnConfig<C>,
    validation: f64,
) -> Result<Split, TaskError> {
    if !(validation > 0.0 && validation <= 0.5) {
        return Err(TaskError::OutOfRange {
            name: "validation_fraction",
            value: validation,
            bound: "above 0 and at most 0.5",
        });
    }
    let graphs = data.len();
    let parts = ((1.0 / validation).round() as usize).clamp(2, graphs.max(2));
    let all: Vec<usize> = (0..graphs).collect();
    let seed = config.data.split_seed;
    let splits = match data.targets(&all)? {
        Targets::Classes(classes) => stratified_k_fold(&classes, parts, seed),
        Targets::Values { .. } => k_fold(graphs, parts, seed),
    };
    let first = splits.map_err(|error| match error {
        SplitError::TooFewExamples { .. } => TaskError::TooFewGraphs {
            graphs,
            folds: parts,
        },
        other => other.into(),
    })?;
    let mut first = first.into_iter().next().ok_or(TaskError::NoGraphs)?;
    first.train.append(&mut first.validation);
    first.train.sort_unstable();
    Ok(Split {
        train: first.train,
        validation: first.test,
        test: Vec::new(),
    })
}
