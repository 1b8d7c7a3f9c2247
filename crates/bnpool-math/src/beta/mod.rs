//! The Beta distribution of the stick fractions.
//!
//! BN-Pool's posterior of a stick fraction is q(π′) = Beta(α̃, β̃) (`eq:q_pi` of
//! the paper). A variate is represented by its **logit** ℓ = ln π′ − ln(1−π′):
//! for α̃ = β̃ = 1e-3 most of the mass lies at fractions so close to 0 or 1 that
//! π′ or 1−π′ would round to zero, while ℓ is an ordinary number. Derivatives
//! are taken of ℓ for the same reason: dπ′ = π′(1−π′) dℓ.
//!
//! - [`sample_logit`] – a variate, from two gamma variates in log space;
//! - [`logit_derivatives`], [`pathwise`] – the derivative at fixed quantile, by
//!   implicit differentiation of the distribution function;
//! - [`divergence`] – KL(Beta(α, β) ‖ Beta(1, α_DP)) with derivatives;
//! - [`stick_lengths`] – maps stick fractions to cluster memberships, with its
//!   backward pass;
//! - [`Posterior`] – all of the above for many nodes at once, fused and
//!   vectorised.

mod divergence;
mod lanes;
mod pathwise;
mod posterior;
pub(crate) mod row;
mod sample;
mod sticks;

pub use divergence::{Divergence, divergence};
pub use pathwise::{logit_derivatives, pathwise};
pub use posterior::{Fractions, Posterior, PosteriorPass, Prior, RowKeys, Wanted};
pub use sample::sample_logit;
pub use sticks::{logit_gradients, stick_lengths};

/// Bounds of α̃ and β̃ (`app:imp_details` of the paper).
pub const PARAMETER_BOUNDS: (f64, f64) = (1e-3, 1e3);

/// ℓ = ln x − ln(1−x) of a fraction.
#[must_use]
pub fn logit(x: f64) -> f64 {
    x.ln() - (-x).ln_1p()
}
