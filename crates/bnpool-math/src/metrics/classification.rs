//! Standard measures of classification and regression.

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
    fn probabilities_survive_large_logits() {
        let logits = [1000.0, 999.0, -1000.0, -999.0];
        let p = class_probabilities(&logits, 2);
        let want = 1.0 / (1.0 + (-1.0_f64).exp());
        assert!((p[0] - want).abs() < 1e-15 && (p[3] - want).abs() < 1e-15);
    }

    #[test]
    fn plain_means() {
        assert_eq!(accuracy(&[1, 2, 3, 4], &[1, 2, 0, 4]), 0.75);
        assert!(accuracy(&[], &[]).is_nan());
    }
}
