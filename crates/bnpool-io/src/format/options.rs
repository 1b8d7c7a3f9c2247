//! Options of the readers.

use std::path::PathBuf;

use super::table::{Format, Part};
use super::text::Encoding;
use super::tu::TuCoding;
use crate::bytes::limits::Limits;
use crate::remedy::Change;

/// Which edge weights to read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Weights {
    /// Those that are recognised: a column of numbers behind the two nodes, or
    /// one that is called `weight` or the like; without one, the number of times
    /// that an edge is listed, if some are listed more often than others.
    #[default]
    Auto,
    /// The number of times that an edge is listed.
    Count,
    /// None, even if there are some.
    Ignore,
    /// This column of an edge list (a name of the header, or a number from 1
    /// on), or this attribute of the edges (GML, GraphML, GEXF, JSON, DOT).
    Column(String),
}

/// Options for reading a graph.
///
/// ```
/// use bnpool_io::format::ReadOptions;
///
/// let options = ReadOptions { directed: true, ..ReadOptions::default() };
/// assert!(options.format.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadOptions {
    /// The format; found from the name of the file unless set.
    pub format: Option<Format>,
    /// Keep the directions of the edges. Otherwise every edge gets its edge
    /// back, with the larger weight where both are there.
    pub directed: bool,
    /// Drop edges from a node to itself. Otherwise they are kept.
    pub drop_self_loops: bool,
    /// Which edge weights to read.
    pub weights: Weights,
    /// The column of an edge list that holds the sources: a name of the header,
    /// or a number from 1 on. Found out if it is left open.
    pub source: Option<String>,
    /// The column of an edge list that holds the targets, as
    /// [`source`](Self::source).
    pub target: Option<String>,
    /// Whether the first line of an edge list or matrix holds names; found out
    /// if it is left open.
    pub header: Option<bool>,
    /// Whether the two columns of an edge list hold two kinds of nodes, so that one
    /// id in both of them is two nodes; found out if it is left open.
    pub bipartite: Option<bool>,
    /// The encoding of text; found out if it is left open.
    pub encoding: Option<Encoding>,
    /// Leave out lines of an edge list that cannot be read. Otherwise they are errors.
    pub skip_bad: bool,
    /// Node attributes (GML, GraphML, GEXF, JSON, Pajek, DOT, METIS) that become
    /// features, in this order. No other attribute does.
    pub node_attributes: Vec<String>,
    /// A file of node features: csv, `.npy`, or `.npz` with one array or a
    /// sparse matrix as scipy saves it.
    ///
    /// In a csv file a first column of text, or one that the header calls `id`,
    /// `node`, `name` or the like, holds node ids; otherwise the rows are in the
    /// order of the nodes. A column called `label`, `class` or the like is the
    /// label and no feature. A column of text becomes a column of zeros and ones
    /// for every value.
    pub features: Option<PathBuf>,
    /// A file of node labels, whole numbers or text: csv, `.npy`, or the array
    /// `labels` of an `.npz`.
    ///
    /// A csv file has one label a line in the order of the nodes, or `id,label`,
    /// or a header that names a column `label`, `class` or the like.
    pub labels: Option<PathBuf>,
    /// The node attribute (of formats that have them) or column (csv) that holds
    /// the label.
    pub label_attribute: Option<String>,
    /// Add nodes that only the features or labels name, without edges.
    /// Otherwise an unknown name is an error.
    pub add_isolated: bool,
    /// Describe the nodes as those of other graphs: labels of TU data sets, and
    /// features that are text.
    pub coding: Option<TuCoding>,
    /// Limits of the files.
    pub limits: Limits,
}

impl ReadOptions {
    /// Whether weights are read if the file has some.
    pub(crate) fn reads_weights(&self) -> bool {
        !matches!(self.weights, Weights::Ignore | Weights::Count)
    }

    /// The column or attribute of the weights, if it was named.
    pub(crate) fn weight_name(&self) -> Option<&str> {
        match &self.weights {
            Weights::Column(name) => Some(name),
            Weights::Auto | Weights::Count | Weights::Ignore => None,
        }
    }

    /// The options that mean something for some formats only, and are set, with the
    /// part of a graph that these formats hold.
    fn special(&self) -> impl Iterator<Item = (Change, Part)> {
        let columns: Part = |holds| holds.columns;
        let all: [(Change, bool, Part); 7] = [
            (Change::Bipartite(true), self.bipartite.is_some(), columns),
            (Change::SkipBad, self.skip_bad, columns),
            (Change::Source, self.source.is_some(), columns),
            (Change::Target, self.target.is_some(), columns),
            (Change::Header(true), self.header.is_some(), |h| h.header),
            (Change::Weight, self.weight_name().is_some(), |h| {
                h.named_weights
            }),
            (
                Change::NodeAttributes,
                !self.node_attributes.is_empty(),
                |h| h.attributes,
            ),
        ];
        let set = all.into_iter().filter(|&(_, set, _)| set);
        set.map(|(change, _, part)| (change, part))
    }

    /// An option that is set and means nothing for files of these formats, and the
    /// part of a graph that it needs.
    pub(crate) fn without_effect(&self, formats: &[Format]) -> Option<(Change, Part)> {
        self.special()
            .find(|(_, part)| !formats.iter().any(|format| part(format.holds())))
    }

    /// These options without those that mean nothing for a format; a folder may
    /// hold files of any.
    #[must_use]
    pub fn for_format(&self, format: Format) -> Self {
        let mut own = self.clone();
        for (change, part) in self.special() {
            if part(format.holds()) {
                continue;
            }
            match change {
                Change::Source => own.source = None,
                Change::Target => own.target = None,
                Change::Header(_) => own.header = None,
                Change::Bipartite(_) => own.bipartite = None,
                Change::SkipBad => own.skip_bad = false,
                Change::Weight => own.weights = Weights::Auto,
                _ => own.node_attributes.clear(),
            }
        }
        own
    }
}
