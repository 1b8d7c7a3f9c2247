//! New graphs out of old ones.
//!
//! Every transform borrows its input and returns a new value. Nodes keep their
//! numbers; node features, labels, ids and the target are carried over; edge
//! features follow their edges. Numbers are computed with 64 bits and stored
//! with 32.

mod laplacian;
mod normalise;
mod self_loops;
mod undirect;

pub use laplacian::{DEFAULT_DELTA, graph_filter};
pub use normalise::{normalise_gcn, normalise_symmetric};
pub use self_loops::{add_self_loops, remove_self_loops};
pub use undirect::undirect;

use crate::csr::Csr;
use crate::graph::Graph;
use crate::matrix::Matrix;

/// Mark of an entry that the old adjacency did not have.
const NEW_ENTRY: usize = usize::MAX;

/// An adjacency made from another one.
struct Rewired {
    adjacency: Csr,
    /// For each entry its position in the old adjacency, or [`NEW_ENTRY`].
    origins: Vec<usize>,
}

impl Rewired {
    /// The graph with this adjacency instead of its own: old entries keep the
    /// edge features of their origin, new ones get zeros.
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
