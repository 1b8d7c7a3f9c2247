//! Stick breaking: from fractions to lengths (`eq:sticks` of the paper).
//!
//! π_c = π′_c Π_{j<c} (1 − π′_j); the last stick is the remainder. Fractions
//! are given as logits, so both π′ = σ(ℓ) and 1−π′ = σ(−ℓ) are precise
//! arbitrarily close to 0 or 1. A stick or a remainder below [`Real::TINY`] is
//! set to zero.

use crate::Real;
use crate::vector::{Vector, level};
use fearless_simd::dispatch;
use fearless_simd::prelude::*;

/// σ(ℓ) and σ(−ℓ) of a row, except for sticks that break at one of their ends
/// (fractions 0 and 1).
#[inline(always)]
pub(super) fn fractions<S: Simd, T: Real>(simd: S, logits: &[T], v: &mut [T], rest: &mut [T]) {
    let width = T::Vector::<S>::LEN;
    let mut buffer = T::Vector::<S>::constant(simd, 0.0);
    for ((logits, v), rest) in logits
        .chunks(width)
        .zip(v.chunks_mut(width))
        .zip(rest.chunks_mut(width))
    {
        let n = logits.len();
        buffer.as_mut_slice()[..n].copy_from_slice(logits);
        let one = T::Vector::<S>::constant(simd, 1.0);
        let steepest = T::STEEPEST.simd_into(simd);
        let e = (-buffer.abs().at_most(steepest)).exp();
        let inverse = one / (e + T::ONE);
        let positive = buffer.simd_ge(T::Vector::<S>::constant(simd, 0.0));
        let (large, small) = (inverse, e * inverse);
        v.copy_from_slice(&positive.select(large, small).as_slice()[..n]);
        rest.copy_from_slice(&positive.select(small, large).as_slice()[..n]);
    }
}

/// Computes the stick lengths of one row, from `logits` (C−1) into `lengths`
/// (C).
///
/// The lengths are not negative and sum to one up to rounding.
///
/// ```
/// let mut lengths = [0.0; 3];
/// bnpool_math::beta::stick_lengths(&[0.0, 0.0], &mut lengths);
/// assert_eq!(lengths, [0.5, 0.25, 0.25]);
/// ```
///
/// # Panics
///
/// Panics if `lengths` is not one longer than `logits`.
pub fn stick_lengths<T: Real>(logits: &[T], lengths: &mut [T]) {
    assert_eq!(
        lengths.len(),
        logits.len() + 1,
        "one length more than fractions"
    );
    let mut v = vec![T::ZERO; logits.len()];
    let mut rest = v.clone();
    dispatch!(level(), simd => fractions(simd, logits, &mut v, &mut rest));
    let remaining = break_sticks(T::ONE, &v, &rest, &mut lengths[..logits.len()]);
    lengths[logits.len()] = remaining;
}

/// Breaks sticks off `remaining`; returns the remainder. Lengths that are too
/// short to matter are set to zero.
#[inline(always)]
pub(super) fn break_sticks<T: Real>(remaining: T, v: &[T], rest: &[T], lengths: &mut [T]) -> T {
    let long_enough = |length: T| if length < T::TINY { T::ZERO } else { length };
    let mut remaining = remaining;
    for ((length, &v), &rest) in lengths.iter_mut().zip(v).zip(rest) {
        *length = long_enough(remaining * v);
        remaining *= rest;
    }
    long_enough(remaining)
}

/// Gradient with respect to the logits of one row, given the gradient with
/// respect to the lengths.
///
/// With g_c = π_c ∂L/∂π_c: ∂L/∂ℓ_c = (1−π′_c) g_c − π′_c Σ_{k>c} g_k.
#[inline(always)]
pub(super) fn row_logit_gradients<T: Real>(
    lengths: &[T],
    length_gradients: &[T],
    v: &[T],
    rest: &[T],
    logit_gradients: &mut [T],
) {
    let last = logit_gradients.len();
    let mut behind = lengths[last] * length_gradients[last];
    for c in (0..last).rev() {
        let g = lengths[c] * length_gradients[c];
        logit_gradients[c] = rest[c] * g - v[c] * behind;
        behind += g;
    }
}

/// Gradient with respect to the logits of one row: the backward pass of
/// [`stick_lengths`].
///
/// # Panics
///
/// Panics if the slices do not match in length.
pub fn logit_gradients<T: Real>(
    logits: &[T],
    lengths: &[T],
    length_gradients: &[T],
    logit_gradients: &mut [T],
) {
    assert!(
        lengths.len() == logits.len() + 1
            && length_gradients.len() == lengths.len()
            && logit_gradients.len() == logits.len(),
        "one length more than fractions, one gradient each"
    );
    let mut v = vec![T::ZERO; logits.len()];
    let mut rest = v.clone();
    dispatch!(level(), simd => fractions(simd, logits, &mut v, &mut rest));
    row_logit_gradients(lengths, length_gradients, &v, &rest, logit_gradients);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lengths_sum_to_one(logits in prop::collection::vec(-900.0..900.0_f64, 1..60)) {
            let mut lengths = vec![0.0; logits.len() + 1];
            stick_lengths(&logits, &mut lengths);
            prop_assert!((lengths.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            prop_assert!(lengths.iter().all(|&x| x >= 0.0));
            let logits: Vec<f32> = logits.iter().map(|&x| x as f32).collect();
            let mut lengths = vec![0.0_f32; logits.len() + 1];
            stick_lengths(&logits, &mut lengths);
            prop_assert!((lengths.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }

        #[test]
        fn gradient_matches_finite_differences(
            row in prop::collection::vec((-4.0..4.0_f64, -1.0..1.0_f64), 1..12),
            last in -1.0..1.0_f64,
        ) {
            let logits: Vec<f64> = row.iter().map(|r| r.0).collect();
            let mut weights: Vec<f64> = row.iter().map(|r| r.1).collect();
            weights.push(last);
            let value = |logits: &[f64]| {
                let mut lengths = vec![0.0; logits.len() + 1];
                stick_lengths(logits, &mut lengths);
                lengths.iter().zip(&weights).map(|(l, w)| l * w).sum::<f64>()
            };
            let mut lengths = vec![0.0; logits.len() + 1];
            stick_lengths(&logits, &mut lengths);
            let mut gradient = vec![0.0; logits.len()];
            logit_gradients(&logits, &lengths, &weights, &mut gradient);
            for c in 0..logits.len() {
                let h = 1e-5;
                let (mut up, mut down) = (logits.clone(), logits.clone());
                up[c] += h;
                down[c] -= h;
                let difference = (value(&up) - value(&down)) / (2.0 * h);
                prop_assert!((gradient[c] - difference).abs() < 1e-9);
            }
        }
    }
}
