//! Kernels against their definitions, golden values and brute force.

mod block_model;
mod kernels;
mod matrix;
mod metrics;
mod posterior;
mod sampler;
mod sparse_loss;
mod spectral;
