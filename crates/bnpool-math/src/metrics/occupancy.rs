//! Number of clusters in use, out of C.

use crate::Real;

/// Number of non-empty clusters of each graph of a batch. A cluster is
/// non-empty if some node has a membership above 1/C.
///
/// `assignments` is S, [nodes, C]; graph b owns the rows
/// `offsets[b]..offsets[b + 1]`.
///
/// # Complexity
///
/// O(N C).
///
/// ```
/// use bnpool_math::metrics::non_empty_clusters;
/// // Two graphs: one node that is torn, two that are sure.
/// let s = [0.5, 0.5, 0.9, 0.1, 0.2, 0.8];
/// assert_eq!(non_empty_clusters(&s, 2, &[0, 1, 3]), [0, 2]);
/// ```
///
/// # Panics
///
/// Panics if the offsets do not cover the rows of S.
#[must_use]
pub fn non_empty_clusters<T: Real>(
    assignments: &[T],
    clusters: usize,
    offsets: &[usize],
) -> Vec<usize> {
    check(assignments.len(), clusters, offsets);
    let threshold = T::of(1.0 / clusters as f64);
    offsets
        .windows(2)
        .map(|w| {
            let rows = &assignments[w[0] * clusters..w[1] * clusters];
            let mut used = vec![false; clusters];
            for row in rows.chunks_exact(clusters.max(1)) {
                for (used, &s) in used.iter_mut().zip(row) {
                    *used |= s > threshold;
                }
            }
            used.iter().filter(|&&u| u).count()
        })
        .collect()
}

/// Share of each cluster in all memberships: the column sums of S over their
/// total. All zero if there are no nodes.
///
/// # Complexity
///
/// O(N C).
///
/// # Panics
///
/// Panics if S does not consist of rows of C values.
#[must_use]
pub fn cluster_shares<T: Real>(assignments: &[T], clusters: usize) -> Vec<f64> {
    let nodes = assignments.len() / clusters.max(1);
    check(assignments.len(), clusters, &[0, nodes]);
    let mut sums = vec![0.0; clusters];
    for row in assignments.chunks_exact(clusters.max(1)) {
        for (sum, s) in sums.iter_mut().zip(row) {
            *sum += s.f64();
        }
    }
    let total: f64 = sums.iter().sum();
    if total > 0.0 {
        sums.iter_mut().for_each(|s| *s /= total);
    }
    sums
}

fn check(values: usize, clusters: usize, offsets: &[usize]) {
    assert_eq!(
        offsets.last().copied().unwrap_or(0) * clusters,
        values,
        "offsets cover every row of S"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_membership_of_one_over_c_is_none() {
        // Also in single precision, in which 1/C is rounded up.
        let even = [0.2_f32; 10];
        assert_eq!(non_empty_clusters(&even, 5, &[0, 2]), [0]);
        assert_eq!(non_empty_clusters(&[0.5, 0.5, 0.0], 3, &[0, 1]), [2]);
        assert_eq!(non_empty_clusters::<f64>(&[], 3, &[0, 0]), [0]);
    }

    #[test]
    fn shares_sum_to_one() {
        let s = [0.9, 0.1, 0.0, 0.3, 0.3, 0.4];
        let shares = cluster_shares(&s, 3);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        assert!((shares[0] - 0.6).abs() < 1e-15);
        assert_eq!(cluster_shares::<f64>(&[], 3), [0.0; 3]);
    }
}
