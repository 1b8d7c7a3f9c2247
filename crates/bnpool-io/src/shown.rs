//! Foreign text made fit to be shown.
//!
//! Names and file contents may hold characters that move the cursor, change
//! colours or turn the direction of the text around. In messages they stand as
//! escapes of the form `\u001b`, which JSON reads as well.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// Most characters of a path in a message: names inside of archives have no
/// bound of their own.
const LONGEST_PATH: usize = 300;

/// Most characters of a piece of a file in a message.
const LONGEST_PIECE: usize = 40;

/// Most names in a list in a message.
const MOST_NAMES: usize = 12;

/// Whether a character changes more than the place where it stands: controls
/// (C0, C1, DEL), line and paragraph separators, marks that turn the direction
/// of text around, and characters without width that make two names look alike.
#[must_use]
pub fn is_deceptive(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}'
                | '\u{ad}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// The text with every character escaped that [`is_deceptive`], line ends and
/// tabs included.
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_if(text, is_deceptive)
}

/// As [`escape`], but line ends and tabs stay: for text that has been put
/// together already.
#[must_use]
pub fn escape_lines(text: &str) -> Cow<'_, str> {
    escape_if(text, |character| {
        !matches!(character, '\n' | '\t') && is_deceptive(character)
    })
}

fn escape_if(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_bad) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_bad(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped.into()
}

/// The text with its middle left out if it has more than `most` characters: the
/// start says what it is about, and the end what to do.
#[must_use]
pub fn shorten(text: &str, most: usize) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= most {
        return text.into();
    }
    let place = |nth: usize| {
        text.char_indices()
            .nth(nth)
            .map_or(text.len(), |(place, _)| place)
    };
    let half = most.saturating_sub(1) / 2;
    let (start, end) = (place(most.saturating_sub(1) - half), place(count - half));
    format!("{}…{}", &text[..start], &text[end..]).into()
}

/// A path in a message.
#[must_use]
pub fn path(path: &Path) -> String {
    let text = path.to_string_lossy();
    escape(&shorten(&text, LONGEST_PATH)).into_owned()
}

/// A piece of a file in a message: in quotes, and short.
pub(crate) fn quote(piece: &[u8]) -> String {
    let text = String::from_utf8_lossy(&piece[..piece.len().min(4 * LONGEST_PIECE)]);
    let start: String = text.chars().take(LONGEST_PIECE).collect();
    let longer = text.chars().nth(LONGEST_PIECE).is_some();
    format!("`{}{}`", escape(&start), if longer { "…" } else { "" })
}

/// Names in a message, as many as one can read.
pub(crate) fn list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let mut list = String::new();
    let mut more = 0_usize;
    for (place, name) in names.into_iter().enumerate() {
        if place >= MOST_NAMES {
            more += 1;
            continue;
        }
        if place > 0 {
            list.push_str(", ");
        }
        let name: String = name.as_ref().chars().take(LONGEST_PIECE + 1).collect();
        list.push_str(&escape(&shorten(&name, LONGEST_PIECE)));
    }
    match (more, list.is_empty()) {
        (0, true) => "none".into(),
        (0, false) => list,
        (more, _) => format!("{list} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deceptive_characters_are_escaped() {
        for (text, shown) in [
            ("plain é 漢 🙂", "plain é 漢 🙂"),
            ("\x1b[31mred", "\\u001b[31mred"),
            ("a\u{9b}2Jb", "a\\u009b2Jb"),
            ("a\u{202e}cba\u{202c}", "a\\u202ecba\\u202c"),
            (
                "\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}",
                "\\u2066\\u2069\\u200e\\u200f\\u061c",
            ),
            ("a\u{200b}b\u{feff}", "a\\u200bb\\ufeff"),
            ("a\u{2028}b\u{2029}", "a\\u2028b\\u2029"),
            ("\u{7f}\0\r", "\\u007f\\u0000\\u000d"),
            ("\u{e0041}", "\\udb40\\udc41"),
        ] {
            assert_eq!(escape(text), shown);
            assert_eq!(escape_lines(text), shown);
        }
        assert_eq!(escape("a\n\tb"), "a\\u000a\\u0009b");
        assert_eq!(escape_lines("a\n\tb"), "a\n\tb");
    }

    #[test]
    fn long_text_keeps_its_start_and_its_end() {
        assert_eq!(shorten("abc", 3), "abc");
        assert_eq!(shorten("abcdefgh", 5), "ab…gh");
        assert_eq!(shorten("éééééééé", 4), "éé…é");
        let name = "x".repeat(70_000);
        assert_eq!(path(Path::new(&name)).chars().count(), LONGEST_PATH);
    }

    #[test]
    fn quotes_are_short_and_harmless() {
        assert_eq!(quote(b"abc"), "`abc`");
        assert_eq!(quote(b"a\x1b[0m"), "`a\\u001b[0m`");
        assert_eq!(quote(&[b'x'; 100]), format!("`{}…`", "x".repeat(40)));
        assert_eq!(quote(&[0xff]), "`\u{fffd}`");
    }

    #[test]
    fn lists_are_bounded() {
        assert_eq!(list(["a", "b\n"]), "a, b\\u000a");
        assert_eq!(list::<&str>([]), "none");
        let many = list((0..1000).map(|_| "y".repeat(1000)));
        assert!(
            many.ends_with(" and 988 more") && many.len() < 700,
            "{many}"
        );
    }
}
