//! Special functions of the Beta distribution.
//!
//! ln Γ, digamma ψ and trigamma ψ′ for positive arguments, and the regularised
//! incomplete beta function I_x(α, β) with its derivatives with respect to α
//! and β. Everything is `f64`, with an error of about 1e-14 of the largest
//! intermediate term. The underlying vector forms are also used by the training
//! kernels.

pub(crate) mod fraction;
mod gamma;
mod incomplete_beta;
pub(crate) mod quick_gamma;

pub use gamma::{digamma, digamma_difference, ln_beta, ln_gamma, trigamma};
pub use incomplete_beta::{IncompleteBeta, incomplete_beta, incomplete_beta_at_logit};
pub(crate) use incomplete_beta::{logarithms, side as incomplete_side};
