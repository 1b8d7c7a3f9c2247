//! Graph transforms.
//!
//! Each transform borrows its input and returns a new value. Nodes keep their
//! numbers; node features, labels, ids and the target are carried over; edge
//! features follow their edges. Weights are computed in `f64` and stored as
//! `f32`.

mod normalise;
mod self_loops;
mod undirect;

pub use normalise::{DEFAULT_DELTA, graph_filter};
pub use normalise::{normalise_gcn, normalise_symmetric};
pub use self_loops::{add_self_loops, remove_self_loops};
pub use undirect::undirect;

use crate::csr::Csr;
use crate::graph::Graph;
use crate::matrix::Matrix;

/// Marks an entry that the old adjacency does not have.
const NEW_ENTRY: usize = usize::MAX;

/// An adjacency derived from another one.
struct Rewired {
    adjacency: Csr,
    /// Position of each entry in the old adjacency, or [`NEW_ENTRY`].
    origins: Vec<usize>,
}

impl Rewired {
    /// Replaces the adjacency of a graph: old entries keep the edge features of
    /// their origin, new ones get zeros.
    fn apply(self, graph: &Graph) -> Graph {
        let edge_features = graph
            .edge_features()
            .map(|old| follow_origins(old, &self.origins));
        graph.rewired(self.adjacency, edge_features)
    }
}

fn follow_origins(old: &Matrix, origins: &[usize]) -> Matrix {
    let width = old.columns();
    let mut values = Vec::with_capacity(origins.len() * width);
    for &origin in origins {
        if origin == NEW_ENTRY {
            values.resize(values.len() + width, 0.0);
        } else {
            values.extend_from_slice(old.row(origin));
        }
    }
    Matrix::trusted(origins.len(), width, values)
}
