//! Numbers in text.

use std::borrow::Cow;
use std::fmt;

use super::Delimiter;

/// The number a field holds; infinities and NaN included.
pub(crate) fn parse_f32(field: &str) -> Option<f32> {
    fast_float2::parse(field).ok()
}

/// As [`parse_f32`], with all digits.
pub(crate) fn parse_number(field: &str) -> Option<f64> {
    fast_float2::parse(field).ok()
}

/// The number a field holds, in whatever way it is written.
pub(crate) fn parse_any(field: &str) -> Option<f64> {
    let all = [NumberStyle::Point, NumberStyle::Comma, NumberStyle::Grouped];
    all.into_iter().find_map(|style| style.parse(field))
}

/// The way in which the numbers of a column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NumberStyle {
    /// `1234.5`, `1.2345e3`.
    #[default]
    Point,
    /// `1.234,5`, `1234,5`.
    Comma,
    /// `1,234.5`.
    Grouped,
}

impl NumberStyle {
    /// The style in which all of these fields are numbers. Where `1,234` may be
    /// either, commas between the fields leave groups of thousands.
    pub(crate) fn of<'a>(
        fields: impl Iterator<Item = &'a str> + Clone,
        delimiter: Delimiter,
    ) -> Option<Self> {
        let is_style = |style: &Self| fields.clone().all(|field| style.parse(field).is_some());
        Self::by_preference(delimiter).into_iter().find(is_style)
    }

    /// The styles in the order in which they are tried.
    pub(crate) fn by_preference(delimiter: Delimiter) -> [Self; 3] {
        match delimiter {
            Delimiter::Comma => [Self::Point, Self::Grouped, Self::Comma],
            _ => [Self::Point, Self::Comma, Self::Grouped],
        }
    }

    /// The number a field holds; infinities and NaN included.
    pub(crate) fn parse(self, field: &str) -> Option<f64> {
        let (group, decimal) = match self {
            Self::Point => return parse_number(field),
            Self::Comma => ('.', ','),
            Self::Grouped => (',', '.'),
        };
        // Spaces and apostrophes group thousands in some languages.
        let is_group =
            |c: char| c == group || matches!(c, ' ' | '\'' | '’' | '\u{a0}' | '\u{202f}');
        let (whole, fraction) = match field.split_once(decimal) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (field, None),
        };
        let digits = whole.trim_start_matches(['-', '+']);
        let mut groups = digits.split(is_group);
        let first = groups.next().unwrap_or_default();
        let mut is_grouped = false;
        for group in groups {
            is_grouped = true;
            if group.len() != 3 || !group.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
        }
        if is_grouped && !(1..=3).contains(&first.len()) {
            return None;
        }
        let whole: String = whole.chars().filter(|&c| !is_group(c)).collect();
        parse_number(&match fraction {
            Some(fraction) if fraction.contains(['.', ',']) => return None,
            Some(fraction) => Cow::from(format!("{whole}.{fraction}")),
            None => Cow::from(whole),
        })
    }

    /// The weight in a field.
    pub(crate) fn weight(self, field: &str) -> Result<f32, BadWeight> {
        let number = self.parse(field).ok_or(BadWeight::NoNumber)?;
        weight_of(number)
    }
}

impl fmt::Display for NumberStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Point => "decimal points",
            Self::Comma => "decimal commas",
            Self::Grouped => "commas between thousands",
        })
    }
}

/// The reason why something is not the weight of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadWeight {
    NoNumber,
    NotFinite,
    Negative,
    TooSmall,
    TooLarge,
}

impl fmt::Display for BadWeight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoNumber => "is not a number",
            Self::NotFinite => "is not finite",
            Self::Negative => "is negative, and signed weights are not supported",
            Self::TooSmall => "is too small: 32 bits would make it 0",
            Self::TooLarge => "is too large for 32 bits",
        })
    }
}

/// A number as a weight, if 32 bits can hold it.
pub(crate) fn weight_of(number: f64) -> Result<f32, BadWeight> {
    let weight = number as f32;
    if !number.is_finite() {
        Err(BadWeight::NotFinite)
    } else if number < 0.0 {
        Err(BadWeight::Negative)
    } else if weight.is_infinite() {
        Err(BadWeight::TooLarge)
    } else if weight == 0.0 && number > 0.0 {
        Err(BadWeight::TooSmall)
    } else {
        Ok(weight)
    }
}

/// The digits at the start of `bytes` as a number, and how many there are;
/// `None` without a digit, beyond 32 bits, or if a leading zero makes `07`
/// another name than `7`.
#[inline]
pub(crate) fn parse_u32(bytes: &[u8]) -> Option<(u32, usize)> {
    let mut value = 0_u64;
    let mut length = 0;
    while let Some(digit) = bytes.get(length).map(|byte| byte.wrapping_sub(b'0'))
        && digit < 10
    {
        value = value * 10 + u64::from(digit);
        length += 1;
        if length > 10 {
            return None;
        }
    }
    if length == 0 || (length > 1 && bytes[0] == b'0') {
        return None;
    }
    Some((u32::try_from(value).ok()?, length))
}

/// Whether a field is a whole number, negative ones included.
pub(crate) fn is_whole_number(field: &str) -> bool {
    let digits = field.strip_prefix('-').unwrap_or(field);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits() {
        assert_eq!(parse_u32(b"12,3"), Some((12, 2)));
        assert_eq!(parse_u32(b"0"), Some((0, 1)));
        assert_eq!(parse_u32(b"4294967295"), Some((u32::MAX, 10)));
        for bad in ["", "x", "07", "4294967296", "-1", "99999999999999999999999"] {
            assert_eq!(parse_u32(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(parse_f32("-1.5e3"), Some(-1500.0));
        assert!(parse_f32("nan").unwrap().is_nan());
        assert_eq!(parse_f32("1.5x"), None);
        assert_eq!(parse_f32(""), None);
        assert!(is_whole_number("-12") && !is_whole_number("1.0") && !is_whole_number("-"));
    }

    #[test]
    fn all_fields_tell_the_style() {
        use NumberStyle::{Comma, Grouped, Point};
        for (fields, semicolons, commas) in [
            (&["0.5", "1e3"][..], Some(Point), Some(Point)),
            (&["0,5", "3"], Some(Comma), Some(Comma)),
            (&["1.234,50", "7,1"], Some(Comma), Some(Comma)),
            (&["39,681.50", "7.1"], Some(Grouped), Some(Grouped)),
            (&["1,234"], Some(Comma), Some(Grouped)),
            (&["1 234,5"], Some(Comma), Some(Comma)),
            (&["1'234.5"], Some(Grouped), Some(Grouped)),
            (&["0,5", "0.5"], None, None),
            (&["1,23,4"], None, None),
            (&["12.34,5"], None, None),
            (&["x"], None, None),
        ] {
            let style = |delimiter| NumberStyle::of(fields.iter().copied(), delimiter);
            assert_eq!(style(Delimiter::Semicolon), semicolons, "{fields:?}");
            assert_eq!(style(Delimiter::Comma), commas, "{fields:?}");
        }
        assert_eq!(Comma.parse("-1.234,50"), Some(-1234.5));
        assert_eq!(Grouped.parse("39,681.50"), Some(39681.5));
        assert_eq!(Comma.parse("1234.567,8"), None);
    }

    #[test]
    fn weights_fit_into_their_bits() {
        for (field, weight) in [
            ("0", Ok(0.0)),
            ("2.5", Ok(2.5)),
            ("1e-46", Err(BadWeight::TooSmall)),
            ("1e39", Err(BadWeight::TooLarge)),
            ("-1e-46", Err(BadWeight::Negative)),
            ("NaN", Err(BadWeight::NotFinite)),
            ("inf", Err(BadWeight::NotFinite)),
            ("", Err(BadWeight::NoNumber)),
        ] {
            assert_eq!(NumberStyle::Point.weight(field), weight, "{field}");
        }
    }
}
