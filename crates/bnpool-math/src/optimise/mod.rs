//! Minimisation of smooth functions of many variables.

mod lbfgs;

pub use lbfgs::{Lbfgs, Minimum};
