//! Activation functions, applied to every value after an affine map; vectorised
//! and parallel.
//!
//! Their derivatives are functions of their results, so the backward pass does
//! not need the inputs.

use crate::Real;
use crate::beta::PARAMETER_BOUNDS;
use crate::buffer::take;
use crate::vector::{Vector, horner, is_wide, level};
use fearless_simd::dispatch;
use fearless_simd::prelude::*;
use rayon::prelude::*;

/// Smallest number of values per task: about ten microseconds of work. With
/// less, another thread costs more than it gains.
const CHUNK: usize = 16_384;

/// Activation applied to every value of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// The identity.
    None,
    /// ELU(x) = x for x > 0, eˣ − 1 below.
    Elu,
    /// softplus(x) = ln(1 + eˣ), clamped to [`PARAMETER_BOUNDS`]: the parameters
    /// α̃, β̃ of the posterior (`lst:clust_ass` of the paper).
    BoundedSoftplus,
}

/// A function, and its derivative in terms of its result y.
trait Function: Copy {
    fn value<S: Simd, V: Vector<S>>(self, simd: S, x: V) -> V;
    fn slope<S: Simd, V: Vector<S>>(self, simd: S, y: V) -> V;
}

#[derive(Clone, Copy)]
struct Elu;

impl Function for Elu {
    #[inline(always)]
    fn value<S: Simd, V: Vector<S>>(self, simd: S, x: V) -> V {
        let (zero, one) = (V::constant(simd, 0.0), V::constant(simd, 1.0));
        // eˣ − 1 = 2 sinh(x/2) e^{x/2} would keep tiny x exact; plain
        // subtraction is within 1e-7 of one, which is what activations need.
        let negative = x.at_most(zero).exp() - one;
        x.simd_gt(zero).select(x, negative)
    }

    #[inline(always)]
    fn slope<S: Simd, V: Vector<S>>(self, simd: S, y: V) -> V {
        let one = V::constant(simd, 1.0);
        (y + one).at_most(one)
    }
}

#[derive(Clone, Copy)]
struct BoundedSoftplus;

/// Below this, 1 − e⁻ʸ is evaluated as a series: the subtraction would lose
/// digits.
const SERIES: f64 = 0.05;

impl Function for BoundedSoftplus {
    #[inline(always)]
    fn value<S: Simd, V: Vector<S>>(self, simd: S, x: V) -> V {
        let (low, high) = PARAMETER_BOUNDS;
        let (_, softplus) = x.sigmoid_softplus(simd);
        softplus
            .at_least(V::constant(simd, low))
            .at_most(V::constant(simd, high))
    }

    /// σ(x) = 1 − e⁻ʸ for y = softplus(x).
    #[inline(always)]
    fn slope<S: Simd, V: Vector<S>>(self, simd: S, y: V) -> V {
        let (low, high) = PARAMETER_BOUNDS;
        let (zero, one) = (V::constant(simd, 0.0), V::constant(simd, 1.0));
        let series = y * horner(
            simd,
            y,
            &[
                1.0,
                -1.0 / 2.0,
                1.0 / 6.0,
                -1.0 / 24.0,
                1.0 / 120.0,
                -1.0 / 720.0,
                1.0 / 5040.0,
            ],
        );
        let sigmoid = y
            .simd_lt(V::constant(simd, SERIES))
            .select(series, one - (-y).exp());
        // The gradient at the bounds is zero, as for a clamp.
        let outside = y.simd_le(V::constant(simd, low)) | y.simd_ge(V::constant(simd, high));
        outside.select(zero, sigmoid)
    }
}

/// Runs `$body` with `$f` bound to the function of an activation; does nothing
/// for the identity.
macro_rules! with_function {
    ($activation:expr, $f:ident => $body:expr) => {
        match $activation {
            Activation::None => {}
            Activation::Elu => {
                let $f = Elu;
                $body
            }
            Activation::BoundedSoftplus => {
                let $f = BoundedSoftplus;
                $body
            }
        }
    };
}

/// Replaces every value by `f(value, y)`, one register at a time; without `ys`,
/// y is the value itself. The remaining values at the end are padded with zeros
/// to a register.
#[inline(always)]
fn replace<S: Simd, V: Vector<S>>(
    simd: S,
    values: &mut [V::Element],
    ys: Option<&[V::Element]>,
    mut f: impl FnMut(V, V) -> V,
) {
    let lanes = V::LEN;
    let whole = values.len() / lanes * lanes;
    for (i, values) in values.chunks_exact_mut(lanes).enumerate() {
        let x = V::from_slice(simd, values);
        let y = match ys {
            Some(ys) => V::from_slice(simd, &ys[i * lanes..(i + 1) * lanes]),
            None => x,
        };
        f(x, y).store_slice(values);
    }
    let rest = &mut values[whole..];
    if !rest.is_empty() {
        let fill = |from: &[V::Element]| {
            let mut register = V::constant(simd, 0.0);
            register.as_mut_slice()[..from.len()].copy_from_slice(from);
            register
        };
        let x = fill(rest);
        let y = ys.map_or(x, |ys| fill(&ys[whole..]));
        rest.copy_from_slice(&f(x, y).as_slice()[..rest.len()]);
    }
}

/// Applies f to every value, using registers of one width.
#[inline(always)]
fn apply<S: Simd, V: Vector<S>>(simd: S, f: impl Function, values: &mut [V::Element]) {
    replace(
        simd,
        values,
        None,
        #[inline(always)]
        |x: V, _| f.value(simd, x),
    );
}

/// Multiplies every value by f′, using registers of one width.
#[inline(always)]
fn times_slope<S: Simd, V: Vector<S>>(
    simd: S,
    f: impl Function,
    y: &[V::Element],
    gradient: &mut [V::Element],
) {
    replace(
        simd,
        gradient,
        Some(y),
        #[inline(always)]
        |g: V, y| g * f.slope(simd, y),
    );
}

/// Calls a vectorised function with the widest registers of the instruction
/// set.
macro_rules! by_widest {
    ($simd:ident, $t:ty, $f:ident($($argument:expr),*)) => {
        if is_wide($simd) {
            $f::<_, <$t as Real>::Wide<_>>($simd, $($argument),*)
        } else {
            $f::<_, <$t as Real>::Vector<_>>($simd, $($argument),*)
        }
    };
}

impl Activation {
    /// Applies f in place to a chunk of values that is in cache.
    pub(super) fn apply<T: Real>(self, values: &mut [T]) {
        with_function!(self, f => dispatch!(level(), simd => {
            by_widest!(simd, T, apply(f, values));
        }));
    }

    /// Multiplies by f′ in place, given the results `y` of f.
    pub(super) fn times_slope<T: Real>(self, y: &[T], gradient: &mut [T]) {
        with_function!(self, f => dispatch!(level(), simd => {
            by_widest!(simd, T, times_slope(f, y, gradient));
        }));
    }
}

/// Applies f to every value.
///
/// # Complexity
///
/// O(values) time, parallel over chunks.
///
/// ```
/// use bnpool_math::kernel::{Activation, activate};
/// assert_eq!(activate(&[2.0, 0.0], Activation::Elu), [2.0, 0.0]);
/// ```
#[must_use]
pub fn activate<T: Real>(x: &[T], activation: Activation) -> Vec<T> {
    let mut out = take(x.len());
    out.par_chunks_mut(CHUNK)
        .zip(x.par_chunks(CHUNK))
        .for_each(|(out, x)| {
            out.copy_from_slice(x);
            activation.apply(out);
        });
    out
}

/// Returns `gradient` times f′, given the results `y` of f.
///
/// # Panics
///
/// Panics if the slices differ in length.
#[must_use]
pub fn activate_backward<T: Real>(y: &[T], activation: Activation, gradient: &[T]) -> Vec<T> {
    assert_eq!(y.len(), gradient.len(), "a gradient for every value");
    let mut out = take(y.len());
    out.par_chunks_mut(CHUNK)
        .zip(y.par_chunks(CHUNK).zip(gradient.par_chunks(CHUNK)))
        .for_each(|(out, (y, gradient))| {
            out.copy_from_slice(gradient);
            activation.times_slope(y, out);
        });
    out
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
        for (x, y) in x.iter().zip(activate(&x, Activation::Elu)) {
            let want = if *x > 0.0 { *x } else { x.exp_m1() };
            assert!((y - want).abs() < 1e-15, "ELU({x})");
        }
        let (low, high) = PARAMETER_BOUNDS;
        for (x, y) in x.iter().zip(activate(&x, Activation::BoundedSoftplus)) {
            let want = (x.max(0.0) + (-x.abs()).exp().ln_1p()).clamp(low, high);
            assert!((y - want).abs() < 1e-14, "softplus({x})");
        }
        assert_eq!(activate(&x, Activation::None), x);
        let large = activate(&[2e3, -2e3], Activation::BoundedSoftplus);
        assert_eq!(large, [high, low]);
    }

    #[test]
    fn slopes_match_finite_differences() {
        let x: Vec<f64> = points().iter().map(|x| x + 1e-3).collect();
        let h = 1e-6;
        let shifted = |h: f64| x.iter().map(|x| x + h).collect::<Vec<_>>();
        for activation in [
            Activation::None,
            Activation::Elu,
            Activation::BoundedSoftplus,
        ] {
            let (up, down) = (
                activate(&shifted(h), activation),
                activate(&shifted(-h), activation),
            );
            let y = activate(&x, activation);
            let gradient = activate_backward(&y, activation, &vec![2.0; x.len()]);
            for i in 0..x.len() {
                let want = (up[i] - down[i]) / (2.0 * h);
                assert!(
                    (gradient[i] / 2.0 - want).abs() < 1e-8,
                    "{activation:?}′({})",
                    x[i]
                );
            }
        }
    }

    #[test]
    fn slopes_of_small_parameters_keep_their_digits() {
        // σ(x) of softplus(x) = y, from just above the lower bound on.
        for i in 0..200 {
            let y = 1.001e-3 * 1.05_f64.powi(i);
            let got = activate_backward(&[y as f32], Activation::BoundedSoftplus, &[1.0])[0];
            let want = -(-f64::from(y as f32)).exp_m1();
            assert!((f64::from(got) / want - 1.0).abs() < 2e-6, "at {y}");
        }
    }

    #[test]
    fn large_arguments_stay_finite() {
        let x = [-1e30_f32, -100.0, 89.0, 1e30];
        for activation in [Activation::Elu, Activation::BoundedSoftplus] {
            let y = activate(&x, activation);
            let gradient = activate_backward(&y, activation, &[1.0; 4]);
            assert!(y.iter().chain(&gradient).all(|y| y.is_finite()));
        }
        assert_eq!(activate(&x, Activation::Elu)[3], 1e30);
    }
}
