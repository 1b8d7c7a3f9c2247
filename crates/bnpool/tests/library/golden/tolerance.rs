//! Every tolerance of the golden tests, with its reason.

/// `f64` functions against exact values (mpmath, 60 digits; the files keep 13
/// digits, so 1e-13 is the floor).
pub(crate) const EXACT: f64 = 1e-10;

/// The pathwise derivative against exact values. Its formula subtracts terms
/// that may agree in their leading digits (x far in a tail, one parameter a
/// thousand times the other); the worst of the fixtures loses five of sixteen.
pub(crate) const PATHWISE: f64 = 1e-8;

/// Derivatives of the divergence against PyTorch, as a part of ψ′(α) + ψ′(β).
/// PyTorch's own trigamma is off by 1.4e-8 (checked with mpmath at 40 digits);
/// ours is proven to 1e-13 by its recurrence and closed forms.
pub(crate) const DIVERGENCE_GRADIENT: f64 = 2e-8;

/// Gradients by α, β of a whole loss against PyTorch: its trigamma again, where
/// the two terms of the derivative nearly cancel.
pub(crate) const POSTERIOR_GRADIENT: f64 = 1e-6;

/// Chains of `f64` operations against PyTorch in `f64`: 13 digits in the
/// files, sums in another order.
pub(crate) const CHAIN: f64 = 1e-9;

/// Losses whose targets (or layers whose normalised matrix) are not whole
/// numbers: matrices store `f32`, so the input itself is rounded to 6e-8, and
/// sums of opposite signs lose two more digits.
pub(crate) const FRACTIONAL_TARGETS: f64 = 1e-5;

/// Values that are computed in `f64` and stored in `f32`.
pub(crate) const SINGLE_ROUNDING: f64 = 1e-6;

/// Gradients through the pathwise derivative against PyTorch, whose own
/// `_dirichlet_grad` is off by 5e-4 at the 90th percentile and by 0.1 at worst
/// (`beta_pathwise.json`); the exact derivative is proven there to 1e-8.
pub(crate) const PYTORCH_PATHWISE: f64 = 1e-2;

/// `f32` paths: 24 bits, and sums of up to a thousand terms.
pub(crate) const SINGLE: f64 = 1e-4;

/// Numbers below this part of the largest of their array are compared
/// absolutely: their digits are the rounding of larger neighbours.
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

/// [`assert_close`] for arrays; the floor is a part of the largest value.
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
