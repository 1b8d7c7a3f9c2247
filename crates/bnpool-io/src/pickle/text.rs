//! Strings of protocol 0, which are written with escapes.

/// The content of a quoted Python string, or `None` if it is malformed.
pub(super) fn unquote(line: &[u8]) -> Option<Vec<u8>> {
    let quote = *line.first()?;
    let inner = match quote {
        b'\'' | b'"' if line.len() >= 2 => line[1..].strip_suffix(&[quote])?,
        _ => return None,
    };
    let mut decoded = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'\\' {
            decoded.push(*first);
            continue;
        }
        let (&letter, tail) = rest.split_first()?;
        rest = tail;
        match letter {
            b'n' => decoded.push(b'\n'),
            b't' => decoded.push(b'\t'),
            b'r' => decoded.push(b'\r'),
            b'a' => decoded.push(7),
            b'b' => decoded.push(8),
            b'f' => decoded.push(12),
            b'v' => decoded.push(11),
            b'\\' | b'\'' | b'"' => decoded.push(letter),
            b'x' => {
                decoded.push(u8::try_from(hexadecimal(rest.get(..2)?)?).ok()?);
                rest = &rest[2..];
            }
            b'0'..=b'7' => {
                let more = rest
                    .iter()
                    .take(2)
                    .take_while(|c| (b'0'..=b'7').contains(c));
                let count = more.count();
                let digits = rest[..count].iter();
                let value = digits.fold(u32::from(letter - b'0'), |value, digit| {
                    value * 8 + u32::from(digit - b'0')
                });
                // As Python 2 did, only the low byte counts.
                decoded.push(value as u8);
                rest = &rest[count..];
            }
            // Python keeps unknown escapes.
            other => decoded.extend([b'\\', other]),
        }
    }
    Some(decoded)
}

/// Text with `\uXXXX` escapes and otherwise a byte for each character, as UTF-8.
pub(super) fn unescape(line: &[u8]) -> Option<Vec<u8>> {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let [first, tail @ ..] = rest {
        let digits = match rest {
            [b'\\', b'u', ..] => 4,
            [b'\\', b'U', ..] => 8,
            _ => {
                text.push(char::from(*first));
                rest = tail;
                continue;
            }
        };
        let code = hexadecimal(rest.get(2..2 + digits)?)?;
        text.push(char::from_u32(code)?);
        rest = &rest[2 + digits..];
    }
    Some(text.into_bytes())
}

fn hexadecimal(digits: &[u8]) -> Option<u32> {
    // `from_str_radix` would also take a sign.
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_strings() {
        assert_eq!(unquote(br"'a\x00\n\'\101\8'").unwrap(), b"a\0\n'A\\8");
        assert_eq!(unquote(b"\"it's\"").unwrap(), b"it's");
        for bad in [&b""[..], b"'", b"'a", b"a'", br"'\x1'", br"'\'"] {
            assert_eq!(unquote(bad), None);
        }
    }

    #[test]
    fn escaped_text() {
        assert_eq!(unescape(b"a\\u00e9\xe9").unwrap(), "aéé".as_bytes());
        assert_eq!(unescape(br"\u+123"), None);
        assert_eq!(unescape(br"\ud800"), None);
        assert_eq!(unescape(br"\u12"), None);
    }
}
