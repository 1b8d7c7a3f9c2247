//! One way in for all formats.

use std::path::Path;

use bnpool_math::memory::bytes_of;

use super::archive::Archive;
use super::attributes;
use super::dense;
use super::edge_list;
use super::edge_table::{EdgeTable, NodeIds};
use super::error::ReadError;
use super::intake::Intake;
use super::ledger::{Ledger, Record};
use super::names::Format;
use super::nodes::code;
use super::npz::Npz;
use super::options::ReadOptions;
use super::report::{Note, ReadReport};
use super::source::Source;
use super::tables::{Tables, attach};
use super::text::{TextBlocks, is_whole_number};
use super::tu::{TuOptions, read_folder, read_tu_archive};
use super::{
    adjacency_list, csr_bundle, dot, folder, gexf, gml, graphml, matrix_market, metis, node_link,
    npy_matrix, pajek,
};
use crate::remedy::Change;
use bnpool_graph::Graph;

/// How much of a file is looked at to tell its format.
const START: usize = 1 << 10;

/// Reads one graph, with the features and labels that the options name.
///
/// Features and labels of their own files replace those of the graph's file.
/// Every file is opened and read once, so that pipes will do, and the path `-`
/// stands for standard input. Where neither the options nor the name tell the
/// format, the start of the file does.
///
/// # Errors
///
/// When a file cannot be read, is too large, or is not what its format demands,
/// and when the file holds many graphs; see [`ReadError`].
///
/// # Complexity
///
/// Time linear in the bytes of the files.
pub fn read_graph(path: &Path, options: &ReadOptions) -> Result<(Graph, ReadReport), ReadError> {
    let ledger = Ledger::default();
    let read = read_one(path, options, &FileNames::default(), &ledger)?;
    let (graph, mut report) = with_text(path, read, options)?;
    report.files = ledger.into_files();
    Ok((graph, report))
}

/// What the files of one graph are called in the ledger.
pub(super) struct FileNames<'n> {
    pub(super) graph: &'n str,
    pub(super) features: &'n str,
    pub(super) labels: &'n str,
}

impl Default for FileNames<'_> {
    fn default() -> Self {
        Self {
            graph: "graph",
            features: "features",
            labels: "labels",
        }
    }
}

/// As [`read_graph`], with the files listed in a ledger.
pub(super) fn read_one(
    path: &Path,
    options: &ReadOptions,
    names: &FileNames<'_>,
    ledger: &Ledger,
) -> Result<(Graph, ReadReport), ReadError> {
    let opened = Opened::choose(path, options, || ledger.entry(names.graph))?;
    if let Some(error) = without_effect(path, opened.format, options) {
        return Err(error);
    }
    if opened.format.holds_many() {
        let (mut graphs, report) = read_many(path, opened, options, ledger)?;
        return match (graphs.pop(), graphs.is_empty()) {
            (Some(graph), true) => attach(graph, Tables::open(options, names, ledger)?, report),
            (last, _) => Err(ReadError::in_file(
                path,
                format!(
                    "it holds {} graphs",
                    graphs.len() + usize::from(last.is_some())
                ),
                "give a file of one graph",
            )),
        };
    }
    read_opened(opened, path, options, names, ledger)
}

/// Reads one graph from a file of a format that holds one.
fn read_opened(
    opened: Opened,
    path: &Path,
    options: &ReadOptions,
    names: &FileNames<'_>,
    ledger: &Ledger,
) -> Result<(Graph, ReadReport), ReadError> {
    let format = opened.format;
    let (intake, record) = opened.open(path, options)?;
    let tables = || Tables::open(options, names, ledger);
    match format {
        Format::EdgeList | Format::Matrix => {
            read_text(intake.into_blocks(), format, tables()?, options)
        }
        Format::AdjacencyList => read_adjacency_list(intake.into_blocks(), tables()?, options),
        Format::NpyMatrix => read_npy_matrix(intake.into_source()?, tables()?, options),
        Format::CsrBundle => {
            let npz = Npz::of_intake(intake, &record, &options.limits)?;
            read_csr_bundle(npz, tables()?, options)
        }
        _ => read_in_memory(intake.into_text()?, format, tables()?, options),
    }
}

/// A file whose format is known, and which may be open already because only its
/// start tells the format.
struct Opened {
    format: Format,
    intake: Option<Intake>,
    record: Record,
}

impl Opened {
    /// Finds the format: the one asked for, else that of a folder, of the name or
    /// of the content.
    fn choose(
        path: &Path,
        options: &ReadOptions,
        record: impl FnOnce() -> Record,
    ) -> Result<Self, ReadError> {
        let known = match options.format {
            Some(format) => Some(format),
            None if path.is_dir() => Some(Format::detect_folder(path)?),
            None => Format::known_name(path)?,
        };
        // The files of a folder have records of their own.
        let is_folder = path.is_dir() || known == Some(Format::Folder);
        let record = if is_folder { Record::NONE } else { record() };
        let (format, intake) = match known {
            Some(format) => (format, None),
            None => {
                let mut intake = Intake::open(path, &options.limits, &record)?;
                let start = intake.peek(START)?;
                (Format::of_start(path, start)?, Some(intake))
            }
        };
        Ok(Self {
            format,
            intake,
            record,
        })
    }

    fn open(self, path: &Path, options: &ReadOptions) -> Result<(Intake, Record), ReadError> {
        let intake = match self.intake {
            Some(intake) => intake,
            None => Intake::open(path, &options.limits, &self.record)?,
        };
        Ok((intake, self.record))
    }
}

/// Reads one graph from a file that is in memory already, with the features and
/// labels that the options name.
///
/// # Errors
///
/// As [`read_graph`]; formats of many graphs are refused.
pub fn read_source(
    source: Source,
    format: Format,
    options: &ReadOptions,
) -> Result<(Graph, ReadReport), ReadError> {
    let ledger = Ledger::default();
    let tables = Tables::open(options, &FileNames::default(), &ledger)?;
    let path = source.path().to_owned();
    let read = match format {
        Format::EdgeList | Format::Matrix => {
            read_text(TextBlocks::of(&source), format, tables, options)
        }
        Format::AdjacencyList => read_adjacency_list(TextBlocks::of(&source), tables, options),
        Format::NpyMatrix => read_npy_matrix(source, tables, options),
        Format::CsrBundle => {
            let path = source.path().to_owned();
            let npz = Npz::from_bytes(path, source.into_bytes(), &options.limits)?;
            read_csr_bundle(npz, tables, options)
        }
        _ => read_in_memory(source, format, tables, options),
    }?;
    let (graph, mut report) = with_text(&path, read, options)?;
    report.files = ledger.into_files();
    Ok((graph, report))
}

/// Codes the features of one graph that are text.
fn with_text(
    path: &Path,
    (graph, mut report): (Graph, ReadReport),
    options: &ReadOptions,
) -> Result<(Graph, ReadReport), ReadError> {
    let texts = vec![std::mem::take(&mut report.text)];
    let mut coded = code(&[path], vec![graph], texts, options, &mut report)?;
    match coded.pop() {
        Some(graph) => Ok((graph, report)),
        None => Err(ReadError::in_file(
            path,
            "there is no graph",
            "check the file",
        )),
    }
}

/// Reads one graph from a text that is in memory.
fn read_in_memory(
    source: Source,
    format: Format,
    tables: Tables,
    options: &ReadOptions,
) -> Result<(Graph, ReadReport), ReadError> {
    let mut report = ReadReport::new(format);
    let path = source.path().to_owned();
    let graph = match format {
        Format::MatrixMarket => {
            let mut table = matrix_market::read(&source, &options.limits)?;
            drop(source);
            table.weights = table.weights.filter(|_| options.reads_weights());
            table.into_graph(&path, options, &mut report.notes)?
        }
        Format::Metis => {
            let (mut table, node_weights) = metis::read(&source, &options.limits)?;
            drop(source);
            table.weights = table.weights.filter(|_| options.reads_weights());
            let graph = table.into_graph(&path, options, &mut report.notes)?;
            let features = attributes::of_matrix(&path, node_weights, options, &mut report)?;
            match features {
                None => graph,
                Some(features) => graph
                    .into_builder()
                    .features(features)
                    .build()
                    .map_err(|error| ReadError::graph(&path, error))?,
            }
        }
        Format::GraphMl
        | Format::Gml
        | Format::Gexf
        | Format::NodeLink
        | Format::Pajek
        | Format::Dot => {
            // Names and attributes of nodes are texts, each on its own.
            let growth = if format == Format::Dot { 24 } else { 8 };
            let bytes = bytes_of::<u8>(&[source.bytes().len(), growth]);
            let what = "its nodes, edges and attributes";
            options.limits.check_memory(&path, what, bytes)?;
            let graph = match format {
                Format::GraphMl => graphml::read(&source, options, &mut report)?,
                Format::Gexf => gexf::read(&source, options, &mut report)?,
                Format::NodeLink => node_link::read(&source, options, &mut report)?,
                Format::Pajek => pajek::read(&source, options, &mut report)?,
                Format::Dot => dot::read(&source, options, &mut report)?,
                _ => gml::read(&source, options, &mut report)?,
            };
            // A DOT file has no order of nodes of its own.
            let is_number = |id: &String| is_whole_number(id);
            if format == Format::Dot
                && let Some(ids) = graph.node_ids()
                && !ids.iter().all(is_number)
            {
                tables.check_order(graph.nodes())?;
            }
            graph
        }
        _ => {
            return Err(ReadError::in_file(
                path,
                format!("the format {format} holds many graphs"),
                "give a file of one graph",
            ));
        }
    };
    attach(graph, tables, report)
}

/// Refuses an option that means nothing for the format: it would be ignored
/// without a word.
fn without_effect(path: &Path, format: Format, options: &ReadOptions) -> Option<ReadError> {
    // A folder asks its files.
    if format == Format::Folder {
        return None;
    }
    let formats = match (format, options.format) {
        // Which of the two it is shows later.
        (Format::EdgeList, None) => &[Format::EdgeList, Format::Matrix][..],
        _ => &[format],
    };
    let (change, good) = options.without_effect(formats)?;
    Some(no_effect(path, &[format], change, good))
}

/// An option that means nothing for any of the formats of the files.
pub(super) fn no_effect(
    path: &Path,
    formats: &[Format],
    change: Change,
    good: &[Format],
) -> ReadError {
    let what = match change {
        Change::NodeAttributes => "no node attributes",
        Change::Weight => "no named weights",
        _ => "no columns",
    };
    let names = |formats: &[Format]| {
        let names: Vec<_> = formats.iter().map(|format| format.name()).collect();
        names.join(", ")
    };
    ReadError::in_file(
        path,
        format!(
            "the format {} has {what} to choose from; such formats are: {}",
            names(formats),
            names(good)
        ),
        "leave the choice out",
    )
}

/// Reads text with an edge or a row of a matrix a line.
fn read_text(
    mut blocks: TextBlocks<'_>,
    format: Format,
    tables: Tables,
    options: &ReadOptions,
) -> Result<(Graph, ReadReport), ReadError> {
    let shape = match (format, options.format) {
        (Format::Matrix, _) => Some(dense::expect(&mut blocks, options)?),
        (_, None) => dense::recognise(&mut blocks, options)?,
        (_, Some(_)) => None,
    };
    let Some(shape) = shape else {
        return read_edge_list(blocks, tables, options);
    };
    let path = blocks.path().to_owned();
    let mut report = ReadReport::new(Format::Matrix);
    if format != Format::Matrix {
        report.notes.push(Note::TakenForMatrix);
    }
    let table = dense::read(blocks, shape, options)?;
    let graph = table.into_graph(&path, options, &mut report.notes)?;
    attach(graph, tables, report)
}

fn read_edge_list(
    blocks: TextBlocks<'_>,
    tables: Tables,
    options: &ReadOptions,
) -> Result<(Graph, ReadReport), ReadError> {
    let path = blocks.path().to_owned();
    let mut report = ReadReport::new(Format::EdgeList);
    let table = edge_list::read(blocks, options, &mut report)?;
    attach_to_table(&path, table, tables, options, report)
}

fn read_adjacency_list(
    blocks: TextBlocks<'_>,
    tables: Tables,
    options: &ReadOptions,
) -> Result<(Graph, ReadReport), ReadError> {
    let path = blocks.path().to_owned();
    let mut report = ReadReport::new(Format::AdjacencyList);
    let table = adjacency_list::read(blocks, &mut report)?;
    attach_to_table(&path, table, tables, options, report)
}

fn read_npy_matrix(
    source: Source,
    tables: Tables,
    options: &ReadOptions,
) -> Result<(Graph, ReadReport), ReadError> {
    let path = source.path().to_owned();
    let mut report = ReadReport::new(Format::NpyMatrix);
    let table = npy_matrix::read(source, options)?;
    let graph = table.into_graph(&path, options, &mut report.notes)?;
    attach(graph, tables, report)
}

/// The graph of a file that lists edges and no nodes, with what the files beside
/// it hold.
fn attach_to_table(
    path: &Path,
    mut table: EdgeTable,
    tables: Tables,
    options: &ReadOptions,
    mut report: ReadReport,
) -> Result<(Graph, ReadReport), ReadError> {
    if matches!(table.ids, NodeIds::Names(_)) {
        tables.check_order(table.ids.len())?;
    }
    tables.make_room(&mut table, options, &mut report);
    if table.ids.len() == 0 {
        return Err(ReadError::in_file(
            path,
            "there is no edge in the file",
            "give at least one line with two node ids, or features of the nodes beside it",
        ));
    }
    let graph = table.into_graph(path, options, &mut report.notes)?;
    attach(graph, tables, report)
}

fn read_csr_bundle(
    npz: Npz,
    tables: Tables,
    options: &ReadOptions,
) -> Result<(Graph, ReadReport), ReadError> {
    let mut report = ReadReport::new(Format::CsrBundle);
    let graph = csr_bundle::read_graph(npz, options, &mut report)?;
    attach(graph, tables, report)
}

/// Reads many graphs: a TU data set, a folder of edge lists or a container.
/// A file of one graph gives one.
///
/// Of TU data sets everything is taken: attributes, labels, and the constant
/// feature 1 where there are no others, unless the options ask for the coding of
/// another set. For a choice see [`read_tu`](super::tu::read_tu).
///
/// # Errors
///
/// As [`read_graph`].
///
/// # Complexity
///
/// Time linear in the bytes of the files.
pub fn read_graphs(
    path: &Path,
    options: &ReadOptions,
) -> Result<(Vec<Graph>, ReadReport), ReadError> {
    let ledger = Ledger::default();
    let opened = Opened::choose(path, options, || ledger.entry("graph"))?;
    if let Some(error) = without_effect(path, opened.format, options) {
        return Err(error);
    }
    let (graphs, mut report) = if opened.format.holds_many() {
        read_many(path, opened, options, &ledger)?
    } else {
        // Chosen once: a pipe cannot be looked at again.
        let read = read_opened(opened, path, options, &FileNames::default(), &ledger)?;
        let (graph, report) = with_text(path, read, options)?;
        (vec![graph], report)
    };
    report.files = ledger.into_files();
    Ok((graphs, report))
}

/// Reads a file or folder of a format that holds many graphs.
fn read_many(
    path: &Path,
    opened: Opened,
    options: &ReadOptions,
    ledger: &Ledger,
) -> Result<(Vec<Graph>, ReadReport), ReadError> {
    let format = opened.format;
    match format {
        Format::Tu => {
            let tu_options = TuOptions {
                node_attributes: true,
                edge_attributes: true,
                constant_feature: true,
                coding: options.coding.clone(),
                directed: options.directed,
                limits: options.limits,
                ..TuOptions::default()
            };
            let set = if path.is_dir() {
                read_folder(path, &tu_options, Some(ledger))?
            } else {
                let (intake, record) = opened.open(path, options)?;
                let archive = Archive::of_intake(intake, &record, &options.limits)?;
                read_tu_archive(archive, &tu_options)?
            };
            let mut report = ReadReport::new(format);
            report.classes = set.classes;
            report.coding = Some(set.coding);
            report.notes = set.notes;
            Ok((set.graphs, report))
        }
        Format::Folder => folder::read(path, options, ledger),
        _ => {
            let (intake, _) = opened.open(path, options)?;
            super::container::read(&intake.into_source()?, &options.limits)
        }
    }
}
