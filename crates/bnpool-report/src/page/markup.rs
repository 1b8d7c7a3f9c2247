//! HTML that may be put into a page.

use std::fmt;

use crate::escape;

/// HTML that is known to be well formed and harmless.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markup(String);

impl Markup {
    /// Any text, escaped.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self(escape::markup(text))
    }

    /// HTML written by the program; foreign text in it must be escaped already.
    #[must_use]
    pub fn trusted(html: impl Into<String>) -> Self {
        Self(html.into())
    }

    /// The HTML.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Appends more.
    pub fn push(&mut self, more: &Self) {
        self.0.push_str(&more.0);
    }
}

impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
