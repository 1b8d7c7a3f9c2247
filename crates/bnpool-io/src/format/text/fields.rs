//! Lines cut into fields.

use std::borrow::Cow;
use std::fmt;

use memchr::memchr;

/// The separator of two fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delimiter {
    /// A comma.
    Comma,
    /// A semicolon.
    Semicolon,
    /// A single tab, so that fields may be empty or hold spaces.
    Tab,
    /// A vertical bar.
    Pipe,
    /// Any run of spaces and tabs.
    Blank,
}

impl Delimiter {
    /// The delimiter of a line: the first of comma, semicolon, tab and pipe
    /// that occurs outside quotes, else blanks.
    pub(crate) fn sniff(line: &str) -> Self {
        let mut quoted = false;
        let mut found = Self::Blank;
        for byte in line.bytes() {
            match byte {
                b'"' => quoted = !quoted,
                b',' if !quoted => return Self::Comma,
                b';' if !quoted => found = Self::Semicolon,
                b'\t' if !quoted && matches!(found, Self::Blank | Self::Pipe) => found = Self::Tab,
                b'|' if !quoted && found == Self::Blank => found = Self::Pipe,
                _ => {}
            }
        }
        found
    }

    fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
            Self::Pipe => b'|',
            Self::Blank => b' ',
        }
    }

    /// Whether this byte ends a field.
    pub(crate) fn matches(self, byte: u8) -> bool {
        byte == self.byte() || (self == Self::Blank && byte == b'\t')
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Comma => "commas",
            Self::Semicolon => "semicolons",
            Self::Tab => "tabs",
            Self::Pipe => "pipes",
            Self::Blank => "spaces",
        })
    }
}

/// A quote that is not closed on its line, or followed by more than a delimiter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BadQuote;

/// Cuts a trimmed line into trimmed fields, `"quoted ""fields"""` included, and
/// puts them into `fields`. Empty fields at the end of the line are dropped.
pub(crate) fn split_fields<'a>(
    line: &'a str,
    delimiter: Delimiter,
    fields: &mut Vec<Cow<'a, str>>,
) -> Result<(), BadQuote> {
    fields.clear();
    let mut rest = line;
    loop {
        rest = match delimiter {
            // Another tab is an empty field.
            Delimiter::Tab => rest.trim_start_matches(' '),
            _ => rest.trim_ascii_start(),
        };
        let (field, after) = match rest.strip_prefix('"') {
            Some(inner) => quoted(inner, delimiter)?,
            None => plain(rest, delimiter),
        };
        fields.push(field);
        match after {
            Some(after) => rest = after,
            None => break,
        }
    }
    while fields.last().is_some_and(|field| field.is_empty()) {
        fields.pop();
    }
    Ok(())
}

/// As [`split_fields`] for the line of a table: empty fields at its end are kept,
/// up to `columns` fields.
pub(crate) fn split_cells<'a>(
    line: &'a str,
    delimiter: Delimiter,
    columns: usize,
    fields: &mut Vec<Cow<'a, str>>,
) -> Result<(), BadQuote> {
    split_fields(line, delimiter, fields)?;
    let end = line.bytes().rev();
    let end = end.take_while(|&byte| byte == b' ' || byte == delimiter.byte());
    let empty = match delimiter {
        Delimiter::Blank => 0,
        _ => end.filter(|&byte| byte == delimiter.byte()).count(),
    };
    let length = columns.min(fields.len() + empty).max(fields.len());
    fields.resize(length, Cow::Borrowed(""));
    Ok(())
}

/// The field at the start, and what follows its delimiter.
fn plain(rest: &str, delimiter: Delimiter) -> (Cow<'_, str>, Option<&str>) {
    let end = match delimiter {
        Delimiter::Blank => rest.bytes().position(|byte| byte == b' ' || byte == b'\t'),
        // Fields are short: a plain loop beats a vectorised search.
        _ => rest.bytes().position(|byte| byte == delimiter.byte()),
    };
    match end {
        Some(end) => (rest[..end].trim_ascii_end().into(), Some(&rest[end + 1..])),
        None => (rest.trim_ascii_end().into(), None),
    }
}

/// As [`plain`], for what follows an opening quote.
fn quoted(inner: &str, delimiter: Delimiter) -> Result<(Cow<'_, str>, Option<&str>), BadQuote> {
    let mut end = 0;
    let mut doubled = false;
    loop {
        end += memchr(b'"', &inner.as_bytes()[end..]).ok_or(BadQuote)?;
        if inner.as_bytes().get(end + 1) != Some(&b'"') {
            break;
        }
        doubled = true;
        end += 2;
    }
    let field = if doubled {
        inner[..end].replace("\"\"", "\"").into()
    } else {
        inner[..end].into()
    };
    let after = &inner[end + 1..];
    match after.trim_start_matches(' ').bytes().next() {
        None => Ok((field, None)),
        Some(byte) if delimiter.matches(byte) => {
            Ok((field, Some(&after.trim_start_matches(' ')[1..])))
        }
        Some(_) if delimiter == Delimiter::Blank && after.starts_with(' ') => {
            Ok((field, Some(&after[1..])))
        }
        Some(_) => Err(BadQuote),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str, delimiter: Delimiter) -> Result<Vec<String>, BadQuote> {
        let mut fields = Vec::new();
        split_fields(line, delimiter, &mut fields)?;
        Ok(fields.into_iter().map(Cow::into_owned).collect())
    }

    #[test]
    fn finds_the_delimiter() {
        assert_eq!(Delimiter::sniff("a,b c"), Delimiter::Comma);
        assert_eq!(Delimiter::sniff("a;b\tc"), Delimiter::Semicolon);
        assert_eq!(Delimiter::sniff("a b\tc d"), Delimiter::Tab);
        assert_eq!(Delimiter::sniff("a b|c"), Delimiter::Pipe);
        assert_eq!(Delimiter::sniff("a  b"), Delimiter::Blank);
        assert_eq!(Delimiter::sniff("\"a,b\" c"), Delimiter::Blank);
    }

    #[test]
    fn cuts_fields() {
        assert_eq!(
            split("a, b ,,c,", Delimiter::Comma).unwrap(),
            ["a", "b", "", "c"]
        );
        assert_eq!(split("a \t b", Delimiter::Blank).unwrap(), ["a", "b"]);
        assert_eq!(split("a b\t\tc", Delimiter::Tab).unwrap(), ["a b", "", "c"]);
        assert_eq!(split("é;ü", Delimiter::Semicolon).unwrap(), ["é", "ü"]);
    }

    #[test]
    fn quotes_protect_delimiters() {
        assert_eq!(
            split(r#""a,b" , "say ""hi""", c"#, Delimiter::Comma).unwrap(),
            ["a,b", "say \"hi\"", "c"]
        );
        assert_eq!(
            split(r#""a b"  c "d""#, Delimiter::Blank).unwrap(),
            ["a b", "c", "d"]
        );
        assert_eq!(split(r#""a"#, Delimiter::Comma), Err(BadQuote));
        assert_eq!(split(r#""a"b,c"#, Delimiter::Comma), Err(BadQuote));
    }
}
