//! Agreement of a clustering with classes.

use crate::Real;

/// Normalised mutual information of two labelings, with the arithmetic mean of
/// the entropies as the norm. One where both are constant or equal up to names.
///
/// # Complexity
///
/// O(N + labels × labels).
///
/// ```
/// use bnpool_math::metrics::normalised_mutual_information;
/// assert!((normalised_mutual_information(&[0, 0, 1, 1], &[7, 7, 3, 3]) - 1.0).abs() < 1e-12);
/// ```
///
/// # Panics
///
/// When the labelings differ in length.
#[must_use]
pub fn normalised_mutual_information(a: &[u32], b: &[u32]) -> f64 {
    assert_eq!(a.len(), b.len(), "two labels for every node");
    let n = a.len() as f64;
    let (a, rows) = compact(a);
    let (b, columns) = compact(b);
    let mut joint = vec![0.0; rows * columns];
    for (&i, &j) in a.iter().zip(&b) {
        joint[i * columns + j] += 1.0;
    }
    let row: Vec<f64> = joint
        .chunks(columns.max(1))
        .map(|r| r.iter().sum())
        .collect();
    let column: Vec<f64> = (0..columns)
        .map(|j| (0..rows).map(|i| joint[i * columns + j]).sum())
        .collect();
    let entropy = |counts: &[f64]| -counts.iter().map(|c| c / n * (c / n).ln()).sum::<f64>();
    let mut information = 0.0;
    for (i, r) in row.iter().enumerate() {
        for (j, c) in column.iter().enumerate() {
            let x = joint[i * columns + j];
            if x > 0.0 {
                information += x / n * (n * x / (r * c)).ln();
            }
        }
    }
    let norm = 0.5 * (entropy(&row) + entropy(&column));
    if norm <= 0.0 {
        1.0
    } else {
        (information / norm).clamp(0.0, 1.0)
    }
}

/// Labels as 0, 1, 2, … in the order of their values, and how many there are.
fn compact(labels: &[u32]) -> (Vec<usize>, usize) {
    let mut values = labels.to_vec();
    values.sort_unstable();
    values.dedup();
    let places = labels
        .iter()
        .map(|l| values.partition_point(|v| v < l))
        .collect();
    (places, values.len())
}

/// COS of the paper: the cosine of S Sᵀ and Y Yᵀ as vectors, Y the one-hot
/// classes, computed as ‖SᵀY‖² / (‖SᵀS‖ ‖YᵀY‖).
///
/// # Complexity
///
/// O(N C²) time, O(C²) memory; the N × N matrices never exist.
///
/// # Panics
///
/// When there is not a class for every row of S.
#[must_use]
pub fn cosine_agreement<T: Real>(assignments: &[T], clusters: usize, classes: &[u32]) -> f64 {
    assert_eq!(
        assignments.len(),
        classes.len() * clusters,
        "a class for every row of S"
    );
    let (classes, count) = compact(classes);
    let mut by_class = vec![0.0; count * clusters];
    let mut gram = vec![0.0; clusters * clusters];
    let mut sizes = vec![0.0; count];
    for (row, &y) in assignments.chunks_exact(clusters.max(1)).zip(&classes) {
        sizes[y] += 1.0;
        for (c, &s) in row.iter().enumerate() {
            if s == T::ZERO {
                continue;
            }
            by_class[y * clusters + c] += s.f64();
            for (d, &t) in row.iter().enumerate() {
                gram[c * clusters + d] += s.f64() * t.f64();
            }
        }
    }
    let squares = |x: &[f64]| x.iter().map(|v| v * v).sum::<f64>();
    squares(&by_class) / (squares(&gram) * squares(&sizes)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn independent_labels_share_nothing_and_renaming_changes_nothing() {
        let nmi = normalised_mutual_information(&[0, 0, 1, 1], &[0, 1, 0, 1]);
        assert!(nmi.abs() < 1e-12);
        assert_eq!(normalised_mutual_information(&[0, 0, 0], &[5, 5, 5]), 1.0);
        assert_eq!(normalised_mutual_information(&[], &[]), 1.0);
    }

    #[test]
    fn cosine_matches_the_definition() {
        let s = [0.9, 0.1, 0.2, 0.8, 0.5, 0.5];
        let classes = [0, 1, 1];
        let (mut dot, mut a, mut b) = (0.0, 0.0, 0.0);
        for u in 0..3 {
            for v in 0..3 {
                let x = s[2 * u] * s[2 * v] + s[2 * u + 1] * s[2 * v + 1];
                let y = f64::from(u8::from(classes[u] == classes[v]));
                dot += x * y;
                a += x * x;
                b += y * y;
            }
        }
        let want = dot / f64::sqrt(a * b);
        assert!((cosine_agreement(&s, 2, &classes) - want).abs() < 1e-12);
    }
}
