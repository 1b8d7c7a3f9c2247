//! Evaluation of a model on graphs that are not used for training.

use super::{LearnBatch, Objective, Score};
use bnpool::model::{GraphModel, GraphOutput};
use bnpool::parallel::{Alone, Collective};
use bnpool::pool::{Membership, Pass, Pool};
use bnpool_graph::Targets;
use bnpool_math::metrics::non_empty_clusters;

/// Predictions of a model for some graphs.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Evaluation {
    /// Probabilities or numbers, by graph, averaged over samples.
    pub predictions: Vec<f64>,
    /// Number of non-empty clusters of each graph at the first level, in the
    /// first sample; empty if the pooler does not partition the nodes.
    pub clusters: Vec<usize>,
    /// Task loss, averaged over graphs; NaN without targets.
    pub loss: f64,
    /// Sum of the auxiliary losses, averaged over graphs.
    pub auxiliary: f64,
}

impl Evaluation {
    /// Returns the metric.
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
    evaluate_among(model, batches, objective, passes, &Alone)
}

/// Like [`evaluate`], with the batches distributed over ranks. All ranks get the
/// whole result, which does not depend on their number.
pub(super) fn evaluate_among<P: Pool>(
    model: &GraphModel<P>,
    batches: &[LearnBatch],
    objective: Objective,
    passes: &[Pass],
    engine: &dyn Collective,
) -> Evaluation {
    let (rank, ranks) = (engine.rank(), engine.size());
    let share = rank * batches.len() / ranks..(rank + 1) * batches.len() / ranks;
    let own: Vec<Part> = batches[share]
        .iter()
        .map(|batch| Part::of(model, batch, objective, passes))
        .collect();
    let parts = match ranks {
        1 => own,
        _ => {
            let sent: Vec<u8> = own.iter().flat_map(Part::to_bytes).collect();
            let all = engine.all_gather(&sent);
            all.iter().flat_map(|sent| Part::from_bytes(sent)).collect()
        }
    };
    let mut total = Evaluation::default();
    let (mut loss, mut graphs) = (0.0, 0_usize);
    for (batch, part) in batches.iter().zip(parts) {
        for value in part.losses {
            loss += value;
        }
        for value in part.auxiliary {
            total.auxiliary += value;
        }
        total
            .clusters
            .extend(part.clusters.iter().map(|&c| c as usize));
        total.predictions.extend(part.predictions);
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

/// Result of one batch.
#[derive(Debug, Clone, Default, PartialEq)]
struct Part {
    predictions: Vec<f64>,
    clusters: Vec<f64>,
    /// Losses of each pass, weighted by the number of graphs.
    losses: Vec<f64>,
    auxiliary: Vec<f64>,
}

impl Part {
    fn of<P: Pool>(
        model: &GraphModel<P>,
        batch: &LearnBatch,
        objective: Objective,
        passes: &[Pass],
    ) -> Self {
        let share = 1.0 / passes.len().max(1) as f64;
        let weight = share * batch.graphs as f64;
        let mut part = Self::default();
        for (i, pass) in passes.iter().enumerate() {
            let out = model.forward(&batch.input, pass);
            let values: Vec<f32> = out.outputs.to_data().iter::<f32>().collect();
            let predictions = objective.predictions(&values);
            part.predictions.resize(predictions.len(), 0.0);
            for (mean, p) in part.predictions.iter_mut().zip(&predictions) {
                *mean += share * p;
            }
            if let Some(targets) = &batch.targets {
                let value = objective.loss(out.outputs.clone(), targets, model.unit());
                part.losses.push(weight * value.into_scalar::<f64>());
            }
            if let Some(auxiliary) = out.losses().total() {
                part.auxiliary.push(weight * auxiliary.into_scalar::<f64>());
            }
            if i == 0 {
                let active = active_clusters(&out);
                part.clusters = active.into_iter().map(|c| c as f64).collect();
            }
        }
        part
    }

    fn arrays(&self) -> [&Vec<f64>; 4] {
        [
            &self.predictions,
            &self.clusters,
            &self.losses,
            &self.auxiliary,
        ]
    }

    /// Serialises the arrays with their lengths.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for values in self.arrays() {
            bytes.extend((values.len() as u64).to_le_bytes());
            bytes.extend(values.iter().flat_map(|x| x.to_le_bytes()));
        }
        bytes
    }

    /// Parses consecutive parts.
    fn from_bytes(bytes: &[u8]) -> Vec<Self> {
        let mut words = bytes.chunks_exact(8).map(|word| {
            let mut own = [0; 8];
            own.copy_from_slice(word);
            own
        });
        let mut parts = Vec::new();
        let array = |length: Option<[u8; 8]>, words: &mut dyn Iterator<Item = [u8; 8]>| {
            let length = u64::from_le_bytes(length.unwrap_or_default()) as usize;
            words
                .take(length)
                .map(f64::from_le_bytes)
                .collect::<Vec<f64>>()
        };
        while let Some(length) = words.next() {
            let mut part = Self {
                predictions: array(Some(length), &mut words),
                ..Self::default()
            };
            for values in [&mut part.clusters, &mut part.losses, &mut part.auxiliary] {
                let length = words.next();
                *values = array(length, &mut words);
            }
            parts.push(part);
        }
        parts
    }
}

/// Returns the number of clusters of each graph at the first level: non-empty
/// clusters of soft assignments, or supernodes of hard ones. The result is
/// empty if the pooler does not partition the nodes.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_as_they_were_sent() {
        let part = |n: usize| Part {
            predictions: vec![0.1; n],
            clusters: vec![3.0; n / 2],
            losses: vec![f64::NAN.min(1.5), 2.0],
            auxiliary: Vec::new(),
        };
        let parts: Vec<Part> = (0..4).map(part).collect();
        let bytes: Vec<u8> = parts.iter().flat_map(Part::to_bytes).collect();
        assert_eq!(Part::from_bytes(&bytes), parts);
        assert!(Part::from_bytes(&[]).is_empty());
    }
}
