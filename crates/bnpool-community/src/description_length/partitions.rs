//! Number of ways to write a sum of degrees as a list of degrees.

/// ln of the number of partitions of `total` into at most `parts` parts, as
/// counted by graph-tool 2.45: its recurrence q(m, n) = q(m, n−1) + q(m−n, n)
/// treats q(m, n) as zero for n > m, so the count is slightly low. Kept for
/// comparison with its results.
///
/// # Complexity
///
/// O(total · parts) time, O(total) memory.
pub(super) fn ln_partitions(total: u64, parts: u64) -> f64 {
    let (total, parts) = (total as usize, parts.min(total) as usize);
    if parts <= 1 {
        return 0.0;
    }
    // Column n of the table, as logarithms.
    let mut column = vec![0.0; total + 1];
    column[0] = f64::NEG_INFINITY;
    for n in 2..=parts {
        column[n - 1] = f64::NEG_INFINITY;
        for m in n + 1..=total {
            column[m] = ln_sum(column[m], column[m - n]);
        }
    }
    column[total]
}

/// ln(eᵃ + eᵇ).
fn ln_sum(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY {
        high
    } else {
        high + (low - high).exp().ln_1p()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_counts() {
        assert_eq!(ln_partitions(0, 3), 0.0);
        assert_eq!(ln_partitions(9, 1), 0.0);
        assert!((ln_partitions(8, 7) - 8.0_f64.ln()).abs() < 1e-12);
        assert!((ln_partitions(4, 4) - 2.0_f64.ln()).abs() < 1e-12);
    }
}
