//! The interpretation of a file, in one line.

use std::fmt;

use crate::format::edge_list::side;
use crate::format::report::ReadReport;
use crate::format::text::{Delimiter, NumberStyle};
use crate::remedy::Change;
use crate::shown;
use bnpool_graph::Graph;

/// The columns of an edge list or of a frame. A column is called by its
/// name in the header, or by its number from 1 on if there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Columns {
    /// The separator of two columns, if they are text.
    pub delimiter: Option<Delimiter>,
    /// Whether the first line holds the names.
    pub header: Header,
    /// The column of the sources.
    pub source: String,
    /// The column of the targets.
    pub target: String,
    /// The column of the weights.
    pub weight: Option<String>,
    /// The way in which the weights are written.
    pub style: NumberStyle,
    /// A column of numbers that was not taken for weights because they look
    /// like times.
    pub times: Option<String>,
    /// A column that only counts the lines.
    pub index: Option<String>,
    /// All other columns.
    pub unused: Vec<String>,
    /// The kinds of nodes, if the two columns hold two.
    pub sides: Option<Sides>,
    /// Whether blanks around names without quotes were cut.
    pub blanks_cut: bool,
}

/// Two kinds of nodes, a column each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sides {
    /// The word before the ids of the sources.
    pub source: String,
    /// The word before the ids of the targets.
    pub target: String,
    /// The reason to believe that there are two kinds.
    pub reason: Kinds,
    /// Whether an id occurs in both columns, so that the words are needed to keep the
    /// nodes apart.
    pub renamed: bool,
}

/// The reason to believe that there are two kinds of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kinds {
    /// The options say so.
    Asked,
    /// The names of the columns say so.
    Names,
    /// Both columns count from the same number on, but to different ends, and as many
    /// edges join equal numbers as chance makes equal.
    Ranges,
    /// No value is in both columns.
    Strangers,
}

/// An edge of a file as it was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The source.
    pub source: String,
    /// The target.
    pub target: String,
    /// The weight, if the file has weights.
    pub weight: Option<f32>,
}

impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quote = |name: &str| shown::quote(name.as_bytes());
        write!(f, "{} → {}", quote(&self.source), quote(&self.target))?;
        match self.weight {
            Some(weight) => write!(f, ", weight {weight}"),
            None => Ok(()),
        }
    }
}

/// Most examples of a file.
pub(crate) const EXAMPLES: usize = 3;

/// The first edges of different nodes of a graph.
pub(crate) fn examples(graph: &Graph) -> Vec<Example> {
    let name = |node: u32| match graph.node_ids() {
        Some(ids) => ids[node as usize].clone(),
        None => node.to_string(),
    };
    let weighted = graph.adjacency().weights().is_some();
    let undirected = graph.adjacency().is_symmetric();
    let mut last = None;
    let edges = graph.adjacency().iter();
    let new = edges.filter(|&(source, target, _)| {
        (!undirected || source <= target) && last.replace(source) != Some(source)
    });
    new.take(EXAMPLES)
        .map(|(source, target, weight)| Example {
            source: name(source),
            target: name(target),
            weight: weighted.then_some(weight),
        })
        .collect()
}

/// The number of edges as people count them: one that goes both ways is one.
fn count_edges(graph: &Graph) -> String {
    let adjacency = graph.adjacency();
    let (count, what) = if adjacency.is_symmetric() {
        let loops = adjacency.iter().filter(|(u, v, _)| u == v).count();
        (graph.edges().midpoint(loops), "edge")
    } else {
        (graph.edges(), "directed edge")
    };
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
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
    /// The columns in one line.
    #[must_use]
    pub fn in_words(&self, term: &dyn Fn(Change) -> Option<String>) -> String {
        self.parts(term, false).join("; ")
    }

    fn parts(&self, term: &dyn Fn(Change) -> Option<String>, counted: bool) -> Vec<String> {
        let advice = |when: &str, change| match term(change) {
            Some(words) => format!(" ({when}, {words})"),
            None => String::new(),
        };
        let mut parts = vec![match self.delimiter {
            Some(delimiter) => format!("an edge list, separated by {delimiter}"),
            None => "a table of edges".to_owned(),
        }];
        match self.header {
            _ if self.delimiter.is_none() => {}
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
            (Some(weight), _) if self.style != NumberStyle::Point => {
                parts.push(format!("weights in {} with {}", column(weight), self.style));
            }
            (Some(weight), _) => parts.push(format!("weights in {}", column(weight))),
            (None, _) if counted => parts.push("weights count the lines of an edge".into()),
            (None, Some(times)) => parts.push(format!(
                "no weights: {} looks like times{}",
                column(times),
                advice("if it holds weights", Change::Weight)
            )),
            (None, None) => parts.push("no weights".into()),
        }
        if let Some(sides) = &self.sides {
            parts.push(sides.in_words(&self.source, &self.target, &advice));
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

impl Sides {
    /// Two kinds of nodes, called by the names of their columns.
    pub(crate) fn new(columns: Option<[String; 2]>, reason: Kinds) -> Self {
        let names = columns.map(|columns| columns.map(|name| side(&name).to_owned()));
        let [source, target] = match names {
            Some([source, target])
                if !source.starts_with(&target) && !target.starts_with(&source) =>
            {
                [source, target]
            }
            _ => ["source", "target"].map(str::to_owned),
        };
        Self {
            source,
            target,
            reason,
            renamed: false,
        }
    }

    fn in_words(
        &self,
        source: &str,
        target: &str,
        advice: &dyn Fn(&str, Change) -> String,
    ) -> String {
        let apart = if self.renamed {
            let names = [&self.source, &self.target].map(|side| format!("{side} 7"));
            let [one, other] = names.map(|name| shown::quote(name.as_bytes()));
            format!(", and ids in both are kept apart, such as {one} and {other}")
        } else {
            String::new()
        };
        match self.reason {
            Kinds::Strangers => format!("two kinds of nodes? No value is in both columns{apart}"),
            Kinds::Asked => format!("two kinds of nodes{apart}"),
            Kinds::Names | Kinds::Ranges => format!(
                "two kinds of nodes by the {} of {} and {}{apart}{}",
                if self.reason == Kinds::Names {
                    "names"
                } else {
                    "ranges"
                },
                column(source),
                column(target),
                advice("if there is one kind", Change::Bipartite(false))
            ),
        }
    }
}

impl ReadReport {
    /// The interpretation in one line: the format, the columns, some edges, nodes,
    /// edges, weights and features. `term` puts a [`Change`] into the words of the
    /// caller, such as [`Change::field`].
    #[must_use]
    pub fn understood(&self, graph: &Graph, term: &dyn Fn(Change) -> Option<String>) -> String {
        let mut parts = match &self.columns {
            Some(columns) => {
                let weighted = graph.adjacency().weights().is_some();
                columns.parts(term, weighted && columns.weight.is_none())
            }
            None => {
                let mut parts: Vec<String> = self.format.iter().map(ToString::to_string).collect();
                parts.push(match graph.adjacency().weights() {
                    Some(_) => "edges have weights".into(),
                    None => "no weights".into(),
                });
                parts
            }
        };
        if !self.examples.is_empty() {
            let examples: Vec<_> = self.examples.iter().map(ToString::to_string).collect();
            parts.push(format!("such as {}", examples.join(" and ")));
        }
        let width = graph.features().width();
        let features = match (width, &self.feature_names) {
            (0, _) => "no features".to_owned(),
            (1, None) => "1 feature".to_owned(),
            (1, Some(names)) => format!("1 feature: {}", shown::list(names)),
            (_, Some(names)) => format!("{width} features: {}", shown::list(names)),
            (_, None) => format!("{width} features"),
        };
        parts.push(format!(
            "{} nodes, {}, {features}",
            graph.nodes(),
            count_edges(graph),
        ));
        parts.join("; ")
    }
}
