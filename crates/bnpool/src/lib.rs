//! BN-Pool on Burn: Bayesian nonparametric pooling for graphs.
//!
//! Pooling in a graph neural network groups the nodes of a graph into
//! supernodes. BN-Pool learns the number of supernodes of each graph. It
//! combines a Dirichlet process over cluster memberships by stick breaking, a
//! stochastic block model of the adjacency matrix, and a network that estimates
//! the posterior, trained end to end by variational inference.
//!
//! [`pool::BnPool`] can be placed between two layers of any model. The crate
//! `bnpool-task` provides community detection and learning from many graphs.
//!
//! - [`ops`] – tensor operations with hand-written backward passes;
//! - [`batch`] – batches of graphs at one level of a hierarchy;
//! - [`nn`] – layers;
//! - [`pool`] – poolers and their parts;
//! - [`model`] – the architectures of the paper;
//! - [`parallel`] – one job on several processes.

pub mod batch;
pub mod model;
pub mod nn;
pub mod ops;
pub mod pool;

/// One job on several processes: the interface of its engines.
pub use bnpool_parallel as parallel;

/// Device of tensors; `Device::flex()` is the CPU backend with the fast kernels.
pub use burn::tensor::Device;
