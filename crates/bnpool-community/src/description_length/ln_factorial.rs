//! Logarithms of factorials of integers.

use std::sync::LazyLock;

/// Factorials below this are read from a table.
const TABLE: usize = 1 << 15;

static VALUES: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let mut sum = 0.0;
    // Neumaier's sum, because the rounding errors of 32 767 additions would be
    // noticeable.
    let mut lost = 0.0;
    let mut values = vec![0.0; TABLE];
    for (n, value) in values.iter_mut().enumerate().skip(2) {
        let term = (n as f64).ln();
        let next: f64 = sum + term;
        lost += if sum > term {
            (sum - next) + term
        } else {
            (term - next) + sum
        };
        sum = next;
        *value = sum + lost;
    }
    values
});

/// ln n!
///
/// # Complexity
///
/// Constant: a table lookup, or Stirling's series beyond the table.
///
/// ```
/// use bnpool_community::description_length::ln_factorial;
/// assert!((ln_factorial(5) - 120.0_f64.ln()).abs() < 1e-14);
/// ```
#[inline]
#[must_use]
pub fn ln_factorial(n: u64) -> f64 {
    match VALUES.get(n as usize) {
        Some(&value) => value,
        None => stirling(n as f64),
    }
}

/// Stirling's series; two terms are exact up to rounding beyond the table.
fn stirling(n: f64) -> f64 {
    const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;
    let inverse = n.recip();
    (n + 0.5) * n.ln() - n
        + HALF_LN_TAU
        + inverse * (1.0 / 12.0 - inverse * inverse * (1.0 / 360.0))
}

/// ln of the number of ways to choose `k` of `n`; 0 if there is at most one
/// way.
///
/// ```
/// use bnpool_community::description_length::ln_binomial;
/// assert!((ln_binomial(5, 2) - 10.0_f64.ln()).abs() < 1e-14);
/// ```
#[must_use]
pub fn ln_binomial(n: u64, k: u64) -> f64 {
    if k == 0 || k >= n {
        return 0.0;
    }
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_math::special::ln_gamma;

    #[test]
    fn table_and_series_agree_with_the_gamma_function() {
        for n in (0..200).chain(32_700..32_900).chain([1 << 20, 1 << 33]) {
            let (own, gamma) = (ln_factorial(n), ln_gamma(n as f64 + 1.0));
            assert!((own - gamma).abs() <= 1e-13 * gamma.max(10.0), "{n}");
        }
    }
}
