//! Negative edges for the sparse reconstruction loss (`app:sparse_impl` of the paper).

mod pairs;
mod regular;
mod rows;

pub use regular::RegularPairs;

use super::SparseRows;
use crate::stream::Stream;
use pairs::Pairs;
use rayon::prelude::*;
use rows::Rows;

/// Pairs of nodes without an edge, in both directions, by rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Negatives {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    graphs: Vec<usize>,
}

impl Negatives {
    /// Wraps pairs that were drawn elsewhere; each must be present in both
    /// directions.
    ///
    /// # Panics
    ///
    /// Panics if the offsets of the graphs do not match the matrix.
    #[must_use]
    pub fn given(pairs: SparseRows<'_>, offsets: &[usize]) -> Self {
        assert_eq!(
            offsets.last(),
            Some(&pairs.rows()),
            "offsets cover every node"
        );
        Self {
            offsets: pairs.offsets.to_vec(),
            columns: pairs.columns.to_vec(),
            graphs: offsets
                .windows(2)
                .map(|w| pairs.offsets[w[1]] - pairs.offsets[w[0]])
                .collect(),
        }
    }

    /// The pairs as a sparse matrix of ones.
    #[must_use]
    pub fn view(&self) -> SparseRows<'_> {
        SparseRows {
            offsets: &self.offsets,
            columns: &self.columns,
            weights: None,
            columns_count: self.offsets.len() - 1,
        }
    }

    /// Number of directed entries |E⁻| of each graph.
    #[must_use]
    pub fn counts(&self) -> &[usize] {
        &self.graphs
    }
}

/// Draws as many negatives for each graph as it has edges, |E⁻| = E, or all
/// pairs without an edge if there are fewer.
///
/// Negatives are unordered pairs of distinct nodes joined in neither direction,
/// each stored in both directions: no self-loops, no duplicates, no edges.
/// Pairs are drawn by rejection if most pairs are free, and from a list of the
/// free pairs if most are edges, so memory is always O(E). The negatives of a
/// graph depend on the stream and on the key of the graph, not on the batch.
///
/// # Complexity
///
/// O(N + E log d) time for neighbourhoods of d nodes, O(N + E) memory.
///
/// # Panics
///
/// Panics if the offsets do not match the matrix or the keys.
#[must_use]
pub fn sample_negatives(
    adjacency: SparseRows<'_>,
    offsets: &[usize],
    graph_keys: &[u32],
    stream: &Stream,
) -> Negatives {
    let nodes = adjacency.rows();
    assert!(
        offsets.last() == Some(&nodes) && offsets.len() == graph_keys.len() + 1,
        "offsets and a key of every graph"
    );
    let mut graphs: Vec<Rows> = offsets
        .par_windows(2)
        .zip(graph_keys)
        .map(|(w, &key)| {
            let nodes = w[1] - w[0];
            let pairs = Pairs::new(adjacency, w[0], nodes).sample(stream, key);
            Rows::new(&pairs, w[0], nodes)
        })
        .collect();
    let counts = graphs.iter().map(|rows| rows.columns.len()).collect();
    let all = match graphs.len() {
        1 => graphs.swap_remove(0),
        _ => Rows::stack(&graphs),
    };
    Negatives {
        offsets: all.offsets,
        columns: all.columns,
        graphs: counts,
    }
}
