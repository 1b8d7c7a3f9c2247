//! Numbers in text.

/// The number a field holds; infinities and NaN included.
pub(crate) fn parse_f32(field: &str) -> Option<f32> {
    fast_float2::parse(field).ok()
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
}
