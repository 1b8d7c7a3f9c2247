//! Formatting of numbers for coordinates, axes and text.

/// A coordinate with at most two decimals, without trailing zeros.
pub(crate) fn coordinate(x: f64) -> String {
    decimal(x, 2)
}

/// Formats with at most `decimals` decimals, without trailing zeros. Non-finite
/// numbers become 0, because a picture must stay well formed.
pub(crate) fn decimal(x: f64, decimals: usize) -> String {
    if !x.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{x:.decimals$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    match text {
        "-0" => "0".to_owned(),
        _ => text.to_owned(),
    }
}

/// An integer in groups of three digits.
pub(crate) fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 node`, `2 nodes`: a number and its noun.
pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// Formats with this many significant digits, in plain notation if it is short.
pub(crate) fn significant(x: f64, digits: usize) -> String {
    if !x.is_finite() {
        return "–".to_owned();
    }
    if x == 0.0 {
        return "0".to_owned();
    }
    let magnitude = x.abs().log10().floor();
    if !(-4.0..6.0).contains(&magnitude) {
        let text = format!("{x:.*e}", digits.saturating_sub(1));
        return text.replace('-', "−");
    }
    let decimals = (digits as f64 - 1.0 - magnitude).max(0.0) as usize;
    decimal(x, decimals).replace('-', "−")
}

/// A fraction as an integer percentage; values other than 0 and 1 are not
/// rounded to 0 % or 100 %.
pub(crate) fn percent(share: f64) -> String {
    if !share.is_finite() {
        return "–".to_owned();
    }
    let percent = share * 100.0;
    match percent.round() {
        r if r <= 0.0 && percent > 0.0 => "<1 %".to_owned(),
        r if r >= 100.0 && percent < 100.0 => ">99 %".to_owned(),
        r => format!("{} %", decimal(r, 0)),
    }
}

/// Indices of at most `most` of `items`, evenly spaced, with the first and the last.
pub(crate) fn evenly(items: usize, most: usize) -> impl Iterator<Item = usize> + Clone {
    let last = items.saturating_sub(1);
    let shown = items.min(most);
    (0..shown).map(move |i| {
        if shown < items {
            i * last / (shown - 1)
        } else {
            i
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        assert_eq!(coordinate(1.0), "1");
        assert_eq!(coordinate(-0.001), "0");
        assert_eq!(coordinate(12.345), "12.35");
        assert_eq!(coordinate(100.0), "100");
        assert_eq!(coordinate(f64::NAN), "0");
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(999), "999");
        assert_eq!(counted(1, "node", "nodes"), "1 node");
        assert_eq!(significant(0.012345, 3), "0.0123");
        assert_eq!(significant(1234.6, 3), "1235");
        assert_eq!(significant(-0.5, 3), "−0.5");
        assert_eq!(significant(1.5e-7, 3), "1.50e−7");
        assert_eq!(significant(f64::NAN, 3), "–");
    }

    #[test]
    fn shares_do_not_round_to_certainty() {
        assert_eq!(percent(0.999), ">99 %");
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(percent(0.001), "<1 %");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(0.256), "26 %");
    }

    #[test]
    fn long_series_keep_their_ends() {
        let thin: Vec<usize> = evenly(12_345, 1000).collect();
        assert_eq!(thin.len(), 1000);
        assert_eq!((thin[0], thin[999]), (0, 12_344));
        assert!(thin.windows(2).all(|w| w[0] < w[1]));
        assert_eq!(evenly(10, 1000).count(), 10);
        assert_eq!(evenly(0, 1000).count(), 0);
    }
}
