//! Elementary functions on vector registers.
//!
//! The C library's `exp` and `ln` are scalar; these are branch-free polynomials
//! that the kernels evaluate on a whole register at once. Relative errors (tested
//! below): about 2 ulp in either precision on the ranges the kernels use. NaN
//! gives NaN, as in ordinary operations, except for `ln`, which requires positive
//! normal numbers ([`ln_or_nan`] accepts NaN as well).
//!
//! Rules that keep the kernels fast:
//!
//! - Everything called inside `dispatch!` is `#[inline(always)]`, because code outside the
//!   target-feature context falls back to calls. Closures with several call sites are not
//!   inlined, so they are functions.
//! - Values are not gathered in an array on the way to a broadcast: that takes a detour over
//!   the stack.
//! - Slices are cut before an inner loop if that removes bounds checks and is measurably
//!   faster. Products of rows became up to a fifth faster, sums over rows did not.
//! - A large kernel is a method of a trait that `Real` requires (`ProductKernel`,
//!   `RowKernel`) and not generic itself. So it is compiled once, in this crate; otherwise
//!   building the tests takes twice as long.
//! - Registers as wide as AVX-512 (`Real::Wide`) serve for values that a lane computes alone.
//!   Sums over lanes stay as narrow as AVX2 ([`Vector::add_to`] adds the first half of a wide
//!   register first), so results do not depend on the processor. On AVX2 a wide type is a
//!   pair of registers.
//! - There are no subnormal numbers. Memberships of 1e-40 are common, and PubMed's dense epoch
//!   took 17 times as long with them. Bounds at the source keep them out: `Real::TINY`,
//!   [`Vector::exp_of_minus_abs`], and one on the argument of the continued fraction. If a
//!   kernel is slow on one kind of processor only, look for subnormal numbers first.

use fearless_simd::prelude::*;
use fearless_simd::{Level, f32x8, f32x16, f64x4, f64x8, i32x8, i32x16, i64x4, i64x8};
use std::f64::consts::{LN_2, LOG2_E};
use std::sync::LazyLock;

/// The best instruction set of this processor, looked up once.
pub(crate) fn level() -> Level {
    static LEVEL: LazyLock<Level> = LazyLock::new(Level::new);
    *LEVEL
}

/// Returns whether registers are twice as wide as those of AVX2. Constant for
/// an instruction set, so branches on it are free.
#[inline(always)]
pub(crate) fn is_wide<S: Simd>(_: S) -> bool {
    S::f32s::LEN > 8
}

/// Whether `min` and `max` return their second operand if it is NaN: x86 returns
/// it if either is NaN, ARM returns NaN. Other targets use a comparison, which
/// takes more instructions.
const NAN_SECOND: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// A vector register of floats with the elementary functions of the kernels.
pub trait Vector<S: Simd>: SimdFloat<S> {
    /// Every lane set to `x`.
    fn constant(simd: S, x: f64) -> Self;
    /// The smaller of x and a bound; NaN if x is NaN.
    #[inline(always)]
    fn at_most(self, bound: Self) -> Self {
        if NAN_SECOND {
            bound.min(self)
        } else {
            self.simd_gt(bound).select(bound, self)
        }
    }

    /// The larger of x and a bound; NaN if x is NaN.
    #[inline(always)]
    fn at_least(self, bound: Self) -> Self {
        if NAN_SECOND {
            bound.max(self)
        } else {
            self.simd_lt(bound).select(bound, self)
        }
    }

    /// eˣ for |x| below 80 (`f32`) or 700 (`f64`); clamped outside.
    fn exp(self) -> Self;
    /// ln x for positive normal x.
    fn ln(self) -> Self;

    /// exp(−|x|), bounded below so that its products with other numbers stay
    /// normal: many processors take some hundred cycles for subnormal numbers.
    fn exp_of_minus_abs(self) -> Self;

    /// (σ(x), softplus(x)) from one exponential.
    ///
    /// With e = exp(−|x|): σ = 1/(1+e) or e/(1+e), and
    /// softplus = max(x, 0) + ln(1+e), where ln(1+e) = 2 artanh(e/(2+e)) keeps
    /// full relative precision for tiny e.
    #[inline(always)]
    fn sigmoid_softplus(self, simd: S) -> (Self, Self) {
        let one = Self::constant(simd, 1.0);
        let two = Self::constant(simd, 2.0);
        let zero = Self::constant(simd, 0.0);
        let e = self.exp_of_minus_abs();
        let (p, q) = (one + e, two + e);
        // One partition serves both quotients.
        let r = one / (p * q);
        let inverse_p = r * q;
        let s = e * (r * p);
        let sigmoid = self.simd_ge(zero).select(inverse_p, e * inverse_p);
        let softplus = self.max(zero) + Self::two_artanh_third(simd, s);
        (sigmoid, softplus)
    }

    /// 2 artanh(s) for 0 ≤ s ≤ 1/3.
    fn two_artanh_third(simd: S, s: Self) -> Self;

    /// A register of the width of AVX2.
    type Narrow: Vector<S, Element = Self::Element>;

    /// Adds all of this register to a narrow one, its first lanes first, so
    /// that the result does not depend on the width.
    fn add_to(self, sum: Self::Narrow) -> Self::Narrow;
}

/// A register of `f64`.
pub(crate) trait Double<S: Simd>: Vector<S, Element = f64> {
    /// (f, e) with x = 2ᵉ (1 + f) and 1 + f in [√½, √2), for positive normal x.
    fn mantissa(self) -> (Self, Self);
}

/// Σ coefficients[k] · xᵏ by Horner's rule.
#[inline(always)]
pub(crate) fn horner<S: Simd, V: Vector<S>>(simd: S, x: V, coefficients: &[f64]) -> V {
    let (last, rest) = coefficients
        .split_last()
        .expect("a polynomial has coefficients");
    let mut y = V::constant(simd, *last);
    for &c in rest.iter().rev() {
        y = y.mul_add(x, V::constant(simd, c));
    }
    y
}

/// 1/(2k+1): the series of artanh(s)/s in s².
const ARTANH: [f64; 17] = {
    let mut c = [0.0; 17];
    let mut k = 0;
    while k < 17 {
        c[k] = 1.0 / (2 * k + 1) as f64;
        k += 1;
    }
    c
};

/// 1/k!: the series of the exponential.
const EXP: [f64; 14] = {
    let mut c = [1.0; 14];
    let mut k = 1;
    while k < 14 {
        c[k] = c[k - 1] / k as f64;
        k += 1;
    }
    c
};

/// The functions of a register of `f32`; $add adds one to a narrow register.
macro_rules! single {
    ($vector:ident, $integer:ident, $splat:ident, $bounded_exp:ident, $narrow:ident, $add:expr) => {
        /// eˣ for −85 ≤ x ≤ 88.
        #[inline(always)]
        fn $bounded_exp<S: Simd>(x: $vector<S>) -> $vector<S> {
            let simd = x.simd;
            // 2ⁿ·eʳ with |r| ≤ ln 2 / 2.
            let n = (x * (LOG2_E as f32)).round_ties_even();
            let r = n.mul_add(-0.693_359_4_f32, x);
            let r = n.mul_add(2.121_944_4e-4_f32, r);
            // Minimax on |r| ≤ 0.3466 for (eʳ − 1 − r) / r².
            let p = horner(
                simd,
                r,
                &[
                    0.499_999_934_487,
                    0.166_665_206_453,
                    0.041_668_387_888,
                    0.008_368_715_219,
                    0.001_381_460_184,
                ],
            );
            let y = (r * r).mul_add(p, r) + 1.0;
            let scale = (n.to_int::<$integer<S>>() + 127) << 23;
            y * scale.bitcast::<$vector<S>>()
        }

        impl<S: Simd> Vector<S> for $vector<S> {
            #[inline(always)]
            fn constant(simd: S, x: f64) -> Self {
                simd.$splat(x as f32)
            }

            #[inline(always)]
            fn exp(self) -> Self {
                // The clamp keeps 2ⁿ a normal number, with room for a product.
                let simd = self.simd;
                let x = self.at_most(simd.$splat(88.0));
                $bounded_exp(x.at_least(simd.$splat(-85.0)))
            }

            #[inline(always)]
            fn exp_of_minus_abs(self) -> Self {
                $bounded_exp(-self.abs().at_most(self.simd.$splat(60.0)))
            }

            #[inline(always)]
            fn ln(self) -> Self {
                let simd = self.simd;
                // m in [√½, √2): subtracting the bits of √½ makes the exponent round.
                let bits = self.bitcast::<$integer<S>>();
                let e = (bits - 0x3f35_04f3) >> 23;
                let m = (bits - (e << 23)).bitcast::<$vector<S>>();
                let e: $vector<S> = $vector::float_from(e);
                let f = m - 1.0;
                let z = f * f;
                let p = horner(
                    simd,
                    f,
                    &[
                        0.333_333_104_403,
                        -0.249_999_865_933,
                        0.200_022_265_842,
                        -0.166_692_511_533,
                        0.142_186_588_838,
                        -0.123_843_430_767,
                        0.118_729_654_926,
                        -0.117_898_351_871,
                        0.069_154_244_711,
                    ],
                );
                let y = f * z * p;
                let y = e.mul_add(-2.121_944_4e-4_f32, y);
                let y = z.mul_add(-0.5_f32, y);
                e.mul_add(0.693_359_4_f32, f + y)
            }

            #[inline(always)]
            fn two_artanh_third(simd: S, s: Self) -> Self {
                // Minimax on s² ≤ 1/9, relative error 4e-9. A smaller s² is negligible
                // next to the first coefficient and may be subnormal.
                let t = s.max(1e-18);
                let p = horner(
                    simd,
                    t * t,
                    &[
                        2.000_000_007_921,
                        0.666_663_146_822,
                        0.400_249_102_744,
                        0.279_606_028_649,
                        0.281_783_344_087,
                    ],
                );
                s * p
            }

            type Narrow = $narrow<S>;

            #[inline(always)]
            fn add_to(self, sum: Self::Narrow) -> Self::Narrow {
                ($add)(self, sum)
            }
        }
    };
}

/// The functions of a register of `f64`; see `single`.
macro_rules! double {
    ($vector:ident, $integer:ident, $splat:ident, $narrow:ident, $add:expr) => {
        impl<S: Simd> Vector<S> for $vector<S> {
            #[inline(always)]
            fn constant(simd: S, x: f64) -> Self {
                simd.$splat(x)
            }

            #[inline(always)]
            fn exp(self) -> Self {
                let simd = self.simd;
                let x = self.at_most(simd.$splat(709.0));
                let x = x.at_least(simd.$splat(-708.0));
                let n = (x * LOG2_E).round_ties_even();
                let r = n.mul_add(-6.931_471_803_691_238e-1, x);
                let r = n.mul_add(-1.908_214_929_270_587_7e-10, r);
                let y = horner(simd, r, &EXP);
                // Adding 1.5·2⁵² leaves the integer in the low bits of the mantissa.
                let shifted = (n + 6_755_399_441_055_744.0).bitcast::<$integer<S>>();
                let scale = (shifted + 1023) << 52;
                y * scale.bitcast::<$vector<S>>()
            }

            #[inline(always)]
            fn exp_of_minus_abs(self) -> Self {
                (-self.abs()).exp()
            }

            #[inline(always)]
            fn ln(self) -> Self {
                let simd = self.simd;
                let (f, e) = self.mantissa();
                let s = f / (f + 2.0);
                let p = horner(simd, s * s, &ARTANH[..12]);
                // 2 artanh(s) = f − s(f − 2(p − 1)) keeps the leading term exact.
                let tail = (p - 1.0) * 2.0;
                let y = f - s * (f - tail);
                let y = e.mul_add(1.908_214_929_270_587_7e-10, y);
                e.mul_add(6.931_471_803_691_238e-1, y)
            }

            #[inline(always)]
            fn two_artanh_third(simd: S, s: Self) -> Self {
                s * 2.0 * horner(simd, s * s, &ARTANH)
            }

            type Narrow = $narrow<S>;

            #[inline(always)]
            fn add_to(self, sum: Self::Narrow) -> Self::Narrow {
                ($add)(self, sum)
            }
        }

        impl<S: Simd> Double<S> for $vector<S> {
            #[inline(always)]
            fn mantissa(self) -> (Self, Self) {
                let bits = self.bitcast::<$integer<S>>();
                // Logical shift of a positive number; the bias is removed as a float
                // because there is no 64-bit conversion below AVX-512.
                let offset = bits - (0x3fe6_a09e_667f_3bcd - (1023_i64 << 52));
                let biased = offset >> 52;
                let m = (bits - ((biased - 1023) << 52)).bitcast::<$vector<S>>();
                let magic = 4_503_599_627_370_496.0_f64;
                let e =
                    (biased | (magic.to_bits() as i64)).bitcast::<$vector<S>>() - (magic + 1023.0);
                (m - 1.0, e)
            }
        }
    };
}

single!(f32x8, i32x8, splat_f32x8, exp_of_eight, f32x8, |x, sum| sum
    + x);
single!(
    f32x16,
    i32x16,
    splat_f32x16,
    exp_of_sixteen,
    f32x8,
    |x: Self, sum| {
        let (low, high) = x.split();
        sum + low + high
    }
);
double!(f64x4, i64x4, splat_f64x4, f64x4, |x, sum| sum + x);
double!(f64x8, i64x8, splat_f64x8, f64x4, |x: Self, sum| {
    let (low, high) = x.split();
    sum + low + high
});

/// ln x for positive normal x, and NaN for NaN: `ln` itself reads the bits of
/// NaN as a large number.
#[inline(always)]
#[allow(clippy::eq_op)] // x − x is NaN where x is.
pub(crate) fn ln_or_nan<S: Simd, V: Vector<S>>(x: V) -> V {
    x.ln() + (x - x)
}

/// ln x to eleven digits, for positive normal x.
#[inline(always)]
pub(crate) fn quick_ln<S: Simd, V: Double<S>>(simd: S, x: V) -> V {
    let (f, e) = x.mantissa();
    let s = f / (f + 2.0);
    e.mul_add(LN_2, s * artanh_ratio(simd, s * s))
}

/// 2 artanh(s) / s in terms of t = s², for |s| < 0.172 as produced by a
/// mantissa, to eleven digits.
#[inline(always)]
pub(crate) fn artanh_ratio<S: Simd, V: Double<S>>(simd: S, t: V) -> V {
    horner(simd, t, &ARTANH[..6]) * 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::dispatch;

    #[inline(always)]
    fn apply32<S: Simd>(simd: S, x: f32, f: impl Fn(S, f32x8<S>) -> f32x8<S>) -> f32 {
        f(simd, simd.splat_f32x8(x))[0]
    }

    #[inline(always)]
    fn apply64<S: Simd>(simd: S, x: f64, f: impl Fn(S, f64x4<S>) -> f64x4<S>) -> f64 {
        f(simd, simd.splat_f64x4(x))[0]
    }

    fn relative(got: f64, want: f64) -> f64 {
        (got - want).abs() / want.abs().max(f64::MIN_POSITIVE)
    }

    #[test]
    fn exponential_is_within_a_few_ulp() {
        for i in -8000..=8000 {
            let x = f64::from(i) * 0.01;
            let got = dispatch!(level(), s => apply32(s, x as f32, |_, v| v.exp()));
            let want = f64::from(x as f32).exp();
            assert!(
                relative(f64::from(got), want) < 3e-7,
                "f32 exp({x}) = {got}"
            );
            let got = dispatch!(level(), s => apply64(s, x * 8.0, |_, v| v.exp()));
            assert!(
                relative(got, (x * 8.0).exp()) < 1e-15,
                "f64 exp({})",
                x * 8.0
            );
        }
    }

    #[test]
    fn logarithm_is_within_a_few_ulp() {
        for i in -1200..=1200 {
            let x = (f64::from(i) * 0.07).exp();
            let got = dispatch!(level(), s => apply32(s, x as f32, |_, v| v.ln()));
            let want = f64::from(x as f32).ln();
            assert!(
                relative(f64::from(got), want) < 3e-7,
                "f32 ln({x}) = {got}, {want}"
            );
            let y = (f64::from(i) * 0.5).exp();
            let got = dispatch!(level(), s => apply64(s, y, |_, v| v.ln()));
            assert!(relative(got, y.ln()) < 1e-15, "f64 ln({y}) = {got}");
        }
        for x in [0.99, 1.0 - 1e-9, 1.0, 1.0 + 1e-9, 1.01] {
            let got = dispatch!(level(), s => apply64(s, x, |_, v| v.ln()));
            assert!(
                (got - x.ln()).abs() <= 1e-15 * x.ln().abs(),
                "ln({x}) = {got}"
            );
        }
    }

    #[test]
    fn sigmoid_and_softplus_keep_relative_precision_in_both_tails() {
        for i in -6000..=6000 {
            let x = f64::from(i) * 0.01;
            let sigmoid = 1.0 / (1.0 + (-x).exp());
            let softplus = x.max(0.0) + (-x.abs()).exp().ln_1p();
            let got = dispatch!(level(), s => apply64(s, x, |s, v| v.sigmoid_softplus(s).0));
            assert!(relative(got, sigmoid) < 1e-14, "σ({x})");
            let got = dispatch!(level(), s => apply64(s, x, |s, v| v.sigmoid_softplus(s).1));
            assert!(relative(got, softplus) < 1e-14, "softplus({x})");
            let y = x as f32;
            let sigmoid = 1.0 / (1.0 + f64::from(-y).exp());
            let softplus = f64::from(y).max(0.0) + f64::from(-y.abs()).exp().ln_1p();
            let got = dispatch!(level(), s => apply32(s, y, |s, v| v.sigmoid_softplus(s).0));
            assert!(relative(f64::from(got), sigmoid) < 5e-7, "f32 σ({x})");
            let got = dispatch!(level(), s => apply32(s, y, |s, v| v.sigmoid_softplus(s).1));
            assert!(
                relative(f64::from(got), softplus) < 5e-7,
                "f32 softplus({x}) = {got}"
            );
        }
    }

    /// Applies every function of a register to NaN in one lane.
    #[inline(always)]
    fn functions_of_nan<S: Simd, V: Vector<S>>(simd: S) -> Vec<(bool, bool)> {
        let lane = V::LEN - 1;
        let mut x = V::constant(simd, 0.25);
        x.as_mut_slice()[lane] = (V::constant(simd, f64::NAN)).as_slice()[0];
        let bound = V::constant(simd, 0.5);
        let (sigmoid, softplus) = x.sigmoid_softplus(simd);
        let all = [
            x.at_most(bound),
            x.at_least(bound),
            x.exp(),
            x.exp_of_minus_abs(),
            ln_or_nan(x),
            sigmoid,
            softplus,
            V::two_artanh_third(simd, x),
        ];
        all.iter()
            .map(|y| {
                let is_nan = y.simd_ne(*y);
                let others = V::from_fn(simd, |i| y.as_slice()[if i == lane { 0 } else { i }]);
                (is_nan.any_true(), others.simd_eq(others).all_true())
            })
            .collect()
    }

    #[test]
    fn nan_passes_through_in_its_lane_alone() {
        for (name, results) in [
            (
                "f32",
                dispatch!(level(), s => functions_of_nan::<_, f32x8<_>>(s)),
            ),
            (
                "wide f32",
                dispatch!(level(), s => functions_of_nan::<_, f32x16<_>>(s)),
            ),
            (
                "f64",
                dispatch!(level(), s => functions_of_nan::<_, f64x4<_>>(s)),
            ),
            (
                "wide f64",
                dispatch!(level(), s => functions_of_nan::<_, f64x8<_>>(s)),
            ),
        ] {
            for (i, (nan, others)) in results.into_iter().enumerate() {
                assert!(nan, "function {i} of {name} swallows NaN");
                assert!(others, "function {i} of {name} spreads NaN");
            }
        }
    }

    /// Applies all functions of a register, and returns the first lane and the
    /// sum.
    #[inline(always)]
    fn functions<S: Simd, V: Vector<S>>(simd: S, x: f64) -> [V::Element; 6] {
        let v = V::constant(simd, x);
        let (sigmoid, softplus) = v.sigmoid_softplus(simd);
        let positive = v.abs() + V::constant(simd, 0.1);
        [
            v.exp().as_slice()[0],
            v.exp_of_minus_abs().as_slice()[0],
            positive.ln().as_slice()[0],
            sigmoid.as_slice()[0],
            softplus.as_slice()[0],
            V::two_artanh_third(simd, v.exp_of_minus_abs() * V::constant(simd, 1.0 / 3.0))
                .as_slice()[0],
        ]
    }

    #[test]
    fn the_width_of_a_register_changes_no_bit() {
        for i in -900..=900 {
            let x = f64::from(i) * 0.1;
            dispatch!(level(), s => {
                let (narrow, wide) = (functions::<_, f32x8<_>>(s, x), functions::<_, f32x16<_>>(s, x));
                assert_eq!(narrow.map(f32::to_bits), wide.map(f32::to_bits), "at {x}");
                let (narrow, wide) = (functions::<_, f64x4<_>>(s, x), functions::<_, f64x8<_>>(s, x));
                assert_eq!(narrow.map(f64::to_bits), wide.map(f64::to_bits), "at {x}");
            });
        }
    }
}
