//! Lines, and those of them that hold data.
//!
//! A line ends with a line feed, with a carriage return and a line feed, or
//! with a carriage return alone, also in one and the same file.

use memchr::{memchr, memchr_iter, memchr2, memrchr2};

/// Cuts the first line off: what stands in it without its end, and what follows.
pub(crate) fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let Some(end) = memchr2(b'\n', b'\r', bytes) else {
        return (bytes, &[]);
    };
    let (line, rest) = bytes.split_at(end);
    (line, &rest[end_length(rest)..])
}

/// The bytes of the line end at the start.
fn end_length(rest: &[u8]) -> usize {
    1 + usize::from(rest.starts_with(b"\r\n"))
}

/// The lines of a text, without their ends.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, after) = split_line(rest.as_bytes());
        // Both are cut at ASCII characters.
        let start = rest.len() - after.len();
        let line = &rest[..line.len()];
        rest = &rest[start..];
        Some(line)
    })
}

/// The number of line ends in these bytes.
pub(crate) fn count_line_ends(bytes: &[u8]) -> usize {
    let feeds = memchr_iter(b'\n', bytes).count();
    if memchr(b'\r', bytes).is_none() {
        return feeds;
    }
    let alone = |&place: &usize| bytes.get(place + 1) != Some(&b'\n');
    feeds + memchr_iter(b'\r', bytes).filter(alone).count()
}

/// The end of the last whole line, if there is one: a carriage return at the very
/// end may be half of a line end.
pub(crate) fn last_line_end(bytes: &[u8]) -> Option<usize> {
    let sure = match bytes {
        [before @ .., b'\r'] => before,
        _ => bytes,
    };
    memrchr2(b'\n', b'\r', sure).map(|place| place + 1)
}

/// Whether a line says something to people only.
fn is_comment(line: &str) -> bool {
    line.starts_with(['#', '%'])
}

/// Whether a first line only names the separator, as spreadsheets write it.
fn is_separator(line: &str) -> bool {
    let mark = line.trim_matches('"').strip_prefix("sep=");
    mark.is_some_and(|mark| mark.len() < 2)
}

/// The lines of a text that hold data, with their numbers (from 1), trimmed:
/// blank lines, comments (`#`, `%`) and a first line that names the separator are
/// passed over, and the last line need not end.
#[derive(Debug, Clone)]
pub(crate) struct DataLines<'a> {
    text: &'a str,
    position: usize,
    number: usize,
}

impl<'a> DataLines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self::after(text, 0)
    }

    /// The lines of a text that comes after `lines` others.
    pub(crate) fn after(text: &'a str, lines: usize) -> Self {
        Self {
            text,
            position: 0,
            number: lines,
        }
    }

    /// The text, with the lines that are passed already.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// The number of lines of the file before the next one.
    pub(crate) fn passed(&self) -> usize {
        self.number
    }

    /// The start of the next line in the text.
    pub(crate) fn place(&self) -> usize {
        self.position
    }

    /// Goes on at a line start further down, `lines` lines after this place.
    pub(crate) fn advance(&mut self, position: usize, lines: usize) {
        self.position = position;
        self.number += lines;
    }
}

impl<'a> Iterator for DataLines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        while self.position < self.text.len() {
            let rest = &self.text[self.position..];
            let (line, after) = split_line(rest.as_bytes());
            let line = &rest[..line.len()];
            self.position = self.text.len() - after.len();
            self.number += 1;
            let line = line.trim_ascii();
            let is_mark = self.number == 1 && is_separator(line);
            if !line.is_empty() && !is_comment(line) && !is_mark {
                return Some((self.number, line));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_over_what_is_no_data() {
        let text = "# head\r\n\r\n a b \r\n%x\n\t\nc";
        let lines: Vec<_> = DataLines::new(text).collect();
        assert_eq!(lines, [(3, "a b"), (6, "c")]);
        assert_eq!(DataLines::new("\n\n").next(), None);
        for mark in ["sep=;", "\"sep=,\"", "sep=\t"] {
            let text = format!("{mark}\na\nsep=;");
            let lines: Vec<_> = DataLines::new(&text).collect();
            assert_eq!(lines, [(2, "a"), (3, "sep=;")]);
        }
    }

    #[test]
    fn a_line_ends_in_three_ways() {
        let text = "a\rb\r\nc\n\rd\n\r\n\re";
        let all: Vec<_> = lines(text).collect();
        assert_eq!(all, ["a", "b", "c", "", "d", "", "", "e"]);
        assert_eq!(count_line_ends(text.as_bytes()), 7);
        let data: Vec<_> = DataLines::new(text).collect();
        assert_eq!(data, [(1, "a"), (2, "b"), (3, "c"), (5, "d"), (8, "e")]);
        assert_eq!(lines("").count(), 0);
    }

    #[test]
    fn half_a_line_end_is_none_yet() {
        assert_eq!(last_line_end(b"a\rb\r"), Some(2));
        assert_eq!(last_line_end(b"a\r"), None);
        assert_eq!(last_line_end(b"a\r\r"), Some(2));
        assert_eq!(last_line_end(b"a\r\nb"), Some(3));
        assert_eq!(last_line_end(b"ab"), None);
    }
}
