//! All tolerances of the golden tests, with their reasons.

/// `f64` functions against exact values (mpmath, 60 digits; the files keep 13
/// digits, so 1e-13 is the floor).
pub(crate) const EXACT: f64 = 1e-10;

/// The pathwise derivative against exact values. Its formula subtracts terms
/// that may agree in their leading digits (x far in a tail, one parameter a
/// thousand times the other); the worst fixture loses five of sixteen digits.
pub(crate) const PATHWISE: f64 = 1e-8;

/// Derivatives of the divergence against PyTorch, relative to ψ′(α) + ψ′(β).
/// PyTorch's trigamma has an error of 1.4e-8 (checked with mpmath at 40
/// digits); ours is verified to 1e-13 by its recurrence and closed forms.
pub(crate) const DIVERGENCE_GRADIENT: f64 = 2e-8;

/// Gradients of a whole loss with respect to α and β against PyTorch: the error
/// of its trigamma is amplified if the two terms of the derivative nearly
/// cancel.
pub(crate) const POSTERIOR_GRADIENT: f64 = 1e-6;

/// Chains of `f64` operations against PyTorch in `f64`: 13 digits in the files,
/// and sums in a different order.
pub(crate) const CHAIN: f64 = 1e-9;

/// Losses with non-integer targets, and layers with a normalised matrix:
/// matrices store `f32`, so the input is rounded to 6e-8, and sums of opposite
/// signs lose two more digits.
pub(crate) const FRACTIONAL_TARGETS: f64 = 1e-5;

/// Values computed in `f64` and stored in `f32`.
pub(crate) const SINGLE_ROUNDING: f64 = 1e-6;

/// Gradients through the pathwise derivative against PyTorch, whose
/// `_dirichlet_grad` has an error of 5e-4 at the 90th percentile and 0.1 at
/// worst (`beta_pathwise.json`); our derivative is verified there to 1e-8.
pub(crate) const PYTORCH_PATHWISE: f64 = 1e-2;

/// `f32` paths: 24 bits, and sums of up to a thousand terms.
pub(crate) const SINGLE: f64 = 1e-4;

/// Numbers below this fraction of the largest of their array are compared
/// absolutely: their digits are rounding errors of larger neighbours.
pub(crate) const RELATIVE_FLOOR: f64 = 1e-6;

/// `|got − want| ≤ tolerance · |want|`, with a floor for numbers near zero.
#[track_caller]
pub(crate) fn assert_close(what: &str, got: f64, want: f64, tolerance: f64, floor: f64) {
    if want.is_nan() {
        assert!(got.is_nan(), "{what}: {got} is not NaN");
        return;
    }
    let error = (got - want).abs();
    assert!(
        error <= tolerance * want.abs().max(floor),
        "{what}: {got:e} is not {want:e} (relative error {:e})",
        error / want.abs()
    );
}

/// [`assert_close`] for arrays; the floor is a fraction of the largest value.
#[track_caller]
pub(crate) fn assert_all_close(
    what: &str,
    got: impl IntoIterator<Item = impl Into<f64>>,
    want: &[f64],
    tolerance: f64,
) {
    let got: Vec<f64> = got.into_iter().map(Into::into).collect();
    assert_eq!(got.len(), want.len(), "{what}: number of values");
    let largest = want.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    // Single precision cannot resolve more than seven digits of the largest.
    let floor = largest * RELATIVE_FLOOR.max(tolerance);
    for (i, (&g, &w)) in got.iter().zip(want).enumerate() {
        assert_close(&format!("{what}[{i}]"), g, w, tolerance, floor);
    }
}
