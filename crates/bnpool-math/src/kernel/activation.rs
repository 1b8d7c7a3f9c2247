//! Elementwise functions with their backward passes, vectorised and parallel.

use crate::Real;
use crate::vector::{Vector, level};
use fearless_simd::dispatch;
use fearless_simd::prelude::*;
use rayon::prelude::*;

/// Values a task handles at least: some ten microseconds of work, below which
/// another thread costs more than it gains.
const CHUNK: usize = 16_384;

/// Values computed at a time.
const BLOCK: usize = 256;

/// A result for every pair of values, `fill(x, y, out)` a block at a time. The
/// blocks go straight to their place: a vector of zeros to write into would be
/// cleared by one thread first.
pub(super) fn blockwise<T: Real>(
    x: &[T],
    y: &[T],
    fill: impl Fn(&[T], &[T], &mut [T]) + Sync,
) -> Vec<T> {
    assert_eq!(x.len(), y.len(), "two values for every result");
    let blocks: Vec<[T; BLOCK]> = x
        .par_chunks(BLOCK)
        .zip(y.par_chunks(BLOCK))
        .with_min_len(CHUNK / BLOCK)
        .map(|(x, y)| {
            let mut block = [T::ZERO; BLOCK];
            fill(x, y, &mut block[..x.len()]);
            block
        })
        .collect();
    let mut out = blocks.into_flattened();
    out.truncate(x.len());
    out
}

/// An elementwise function and its derivative in terms of input and output.
trait Function<T: Real>: Copy + Sync {
    fn value<S: Simd>(self, simd: S, x: T::Vector<S>) -> T::Vector<S>;
    fn slope<S: Simd>(self, simd: S, x: T::Vector<S>) -> T::Vector<S>;
}

/// Applies `f` to a register of each at a time; the tail goes through a buffer.
#[inline(always)]
fn map<S: Simd, T: Real>(
    simd: S,
    x: &[T],
    y: &[T],
    out: &mut [T],
    mut f: impl FnMut(T::Vector<S>, T::Vector<S>) -> T::Vector<S>,
) {
    let width = T::Vector::<S>::LEN;
    let (mut xs, mut ys) = (x.chunks_exact(width), y.chunks_exact(width));
    let mut outs = out.chunks_exact_mut(width);
    for ((x, y), out) in xs.by_ref().zip(ys.by_ref()).zip(outs.by_ref()) {
        let z = f(
            T::Vector::<S>::from_slice(simd, x),
            T::Vector::<S>::from_slice(simd, y),
        );
        z.store_slice(out);
    }
    let (x, y, out) = (xs.remainder(), ys.remainder(), outs.into_remainder());
    if !x.is_empty() {
        let mut a = T::Vector::<S>::constant(simd, 0.0);
        let mut b = a;
        a.as_mut_slice()[..x.len()].copy_from_slice(x);
        b.as_mut_slice()[..x.len()].copy_from_slice(y);
        let z = f(a, b);
        out.copy_from_slice(&z.as_slice()[..x.len()]);
    }
}

fn forward<T: Real>(f: impl Function<T>, x: &[T]) -> Vec<T> {
    blockwise(x, x, |x, _, out| {
        dispatch!(level(), simd => map(simd, x, x, out, #[inline(always)] |x, _| f.value(simd, x)));
    })
}

fn backward<T: Real>(f: impl Function<T>, x: &[T], gradient: &[T]) -> Vec<T> {
    blockwise(x, gradient, |x, g, out| {
        dispatch!(level(), simd => map(simd, x, g, out, #[inline(always)] |x, g| g * f.slope(simd, x)));
    })
}

#[derive(Clone, Copy)]
struct Elu;

impl<T: Real> Function<T> for Elu {
    #[inline(always)]
    fn value<S: Simd>(self, simd: S, x: T::Vector<S>) -> T::Vector<S> {
        let zero = T::Vector::<S>::constant(simd, 0.0);
        // eˣ − 1 = 2 sinh(x/2) e^{x/2} would keep tiny x exact; plain
        // subtraction is within 1e-7 of one, which is what activations need.
        let negative = x.min(zero).exp() - T::ONE;
        x.simd_gt(zero).select(x, negative)
    }

    #[inline(always)]
    fn slope<S: Simd>(self, simd: S, x: T::Vector<S>) -> T::Vector<S> {
        let zero = T::Vector::<S>::constant(simd, 0.0);
        let one = T::Vector::<S>::constant(simd, 1.0);
        x.simd_gt(zero).select(one, x.min(zero).exp())
    }
}

/// ELU(x) = x for x > 0, eˣ − 1 below.
#[must_use]
pub fn elu<T: Real>(x: &[T]) -> Vec<T> {
    forward(Elu, x)
}

/// `gradient` times the derivative of [`elu`] at x.
///
/// # Panics
///
/// When the slices differ in length.
#[must_use]
pub fn elu_backward<T: Real>(x: &[T], gradient: &[T]) -> Vec<T> {
    backward(Elu, x, gradient)
}

/// `gradient` times the derivative of ELU where its result is `y`: 1 above zero,
/// y + 1 below.
///
/// # Panics
///
/// When the slices differ in length.
#[must_use]
pub fn elu_backward_from_output<T: Real>(y: &[T], gradient: &[T]) -> Vec<T> {
    blockwise(y, gradient, |y, g, out| {
        dispatch!(level(), simd => {
            map(simd, y, g, out, #[inline(always)] |y, g| g * (y + T::ONE).min(T::ONE));
        });
    })
}

/// ELU of a piece that is in cache, in place.
#[inline(always)]
pub(super) fn elu_in_place<S: Simd, T: Real>(simd: S, values: &mut [T]) {
    let lanes = T::Vector::<S>::LEN;
    let mut chunks = values.chunks_exact_mut(lanes);
    for chunk in chunks.by_ref() {
        let x = T::Vector::<S>::from_slice(simd, chunk);
        Function::<T>::value(Elu, simd, x).store_slice(chunk);
    }
    let tail = chunks.into_remainder();
    if !tail.is_empty() {
        let mut x = T::Vector::<S>::constant(simd, 0.0);
        x.as_mut_slice()[..tail.len()].copy_from_slice(tail);
        let y = Function::<T>::value(Elu, simd, x);
        tail.copy_from_slice(&y.as_slice()[..tail.len()]);
    }
}

/// Times the derivative of ELU where its result is `y`, in place.
#[inline(always)]
pub(super) fn times_elu_slope<S: Simd, T: Real>(simd: S, y: &[T], gradient: &mut [T]) {
    let lanes = T::Vector::<S>::LEN;
    let mut ys = y.chunks_exact(lanes);
    let mut chunks = gradient.chunks_exact_mut(lanes);
    for (y, chunk) in ys.by_ref().zip(chunks.by_ref()) {
        let y = T::Vector::<S>::from_slice(simd, y);
        let g = T::Vector::<S>::from_slice(simd, chunk);
        (g * (y + T::ONE).min(T::ONE)).store_slice(chunk);
    }
    for (y, g) in ys.remainder().iter().zip(chunks.into_remainder()) {
        if *y < T::ZERO {
            *g *= *y + T::ONE;
        }
    }
}

#[derive(Clone, Copy)]
struct BoundedSoftplus {
    low: f64,
    high: f64,
}

impl<T: Real> Function<T> for BoundedSoftplus {
    #[inline(always)]
    fn value<S: Simd>(self, simd: S, x: T::Vector<S>) -> T::Vector<S> {
        let (_, softplus) = x.sigmoid_softplus(simd);
        softplus.max(T::of(self.low)).min(T::of(self.high))
    }

    #[inline(always)]
    fn slope<S: Simd>(self, simd: S, x: T::Vector<S>) -> T::Vector<S> {
        let (sigmoid, softplus) = x.sigmoid_softplus(simd);
        let zero = T::Vector::<S>::constant(simd, 0.0);
        // No gradient outside the bounds, as for a clamp.
        let inside = softplus.simd_ge(T::of(self.low)) & softplus.simd_le(T::of(self.high));
        inside.select(sigmoid, zero)
    }
}

/// softplus(x) = ln(1 + eˣ), kept within `bounds`: the parameters α̃, β̃ of the
/// posterior (listing 2 of the paper).
#[must_use]
pub fn bounded_softplus<T: Real>(x: &[T], (low, high): (f64, f64)) -> Vec<T> {
    forward(BoundedSoftplus { low, high }, x)
}

/// `gradient` times the derivative of [`bounded_softplus`] at x.
///
/// # Panics
///
/// When the slices differ in length.
#[must_use]
pub fn bounded_softplus_backward<T: Real>(
    x: &[T],
    (low, high): (f64, f64),
    gradient: &[T],
) -> Vec<T> {
    backward(BoundedSoftplus { low, high }, x, gradient)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values on both sides of zero and of the bounds, with a ragged tail.
    fn points() -> Vec<f64> {
        (0..1003).map(|i| (f64::from(i) - 500.0) * 0.037).collect()
    }

    #[test]
    fn values_match_their_definitions() {
        let x = points();
        for (x, y) in x.iter().zip(elu(&x)) {
            let want = if *x > 0.0 { *x } else { x.exp_m1() };
            assert!((y - want).abs() < 1e-15, "ELU({x})");
        }
        for (x, y) in x.iter().zip(bounded_softplus(&x, (1e-3, 5.0))) {
            let want = (x.max(0.0) + (-x.abs()).exp().ln_1p()).clamp(1e-3, 5.0);
            assert!((y - want).abs() < 1e-14, "softplus({x})");
        }
    }

    #[test]
    fn slopes_match_finite_differences() {
        let x: Vec<f64> = points().iter().map(|x| x + 1e-3).collect();
        let h = 1e-6;
        let shifted = |h: f64| x.iter().map(|x| x + h).collect::<Vec<_>>();
        let (up, down) = (elu(&shifted(h)), elu(&shifted(-h)));
        let gradient = elu_backward(&x, &vec![1.0; x.len()]);
        let from_output = elu_backward_from_output(&elu(&x), &vec![1.0; x.len()]);
        for i in 0..x.len() {
            assert!(
                (gradient[i] - (up[i] - down[i]) / (2.0 * h)).abs() < 1e-8,
                "ELU′({})",
                x[i]
            );
            assert!((gradient[i] - from_output[i]).abs() < 1e-15);
        }
        let bounds = (1e-3, 5.0);
        let (up, down) = (
            bounded_softplus(&shifted(h), bounds),
            bounded_softplus(&shifted(-h), bounds),
        );
        let gradient = bounded_softplus_backward(&x, bounds, &vec![2.0; x.len()]);
        for i in 0..x.len() {
            assert!((gradient[i] / 2.0 - (up[i] - down[i]) / (2.0 * h)).abs() < 1e-8);
        }
    }

    #[test]
    fn large_arguments_stay_finite() {
        let x = [-1e30_f32, -100.0, 89.0, 1e30];
        let (out, gradient) = (elu(&x), elu_backward(&x, &[1.0; 4]));
        assert_eq!(out[3], 1e30);
        assert!(out.iter().chain(&gradient).all(|y| y.is_finite()));
    }
}
