//! Golden values from PyTorch, mpmath and scikit-learn.
//!
//! The values are read from the folder that `BNPOOL_FIXTURES` names, by default
//! `fixtures` at the root of the repository, so other values of the same form
//! can be tried. Every tolerance is in `tolerance.rs` with its reason.

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
