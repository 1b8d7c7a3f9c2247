//! Agreement of a clustering with classes.

use std::collections::BTreeMap;

use crate::Real;
use crate::special::ln_gamma;

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

/// Adjusted mutual information (Vinh, Epps and Bailey, 2010): 1 for equal
/// labelings, 0 on average for independent ones. Normalised by the arithmetic
/// mean of the entropies; 1 if both labelings are constant.
///
/// # Complexity
///
/// O(N log N + R C √(n²/N)) for R and C distinct sizes of groups of about n
/// nodes: groups of equal size are evaluated once, and overlaps of negligible
/// probability are skipped.
///
/// ```
/// use bnpool_math::metrics::adjusted_mutual_information;
///
/// let ami = adjusted_mutual_information;
/// assert!((ami(&[0, 0, 1, 1], &[7, 7, 3, 3]) - 1.0).abs() < 1e-12);
/// assert!(ami(&[0, 0, 0, 1, 1, 1], &[0, 1, 2, 0, 1, 2]) < 0.0);
/// ```
///
/// # Panics
///
/// Panics if the labelings differ in length.
#[must_use]
pub fn adjusted_mutual_information(a: &[u32], b: &[u32]) -> f64 {
    let table = Contingency::new(a, b);
    if table.rows.len() <= 1 && table.columns.len() <= 1 {
        return 1.0;
    }
    let expected = expected_information(&table);
    let norm = 0.5 * (table.row_entropy() + table.column_entropy());
    let (above, below) = (table.information() - expected, norm - expected);
    // Every node is alone in both labelings, so chance plays no role.
    if below.abs() < 1e-12 {
        return if above.abs() < 1e-12 { 1.0 } else { 0.0 };
    }
    above / below
}

/// Expected mutual information over all labelings with the same group sizes, in
/// nats.
fn expected_information(table: &Contingency) -> f64 {
    let sizes = |counts: &[u64]| {
        let mut sizes: BTreeMap<u64, u64> = BTreeMap::new();
        for &count in counts {
            *sizes.entry(count).or_default() += 1;
        }
        sizes
    };
    let (rows, columns) = (sizes(&table.rows), sizes(&table.columns));
    let mut sum = 0.0;
    for (&a, &rows) in &rows {
        for (&b, &columns) in &columns {
            sum += (rows * columns) as f64 * mean_gain(a, b, table.nodes);
        }
    }
    sum
}

/// Below this fraction of the largest probability, the rest of a tail is
/// negligible.
const NEGLIGIBLE: f64 = 1e-25;

/// Expected contribution of two groups of `a` and `b` among `all` nodes to the
/// mutual information. Their overlap follows a hypergeometric distribution, which
/// is summed from its mode to both sides, because all but about √(ab/N) of the
/// possible overlaps have negligible weight.
fn mean_gain(a: u64, b: u64, all: u64) -> f64 {
    let lowest = (a + b).saturating_sub(all).max(1);
    let highest = a.min(b);
    if lowest > highest {
        return 0.0;
    }
    let ln_factorial = |x: u64| ln_gamma(x as f64 + 1.0);
    let mode = (u128::from(a + 1) * u128::from(b + 1) / u128::from(all + 2)) as u64;
    let mode = mode.clamp(lowest, highest);
    let ln_chance =
        ln_factorial(a) + ln_factorial(b) + ln_factorial(all - a) + ln_factorial(all - b)
            - ln_factorial(all)
            - ln_factorial(mode)
            - ln_factorial(a - mode)
            - ln_factorial(b - mode)
            - ln_factorial(all - a - (b - mode));
    let (af, bf, n) = (a as f64, b as f64, all as f64);
    let gain = |both: f64| both / n * (n * both / (af * bf)).ln();
    // P(k + 1) / P(k).
    let ratio = |k: f64| (af - k) * (bf - k) / ((k + 1.0) * (n - af - bf + k + 1.0));
    let mut sum = gain(mode as f64);
    let mut weight = 1.0;
    for k in mode..highest {
        weight *= ratio(k as f64);
        if weight < NEGLIGIBLE {
            break;
        }
        sum += weight * gain(k as f64 + 1.0);
    }
    weight = 1.0;
    for k in (lowest..mode).rev() {
        weight /= ratio(k as f64);
        if weight < NEGLIGIBLE {
            break;
        }
        sum += weight * gain(k as f64);
    }
    sum * ln_chance.exp()
}

/// Labels as 0, 1, 2, … in the order of their values, and these values.
pub(super) fn compact(labels: &[u32]) -> (Vec<usize>, Vec<u32>) {
    let mut values = labels.to_vec();
    values.sort_unstable();
    values.dedup();
    let places = labels
        .iter()
        .map(|l| values.partition_point(|v| v < l))
        .collect();
    (places, values)
}

/// The contingency table of two labelings. Zeros are not stored, as there may
/// be as many labels as nodes.
pub(super) struct Contingency {
    /// Number of nodes.
    pub(super) nodes: u64,
    /// (first label, second label, number of nodes with both), without empty
    /// cells.
    pub(super) cells: Vec<(usize, usize, u64)>,
    /// Number of nodes of each first label.
    pub(super) rows: Vec<u64>,
    /// Number of nodes of each second label.
    pub(super) columns: Vec<u64>,
}

impl Contingency {
    /// O(N log N).
    pub(super) fn new(a: &[u32], b: &[u32]) -> Self {
        assert_eq!(a.len(), b.len(), "two labels for every node");
        let (a, first) = compact(a);
        let (b, second) = compact(b);
        let (mut rows, mut columns) = (vec![0; first.len()], vec![0; second.len()]);
        let mut pairs: Vec<(usize, usize)> = a.into_iter().zip(b).collect();
        for &(i, j) in &pairs {
            rows[i] += 1;
            columns[j] += 1;
        }
        pairs.sort_unstable();
        Self {
            nodes: pairs.len() as u64,
            cells: pairs
                .chunk_by(|x, y| x == y)
                .map(|run| (run[0].0, run[0].1, run.len() as u64))
                .collect(),
            rows,
            columns,
        }
    }

    /// Entropy of the first labeling, in nats.
    pub(super) fn row_entropy(&self) -> f64 {
        self.entropy(&self.rows)
    }

    /// Entropy of the second labeling, in nats.
    pub(super) fn column_entropy(&self) -> f64 {
        self.entropy(&self.columns)
    }

    fn entropy(&self, counts: &[u64]) -> f64 {
        if counts.len() < 2 {
            return 0.0;
        }
        let n = self.nodes as f64;
        -counts
            .iter()
            .map(|&c| c as f64 / n * (c as f64 / n).ln())
            .sum::<f64>()
    }

    /// Mutual information of the two labelings, in nats; never negative.
    pub(super) fn information(&self) -> f64 {
        if self.rows.len() < 2 || self.columns.len() < 2 {
            return 0.0;
        }
        let n = self.nodes as f64;
        let terms = self.cells.iter().map(|&(i, j, x)| {
            let (x, r, c) = (x as f64, self.rows[i] as f64, self.columns[j] as f64);
            x / n * (n * x / (r * c)).ln()
        });
        terms.sum::<f64>().max(0.0)
    }
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

    #[test]
    fn values_of_scikit_learn() {
        // sklearn.metrics.adjusted_mutual_info_score, version 1.9.1.
        let a = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2];
        let b = [0, 0, 1, 1, 1, 2, 2, 2, 2, 0];
        let found = adjusted_mutual_information(&a, &b);
        assert!((found - AMI).abs() < 1e-10, "{found}");
        assert_eq!(adjusted_mutual_information(&[3, 3], &[1, 1]), 1.0);
        assert!(adjusted_mutual_information(&[0, 0, 1, 1], &[0, 0, 0, 0]).abs() < 1e-12);
    }

    /// The definition: a sum over all possible overlaps.
    fn whole_sum(a: u64, b: u64, all: u64) -> f64 {
        let ln_factorial = |x: u64| ln_gamma(x as f64 + 1.0);
        let fixed =
            ln_factorial(a) + ln_factorial(b) + ln_factorial(all - a) + ln_factorial(all - b)
                - ln_factorial(all);
        let terms = (a + b).saturating_sub(all).max(1)..=a.min(b);
        let term = |both: u64| {
            let ln_chance = fixed
                - ln_factorial(both)
                - ln_factorial(a - both)
                - ln_factorial(b - both)
                - ln_factorial(all + both - a - b);
            let n = all as f64;
            let gain = both as f64 / n * (n * both as f64 / (a as f64 * b as f64)).ln();
            gain * ln_chance.exp()
        };
        terms.map(term).sum()
    }

    #[test]
    fn overlaps_without_weight_are_not_missed() {
        for (a, b, all) in [
            (1, 1, 1),
            (1, 1, 2),
            (1, 9, 10),
            (9, 9, 10),
            (10, 10, 10),
            (5, 7, 12),
            (3, 400, 1000),
            (500, 500, 1000),
            (999, 998, 1000),
            (30, 40, 100_000),
            (1000, 1000, 200_000),
            (70_000, 50_000, 200_000),
        ] {
            let (found, expected) = (mean_gain(a, b, all), whole_sum(a, b, all));
            // The logarithms of factorials lose digits in the sum.
            let scale = expected.abs().max(1e-6);
            assert!(
                (found - expected).abs() < 1e-8 * scale,
                "{a}, {b} of {all}: {found} and {expected}"
            );
        }
    }

    /// Groups of a million nodes, of all sizes: too large to sum over all
    /// overlaps.
    #[test]
    fn large_groups_take_no_time() {
        let label = |u: u64, scale: f64| ((u as f64 / scale).sqrt()) as u32;
        let a: Vec<u32> = (0..1_000_000).map(|u| label(u, 20.0)).collect();
        let b: Vec<u32> = (0..1_000_000)
            .map(|u| label(u * 618_033 % 1_000_000, 30.0))
            .collect();
        let ami = adjusted_mutual_information(&a, &b);
        assert!(ami.abs() < 0.05, "{ami}");
        assert!((adjusted_mutual_information(&a, &a) - 1.0).abs() < 1e-12);
    }

    const AMI: f64 = 0.23728877770133558;
}
