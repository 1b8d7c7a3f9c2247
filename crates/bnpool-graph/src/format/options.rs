//! What a user may ask of the readers.

use std::path::PathBuf;

use super::Format;
use super::limits::Limits;
use super::tu::TuCoding;

/// How to read a graph.
///
/// ```
/// use bnpool_graph::format::ReadOptions;
///
/// let options = ReadOptions { directed: true, ..ReadOptions::default() };
/// assert!(options.format.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadOptions {
    /// The format; told from the name of the file where it is left open.
    pub format: Option<Format>,
    /// Keep the directions of the edges. Otherwise every edge gets its edge
    /// back, with the larger weight where both are there.
    pub directed: bool,
    /// Drop edges from a node to itself. Otherwise they are kept.
    pub drop_self_loops: bool,
    /// Do not read edge weights, even where there are some.
    pub ignore_weights: bool,
    /// Whether edge lists start with a line of column names; found out where it
    /// is left open.
    pub header: Option<bool>,
    /// A file of node features: csv, `.npy`, or `.npz` with one array or a
    /// sparse matrix as scipy saves it.
    ///
    /// In a csv file a first column of text, or one that the header calls `id`,
    /// `node`, `name` or the like, holds node ids; otherwise the rows are in the
    /// order of the nodes. A column called `label`, `class` or the like is the
    /// label and no feature.
    pub features: Option<PathBuf>,
    /// A file of node labels, whole numbers or text: csv, `.npy`, or the array
    /// `labels` of an `.npz`.
    ///
    /// A csv file has one label a line in the order of the nodes, or `id,label`,
    /// or a header that names a column `label`, `class` or the like.
    pub labels: Option<PathBuf>,
    /// The node attribute (GML, GraphML) or column (csv) that holds the label.
    pub label_attribute: Option<String>,
    /// Add nodes that only the features or labels name, without edges.
    /// Otherwise an unknown name is an error.
    pub add_isolated: bool,
    /// Describe the graphs of a TU data set as those of another.
    pub coding: Option<TuCoding>,
    /// How much the files may ask for.
    pub limits: Limits,
}
