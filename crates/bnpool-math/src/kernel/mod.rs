//! Graph kernels on slices: parallel, deterministic, free of allocation in
//! their inner loops.

mod sparse_rows;

pub use sparse_rows::SparseRows;
