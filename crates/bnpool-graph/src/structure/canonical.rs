//! A canonical order of the nodes, independent of their numbering.

use std::cmp::Ordering;
use std::collections::VecDeque;

use bnpool_math::stream::scatter;

use super::order::NodeOrder;
use crate::csr::Csr;
use crate::features::Features;
use crate::graph::Graph;

/// Largest number of rounds of colour refinement. Random graphs need about
/// five; paths need half their length.
const ROUNDS: usize = 32;

impl NodeOrder {
    /// Computes an order from edges, weights and features alone: graphs that
    /// differ only in the numbering of their nodes become equal in it.
    ///
    /// Nodes are distinguished by colour refinement (Weisfeiler and Leman) and
    /// listed breadth first from the node of the smallest colour, so that
    /// neighbours stay close. Nodes of one colour are ordered by their ids, or by
    /// their numbers if they have no ids. The numbering matters only for such
    /// nodes, and only if exchanging them changes the graph. Class labels are
    /// ignored.
    ///
    /// # Complexity
    ///
    /// O(N log N + E) time for each of up to 32 rounds, O(N) memory, and a
    /// transpose of the adjacency unless it is symmetric.
    ///
    /// ```
    /// use bnpool_graph::{Csr, Graph, structure::NodeOrder};
    ///
    /// // A triangle with a tail, numbered in two ways.
    /// let graph = |edges: [(u32, u32); 4]| {
    ///     let both = edges.into_iter().flat_map(|(u, v)| [(u, v), (v, u)]);
    ///     Graph::builder(Csr::from_edges(4, both)?).build()
    /// };
    /// let one = graph([(0, 1), (1, 2), (2, 0), (2, 3)])?;
    /// let two = graph([(3, 2), (2, 0), (0, 3), (0, 1)])?;
    /// let canonical = |graph| NodeOrder::canonical(graph).apply(graph);
    /// assert_ne!(one, two);
    /// assert_eq!(canonical(&one), canonical(&two));
    /// # Ok::<(), bnpool_graph::GraphError>(())
    /// ```
    #[must_use]
    pub fn canonical(graph: &Graph) -> Self {
        let colours = stable_colours(graph);
        let ids = graph.node_ids();
        let tie = |a: u32, b: u32| match ids {
            Some(ids) => ids[a as usize].cmp(&ids[b as usize]),
            None => a.cmp(&b),
        };
        let colour = |u: u32| colours[u as usize];
        let mut roots: Vec<u32> = (0..graph.nodes() as u32).collect();
        roots.sort_unstable_by(|&a, &b| colour(a).cmp(&colour(b)).then_with(|| tie(a, b)));
        let mut walk = Walk {
            nodes: Vec::with_capacity(graph.nodes()),
            seen: vec![false; graph.nodes()],
            queue: VecDeque::new(),
        };
        let adjacency = graph.adjacency();
        for root in roots {
            walk.visit(root);
            while let Some(u) = walk.queue.pop_front() {
                walk.spread(adjacency, u, &colour, &tie);
                if !adjacency.is_symmetric() {
                    walk.spread(adjacency.transpose(), u, &colour, &tie);
                }
            }
        }
        Self::new(walk.nodes).expect("a walk visits every node once")
    }
}

/// State of a breadth-first search.
struct Walk {
    nodes: Vec<u32>,
    seen: Vec<bool>,
    queue: VecDeque<u32>,
}

impl Walk {
    fn visit(&mut self, u: u32) {
        if !std::mem::replace(&mut self.seen[u as usize], true) {
            self.nodes.push(u);
            self.queue.push_back(u);
        }
    }

    /// Visits the neighbours of a node by colour, then by the weight of the edge.
    fn spread(
        &mut self,
        adjacency: &Csr,
        u: u32,
        colour: &impl Fn(u32) -> u64,
        tie: &impl Fn(u32, u32) -> Ordering,
    ) {
        let entries = adjacency.row_range(u as usize);
        let mut fresh: Vec<(u64, u32, u32)> = entries
            .map(|entry| (adjacency.columns()[entry], adjacency.weight(entry)))
            .filter(|&(v, _)| !self.seen[v as usize])
            .map(|(v, weight)| (colour(v), bits(weight), v))
            .collect();
        fresh.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| tie(a.2, b.2)));
        for (_, _, v) in fresh {
            self.visit(v);
        }
    }
}

/// Maps each value to a distinct number; both zeros are equal.
fn bits(value: f32) -> u32 {
    (value + 0.0).to_bits()
}

/// Colours by features and degrees, refined by the colours of the neighbours
/// until no further nodes are distinguished.
fn stable_colours(graph: &Graph) -> Vec<u64> {
    let adjacency = graph.adjacency();
    let mut colours = feature_colours(graph.features());
    let mut kinds = distinct(&colours);
    for _ in 0..ROUNDS {
        if kinds == colours.len() {
            break;
        }
        let mut refined = refine(adjacency, &colours, 1);
        if !adjacency.is_symmetric() {
            let back = refine(adjacency.transpose(), &colours, 2);
            for (colour, back) in refined.iter_mut().zip(back) {
                *colour = scatter(*colour ^ scatter(back));
            }
        }
        let finer = distinct(&refined);
        if finer == kinds {
            break;
        }
        (colours, kinds) = (refined, finer);
    }
    colours
}

/// Runs one round of refinement. A sum of hashes does not depend on the order
/// of the neighbours.
fn refine(adjacency: &Csr, colours: &[u64], salt: u64) -> Vec<u64> {
    let around = |u: usize| {
        let seen = adjacency.row_range(u).map(|entry| {
            let colour = colours[adjacency.columns()[entry] as usize];
            scatter(colour ^ scatter(u64::from(bits(adjacency.weight(entry))) << 8 | salt))
        });
        seen.fold(0_u64, u64::wrapping_add)
    };
    (0..adjacency.rows())
        .map(|u| scatter(scatter(colours[u]) ^ around(u)))
        .collect()
}

fn feature_colours(features: &Features) -> Vec<u64> {
    let add = |hash: u64, (column, value): (usize, f32)| {
        scatter(hash ^ scatter((column as u64) << 32 | u64::from(bits(value))))
    };
    // Only nonzero values, so that dense and sparse features are equivalent.
    let filled = |entry: &(usize, f32)| entry.1 != 0.0;
    (0..features.rows())
        .map(|u| match features {
            Features::Dense(matrix) => {
                let row = matrix.row(u).iter().copied().enumerate();
                row.filter(filled).fold(0, add)
            }
            Features::Sparse(matrix) => {
                let row = matrix.row_range(u);
                let row = row.map(|e| (matrix.columns()[e] as usize, matrix.weight(e)));
                row.filter(filled).fold(0, add)
            }
        })
        .collect()
}

fn distinct(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}
