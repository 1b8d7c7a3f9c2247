//! Lines that hold data.

use memchr::memchr;

/// Whether a line says something to people only.
fn is_comment(line: &str) -> bool {
    line.starts_with(['#', '%'])
}

/// The lines of a text that hold data, with their numbers (from 1), trimmed:
/// blank lines and comments (`#`, `%`) are passed over, and a line may end like
/// on Windows or, the last one, not at all.
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

    /// How many lines of the file come before the next one.
    pub(crate) fn passed(&self) -> usize {
        self.number
    }

    /// Where the next line starts in the text.
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
            let end = memchr(b'\n', rest.as_bytes());
            let line = end.map_or(rest, |end| &rest[..end]);
            self.position += end.map_or(rest.len(), |end| end + 1);
            self.number += 1;
            let line = line.trim_ascii();
            if !line.is_empty() && !is_comment(line) {
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
    }
}
