//! Mutual information above what chance gives.

use super::contingency::Contingency;
use crate::special::ln_gamma;
use std::collections::BTreeMap;

/// Adjusted mutual information (Vinh, Epps and Bailey, 2010): 1 for equal
/// labelings, 0 on average for independent ones. The norm is the arithmetic mean
/// of the entropies. One if both labelings are constant.
///
/// # Complexity
///
/// O(N log N + R C n) for R and C different sizes of groups of about n nodes:
/// groups of the same size are counted once.
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
/// When the labelings differ in length.
#[must_use]
pub fn adjusted_mutual_information(a: &[u32], b: &[u32]) -> f64 {
    let table = Contingency::new(a, b);
    if table.rows.len() <= 1 && table.columns.len() <= 1 {
        return 1.0;
    }
    let expected = expected_information(&table);
    let norm = 0.5 * (table.row_entropy() + table.column_entropy());
    let (above, below) = (table.information() - expected, norm - expected);
    // Every node alone in both: nothing is left to chance.
    if below.abs() < 1e-12 {
        return if above.abs() < 1e-12 { 1.0 } else { 0.0 };
    }
    above / below
}

/// The mean of the mutual information over all labelings with groups of the same
/// sizes, in nats.
fn expected_information(table: &Contingency) -> f64 {
    let n = table.nodes as f64;
    let ln_factorial = |x: u64| ln_gamma(x as f64 + 1.0);
    let sizes = |counts: &[u64]| {
        let mut sizes: BTreeMap<u64, u64> = BTreeMap::new();
        for &count in counts {
            *sizes.entry(count).or_default() += 1;
        }
        sizes
    };
    let (rows, columns) = (sizes(&table.rows), sizes(&table.columns));
    let ln_all = ln_factorial(table.nodes);
    let mut sum = 0.0;
    for (&a, &rows) in &rows {
        for (&b, &columns) in &columns {
            let fixed = ln_factorial(a)
                + ln_factorial(b)
                + ln_factorial(table.nodes - a)
                + ln_factorial(table.nodes - b)
                - ln_all;
            let mut mean = 0.0;
            for both in (a + b).saturating_sub(table.nodes).max(1)..=a.min(b) {
                let ln_chance = fixed
                    - ln_factorial(both)
                    - ln_factorial(a - both)
                    - ln_factorial(b - both)
                    - ln_factorial(table.nodes + both - a - b);
                let both = both as f64;
                let gain = both / n * (n * both / (a as f64 * b as f64)).ln();
                mean += gain * ln_chance.exp();
            }
            sum += (rows * columns) as f64 * mean;
        }
    }
    sum
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

    const AMI: f64 = 0.23728877770133558;
}
