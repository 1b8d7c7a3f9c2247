//! The distribution of the Beta variates, and of their derivatives.

use bnpool_math::Real;
use bnpool_math::beta::{Fractions, Posterior, RowKeys, Wanted, logit_derivatives, sample_logit};
use bnpool_math::special::{digamma, incomplete_beta_at_logit};
use bnpool_math::stream::{Purpose, Stream};

/// Parameters from both bounds to the middle.
const PARAMETERS: [(f64, f64); 9] = [
    (1e-3, 1e-3),
    (1e-3, 1.0),
    (0.05, 0.4),
    (0.5, 0.5),
    (1.0, 10.0),
    (2.5, 0.3),
    (30.0, 4.0),
    (1e3, 1e-3),
    (1e3, 1e3),
];

const SAMPLES: usize = 40_000;

/// Variates of the training kernel: many nodes with 10 sticks. Only the first
/// of each row is read, because later ones may be skipped.
fn training_logits<T: Real>(alpha: f64, beta: f64, seed: u64) -> Vec<f64> {
    let parameters = [T::of(alpha), T::of(beta)].repeat(SAMPLES);
    let from = Fractions::Sample {
        stream: Stream::new(seed, Purpose::StickFractions, 0),
        rows: RowKeys {
            offsets: &[0, SAMPLES],
            graphs: &[5],
            first: 0,
        },
    };
    let pass = Posterior::new(&parameters, 1).pass(from, 1, Wanted::default());
    pass.logits.iter().map(|l| l.f64()).collect()
}

/// Largest distance between the empirical distribution of the quantiles and
/// the uniform one.
fn kolmogorov_smirnov(mut quantiles: Vec<f64>) -> f64 {
    quantiles.sort_by(f64::total_cmp);
    let n = quantiles.len() as f64;
    quantiles
        .iter()
        .enumerate()
        .map(|(i, q)| f64::max(q - i as f64 / n, (i + 1) as f64 / n - q))
        .fold(0.0, f64::max)
}

fn check_distribution(logits: &[f64], alpha: f64, beta: f64) {
    let n = logits.len() as f64;
    assert!(
        logits.iter().all(|l| l.is_finite()),
        "Beta({alpha}, {beta})"
    );
    let quantiles: Vec<f64> = logits
        .iter()
        .map(|&l| incomplete_beta_at_logit(alpha, beta, l).value)
        .collect();
    let distance = kolmogorov_smirnov(quantiles);
    // P(√n D > 2.2) ≈ 1e-4.
    assert!(
        distance * n.sqrt() < 2.2,
        "Beta({alpha}, {beta}): KS distance {distance}"
    );
    let moment = |f: &dyn Fn(f64) -> f64, mean: f64| {
        let values: Vec<f64> = logits.iter().map(|&l| f(l)).collect();
        let average = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|v| (v - average).powi(2)).sum::<f64>() / n;
        assert!(
            (average - mean).abs() <= 4.5 * (variance / n).sqrt() + 1e-6 * mean.abs(),
            "Beta({alpha}, {beta}): mean {average}, not {mean}"
        );
    };
    let sum = alpha + beta;
    moment(&|l| 1.0 / (1.0 + (-l).exp()), alpha / sum);
    moment(
        &|l| (1.0 / (1.0 + (-l).exp())).powi(2),
        alpha * (alpha + 1.0) / (sum * (sum + 1.0)),
    );
    // E[ln x − ln(1−x)] = ψ(α) − ψ(β): sensitive to the far tails.
    moment(&|l| l, digamma(alpha) - digamma(beta));
}

#[test]
fn precise_sampler_follows_the_distribution() {
    let stream = Stream::new(11, Purpose::StickFractions, 0);
    for (alpha, beta) in PARAMETERS {
        let logits: Vec<f64> = (0..SAMPLES as u32)
            .map(|i| sample_logit(alpha, beta, &stream, 0, [0, i, 5]))
            .collect();
        check_distribution(&logits, alpha, beta);
    }
}

#[test]
fn training_sampler_follows_the_distribution() {
    for (alpha, beta) in PARAMETERS {
        // The kernel uses the parameters rounded to f32.
        let (a, b) = (f64::from(alpha as f32), f64::from(beta as f32));
        check_distribution(&training_logits::<f32>(alpha, beta, 12), a, b);
    }
}

#[test]
fn both_samplers_draw_the_same_variates() {
    for (alpha, beta) in PARAMETERS {
        let (a, b) = (f64::from(alpha as f32), f64::from(beta as f32));
        let single = training_logits::<f32>(a, b, 3);
        let double = training_logits::<f64>(a, b, 3);
        // For shapes below one, the logarithm of a uniform is divided by the
        // shape, together with its rounding error.
        let rounding = 1e-6 / a.min(b).min(1.0);
        let different = single
            .iter()
            .zip(&double)
            .filter(|(x, y)| (*x - *y).abs() > 1e-4 * y.abs().max(1.0) + rounding)
            .count();
        // Rounding may flip a borderline acceptance test.
        assert!(
            different <= SAMPLES / 5_000,
            "Beta({alpha}, {beta}): {different} differ"
        );
    }
}

#[test]
fn draws_do_not_collapse_for_tiny_parameters() {
    let logits = training_logits::<f32>(1e-3, 1e-3, 4);
    let near_half = logits.iter().filter(|l| l.abs() < 1.0).count();
    // P(|ℓ| < 1) is about 5e-4; PyTorch returns 0.5 for a quarter of the draws.
    assert!(near_half < SAMPLES / 500, "{near_half} draws near 0.5");
    let distinct: std::collections::BTreeSet<u64> = logits.iter().map(|l| l.to_bits()).collect();
    assert!(distinct.len() > SAMPLES * 99 / 100);
}

#[test]
fn expected_derivative_is_the_derivative_of_the_expectation() {
    let stream = Stream::new(21, Purpose::StickFractions, 0);
    for (alpha, beta) in PARAMETERS {
        let n = 20_000_u32;
        let (mut sum, mut square) = ([0.0; 2], [0.0; 2]);
        for i in 0..n {
            let l = sample_logit(alpha, beta, &stream, 0, [0, i, 0]);
            let e = (-l.abs()).exp();
            let slope = e / ((1.0 + e) * (1.0 + e));
            let (da, db) = logit_derivatives(alpha, beta, l);
            for (k, d) in [da, db].into_iter().enumerate() {
                sum[k] += d * slope;
                square[k] += (d * slope).powi(2);
            }
        }
        let total = alpha + beta;
        // E[x] = α / (α + β).
        for (k, want) in [beta / total.powi(2), -alpha / total.powi(2)]
            .into_iter()
            .enumerate()
        {
            let mean = sum[k] / f64::from(n);
            let error = ((square[k] / f64::from(n) - mean * mean) / f64::from(n)).sqrt();
            assert!(
                (mean - want).abs() <= 4.5 * error + 1e-9 * want.abs(),
                "Beta({alpha}, {beta}): E[dx] {mean}, not {want} ± {error}"
            );
        }
    }
}

#[test]
fn training_derivatives_match_the_precise_ones_where_variates_fall() {
    // Every pair of decades from 1e-3 to 1e3: single precision, double precision
    // and the border between them.
    for (low_alpha, low_beta) in (-3..3).flat_map(|a| (-3..3).map(move |b| (a, b))) {
        let nodes = 1000;
        let mut draws = Stream::new(9, Purpose::Other(1), 0).draws(0);
        let mut in_decade = |low: i32| 10_f64.powf(f64::from(low) + draws.uniform()) as f32;
        let parameters: Vec<f32> = (0..nodes)
            .flat_map(|_| [in_decade(low_alpha), in_decade(low_beta)])
            .collect();
        let from = Fractions::Sample {
            stream: Stream::new(1, Purpose::StickFractions, 0),
            rows: RowKeys {
                offsets: &[0, nodes],
                graphs: &[0],
                first: 0,
            },
        };
        let wanted = Wanted {
            gradients: true,
            divergence_from: None,
        };
        let pass = Posterior::new(&parameters, 1).pass(from, 1, wanted);
        let rows = parameters.chunks(2).zip(pass.slopes.chunks(2));
        for (l, (parameters, slopes)) in pass.logits.iter().zip(rows) {
            let (a, b) = (f64::from(parameters[0]), f64::from(parameters[1]));
            let want = logit_derivatives(a, b, f64::from(*l));
            for (got, want) in [(slopes[0], want.0), (slopes[1], want.1)] {
                assert!(
                    (f64::from(got) - want).abs() <= 1e-4 * want.abs(),
                    "Beta({a}, {b}) at logit {l}: {got} is not {want}"
                );
            }
        }
    }
}
