//! stick_breaking.json.

use super::fixture::{Rows, flat, read};
use super::tolerance::{CHAIN, EXACT, SINGLE, assert_all_close};
use bnpool_math::beta::{logit, logit_gradients, stick_lengths};
use serde::Deserialize;

#[derive(Deserialize)]
struct Sticks {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    v: Rows,
    w: Rows,
    pi: Rows,
    grad_v: Rows,
}

#[test]
fn lengths_and_gradients_match() {
    let fixture: Sticks = read("stick_breaking.json");
    assert!(!fixture.cases.is_empty());
    for (i, case) in fixture.cases.iter().enumerate() {
        let sticks = case.v[0].len();
        let (v, w) = (flat(&case.v), flat(&case.w));
        let (mut pi, mut gradient) = (Vec::new(), Vec::new());
        let mut single = Vec::new();
        for (v, w) in v.chunks(sticks).zip(w.chunks(sticks + 1)) {
            let logits: Vec<f64> = v.iter().map(|&v| logit(v)).collect();
            let mut lengths = vec![0.0; sticks + 1];
            stick_lengths(&logits, &mut lengths);
            let mut by_logit = vec![0.0; sticks];
            logit_gradients(&logits, &lengths, w, &mut by_logit);
            // dℓ/dv = 1 / (v (1−v)).
            gradient.extend(by_logit.iter().zip(v).map(|(g, v)| g / (v * (1.0 - v))));
            pi.extend(lengths);
            let logits: Vec<f32> = logits.iter().map(|&l| l as f32).collect();
            let mut lengths = vec![0.0_f32; sticks + 1];
            stick_lengths(&logits, &mut lengths);
            single.extend(lengths);
        }
        assert_all_close(&format!("π of case {i}"), pi, &flat(&case.pi), EXACT);
        assert_all_close(
            &format!("∂v of case {i}"),
            gradient,
            &flat(&case.grad_v),
            CHAIN,
        );
        assert_all_close(
            &format!("single π of case {i}"),
            single,
            &flat(&case.pi),
            SINGLE,
        );
    }
}
