//! Comparison of two methods on the same folds: the difference and its
//! confidence interval.

use crate::special::incomplete_beta;

/// Mean difference of pairs, with a 95 % confidence interval of Student's t.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedDifference {
    /// Mean of the differences.
    pub mean: f64,
    /// Lower and upper end of the interval; `None` for a single pair.
    pub interval: Option<[f64; 2]>,
    /// Number of pairs.
    pub pairs: usize,
}

impl PairedDifference {
    /// Computes the statistics of the differences, one per pair; `None` if
    /// there are none.
    ///
    /// The interval is mean ± t·s/√n, with the quantile t of n − 1 degrees of
    /// freedom and the standard deviation s of the differences (divisor n − 1).
    /// Folds share training graphs, so their differences are not independent and
    /// the interval tends to be too narrow.
    ///
    /// ```
    /// use bnpool_math::metrics::PairedDifference;
    ///
    /// let found = PairedDifference::of(&[1.0, 2.0, 3.0]).expect("some pairs");
    /// let [low, high] = found.interval.expect("more than one pair");
    /// assert_eq!(found.mean, 2.0);
    /// assert!((low + 0.4841).abs() < 1e-4 && (high - 4.4841).abs() < 1e-4);
    /// ```
    #[must_use]
    pub fn of(differences: &[f64]) -> Option<Self> {
        let pairs = differences.len();
        if pairs == 0 {
            return None;
        }
        let n = pairs as f64;
        let mean = differences.iter().sum::<f64>() / n;
        let interval = (pairs > 1).then(|| {
            let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
            let error = (squares / (n - 1.0) / n).sqrt();
            let half = student_quantile(0.975, n - 1.0) * error;
            [mean - half, mean + half]
        });
        Some(Self {
            mean,
            interval,
            pairs,
        })
    }
}

/// The quantile of Student's t distribution: P(T ≤ t) = p for p in [0.5, 1).
///
/// Found by bisection of P(|T| ≤ t) = 1 − I_{ν/(ν+t²)}(ν/2, ½), to the precision
/// of the incomplete beta function.
#[must_use]
pub fn student_quantile(p: f64, freedom: f64) -> f64 {
    // P(T > t), precise in the tail.
    let above =
        |t: f64| 0.5 * incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t)).value;
    let wanted = 1.0 - p;
    let (mut low, mut high) = (0.0, 1.0);
    while above(high) > wanted && high < 1e300 {
        low = high;
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if above(middle) > wanted {
            low = middle
        } else {
            high = middle
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, expected) in [
            (1.0, 12.706_204_736_174_7),
            (2.0, 4.302_652_729_749_5),
            (4.0, 2.776_445_105_198_0),
            (9.0, 2.262_157_162_798_2),
            (29.0, 2.045_229_642_132_7),
        ] {
            let found = student_quantile(0.975, freedom);
            assert!((found / expected - 1.0).abs() < 1e-10, "{freedom}: {found}");
        }
        assert!(student_quantile(0.5, 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_single_pair_has_no_interval() {
        assert_eq!(PairedDifference::of(&[]), None);
        let one = PairedDifference::of(&[0.25]).expect("a pair");
        assert_eq!((one.mean, one.interval, one.pairs), (0.25, None, 1));
        let same = PairedDifference::of(&[0.5, 0.5]).expect("pairs");
        assert_eq!(same.interval, Some([0.5, 0.5]));
    }
}
