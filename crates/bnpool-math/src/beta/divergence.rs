//! The KL divergence of the posterior from the Dirichlet-process prior.

use crate::special::{digamma, ln_beta, trigamma};

/// A divergence and its derivatives with respect to both posterior parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Divergence {
    /// KL(Beta(α, β) ‖ Beta(1, c)).
    pub value: f64,
    /// ∂/∂α.
    pub by_alpha: f64,
    /// ∂/∂β.
    pub by_beta: f64,
}

/// KL(Beta(α, β) ‖ Beta(1, c)): one summand of L_π in `eq:elbo` of the paper, where c is
/// the concentration α_DP.
///
/// −ln c − ln B(α, β) + (α−1)ψ(α) + (β−c)ψ(β) + (1−α+c−β)ψ(α+β)
///
/// ```
/// // A posterior equal to the prior costs nothing.
/// assert!(bnpool_math::beta::divergence(1.0, 10.0, 10.0).value.abs() < 1e-13);
/// ```
#[must_use]
pub fn divergence(alpha: f64, beta: f64, concentration: f64) -> Divergence {
    let sum = alpha + beta;
    let rest = 1.0 - alpha + concentration - beta;
    let shared = rest * trigamma(sum);
    Divergence {
        value: -concentration.ln() - ln_beta(alpha, beta)
            + (alpha - 1.0) * digamma(alpha)
            + (beta - concentration) * digamma(beta)
            + rest * digamma(sum),
        by_alpha: (alpha - 1.0) * trigamma(alpha) + shared,
        by_beta: (beta - concentration) * trigamma(beta) + shared,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_match_finite_differences() {
        for (a, b, c) in [
            (0.01, 0.02, 1.0),
            (0.7, 3.0, 10.0),
            (20.0, 0.3, 0.1),
            (900.0, 4.0, 30.0),
        ] {
            let d = divergence(a, b, c);
            let step = |h: f64| 1e-5 * h;
            let by_alpha = (divergence(a + step(a), b, c).value
                - divergence(a - step(a), b, c).value)
                / (2.0 * step(a));
            let by_beta = (divergence(a, b + step(b), c).value
                - divergence(a, b - step(b), c).value)
                / (2.0 * step(b));
            assert!((d.by_alpha - by_alpha).abs() < 1e-6 * by_alpha.abs().max(1e-2));
            assert!((d.by_beta - by_beta).abs() < 1e-6 * by_beta.abs().max(1e-2));
            assert!(d.value > 0.0);
        }
    }
}
