//! Result of the search.

use super::{Candidate, CountInterval, WeightTest};
use crate::Partition;
use serde::{Deserialize, Serialize};

/// Kind of structure found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Communities, with evidence.
    Communities,
    /// Groups that are not communities, with evidence.
    Blocks,
    /// A partition that random graphs with the same degrees do not have by
    /// chance, although it hardly shortens the description.
    Weak,
    /// No groups.
    None,
}

/// Comparison of the graph with random graphs of the same degrees.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct NullTest {
    /// Number of random graphs.
    pub replicas: usize,
    /// Number of those whose best partition has at least as much evidence as
    /// that of the graph.
    pub as_good: usize,
    /// Evidence of the best partition of the graph, found by the same short
    /// search, in nats.
    pub observed: f64,
    /// Mean evidence of the best partitions of the replicas, in nats.
    pub mean: f64,
    /// Standard deviation of the evidence of the replicas.
    pub deviation: f64,
}

/// Lower bound of the standard deviation, in nats. In random graphs, the best
/// partition often splits off a single node, with equal evidence in all of
/// them.
const LEAST_DEVIATION: f64 = 0.5;

impl NullTest {
    /// Probability of this much evidence without structure, at least 1 /
    /// (replicas + 1).
    #[must_use]
    pub fn p_value(&self) -> f64 {
        (self.as_good + 1) as f64 / (self.replicas + 1) as f64
    }

    /// Difference between the graph and the mean of the replicas, in standard
    /// deviations.
    #[must_use]
    pub fn score(&self) -> f64 {
        (self.observed - self.mean) / self.deviation.max(LEAST_DEVIATION)
    }
}

/// Result of the search.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Evidence {
    /// Kind of structure found.
    pub verdict: Verdict,
    /// The answer: the best partition, or all nodes in one group if there is
    /// none.
    pub partition: Partition,
    /// Number of nats by which the best partition shortens the description of
    /// the graph; negative if the description without groups is shorter.
    pub nats: f64,
    /// Σ of the graph without groups: that of one group or, for communities, that
    /// of the connected components, whichever is larger.
    pub trivial: f64,
    /// The best partition into at least two groups, whether or not it is the
    /// answer.
    pub best: Candidate,
    /// The best partition of each model and each start, by ascending Σ. They are many, so
    /// they are not serialised.
    #[serde(skip)]
    pub candidates: Vec<Candidate>,
    /// Credible interval of the number of groups.
    pub interval: CountInterval,
    /// Comparison with random graphs, made if evidence is weak.
    pub null: Option<NullTest>,
    /// Comparison of the weights with permuted weights; `None` if edges have no weights.
    #[serde(default)]
    pub weights: Option<WeightTest>,
    /// Number of nodes without edges; they are in the largest group.
    pub isolated: usize,
}
