//! Comparison of weights with permuted weights.
//!
//! The groups of a graph explain its weights if the description of the weights is shorter
//! given groups than in one class, and by more than the same search gains after the weights
//! were permuted over the edges. The search uses weights in this case only; otherwise its
//! result is that of the graph without weights.
//!
//! Groups that were found without weights are tried first, because they cannot fit the
//! weights by chance and need no search after a permutation. If they do not explain the
//! weights, groups are searched for by edges and weights.

use super::Stage;
use super::connected::STRONG;
use super::progress::Reporter;
use crate::description_length::{Density, Planted, PlantedCode, WeightCode, WeightModel};
use crate::merge::{Effort, agglomerate, improve, in_one_piece};
use crate::starts::by_resolution;
use crate::{CommunityError, Links, Partition};
use bnpool_math::stream::{Purpose, Stream};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Random stream of the permutations.
const STREAM: Purpose = Purpose::Other(0x7765_6967);

/// Number of permutations.
const REPLICAS: usize = 4;

/// Number of standard deviations by which the gain must exceed that of permuted weights.
const SCORE: f64 = 3.0;

/// Graphs above this number of edges are searched less thoroughly.
const LARGE: usize = 400_000;

/// Effort of the search for one set of weights.
fn effort(links: &Links) -> Effort {
    let large = links.edges() > LARGE;
    Effort {
        visits: if large { 2 } else { 4 },
        rounds: if large { 1 } else { 2 },
        splits: 0,
        fewest: 2,
    }
}

/// Model of the weights during the comparison.
const FIRST: WeightModel = WeightModel::Tail;

/// Comparison of the weights of a graph with permuted weights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WeightTest {
    /// Model of the weights in the search; [`WeightModel::Ignored`] if the groups do not
    /// explain the weights.
    pub model: WeightModel,
    /// Number of nats by which groups shorten the description of the weights; negative if
    /// it is shorter without groups.
    pub gain: f64,
    /// Gain in nats that the weights had to reach, by the gains with permuted weights.
    pub needed: f64,
}

/// A graph as the search for groups uses it.
pub(super) struct Weighed {
    /// The graph with the ranks of its weights, or without weights if they are ignored.
    pub(super) links: Links,
    /// Models of the weights.
    pub(super) models: Vec<WeightModel>,
    /// The comparison; `None` for a graph without weights.
    pub(super) test: Option<WeightTest>,
}

impl Weighed {
    /// Decides whether the search uses the weights of a graph.
    ///
    /// # Complexity
    ///
    /// Three starts of the search, and the improvement of one of them; [`REPLICAS`] times
    /// more if only groups that were found by weights explain them.
    pub(super) fn new(
        links: &Links,
        seed: u64,
        reporter: &Reporter<'_>,
    ) -> Result<Self, CommunityError> {
        let Some(ranks) = links.ranks() else {
            return Ok(Self {
                links: links.clone(),
                models: vec![WeightModel::Ignored],
                test: None,
            });
        };
        let scores = ranks.iter().map(|&rank| score(rank)).collect();
        let scored = links.with_weights(scores);
        let undirected = scored.undirected();
        let compare = Comparison {
            links: &undirected,
            seed,
            reporter,
        };
        let plain = by_resolution(&undirected.unweighted(), 1.0, 2, seed)?;
        let given = compare.run(|links| Ok(gain(links, &plain)))?;
        let search = |links: &Links| searched_gain(links, &plain, seed);
        let test = if given.is_passed() {
            // The groups of the search are better ones to choose a model by.
            let (model, gain) = search(&undirected)?;
            if gain >= given.needed {
                WeightTest { model, ..given }
            } else {
                given
            }
        } else {
            compare.run(search)?
        };
        Ok(if test.is_passed() {
            Self {
                links: scored,
                models: vec![WeightModel::Ignored, test.model],
                test: Some(test),
            }
        } else {
            let model = WeightModel::Ignored;
            Self {
                links: links.unweighted(),
                models: vec![model],
                test: Some(WeightTest { model, ..test }),
            }
        })
    }
}

impl WeightTest {
    fn is_passed(&self) -> bool {
        self.gain >= self.needed
    }
}

/// Weight of an edge in starts: the quantile of the exponential distribution for its rank.
fn score(rank: f32) -> f32 {
    -(-rank.clamp(f32::EPSILON, 1.0 - f32::EPSILON)).ln_1p()
}

/// A comparison of the weights of a graph with permuted ones.
struct Comparison<'a> {
    links: &'a Links,
    seed: u64,
    reporter: &'a Reporter<'a>,
}

impl Comparison<'_> {
    /// Compares a gain, as the best model of weights and a number of nats, with that by
    /// the same procedure after permutations.
    fn run(
        &self,
        gain: impl Fn(&Links) -> Result<(WeightModel, f64), CommunityError> + Sync,
    ) -> Result<WeightTest, CommunityError> {
        let tasks = 1 + REPLICAS;
        self.reporter.begin(Stage::Weights, tasks)?;
        let (model, observed) = gain(self.links)?;
        self.reporter.done(Stage::Weights, tasks);
        let mut needed = STRONG;
        if observed >= needed {
            let gains: Vec<f64> = (0..REPLICAS as u64)
                .into_par_iter()
                .map(|replica| {
                    self.reporter.check()?;
                    let (_, gain) = gain(&permuted(self.links, self.seed, replica))?;
                    self.reporter.done(Stage::Weights, tasks);
                    Ok(gain)
                })
                .collect::<Result<_, CommunityError>>()?;
            needed = gain_needed(&gains);
        }
        Ok(WeightTest {
            model,
            gain: observed,
            needed,
        })
    }
}

/// Gain that weights must reach, given the gains with permuted weights.
fn gain_needed(gains: &[f64]) -> f64 {
    let count = gains.len() as f64;
    let mean = gains.iter().sum::<f64>() / count;
    let variance = gains.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
    let margin = STRONG.max(SCORE * variance.sqrt());
    let most = gains.iter().copied().fold(mean + margin, f64::max);
    most.max(STRONG)
}

/// Returns the number of nats by which a partition shortens the description of the weights,
/// and the model of weights for which it does so most.
fn gain(links: &Links, partition: &Partition) -> (WeightModel, f64) {
    let gains = WeightModel::ALL.map(|model| {
        let code = WeightCode::new(links, model);
        (model, code.gain(links, partition.labels()))
    });
    let best = gains.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    best.unwrap_or((WeightModel::Ignored, 0.0))
}

/// Like [`gain`], for the best partition that a short search finds by edges and weights. The
/// search chooses the partition for the weights, so the gain is at most that in the
/// description of edges and weights together.
fn searched_gain(
    links: &Links,
    plain: &Partition,
    seed: u64,
) -> Result<(WeightModel, f64), CommunityError> {
    let ranks = links.ranks().unwrap_or_default();
    let against = links.with_weights(ranks.iter().map(|rank| score(1.0 - rank)).collect());
    let leiden = |links: &Links| by_resolution(links, 1.0, 2, seed);
    let (by_weights, against) = rayon::join(|| leiden(links), || leiden(&against));
    let starts = [plain.clone(), by_weights?, against?];
    let effort = effort(links);
    let code = PlantedCode::new(links, Density::RelativeOwn, FIRST);
    let state = |labels: &[u32]| Planted::with_code(links, labels, code.clone());
    // Only the best start after merges is worked on.
    let merged: Vec<(f64, Partition)> = starts
        .par_iter()
        .filter_map(|start| {
            let path = agglomerate(&state(&in_one_piece(links, start.labels())));
            let groups = path.best(effort.fewest);
            Some((path.total(groups)?, path.cut(groups)?))
        })
        .collect();
    let best = merged.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
    let Some((_, start)) = best else {
        return Ok((WeightModel::Ignored, 0.0));
    };
    let (partition, ..) = improve(&mut state(start.labels()), &effort, seed);
    let one = vec![0; links.nodes()];
    let by_edges = [Density::RelativeOwn, Density::Own].map(|density| {
        let code = PlantedCode::new(links, density, WeightModel::Ignored);
        let length = |labels| Planted::with_code(links, labels, code.clone()).total();
        length(&one) - length(partition.labels())
    });
    let (model, by_weights) = gain(links, &partition);
    let by_both = by_weights + by_edges[0].max(by_edges[1]);
    Ok((model, by_weights.min(by_both)))
}

/// Permutes the weights over the edges.
fn permuted(links: &Links, seed: u64, replica: u64) -> Links {
    let Some(weights) = links.weights() else {
        return links.clone();
    };
    // Both entries of each edge: rows are in ascending order, so the entries of edges to
    // larger nodes come in the order in which their edges are visited.
    let mut next: Vec<usize> = (0..links.nodes())
        .map(|u| links.offsets()[u] + links.neighbours(u).partition_point(|&v| (v as usize) < u))
        .collect();
    let mut entries: Vec<(usize, usize)> = Vec::with_capacity(links.edges());
    for u in 0..links.nodes() {
        for (&v, entry) in links.neighbours(u).iter().zip(links.offsets()[u]..) {
            let v = v as usize;
            if v < u {
                entries.push((entry, next[v]));
                next[v] += 1;
            }
        }
    }
    let mut drawn: Vec<f32> = entries.iter().map(|&(entry, _)| weights[entry]).collect();
    Stream::new(seed, STREAM, replica)
        .draws(0)
        .shuffle(&mut drawn);
    let mut weights = vec![0.0; weights.len()];
    for ((first, second), weight) in entries.into_iter().zip(drawn) {
        (weights[first], weights[second]) = (weight, weight);
    }
    links.with_weights(weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::Csr;
    use bnpool_graph::generate::Sbm;

    #[test]
    fn permuted_weights_are_those_of_other_edges() {
        let graph = Sbm::with_degree(100, 2, 8.0, 0.9).unwrap().generate(1);
        let graph = graph.unwrap();
        let weight = |u: u32, v: u32| (u.max(v) * 100 + u.min(v)) as f32;
        let edges = graph.adjacency().iter();
        let edges = edges.map(|(u, v, _)| (u, v, weight(u, v)));
        let csr = Csr::from_weighted_edges(100, edges).unwrap();
        let links = Links::new(&csr).unwrap();
        let other = permuted(&links, 0, 1);
        let (old, new) = (links.weights().unwrap(), other.weights().unwrap());
        let sorted = |weights: &[f32]| {
            let mut weights = weights.to_vec();
            weights.sort_by(f32::total_cmp);
            weights
        };
        assert_eq!(sorted(old), sorted(new));
        let moved = old.iter().zip(new).filter(|(a, b)| a != b).count();
        assert!(moved * 10 > old.len() * 9, "{moved} of {}", old.len());
        for u in 0..100 {
            for (&v, entry) in links.neighbours(u).iter().zip(links.offsets()[u]..) {
                let row = links.neighbours(v as usize);
                let back = row.iter().position(|&w| w as usize == u).unwrap();
                assert_eq!(new[entry], new[links.offsets()[v as usize] + back]);
            }
        }
        assert_eq!(permuted(&links, 0, 1).weights(), other.weights());
        assert_ne!(permuted(&links, 0, 2).weights(), other.weights());
    }
}
