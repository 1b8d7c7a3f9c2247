//! BN-Pool on Burn: Bayesian nonparametric pooling for graphs.
//!
//! A graph neural network groups the nodes of a graph into supernodes. BN-Pool
//! learns how many each graph needs: a Dirichlet process over cluster
//! memberships by stick breaking, a stochastic block model that must explain
//! the adjacency matrix, and a network that estimates the posterior, trained
//! end to end by variational inference.
//!
//! - [`ops`] – tensor operations with hand-written backward passes;
//! - [`nn`] – layers;
//! - [`pool`] – the operator [`pool::BnPool`] and its parts;
//! - [`model`] – the architectures of the paper;
//! - [`train`] – optimiser, schedules, checkpoints;
//! - [`run`] – the directory of a run;
//! - [`task`] – what the commands do.

pub mod model;
pub mod nn;
pub mod ops;
pub mod pool;
pub mod run;
pub mod task;
pub mod train;

/// Where tensors live; `Device::flex()` is the CPU backend with the fast kernels.
pub use burn::tensor::Device;
