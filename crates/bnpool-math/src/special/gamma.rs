//! ln Γ and its first two derivatives.
//!
//! The argument is shifted up by `SHIFT`, so that Stirling's series converges
//! fast. With P(z) = z(z+1)…(z+SHIFT−1) the shift costs three fused
//! multiplications per step and a single partition:
//!
//! - ln Γ(z) = ln Γ(z+SHIFT) − ln P
//! - ψ(z)    = ψ(z+SHIFT) − P′/P
//! - ψ′(z)   = ψ′(z+SHIFT) + (P′/P)² − P″/P

use crate::vector::{Vector, horner, level};
use fearless_simd::prelude::*;
use fearless_simd::{dispatch, f64x4};

/// B₂ₖ / (2k(2k−1)): Stirling's series of ln Γ in 1/z.
const LN_GAMMA: [f64; 7] = [
    1.0 / 12.0,
    -1.0 / 360.0,
    1.0 / 1260.0,
    -1.0 / 1680.0,
    1.0 / 1188.0,
    -691.0 / 360_360.0,
    1.0 / 156.0,
];

/// B₂ₖ / 2k: the series of ψ in 1/z².
const DIGAMMA: [f64; 7] = [
    1.0 / 12.0,
    -1.0 / 120.0,
    1.0 / 252.0,
    -1.0 / 240.0,
    1.0 / 132.0,
    -691.0 / 32_760.0,
    1.0 / 12.0,
];

/// B₂ₖ: the series of ψ′ in 1/z².
const TRIGAMMA: [f64; 7] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
];

/// ½ ln 2π.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// From this argument on, the series has the precision of `f64`.
const SHIFT: usize = 10;

/// ln Γ(z), ψ(z) and ψ′(z) of four numbers at once.
struct Gamma<S: Simd> {
    ln_gamma: f64x4<S>,
    digamma: f64x4<S>,
    trigamma: f64x4<S>,
}

/// ln Γ, ψ and ψ′ of positive numbers below about 1e15.
#[inline(always)]
fn gamma<S: Simd>(simd: S, z: f64x4<S>) -> Gamma<S> {
    let mut p = z;
    let mut p1 = f64x4::constant(simd, 1.0);
    let mut p2 = f64x4::constant(simd, 0.0);
    let mut shifted = z;
    for _ in 1..SHIFT {
        shifted += 1.0;
        p2 = p2.mul_add(shifted, p1 * 2.0);
        p1 = p1.mul_add(shifted, p);
        p *= shifted;
    }
    let x = shifted + 1.0;
    let inverse = f64x4::constant(simd, 1.0) / (p * x);
    // One partition gives 1/P and 1/x.
    let (inverse_p, r) = (inverse * x, inverse * p);
    let (q1, q2) = (p1 * inverse_p, p2 * inverse_p);
    let ln = x.ln();
    let r2 = r * r;
    let stirling = r * horner(simd, r2, &LN_GAMMA);
    let ln_gamma = (x - 0.5).mul_add(ln, HALF_LN_TAU - x) + stirling;
    let digamma = ln - r * 0.5 - r2 * horner(simd, r2, &DIGAMMA);
    let trigamma = r + r2 * 0.5 + r * r2 * horner(simd, r2, &TRIGAMMA);
    Gamma {
        ln_gamma: ln_gamma - p.ln(),
        digamma: digamma - q1,
        trigamma: trigamma + q1.mul_add(q1, -q2),
    }
}

/// Selects one of the three functions of [`gamma`] for scalar callers.
#[derive(Clone, Copy)]
enum Which {
    LnGamma,
    Digamma,
    Trigamma,
}

#[inline(always)]
fn one_lane<S: Simd>(simd: S, z: f64, which: Which) -> f64 {
    let g = gamma(simd, simd.splat_f64x4(z));
    match which {
        Which::LnGamma => g.ln_gamma[0],
        Which::Digamma => g.digamma[0],
        Which::Trigamma => g.trigamma[0],
    }
}

/// Beyond this the leading terms of Stirling's series are exact in `f64`.
const HUGE: f64 = 1e15;

/// ln Γ(z) for z > 0; NaN elsewhere.
///
/// ```
/// assert!((bnpool_math::special::ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-14);
/// ```
#[must_use]
pub fn ln_gamma(z: f64) -> f64 {
    match z {
        z if z.is_nan() || z <= 0.0 => f64::NAN,
        z if z > HUGE => z * (z.ln() - 1.0),
        // Γ(z) → 1/z; keeps the product away from subnormal numbers.
        z if z < 1e-200 => -z.ln(),
        z => dispatch!(level(), simd => one_lane(simd, z, Which::LnGamma)),
    }
}

/// Digamma ψ(z) = d ln Γ / dz for z > 0; NaN elsewhere.
#[must_use]
pub fn digamma(z: f64) -> f64 {
    match z {
        z if z.is_nan() || z <= 0.0 => f64::NAN,
        z if z > HUGE => z.ln(),
        z if z < 1e-200 => -1.0 / z,
        z => dispatch!(level(), simd => one_lane(simd, z, Which::Digamma)),
    }
}

/// Trigamma ψ′(z) for z > 0; NaN elsewhere.
#[must_use]
pub fn trigamma(z: f64) -> f64 {
    match z {
        z if z.is_nan() || z <= 0.0 => f64::NAN,
        z if z > HUGE => 1.0 / z,
        z if z < 1e-100 => (1.0 / z) / z,
        z => dispatch!(level(), simd => one_lane(simd, z, Which::Trigamma)),
    }
}

/// ln B(α, β) for positive α, β.
#[must_use]
pub fn ln_beta(alpha: f64, beta: f64) -> f64 {
    ln_gamma(alpha) + ln_gamma(beta) - ln_gamma(alpha + beta)
}

/// ψ(z + h) − ψ(z) for z > 0, h ≥ 0, without the cancellation of a plain
/// difference: for h ≪ z it is about h ψ′(z), far below the rounding of ψ.
///
/// ```
/// use bnpool_math::special::{digamma_difference, trigamma};
/// let (z, h) = (1000.0, 1e-9);
/// assert!((digamma_difference(z, h) / (h * trigamma(z)) - 1.0).abs() < 1e-11);
/// ```
#[must_use]
pub fn digamma_difference(z: f64, h: f64) -> f64 {
    let mut z = z;
    let mut sum = 0.0;
    // Σ 1/(z+k) − 1/(z+h+k), each quotient exact to rounding.
    while z < SHIFT as f64 {
        sum += h / (z * (z + h));
        z += 1.0;
    }
    let w = z + h;
    // 1/z² − 1/w² = h(z + w)/(z w)², and so on for every power.
    let (r, s) = (1.0 / (z * z), 1.0 / (w * w));
    let mut difference = h * (z + w) * r * s;
    let first = difference;
    let mut power = s;
    let mut series = 0.0;
    for (k, c) in DIGAMMA.iter().enumerate() {
        if k > 0 {
            difference = difference * r + first * power;
            power *= s;
        }
        series += c * difference;
    }
    sum + (h / z).ln_1p() + 0.5 * h / (z * w) + series
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const EULER: f64 = 0.577_215_664_901_532_9;

    fn close(got: f64, want: f64, tolerance: f64) {
        assert!(
            (got - want).abs() <= tolerance * want.abs().max(1.0),
            "{got} is not {want}"
        );
    }

    #[test]
    fn known_values() {
        close(ln_gamma(1.0), 0.0, 1e-14);
        close(ln_gamma(2.0), 0.0, 1e-14);
        close(ln_gamma(0.001), 6.907_178_885_383_853, 1e-15);
        close(ln_gamma(171.0), 706.573_062_245_787_5, 1e-15);
        close(digamma(1.0), -EULER, 1e-15);
        close(digamma(0.5), -EULER - 2.0 * 2.0_f64.ln(), 1e-15);
        close(digamma(1e-3), -1_000.575_571_931_810_5, 1e-15);
        close(trigamma(1.0), PI * PI / 6.0, 1e-15);
        close(trigamma(0.5), PI * PI / 2.0, 1e-15);
        close(trigamma(1e-3), 1_000_001.642_533_195, 1e-15);
    }

    #[test]
    fn recurrences_hold_over_the_whole_range() {
        let mut z = 1e-6;
        while z < 1e12 {
            close(
                ln_gamma(z + 1.0) - ln_gamma(z),
                z.ln(),
                2e-14 * (1.0 + ln_gamma(z).abs()),
            );
            close(digamma(z + 1.0) - digamma(z), 1.0 / z, 1e-14);
            close(digamma_difference(z, 1.0) * z, 1.0, 1e-13);
            close(
                (trigamma(z) - trigamma(z + 1.0)) * z * z,
                1.0,
                1e-3_f64.min(1e-14 * z.max(1.0) * z.max(1.0)).max(1e-13),
            );
            z *= 1.37;
        }
    }

    #[test]
    fn outside_the_domain_is_not_a_number_and_the_ends_are_limits() {
        for z in [0.0, -1.0, f64::NAN] {
            assert!(ln_gamma(z).is_nan() && digamma(z).is_nan() && trigamma(z).is_nan());
        }
        assert!(ln_gamma(1e300).is_finite() && digamma(1e300).is_finite());
        assert_eq!(digamma(1e-250), -1e250);
        assert_eq!(trigamma(1e-200), f64::INFINITY);
    }
}
