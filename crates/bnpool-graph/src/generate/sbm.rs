//! Stochastic block models.

use bnpool_math::memory::bytes_of;
use bnpool_math::stream::Draws;

use super::{GenerateError, Kind, at_least, check_memory, graph_bytes, stream};
use crate::csr::Csr;
use crate::error::GraphError;
use crate::graph::Graph;

/// A stochastic block model: each pair of nodes is joined with a probability
/// that depends only on their blocks.
///
/// Labels are the blocks; nodes are sorted by block. There are no features and
/// no self-loops.
#[derive(Debug, Clone, PartialEq)]
pub struct Sbm {
    sizes: Vec<usize>,
    /// The upper triangle is used: `probabilities[a * blocks + b]` for a <= b.
    probabilities: Vec<f64>,
}

impl Sbm {
    /// A model with blocks of the given sizes; `probabilities` holds one row
    /// per block.
    ///
    /// # Errors
    ///
    /// Returns an error if the probabilities are not a symmetric square of
    /// numbers in [0, 1] with a row for each block, or there are too many
    /// nodes.
    pub fn new(sizes: Vec<usize>, probabilities: Vec<f64>) -> Result<Self, GenerateError> {
        let blocks = sizes.len();
        at_least("blocks", blocks, 1, "there must be at least 1")?;
        if Some(probabilities.len()) != blocks.checked_mul(blocks) {
            return Err(GenerateError::Parameter {
                name: "number of probabilities",
                value: probabilities.len() as f64,
                bound: "there must be one for each pair of blocks, a row for each block",
            });
        }
        for a in 0..blocks {
            for b in 0..blocks {
                let probability = probabilities[a * blocks + b];
                // NaN is not in the range.
                if !(0.0..=1.0).contains(&probability) {
                    return Err(GenerateError::Parameter {
                        name: "edge probability",
                        value: probability,
                        bound: "it must lie between 0 and 1",
                    });
                }
                if probability != probabilities[b * blocks + a] {
                    return Err(GenerateError::Parameter {
                        name: "edge probability",
                        value: probability,
                        bound: "it must be the same in both directions",
                    });
                }
            }
        }
        let nodes = sizes.iter().try_fold(0_usize, |sum, &n| sum.checked_add(n));
        GraphError::check_limit("nodes", nodes.unwrap_or(usize::MAX))?;
        Ok(Self {
            sizes,
            probabilities,
        })
    }

    /// A model with blocks of equal size (give or take one), one probability
    /// inside blocks and one between them: assortative if the first is larger,
    /// disassortative if the second is.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    ///
    /// ```
    /// use bnpool_graph::generate::Sbm;
    ///
    /// // Two parties that only know each other: a bipartite graph.
    /// let graph = Sbm::planted(10, 2, 0.0, 1.0)?.generate(0)?;
    /// assert_eq!(graph.edges(), 2 * 5 * 5);
    /// # Ok::<(), bnpool_graph::generate::GenerateError>(())
    /// ```
    pub fn planted(
        nodes: usize,
        blocks: usize,
        inside: f64,
        between: f64,
    ) -> Result<Self, GenerateError> {
        at_least("blocks", blocks, 1, "there must be at least 1")?;
        if blocks > nodes.max(1) {
            return Err(GenerateError::Parameter {
                name: "blocks",
                value: blocks as f64,
                bound: "there must not be more blocks than nodes",
            });
        }
        check_memory(
            format!("a model of {blocks} blocks"),
            bytes_of::<f64>(&[blocks, blocks]),
        )?;
        let size = |block| nodes / blocks + usize::from(block < nodes % blocks);
        let mut probabilities = vec![between; blocks * blocks];
        for block in 0..blocks {
            probabilities[block * (blocks + 1)] = inside;
        }
        Self::new((0..blocks).map(size).collect(), probabilities)
    }

    /// A model with blocks of equal size and about `degree` neighbours per
    /// node, of which a fraction `inside` belongs to the node's own block.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), or if a block has too few nodes for that many
    /// neighbours.
    pub fn with_degree(
        nodes: usize,
        blocks: usize,
        degree: f64,
        inside: f64,
    ) -> Result<Self, GenerateError> {
        let block = nodes as f64 / blocks.max(1) as f64;
        let per = |count: f64, others: f64| if count == 0.0 { 0.0 } else { count / others };
        let within = per(degree * inside, block - 1.0);
        let between = per(degree * (1.0 - inside), nodes as f64 - block);
        Self::planted(nodes, blocks, within, between)
    }

    /// Number of nodes in each block.
    #[must_use]
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Number of nodes, and expected number of undirected edges.
    fn expected(&self) -> (f64, f64) {
        let blocks = self.sizes.len();
        let (mut nodes, mut edges) = (0.0, 0.0);
        for (a, &rows) in self.sizes.iter().enumerate() {
            nodes += rows as f64;
            for (b, &columns) in self.sizes.iter().enumerate().skip(a) {
                let pairs = if a == b {
                    rows as f64 * (rows as f64 - 1.0) / 2.0
                } else {
                    rows as f64 * columns as f64
                };
                edges += pairs * self.probabilities[a * blocks + b];
            }
        }
        (nodes, edges)
    }

    /// Generates the graph of a seed.
    ///
    /// # Errors
    ///
    /// Returns an error if there is not enough memory for its nodes and edges.
    ///
    /// # Complexity
    ///
    /// Time and memory linear in nodes, edges and pairs of blocks: pairs of
    /// nodes that are not joined are skipped by geometric jumps.
    pub fn generate(&self, seed: u64) -> Result<Graph, GenerateError> {
        let (nodes, edges) = self.expected();
        check_memory(
            format!("a block model of {nodes:.0} nodes and about {edges:.0} edges"),
            graph_bytes(nodes, edges),
        )?;
        let stream = stream(seed, Kind::Sbm);
        let blocks = self.sizes.len();
        let mut starts = vec![0_u64; blocks + 1];
        for (block, &size) in self.sizes.iter().enumerate() {
            starts[block + 1] = starts[block] + size as u64;
        }
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for a in 0..blocks {
            for b in a..blocks {
                let pair = a * blocks + b;
                let jumps = Jumps::new(stream.draws(pair as u64), self.probabilities[pair]);
                let (rows, columns) = (self.sizes[a] as u64, self.sizes[b] as u64);
                let mut join = |u: u64, v: u64| {
                    let (u, v) = ((starts[a] + u) as u32, (starts[b] + v) as u32);
                    edges.extend([(u, v), (v, u)]);
                };
                if a == b {
                    jumps.below_diagonal(rows, join);
                } else {
                    for place in jumps.places(rows * columns) {
                        join(place / columns, place % columns);
                    }
                }
            }
        }
        let nodes = starts[blocks] as usize;
        let labels = self.sizes.iter().zip(0_u32..);
        let labels = labels.flat_map(|(&size, block)| std::iter::repeat_n(block, size));
        let graph = Graph::builder(Csr::from_edges(nodes, edges)?.assume_symmetric(true))
            .node_labels(labels.collect::<Vec<u32>>())
            .build()?;
        Ok(graph)
    }
}

/// Jumps from one success to the next in a sequence of independent trials with
/// equal probability.
struct Jumps {
    draws: Draws,
    /// ln(1 - p): 0 if no trial succeeds, -∞ if all do.
    log_failure: f64,
}

impl Jumps {
    fn new(draws: Draws, probability: f64) -> Self {
        Self {
            draws,
            log_failure: (-probability).ln_1p(),
        }
    }

    /// Number of failures before the next success, which is geometric.
    fn skip(&mut self) -> u64 {
        if self.log_failure == 0.0 {
            return u64::MAX;
        }
        // The conversion saturates, and 0 / -∞ is 0.
        ((1.0 - self.draws.uniform()).ln() / self.log_failure) as u64
    }

    /// The successes among `trials` trials, in order.
    fn places(mut self, trials: u64) -> impl Iterator<Item = u64> {
        let mut next = 0_u64;
        std::iter::from_fn(move || {
            let place = next.saturating_add(self.skip());
            next = place.saturating_add(1);
            (place < trials).then_some(place)
        })
    }

    /// The successes among the pairs v < u of `nodes` nodes, row by row.
    fn below_diagonal(mut self, nodes: u64, mut join: impl FnMut(u64, u64)) {
        let (mut u, mut v) = (1, self.skip());
        while u < nodes {
            if v < u {
                join(u, v);
                v = v.saturating_add(1).saturating_add(self.skip());
            } else {
                v -= u;
                u += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_edges_are_all_there() {
        let full = Sbm::planted(7, 1, 1.0, 0.0).unwrap().generate(0).unwrap();
        assert_eq!(full.edges(), 42);
        let empty = Sbm::planted(7, 3, 0.0, 0.0).unwrap().generate(0).unwrap();
        assert_eq!(empty.edges(), 0);
        assert_eq!(empty.node_labels().unwrap(), [0, 0, 0, 1, 1, 2, 2]);
        let parts = Sbm::new(
            vec![2, 0, 3],
            vec![0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0],
        );
        assert_eq!(parts.unwrap().generate(0).unwrap().edges(), 12);
    }

    #[test]
    fn edges_are_as_many_as_expected_and_symmetric() {
        for (inside, between) in [(0.05, 0.002), (0.001, 0.02)] {
            let model = Sbm::planted(2000, 4, inside, between).unwrap();
            let graph = model.generate(5).unwrap();
            assert_eq!(graph, model.generate(5).unwrap());
            assert_ne!(graph, model.generate(6).unwrap());
            assert!(graph.adjacency().without_weights().is_symmetric());
            let labels = graph.node_labels().unwrap();
            let same = |(u, v, _): &(u32, u32, f32)| labels[*u as usize] == labels[*v as usize];
            let found = graph.adjacency().iter().filter(same).count() as f64;
            let across = graph.edges() as f64 - found;
            // Five standard deviations of a Poisson count of undirected edges.
            for (count, expected) in [
                (found / 2.0, 4.0 * 500.0 * 499.0 / 2.0 * inside),
                (across / 2.0, 6.0 * 500.0 * 500.0 * between),
            ] {
                assert!(
                    (count - expected).abs() < 5.0 * expected.sqrt(),
                    "{count} {expected}"
                );
            }
            assert!((0..2000).all(|u| graph.adjacency().find(u, u).is_none()));
        }
    }

    #[test]
    fn the_degree_is_kept() {
        let graph = Sbm::with_degree(10_000, 20, 10.0, 0.8)
            .unwrap()
            .generate(1)
            .unwrap();
        let degree = graph.edges() as f64 / 10_000.0;
        assert!((degree - 10.0).abs() < 0.2, "{degree}");
    }

    #[test]
    fn wrong_parameters_are_named() {
        let error = |model: Result<Sbm, GenerateError>| model.unwrap_err().to_string();
        assert_eq!(
            error(Sbm::planted(10, 2, 1.5, 0.0)),
            "edge probability = 1.5 is out of range: it must lie between 0 and 1"
        );
        assert!(error(Sbm::planted(10, 2, f64::NAN, 0.0)).contains("NaN"));
        assert!(error(Sbm::planted(10, 0, 0.5, 0.0)).contains("blocks = 0"));
        assert!(error(Sbm::planted(3, 4, 0.5, 0.0)).contains("more blocks than nodes"));
        assert!(error(Sbm::new(vec![2], vec![])).contains("one for each pair"));
        assert!(error(Sbm::new(vec![2, 2], vec![0.1, 0.2, 0.3, 0.1])).contains("both directions"));
        assert!(error(Sbm::new(vec![usize::MAX, 2], vec![0.0; 4])).contains("too many"));
        assert!(Sbm::with_degree(10, 5, 100.0, 0.5).is_err());
    }
}
