//! Communities of an older version of a graph.

use super::features::without_odd_weights;
use crate::TaskError;
use bnpool_graph::structure::connected_components;
use bnpool_graph::{Graph, transform};
use std::collections::BTreeMap;

/// Extends known labels to all nodes. Starting from the known nodes, each step
/// assigns to the neighbours of labelled nodes the label with the largest total
/// edge weight. Unreachable nodes get `None`.
///
/// # Complexity
///
/// O(N + E log d) time per step for nodes of degree d; O(N + E) memory.
#[must_use]
pub fn carry_over(graph: &Graph, known: &[Option<u32>]) -> Vec<Option<u32>> {
    let undirected = transform::undirect(graph);
    let adjacency = without_odd_weights(undirected.adjacency());
    let mut labels = known.to_vec();
    let mut open: Vec<usize> = (0..labels.len()).filter(|&u| labels[u].is_none()).collect();
    while !open.is_empty() {
        // All nodes of a step are labelled at once, so the order of the nodes
        // does not matter.
        let found: Vec<(usize, u32)> = open
            .iter()
            .filter_map(|&u| {
                let mut votes: BTreeMap<u32, f64> = BTreeMap::new();
                for entry in adjacency.row_range(u) {
                    let v = adjacency.columns()[entry] as usize;
                    if let Some(label) = labels[v] {
                        let weight = adjacency.weights().map_or(1.0, |w| w[entry]);
                        *votes.entry(label).or_default() += f64::from(weight);
                    }
                }
                // Ties go to the smallest label, which is the largest group.
                let best = votes.iter().rev().max_by(|a, b| a.1.total_cmp(b.1));
                best.map(|(&label, _)| (u, label))
            })
            .collect();
        if found.is_empty() {
            break;
        }
        for (u, label) in found {
            labels[u] = Some(label);
        }
        open.retain(|&u| labels[u].is_none());
    }
    labels
}

/// Like [`carry_over`], but with labels of all nodes: the unreachable nodes of
/// each connected component are a group of their own.
pub(super) fn as_start(graph: &Graph, known: &[Option<u32>]) -> Result<Vec<u32>, TaskError> {
    let carried = carry_over(graph, known);
    let pieces = connected_components(graph.adjacency())?.of_node;
    let fresh = known.iter().flatten().max().map_or(0, |&most| most + 1);
    let labels = carried.iter().zip(&pieces);
    Ok(labels
        .map(|(label, &piece)| label.unwrap_or(fresh + piece))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::Csr;

    fn graph(nodes: usize, edges: &[(u32, u32, f32)]) -> Graph {
        let both = edges.iter().flat_map(|&(u, v, w)| [(u, v, w), (v, u, w)]);
        let adjacency = Csr::from_weighted_edges(nodes, both).unwrap();
        Graph::builder(adjacency).build().unwrap()
    }

    #[test]
    fn new_nodes_follow_their_neighbours() {
        // 0 and 1 are known, 2 is closer to 1, 3 is linked to 2, and 4 and 5 are
        // unreachable.
        let graph = graph(6, &[(0, 2, 1.0), (1, 2, 3.0), (2, 3, 1.0), (4, 5, 1.0)]);
        let known = [Some(0), Some(1), None, None, None, None];
        let carried = carry_over(&graph, &known);
        assert_eq!(carried, [Some(0), Some(1), Some(1), Some(1), None, None]);
        let start = as_start(&graph, &known).unwrap();
        assert_eq!(start[..4], [0, 1, 1, 1]);
        assert!(start[4] > 1 && start[4] == start[5]);
    }

    #[test]
    fn of_equal_votes_the_larger_community_wins() {
        let graph = graph(3, &[(0, 2, 1.0), (1, 2, 1.0)]);
        assert_eq!(carry_over(&graph, &[Some(4), Some(3), None])[2], Some(3));
    }
}
