//! Standard measures of classification and regression.

use super::contingency::compact;
use crate::Real;

/// Returns the class with the highest score in each row of `scores` [N, width];
/// ties go to the first class.
///
/// # Panics
///
/// Panics if `width` is 0 or the scores are not whole rows.
#[must_use]
pub fn predicted_classes<T: Real>(scores: &[T], width: usize) -> Vec<u32> {
    check_rows(scores.len(), width);
    scores
        .chunks_exact(width)
        .map(|row| {
            let mut best = 0;
            for (c, score) in row.iter().enumerate() {
                if *score > row[best] {
                    best = c;
                }
            }
            best as u32
        })
        .collect()
}

/// Softmax of every row of `logits` [N, width].
///
/// # Panics
///
/// Panics if `width` is 0 or the logits are not whole rows.
#[must_use]
pub fn class_probabilities<T: Real>(logits: &[T], width: usize) -> Vec<f64> {
    check_rows(logits.len(), width);
    let mut out = Vec::with_capacity(logits.len());
    for row in logits.chunks_exact(width) {
        let top = row.iter().fold(f64::NEG_INFINITY, |m, x| m.max(x.f64()));
        let exponentials = row.iter().map(|x| (x.f64() - top).exp());
        let sum: f64 = exponentials.clone().sum();
        out.extend(exponentials.map(|e| e / sum));
    }
    out
}

/// Mean cross-entropy −ln p(class) of the softmax of `logits` [N, width]; NaN
/// if N = 0.
///
/// # Panics
///
/// Panics if the number of rows and classes differ, or a class is not below
/// `width`.
#[must_use]
pub fn cross_entropy<T: Real>(logits: &[T], width: usize, classes: &[u32]) -> f64 {
    check_rows(logits.len(), width);
    assert_eq!(logits.len(), classes.len() * width, "a class for every row");
    let losses = logits
        .chunks_exact(width)
        .zip(classes)
        .map(|(row, &c)| log_sum_exp(row) - row[c as usize].f64());
    losses.sum::<f64>() / classes.len() as f64
}

/// ln Σ eˣ without overflow.
fn log_sum_exp<T: Real>(row: &[T]) -> f64 {
    let top = row.iter().fold(f64::NEG_INFINITY, |m, x| m.max(x.f64()));
    if top.is_infinite() {
        return top;
    }
    top + row.iter().map(|x| (x.f64() - top).exp()).sum::<f64>().ln()
}

/// Fraction of correct predictions; NaN if there are none.
///
/// # Panics
///
/// Panics if the two differ in length.
#[must_use]
pub fn accuracy(predicted: &[u32], classes: &[u32]) -> f64 {
    assert_eq!(predicted.len(), classes.len(), "a prediction for each");
    let right = predicted.iter().zip(classes).filter(|(p, c)| p == c);
    right.count() as f64 / classes.len() as f64
}

/// Mean of the F1 scores of all classes that occur in the predictions or in the
/// truth; NaN if there are none.
///
/// # Complexity
///
/// O(N log N).
///
/// ```
/// use bnpool_math::metrics::macro_f1;
/// // Class 0: one hit, one miss; class 1: one hit, one false alarm.
/// assert!((macro_f1(&[0, 1, 1], &[0, 0, 1]) - 2.0 / 3.0).abs() < 1e-15);
/// ```
///
/// # Panics
///
/// Panics if the two differ in length.
#[must_use]
pub fn macro_f1(predicted: &[u32], classes: &[u32]) -> f64 {
    assert_eq!(predicted.len(), classes.len(), "a prediction for each");
    let both: Vec<u32> = predicted.iter().chain(classes).copied().collect();
    let (places, values) = compact(&both);
    let (predicted, classes) = places.split_at(predicted.len());
    // F1 = 2 hits / (times predicted + times true).
    let (mut hits, mut times) = (vec![0.0; values.len()], vec![0.0; values.len()]);
    for (&p, &c) in predicted.iter().zip(classes) {
        times[p] += 1.0;
        times[c] += 1.0;
        if p == c {
            hits[c] += 2.0;
        }
    }
    let scores = hits.iter().zip(&times).map(|(h, n)| h / n);
    scores.sum::<f64>() / values.len() as f64
}

/// Mean of |prediction − target|; NaN if there are none.
///
/// # Panics
///
/// Panics if the two differ in length.
#[must_use]
pub fn mean_absolute_error<T: Real>(predicted: &[T], targets: &[T]) -> f64 {
    assert_eq!(predicted.len(), targets.len(), "a prediction for each");
    let errors = predicted
        .iter()
        .zip(targets)
        .map(|(p, t)| (p.f64() - t.f64()).abs());
    errors.sum::<f64>() / targets.len() as f64
}

fn check_rows(values: usize, width: usize) {
    assert!(
        width > 0 && values.is_multiple_of(width),
        "whole rows of scores"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_scores_wins() {
        assert_eq!(predicted_classes(&[1.0, 1.0, 0.0, 2.0], 2), [0, 1]);
    }

    #[test]
    fn probabilities_and_losses_survive_large_logits() {
        let logits = [1000.0, 999.0, -1000.0, -999.0];
        let p = class_probabilities(&logits, 2);
        let want = 1.0 / (1.0 + (-1.0_f64).exp());
        assert!((p[0] - want).abs() < 1e-15 && (p[3] - want).abs() < 1e-15);
        let loss = cross_entropy(&logits, 2, &[0, 1]);
        assert!((loss + want.ln()).abs() < 1e-12);
        assert_eq!(
            cross_entropy(&[0.0, f64::NEG_INFINITY], 2, &[1]),
            f64::INFINITY
        );
    }

    #[test]
    fn f1_counts_classes_that_occur_on_either_side() {
        assert_eq!(macro_f1(&[5, 7], &[5, 7]), 1.0);
        // Class 9 is predicted once and never true, which adds a zero to the
        // mean.
        assert!((macro_f1(&[5, 9], &[5, 5]) - 0.5 * (2.0 / 3.0)).abs() < 1e-15);
        assert_eq!(macro_f1(&[1], &[0]), 0.0);
        assert!(macro_f1(&[], &[]).is_nan());
    }

    #[test]
    fn plain_means() {
        assert_eq!(accuracy(&[1, 2, 3, 4], &[1, 2, 0, 4]), 0.75);
        assert_eq!(mean_absolute_error(&[1.0, -2.0], &[0.0, 1.0]), 2.0);
        assert!(accuracy(&[], &[]).is_nan() && mean_absolute_error::<f64>(&[], &[]).is_nan());
    }
}
