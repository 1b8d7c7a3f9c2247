//! The words of a DOT file.

use std::borrow::Cow;
use std::path::Path;

use crate::bytes::error::ReadError;
use crate::format::text::count_line_ends;

/// A word of the file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token<'a> {
    /// An id; `bare` if it has no quotes, so that it may be a keyword.
    Id {
        text: Cow<'a, str>,
        bare: bool,
    },
    /// `{`, `}`, `[`, `]`, `;`, `,`, `=` or `:`.
    Mark(u8),
    /// `--` or `->`.
    Edge {
        directed: bool,
    },
    End,
}

/// A place in a DOT file.
pub(super) struct Lexer<'a> {
    path: &'a Path,
    text: &'a str,
    position: usize,
    /// The line of the last word.
    line: usize,
    /// A word that was looked at and not taken.
    next: Option<Token<'a>>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(path: &'a Path, text: &'a str) -> Self {
        Self {
            path,
            text,
            position: 0,
            line: 1,
            next: None,
        }
    }

    pub(super) fn line(&self) -> usize {
        self.line
    }

    pub(super) fn error(&self, problem: impl Into<String>, remedy: &'static str) -> ReadError {
        ReadError::at_line(self.path, self.line, problem, remedy)
    }

    /// The next word, which stays.
    pub(super) fn peek(&mut self) -> Result<&Token<'a>, ReadError> {
        let next = match self.next.take() {
            Some(next) => next,
            None => self.read()?,
        };
        Ok(self.next.insert(next))
    }

    /// The next word.
    pub(super) fn next(&mut self) -> Result<Token<'a>, ReadError> {
        match self.next.take() {
            Some(next) => Ok(next),
            None => self.read(),
        }
    }

    /// Takes a mark if it comes next.
    pub(super) fn take(&mut self, mark: u8) -> Result<bool, ReadError> {
        let is_next = *self.peek()? == Token::Mark(mark);
        if is_next {
            self.next = None;
        }
        Ok(is_next)
    }

    fn read(&mut self) -> Result<Token<'a>, ReadError> {
        self.pass_blanks()?;
        let rest = &self.text[self.position..];
        let Some(first) = rest.bytes().next() else {
            return Ok(Token::End);
        };
        match first {
            b'{' | b'}' | b'[' | b']' | b';' | b',' | b'=' | b':' => {
                self.position += 1;
                return Ok(Token::Mark(first));
            }
            b'"' => return self.quoted(),
            b'<' => return self.html(),
            _ => {}
        }
        if rest.starts_with("--") || rest.starts_with("->") {
            self.position += 2;
            let directed = rest.as_bytes()[1] == b'>';
            return Ok(Token::Edge { directed });
        }
        // Of an id with a minus only the first byte may be one: `a--b`.
        let in_id = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
        let number = rest.strip_prefix('-').unwrap_or(rest);
        let is_number = number.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let start = if is_number {
            rest.len() - number.len()
        } else {
            0
        };
        let stop = |c: char| !(in_id(c) || is_number && c == '.');
        let end = start + rest[start..].find(stop).unwrap_or(rest.len() - start);
        if end == start {
            return Err(self.error(
                "a character that no id may have",
                "put ids with other characters than letters, digits and _ in quotes",
            ));
        }
        self.position += end;
        Ok(Token::Id {
            text: rest[..end].into(),
            bare: true,
        })
    }

    /// A text in quotes, and those that a `+` joins to it.
    fn quoted(&mut self) -> Result<Token<'a>, ReadError> {
        let mut text = self.quoted_part()?;
        loop {
            let (position, line) = (self.position, self.line);
            self.pass_blanks()?;
            if !self.text[self.position..].starts_with('+') {
                (self.position, self.line) = (position, line);
                return Ok(Token::Id { text, bare: false });
            }
            self.position += 1;
            self.pass_blanks()?;
            if !self.text[self.position..].starts_with('"') {
                return Err(self.error("`+` is not followed by a quote", "join two quoted texts"));
            }
            let more = self.quoted_part()?;
            text.to_mut().push_str(&more);
        }
    }

    fn quoted_part(&mut self) -> Result<Cow<'a, str>, ReadError> {
        let inner = &self.text[self.position + 1..];
        let mut end = None;
        let mut escaped = false;
        let mut plain = true;
        for (place, byte) in inner.bytes().enumerate() {
            match byte {
                b'"' if !escaped => {
                    end = Some(place);
                    break;
                }
                b'\\' => plain = false,
                _ => {}
            }
            escaped = byte == b'\\' && !escaped;
        }
        let Some(end) = end else {
            return Err(self.error("a quote is not closed", "close it"));
        };
        let text = &inner[..end];
        self.position += end + 2;
        self.line += count_line_ends(text.as_bytes());
        Ok(if plain {
            text.into()
        } else {
            // Only these two mean something to the language itself.
            text.replace("\\\r\n", "")
                .replace("\\\n", "")
                .replace("\\\"", "\"")
                .into()
        })
    }

    /// A text in angle brackets.
    fn html(&mut self) -> Result<Token<'a>, ReadError> {
        let rest = &self.text[self.position..];
        let mut depth = 0_usize;
        for (place, byte) in rest.bytes().enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let text = &rest[1..place];
                self.position += place + 1;
                self.line += count_line_ends(text.as_bytes());
                return Ok(Token::Id {
                    text: text.into(),
                    bare: false,
                });
            }
        }
        Err(self.error("a `<` is not closed", "close it with `>`"))
    }

    /// Passes blanks, line ends and comments.
    fn pass_blanks(&mut self) -> Result<(), ReadError> {
        let bytes = self.text.as_bytes();
        loop {
            let rest = &bytes[self.position..];
            let line_start =
                self.position == 0 || matches!(bytes[self.position - 1], b'\n' | b'\r');
            let length = match rest {
                [b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, ..] => 1,
                [b'/', b'/', ..] => memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()),
                [b'#', ..] if line_start => {
                    memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
                }
                [b'/', b'*', inner @ ..] => match memchr::memmem::find(inner, b"*/") {
                    Some(end) => end + 4,
                    None => return Err(self.error("a comment is not closed", "close it with `*/`")),
                },
                _ => return Ok(()),
            };
            // A line end of two bytes is passed in two steps and counts once.
            let half = rest.starts_with(b"\r\n");
            if !half {
                self.line += count_line_ends(&rest[..length]);
            }
            self.position += length;
        }
    }
}
