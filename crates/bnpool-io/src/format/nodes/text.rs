//! Text columns of node features, as one column of zeros and ones for every
//! value.
//!
//! The values of all graphs of a set decide the columns, so readers collect the
//! cells first, and [`code`] makes the columns at the end.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use bnpool_math::memory::bytes_of;

use crate::bytes::error::{ReadError, quote};
use crate::format::options::ReadOptions;
use crate::format::report::ReadReport;
use crate::format::tu::{TextColumn, TuCoding};
use crate::shown;
use bnpool_graph::Features;
use bnpool_graph::Graph;
use bnpool_graph::Matrix;

/// Columns with so many texts, all different, hold names and not categories.
const NAMES: usize = 20;

/// The cells of a text column, in the order of the nodes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TextCells {
    pub(crate) name: String,
    pub(crate) cells: Vec<String>,
}

/// Adds the text columns `texts` of every graph to its features. The columns and
/// their order are those of the coding in the options, or else the sorted values
/// of all graphs; the report keeps them.
pub(crate) fn code(
    paths: &[&Path],
    graphs: Vec<Graph>,
    texts: Vec<Vec<TextCells>>,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<Vec<Graph>, ReadError> {
    let known = options.coding.as_ref().map(|coding| &coding.text[..]);
    if texts.iter().all(Vec::is_empty) && known.is_none_or(<[_]>::is_empty) {
        return Ok(graphs);
    }
    let columns = match known {
        Some(known) if !known.is_empty() => known.to_vec(),
        _ => columns(paths, &texts)?,
    };
    let width: usize = columns.iter().map(|column| column.values.len()).sum();
    let mut coded = Vec::with_capacity(graphs.len());
    for ((graph, texts), path) in graphs.into_iter().zip(texts).zip(paths) {
        check_width(path, graph.nodes(), width, options)?;
        let features = widen(path, &graph, &texts, &columns, width)?;
        let graph = graph.into_builder().features(features).build();
        coded.push(graph.map_err(|error| ReadError::graph(*path, error))?);
    }
    let of_column = |column: &TextColumn| -> Vec<String> {
        let name = |value: &String| format!("{}={value}", column.name);
        column.values.iter().map(name).collect()
    };
    let names = report.feature_names.get_or_insert_default();
    names.extend(columns.iter().flat_map(of_column));
    report.coding = Some(TuCoding {
        text: columns,
        ..TuCoding::default()
    });
    Ok(coded)
}

/// The columns of the first graph, with the values of all.
fn columns(paths: &[&Path], texts: &[Vec<TextCells>]) -> Result<Vec<TextColumn>, ReadError> {
    let Some(first) = texts.first() else {
        return Ok(Vec::new());
    };
    let mut columns = Vec::with_capacity(first.len());
    for place in 0..texts.iter().map(Vec::len).max().unwrap_or(0) {
        let mut values = BTreeSet::new();
        let mut cells = 0;
        for (own, path) in texts.iter().zip(paths) {
            match (own.get(place), first.get(place)) {
                (Some(column), Some(wanted)) if column.name == wanted.name => {
                    values.extend(column.cells.iter().filter(|cell| !cell.is_empty()));
                    cells += column.cells.len();
                }
                _ => return Err(other_columns(path, own, first)),
            }
        }
        let name = &first[place].name;
        if values.len() == cells && cells > NAMES {
            return Err(ReadError::in_file(
                paths[0],
                format!(
                    "{} has another text for every node, so it names nodes and describes none",
                    quote(name.as_bytes())
                ),
                "drop the column, or call it `id` if it holds the ids of the nodes",
            ));
        }
        columns.push(TextColumn {
            name: name.clone(),
            values: values.into_iter().cloned().collect(),
        });
    }
    Ok(columns)
}

/// A graph whose text columns are not those of the others.
fn other_columns(path: &Path, own: &[TextCells], wanted: &[TextCells]) -> ReadError {
    let names = |columns: &[TextCells]| match columns {
        [] => "none".to_owned(),
        _ => shown::list(columns.iter().map(|column| &column.name)),
    };
    ReadError::in_file(
        path,
        format!(
            "its features that are text are {}, but those of other graphs are {}",
            names(own),
            names(wanted)
        ),
        "describe the nodes of all graphs alike",
    )
}

/// Refuses columns that no network could read.
fn check_width(
    path: &Path,
    nodes: usize,
    width: usize,
    options: &ReadOptions,
) -> Result<(), ReadError> {
    let limits = &options.limits;
    let cells = bytes_of::<u8>(&[nodes, width]);
    if width > limits.max_one_hot || cells > limits.max_one_hot_cells {
        return Err(ReadError::too_large(
            path,
            format!("one-hot coding of the text of {nodes} nodes in {width} columns"),
            format!(
                "{} columns or {} cells",
                limits.max_one_hot, limits.max_one_hot_cells
            ),
            "leave out the columns with most values",
        ));
    }
    limits.check_memory(path, "one-hot features", bytes_of::<f32>(&[nodes, width]))
}

/// The features of a graph with its text columns behind them.
fn widen(
    path: &Path,
    graph: &Graph,
    texts: &[TextCells],
    columns: &[TextColumn],
    width: usize,
) -> Result<Features, ReadError> {
    let numbers = graph.features().to_dense();
    let (nodes, before) = (graph.nodes(), numbers.columns());
    let mut values = vec![0.0; nodes * (before + width)];
    for (node, row) in values.chunks_exact_mut((before + width).max(1)).enumerate() {
        row[..before].copy_from_slice(numbers.row(node));
    }
    let mut start = before;
    for column in columns {
        let own = texts.iter().find(|own| own.name == column.name);
        let own = own.ok_or_else(|| lacks(path, texts, column))?;
        let places: HashMap<&str, usize> = column
            .values
            .iter()
            .enumerate()
            .map(|(place, value)| (value.as_str(), place))
            .collect();
        for (node, cell) in own.cells.iter().enumerate() {
            // Nothing is known of this node, so no column is one.
            if cell.is_empty() {
                continue;
            }
            let place = places.get(cell.as_str());
            let place = place.ok_or_else(|| unknown(path, cell, column))?;
            values[node * (before + width) + start + place] = 1.0;
        }
        start += column.values.len();
    }
    let extra = texts
        .iter()
        .find(|own| !columns.iter().any(|column| column.name == own.name));
    if let Some(extra) = extra {
        return Err(ReadError::in_file(
            path,
            format!(
                "the feature {} is text, and no training graph had it",
                quote(extra.name.as_bytes())
            ),
            "describe the nodes as those of the training graphs",
        ));
    }
    Matrix::new(nodes, before + width, values)
        .map(Features::from)
        .map_err(|error| ReadError::graph(path, error))
}

fn lacks(path: &Path, texts: &[TextCells], column: &TextColumn) -> ReadError {
    let there: HashSet<&String> = texts.iter().map(|own| &own.name).collect();
    let there = if there.is_empty() {
        "no feature is text".to_owned()
    } else {
        format!("features that are text: {}", shown::list(there))
    };
    ReadError::in_file(
        path,
        format!(
            "the feature {} of the training graphs is missing; {there}",
            quote(column.name.as_bytes())
        ),
        "describe the nodes as those of the training graphs",
    )
}

fn unknown(path: &Path, cell: &str, column: &TextColumn) -> ReadError {
    ReadError::in_file(
        path,
        format!(
            "{} of the feature {} was in no training graph; known are: {}",
            quote(cell.as_bytes()),
            quote(column.name.as_bytes()),
            shown::list(&column.values)
        ),
        "use a known value, or leave the field empty",
    )
}
