//! BN-Pool on Burn: Bayesian nonparametric pooling for graphs.
//!
//! A graph neural network groups the nodes of a graph into supernodes. BN-Pool
//! learns how many each graph needs: a Dirichlet process over cluster
//! memberships by stick breaking, a stochastic block model that must explain
//! the adjacency matrix, and a network that estimates the posterior, trained
//! end to end by variational inference.
//!
//! ```
//! use bnpool::task::Preset;
//! use bnpool::task::cluster::ClusterConfig;
//! use bnpool_graph::generate::builtin_community;
//! use std::ops::ControlFlow;
//!
//! let graph = builtin_community()?;
//! let mut config = ClusterConfig::preset(Preset::Default);
//! config.training.epochs = 60; // enough for this graph
//! let found = bnpool::cluster(&graph, &config, |_| ControlFlow::Continue(()))?;
//! println!("{} communities, {:?}", found.count.communities, found.count.interval);
//! # assert!(found.modularity > 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`cluster`] finds communities, [`train()`] learns from many graphs, and
//! [`pool::BnPool`] stands between two layers of your own model.
//!
//! - [`ops`] – tensor operations with hand-written backward passes;
//! - [`batch`] – graphs of a batch at one level of a hierarchy;
//! - [`nn`] – layers;
//! - [`pool`] – poolers and their parts;
//! - [`model`] – the architectures of the paper;
//! - [`mod@train`] – optimiser, schedules, checkpoints;
//! - [`run`] – the directory of a run;
//! - [`task`] – the jobs: configuration, data, training, result;
//! - [`parallel`] – one job on several processes.

pub mod batch;
pub mod model;
pub mod nn;
pub mod ops;
pub mod pool;
pub mod run;
pub mod task;
pub mod train;

pub use task::cluster::cluster;
pub use task::learn::train;

/// One job on several processes: the contract of its engines.
pub use bnpool_parallel as parallel;

/// Where tensors live; `Device::flex()` is the CPU backend with the fast kernels.
pub use burn::tensor::Device;

/// The code of the README, compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
