//! The pathwise derivative of a Beta variate.
//!
//! Holding the quantile u = I_x(α, β) fixed, dx/dα = −(∂I/∂α) / p(x), where
//! p is the density (equation 7 of Figurnov et al., 2018). In terms of the
//! logit ℓ the density's powers cancel: with w = x^α (1−x)^β / B(α, β),
//! p(x) x (1−x) = w, so dℓ/dα = −(∂I/∂α) / w needs neither w nor B.

use super::logit;
use crate::special::{incomplete_side, logarithms};

/// (dℓ/dα, dℓ/dβ) of the variate with logit ℓ.
///
/// # Complexity
///
/// O(√max(α, β)) terms of a continued fraction.
///
/// ```
/// // Beta(α, 1): x = u^(1/α), so dx/dα = −x ln x / α.
/// let (alpha, x) = (2.5, 0.3_f64);
/// let (by_alpha, _) = bnpool_math::beta::logit_derivatives(alpha, 1.0, x.ln() - (-x).ln_1p());
/// assert!((by_alpha * x * (1.0 - x) + x * x.ln() / alpha).abs() < 1e-14);
/// ```
#[must_use]
pub fn logit_derivatives(alpha: f64, beta: f64, logit: f64) -> (f64, f64) {
    let (ln_x, ln_1mx) = logarithms(logit);
    let s = incomplete_side(alpha, beta, ln_x, ln_1mx);
    if s.swapped {
        (s.by_b, s.by_a)
    } else {
        (-s.by_a, -s.by_b)
    }
}

/// (dx/dα, dx/dβ) of the variate x itself, 0 < x < 1.
#[must_use]
pub fn pathwise(alpha: f64, beta: f64, x: f64) -> (f64, f64) {
    let (by_alpha, by_beta) = logit_derivatives(alpha, beta, logit(x));
    let slope = x * (1.0 - x);
    (by_alpha * slope, by_beta * slope)
}
