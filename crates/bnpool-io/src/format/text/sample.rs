//! The first lines of a table, to find out what its columns are.

use std::borrow::Cow;
use std::path::Path;

use crate::bytes::error::ReadError;
use crate::format::text::{DataLines, Delimiter, split_fields};

/// Lines that are looked at.
pub(crate) const LINES: usize = 2000;

/// The fields of a line.
pub(crate) type Fields<'a> = Vec<Cow<'a, str>>;

/// The first lines of a table, cut into fields.
pub(crate) struct Sample<'a> {
    pub(crate) delimiter: Delimiter,
    /// The lines with their numbers; one at least.
    pub(crate) lines: Vec<(usize, Fields<'a>)>,
    /// Whether blanks around fields without quotes were cut.
    pub(crate) blanks_cut: bool,
}

impl<'a> Sample<'a> {
    /// Looks at the first lines; `None` if there are none. Lines after the first
    /// that cannot be cut are left to the reader.
    pub(crate) fn of(path: &Path, lines: DataLines<'a>) -> Result<Option<Self>, ReadError> {
        let texts: Vec<(usize, &'a str)> = lines.take(LINES).collect();
        let Some(&(first, _)) = texts.first() else {
            return Ok(None);
        };
        let delimiter = delimiter(&texts);
        let mut lines = Vec::with_capacity(texts.len());
        for &(number, text) in &texts {
            let mut fields = Fields::new();
            match split_fields(text, delimiter, &mut fields) {
                Ok(()) => lines.push((number, fields)),
                Err(_) if number == first => return Err(bad_quote(path, number)),
                Err(_) => {}
            }
        }
        let blanks_cut = texts
            .iter()
            .any(|&(_, text)| has_outer_blanks(text, delimiter));
        Ok(Some(Self {
            delimiter,
            lines,
            blanks_cut,
        }))
    }

    /// The first line.
    pub(crate) fn first(&self) -> &Fields<'a> {
        &self.lines[0].1
    }

    /// The lines after the first.
    pub(crate) fn rest(&self) -> impl Iterator<Item = &Fields<'a>> + Clone {
        self.lines[1..].iter().map(|(_, fields)| fields)
    }
}

/// A line whose quotes are wrong.
pub(crate) fn bad_quote(path: &Path, line: usize) -> ReadError {
    ReadError::at_line(
        path,
        line,
        "a quote is not closed, or stands inside a field",
        "close it on the same line, and double quotes inside quotes",
    )
}

/// The separator of the fields: the first of tab, semicolon, pipe and comma that
/// every line has outside of quotes. A comma comes last because it may also
/// stand inside of names and numbers.
pub(crate) fn delimiter(lines: &[(usize, &str)]) -> Delimiter {
    let everywhere = |delimiter: Delimiter| {
        lines
            .iter()
            .all(|(_, line)| outside_quotes(line).any(|(_, byte)| delimiter.matches(byte)))
    };
    let comma = everywhere(Delimiter::Comma);
    // Tabulators that only follow commas are blanks.
    let beside_comma = |(_, line): &(usize, &str)| {
        let bytes = line.as_bytes();
        outside_quotes(line)
            .filter(|&(_, byte)| byte == b'\t')
            .all(|(place, _)| {
                let before = bytes[..place].trim_ascii_end().last();
                let after = bytes[place..].trim_ascii_start().first();
                before == Some(&b',') || after == Some(&b',')
            })
    };
    if everywhere(Delimiter::Tab) && !(comma && lines.iter().all(beside_comma)) {
        Delimiter::Tab
    } else if everywhere(Delimiter::Semicolon) {
        Delimiter::Semicolon
    } else if everywhere(Delimiter::Pipe) {
        Delimiter::Pipe
    } else if comma {
        Delimiter::Comma
    } else {
        lines
            .first()
            .map_or(Delimiter::Blank, |(_, line)| Delimiter::sniff(line))
    }
}

fn outside_quotes(line: &str) -> impl Iterator<Item = (usize, u8)> {
    let mut quoted = false;
    line.bytes().enumerate().filter(move |&(_, byte)| {
        quoted ^= byte == b'"';
        !quoted && byte != b'"'
    })
}

/// Whether a blank stands beside a delimiter.
fn has_outer_blanks(line: &str, delimiter: Delimiter) -> bool {
    let bytes = line.as_bytes();
    delimiter != Delimiter::Blank
        && outside_quotes(line)
            .filter(|&(_, byte)| delimiter.matches(byte))
            .any(|(place, _)| {
                let before = place.checked_sub(1).and_then(|before| bytes.get(before));
                before == Some(&b' ') || bytes.get(place + 1) == Some(&b' ')
            })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lines_tell_the_delimiter() {
        for (lines, expected) in [
            (&["a,b c", "d,e"][..], Delimiter::Comma),
            (&["a;b;0,5", "b;c;1,5"], Delimiter::Semicolon),
            (&["Smith, J\tDoe, A", "Doe, A\tRoe, B"], Delimiter::Tab),
            (&["a,\tb", "b,\tc"], Delimiter::Comma),
            (&["a  b", "c d"], Delimiter::Blank),
            (&["\"a,b\" c", "\"c,d\" e"], Delimiter::Blank),
            (&["a,b", "c"], Delimiter::Comma),
            (&["Smith, J|b", "Doe, A|d"], Delimiter::Pipe),
        ] {
            let lines: Vec<_> = lines.iter().map(|&line| (1, line)).collect();
            assert_eq!(delimiter(&lines), expected, "{lines:?}");
        }
    }

    #[test]
    fn blanks_beside_delimiters_are_seen() {
        assert!(has_outer_blanks("a, b", Delimiter::Comma));
        assert!(has_outer_blanks("a ;b", Delimiter::Semicolon));
        assert!(!has_outer_blanks("a b,c", Delimiter::Comma));
        assert!(!has_outer_blanks("\" a \",b", Delimiter::Comma));
        assert!(!has_outer_blanks("a  b", Delimiter::Blank));
    }
}
