//! What stands above the sections of a page.

use super::Markup;
use crate::escape::sentence;

/// A large number with its name above and a remark below.
#[derive(Debug, Clone)]
pub(crate) struct KeyFigure {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    pub(crate) remark: String,
}

impl KeyFigure {
    pub(crate) fn new(
        name: &'static str,
        value: impl Into<String>,
        remark: impl Into<String>,
    ) -> Self {
        Self {
            name,
            value: value.into(),
            remark: remark.into(),
        }
    }
}

/// The key figures, side by side.
pub(crate) fn key_figures(figures: &[KeyFigure]) -> Markup {
    let mut out = String::from(r#"<dl class="figures">"#);
    for figure in figures {
        out.push_str(&format!(
            "<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>",
            figure.name,
            Markup::text(&figure.value),
            Markup::text(&figure.remark)
        ));
    }
    Markup::trusted(out + "</dl>")
}

/// What the reader should know; nothing where there is nothing.
pub(crate) fn notes(notes: &[String]) -> Markup {
    if notes.is_empty() {
        return Markup::default();
    }
    let items: String = notes
        .iter()
        .map(|note| format!("<li>{}</li>", Markup::text(&sentence(note))))
        .collect();
    Markup::trusted(format!(
        r#"<ul class="notes" aria-label="Notes">{items}</ul>"#
    ))
}
