//! Foreign text inside markup and scripts.
//!
//! File names, node ids and class names come from files nobody vouches for.
//! Every one of them passes through here on its way into a page or picture.

/// Text for HTML and SVG, between tags and in quoted attributes.
///
/// Characters that XML 1.0 forbids even as references become U+FFFD, so that
/// any text gives a well-formed picture.
pub(crate) fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(c),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                out.push('\u{fffd}');
            }
            // Marks that turn the direction of writing could disguise a name.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

/// JSON that may stand inside a `<script>` element: no tag can begin in it, and
/// it is still the same JSON.
pub(crate) fn script(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            // In JSON these can only occur inside strings.
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            _ => out.push(c),
        }
    }
    out
}

/// At most `limit` characters; what is cut off leaves an ellipsis.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let mut out: String = text.chars().take(limit.saturating_sub(1)).collect();
    out.push('…');
    out
}

/// At most `limit` characters, cut in the middle: names that begin alike often
/// differ at the end.
pub(crate) fn squeeze(text: &str, limit: usize) -> String {
    let length = text.chars().count();
    if length <= limit {
        return text.to_owned();
    }
    let kept = limit.saturating_sub(1);
    let tail = kept / 2;
    let head = text.chars().take(kept - tail);
    let tail = text.chars().skip(length - tail);
    head.chain(['…']).chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tag_or_attribute_can_be_left() {
        let text = markup("</script><img src=x onerror='a(\"b\")'>&\0\u{202e}");
        assert_eq!(
            text,
            "&lt;/script&gt;&lt;img src=x onerror=&#39;a(&quot;b&quot;)&#39;&gt;&amp;\u{fffd}\u{fffd}"
        );
    }

    #[test]
    fn script_keeps_the_value() {
        let value = "</script><!--\u{2028}&";
        let json = serde_json::to_string(value).unwrap();
        let safe = script(&json);
        assert!(!safe.contains('<') && !safe.contains('\u{2028}'));
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), value);
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
