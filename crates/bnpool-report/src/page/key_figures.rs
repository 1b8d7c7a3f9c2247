//! Content above the sections of a page.

use super::Markup;
use crate::escape::sentence;

/// A large number: the name above it, the number, and the remark below.
pub(crate) type KeyFigure = (&'static str, String, String);

/// Renders the key figures in one row.
pub(crate) fn key_figures(figures: &[KeyFigure]) -> Markup {
    let mut out = String::from(r#"<dl class="figures">"#);
    for (name, value, remark) in figures {
        out.push_str(&format!(
            "<div><dt>{name}</dt><dd>{}<small>{}</small></dd></div>",
            Markup::text(value),
            Markup::text(remark)
        ));
    }
    Markup::trusted(out + "</dl>")
}

/// A list of remarks under a heading; empty if there are none.
fn remarks(class: &str, heading: &str, texts: &[String]) -> Markup {
    if texts.is_empty() {
        return Markup::default();
    }
    let items: String = texts
        .iter()
        .map(|text| format!("<li>{}</li>", Markup::text(&sentence(&capitalised(text)))))
        .collect();
    Markup::trusted(format!(
        r#"<aside class="{class}"><h2>{}</h2><ul>{items}</ul></aside>"#,
        Markup::text(&sentence(heading))
    ))
}

/// Capitalises a message: messages of the command begin with a lower-case letter,
/// sentences of a page do not.
pub(crate) fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    match rest.next() {
        // A name or an identifier keeps its spelling.
        Some(first) if text.split(' ').next().is_some_and(is_word) => {
            first.to_uppercase().chain(rest).collect()
        }
        _ => text.to_owned(),
    }
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_lowercase())
}

/// Reasons to doubt the result.
pub(crate) fn warnings(texts: &[String]) -> Markup {
    remarks("notes warnings", "Warnings", texts)
}

/// Notes on how the input was read and changed.
pub(crate) fn notes(source: &str, texts: &[String]) -> Markup {
    let heading = if source.is_empty() {
        "Notes".to_owned()
    } else {
        format!("Notes on {source}")
    };
    remarks("notes", &heading, texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_name_their_source() {
        let texts = ["dropped 3 self-loops".to_owned(), "a.csv <b>".to_owned()];
        let html = notes("<edges>.csv", &texts).to_string();
        assert!(html.contains("<h2>Notes on &lt;edges&gt;.csv</h2>"));
        assert!(html.contains("<li>Dropped 3 self-loops</li>"));
        assert!(html.contains("<li>a.csv &lt;b&gt;</li>"));
        assert_eq!(notes("x", &[]), Markup::default());
    }
}
