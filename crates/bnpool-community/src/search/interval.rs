//! Credible interval of the number of groups.

use super::Candidate;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A 90 % credible interval of the number of groups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CountInterval {
    /// Lower end.
    pub low: usize,
    /// Upper end.
    pub high: usize,
    /// Numbers of groups with their probabilities, which sum to one.
    pub weights: Vec<(usize, f64)>,
}

/// Temperature of the posterior. Real graphs are not drawn from the model, so
/// differences of Σ are divided by this value, and additionally by a fraction
/// of the number of nodes, before they count as evidence about the number of
/// groups (a tempered posterior). Chosen by hand and checked on planted graphs
/// (`benches/communities`), not fitted to them.
const TEMPERATURE: f64 = 4.0;
const PER_NODE: f64 = 0.01;

/// Smallest probability of a number that is kept.
const NEGLIGIBLE: f64 = 1e-6;

/// The ends are moved by these powers of the agreement of starts. Starts disagree where
/// groups can hardly be told from chance, and there most of what is missed was merged, so
/// the upper end moves farther. Chosen on forty LFR graphs, and checked on others.
const DOWN: i32 = 1;
const UP: i32 = 4;

/// Largest factor by which an end is moved.
const FARTHEST: f64 = 10.0;

impl CountInterval {
    /// The interval if other starts agree with the answer by this fraction only.
    pub(super) fn widened(self, agreement: f64, nodes: usize) -> Self {
        let part = agreement.clamp(1e-3, 1.0);
        let factor = |power: i32| part.powi(power).recip().min(FARTHEST);
        Self {
            low: ((self.low as f64 / factor(DOWN)).floor() as usize).max(1),
            high: ((self.high as f64 * factor(UP)).ceil() as usize).min(nodes.max(self.high)),
            ..self
        }
    }

    /// The interval of a single number.
    pub(crate) fn exactly(groups: usize) -> Self {
        Self {
            low: groups,
            high: groups,
            weights: vec![(groups, 1.0)],
        }
    }

    /// Computes the interval from the lowest Σ found for each number of groups,
    /// weighted by exp(−Σ/T). Always contains the number of groups of the
    /// answer.
    pub(crate) fn new(
        candidates: &[&Candidate],
        trivial: Option<f64>,
        answer: usize,
        nodes: usize,
    ) -> Self {
        let mut lowest: BTreeMap<usize, f64> = BTreeMap::new();
        if let Some(trivial) = trivial {
            lowest.insert(1, trivial);
        }
        for candidate in candidates {
            let path = &candidate.path;
            // Only near the answer; farther away, Σ is much larger.
            let found = candidate.partition.groups();
            let reach = found / 2 + 5;
            for groups in path.coarsest_adjacent().max(found.saturating_sub(reach))..=found + reach
            {
                if let Some(total) = path.total(groups) {
                    let entry = lowest.entry(groups).or_insert(f64::INFINITY);
                    *entry = entry.min(total);
                }
            }
            let entry = lowest.entry(found).or_insert(f64::INFINITY);
            *entry = entry.min(candidate.total);
        }
        let best = lowest.values().copied().fold(f64::INFINITY, f64::min);
        if !best.is_finite() {
            return Self::exactly(answer);
        }
        let temperature = TEMPERATURE + PER_NODE * nodes as f64;
        let weights: Vec<(usize, f64)> = lowest
            .iter()
            .map(|(&k, &total)| (k, (-(total - best) / temperature).exp()))
            .collect();
        Self::of_weights(weights, answer)
    }

    /// The interval of the sum of independent numbers; `None` means one group.
    pub(super) fn of_pieces<'a>(
        pieces: impl Iterator<Item = Option<&'a Self>>,
        answer: usize,
    ) -> Self {
        let mut apart = 0;
        let mut open: Vec<&Self> = Vec::new();
        for piece in pieces {
            match piece {
                Some(piece) if piece.high > 1 => open.push(piece),
                _ => apart += piece.map_or(1, |p| p.low),
            }
        }
        if let [one] = open[..] {
            return Self {
                low: one.low + apart,
                high: one.high + apart,
                weights: one.weights.iter().map(|&(k, p)| (k + apart, p)).collect(),
            };
        }
        let mut sums: BTreeMap<usize, f64> = BTreeMap::from([(apart, 1.0)]);
        for piece in open {
            let mut next: BTreeMap<usize, f64> = BTreeMap::new();
            for (&k, &p) in &sums {
                for &(more, q) in &piece.weights {
                    *next.entry(k + more).or_default() += p * q;
                }
            }
            next.retain(|_, p| *p > NEGLIGIBLE);
            sums = next;
        }
        Self::of_weights(sums.into_iter().collect(), answer)
    }

    /// The interval of weighted numbers, in ascending order. Contains the answer.
    fn of_weights(mut weights: Vec<(usize, f64)>, answer: usize) -> Self {
        let sum: f64 = weights.iter().map(|w| w.1).sum();
        weights.iter_mut().for_each(|w| w.1 /= sum);
        let (mut low, mut high) = (answer, answer);
        let mut below = 0.0;
        for &(k, weight) in &weights {
            // Five percent on either side.
            if below + weight > 0.05 {
                low = low.min(k);
                break;
            }
            below += weight;
        }
        let mut above = 0.0;
        for &(k, weight) in weights.iter().rev() {
            if above + weight > 0.05 {
                high = high.max(k);
                break;
            }
            above += weight;
        }
        weights.retain(|w| w.1 > NEGLIGIBLE);
        Self { low, high, weights }
    }
}
