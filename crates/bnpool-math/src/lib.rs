//! Numbers on slices for BN-Pool.
//!
//! Everything that costs time in *Bayesian Nonparametric Pooling for Graphs*
//! lives here, on plain slices and without any tensor library:
//!
//! - [`special`] – ln Γ, digamma, trigamma and the regularised incomplete beta
//!   function with its derivatives by both parameters;
//! - [`beta`] – Beta variates in log space, their exact pathwise derivatives,
//!   the KL divergence to Beta(1, α_DP), and the stick-breaking construction;
//! - [`buffer`] – arrays that are used again from step to step;
//! - [`stream`] – keyed random streams that do not depend on threads;
//! - [`kernel`] – sparse products, graph coarsening, the reconstruction losses
//!   of the stochastic block model and negative-edge sampling;
//! - [`spectral`] – leading eigenvectors of a graph, and a dense symmetric
//!   eigensolver;
//! - [`kmeans`] – points into groups around their means;
//! - [`memory`] – sizes are checked before memory is taken;
//! - [`metrics`] – agreement with known classes, classification, clusters in
//!   use;
//! - [`optimise`] – minimising smooth functions.
//!
//! All kernels are deterministic: the same input gives the same bytes on any
//! number of threads. They are generic over [`Real`] (`f32` to train, `f64` to
//! prove), vectorised at run time for the processor they meet, and free of
//! `unsafe`.

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
