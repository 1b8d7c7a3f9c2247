//! The decisions and repairs of a reader, in words for the user.

pub(crate) mod understood;

use std::fmt;

use super::Format;
use super::nodes::TextCells;
use super::tu::TuCoding;
use crate::bytes::hash::sha256_of_list;
use crate::bytes::ledger::FileRead;
use crate::format::report::understood::{Columns, Example};
use crate::format::text::Encoding;
use crate::remedy::{Change, Remedied, Remedy};
use crate::shown;

/// The format of a file, and all decisions and repairs of its reader.
///
/// A command prints the line [`understood`](Self::understood), and then the
/// notes, a line each.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadReport {
    /// The format the file was read as.
    pub format: Option<Format>,
    /// The columns of an edge list.
    pub columns: Option<Columns>,
    /// Up to three edges as they were understood.
    pub examples: Vec<Example>,
    /// Names of the classes behind the class numbers: of the nodes of one
    /// graph, or of the graphs of a set.
    pub classes: Option<Vec<String>>,
    /// Names of the graphs of a set, if it names them.
    pub graph_names: Option<Vec<String>>,
    /// Names of the node features, if the file names them.
    pub feature_names: Option<Vec<String>>,
    /// The coding of labels, attributes and texts as features.
    pub coding: Option<TuCoding>,
    /// Features that are text, until [`code`](super::nodes::code) makes columns
    /// of them.
    pub(crate) text: Vec<TextCells>,
    /// Decisions and repairs, in order.
    pub notes: Vec<Note>,
    /// The files that were read, sorted by name; none if the content was in
    /// memory already.
    pub files: Vec<FileRead>,
}

impl ReadReport {
    /// An empty report on a file of this format.
    pub(crate) fn new(format: Format) -> Self {
        Self {
            format: Some(format),
            ..Self::default()
        }
    }

    /// One checksum for all files that were read: that of the only one, or that
    /// of the list of their checksums and names. It does not depend on where the
    /// files are. `None` if nothing was read from a file.
    #[must_use]
    pub fn sha256(&self) -> Option<String> {
        let files = self.files.iter();
        let list: Vec<_> = files.map(|file| (&*file.sha256, &*file.name)).collect();
        (!list.is_empty()).then(|| sha256_of_list(&list))
    }
}

/// One thing that a reader decided or repaired.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The first line of a file of features or labels was taken for column
    /// names.
    Header {
        /// Of what, such as `features`.
        of: &'static str,
    },
    /// The text is in an encoding other than UTF-8.
    Encoding(Encoding),
    /// Lines that could not be read were left out.
    LinesSkipped {
        /// Their number.
        count: usize,
        /// The problem of the first of them.
        first: String,
    },
    /// The first line of an edge list looks like names of columns, but holds
    /// the name of a node.
    NoHeader {
        /// The node.
        node: String,
    },
    /// A file that is named like an edge list was read as a dense matrix.
    TakenForMatrix,
    /// Node names that are not the numbers from 0 on were numbered.
    NumberedNodes {
        /// Whether the names are whole numbers, taken in rising order, and not
        /// text, taken in the order of its bytes.
        rising: bool,
    },
    /// Lines that repeat an edge were counted: the weight of an edge is the number
    /// of its lines.
    RepeatsCounted {
        /// Lines beyond the first of each edge.
        repeats: usize,
        /// Whether the options asked for it.
        asked: bool,
    },
    /// An edge was listed several times.
    DuplicatesMerged {
        /// The number of edges that were dropped.
        dropped: usize,
        /// Whether their weights were added up.
        summed: bool,
    },
    /// Edges from a node to itself.
    SelfLoops {
        /// Their number.
        count: usize,
        /// Whether they were dropped.
        dropped: bool,
    },
    /// Edges back were added.
    Symmetrised {
        /// Their number.
        added: usize,
    },
    /// The edges went both ways already.
    AlreadySymmetric,
    /// The edges go one way and were left so.
    DirectionsKept,
    /// Nodes that only features or labels name.
    IsolatedNodes {
        /// The number of nodes or edges that were added.
        added: usize,
    },
    /// Rows were matched to nodes by their order, because they have no names.
    RowsInOrder {
        /// Of what, such as `features`.
        of: &'static str,
    },
    /// Only some nodes have a class.
    PartialLabels {
        /// Their number.
        labelled: usize,
        /// Of how many.
        nodes: usize,
    },
    /// Attributes of nodes that were not asked for.
    AttributesLeftOut(Vec<String>),
    /// A column that did not become a feature.
    FeatureLeftOut {
        /// Its name.
        name: String,
        /// Why.
        why: &'static str,
    },
    /// Something worth saying that needs no handling.
    Remark(String),
}

const NO_WEIGHTS: Remedy = Remedy::new("", &[Change::NoWeights]);
const ENCODING: Remedy = Remedy::new("", &[Change::Encoding]);
const HEADER: Remedy = Remedy::new("", &[Change::Header(true)]);
const EDGE_LIST: Remedy = Remedy::new("", &[Change::ReadAs(Format::EdgeList)]);
const SELF_LOOPS: Remedy = Remedy::new("", &[Change::DropSelfLoops]);
const DIRECTED: Remedy = Remedy::new("", &[Change::Directed]);
const ATTRIBUTES: Remedy = Remedy::new("", &[Change::NodeAttributes]);

impl Remedied for Note {
    fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Encoding(_) => Some(ENCODING),
            Self::RepeatsCounted { asked: false, .. } => Some(NO_WEIGHTS),
            Self::NoHeader { .. } => Some(HEADER),
            Self::TakenForMatrix => Some(EDGE_LIST),
            Self::SelfLoops { dropped: false, .. } => Some(SELF_LOOPS),
            Self::Symmetrised { .. } => Some(DIRECTED),
            Self::AttributesLeftOut(_) => Some(ATTRIBUTES),
            _ => None,
        }
    }
}

/// `1 edge was`, `2 edges were`.
fn were(count: usize, one: &str, more: &str) -> String {
    match count {
        1 => format!("1 {one} was"),
        _ => format!("{count} {more} were"),
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { of } => write!(f, "{of}: the first line is a header"),
            Self::Encoding(encoding) => {
                write!(
                    f,
                    "the text was read as {encoding}; if it is not, {ENCODING}"
                )
            }
            Self::LinesSkipped { count, first } => {
                write!(
                    f,
                    "{} left out; the first: {first}",
                    were(*count, "line", "lines")
                )
            }
            Self::RepeatsCounted { repeats, asked } => {
                write!(
                    f,
                    "{} an edge: the weight of an edge is the number of its lines",
                    match repeats {
                        1 => "1 line repeats".to_owned(),
                        _ => format!("{repeats} lines repeat"),
                    }
                )?;
                if *asked {
                    Ok(())
                } else {
                    write!(f, "; if the number means nothing, {NO_WEIGHTS}")
                }
            }
            Self::NoHeader { node } => write!(
                f,
                "the first line is an edge and no header, because {} is a node of other edges too; \
                 if it is a header, {HEADER}",
                shown::quote(node.as_bytes())
            ),
            Self::TakenForMatrix => write!(
                f,
                "the file has as many lines as columns of numbers and was read as an adjacency \
                 matrix; if its lines are edges, {EDGE_LIST}"
            ),
            Self::NumberedNodes { rising: true } => {
                f.write_str("nodes are numbered in the rising order of their ids")
            }
            Self::NumberedNodes { rising: false } => {
                f.write_str("nodes are numbered in the sorted order of their names")
            }
            Self::DuplicatesMerged { dropped, summed } => {
                let how = if *summed {
                    ", their weights added up"
                } else {
                    ""
                };
                let edges = were(*dropped, "repeated edge", "repeated edges");
                write!(f, "{edges} merged{how}")
            }
            Self::SelfLoops { count, dropped } => {
                f.write_str(&were(*count, "self-loop", "self-loops"))?;
                if *dropped {
                    f.write_str(" dropped")
                } else {
                    write!(f, " kept; to drop them, {SELF_LOOPS}")
                }
            }
            Self::Symmetrised { added } => write!(
                f,
                "the edges went one way: {} added; to keep the directions, {DIRECTED}",
                were(*added, "edge back", "edges back")
            ),
            Self::AlreadySymmetric => f.write_str("every edge goes both ways"),
            Self::DirectionsKept => f.write_str("the edges go one way and were left so"),
            Self::IsolatedNodes { added } => {
                let nodes = were(*added, "node without any edge", "nodes without any edge");
                write!(f, "{nodes} added")
            }
            Self::RowsInOrder { of } => {
                write!(
                    f,
                    "{of} have no node ids: rows were taken in the order of the nodes"
                )
            }
            Self::PartialLabels { labelled, nodes } => write!(
                f,
                "{labelled} of {nodes} nodes have a label; communities are compared on these only"
            ),
            Self::AttributesLeftOut(names) => write!(
                f,
                "node attributes not used: {}; to use some as features, {ATTRIBUTES}",
                shown::list(names)
            ),
            Self::FeatureLeftOut { name, why } => {
                let name = shown::quote(name.as_bytes());
                write!(f, "{name} is not used as a feature: {why}")
            }
            Self::Remark(remark) => f.write_str(remark),
        }
    }
}
