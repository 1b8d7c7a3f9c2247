//! TU data sets: many graphs in a handful of text files.
//!
//! A set `DS` is a folder, or a zip of one, with
//! - `DS_A.txt`: an edge `i, j` a line, nodes counted from 1 over all graphs;
//! - `DS_graph_indicator.txt`: for every node the graph it belongs to, from 1;
//! - `DS_graph_labels.txt`: the class of every graph, or
//!   `DS_graph_attributes.txt`: numbers to regress on;
//! - optionally `DS_node_labels.txt`, `DS_node_attributes.txt`,
//!   `DS_edge_labels.txt` and `DS_edge_attributes.txt`.
//!
//! The result is what PyTorch Geometric makes of the same files: features are
//! the attributes followed by the one-hot labels, counted from the smallest
//! label of the set; self-loops are dropped and repeated edges merged; graph
//! attributes are the target if there are some, else the graph labels,
//! numbered in sorted order. Unlike there, a repeated edge keeps the features of
//! its first mention, and edges that go one way get their edges back.

mod assemble;
mod columns;
mod files;
mod tables;

use std::path::Path;

pub(crate) use files::is_tu_folder;

use super::report::Note;
use crate::bytes::archive::Archive;
use crate::bytes::error::ReadError;
use crate::bytes::ledger::Ledger;
use crate::bytes::limits::Limits;
use crate::format::options::ReadOptions;
use crate::format::read::Opened;
use crate::format::report::ReadReport;
use crate::format::table::{Format, Graphs, Read, Traits};
use bnpool_graph::Graph;
use files::TuFiles;
use serde::{Deserialize, Serialize};

pub(crate) const FORMAT: Traits = Traits {
    endings: &["zip"],
    starts: |start| {
        let member = start.zip_member();
        member.is_some_and(|name| !name.ends_with(b".npy"))
    },
    ..Traits::of("tu", "TU data set", Read::Many(read))
};

/// Reads everything of a set: attributes, labels, and the constant feature 1 if there
/// are no others.
fn read(opened: Opened, options: &ReadOptions, ledger: &Ledger) -> Result<Graphs, ReadError> {
    let tu_options = TuOptions {
        node_attributes: true,
        edge_attributes: true,
        coding: options.coding.clone(),
        directed: options.directed,
        limits: options.limits,
        ..TuOptions::default()
    };
    let set = if opened.path.is_dir() {
        read_folder(&opened.path, &tu_options, Some(ledger))?
    } else {
        let archive = Archive::of_intake(opened.open(options)?)?;
        read_tu_archive(archive, &tu_options)?
    };
    let mut report = ReadReport::new(Format::Tu);
    report.classes = set.classes;
    report.coding = Some(set.coding);
    report.notes = set.notes;
    Ok((set.graphs, report))
}

/// The coding for other graphs, so that their features have the same meaning:
/// the columns of a model's training graphs, to be kept with the model.
///
/// In TU data sets one-hot columns count from the smallest label of a set to its greatest, so
/// sets with other labels would have other columns, or worse, as many that mean
/// something else.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TuCoding {
    /// Whether node attributes are features.
    pub node_attributes: bool,
    /// Whether the first of them is left out.
    pub drop_first_attribute: bool,
    /// The smallest and the greatest label of every column of node labels.
    pub node_labels: Vec<(i64, i64)>,
    /// Whether edge attributes are edge features.
    pub edge_attributes: bool,
    /// The smallest and the greatest label of every column of edge labels.
    pub edge_labels: Vec<(i64, i64)>,
    /// Of other files: the node features that are text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<TextColumn>,
}

/// A node feature that is text: a column of zeros and ones for every value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextColumn {
    /// Its name.
    pub name: String,
    /// Its values in the order of the columns.
    pub values: Vec<String>,
}

/// The parts of a TU data set to read; a part that the set does not have is no error. Labels
/// are one-hot features; a set without any features has the feature 1 for every node. The
/// target are the graph attributes, or else the graph labels.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TuOptions {
    /// Node attributes as features, before the labels. Left out unless set.
    pub node_attributes: bool,
    /// Leave out the first node attribute.
    pub drop_first_attribute: bool,
    /// Edge attributes as edge features, before the labels. Left out unless set.
    pub edge_attributes: bool,
    /// The features of another set, to be described alike, instead of what the
    /// fields above ask for.
    pub coding: Option<TuCoding>,
    /// The graphs to take, counted from 1 as in the files; all of them unless
    /// set. The result is as if the files held no others.
    pub keep: Option<Vec<usize>>,
    /// Keep edges that go one way as they are.
    pub directed: bool,
    /// Limits of the files.
    pub limits: Limits,
}

/// A TU data set.
#[derive(Debug, Clone, PartialEq)]
pub struct TuSet {
    /// Its name: what all its files start with.
    pub name: String,
    /// Its graphs, in the order of the files.
    pub graphs: Vec<Graph>,
    /// The labels behind the classes of the graphs, if they have classes.
    pub classes: Option<Vec<String>>,
    /// The coding of labels and attributes as features.
    pub coding: TuCoding,
    /// The repairs.
    pub notes: Vec<Note>,
}

/// Reads a TU data set from a folder (or its sub-folder `raw`) or a zip.
///
/// # Errors
///
/// When there is no such set, a file cannot be read, lines and nodes or graphs
/// do not match, an edge joins two graphs, or a number is not one; the message
/// names file and line.
///
/// # Complexity
///
/// Time linear in the bytes; memory for one file at a time beside the result.
pub fn read_tu(path: &Path, options: &TuOptions) -> Result<TuSet, ReadError> {
    if path.is_dir() {
        return read_folder(path, options, None);
    }
    read_tu_archive(Archive::open(path, &options.limits)?, options)
}

/// Reads a TU data set from a folder, and lists the files.
fn read_folder(
    path: &Path,
    options: &TuOptions,
    ledger: Option<&Ledger>,
) -> Result<TuSet, ReadError> {
    assemble::assemble(TuFiles::folder(path, ledger)?, options)
}

/// Reads a TU data set from an open zip archive.
///
/// # Errors
///
/// As [`read_tu`].
pub fn read_tu_archive(archive: Archive, options: &TuOptions) -> Result<TuSet, ReadError> {
    assemble::assemble(TuFiles::archive(archive)?, options)
}

#[cfg(test)]
mod tests;
