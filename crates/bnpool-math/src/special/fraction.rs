//! The continued fraction of the incomplete beta function, differentiated.
//!
//! I_z(a, b) = zᵃ(1−z)ᵇ / (a B(a, b)) · F(a, b, z), where F is the continued
//! fraction 1/(1+ d₁/(1+ d₂/(1+ …))) with
//!
//! - d₂ₘ   =  m(b−m) z / ((a+2m−1)(a+2m))
//! - d₂ₘ₊₁ = −(a+m)(a+b+m) z / ((a+2m)(a+2m+1))
//!
//! (DLMF 8.17.22). It converges quickly for z < (a+1)/(a+b+2); beyond that, a
//! and b as well as z and 1−z are swapped. Numerators and denominators of the
//! convergents follow a linear recurrence, so the derivatives with respect to a
//! and b follow the differentiated recurrence. The only partition is the one
//! inside d.

use crate::vector::Vector;
use fearless_simd::prelude::*;

/// A value with its derivatives with respect to a and b.
#[derive(Clone, Copy)]
pub(crate) struct Dual<V> {
    pub(crate) value: V,
    pub(crate) by_a: V,
    pub(crate) by_b: V,
}

impl<V> Dual<V> {
    #[inline(always)]
    fn constant<S: Simd>(simd: S, x: f64) -> Self
    where
        V: Vector<S>,
    {
        Self {
            value: V::constant(simd, x),
            by_a: V::constant(simd, 0.0),
            by_b: V::constant(simd, 0.0),
        }
    }

    /// `self + d · previous`.
    #[inline(always)]
    fn step<S: Simd>(self, d: Self, previous: Self) -> Self
    where
        V: Vector<S>,
    {
        let a = d.value.mul_add(previous.by_a, self.by_a);
        let b = d.value.mul_add(previous.by_b, self.by_b);
        Self {
            value: d.value.mul_add(previous.value, self.value),
            by_a: d.by_a.mul_add(previous.value, a),
            by_b: d.by_b.mul_add(previous.value, b),
        }
    }

    /// `self / other` with derivatives.
    #[inline(always)]
    fn quotient<S: Simd>(self, simd: S, other: Self) -> Self
    where
        V: Vector<S>,
    {
        let inverse = V::constant(simd, 1.0) / other.value;
        let value = self.value * inverse;
        Self {
            value,
            by_a: (self.by_a - value * other.by_a) * inverse,
            by_b: (self.by_b - value * other.by_b) * inverse,
        }
    }

    #[inline(always)]
    fn scale<S: Simd>(self, by: V) -> Self
    where
        V: Vector<S>,
    {
        Self {
            value: self.value * by,
            by_a: self.by_a * by,
            by_b: self.by_b * by,
        }
    }
}

/// Full steps (two partial quotients each) between convergence checks.
const STEPS_BETWEEN_CHECKS: usize = 3;
/// Far more than needed for any α, β in [1e-3, 1e3] (about 120): only a guard
/// against arguments that never converge.
const MAX_STEPS: usize = 3000;

/// Returns whether |new − old| exceeds the tolerance, relative to the new value
/// plus `floor`. False for NaN, which more steps do not fix.
#[inline(always)]
fn moving<S: Simd, V: Vector<S>>(new: V, old: V, floor: V, tolerance: V) -> V::Mask {
    (new - old).abs().simd_gt((new.abs() + floor) * tolerance)
}

/// F(a, b, z) and its derivatives, to a relative change below `tolerance`.
///
/// Requires 0 ≤ z ≤ (a+1)/(a+b+2).
#[inline(always)]
pub(crate) fn fraction<S: Simd, V: Vector<S>>(
    simd: S,
    a: V,
    b: V,
    z: V,
    tolerance: f64,
) -> Dual<V> {
    let one = V::constant(simd, 1.0);
    let tolerance = V::constant(simd, tolerance);
    // Convergents n−1 and n: numerators 0, 1 and denominators 1, 1.
    let mut above = (Dual::constant(simd, 0.0), Dual::constant(simd, 1.0));
    let mut below = (Dual::constant(simd, 1.0), Dual::constant(simd, 1.0));
    let mut last: Dual<V> = Dual::constant(simd, 1.0);
    let mut m = V::constant(simd, 0.0);
    // a + 2m, and the factor (a + m)(a + b + m) z with its derivatives.
    let mut a2m = a;
    let sum = a + b;
    for step in 1..=MAX_STEPS {
        // Odd partial quotient d₂ₘ₊₁.
        let next = a2m + one;
        let r = one / (a2m * next);
        let (p, q) = (a + m, sum + m);
        let rz = r * z;
        let d = -(p * q * rz);
        let log_slope = (a2m + next) * r;
        let odd = Dual {
            value: d,
            by_a: -((p + q) * rz) - d * log_slope,
            by_b: -(p * rz),
        };
        above = (above.1, above.1.step(odd, above.0));
        below = (below.1, below.1.step(odd, below.0));
        // Even partial quotient d₂ₘ₊₂.
        m += one;
        a2m = next + one;
        let r = one / (next * a2m);
        let mz = m * z * r;
        let d = (b - m) * mz;
        let log_slope = (next + a2m) * r;
        let even = Dual {
            value: d,
            by_a: -(d * log_slope),
            by_b: mz,
        };
        above = (above.1, above.1.step(even, above.0));
        below = (below.1, below.1.step(even, below.0));

        if step % STEPS_BETWEEN_CHECKS == 0 {
            // Convergents shrink like 2⁻ⁿ for z near 1: rescale them to 1.
            let scale = one / below.1.value;
            above = (above.0.scale(scale), above.1.scale(scale));
            below = (below.0.scale(scale), below.1.scale(scale));
            let now = above.1.quotient(simd, below.1);
            // Derivatives are sums of terms of order z F. If these cancel
            // (∂F/∂a vanishes for b = 1), the error is relative to their size.
            let floor = z * now.value;
            let moving = moving(now.value, last.value, floor, tolerance)
                | moving(now.by_a, last.by_a, floor, tolerance)
                | moving(now.by_b, last.by_b, floor, tolerance);
            last = now;
            if !moving.any_true() {
                break;
            }
        }
    }
    last
}
