//! The page around the charts: one file, no network, light and dark.
//!
//! A [`Page`] collects sections and hover data for the script. [`Markup`] is
//! either escaped text or written by the program itself.
//!
//! Names and numbers in the script pass through `textContent`, never through markup, and a
//! content security policy forbids loading anything. Heat maps are indexed PNGs of a bounded
//! number of cells, never of N².

mod figure;
mod key_figures;
mod table;

pub(crate) use figure::{LegendItem, figure, figure_with_legend, grid, legend};
pub(crate) use key_figures::{KeyFigure, capitalised, key_figures, notes, warnings};
pub(crate) use table::table;
pub use table::{Cell, Column};

use std::collections::BTreeMap;
use std::fmt;

use crate::Metric;
use crate::chart::{Hover, Paint, rules};
use crate::escape::{self, markup, script, sentence};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
const MEMBERS: &str = include_str!("members.js");

/// Forbids loading external resources, whatever the page contains.
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Builder of a page.
#[derive(Debug, Clone, Default)]
pub struct Page {
    title: String,
    header: Markup,
    sections: Vec<(String, String, Markup)>,
    footer: Markup,
    hovers: BTreeMap<String, Hover>,
    members: String,
}

impl Page {
    /// A page with content above all sections.
    #[must_use]
    pub fn new(title: &str, header: Markup) -> Self {
        Self {
            title: title.to_owned(),
            header,
            ..Self::default()
        }
    }

    /// Adds a section, unless it is empty. `id` is its name in the page, of letters, digits
    /// and hyphens.
    pub fn add_section(&mut self, id: &str, heading: &str, content: Markup) {
        if !content.is_empty() {
            self.sections
                .push((id.to_owned(), heading.to_owned(), content));
        }
    }

    /// Adds the metrics, the settings and the version, the end of every page.
    pub fn end(&mut self, metrics: &[Metric], config_toml: &str, version: &str) {
        if !metrics.is_empty() {
            self.add_section("metrics", "Metrics", table::metrics(metrics));
        }
        if !config_toml.is_empty() {
            let config = format!(
                "<details><summary>All settings</summary><pre>{}</pre></details>",
                Markup::text(config_toml)
            );
            self.add_section("configuration", "Settings", Markup::trusted(config));
        }
        self.footer = Markup::text(&format!("bnpool {version}"));
    }

    /// Adds the hover data of the chart with this name.
    pub fn add_hover(&mut self, id: &str, hover: Hover) {
        self.hovers.insert(id.to_owned(), hover);
    }

    /// Sets the members of communities as JSON, which the script parses on
    /// demand.
    pub(crate) fn set_members(&mut self, json: String) {
        self.members = json;
    }

    /// Renders the page as one file.
    #[must_use]
    pub fn render(&self) -> String {
        let title = markup(&sentence(&self.title));
        let mut links = String::new();
        let mut sections = String::new();
        for (id, heading, content) in &self.sections {
            let (id, heading) = (markup(id), markup(heading));
            links.push_str(&format!(r##"<a href="#{id}">{heading}</a>"##));
            sections.push_str(&format!(
                r#"<section id="{id}"><h2>{heading}</h2>{content}</section>"#
            ));
        }
        // Plain numbers and strings always become JSON.
        let data = serde_json::to_string(&self.hovers).unwrap_or_else(|_| "{}".to_owned());
        let data = script(&data);
        let members = if self.members.is_empty() {
            String::new()
        } else {
            format!(
                r#"<script type="application/json" id="member-data">{}</script>
"#,
                script(&self.members)
            )
        };
        // First, so that the page may enlarge them on small screens.
        let charts = rules(&Paint::PAGE);
        let Self { header, footer, .. } = self;
        format!(
            r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{charts}{STYLE}</style>
</head>
<body>
<header><button id="theme" type="button" aria-label="Switch between light and dark" title="Light or dark"><svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="2"/><path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor"/></svg></button>
<h1>{title}</h1>{header}<nav aria-label="Sections">{links}</nav></header>
<main>{sections}</main>
<footer>{footer}</footer>
<div id="tip" role="status" hidden></div>
<script type="application/json" id="data">{data}</script>
{members}<script>{SCRIPT}{MEMBERS}</script>
</body>
</html>
"#
        )
    }
}

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

    /// Returns whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_skeleton_loads_nothing_and_closes_its_scripts_itself() {
        let mut page = Page::new("</title><script>alert(1)</script>", Markup::default());
        page.add_section("a", "<b>", Markup::text("<u>"));
        page.add_hover(
            "a",
            Hover::Bars {
                plot: crate::chart::Plot {
                    x: 0.0,
                    y: 0.0,
                    w: 1.0,
                    h: 1.0,
                },
                texts: vec!["</script><img src=x>".to_owned()],
            },
        );
        let html = page.render();
        assert_eq!(html.matches("<script").count(), 2);
        assert_eq!(html.matches("</script>").count(), 2);
        assert!(!html.contains("<img") && !html.contains("<b>") && !html.contains("<u>"));
        for outside in [
            "http-equiv=\"refresh\"",
            "src=\"http",
            "href=\"http",
            "@import",
            "url(",
        ] {
            assert!(!html.contains(outside), "{outside}");
        }
    }

    #[test]
    fn the_script_never_makes_markup_of_text() {
        for risky in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "fetch(",
            "XMLHttpRequest",
        ] {
            assert!(!SCRIPT.contains(risky), "{risky}");
            assert!(!MEMBERS.contains(risky), "{risky}");
        }
    }
}
