//! The two tasks of BN-Pool: communities of one graph, and learning from many
//! graphs.
//!
//! ```
//! use bnpool_graph::generate::builtin_community;
//! use bnpool_task::Preset;
//! use bnpool_task::cluster::ClusterConfig;
//! use std::ops::ControlFlow;
//!
//! let graph = builtin_community()?;
//! let mut config = ClusterConfig::preset(Preset::Default);
//! config.training.epochs = 60; // enough for this graph
//! let found = bnpool_task::cluster(&graph, &config, |_| ControlFlow::Continue(()))?;
//! println!("{} communities, {:?}", found.count.communities, found.count.interval);
//! # assert!(found.modularity > 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`mod@cluster`] – one graph: settings, search, network, result;
//! - [`learn`] – many graphs: settings, data, folds, prediction;
//! - [`mod@compare`] – comparisons of poolers;
//! - [`optim`] – optimiser, schedules, early stopping;
//! - [`run`] – plan, directory, checkpoints and history of a run;
//! - [`cluster::run`], [`learn::run`] – whole runs, from input files to the files of a
//!   run directory;
//! - [`front`] – the interface to the front end of a run;
//! - [`settings`] – settings in layers; [`bounds`] – their ranges; [`offered`] – those that
//!   are flags and keywords.

pub mod bounds;
pub mod cluster;
pub mod compare;
mod error;
mod failure;
pub mod front;
pub mod learn;
mod losses;
pub mod offered;
pub mod optim;
mod preset;
pub mod ranks;
mod reading;
pub mod run;
pub mod settings;
mod threads;

pub use cluster::cluster;
pub use cluster::run::report;
pub use compare::compare;
pub use error::TaskError;
pub use failure::{Failure, FailureKind, Terms};
pub use front::Context;
pub use learn::train;
pub use preset::Preset;
pub use reading::Reading;
pub(crate) use threads::in_pool;

/// Compiles and runs the code of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
