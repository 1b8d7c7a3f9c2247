//! What the search says.

use super::{Candidate, CountInterval};
use crate::Partition;
use serde::{Deserialize, Serialize};

/// What kind of structure there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Communities, with evidence.
    Communities,
    /// Groups that are no communities, with evidence.
    Blocks,
    /// A division that no graph of the same degrees has by chance, though it
    /// hardly shortens the description.
    Weak,
    /// No groups.
    None,
}

/// The graph against graphs of the same degrees with edges drawn anew.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NullTest {
    /// Graphs drawn.
    pub replicas: usize,
    /// Those whose best division has as much evidence as the graph's.
    pub as_good: usize,
    /// Evidence of the graph's best division, found in the same short search, in
    /// nats.
    pub observed: f64,
    /// Mean evidence of the best divisions of the replicas, in nats.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
}

/// Random graphs often have nothing better than a node split off, and all the
/// same evidence: less than this many nats is no difference.
const LEAST_DEVIATION: f64 = 0.5;

impl NullTest {
    /// The chance of so much evidence without structure, at least 1 / (replicas
    /// + 1).
    #[must_use]
    pub fn p_value(&self) -> f64 {
        (self.as_good + 1) as f64 / (self.replicas + 1) as f64
    }

    /// Standard deviations between the graph and the mean of the replicas.
    #[must_use]
    pub fn score(&self) -> f64 {
        (self.observed - self.mean) / self.deviation.max(LEAST_DEVIATION)
    }
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// What kind of structure there is.
    pub verdict: Verdict,
    /// The answer: the best division, or all nodes in one group when there is
    /// none.
    pub division: Partition,
    /// By how many nats the best division shortens the description of the
    /// graph; negative when no groups at all are shorter.
    pub nats: f64,
    /// Σ of the graph without groups: in one piece, or for communities in as many
    /// as it has, whichever is more.
    pub trivial: f64,
    /// The best division into at least two groups, shown or not.
    pub best: Candidate,
    /// The best division by every model and from every start, by rising Σ.
    pub candidates: Vec<Candidate>,
    /// How many groups there may be.
    pub interval: CountInterval,
    /// The comparison with random graphs, made when evidence was weak.
    pub null: Option<NullTest>,
    /// Nodes without edges; they are in the largest group.
    pub isolated: usize,
}
