//! The interpretation of a file, in one line.

use crate::format::report::ReadReport;
use crate::format::text::Delimiter;
use crate::remedy::Change;
use crate::shown;
use bnpool_graph::Graph;

/// The columns of an edge list. A column is called by its
/// name in the header, or by its number from 1 on if there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Columns {
    /// The separator of two columns.
    pub delimiter: Delimiter,
    /// Whether the first line holds the names.
    pub header: Header,
    /// The column of the sources.
    pub source: String,
    /// The column of the targets.
    pub target: String,
    /// The column of the weights.
    pub weight: Option<String>,
    /// A column of numbers that was not taken for weights because they look
    /// like times.
    pub times: Option<String>,
    /// A column that only counts the lines.
    pub index: Option<String>,
    /// All other columns.
    pub unused: Vec<String>,
    /// Whether blanks around names without quotes were cut.
    pub blanks_cut: bool,
}

/// The reason why the first line is a header, or is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Header {
    /// It looks like the other lines.
    None,
    /// It has words where all other lines have numbers, or names the columns in
    /// known words.
    Found,
    /// It looks like names of columns, but might be an edge.
    Guessed,
    /// It looks like the other lines, but its names occur on none of them.
    Doubted,
    /// It is one by the options.
    Asked,
    /// It is none by the options.
    Denied,
}

impl Header {
    /// Whether the first line is a header.
    #[must_use]
    pub fn is_there(self) -> bool {
        matches!(self, Self::Found | Self::Guessed | Self::Asked)
    }
}

/// A column in words.
fn column(name: &str) -> String {
    if name.bytes().all(|byte| byte.is_ascii_digit()) {
        format!("column {name}")
    } else {
        shown::quote(name.as_bytes())
    }
}

impl Columns {
    fn parts(&self, term: &dyn Fn(Change) -> Option<String>) -> Vec<String> {
        let advice = |when: &str, change| match term(change) {
            Some(words) => format!(" ({when}, {words})"),
            None => String::new(),
        };
        let mut parts = vec![format!("an edge list, separated by {}", self.delimiter)];
        match self.header {
            Header::None | Header::Denied => parts.push("no header".into()),
            Header::Found | Header::Asked => parts.push("the first line is a header".into()),
            Header::Doubted => parts.push(format!(
                "no header, although the names of the first line occur on no other{}",
                advice("if it is one", Change::Header(true))
            )),
            Header::Guessed => parts.push(format!(
                "the first line was taken for a header{}",
                advice("if it is an edge", Change::Header(false))
            )),
        }
        parts.push(format!(
            "edges from {} to {}",
            column(&self.source),
            column(&self.target)
        ));
        match (&self.weight, &self.times) {
            (Some(weight), _) => parts.push(format!("weights in {}", column(weight))),
            (None, Some(times)) => parts.push(format!(
                "no weights: {} looks like times{}",
                column(times),
                advice("if it holds weights", Change::Weight)
            )),
            (None, None) => parts.push("no weights".into()),
        }
        if let Some(index) = &self.index {
            parts.push(format!(
                "{} counts the lines and is not used{}",
                column(index),
                advice("if it holds nodes", Change::Source)
            ));
        }
        let unused: Vec<&String> = match &self.times {
            Some(times) => self.unused.iter().filter(|name| *name != times).collect(),
            None => self.unused.iter().collect(),
        };
        if !unused.is_empty() {
            parts.push(format!("columns not used: {}", shown::list(unused)));
        }
        if self.blanks_cut {
            parts.push("spaces around names are removed (quotes keep them)".into());
        }
        parts
    }
}

impl ReadReport {
    /// The interpretation in one line: the format, the columns, nodes, edges,
    /// weights and features. `term` puts a [`Change`] into the words of the
    /// caller, such as [`Change::field`].
    #[must_use]
    pub fn understood(&self, graph: &Graph, term: &dyn Fn(Change) -> Option<String>) -> String {
        let mut parts = match &self.columns {
            Some(columns) => columns.parts(term),
            None => {
                let mut parts: Vec<String> = self.format.iter().map(ToString::to_string).collect();
                parts.push(match graph.adjacency().weights() {
                    Some(_) => "edges have weights".into(),
                    None => "no weights".into(),
                });
                parts
            }
        };
        let width = graph.features().width();
        let features = match (width, &self.feature_names) {
            (0, _) => "no features".to_owned(),
            (1, None) => "1 feature".to_owned(),
            (1, Some(names)) => format!("1 feature: {}", shown::list(names)),
            (_, Some(names)) => format!("{width} features: {}", shown::list(names)),
            (_, None) => format!("{width} features"),
        };
        parts.push(format!(
            "{} nodes, {} directed edges, {features}",
            graph.nodes(),
            graph.edges(),
        ));
        parts.join("; ")
    }
}
