//! Tables of whole numbers, one row per line: `3,0,12`.

use crate::format::text::split_line;
use crate::format::{ReadError, Source};

/// The numbers of all lines, of which each must have `columns`.
///
/// Empty lines at the end do no harm.
pub(super) fn read_numbers(source: &Source, columns: usize) -> Result<Vec<u32>, ReadError> {
    let bytes = source.bytes();
    let mut numbers = Vec::with_capacity(bytes.len() / 2);
    let refuse = |line: usize| {
        ReadError::at_line(
            source.path(),
            line + 1,
            format!("this is no line of {columns} whole numbers with commas between"),
            "fetch the data set again",
        )
    };
    for (line, row) in lines(bytes).enumerate() {
        let start = numbers.len();
        // One number more than there are commas.
        for field in row.split(|&byte| byte == b',') {
            numbers.push(parse(field).ok_or_else(|| refuse(line))?);
        }
        if numbers.len() - start != columns {
            return Err(refuse(line));
        }
    }
    Ok(numbers)
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = bytes.trim_ascii_end().len();
    let mut rest = &bytes[..end];
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, after) = split_line(rest);
        rest = after;
        Some(line)
    })
}

/// A whole number; also one that is written as `3.0`.
fn parse(field: &[u8]) -> Option<u32> {
    let field = field.trim_ascii();
    let digits = field.strip_suffix(b".0").unwrap_or(field);
    if digits.is_empty() || digits.len() > 9 {
        return None;
    }
    let mut value = 0;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + u32::from(digit - b'0');
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Limits;

    fn read(text: &str, columns: usize) -> Result<Vec<u32>, ReadError> {
        let bytes = text.as_bytes().to_vec();
        let source = Source::from_bytes("t.csv", bytes, &Limits::default()).unwrap();
        read_numbers(&source, columns)
    }

    #[test]
    fn numbers_and_line_ends() {
        assert_eq!(read("1,2\r\n3, 40\n\n", 2).unwrap(), [1, 2, 3, 40]);
        assert_eq!(read("1.0\n0", 1).unwrap(), [1, 0]);
        assert!(read("", 3).unwrap().is_empty());
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, columns) in [("1\n2,3\n", 1), ("1\nx\n", 1), ("1\n\n2", 1), ("1\n-2", 1)] {
            let error = read(text, columns).unwrap_err();
            assert_eq!(error.line(), Some(2), "{text:?}");
        }
        assert!(read("9999999999", 1).is_err());
    }
}
