//! Training in one call.

use super::{FoldResult, FoldTrainer, LearnConfig, LearnData, LearnEpoch, ModelCard, TrainedModel};
use crate::{TaskError, in_pool};
use bnpool::pool::{PoolSettings, PoolerConfig};
use std::ops::ControlFlow;

/// Result of a training: all folds, and the model of the best one.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Trained<C = PoolerConfig> {
    /// Folds in order.
    pub folds: Vec<FoldResult>,
    /// Model of the fold with the best metric on its validation graphs.
    pub model: TrainedModel<C>,
    /// Whether the training was stopped early.
    pub unfinished: bool,
}

/// Trains and tests on all folds of the data.
///
/// The observer is called after each epoch of each fold. If it breaks, the
/// training stops, and the best epoch so far is the result of the current fold.
///
/// # Errors
///
/// Returns an error if a setting is out of range, there are too few graphs for
/// the folds, the memory is insufficient for the settings, or a value is no
/// longer finite.
///
/// ```
/// use bnpool_task::Preset;
/// use bnpool_task::learn::{LearnConfig, LearnData};
/// use bnpool_graph::{Csr, Graph, Target};
/// use std::ops::ControlFlow;
///
/// // Paths and stars.
/// let graph = |i: u32| {
///     let edges = (1..6).map(|u| if i % 2 == 0 { (u - 1, u) } else { (0, u) });
///     let both = edges.flat_map(|(u, v)| [(u, v), (v, u)]);
///     Graph::builder(Csr::from_edges(6, both)?).target(Target::Class(i % 2)).build()
/// };
/// let mut config = LearnConfig::preset(Preset::Default, None);
/// config.data.folds = 3;
/// let graphs = (0..12).map(graph).collect::<Result<Vec<_>, _>>()?;
/// let names = vec!["path".to_owned(), "star".to_owned()];
/// let data = LearnData::from_graphs(graphs, names, &config)?;
/// let trained = bnpool_task::train(&data, &config, |epoch| match epoch.epoch {
///     5 => ControlFlow::Break(()),
///     _ => ControlFlow::Continue(()),
/// })?;
/// let predictor = trained.model.predictor()?;
/// assert_eq!(predictor.predict(vec![graph(0)?])?[0].values.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn train<C: PoolSettings>(
    data: &LearnData,
    config: &LearnConfig<C>,
    mut observer: impl FnMut(&LearnEpoch) -> ControlFlow<()> + Send,
) -> Result<Trained<C>, TaskError> {
    in_pool(|| {
        let mut folds: Vec<FoldResult> = Vec::new();
        let mut unfinished = false;
        for (fold, split) in data.splits(config)?.iter().enumerate() {
            let mut trainer = FoldTrainer::new(data, config, fold, split)?;
            while let Some(epoch) = trainer.advance()? {
                unfinished = observer(&epoch).is_break();
                if unfinished {
                    break;
                }
            }
            folds.push(trainer.finish()?);
            if unfinished {
                break;
            }
        }
        let scores: Vec<Option<f64>> = folds.iter().map(|fold| fold.val).collect();
        let best = best_fold(&scores, data.score.is_error()).ok_or(TaskError::NoGraphs)?;
        let model = TrainedModel {
            card: ModelCard::new(data, config).with_fold(folds[best].fold),
            parameters: folds[best].model.clone(),
        };
        Ok(Trained {
            folds,
            model,
            unfinished,
        })
    })
}

/// Returns the index of the best validation score: the lowest error, or the
/// highest score otherwise. Ties go to the first. A fold without a score is
/// only selected if none has one.
#[must_use]
pub fn best_fold(scores: &[Option<f64>], error: bool) -> Option<usize> {
    let mut best: Option<(usize, Option<f64>)> = None;
    for (place, &score) in scores.iter().enumerate() {
        let better = match (score, best) {
            (_, None) => true,
            (Some(new), Some((_, Some(old)))) if error => new < old,
            (Some(new), Some((_, Some(old)))) => new > old,
            (Some(_), Some((_, None))) => true,
            (None, Some(_)) => false,
        };
        if better {
            best = Some((place, score));
        }
    }
    best.map(|best| best.0)
}

#[cfg(test)]
mod tests {
    use super::best_fold;

    #[test]
    fn a_fold_without_a_score_never_wins_over_one_that_has_one() {
        for error in [true, false] {
            assert_eq!(best_fold(&[None, Some(0.4), None], error), Some(1));
            assert_eq!(best_fold(&[Some(0.4), None], error), Some(0));
            assert_eq!(best_fold(&[None, None], error), Some(0));
            assert_eq!(best_fold(&[], error), None);
        }
        let scores = [Some(0.5), Some(0.4), Some(0.6), Some(0.4), Some(0.6)];
        assert_eq!(best_fold(&scores, true), Some(1));
        assert_eq!(best_fold(&scores, false), Some(2));
    }
}
