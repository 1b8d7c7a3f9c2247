//! One way in for all formats.

use std::path::Path;

use super::attributes;
use super::dense;
use super::edge_list;
use super::edge_table::{EdgeTable, NodeIds};
use super::error::ReadError;
use super::names::Format;
use super::nodes::{FeatureTable, LabelTable};
use super::npz::Npz;
use super::options::ReadOptions;
use super::report::{Note, ReadReport};
use super::source::Source;
use super::text::TextBlocks;
use super::tu::{TuOptions, read_tu};
use super::{csr_bundle, folder, gml, graphml, matrix_market, metis};
use crate::graph::Graph;
use crate::remedy::Change;

/// Reads one graph, with the features and labels that the options name.
///
/// Features and labels of their own files replace those of the graph's file.
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
    let format = match options.format {
        Some(format) => format,
        None => Format::detect(path)?,
    };
    if let Some(error) = without_effect(path, format, options) {
        return Err(error);
    }
    if matches!(format, Format::EdgeList | Format::Matrix) {
        let blocks = TextBlocks::open(path, &options.limits)?;
        return read_text(blocks, format, Tables::open(options)?, options);
    }
    if format == Format::CsrBundle {
        let npz = Npz::open(path, &options.limits)?;
        return read_csr_bundle(npz, Tables::open(options)?, options);
    }
    if !format.holds_many() {
        let source = Source::open(path, &options.limits)?;
        return read_source(source, format, options);
    }
    let many = ReadOptions {
        format: Some(format),
        ..options.clone()
    };
    let (mut graphs, report) = read_graphs(path, &many)?;
    match (graphs.pop(), graphs.is_empty()) {
        (Some(graph), true) => attach(graph, Tables::open(options)?, report),
        (last, _) => Err(ReadError::in_file(
            path,
            format!(
                "it holds {} graphs",
                graphs.len() + usize::from(last.is_some())
            ),
            "give a file of one graph",
        )),
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
    let mut report = ReadReport::new(format);
    let tables = Tables::open(options)?;
    let path = source.path().to_owned();
    let graph = match format {
        Format::EdgeList | Format::Matrix => {
            return read_text(TextBlocks::of(&source), format, tables, options);
        }
        Format::CsrBundle => {
            let npz = Npz::from_bytes(path, source.into_bytes(), &options.limits)?;
            return read_csr_bundle(npz, tables, options);
        }
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
        Format::GraphMl => graphml::read(&source, options, &mut report)?,
        Format::Gml => gml::read(&source, options, &mut report)?,
        Format::Container | Format::Tu | Format::Folder => {
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
    let mut table = edge_list::read(blocks, options, &mut report)?;
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
    let graph = table.into_graph(&path, options, &mut report.notes)?;
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
/// another set. For a choice see [`read_tu`].
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
    let format = match options.format {
        Some(format) => format,
        None => Format::detect(path)?,
    };
    if let Some(error) = without_effect(path, format, options) {
        return Err(error);
    }
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
            let set = read_tu(path, &tu_options)?;
            let mut report = ReadReport::new(format);
            report.classes = set.classes;
            report.coding = Some(set.coding);
            report.notes = set.notes;
            Ok((set.graphs, report))
        }
        Format::Folder => folder::read(path, options),
        Format::Container => super::container::read(path, &options.limits),
        _ => {
            let (graph, report) = read_graph(path, options)?;
            Ok((vec![graph], report))
        }
    }
}

/// What the files beside the graph hold.
#[derive(Default)]
struct Tables {
    features: Option<FeatureTable>,
    labels: Option<LabelTable>,
}

impl Tables {
    fn open(options: &ReadOptions) -> Result<Self, ReadError> {
        let features = options.features.as_deref();
        let labels = options.labels.as_deref();
        Ok(Self {
            features: features
                .map(|path| FeatureTable::open(path, options))
                .transpose()?,
            labels: labels
                .map(|path| LabelTable::open(path, options))
                .transpose()?,
        })
    }

    /// Refuses rows without ids where the nodes have names: the order of the
    /// nodes is that of the names, and not one that a file of rows would follow.
    fn check_order(&self, nodes: usize) -> Result<(), ReadError> {
        let features = self.features.as_ref();
        let labels = self.labels.as_ref();
        let paths = [
            features.filter(|f| f.ids.is_none()).map(FeatureTable::path),
            labels
                .filter(|l| l.ids.is_none() && !l.is_one_too_long(nodes))
                .map(LabelTable::path),
        ];
        match paths.into_iter().flatten().next() {
            None => Ok(()),
            Some(path) => Err(ReadError::in_file(
                path,
                "its rows have no node ids, but the nodes have names, so nothing tells which row is whose",
                "add a first column `id` with the names of the nodes, or number the nodes from 0",
            )),
        }
    }

    /// Adds nodes that have a row here but no edge.
    fn make_room(&self, table: &mut EdgeTable, options: &ReadOptions, report: &mut ReadReport) {
        let features = self.features.as_ref();
        let labels = self.labels.as_ref();
        let rows = [
            features.map(|features| (features.rows(), &features.ids)),
            labels
                .filter(|labels| !labels.is_one_too_long(table.ids.len()))
                .map(|labels| (labels.rows(), &labels.ids)),
        ];
        for (rows, ids) in rows.into_iter().flatten() {
            match ids {
                None => table.extend_to_rows(rows, &mut report.notes),
                // Without edges nothing else says which nodes there are.
                Some(ids) if options.add_isolated || table.edges.is_empty() => {
                    table.extend_with_names(&ids.ids, &mut report.notes);
                }
                Some(_) => {}
            }
        }
    }
}

fn attach(
    graph: Graph,
    tables: Tables,
    mut report: ReadReport,
) -> Result<(Graph, ReadReport), ReadError> {
    if tables.features.is_none() && tables.labels.is_none() {
        return Ok((graph, report));
    }
    let features = match tables.features {
        Some(table) => Some(table.attach(&graph, &mut report)?),
        None => None,
    };
    let labels = match tables.labels {
        Some(table) => Some(table.attach(&graph, &mut report)?),
        None => None,
    };
    let mut builder = graph.into_builder();
    if let Some(features) = features {
        builder = builder.features(features);
    }
    if let Some(labels) = labels {
        builder = builder.node_labels(labels);
    }
    let path = Path::new("features and labels");
    let graph = builder
        .build()
        .map_err(|error| ReadError::graph(path, error))?;
    Ok((graph, report))
}
