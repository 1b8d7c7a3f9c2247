//! The search for communities, and its result.
//!
//! [`find`] starts from many partitions, lowers the description length Σ of
//! each under several models, and compares the results with Σ of the graph
//! without groups.
//!
//! *Communities* are evaluated under the models of the planted partition, and
//! under the block model if its groups are communities. A partition consists of
//! communities if nearly all groups prefer themselves, i.e. have more internal
//! edges, relative to the degrees of their nodes, than edges to any other
//! group. Among these partitions, the one with the lowest Σ is the answer.
//! *Blocks* (groups of nodes with similar connections, assortative or not) are
//! evaluated under the block model alone. With [`Structure::Auto`], blocks are
//! the answer if no communities are found.
//!
//! Directions of edges are modelled by the block model if that has a lower Σ
//! than the model with directions independent of the groups. Without groups,
//! both have the same Σ, so they can be compared.
//!
//! Weights of edges are used only if groups shorten the description of the weights by more
//! than they do after a permutation of the weights over the edges; otherwise the result is
//! that of the graph without weights. Only the ranks of weights enter, so their unit does
//! not matter.
//!
//! Each connected component is searched by itself, as if it were the whole graph, so the
//! groups of separate graphs side by side are those of each. Components of a few nodes are
//! one group each. Nodes without edges are in no component and cost nothing. Only blocks
//! ([`Structure::Blocks`]) may extend over several components.
//!
//! If Σ of all partitions is close to that without groups, the evidence is
//! weak. The graph is then compared with random graphs of the same degrees: if
//! these have no comparable partition, the verdict is weak, otherwise there are
//! no groups.
//!
//! The block model of the political blogs is far shorter than any partition into
//! communities, but seven eighths of its volume are in groups that do not prefer themselves,
//! so it does not answer the question for communities. The karate club is 10 standard
//! deviations above random graphs of its degrees and counts as weak evidence; G(n, m) does
//! not. Communities are compared with the connected components of the graph, blocks with one
//! group.

mod candidate;
mod conditional;
mod config;
mod connected;
mod evidence;
mod interval;
mod null;
mod pieces;
mod progress;
mod run;
mod weights_null;

pub(crate) use candidate::preference_of;
pub use candidate::{Candidate, Judge, Origin};
pub use conditional::own_probability;
pub(crate) use conditional::probability;
pub(crate) use config::Plan;
pub use config::{SearchConfig, Structure};
pub(crate) use connected::{STRONG, is_community};
pub use evidence::{Evidence, NullTest, Verdict};
pub use interval::CountInterval;
pub use progress::{Progress, Stage};
pub use run::find;
pub use weights_null::WeightTest;
