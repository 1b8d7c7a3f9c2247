//! The engine of jobs on several machines: [`Collective`] on MPI.
//!
//! Everything here needs the feature `mpi`, an MPI library with its compiler
//! wrapper (`mpicc`), and libclang to read its header.
//!
//! [`Collective`]: bnpool_parallel::Collective

#[cfg(feature = "mpi")]
mod engine;

#[cfg(feature = "mpi")]
pub use engine::{Mpi, MpiError, Session};
