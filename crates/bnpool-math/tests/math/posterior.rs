//! The fused posterior pass: properties and gradients.

use bnpool_math::beta::{Fractions, Posterior, PosteriorPass, Prior, RowKeys, Wanted, divergence};
use bnpool_math::stream::{Purpose, Stream};
use proptest::prelude::*;

fn stream(step: u64) -> Stream {
    Stream::new(1, Purpose::StickFractions, step)
}

const ALL: Wanted<'static> = Wanted {
    gradients: true,
    divergence_from: Some(Prior::new(10.0)),
};

/// Parameters of `nodes` nodes, spread over six orders of magnitude.
fn parameters(nodes: usize, sticks: usize) -> Vec<f64> {
    let mut draws = Stream::new(2, Purpose::Other(1), 0).draws(0);
    (0..nodes * 2 * sticks)
        .map(|_| 10_f64.powf(6.0 * draws.uniform() - 3.0))
        .collect()
}

fn sample<'a, T>(offsets: &'a [usize], graphs: &'a [u32]) -> Fractions<'a, T> {
    Fractions::Sample {
        stream: stream(0),
        rows: RowKeys {
            offsets,
            graphs,
            first: 0,
        },
    }
}

proptest! {
    #[test]
    fn rows_sum_to_one(
        row in prop::collection::vec((1e-3..1e3_f64, 1e-3..1e3_f64), 1..60), nodes in 1..40_usize, particles in 1..4_usize,
    ) {
        let m = row.len();
        let mut one: Vec<f32> = row.iter().map(|r| r.0 as f32).collect();
        one.extend(row.iter().map(|r| r.1 as f32));
        let all = one.repeat(nodes);
        for from in [sample(&[0, nodes], &[0]), Fractions::Mean] {
            let pass = Posterior::new(&all, m).pass(from, particles, ALL);
            prop_assert_eq!(pass.assignments.len(), particles * nodes * (m + 1));
            for row in pass.assignments.chunks(m + 1) {
                prop_assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                prop_assert!(row.iter().all(|&x| (0.0..=1.0001).contains(&x)));
            }
            let finite = |x: &[f32]| x.iter().all(|v| v.is_finite());
            prop_assert!(finite(&pass.slopes) && finite(&pass.divergence_gradient) && finite(&pass.logits));
        }
    }
}

#[test]
fn threads_and_batches_change_no_bit() {
    let parameters: Vec<f32> = parameters(300, 49).iter().map(|&x| x as f32).collect();
    let (offsets, keys) = ([0, 120, 120, 300], [7, 8, 9]);
    let run = |threads: usize| -> PosteriorPass<f32> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a thread pool")
            .install(|| Posterior::new(&parameters, 49).pass(sample(&offsets, &keys), 2, ALL))
    };
    let (one, two) = (run(1), run(2));
    assert_eq!(one.assignments, two.assignments);
    assert_eq!(one.slopes, two.slopes);
    assert_eq!(one.divergence, two.divergence);
    // The third graph on its own gives the same results as in the batch.
    let alone = Posterior::new(&parameters[120 * 98..], 49).pass(sample(&[0, 180], &[9]), 2, ALL);
    for t in 0..2 {
        let batch = &one.assignments[(t * 300 + 120) * 50..(t + 1) * 300 * 50];
        assert_eq!(&alone.assignments[t * 180 * 50..(t + 1) * 180 * 50], batch);
    }
}

#[test]
fn skipped_sticks_do_not_matter() {
    // Sticks that are exhausted at once: all later values are zero, and the
    // divergence still includes all sticks.
    let sticks = 40;
    let mut row = vec![1e3_f32; sticks];
    row.extend(vec![1e-3_f32; sticks]);
    let pass = Posterior::new(&row, sticks).pass(sample(&[0, 1], &[0]), 1, ALL);
    assert!(pass.assignments[8..].iter().all(|&x| x == 0.0));
    let want = sticks as f64 * divergence(1e3, f64::from(1e-3_f32), 10.0).value;
    assert!((pass.divergence[0] - want).abs() < 1e-6 * want);
    let gradient = pass.backward(&pass.assignments, &vec![1.0; sticks + 1]);
    assert!(gradient.iter().all(|g| g.is_finite() && g.abs() < 1e-3));
}

#[test]
fn single_precision_agrees_with_double() {
    let double = parameters(60, 20);
    let single: Vec<f32> = double.iter().map(|&x| x as f32).collect();
    let rounded: Vec<f64> = single.iter().map(|&x| f64::from(x)).collect();
    let a = Posterior::new(&rounded, 20).pass(sample(&[0, 60], &[3]), 1, ALL);
    let b = Posterior::new(&single, 20).pass(sample(&[0, 60], &[3]), 1, ALL);
    for (x, y) in a.assignments.iter().zip(&b.assignments) {
        assert!((x - f64::from(*y)).abs() < 1e-4, "{x} {y}");
    }
    for (x, y) in a.divergence.iter().zip(&b.divergence) {
        assert!((x - y).abs() < 1e-6 * x.abs());
    }
}

/// The gradient with respect to α, β at fixed quantiles, by finite
/// differences of the *quantile function*: move the parameters, find the logit
/// with the same distribution function again, break the sticks again.
#[test]
fn backward_matches_finite_differences_at_fixed_quantiles() {
    use bnpool_math::special::incomplete_beta_at_logit;
    let (nodes, m) = (3, 4);
    let base: Vec<f64> = parameters(nodes, m)
        .iter()
        .map(|x| x.clamp(0.1, 20.0))
        .collect();
    let weights: Vec<f64> = (0..nodes * (m + 1))
        .map(|i| ((i * 37 % 11) as f64 - 5.0) / 5.0)
        .collect();
    let pass = Posterior::new(&base, m).pass(sample(&[0, nodes], &[0]), 1, ALL);
    let gradient = pass.backward(&pass.assignments, &weights);
    let value = |parameters: &[f64], logits: &[f64]| {
        let pass =
            Posterior::new(parameters, m).pass(Fractions::Given(logits), 1, Wanted::default());
        pass.assignments
            .iter()
            .zip(&weights)
            .map(|(s, w)| s * w)
            .sum::<f64>()
    };
    for at in 0..base.len() {
        let (u, c, is_beta) = (at / (2 * m), at % m, at % (2 * m) >= m);
        let (a, b) = (base[u * 2 * m + c], base[u * 2 * m + m + c]);
        let old = pass.logits[u * m + c];
        let quantile = incomplete_beta_at_logit(a, b, old);
        let moved = |h: f64| {
            let (a, b) = if is_beta { (a, b + h) } else { (a + h, b) };
            // Bisection on the smaller tail.
            let (mut low, mut high) = (old - 2.0, old + 2.0);
            for _ in 0..200 {
                let middle = 0.5 * (low + high);
                let i = incomplete_beta_at_logit(a, b, middle);
                let below = if quantile.value < 0.5 {
                    i.value < quantile.value
                } else {
                    i.complement > quantile.complement
                };
                if below { low = middle } else { high = middle }
            }
            let mut logits = pass.logits.clone();
            logits[u * m + c] = 0.5 * (low + high);
            value(&base, &logits)
        };
        let h = 1e-4 * base[at];
        let difference = (moved(h) - moved(-h)) / (2.0 * h);
        assert!(
            (gradient[at] - difference).abs() <= 1e-6 * difference.abs().max(1e-2),
            "parameter {at}: {} is not {difference}",
            gradient[at]
        );
    }
}

#[test]
fn mean_and_divergence_gradients_match_finite_differences() {
    let (nodes, m) = (2, 3);
    let base: Vec<f64> = parameters(nodes, m)
        .iter()
        .map(|x| x.clamp(0.05, 50.0))
        .collect();
    let weights: Vec<f64> = (0..nodes * (m + 1)).map(|i| (i as f64).sin()).collect();
    let run = |parameters: &[f64]| Posterior::new(parameters, m).pass(Fractions::Mean, 1, ALL);
    let value = |parameters: &[f64]| {
        let pass = run(parameters);
        let s: f64 = pass
            .assignments
            .iter()
            .zip(&weights)
            .map(|(s, w)| s * w)
            .sum();
        (s, pass.divergence.iter().sum::<f64>())
    };
    let pass = run(&base);
    let gradient = pass.backward(&pass.assignments, &weights);
    for at in 0..base.len() {
        let h = 1e-5 * base[at];
        let moved = |h: f64| {
            let mut p = base.clone();
            p[at] += h;
            value(&p)
        };
        let (up, down) = (moved(h), moved(-h));
        let (s, kl) = ((up.0 - down.0) / (2.0 * h), (up.1 - down.1) / (2.0 * h));
        assert!((gradient[at] - s).abs() < 1e-6 * s.abs().max(1e-2));
        assert!((pass.divergence_gradient[at] - kl).abs() < 1e-5 * kl.abs().max(1e-2));
    }
}

#[test]
fn weights_scale_the_divergence_of_their_node() {
    let (nodes, m) = (19, 5);
    let parameters = parameters(nodes, m);
    let weights: Vec<f64> = (0..nodes).map(|u| u as f64 / 4.0).collect();
    let weighted = Wanted {
        gradients: false,
        divergence_from: Some(Prior {
            concentration: 10.0,
            weights: Some(&weights),
        }),
    };
    let posterior = Posterior::new(&parameters, m);
    let plain = posterior.pass(Fractions::Mean, 1, ALL);
    let scaled = posterior.pass(Fractions::Mean, 1, weighted);
    for (u, w) in weights.iter().enumerate() {
        assert_eq!(scaled.divergence[u], w * plain.divergence[u]);
        for at in u * 2 * m..(u + 1) * 2 * m {
            assert_eq!(
                scaled.divergence_gradient[at],
                w * plain.divergence_gradient[at]
            );
        }
    }
}
