//! The engine of jobs on several machines: [`Collective`] on MPI.
//!
//! This crate requires the feature `mpi`, an MPI library with its compiler
//! wrapper (`mpicc`), and libclang to parse its header.
//!
//! [`Collective`]: bnpool_parallel::Collective

#[cfg(feature = "mpi")]
mod engine;

#[cfg(feature = "mpi")]
pub use engine::{Mpi, MpiError, Session};
