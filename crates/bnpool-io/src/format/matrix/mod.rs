//! Adjacency matrices, dense and sparse, as text and as arrays.

pub mod csr_bundle;
pub(crate) mod dense;
pub(crate) mod market;
pub(crate) mod npy;
pub(crate) mod scipy;
