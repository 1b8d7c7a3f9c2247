//! BN-Pool on Burn: Bayesian nonparametric pooling for graphs.
//!
//! A graph neural network groups the nodes of a graph into supernodes. BN-Pool
//! learns how many each graph needs: a Dirichlet process over cluster
//! memberships by stick breaking, a stochastic block model that must explain
//! the adjacency matrix, and a network that estimates the posterior, trained
//! end to end by variational inference.
//!
//! [`pool::BnPool`] stands between two layers of your own model. The crate
//! `bnpool-task` finds communities and learns from many graphs.
//!
//! - [`ops`] – tensor operations with hand-written backward passes;
//! - [`batch`] – graphs of a batch at one level of a hierarchy;
//! - [`nn`] – layers;
//! - [`pool`] – poolers and their parts;
//! - [`model`] – the architectures of the paper;
//! - [`parallel`] – one job on several processes.

pub mod batch;
pub mod model;
pub mod nn;
pub mod ops;
pub mod pool;

/// One job on several processes: the contract of its engines.
pub use bnpool_parallel as parallel;

/// Where tensors live; `Device::flex()` is the CPU backend with the fast kernels.
pub use burn::tensor::Device;
