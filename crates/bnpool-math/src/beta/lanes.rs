//! The Beta kernels on vector registers: eight sticks at a time.
//!
//! Training spends most of its time here, so the three parts share intermediate
//! results: the divergence uses the digammas of the pathwise derivative.
//! Variates are drawn in `f32`. Gamma functions run in `f64` registers, because
//! their sums subtract numbers that are close to each other, and are rounded
//! afterwards. The continued fraction of the derivative is accurate enough in
//! `f32` except for extreme parameters.
//!
//! A test holds both precisions to 1e-4 over six decades of the parameters.

use super::sample::{ATTEMPTS, PARTICLE_SHIFT, WORD};
use crate::special::fraction::fraction;
use crate::special::quick_gamma::QuickGamma;
use crate::stream::Stream;
use crate::vector::{Double, Vector, horner, ln_or_nan, quick_ln};
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f64x8, i32x8, mask32x8, u32x8};

/// Relative change at which the continued fraction counts as converged; the
/// error is smaller than this, because the last step gains more than it
/// changes.
const TOLERANCE: f64 = 2e-6;

/// Converts words to uniforms in (0, 1]. Every word is mapped at least half a
/// unit away from 0.
#[inline(always)]
fn uniform<S: Simd>(words: u32x8<S>) -> f32x8<S> {
    let x: f32x8<S> = f32x8::float_from(words);
    (x + 0.5) * (WORD as f32)
}

/// A pair of independent standard normals from two words (Box–Muller).
#[inline(always)]
fn normals<S: Simd>(simd: S, radius: u32x8<S>, angle: u32x8<S>) -> (f32x8<S>, f32x8<S>) {
    let radius = (uniform(radius).ln() * -2.0).max(0.0).sqrt();
    // A turn in [−½, ½] = quadrant / 4 + rest with |rest| ≤ 1/8.
    let signed: i32x8<S> = angle.bitcast();
    let turn: f32x8<S> = f32x8::float_from(signed);
    let turn = turn * (WORD as f32);
    let quadrant = (turn * 4.0).round_ties_even();
    let rest = quadrant.mul_add(-0.25_f32, turn);
    let t = rest * rest;
    let sin = rest
        * horner(
            simd,
            t,
            &[
                6.283_185_307_151,
                -41.341_702_150_555,
                81.605_203_807_157,
                -76.697_774_125_131,
                41.469_889_609_560,
            ],
        );
    let cos = horner(
        simd,
        t,
        &[
            0.999_999_999_953,
            -19.739_208_650_358,
            64.939_316_208_389,
            -85.442_852_114_476,
            59.220_407_052_745,
        ],
    );
    let q = quadrant.to_int::<i32x8<S>>() & 3;
    let odd = (q & 1).simd_eq(1);
    let (c, s) = (odd.select(sin, cos), odd.select(cos, sin));
    // cos is negative in quadrants 1 and 2, sin in 2 and 3.
    let cos_sign = ((q + 1) & 2) << 30;
    let sin_sign = (q & 2) << 30;
    (radius * flip(c, cos_sign), radius * flip(s, sin_sign))
}

/// x with the sign bits of `sign` flipped.
#[inline(always)]
fn flip<S: Simd>(x: f32x8<S>, sign: i32x8<S>) -> f32x8<S> {
    (x.bitcast::<i32x8<S>>() ^ sign).bitcast()
}

/// The constants of Marsaglia and Tsang's method for eight shapes.
struct Shapes<S: Simd> {
    small: mask32x8<S>,
    d: f32x8<S>,
    c: f32x8<S>,
}

impl<S: Simd> Shapes<S> {
    #[inline(always)]
    fn new(simd: S, shape: f32x8<S>) -> Self {
        let small = shape.simd_lt(1.0);
        let d = small.select(shape + 1.0, shape) - (1.0 / 3.0);
        let c = f32x8::constant(simd, 1.0) / (d * 9.0).sqrt();
        Self { small, d, c }
    }

    /// One attempt at variates of Γ(shape).
    #[inline(always)]
    fn attempt(&self, normal: f32x8<S>, word: u32x8<S>) -> Attempt<S> {
        let t = self.c.mul_add(normal, 1.0);
        // A negative t is rejected below; the floor keeps its logarithm defined.
        let positive = t.simd_gt(0.0);
        let t = t.max(1e-10);
        let ln = t.ln() * 3.0;
        let bound = (normal * normal).mul_add(0.5, self.d * (ln + 1.0 - t * t * t));
        let ln_v = uniform(word).ln();
        Attempt {
            ln,
            ln_uniform: ln_v - bound.min(0.0),
            accepted: positive & ln_v.simd_lt(bound),
        }
    }

    /// ln U / shape for shapes below one, zero for the others.
    #[inline(always)]
    fn boost(&self, simd: S, ln_uniform: f32x8<S>, shape: f32x8<S>) -> f32x8<S> {
        let zero = f32x8::constant(simd, 0.0);
        self.small.select(ln_uniform / shape, zero)
    }
}

/// Result of one attempt at eight gamma variates; see `sample`.
#[derive(Clone, Copy)]
struct Attempt<S: Simd> {
    /// ln Γ(shape) − ln d.
    ln: f32x8<S>,
    ln_uniform: f32x8<S>,
    accepted: mask32x8<S>,
}

impl<S: Simd> Attempt<S> {
    /// Selects this attempt in accepted lanes and the next one in the others.
    #[inline(always)]
    fn or(self, next: Self) -> Self {
        Self {
            ln: self.accepted.select(self.ln, next.ln),
            ln_uniform: self.accepted.select(self.ln_uniform, next.ln_uniform),
            accepted: self.accepted | next.accepted,
        }
    }
}

/// Positions of eight variates in a stream.
#[derive(Clone, Copy)]
pub(super) struct Variates<'a, S: Simd> {
    pub(super) stream: &'a Stream,
    pub(super) particle: u32,
    pub(super) stick: u32x8<S>,
    pub(super) node: u32x8<S>,
    pub(super) graph: u32x8<S>,
}

impl<S: Simd> Variates<'_, S> {
    /// Block k of all eight variates.
    #[inline(always)]
    fn words(&self, simd: S, k: u32) -> [u32x8<S>; 4] {
        self.stream.blocks(
            simd,
            [
                simd.splat_u32x8(k | self.particle << PARTICLE_SHIFT),
                self.stick,
                self.node,
                self.graph,
            ],
        )
    }

    /// Attempt k at both gamma variates of each lane.
    #[inline(always)]
    fn attempts(&self, simd: S, k: u32, shapes: &[Shapes<S>; 2]) -> [Attempt<S>; 2] {
        let words = self.words(simd, k);
        let (n, m) = normals(simd, words[0], words[1]);
        [
            shapes[0].attempt(n, words[2]),
            shapes[1].attempt(m, words[3]),
        ]
    }
}

/// Logits of eight Beta variates.
///
/// Draws the variates of [`super::sample_logit`], up to the rounding of `f32`.
#[inline(always)]
pub(super) fn sample<S: Simd>(
    simd: S,
    variates: Variates<'_, S>,
    alpha: f32x8<S>,
    beta: f32x8<S>,
) -> f32x8<S> {
    let shapes = [Shapes::new(simd, alpha), Shapes::new(simd, beta)];
    let [mut first, mut second] = variates.attempts(simd, 0, &shapes);
    if !(first.accepted & second.accepted).all_true() {
        // Attempts with a NaN parameter never succeed; their logit is set to NaN
        // below.
        let sum = alpha + beta;
        let hopeless = sum.simd_ne(sum);
        let mut k = 1;
        while !(first.accepted & second.accepted | hopeless).all_true() && k < ATTEMPTS {
            let [next_first, next_second] = variates.attempts(simd, k, &shapes);
            (first, second) = (first.or(next_first), second.or(next_second));
            k += 1;
        }
    }
    let mut logit = ln_or_nan(shapes[0].d / shapes[1].d) + (first.ln - second.ln);
    if (shapes[0].small | shapes[1].small).any_true() {
        logit += shapes[0].boost(simd, first.ln_uniform, alpha);
        logit -= shapes[1].boost(simd, second.ln_uniform, beta);
    }
    logit
}

/// Eight numbers in double precision.
#[inline(always)]
pub(super) fn widen<S: Simd>(simd: S, x: f32x8<S>) -> f64x8<S> {
    let (low, high) = simd.widen_f32x8(x);
    simd.combine_f64x4(low, high)
}

/// Eight numbers in single precision.
#[inline(always)]
pub(super) fn narrow<S: Simd>(simd: S, x: f64x8<S>) -> f32x8<S> {
    let (low, high) = simd.split_f64x8(x);
    simd.narrow_f64x4(low, high)
}

/// The gamma functions of α, β and α + β.
pub(super) struct Gammas<V> {
    alpha: QuickGamma<V>,
    beta: QuickGamma<V>,
    sum: QuickGamma<V>,
}

impl<V> Gammas<V> {
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, alpha: V, beta: V) -> Self
    where
        V: Double<S>,
    {
        Self {
            alpha: QuickGamma::at(simd, alpha),
            beta: QuickGamma::at(simd, beta),
            sum: QuickGamma::at(simd, alpha + beta),
        }
    }
}

/// Stick fractions v = σ(ℓ), remainders 1 − v, and the logarithms of both. All
/// come from one exponential and stay precise for fractions arbitrarily close
/// to 0 or 1.
#[derive(Clone, Copy)]
pub(super) struct Broken<V> {
    pub(super) v: V,
    pub(super) rest: V,
    ln_v: V,
    ln_rest: V,
}

impl<V> Broken<V> {
    #[inline(always)]
    pub(super) fn at<S: Simd>(simd: S, logit: V) -> Self
    where
        V: Vector<S>,
    {
        let (zero, one) = (V::constant(simd, 0.0), V::constant(simd, 1.0));
        let e = logit.exp_of_minus_abs();
        let (p, q) = (one + e, one + one + e);
        // One partition serves 1/(1+e) and e/(2+e), of which ln(1+e) is 2 artanh.
        let r = one / (p * q);
        let large = r * q;
        let small = e * large;
        let ln_1p = V::two_artanh_third(simd, e * (r * p));
        let positive = logit.simd_ge(zero);
        Self {
            v: positive.select(large, small),
            rest: positive.select(small, large),
            ln_v: logit.min(zero) - ln_1p,
            ln_rest: -logit.max(zero) - ln_1p,
        }
    }
}

/// ψ(α+β) − ψ(z) and ψ(α+β) − ψ(z+1) for z = α and z = β.
#[derive(Clone, Copy)]
struct Differences<V> {
    alpha: (V, V),
    beta: (V, V),
}

impl<S: Simd> Differences<f64x8<S>> {
    #[inline(always)]
    fn new(gammas: &Gammas<f64x8<S>>) -> Self {
        let by_alpha = gammas.sum.digamma - gammas.alpha.digamma;
        let by_beta = gammas.sum.digamma - gammas.beta.digamma;
        Self {
            alpha: (by_alpha, by_alpha - gammas.alpha.inverse),
            beta: (by_beta, by_beta - gammas.beta.inverse),
        }
    }

    /// Rounds to `f32`; the cancellation has happened by now.
    #[inline(always)]
    fn round(self, simd: S) -> Differences<f32x8<S>> {
        let pair = |(x, y)| (narrow(simd, x), narrow(simd, y));
        Differences {
            alpha: pair(self.alpha),
            beta: pair(self.beta),
        }
    }
}

/// (dℓ/dα, dℓ/dβ) in the precision of the register: see `pathwise`.
#[inline(always)]
fn slopes<S: Simd, V: Vector<S>>(
    simd: S,
    alpha: V,
    beta: V,
    broken: &Broken<V>,
    differences: &Differences<V>,
) -> (V, V) {
    let one = V::constant(simd, 1.0);
    let swapped = (broken.v * (alpha + beta + one + one)).simd_gt(alpha + one);
    let (a, b) = (swapped.select(beta, alpha), swapped.select(alpha, beta));
    // The fraction is 1 + O(z), so a smaller z is negligible.
    let z = swapped
        .select(broken.rest, broken.v)
        .max(V::constant(simd, 1e-20));
    let ln_z = swapped.select(broken.ln_rest, broken.ln_v);
    let ln_1mz = swapped.select(broken.ln_v, broken.ln_rest);
    let to_a = swapped.select(differences.beta.1, differences.alpha.1);
    let to_b = swapped.select(differences.alpha.0, differences.beta.0);
    let f = fraction(simd, a, b, z, TOLERANCE);
    let inverse = one / a;
    let by_a = ((ln_z + to_a).mul_add(f.value, f.by_a)) * inverse;
    let by_b = ((ln_1mz + to_b).mul_add(f.value, f.by_b)) * inverse;
    (swapped.select(by_b, -by_a), swapped.select(by_a, -by_b))
}

/// Beyond these bounds `f32` loses more than four digits of the derivatives.
const SINGLE_RANGE: (f32, f32) = (0.01, 100.0);

/// (dℓ/dα, dℓ/dβ) of eight sticks, to 1e-4 of each.
///
/// Single precision suffices for the parameters of a typical training; the
/// others are computed in double precision. The choice is made per lane, so the
/// precision of a stick does not depend on its neighbours.
#[inline(always)]
pub(super) fn logit_derivatives<S: Simd>(
    simd: S,
    alpha: f32x8<S>,
    beta: f32x8<S>,
    logit: f32x8<S>,
    broken: &Broken<f32x8<S>>,
    gammas: &Gammas<f64x8<S>>,
) -> (f32x8<S>, f32x8<S>) {
    let differences = Differences::new(gammas);
    let single = slopes(simd, alpha, beta, broken, &differences.round(simd));
    let (smaller, larger) = (alpha.min(beta), alpha.max(beta));
    let extreme = smaller.simd_lt(SINGLE_RANGE.0) | larger.simd_gt(SINGLE_RANGE.1);
    if !extreme.any_true() {
        return single;
    }
    let (alpha, beta) = (widen(simd, alpha), widen(simd, beta));
    let broken = Broken::at(simd, widen(simd, logit));
    let double = slopes(simd, alpha, beta, &broken, &differences);
    (
        extreme.select(narrow(simd, double.0), single.0),
        extreme.select(narrow(simd, double.1), single.1),
    )
}

/// KL(Beta(α, β) ‖ Beta(1, c)) + ln c, and its derivatives: see `divergence`.
#[inline(always)]
pub(super) fn divergence<S: Simd, V: Double<S>>(
    simd: S,
    alpha: V,
    beta: V,
    concentration: f64,
    gammas: &Gammas<V>,
) -> (V, V, V) {
    let Gammas {
        alpha: ga,
        beta: gb,
        sum: gs,
    } = gammas;
    // One logarithm for the three products of ln B(α, β).
    let products = gs.product * ga.inverse_product * gb.inverse_product;
    let ln_beta =
        ga.ln_gamma_shifted + gb.ln_gamma_shifted - gs.ln_gamma_shifted + quick_ln(simd, products);
    let (p, q) = (alpha - 1.0, beta - concentration);
    let rest = -(p + q);
    let value = p.mul_add(ga.digamma, q * gb.digamma) + rest.mul_add(gs.digamma, -ln_beta);
    let shared = rest * gs.trigamma;
    (
        value,
        p.mul_add(ga.trigamma, shared),
        q.mul_add(gb.trigamma, shared),
    )
}
