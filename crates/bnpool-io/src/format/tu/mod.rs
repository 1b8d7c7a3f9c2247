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
mod coding;
mod columns;
mod files;
mod members;
mod one_hot;
mod scan;
mod tables;
mod targets;

use std::path::Path;

pub use coding::{TextColumn, TuCoding};
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
        constant_feature: true,
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

/// Which graph-level file is the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TuTarget {
    /// The graph attributes if there are some, else the graph labels where
    /// there are some.
    #[default]
    Auto,
    /// The graph labels, as classes.
    Labels,
    /// The graph attributes, as values.
    Attributes,
    /// Neither.
    None,
}

/// The parts of a TU data set to read. A part that the set does not have is no error.
#[derive(Debug, Clone, PartialEq)]
pub struct TuOptions {
    /// One-hot node labels as features. Taken unless set.
    pub node_labels: bool,
    /// Node attributes as features, before the labels. Left out unless set.
    pub node_attributes: bool,
    /// Leave out the first node attribute.
    pub drop_first_attribute: bool,
    /// One-hot edge labels as edge features. Taken unless set.
    pub edge_labels: bool,
    /// Edge attributes as edge features, before the labels. Left out unless set.
    pub edge_attributes: bool,
    /// The feature 1 for every node if there is no other. Left out unless set.
    pub constant_feature: bool,
    /// The features of another set, to be described alike, instead of what the
    /// fields above ask for.
    pub coding: Option<TuCoding>,
    /// The target to predict.
    pub target: TuTarget,
    /// The graphs to take, counted from 1 as in the files; all of them unless
    /// set. The result is as if the files held no others.
    pub keep: Option<Vec<usize>>,
    /// Keep edges that go one way as they are.
    pub directed: bool,
    /// Limits of the files.
    pub limits: Limits,
}

impl Default for TuOptions {
    fn default() -> Self {
        Self {
            node_labels: true,
            node_attributes: false,
            drop_first_attribute: false,
            edge_labels: true,
            edge_attributes: false,
            constant_feature: false,
            coding: None,
            target: TuTarget::Auto,
            keep: None,
            directed: false,
            limits: Limits::default(),
        }
    }
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
