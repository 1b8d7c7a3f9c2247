//! A model applied to graphs it does not learn from.

use super::{LearnBatch, Objective, Score};
use crate::model::{GraphModel, GraphOutput};
use crate::pool::{Membership, Pass, Pool};
use bnpool_graph::Targets;
use bnpool_math::metrics::non_empty_clusters;

/// The predictions of a model for some graphs.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Evaluation {
    /// Probabilities or numbers, graph after graph, averaged over samples.
    pub predictions: Vec<f64>,
    /// Clusters in use of every graph at the first level, in the first sample;
    /// empty if the pooler does not divide the nodes.
    pub clusters: Vec<usize>,
    /// The task loss, a mean over graphs; NaN without targets.
    pub loss: f64,
    /// The sum of the auxiliary losses, a mean over graphs.
    pub auxiliary: f64,
}

impl Evaluation {
    /// The metric.
    #[must_use]
    pub fn score(&self, objective: Objective, score: Score, targets: &Targets) -> f64 {
        objective.score(score, &self.predictions, targets)
    }
}

/// Applies a model to batches; predictions are averaged over the passes.
#[must_use]
pub fn evaluate<P: Pool>(
    model: &GraphModel<P>,
    batches: &[LearnBatch],
    objective: Objective,
    passes: &[Pass],
) -> Evaluation {
    let mut total = Evaluation::default();
    let (mut loss, mut graphs) = (0.0, 0_usize);
    let share = 1.0 / passes.len().max(1) as f64;
    for batch in batches {
        let mut mean: Vec<f64> = Vec::new();
        for (i, pass) in passes.iter().enumerate() {
            let out = model.forward(&batch.input, pass);
            let values: Vec<f32> = out.outputs.to_data().iter::<f32>().collect();
            let predictions = objective.predictions(&values);
            mean.resize(predictions.len(), 0.0);
            for (mean, p) in mean.iter_mut().zip(&predictions) {
                *mean += share * p;
            }
            let weight = share * batch.graphs as f64;
            if let Some(targets) = &batch.targets {
                let value = objective.loss(out.outputs.clone(), targets, model.unit());
                loss += weight * value.into_scalar::<f64>();
            }
            if let Some(auxiliary) = out.losses().total() {
                total.auxiliary += weight * auxiliary.into_scalar::<f64>();
            }
            if i == 0 {
                total.clusters.extend(active_clusters(&out));
            }
        }
        total.predictions.extend(mean);
        graphs += batch.graphs;
    }
    let known = batches.iter().all(|batch| batch.targets.is_some());
    total.loss = if known {
        loss / graphs.max(1) as f64
    } else {
        f64::NAN
    };
    total.auxiliary /= graphs.max(1) as f64;
    total
}

/// Clusters in use of every graph at the first level: non-empty ones of soft
/// assignments, supernodes of firm ones. None if the pooler does not divide the
/// nodes.
pub(super) fn active_clusters(out: &GraphOutput) -> Vec<usize> {
    let Some(pooled) = out.pooled.first() else {
        return Vec::new();
    };
    match &pooled.membership {
        Membership::Soft(assignments) => {
            let [_, clusters] = assignments.dims();
            let data = assignments.clone().detach().into_data();
            data.as_slice::<f32>().map_or_else(
                |_| Vec::new(),
                |s| non_empty_clusters(s, clusters, pooled.segments.offsets()),
            )
        }
        Membership::Assigned { .. } | Membership::Maps { .. } => {
            pooled.level.segments().ranges().map(|r| r.len()).collect()
        }
        Membership::Kept { .. } | Membership::Same => Vec::new(),
    }
}
