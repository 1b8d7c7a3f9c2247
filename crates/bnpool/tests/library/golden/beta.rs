//! beta_pathwise.json and beta_kl.json.

use super::fixture::{Number, read};
use super::tolerance::{DIVERGENCE_GRADIENT, EXACT, PATHWISE, SINGLE, assert_close};
use bnpool_math::beta::{Fractions, Posterior, Prior, Wanted, divergence, logit, pathwise};
use serde::Deserialize;

#[derive(Deserialize)]
struct Pathwise {
    rows: Vec<PathwiseRow>,
}

#[derive(Deserialize)]
struct PathwiseRow {
    alpha: f64,
    beta: f64,
    x: f64,
    exact_dalpha: Number,
    exact_dbeta: Number,
}

#[test]
fn pathwise_derivative_is_exact_in_double_precision() {
    let fixture: Pathwise = read("beta_pathwise.json");
    assert!(!fixture.rows.is_empty());
    for r in &fixture.rows {
        let (da, db) = pathwise(r.alpha, r.beta, r.x);
        let at = format!("Beta({}, {}) at {}", r.alpha, r.beta, r.x);
        assert_close(
            &format!("dx/dα of {at}"),
            da,
            r.exact_dalpha.0,
            PATHWISE,
            0.0,
        );
        assert_close(
            &format!("dx/dβ of {at}"),
            db,
            r.exact_dbeta.0,
            PATHWISE,
            0.0,
        );
    }
}

#[test]
fn pathwise_derivative_of_the_training_kernel_is_good_to_single_precision() {
    let fixture: Pathwise = read("beta_pathwise.json");
    for r in &fixture.rows {
        let parameters = [r.alpha as f32, r.beta as f32];
        // Compare at the rounded parameters, whose exact values differ.
        let [a, b] = parameters.map(f64::from);
        let l = logit(r.x) as f32;
        let pass = Posterior::new(&parameters, 1).pass(
            Fractions::Given(&[l]),
            1,
            Wanted {
                gradients: true,
                divergence_from: None,
            },
        );
        let (da, db) = bnpool_math::beta::logit_derivatives(a, b, f64::from(l));
        let at = format!("Beta({a}, {b}) at logit {l}");
        assert_close(
            &format!("dℓ/dα of {at}"),
            f64::from(pass.slopes[0]),
            da,
            SINGLE,
            0.0,
        );
        assert_close(
            &format!("dℓ/dβ of {at}"),
            f64::from(pass.slopes[1]),
            db,
            SINGLE,
            0.0,
        );
    }
}

#[derive(Deserialize)]
struct Kl {
    rows: Vec<KlRow>,
}

#[derive(Deserialize)]
struct KlRow {
    a: f64,
    b: f64,
    alpha_dp: f64,
    exact_kl: f64,
    dkl_da: f64,
    dkl_db: f64,
}

#[test]
fn divergence_is_exact_in_double_precision() {
    let fixture: Kl = read("beta_kl.json");
    assert!(!fixture.rows.is_empty());
    for r in &fixture.rows {
        let d = divergence(r.a, r.b, r.alpha_dp);
        let at = format!("KL(Beta({}, {}) | Beta(1, {}))", r.a, r.b, r.alpha_dp);
        assert_close(&at, d.value, r.exact_kl, EXACT, 1e-3);
        // The terms of the derivative are of the order of ψ′.
        let size = bnpool_math::special::trigamma(r.a) + bnpool_math::special::trigamma(r.b);
        assert_close(
            &format!("∂α {at}"),
            d.by_alpha,
            r.dkl_da,
            DIVERGENCE_GRADIENT,
            size,
        );
        assert_close(
            &format!("∂β {at}"),
            d.by_beta,
            r.dkl_db,
            DIVERGENCE_GRADIENT,
            size,
        );
    }
}

#[test]
fn divergence_of_the_training_kernel_is_good_to_single_precision() {
    let fixture: Kl = read("beta_kl.json");
    for r in &fixture.rows {
        let parameters = [r.a as f32, r.b as f32];
        let [a, b] = parameters.map(f64::from);
        let pass = Posterior::new(&parameters, 1).pass(
            Fractions::Mean,
            1,
            Wanted {
                gradients: false,
                divergence_from: Some(Prior::new(r.alpha_dp)),
            },
        );
        let want = divergence(a, b, r.alpha_dp);
        let at = format!("KL(Beta({a}, {b}) | Beta(1, {}))", r.alpha_dp);
        assert_close(&at, pass.divergence[0], want.value, SINGLE, 1e-5);
        let gradient = &pass.divergence_gradient;
        assert_close(
            &format!("∂α {at}"),
            f64::from(gradient[0]),
            want.by_alpha,
            SINGLE,
            1e-5,
        );
        assert_close(
            &format!("∂β {at}"),
            f64::from(gradient[1]),
            want.by_beta,
            SINGLE,
            1e-5,
        );
    }
}
