//! Mutual information, adjusted for chance.

use super::contingency::Contingency;
use crate::special::ln_gamma;
use std::collections::BTreeMap;

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

#[cfg(test)]
mod tests {
    use super::*;

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
