//! Numerical kernels on slices for BN-Pool.
//!
//! The time-critical parts of *Bayesian Nonparametric Pooling for Graphs* live
//! here, on plain slices and without a tensor library:
//!
//! - [`special`] – ln Γ, digamma, trigamma and the regularised incomplete beta
//!   function with its derivatives with respect to both parameters;
//! - [`beta`] – Beta variates in log space, their exact pathwise derivatives,
//!   the KL divergence to Beta(1, α_DP), and the stick-breaking construction;
//! - [`buffer`] – arrays that are reused from step to step;
//! - [`stream`] – keyed random streams that do not depend on threads;
//! - [`kernel`] – sparse products, graph coarsening, the reconstruction losses
//!   of the stochastic block model and negative-edge sampling;
//! - [`spectral`] – leading eigenvectors of a graph, and a dense symmetric
//!   eigensolver;
//! - [`kmeans`] – k-means clustering;
//! - [`memory`] – checks sizes before memory is allocated;
//! - [`metrics`] – agreement with known classes, classification, number of
//!   clusters in use;
//! - [`optimise`] – minimisation of smooth functions.
//!
//! All kernels are deterministic: equal input gives equal bytes on any number
//! of threads. They are generic over [`Real`] (`f32` for training, `f64` for
//! verification), select vector instructions at run time, and contain no
//! `unsafe` code.

pub mod beta;
#[doc(hidden)]
pub mod buffer;
pub mod kernel;
pub mod kmeans;
pub mod memory;
pub mod metrics;
pub mod optimise;
mod real;
pub mod special;
pub mod spectral;
pub mod stream;
mod vector;

pub use real::Real;
