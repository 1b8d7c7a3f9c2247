//! Untrusted text inside markup and scripts.
//!
//! File names, node ids and class names come from untrusted files. All of them
//! are escaped here before they enter a page or picture.

use bnpool_io::shown::{self, is_deceptive};

/// Largest number of characters of a name.
const NAME: usize = 60;
/// Largest number of characters of other texts, such as titles and notes.
const TEXT: usize = 600;

/// Returns whether a character is invisible or changes the display of others, as
/// defined for messages, or is forbidden by XML 1.0. Joiners are allowed: a browser
/// has fonts for names that are spelled with them.
fn is_hidden(c: char) -> bool {
    match c {
        '\u{200c}' | '\u{200d}' => false,
        '\u{fffe}' | '\u{ffff}' => true,
        other => is_deceptive(other),
    }
}

/// A hidden character as an escape, such as `\n` or `\u{202e}`.
fn spelled(c: char) -> impl Iterator<Item = char> {
    c.escape_default()
}

/// Escapes the hidden characters of a text.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            out.extend(spelled(c))
        } else {
            out.push(c)
        }
    }
    out
}

/// Escapes text for HTML and SVG, between tags and in quoted attributes. Hidden
/// characters are escaped, except for line ends, which settings contain.
pub(crate) fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(c),
            c if is_hidden(c) => out.extend(spelled(c)),
            _ => out.push(c),
        }
    }
    out
}

/// Makes JSON safe inside a `<script>` element: no tag can begin in it. The JSON
/// is equivalent, except for hidden characters in its strings, which are
/// escaped.
pub(crate) fn script(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let spell = |out: &mut String, c: char| {
        // The backslash of an escape is itself escaped in JSON.
        out.push('\\');
        out.extend(spelled(c));
    };
    let mut chars = json.chars();
    while let Some(c) = chars.next() {
        // In JSON, all of these can only occur inside strings.
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\\' => match chars.next() {
                Some('n') => spell(&mut out, '\n'),
                Some('r') => spell(&mut out, '\r'),
                Some('t') => spell(&mut out, '\t'),
                Some('b') => spell(&mut out, '\u{8}'),
                Some('f') => spell(&mut out, '\u{c}'),
                Some('u') => {
                    let code: String = chars.by_ref().take(4).collect();
                    let named = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
                    match named.filter(|&c| is_hidden(c)) {
                        Some(c) => spell(&mut out, c),
                        None => out.extend(["\\u", &code]),
                    }
                }
                other => out.extend(['\\'].into_iter().chain(other)),
            },
            c if is_hidden(c) => spell(&mut out, c),
            _ => out.push(c),
        }
    }
    out
}

/// Displayable form of a name from a file: hidden characters are escaped, and
/// the length is bounded.
pub(crate) fn name(text: &str) -> String {
    shorten(text, NAME)
}

/// Displayable form of a title or note that may contain names from files: like
/// [`name`], but longer.
pub(crate) fn sentence(text: &str) -> String {
    shorten(text, TEXT)
}

/// Truncates a text to at most `limit` characters, with an ellipsis and with
/// hidden characters escaped.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    let text = visible(text);
    if text.chars().count() <= limit {
        return text;
    }
    let mut out: String = text.chars().take(limit.saturating_sub(1)).collect();
    out.push('…');
    out
}

/// Like [`shorten`], but cuts in the middle, because names with a common
/// beginning often differ at the end.
pub(crate) fn squeeze(text: &str, limit: usize) -> String {
    shown::shorten(&visible(text), limit).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tag_or_attribute_can_be_left() {
        let text = markup("</script><img src=x onerror='a(\"b\")'>&\0\u{202e}");
        assert_eq!(
            text,
            r"&lt;/script&gt;&lt;img src=x onerror=&#39;a(&quot;b&quot;)&#39;&gt;&amp;\u{0}\u{202e}"
        );
    }

    #[test]
    fn script_keeps_the_value() {
        let value = "</script><!-- \"a\\n\" é&";
        let json = serde_json::to_string(value).unwrap();
        let safe = script(&json);
        assert!(!safe.contains('<'));
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), value);
    }

    #[test]
    fn hidden_characters_are_spelled_out() {
        let value = "\u{1b}[31mred\r\n\u{202e}gpj.exe\u{200f}\u{2028}\u{9b}\u{feff}\u{7f}\u{8}";
        let seen = r"\u{1b}[31mred\r\n\u{202e}gpj.exe\u{200f}\u{2028}\u{9b}\u{feff}\u{7f}\u{8}";
        assert_eq!(name(value), shorten(seen, NAME));
        assert_eq!(sentence(value), seen);
        let json = serde_json::to_string(value).unwrap();
        let read: String = serde_json::from_str(&script(&json)).unwrap();
        assert_eq!(read, seen);
        let shown = markup(value);
        assert!(!shown.chars().any(|c| c != '\n' && is_hidden(c)), "{shown}");
        assert!(shown.contains(r"\u{1b}[31m") && shown.contains(r"\u{202e}gpj"));
        // Joiners belong to the spelling of names.
        assert_eq!(
            name("👩\u{200d}🚀 می\u{200c}خواهم"),
            "👩\u{200d}🚀 می\u{200c}خواهم"
        );
    }

    /// A page escapes all characters that a message escapes, except for
    /// joiners.
    #[test]
    fn pages_hide_no_less_than_messages() {
        for c in ('\0'..=char::MAX).filter(|&c| is_deceptive(c)) {
            let joiner = matches!(c, '\u{200c}' | '\u{200d}');
            let shown = [name(&c.to_string()), sentence(&c.to_string())];
            assert_eq!(shown.iter().all(|text| text.contains(c)), joiner, "{c:?}");
            assert_eq!(shown.iter().any(|text| text.contains(c)), joiner, "{c:?}");
        }
    }

    #[test]
    fn names_and_texts_are_bounded() {
        let long = "x\u{1}".repeat(100_000);
        assert_eq!(name(&long).chars().count(), NAME);
        assert_eq!(sentence(&long).chars().count(), TEXT);
    }

    #[test]
    fn shortens_by_characters() {
        assert_eq!(shorten("αβγ", 3), "αβγ");
        assert_eq!(shorten("αβγδ", 3), "αβ…");
        assert_eq!(squeeze("αβγ", 3), "αβγ");
        assert_eq!(squeeze("enzyme class 12", 7), "enz… 12");
        assert_eq!(squeeze("αβγδ", 0), "…");
    }
}
