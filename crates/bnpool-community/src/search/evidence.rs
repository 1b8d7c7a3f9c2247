//! Result of the search.

use super::pieces::Pieces;
use super::{Candidate, CountInterval, Judge, WeightTest, own_probability};
use crate::description_length::{Blocks, Planted, WeightModel};
use crate::{CommunityError, Links, Partition};
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

/// Number of standard deviations by which the evidence must exceed that of random graphs.
const SCORE: f64 = 3.0;

impl NullTest {
    /// Returns whether the evidence is beyond that of all random graphs.
    pub(super) fn is_exceeded(&self) -> bool {
        self.as_good == 0 && self.score() >= SCORE
    }

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
    /// Number of nats by which the answer shortens the description of the graph. Without
    /// groups it is that of the best partition, and never positive.
    pub nats: f64,
    /// Σ of the graph without groups: that of one group or, for communities, that
    /// of the connected components, whichever is larger.
    pub trivial: f64,
    /// Σ of one group.
    #[serde(default)]
    pub one: f64,
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
    /// Mean agreement (AMI) of the best partition with those of other starts; `None` if
    /// there is no other start.
    #[serde(default)]
    pub agreement: Option<f64>,
    /// Number of nodes without edges. They are in the largest group, and cost nothing.
    pub isolated: usize,
    /// Models of the connected components, by their first nodes; empty if the graph was
    /// searched as a whole.
    #[serde(default)]
    pub pieces: Vec<(Judge, WeightModel)>,
}

impl Evidence {
    /// Withdraws weak groups that one of this many searched pieces has by chance.
    pub(super) fn be_one_of(&mut self, pieces: usize) {
        let needed = (SCORE * SCORE + 2.0 * (pieces as f64).ln()).sqrt();
        let by_chance = self.null.is_none_or(|null| null.score() < needed);
        if self.verdict == Verdict::Weak && by_chance {
            self.verdict = Verdict::None;
            self.partition = Partition::trivial(self.partition.nodes());
            self.interval = CountInterval::exactly(1);
            self.nats = self.nats.min(0.0);
        }
    }

    /// Probability of each node to belong to its own group (see [`own_probability`]), under
    /// the models that found the groups, times the square of the agreement of starts.
    ///
    /// # Errors
    ///
    /// Returns an error if the number of labels is not the number of nodes.
    ///
    /// # Complexity
    ///
    /// As [`own_probability`].
    pub fn probabilities(
        &self,
        links: &Links,
        partition: &Partition,
    ) -> Result<Vec<f32>, CommunityError> {
        let mut sure = self.conditional(links, partition)?;
        if let (Some(agreement), true) = (self.agreement, self.verdict != Verdict::None) {
            let part = agreement.clamp(0.0, 1.0).powi(2) as f32;
            sure.iter_mut().for_each(|p| *p *= part);
        }
        Ok(sure)
    }

    fn conditional(
        &self,
        links: &Links,
        partition: &Partition,
    ) -> Result<Vec<f32>, CommunityError> {
        partition.check(links.nodes())?;
        if self.pieces.is_empty() {
            return own_probability(links, partition, self.best.judge, self.best.weights);
        }
        let pieces = Pieces::new(links);
        // Nodes without edges have the share of their group.
        let share = |&g: &u32| partition.sizes()[g as usize] as f32 / links.nodes() as f32;
        let mut sure: Vec<f32> = partition.labels().iter().map(share).collect();
        for (part, &(judge, weights)) in pieces.graphs(links).zip(&self.pieces) {
            let own = part.restrict(partition);
            let found = own_probability(&part.links, &own, judge, weights)?;
            for (&u, p) in part.nodes.iter().zip(found) {
                sure[u as usize] = p;
            }
        }
        Ok(sure)
    }

    /// Σ of a partition under the models that found the groups, in nats.
    ///
    /// # Errors
    ///
    /// Returns an error if the number of labels is not the number of nodes.
    ///
    /// # Complexity
    ///
    /// O(N + E), and quadratic in the number of blocks.
    pub fn length(&self, links: &Links, partition: &Partition) -> Result<f64, CommunityError> {
        partition.check(links.nodes())?;
        if self.pieces.is_empty() {
            return length(links, partition, self.best.judge, self.best.weights);
        }
        let pieces = Pieces::new(links);
        let mut sum = 0.0;
        for (part, &(judge, weights)) in pieces.graphs(links).zip(&self.pieces) {
            sum += length(&part.links, &part.restrict(partition), judge, weights)?;
        }
        Ok(sum)
    }
}

/// Σ of a partition under one model.
fn length(
    links: &Links,
    partition: &Partition,
    judge: Judge,
    weights: WeightModel,
) -> Result<f64, CommunityError> {
    let links = &judge.sees(links);
    Ok(match judge {
        Judge::Planted(density) => Planted::new(links, partition, density, weights)?.total(),
        Judge::Blocks | Judge::DirectedBlocks => Blocks::new(links, partition, weights)?.total(),
    })
}
