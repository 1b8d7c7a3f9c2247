//! Arrays of numpy.

pub mod npy;
pub mod npz;
