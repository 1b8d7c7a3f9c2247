//! Agreement of a clustering with classes.

use super::contingency::{Contingency, compact};
use crate::Real;

/// Normalised mutual information of two labelings, normalised by the arithmetic
/// mean of the entropies. 1 if both are constant, or equal up to renaming.
///
/// # Complexity
///
/// O(N log N).
///
/// ```
/// use bnpool_math::metrics::normalised_mutual_information;
/// assert!((normalised_mutual_information(&[0, 0, 1, 1], &[7, 7, 3, 3]) - 1.0).abs() < 1e-12);
/// ```
///
/// # Panics
///
/// Panics if the labelings differ in length.
#[must_use]
pub fn normalised_mutual_information(a: &[u32], b: &[u32]) -> f64 {
    let table = Contingency::new(a, b);
    let norm = 0.5 * (table.row_entropy() + table.column_entropy());
    part(table.information(), norm)
}

/// Homogeneity: the degree to which each cluster contains nodes of one class
/// only, as the fraction of the entropy of the classes explained by the
/// clusters. 1 if there is a single class.
///
/// # Complexity
///
/// O(N log N).
///
/// ```
/// use bnpool_math::metrics::{completeness, homogeneity};
/// let (classes, clusters) = ([0, 0, 1, 1], [0, 1, 2, 2]);
/// assert!((homogeneity(&classes, &clusters) - 1.0).abs() < 1e-12);
/// assert!((completeness(&classes, &clusters) - 2.0 / 3.0).abs() < 1e-12);
/// ```
///
/// # Panics
///
/// Panics if the labelings differ in length.
#[must_use]
pub fn homogeneity(classes: &[u32], clusters: &[u32]) -> f64 {
    let table = Contingency::new(classes, clusters);
    part(table.information(), table.row_entropy())
}

/// Completeness: the degree to which all nodes of a class are in one cluster,
/// as the fraction of the entropy of the clusters explained by the classes. 1
/// if there is a single cluster.
///
/// # Complexity
///
/// O(N log N).
///
/// # Panics
///
/// Panics if the labelings differ in length.
#[must_use]
pub fn completeness(classes: &[u32], clusters: &[u32]) -> f64 {
    homogeneity(clusters, classes)
}

/// Explained fraction of an entropy; 1 if the entropy is zero.
fn part(information: f64, entropy: f64) -> f64 {
    if entropy <= 0.0 {
        1.0
    } else {
        (information / entropy).clamp(0.0, 1.0)
    }
}

/// The adjusted Rand index (Hubert and Arabie, 1985): agreement of two
/// labelings on pairs of nodes, adjusted for chance. 1 for equal labelings, 0
/// on average for independent ones, at least −½.
///
/// Pairs are counted in integers, so only the last partition rounds.
///
/// # Complexity
///
/// O(N log N).
///
/// ```
/// use bnpool_math::metrics::adjusted_rand_index;
/// assert_eq!(adjusted_rand_index(&[0, 0, 1, 1], &[5, 5, 2, 2]), 1.0);
/// assert_eq!(adjusted_rand_index(&[0, 0, 1, 1], &[0, 1, 0, 1]), -0.5);
/// ```
///
/// # Panics
///
/// Panics if the labelings differ in length.
#[must_use]
pub fn adjusted_rand_index(a: &[u32], b: &[u32]) -> f64 {
    let table = Contingency::new(a, b);
    // Pairs of distinct nodes: below 2⁶³ for 2³² nodes, so sums of their
    // products fit.
    let pairs = |counts: &mut dyn Iterator<Item = u64>| -> i128 {
        counts
            .map(|c| i128::from(c) * (i128::from(c) - 1) / 2)
            .sum()
    };
    let together = pairs(&mut table.cells.iter().map(|cell| cell.2));
    let first = pairs(&mut table.rows.iter().copied());
    let second = pairs(&mut table.columns.iter().copied());
    let all = pairs(&mut std::iter::once(table.nodes));
    let (only_first, only_second) = (first - together, second - together);
    let apart = all - first - second + together;
    if only_first == 0 && only_second == 0 {
        return 1.0;
    }
    let above = 2 * (together * apart - only_first * only_second);
    let below = first * (only_first + apart) + second * (only_second + apart);
    above as f64 / below as f64
}

/// COS of the paper: the cosine of S Sᵀ and Y Yᵀ as vectors, with Y the one-hot
/// classes, computed as ‖SᵀY‖² / (‖SᵀS‖ ‖YᵀY‖).
///
/// # Complexity
///
/// O(N C²) time, O(C²) memory; the N × N matrices are never formed.
///
/// # Panics
///
/// Panics if the number of classes is not the number of rows of S.
#[must_use]
pub fn cosine_agreement<T: Real>(assignments: &[T], clusters: usize, classes: &[u32]) -> f64 {
    assert_eq!(
        assignments.len(),
        classes.len() * clusters,
        "a class for every row of S"
    );
    let (classes, values) = compact(classes);
    let mut by_class = vec![0.0; values.len() * clusters];
    let mut gram = vec![0.0; clusters * clusters];
    let mut sizes = vec![0.0; values.len()];
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
    use crate::stream::{Purpose, Stream};

    #[test]
    fn independent_labels_share_nothing_and_renaming_changes_nothing() {
        let nmi = normalised_mutual_information(&[0, 0, 1, 1], &[0, 1, 0, 1]);
        assert!(nmi.abs() < 1e-12);
        assert_eq!(normalised_mutual_information(&[0, 0, 0], &[5, 5, 5]), 1.0);
        assert_eq!(normalised_mutual_information(&[], &[]), 1.0);
    }

    #[test]
    fn one_cluster_is_complete_and_one_class_homogeneous() {
        let (one, two) = ([4, 4, 4, 4], [0, 0, 1, 1]);
        assert_eq!(
            (homogeneity(&one, &two), completeness(&one, &two)),
            (1.0, 0.0)
        );
        assert_eq!(
            (homogeneity(&two, &one), completeness(&two, &one)),
            (0.0, 1.0)
        );
        assert_eq!(normalised_mutual_information(&one, &two), 0.0);
        assert_eq!(adjusted_rand_index(&one, &two), 0.0);
        for labels in [&one[..], &two, &[], &[3], &[0, 1, 2]] {
            assert_eq!(homogeneity(labels, labels), 1.0);
            assert_eq!(adjusted_rand_index(labels, labels), 1.0);
        }
    }

    #[test]
    fn the_rand_index_counts_pairs_as_its_definition_does() {
        let mut draws = Stream::new(0, Purpose::Other(0), 0).draws(0);
        for _ in 0..100 {
            let n = 2 + draws.below(30) as usize;
            let mut labels = |k| -> Vec<u32> { (0..n).map(|_| draws.below(k) as u32).collect() };
            let (a, b) = (labels(4), labels(3));
            let (mut both, mut first, mut second, mut all) = (0.0, 0.0, 0.0, 0.0);
            for u in 0..n {
                for v in 0..u {
                    let (x, y) = (a[u] == a[v], b[u] == b[v]);
                    both += f64::from(u8::from(x && y));
                    first += f64::from(u8::from(x));
                    second += f64::from(u8::from(y));
                    all += 1.0;
                }
            }
            // (index − expected) / (largest − expected)
            let expected = first * second / all;
            let largest = 0.5 * (first + second);
            let want = if largest == expected {
                1.0
            } else {
                (both - expected) / (largest - expected)
            };
            let got = adjusted_rand_index(&a, &b);
            assert!((got - want).abs() < 1e-12, "{got} is not {want}");
            assert_eq!(got, adjusted_rand_index(&b, &a));
            // Renaming the labels changes nothing.
            let renamed: Vec<u32> = a.iter().map(|x| 100 - 7 * x).collect();
            assert_eq!(got, adjusted_rand_index(&renamed, &b));
            let nmi = normalised_mutual_information(&a, &b);
            assert!((nmi - normalised_mutual_information(&renamed, &b)).abs() < 1e-14);
            // NMI is the harmonic mean of homogeneity and completeness.
            let (h, c) = (homogeneity(&a, &b), completeness(&a, &b));
            if h + c > 0.0 {
                assert!((nmi - 2.0 * h * c / (h + c)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn as_many_labels_as_nodes_need_no_table_of_their_square() {
        let n = 200_000_u32;
        let labels: Vec<u32> = (0..n).map(|u| u.wrapping_mul(2_654_435_761)).collect();
        let nmi = normalised_mutual_information(&labels, &labels);
        assert!((nmi - 1.0).abs() < 1e-12);
        assert_eq!(adjusted_rand_index(&labels, &vec![0; n as usize]), 0.0);
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
