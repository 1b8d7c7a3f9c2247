//! Communities: a ring of discs of points, with edges between close points.

use std::collections::HashSet;
use std::f64::consts::TAU;

use super::{GenerateError, Kind, at_least, check_memory, graph_bytes, neighbours, stream};
use crate::csr::Csr;
use crate::error::GraphError;
use crate::graph::Graph;
use crate::matrix::Matrix;

/// A graph of spatial communities, like the Community graph of the paper.
///
/// Each community gets a third of its fair share of nodes, the rest are assigned
/// at random. Community i is a disc of radius √size at the corner 2π(i+1)/Nc of a
/// regular polygon of radius √N; a node sits at a uniform share of that radius
/// and a uniform angle. Two nodes of a community are joined if closer than
/// √(2√N)/2; one in N of the pairs across communities is joined, chosen at
/// random. Features are the two coordinates, labels the communities; nodes are
/// sorted by community.
///
/// The paper's own draw is
/// [`builtin_community`](crate::generate::builtin_community).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Community {
    /// Number of nodes (N).
    pub nodes: usize,
    /// Number of communities (Nc).
    pub communities: usize,
}

impl Default for Community {
    /// 400 nodes in 5 communities, as in the paper.
    fn default() -> Self {
        Self {
            nodes: 400,
            communities: 5,
        }
    }
}

impl Community {
    /// Generates the graph of a seed.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no nodes or communities, or more nodes
    /// than fit an index.
    ///
    /// # Complexity
    ///
    /// Memory linear in nodes and edges; time is also linear in the pairs of
    /// nodes of a community that are close in one coordinate.
    ///
    /// ```
    /// use bnpool_graph::generate::Community;
    ///
    /// let graph = Community { nodes: 90, communities: 3 }.generate(7)?;
    /// assert_eq!((graph.nodes(), graph.features().width()), (90, 2));
    /// # Ok::<(), bnpool_graph::generate::GenerateError>(())
    /// ```
    pub fn generate(&self, seed: u64) -> Result<Graph, GenerateError> {
        let Self { nodes, communities } = *self;
        at_least("nodes", nodes, 1, "a graph needs at least 1 node")?;
        at_least("communities", communities, 1, "there must be at least 1")?;
        GraphError::check_limit("nodes", nodes)?;
        GraphError::check_limit("communities", communities)?;
        // A node is joined to about half the square root of all nodes.
        let edges = (nodes as f64).powf(1.5) / 2.0;
        check_memory(
            format!("a graph of {nodes} nodes in {communities} communities"),
            graph_bytes((nodes + communities) as f64, edges),
        )?;
        let labels = self.draw_labels(seed);
        let starts = run_starts(&labels, communities);
        let places = self.draw_places(seed, &labels, &starts);

        let mut edges = Vec::new();
        let close = (2.0 * (nodes as f64).sqrt()).sqrt() / 2.0;
        for bounds in starts.windows(2) {
            let start = bounds[0];
            neighbours::closer_than(&places[start..bounds[1]], close, |u, v| {
                edges.push(((start + u) as u32, (start + v) as u32));
            });
        }
        self.draw_bridges(seed, &labels, &starts, &mut edges);

        let both_ways = edges.iter().flat_map(|&(u, v)| [(u, v), (v, u)]);
        let coordinates = places.iter().flatten().map(|&x| x as f32).collect();
        let graph = Graph::builder(Csr::from_edges(nodes, both_ways)?.assume_symmetric(true))
            .features(Matrix::new(nodes, 2, coordinates)?)
            .node_labels(labels)
            .build()?;
        Ok(graph)
    }

    fn draw_labels(&self, seed: u64) -> Vec<u32> {
        let count = self.communities as u64;
        let least = (self.nodes as f64 / (3.0 * count as f64)).round_ties_even() as usize;
        let mut draws = stream(seed, Kind::Community).draws(0);
        let mut labels: Vec<u32> = (0..self.communities as u32)
            .flat_map(|label| std::iter::repeat_n(label, least))
            .collect();
        labels.resize_with(self.nodes, || draws.below(count) as u32);
        labels.sort_unstable();
        labels
    }

    fn draw_places(&self, seed: u64, labels: &[u32], starts: &[usize]) -> Vec<[f64; 2]> {
        let ring = (self.nodes as f64).sqrt();
        let mut draws = stream(seed, Kind::Community).draws(1);
        let place = |&label: &u32| {
            let label = label as usize;
            let corner = TAU * (label + 1) as f64 / self.communities as f64;
            let disc = ((starts[label + 1] - starts[label]) as f64).sqrt();
            let (radius, angle) = (disc * draws.uniform(), TAU * draws.uniform());
            [
                ring * corner.cos() + radius * angle.cos(),
                ring * corner.sin() + radius * angle.sin(),
            ]
        };
        labels.iter().map(place).collect()
    }

    /// Joins one in N of the pairs across communities.
    fn draw_bridges(
        &self,
        seed: u64,
        labels: &[u32],
        starts: &[usize],
        edges: &mut Vec<(u32, u32)>,
    ) {
        let pairs = |n: usize| n as u128 * (n as u128).saturating_sub(1) / 2;
        let inside: u128 = starts.windows(2).map(|run| pairs(run[1] - run[0])).sum();
        let bridges = ((pairs(self.nodes) - inside) / self.nodes as u128) as usize;
        let mut draws = stream(seed, Kind::Community).draws(2);
        let mut chosen = HashSet::with_capacity(bridges);
        // Of M pairs across communities, M / N are chosen, and a draw hits one
        // with probability 2M / N²: about N / 2 draws in total, regardless of
        // the sizes.
        while chosen.len() < bridges {
            let mut node = || draws.below(self.nodes as u64) as u32;
            let (a, b) = (node(), node());
            let pair = (a.min(b), a.max(b));
            if labels[a as usize] != labels[b as usize] && chosen.insert(pair) {
                edges.push(pair);
            }
        }
    }
}

/// Start of each community among the sorted labels, and the end.
fn run_starts(labels: &[u32], communities: usize) -> Vec<usize> {
    (0..=communities)
        .map(|label| labels.partition_point(|&other| (other as usize) < label))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::builtin_community;

    /// Checks that a graph obeys the documented rules.
    fn obeys_the_rules(graph: &Graph, communities: usize) {
        let nodes = graph.nodes();
        let labels = graph.node_labels().unwrap();
        let places = graph.features().to_dense();
        let close = (2.0 * (nodes as f64).sqrt()).sqrt() / 2.0;
        let (mut bridges, mut pairs_across) = (0, 0);
        for u in 0..nodes {
            for v in 0..u {
                let joined = graph.adjacency().find(u, v).is_some();
                let delta = |axis: usize| f64::from(places.row(u)[axis] - places.row(v)[axis]);
                let distance = delta(0).hypot(delta(1));
                if labels[u] != labels[v] {
                    pairs_across += 1;
                    bridges += usize::from(joined);
                } else if (distance - close).abs() > 1e-4 {
                    assert_eq!(joined, distance < close, "{u} {v}");
                }
            }
        }
        assert_eq!(bridges, pairs_across / nodes);
        assert!(labels.is_sorted());
        let least = (nodes as f64 / (3.0 * communities as f64)).round() as usize;
        for community in 0..communities as u32 {
            let size = labels.iter().filter(|&&label| label == community).count();
            assert!(size >= least);
            let ring = (nodes as f64).sqrt();
            let corner = TAU * f64::from(community + 1) / communities as f64;
            for u in (0..nodes).filter(|&u| labels[u] == community) {
                let place = places.row(u);
                let dx = f64::from(place[0]) - ring * corner.cos();
                let dy = f64::from(place[1]) - ring * corner.sin();
                assert!(dx.hypot(dy) <= (size as f64).sqrt() + 1e-4);
            }
        }
        assert!(graph.adjacency().without_weights().is_symmetric());
    }

    #[test]
    fn the_paper_graph_and_ours_obey_the_same_rules() {
        obeys_the_rules(&builtin_community().unwrap(), 5);
        obeys_the_rules(&Community::default().generate(0).unwrap(), 5);
        let odd = Community {
            nodes: 101,
            communities: 7,
        };
        obeys_the_rules(&odd.generate(3).unwrap(), 7);
    }

    #[test]
    fn the_seed_decides_and_small_graphs_work() {
        let one = Community::default();
        assert_eq!(one.generate(1), one.generate(1));
        assert_ne!(one.generate(1), one.generate(2));
        for (nodes, communities) in [(1, 1), (1, 9), (2, 2), (30, 1)] {
            let graph = Community { nodes, communities }.generate(0).unwrap();
            assert_eq!(graph.nodes(), nodes);
        }
        let none = Community {
            nodes: 0,
            communities: 5,
        };
        assert_eq!(
            none.generate(0).unwrap_err().to_string(),
            "nodes = 0 is out of range: a graph needs at least 1 node"
        );
    }
}
