//! ln Γ and its first two derivatives to nine digits, for kernels that round
//! the result to `f32`.
//!
//! The argument is shifted as in `gamma`, but by three: P(z) = z(z+1)(z+2), P′ =
//! 3(z+1)² − 1 and P″ = 6(z+1). The correction to Stirling's formula is a
//! polynomial in 1/x² fitted on x = z + 3 ≥ 3: four coefficients replace a
//! larger shift and more terms of the series. There is a single partition: 1/P,
//! 1/x and the quotient inside ln x all come from the inverse of one product.

use crate::vector::{Double, artanh_ratio, horner};
use fearless_simd::prelude::*;
use std::f64::consts::LN_2;

/// x (ln Γ(x) − (x − ½) ln x + x − ½ ln 2π) in powers of 1/x².
const LN_GAMMA: [f64; 4] = [
    0.083_333_332_672_633_55,
    -0.002_777_586_224_764_793,
    0.000_784_718_412_652_428_6,
    -0.000_454_428_317_976_648_6,
];

/// x² (ln x − 1/2x − ψ(x)).
const DIGAMMA: [f64; 4] = [
    0.083_333_327_853_219_58,
    -0.008_331_742_293_831_272,
    0.003_893_513_343_168_415,
    -0.002_966_348_854_699_101,
];

/// x³ (ψ′(x) − 1/x − 1/2x²).
const TRIGAMMA: [f64; 4] = [
    0.166_666_616_413_923_2,
    -0.033_318_721_266_498_52,
    0.023_117_611_602_874_16,
    -0.021_996_171_703_045_63,
];

/// ½ ln 2π.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// ln Γ(z), ψ(z) and ψ′(z) of the numbers of a register, with intermediate
/// results.
pub(crate) struct QuickGamma<V> {
    /// ln Γ(z + 3): the caller subtracts ln P(z), because ln B(α, β) needs
    /// three of these and one logarithm of their product suffices.
    pub(crate) ln_gamma_shifted: V,
    /// P(z), by which Γ(z) = Γ(z + 3) / P(z).
    pub(crate) product: V,
    /// 1/P(z).
    pub(crate) inverse_product: V,
    /// 1/z.
    pub(crate) inverse: V,
    /// ψ(z).
    pub(crate) digamma: V,
    /// ψ′(z).
    pub(crate) trigamma: V,
}

impl<V> QuickGamma<V> {
    /// Evaluates the functions for numbers between about 1e-10 and 1e10.
    #[inline(always)]
    pub(crate) fn at<S: Simd>(simd: S, z: V) -> Self
    where
        V: Double<S>,
    {
        let (z1, z2, x) = (z + 1.0, z + 2.0, z + 3.0);
        let above = z1 * z2;
        let product = z * above;
        // ln x = e ln 2 + ln(1 + f), where ln(1 + f) = 2 artanh(f / (f + 2)).
        let (f, e) = x.mantissa();
        let g = f + 2.0;
        let inverse = V::constant(simd, 1.0) / (product * x * g);
        let inverse_product = inverse * (x * g);
        let pg = product * g;
        let r = inverse * pg;
        let s = f * (inverse * (product * x));
        let ln = e.mul_add(LN_2, s * artanh_ratio(simd, s * s));
        let (q1, q2) = (
            (z1 * z1).mul_add(3.0, -1.0) * inverse_product,
            z1 * 6.0 * inverse_product,
        );
        let r2 = r * r;
        let stirling = r * horner(simd, r2, &LN_GAMMA);
        let half = r * 0.5;
        Self {
            ln_gamma_shifted: (x - 0.5).mul_add(ln, -x + HALF_LN_TAU) + stirling,
            product,
            inverse_product,
            inverse: above * inverse_product,
            digamma: ln - half - r2 * horner(simd, r2, &DIGAMMA) - q1,
            trigamma: r + r2 * (horner(simd, r2, &TRIGAMMA) * r + 0.5) + q1.mul_add(q1, -q2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::{digamma, ln_gamma, trigamma};
    use crate::vector::level;
    use fearless_simd::dispatch;

    #[inline(always)]
    fn one_lane<S: Simd>(simd: S, z: f64) -> [f64; 5] {
        let g = QuickGamma::at(simd, simd.splat_f64x4(z));
        [
            g.ln_gamma_shifted[0] - g.product[0].ln(),
            g.digamma[0],
            g.trigamma[0],
            g.inverse[0] * z,
            g.inverse_product[0] * g.product[0],
        ]
    }

    #[test]
    fn nine_digits_over_the_whole_range() {
        let mut z = 1e-8;
        while z < 1e8 {
            let [ln, psi, psi1, inverse, product] = dispatch!(level(), simd => one_lane(simd, z));
            for (got, want) in [
                (ln, ln_gamma(z)),
                (psi, digamma(z)),
                (psi1 * z, trigamma(z) * z),
                (inverse, 1.0),
                (product, 1.0),
            ] {
                let error = (got - want).abs() / want.abs().max(1.0);
                assert!(error < 4e-9, "{got} is not {want} at {z}");
            }
            z *= 1.173;
        }
    }
}
