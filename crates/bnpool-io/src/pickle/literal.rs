//! Values that a pickle spells out: numbers, text, bytes and names.

use super::arena::{Item, Span};
use super::error::{PickleError, PickleProblem};
use super::global::Global;
use super::machine::Machine;

impl Machine<'_> {
    /// The next bytes, after their length of `N` bytes.
    fn take_span<const N: usize>(&mut self) -> Result<Span, PickleError> {
        let length = self.bytes.length::<N>()?;
        let start = self.bytes.position();
        self.bytes.take(length)?;
        Ok(Span {
            start,
            length,
            decoded: false,
        })
    }

    pub(super) fn push_span<const N: usize>(
        &mut self,
        kind: fn(Span) -> Item,
    ) -> Result<(), PickleError> {
        let span = self.take_span::<N>()?;
        self.push(kind(span));
        Ok(())
    }

    pub(super) fn push_text<const N: usize>(&mut self) -> Result<(), PickleError> {
        let span = self.take_span::<N>()?;
        if std::str::from_utf8(self.arena.span(span)).is_err() {
            return Err(self.malformed("the text is not UTF-8"));
        }
        self.push(Item::Text(span));
        Ok(())
    }

    pub(super) fn push_escaped(&mut self, code: u8) -> Result<(), PickleError> {
        let line = self.bytes.line()?;
        let (decoded, kind): (_, fn(Span) -> Item) = match code {
            b'S' => (unquote(line), Item::OldText),
            _ => (unescape(line), Item::Text),
        };
        let Some(decoded) = decoded else {
            return Err(self.malformed("the text has bad quotes or escapes"));
        };
        let span = Span {
            start: self.arena.decoded.len(),
            length: decoded.len(),
            decoded: true,
        };
        self.arena.decoded.extend(decoded);
        self.push(kind(span));
        Ok(())
    }

    pub(super) fn push_int_line(&mut self) -> Result<(), PickleError> {
        let offset = self.bytes.position();
        let line = self.bytes.line()?;
        let item = match line {
            b"00" => Item::Bool(false),
            b"01" => Item::Bool(true),
            digits => Item::Int(parse_int(offset, digits)?),
        };
        self.push(item);
        Ok(())
    }

    pub(super) fn push_long_line(&mut self) -> Result<(), PickleError> {
        let offset = self.bytes.position();
        let line = self.bytes.line()?;
        let digits = line.strip_suffix(b"L").unwrap_or(line);
        self.push(Item::Int(parse_int(offset, digits)?));
        Ok(())
    }

    /// A whole number of `length` bytes, smallest first, in two's complement.
    pub(super) fn push_long(&mut self, length: usize) -> Result<(), PickleError> {
        let bytes = self.bytes.take(length)?;
        let sign = match bytes.last() {
            Some(&last) if last >= 0x80 => 0xff,
            _ => 0,
        };
        let (low, high) = bytes.split_at(length.min(8));
        let mut wide = [sign; 8];
        wide[..low.len()].copy_from_slice(low);
        let value = i64::from_le_bytes(wide);
        let fits = high.iter().all(|&byte| byte == sign) && (value < 0) == (sign != 0);
        if !fits {
            return Err(self.malformed("the whole number has more than 64 bits"));
        }
        self.push(Item::Int(value));
        Ok(())
    }

    pub(super) fn push_stack_global(&mut self) -> Result<(), PickleError> {
        let name = self.pop()?;
        let module = self.pop()?;
        let (Item::Text(module), Item::Text(name)) = (module, name) else {
            return Err(self.malformed("the name of a global must be text"));
        };
        let (module, name) = (self.arena.span(module), self.arena.span(name));
        let global = find_global(self.offset, module, name)?;
        self.push(Item::Global(global));
        Ok(())
    }
}

pub(super) fn find_global(
    offset: usize,
    module: &[u8],
    name: &[u8],
) -> Result<Global, PickleError> {
    Global::find(module, name).ok_or_else(|| {
        // Names come from the file: short, and nothing to upset a terminal.
        let short = |part: &[u8]| -> String {
            let part = String::from_utf8_lossy(&part[..part.len().min(80)]).into_owned();
            part.chars().flat_map(char::escape_debug).collect()
        };
        let name = format!("{}.{}", short(module), short(name));
        PickleError::new(offset, PickleProblem::Global { name })
    })
}

fn parse_int(offset: usize, digits: &[u8]) -> Result<i64, PickleError> {
    let text = std::str::from_utf8(digits).unwrap_or_default();
    text.trim()
        .parse()
        .map_err(|_| PickleError::malformed(offset, "this is not a whole number of 64 bits"))
}

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
