//! The exact area under the receiver operating characteristic.

use crate::Real;

/// Area under the ROC curve of binary scores: the probability that a positive
/// scores higher than a negative, with ties counting one half. `None` if there
/// are no positives or no negatives, or if a score is NaN.
///
/// Computed from integer midranks (the Mann–Whitney statistic), without
/// thresholds; only the last partition rounds.
///
/// # Complexity
///
/// O(N log N).
///
/// ```
/// use bnpool_math::metrics::area_under_roc;
/// let truth = [false, false, true, true];
/// assert_eq!(area_under_roc(&[0.1, 0.4, 0.35, 0.8], &truth), Some(0.75));
/// assert_eq!(area_under_roc(&[1.0; 4], &truth), Some(0.5));
/// ```
///
/// # Panics
///
/// Panics if the slices differ in length.
#[must_use]
pub fn area_under_roc<T: Real>(scores: &[T], positive: &[bool]) -> Option<f64> {
    assert_eq!(scores.len(), positive.len(), "an answer for every score");
    let mut order: Vec<(f64, bool)> = scores
        .iter()
        .zip(positive)
        .map(|(s, &p)| (s.f64(), p))
        .collect();
    if order.iter().any(|x| x.0.is_nan()) {
        return None;
    }
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    // Twice the number of correctly ordered pairs; ties count one.
    let (mut wins, mut below) = (0_u128, 0_u128);
    let mut positives = 0_u128;
    for run in order.chunk_by(|a, b| a.0 == b.0) {
        let hits = run.iter().filter(|x| x.1).count() as u128;
        let misses = run.len() as u128 - hits;
        wins += hits * (2 * below + misses);
        below += misses;
        positives += hits;
    }
    let pairs = positives * below;
    (pairs > 0).then(|| wins as f64 / (2 * pairs) as f64)
}

/// The ROC curve: (false positive rate, true positive rate) from (0, 0) to (1,
/// 1), with one point per distinct score. Empty if the area is not defined.
///
/// # Complexity
///
/// O(N log N).
///
/// ```
/// use bnpool_math::metrics::roc_curve;
/// let truth = [false, true, true];
/// let curve = roc_curve(&[0.1, 0.1, 0.9], &truth);
/// assert_eq!(curve, [(0.0, 0.0), (0.0, 0.5), (1.0, 1.0)]);
/// ```
///
/// # Panics
///
/// Panics if the slices differ in length.
#[must_use]
pub fn roc_curve<T: Real>(scores: &[T], positive: &[bool]) -> Vec<(f64, f64)> {
    if area_under_roc(scores, positive).is_none() {
        return Vec::new();
    }
    let mut order: Vec<(f64, bool)> = scores
        .iter()
        .zip(positive)
        .map(|(s, &p)| (s.f64(), p))
        .collect();
    order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let positives = positive.iter().filter(|&&p| p).count();
    let negatives = positive.len() - positives;
    let (mut hits, mut misses) = (0, 0);
    let mut curve = vec![(0.0, 0.0)];
    for run in order.chunk_by(|a, b| a.0 == b.0) {
        hits += run.iter().filter(|x| x.1).count();
        misses += run.iter().filter(|x| !x.1).count();
        curve.push((
            misses as f64 / negatives as f64,
            hits as f64 / positives as f64,
        ));
    }
    curve
}

/// Mean of the one-versus-rest areas of all classes. `scores` is [N, width],
/// with one column per class. Classes without nodes, or with all of them, have
/// no area and are left out. `None` if no class is left.
///
/// With two classes this is the binary area, provided that rows are
/// probabilities.
///
/// # Complexity
///
/// O(width · N log N).
///
/// # Panics
///
/// Panics if the number of rows and classes differ.
#[must_use]
pub fn macro_area_under_roc<T: Real>(scores: &[T], width: usize, classes: &[u32]) -> Option<f64> {
    assert_eq!(
        scores.len(),
        classes.len() * width,
        "a class for every row of scores"
    );
    let areas: Vec<f64> = (0..width)
        .filter_map(|class| {
            let column: Vec<T> = scores.iter().skip(class).step_by(width).copied().collect();
            let positive: Vec<bool> = classes.iter().map(|&c| c as usize == class).collect();
            area_under_roc(&column, &positive)
        })
        .collect();
    (!areas.is_empty()).then(|| areas.iter().sum::<f64>() / areas.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Purpose, Stream};

    #[test]
    fn counts_pairs_as_the_definition_does() {
        let mut draws = Stream::new(1, Purpose::Other(0), 0).draws(0);
        for _ in 0..100 {
            let n = 1 + draws.below(25) as usize;
            // Few values and many ties; 0 and −0 are equal.
            let scores: Vec<f64> = (0..n).map(|_| draws.below(5) as f64 * 0.25 - 0.5).collect();
            let truth: Vec<bool> = (0..n).map(|_| draws.uniform() < 0.4).collect();
            let (mut wins, mut pairs) = (0.0, 0.0);
            for i in (0..n).filter(|&i| truth[i]) {
                for j in (0..n).filter(|&j| !truth[j]) {
                    pairs += 1.0;
                    wins += match scores[i].partial_cmp(&scores[j]) {
                        Some(std::cmp::Ordering::Greater) => 1.0,
                        Some(std::cmp::Ordering::Equal) => 0.5,
                        _ => 0.0,
                    };
                }
            }
            let want = (pairs > 0.0).then(|| wins / pairs);
            assert_eq!(area_under_roc(&scores, &truth), want);
        }
    }

    #[test]
    fn signed_zeros_tie_and_nonsense_has_no_area() {
        assert_eq!(area_under_roc(&[-0.0, 0.0], &[false, true]), Some(0.5));
        assert_eq!(area_under_roc(&[0.0, 1.0], &[true, true]), None);
        assert_eq!(area_under_roc(&[0.0, f64::NAN], &[true, false]), None);
        assert_eq!(area_under_roc::<f64>(&[], &[]), None);
    }

    #[test]
    fn absent_classes_are_left_out_of_the_mean() {
        let scores = [0.9, 0.1, 0.0, 0.2, 0.8, 0.0, 0.6, 0.4, 0.0];
        // Class 2 does not occur; the others are perfectly separated.
        assert_eq!(macro_area_under_roc(&scores, 3, &[0, 1, 0]), Some(1.0));
        assert_eq!(macro_area_under_roc(&scores, 3, &[0, 0, 0]), None);
    }
}
