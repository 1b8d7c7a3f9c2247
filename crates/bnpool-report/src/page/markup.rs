//! Safe HTML.

use std::fmt;

use crate::escape;

/// HTML that is known to be well formed and safe.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markup(String);

impl Markup {
    /// Escapes any text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self(escape::markup(text))
    }

    /// Wraps HTML written by the program; untrusted text in it must already be
    /// escaped.
    #[must_use]
    pub fn trusted(html: impl Into<String>) -> Self {
        Self(html.into())
    }

    /// The HTML.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Appends markup.
    pub fn push(&mut self, more: &Self) {
        self.0.push_str(&more.0);
    }
}

impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
