//! Graph data structures for BN-Pool.
//!
//! A [`Csr`] stores the adjacency in compressed rows; a [`Graph`] adds
//! attributes of nodes, edges and the whole graph; the functions of
//! [`transform`] derive new graphs; a [`Batch`] combines graphs of different
//! sizes, ragged and without padding.
//!
//! All values are checked on construction, so existing values are well formed;
//! violations are reported as a [`GraphError`]. `edges` always counts directed
//! entries of the adjacency: an undirected edge counts twice.
//!
//! ```
//! use bnpool_graph::{Batch, Csr, Graph, Matrix, Target, transform};
//!
//! // A path and a triangle, each edge listed once.
//! let path = Graph::builder(Csr::from_edges(3, [(0, 1), (1, 2)])?)
//!     .features(Matrix::from_rows([[1.0], [2.0], [3.0]])?)
//!     .target(Target::Class(0))
//!     .build()?;
//! let triangle = Graph::builder(Csr::from_edges(3, [(0, 1), (1, 2), (0, 2)])?)
//!     .features(Matrix::from_rows([[4.0], [5.0], [6.0]])?)
//!     .target(Target::Class(1))
//!     .build()?;
//!
//! let path = transform::undirect(&path);
//! let triangle = transform::undirect(&triangle);
//! let batch = Batch::new(&[&path, &triangle])?;
//!
//! assert_eq!((batch.graphs(), batch.nodes(), batch.edges()), (2, 6, 10));
//! assert_eq!(batch.offsets(), [0, 3, 6]);
//! assert_eq!(batch.adjacency().row(4), [3, 5]);
//! # Ok::<(), bnpool_graph::GraphError>(())
//! ```

mod batch;
pub mod coarsen;
mod csr;
pub mod divide;
mod error;
mod features;
pub mod generate;
mod graph;
mod matrix;
pub mod split;
pub mod structure;
mod target;
pub mod transform;

pub use batch::Batch;
pub use csr::Csr;
pub use error::GraphError;
pub use features::Features;
pub use graph::{Graph, GraphBuilder, UNLABELLED};
pub use matrix::Matrix;
pub use target::{Target, Targets};
