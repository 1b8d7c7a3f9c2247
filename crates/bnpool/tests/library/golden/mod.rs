//! Golden values from PyTorch, mpmath and scikit-learn.
//!
//! The values are read from the directory in `BNPOOL_FIXTURES`, by default
//! `tests/fixtures` of this crate, so other values of the same form can be
//! used. All tolerances are in `tolerance.rs`, with their reasons.

mod beta;
mod chain;
mod connect;
mod firm;
mod fixture;
mod graph_models;
mod layers;
mod losses;
mod metrics;
mod models;
mod poolers;
mod pretransform;
mod soft_losses;
mod sticks;
mod tensors;
mod tolerance;
