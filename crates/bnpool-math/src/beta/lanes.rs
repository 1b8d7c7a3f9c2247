//! The Beta kernels on vector registers: eight sticks at a time.
//!
//! This is where training spends most of its time, so the three parts share
//! what they can: the digammas of the divergence are those of the pathwise
//! derivative. Variates are drawn in `f32`; derivatives and divergence run in
//! `f64` registers, because their formulas subtract numbers that are close to
//! each other, and are rounded to `f32` at the end.

use super::sample::{BOOST, PARTICLE_SHIFT, WORD};
use crate::special::fraction::fraction;
use crate::special::gamma::{Gamma, gamma};
use crate::stream::Stream;
use crate::vector::{Vector, horner};
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f64x4, i32x8, mask32x8, u32x8};

/// Shift and terms of the gamma functions: 1e-11 relative, plenty for `f32`.
const SHIFT: usize = 6;
const TERMS: usize = 5;
/// Relative change at which the continued fraction counts as converged; the
/// error is smaller still, as the last step gains more than it changes.
const TOLERANCE: f64 = 2e-6;

/// Words to uniforms in (0, 1]. A word is at least half a unit away from 0.
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

    /// One attempt: (ln Γ(shape) − ln d, accepted).
    #[inline(always)]
    fn attempt(&self, normal: f32x8<S>, word: u32x8<S>) -> (f32x8<S>, mask32x8<S>) {
        let t = self.c.mul_add(normal, 1.0);
        // A negative t is rejected below; the floor keeps its logarithm defined.
        let positive = t.simd_gt(0.0);
        let t = t.max(f32::MIN_POSITIVE);
        let ln = t.ln() * 3.0;
        let bound = (normal * normal).mul_add(0.5, self.d * (ln + 1.0 - t * t * t));
        (ln, positive & uniform(word).ln().simd_lt(bound))
    }

    /// ln(U) / shape for shapes below one, zero for the others.
    #[inline(always)]
    fn boost(&self, simd: S, word: u32x8<S>, shape: f32x8<S>) -> f32x8<S> {
        let zero = f32x8::constant(simd, 0.0);
        self.small.select(uniform(word).ln() / shape, zero)
    }
}

/// Where eight variates stand in a stream.
#[derive(Clone, Copy)]
pub(super) struct Variates<'a, S: Simd> {
    pub(super) stream: &'a Stream,
    pub(super) particle: u32,
    pub(super) stick: u32x8<S>,
    pub(super) node: u32x8<S>,
    pub(super) graph: u32x8<S>,
}

impl<S: Simd> Variates<'_, S> {
    /// Block k of all eight.
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
}

/// Logits of eight Beta variates.
///
/// The same variates as [`super::sample_logit`], up to the rounding of `f32`.
#[inline(always)]
pub(super) fn sample<S: Simd>(
    simd: S,
    variates: Variates<'_, S>,
    alpha: f32x8<S>,
    beta: f32x8<S>,
) -> f32x8<S> {
    let shapes = [Shapes::new(simd, alpha), Shapes::new(simd, beta)];
    let words = variates.words(simd, 0);
    let (n, m) = normals(simd, words[0], words[1]);
    let (mut first, mut first_done) = shapes[0].attempt(n, words[2]);
    let (mut second, mut second_done) = shapes[1].attempt(m, words[3]);
    let mut k = 1;
    while !(first_done & second_done).all_true() && k < BOOST {
        let words = variates.words(simd, k);
        let (n, m) = normals(simd, words[0], words[1]);
        let (x, x_done) = shapes[0].attempt(n, words[2]);
        let (y, y_done) = shapes[1].attempt(m, words[3]);
        first = first_done.select(first, x);
        second = second_done.select(second, y);
        first_done |= x_done;
        second_done |= y_done;
        k += 1;
    }
    let mut logit = (shapes[0].d / shapes[1].d).ln() + (first - second);
    let small = shapes[0].small | shapes[1].small;
    if small.any_true() {
        let words = variates.words(simd, BOOST);
        logit += shapes[0].boost(simd, words[0], alpha);
        logit -= shapes[1].boost(simd, words[1], beta);
    }
    logit
}

/// The gamma functions of α, β and α + β for four sticks.
pub(super) struct Gammas<S: Simd> {
    alpha: Gamma<S>,
    beta: Gamma<S>,
    sum: Gamma<S>,
}

impl<S: Simd> Gammas<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, alpha: f64x4<S>, beta: f64x4<S>) -> Self {
        Self {
            alpha: gamma::<S, SHIFT, TERMS>(simd, alpha),
            beta: gamma::<S, SHIFT, TERMS>(simd, beta),
            sum: gamma::<S, SHIFT, TERMS>(simd, alpha + beta),
        }
    }
}

/// (dℓ/dα, dℓ/dβ): see `pathwise`.
#[inline(always)]
pub(super) fn logit_derivatives<S: Simd>(
    simd: S,
    alpha: f64x4<S>,
    beta: f64x4<S>,
    logit: f64x4<S>,
    gammas: &Gammas<S>,
) -> (f64x4<S>, f64x4<S>) {
    let one = f64x4::constant(simd, 1.0);
    let (x, softplus) = logit.sigmoid_softplus(simd);
    // ln(1−x) = −softplus(ℓ), and ln x = ℓ + ln(1−x).
    let ln_1mx = -softplus;
    let ln_x = logit - softplus;
    let swapped = (x * (alpha + beta + 2.0)).simd_gt(alpha + 1.0);
    let (a, b) = (swapped.select(beta, alpha), swapped.select(alpha, beta));
    let z = swapped.select(one - x, x);
    // 1−x rounds badly next to one; there, exp(ln(1−x)) is only needed where
    // it is tiny, and then F is 1 to all digits.
    let (ln_z, ln_1mz) = (swapped.select(ln_1mx, ln_x), swapped.select(ln_x, ln_1mx));
    let (psi_alpha, psi_beta) = (gammas.alpha.digamma, gammas.beta.digamma);
    let psi_a = swapped.select(psi_beta, psi_alpha);
    let psi_b = swapped.select(psi_alpha, psi_beta);
    let f = fraction(simd, a, b, z, TOLERANCE);
    let inverse = one / a;
    let to_a = gammas.sum.digamma - psi_a - inverse;
    let to_b = gammas.sum.digamma - psi_b;
    let by_a = ((ln_z + to_a).mul_add(f.value, f.by_a)) * inverse;
    let by_b = ((ln_1mz + to_b).mul_add(f.value, f.by_b)) * inverse;
    (swapped.select(by_b, -by_a), swapped.select(by_a, -by_b))
}

/// KL(Beta(α, β) ‖ Beta(1, c)) + ln c, and its derivatives: see `divergence`.
#[inline(always)]
pub(super) fn divergence<S: Simd>(
    alpha: f64x4<S>,
    beta: f64x4<S>,
    concentration: f64,
    gammas: &Gammas<S>,
) -> (f64x4<S>, f64x4<S>, f64x4<S>) {
    let Gammas {
        alpha: ga,
        beta: gb,
        sum: gs,
    } = gammas;
    // One logarithm for the three products of ln B(α, β).
    let products = gs.product / (ga.product * gb.product);
    let ln_beta = ga.ln_gamma_shifted + gb.ln_gamma_shifted - gs.ln_gamma_shifted + products.ln();
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
