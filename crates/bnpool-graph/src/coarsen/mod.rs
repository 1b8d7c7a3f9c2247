//! Graph coarsening algorithms that need no tensors.
//!
//! These are the coarsenings behind pooling methods other than BN-Pool. Most
//! return an [`Assigned`], which assigns each node to one supernode and from
//! which [`coarsen_graph`] builds the graph of the supernodes. EigenPooling
//! returns [`Modes`].
//!
//! | function | supernodes | depends on | time |
//! |---|---|---|---|
//! | [`graclus`] | pairs along heavy edges | graph, seed | O(N log N + E) |
//! | [`independent_set`] | around a maximal k-independent set | graph, scores | O(N log N + k E) |
//! | [`Matcher::contract`] | ends of contracted edges | graph, scores of edges | O(E log E) |
//! | [`coding_tree`] | levels of a tree of low structural entropy | graph | about O(E log E) |
//! | [`spectral_clusters`], [`local_modes`] | spectral clusters, with their Fourier modes | graph, seed | O(N K²) a round of k-means |
//!
//! ```
//! use bnpool_graph::Csr;
//! use bnpool_graph::coarsen::{Connect, coarsen_graph, graclus};
//!
//! // A ring of eight nodes, pooled twice.
//! let ring = (0..8).flat_map(|u| [(u, (u + 1) % 8), ((u + 1) % 8, u)]);
//! let ring = Csr::from_edges(8, ring)?;
//! let first = graclus(&ring, 0)?;
//! let pooled = coarsen_graph(&ring, &first, &Connect::default())?;
//! let second = graclus(&pooled, 0)?;
//! assert!(second.supernodes() < first.supernodes());
//! assert_eq!(first.then(&second)?.nodes(), 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Algorithms that draw (Graclus, spectral clusters) draw for positions in the canonical
//! order of the nodes, so the numbering does not matter. Algorithms that rank (k-MIS, edge
//! contraction, coding trees) break ties by numbers, as the reference does.

mod assigned;
mod connect;
mod eigen;
mod error;
mod graclus;
mod kmis;
mod matching;
mod prepare;
mod sep;

pub use assigned::Assigned;
pub use connect::{Connect, EdgeWeight, coarsen_graph};
pub use eigen::{Modes, SpectralClustering, cluster_spectrum, local_modes, spectral_clusters};
pub use error::CoarsenError;
pub use graclus::graclus;
pub use kmis::{IndependentSet, independent_set, scores_by_neighbourhood};
pub use matching::{Contraction, Matcher};
pub use sep::coding_tree;
