//! The regularised incomplete beta function.

use super::fraction::fraction;
use super::gamma::{digamma_difference, ln_beta};
use crate::vector::level;
use fearless_simd::dispatch;
use fearless_simd::prelude::*;

/// I_x(α, β), its complement and its derivatives with respect to both
/// parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IncompleteBeta {
    /// I_x(α, β): the distribution function of Beta(α, β) at x.
    pub value: f64,
    /// 1 − I_x(α, β), precise even if the value is close to 1.
    pub complement: f64,
    /// ∂I/∂α (never positive).
    pub by_alpha: f64,
    /// ∂I/∂β (never negative).
    pub by_beta: f64,
}

/// Relative change at which the continued fraction counts as converged.
pub(crate) const PRECISE: f64 = 1e-15;

/// Value and derivatives without their common factor w, on the side of the mean
/// on which the fraction converges.
///
/// With w = zᵃ(1−z)ᵇ/B(a, b): I_z = w F / a, ∂I/∂a = w `by_a`, ∂I/∂b = w `by_b`.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    /// F / a.
    pub(crate) value: f64,
    pub(crate) by_a: f64,
    pub(crate) by_b: f64,
    /// Whether (a, b, z) = (β, α, 1 − x).
    pub(crate) swapped: bool,
}

/// Evaluates [`Side`] for x given by ln x and ln(1−x), both exact.
pub(crate) fn side(alpha: f64, beta: f64, ln_x: f64, ln_1mx: f64) -> Side {
    let x = ln_x.exp();
    let swapped = x > (alpha + 1.0) / (alpha + beta + 2.0);
    let (a, b, ln_z, ln_1mz) = if swapped {
        (beta, alpha, ln_1mx, ln_x)
    } else {
        (alpha, beta, ln_x, ln_1mx)
    };
    let (f, by_a, by_b) = dispatch!(level(), simd => one_lane(simd, a, b, ln_z.exp()));
    // ψ(a+b) − ψ(1+a) and ψ(a+b) − ψ(b). The pole 1/a of ψ(a) cancels the one
    // of ∂(F/a)/∂a analytically, so tiny a costs no digits.
    let to_a = digamma_difference(a, b) - 1.0 / a;
    let to_a = if b >= 1.0 {
        digamma_difference(1.0 + a, b - 1.0)
    } else {
        to_a
    };
    let to_b = digamma_difference(b, a);
    Side {
        value: f / a,
        by_a: ((ln_z + to_a) * f + by_a) / a,
        by_b: ((ln_1mz + to_b) * f + by_b) / a,
        swapped,
    }
}

#[inline(always)]
fn one_lane<S: Simd>(simd: S, a: f64, b: f64, z: f64) -> (f64, f64, f64) {
    let splat = |x| simd.splat_f64x4(x);
    let f = fraction(simd, splat(a), splat(b), splat(z), PRECISE);
    (f.value[0], f.by_a[0], f.by_b[0])
}

/// The regularised incomplete beta function I_x(α, β) with its derivatives.
///
/// Defined for α, β > 0 and 0 ≤ x ≤ 1; all four numbers are NaN elsewhere.
///
/// # Complexity
///
/// O(√max(α, β)) terms of a continued fraction.
///
/// ```
/// let i = bnpool_math::special::incomplete_beta(2.0, 3.0, 0.4);
/// assert!((i.value - 0.5248).abs() < 1e-12);
/// assert!(i.by_alpha < 0.0 && i.by_beta > 0.0);
/// ```
#[must_use]
pub fn incomplete_beta(alpha: f64, beta: f64, x: f64) -> IncompleteBeta {
    let everywhere = |value: f64, complement| IncompleteBeta {
        value,
        complement,
        by_alpha: if value.is_nan() { value } else { 0.0 },
        by_beta: if value.is_nan() { value } else { 0.0 },
    };
    match x {
        x if !(0.0..=1.0).contains(&x) => everywhere(f64::NAN, f64::NAN),
        _ if !(alpha > 0.0 && beta > 0.0) => everywhere(f64::NAN, f64::NAN),
        0.0 => everywhere(0.0, 1.0),
        1.0 => everywhere(1.0, 0.0),
        x => from_logarithms(alpha, beta, x.ln(), (-x).ln_1p()),
    }
}

/// [`incomplete_beta`] at x = σ(ℓ), also if x or 1−x is not representable as a
/// float.
///
/// ```
/// // Half of the mass of Beta(α, α) lies on either side.
/// let i = bnpool_math::special::incomplete_beta_at_logit(1e-3, 1e-3, 0.0);
/// assert!((i.value - 0.5).abs() < 1e-12);
/// ```
#[must_use]
pub fn incomplete_beta_at_logit(alpha: f64, beta: f64, logit: f64) -> IncompleteBeta {
    let (ln_x, ln_1mx) = logarithms(logit);
    from_logarithms(alpha, beta, ln_x, ln_1mx)
}

/// (ln x, ln(1−x)) = (−softplus(−ℓ), −softplus(ℓ)) of x = σ(ℓ).
pub(crate) fn logarithms(logit: f64) -> (f64, f64) {
    let tail = (-logit.abs()).exp().ln_1p();
    (-((-logit).max(0.0) + tail), -(logit.max(0.0) + tail))
}

fn from_logarithms(alpha: f64, beta: f64, ln_x: f64, ln_1mx: f64) -> IncompleteBeta {
    let s = side(alpha, beta, ln_x, ln_1mx);
    let w = (alpha * ln_x + beta * ln_1mx - ln_beta(alpha, beta)).exp();
    let near = w * s.value;
    if s.swapped {
        IncompleteBeta {
            value: 1.0 - near,
            complement: near,
            by_alpha: -w * s.by_b,
            by_beta: -w * s.by_a,
        }
    } else {
        IncompleteBeta {
            value: near,
            complement: 1.0 - near,
            by_alpha: w * s.by_a,
            by_beta: w * s.by_b,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms() {
        for x in [1e-9, 0.1, 0.5, 0.9, 1.0 - 1e-9] {
            // I_x(α, 1) = x^α with derivative x^α ln x.
            for a in [0.001, 0.3, 1.0, 7.5, 400.0] {
                let i = incomplete_beta(a, 1.0, x);
                let want = f64::powf(x, a);
                // The exponent a ln x is rounded before it is exponentiated.
                let tolerance = 1e-13 * (1.0 + a * x.ln().abs());
                assert!((i.value - want).abs() <= tolerance * want, "I_{x}({a}, 1)");
                let by_alpha = want * x.ln();
                assert!((i.by_alpha - by_alpha).abs() <= 100.0 * tolerance * by_alpha.abs());
            }
        }
    }

    #[test]
    fn derivatives_match_finite_differences() {
        for (a, b, x) in [
            (0.3, 0.7, 0.2),
            (2.0, 5.0, 0.6),
            (30.0, 12.0, 0.7),
            (0.02, 3.0, 0.01),
        ] {
            let i = incomplete_beta(a, b, x);
            let h = 1e-5 * a;
            let da = (incomplete_beta(a + h, b, x).value - incomplete_beta(a - h, b, x).value)
                / (2.0 * h);
            let h = 1e-5 * b;
            let db = (incomplete_beta(a, b + h, x).value - incomplete_beta(a, b - h, x).value)
                / (2.0 * h);
            assert!(
                (i.by_alpha - da).abs() < 1e-7 * da.abs().max(1e-3),
                "{a} {b} {x}: {} {da}",
                i.by_alpha
            );
            assert!(
                (i.by_beta - db).abs() < 1e-7 * db.abs().max(1e-3),
                "{a} {b} {x}: {} {db}",
                i.by_beta
            );
        }
    }

    #[test]
    fn ends_and_nonsense() {
        assert_eq!(incomplete_beta(2.0, 3.0, 0.0).value, 0.0);
        assert_eq!(incomplete_beta(2.0, 3.0, 1.0).complement, 0.0);
        for (a, b, x) in [
            (0.0, 1.0, 0.5),
            (1.0, -1.0, 0.5),
            (1.0, 1.0, 1.5),
            (1.0, 1.0, f64::NAN),
        ] {
            let i = incomplete_beta(a, b, x);
            assert!(i.value.is_nan() && i.by_alpha.is_nan());
        }
    }
}
