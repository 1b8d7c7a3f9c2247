//! One way in for all formats.

use std::path::Path;

use super::edge_list;
use super::error::ReadError;
use super::names::Format;
use super::nodes::{FeatureTable, LabelTable};
use super::npz::Npz;
use super::options::ReadOptions;
use super::report::ReadReport;
use super::source::Source;
use super::text::TextBlocks;
use super::tu::{TuOptions, read_tu};
use super::{csr_bundle, folder, gml, graphml, matrix_market, metis};
use crate::graph::Graph;

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
    if format == Format::EdgeList {
        let blocks = TextBlocks::open(path, &options.limits)?;
        return read_edge_list(blocks, Tables::open(options)?, options);
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
        Format::EdgeList => {
            return read_edge_list(TextBlocks::of(&source), tables, options);
        }
        Format::CsrBundle => {
            let npz = Npz::from_bytes(path, source.into_bytes(), &options.limits)?;
            return read_csr_bundle(npz, tables, options);
        }
        Format::MatrixMarket => {
            let mut table = matrix_market::read(&source, &options.limits)?;
            drop(source);
            table.weights = table.weights.filter(|_| !options.ignore_weights);
            table.into_graph(&path, options, &mut report.notes)?
        }
        Format::Metis => {
            let (mut table, features) = metis::read(&source, &options.limits)?;
            drop(source);
            table.weights = table.weights.filter(|_| !options.ignore_weights);
            let graph = table.into_graph(&path, options, &mut report.notes)?;
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

fn read_edge_list(
    blocks: TextBlocks<'_>,
    tables: Tables,
    options: &ReadOptions,
) -> Result<(Graph, ReadReport), ReadError> {
    let path = blocks.path().to_owned();
    let mut report = ReadReport::new(Format::EdgeList);
    let mut table = edge_list::read(blocks, options, &mut report.notes)?;
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

    /// Adds nodes that have a row here but no edge.
    fn make_room(
        &self,
        table: &mut super::edge_table::EdgeTable,
        options: &ReadOptions,
        report: &mut ReadReport,
    ) {
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
