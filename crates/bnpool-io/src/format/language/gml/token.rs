//! The words of a GML file.

use std::borrow::Cow;
use std::path::Path;

use crate::bytes::error::{ReadError, quote};
use crate::format::text::{count_line_ends, split_line};

/// Deepest lists that are read, to keep a hostile file from exhausting the stack.
const DEEPEST: usize = 32;

/// A word of the file.
#[derive(Debug, PartialEq)]
pub(super) enum Token<'a> {
    Key(&'a str),
    Number(&'a str),
    Text(Cow<'a, str>),
    Open,
    Close,
    End,
}

/// The value of a key.
#[derive(Debug)]
pub(super) enum Value<'a> {
    Atom(Cow<'a, str>),
    List(Vec<(&'a str, Value<'a>)>),
}

/// A place in a GML file.
pub(super) struct Lexer<'a> {
    path: &'a Path,
    text: &'a str,
    position: usize,
    /// The line of the last word.
    line: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(path: &'a Path, text: &'a str) -> Self {
        Self {
            path,
            text,
            position: 0,
            line: 1,
        }
    }

    pub(super) fn path(&self) -> &'a Path {
        self.path
    }

    pub(super) fn line(&self) -> usize {
        self.line
    }

    pub(super) fn error(&self, problem: impl Into<String>, remedy: &'static str) -> ReadError {
        ReadError::at_line(self.path, self.line, problem, remedy)
    }

    /// The next word.
    pub(super) fn next(&mut self) -> Result<Token<'a>, ReadError> {
        self.pass_blanks();
        let rest = &self.text[self.position..];
        let Some(first) = rest.bytes().next() else {
            return Ok(Token::End);
        };
        match first {
            b'[' | b']' => {
                self.position += 1;
                let open = first == b'[';
                return Ok(if open { Token::Open } else { Token::Close });
            }
            b'"' => return self.quoted(&rest[1..]),
            _ => {}
        }
        let stops = |c: char| c.is_ascii_whitespace() || matches!(c, '[' | ']' | '"');
        let end = rest.find(stops).unwrap_or(rest.len());
        let word = &rest[..end];
        self.position += end;
        if first.is_ascii_digit() || matches!(first, b'-' | b'+' | b'.') {
            Ok(Token::Number(word))
        } else {
            Ok(Token::Key(word))
        }
    }

    fn quoted(&mut self, inner: &'a str) -> Result<Token<'a>, ReadError> {
        let Some(end) = inner.find('"') else {
            return Err(self.error("a quote is not closed", "close it"));
        };
        let text = &inner[..end];
        self.position += end + 2;
        self.line += count_line_ends(text.as_bytes());
        // Texts with a bare `&` are common: they mean themselves.
        let text = quick_xml::escape::unescape(text).unwrap_or(Cow::Borrowed(text));
        Ok(Token::Text(text))
    }

    /// Passes blanks, line ends and comments.
    fn pass_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        let mut line_start = self.position == 0;
        while let Some(&byte) = bytes.get(self.position) {
            match byte {
                b'\n' | b'\r' => {
                    // A line feed behind it counts for both.
                    let half = byte == b'\r' && bytes.get(self.position + 1) == Some(&b'\n');
                    self.line += usize::from(!half);
                    line_start = true;
                }
                b'#' if line_start => {
                    let rest = &bytes[self.position..];
                    self.position += split_line(rest).0.len();
                    continue;
                }
                byte if byte.is_ascii_whitespace() => {}
                _ => return,
            }
            self.position += 1;
        }
    }

    /// The value of a key.
    pub(super) fn value(&mut self) -> Result<Value<'a>, ReadError> {
        self.nested_value(0)
    }

    /// The value of a key that needs a list.
    pub(super) fn list_value(&mut self) -> Result<Vec<(&'a str, Value<'a>)>, ReadError> {
        match self.value()? {
            Value::List(list) => Ok(list),
            Value::Atom(_) => Err(self.error("a list should stand here", "write `[ … ]`")),
        }
    }

    fn nested_value(&mut self, depth: usize) -> Result<Value<'a>, ReadError> {
        let key_end = self.position;
        match self.next()? {
            Token::Number(number) => Ok(Value::Atom(number.into())),
            Token::Text(text) => Ok(Value::Atom(text)),
            Token::Open if depth == DEEPEST => {
                Err(self.error("lists are nested too deeply", "flatten the file"))
            }
            Token::Open => {
                let mut list = Vec::new();
                loop {
                    match self.next()? {
                        Token::Close => return Ok(Value::List(list)),
                        Token::Key(key) => list.push((key, self.nested_value(depth + 1)?)),
                        _ => {
                            return Err(
                                self.error("a key or `]` should stand here", "fix the file")
                            );
                        }
                    }
                }
            }
            Token::Key(_) | Token::Close | Token::End => {
                let before = &self.text[..key_end];
                let key = before.split_ascii_whitespace().next_back().unwrap_or("");
                Err(self.error(
                    format!("a value is missing after {}", quote(key.as_bytes())),
                    "give every key a number, a quoted text or a list",
                ))
            }
        }
    }
}
