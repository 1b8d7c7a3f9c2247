//! One graph in an `.npz`: compressed rows of adjacency and features, labels.
//!
//! The arrays are `adj_data adj_indices adj_indptr adj_shape`, the same of
//! `attr_` (or one dense `attr_matrix`), and `labels`: the form in which DBLP
//! and other citation graphs are passed around. A sparse matrix alone, as
//! `scipy.sparse.save_npz` writes it, is an adjacency too.

use std::borrow::Cow;
use std::path::Path;

use super::scipy;
use crate::bytes::atomic::WriteError;
use crate::bytes::error::ReadError;
use crate::bytes::limits::Limits;
use crate::format::array::npy::{Kind, encode_f32, encode_i64};
use crate::format::array::npz::{Npz, write_npz};
use crate::format::build::classes::number_known_classes;
use crate::format::build::edge_table::settle_directions;
use crate::format::nodes::labels_of_array;
use crate::format::nodes::tables::Content;
use crate::format::options::ReadOptions;
use crate::format::report::{Note, ReadReport};
use crate::format::table::{Holds, Read, Traits, Writer};
use crate::remedy::Change;
use bnpool_graph::Csr;
use bnpool_graph::Features;
use bnpool_graph::GraphError;
use bnpool_graph::transform::remove_self_loops;
use bnpool_graph::{Graph, UNLABELLED};

pub(crate) const FORMAT: Traits = Traits {
    endings: &["npz"],
    starts: |start| {
        let member = start.zip_member();
        member.is_some_and(|name| name.ends_with(b".npy"))
    },
    holds: Holds::WEIGHTS,
    write: Some(Writer::One(write_csr_bundle)),
    ..Traits::of(
        "npz",
        "npz",
        Read::One(|intake, options, report| {
            read_graph(Npz::of_intake(intake)?, options, report).map(Content::Graph)
        }),
    )
};

/// The arrays of a bundle as they are in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct CsrBundle {
    /// The adjacency; without weights if all are 1.
    pub adjacency: Csr,
    /// The node features, if there are some.
    pub features: Option<Features>,
    /// The class of each node and the names of the classes, if there are some.
    pub labels: Option<(Vec<u32>, Vec<String>)>,
}

impl CsrBundle {
    /// Reads the arrays of an open archive.
    ///
    /// # Errors
    ///
    /// When the adjacency is missing, an array has the wrong type or length, an
    /// index is out of range, or a number is not finite.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes.
    pub fn read(npz: &mut Npz, limits: &Limits) -> Result<Self, ReadError> {
        let has = |npz: &Npz, name: &str| npz.names().any(|other| other == name);
        if !has(npz, "adj_indptr")
            && let Some(adjacency) = scipy::read(npz, limits)?
        {
            return Ok(Self {
                adjacency,
                features: None,
                labels: None,
            });
        }
        let adjacency = read_csr(npz, "adj_", limits)?;
        let features = if has(npz, "attr_indptr") {
            Some(read_csr(npz, "attr_", limits)?.into())
        } else if let Some(array) = npz.array("attr_matrix")? {
            Some(array.to_matrix(&npz.path().join("attr_matrix"))?.into())
        } else {
            None
        };
        let labels = match npz.array("labels")? {
            Some(array) => {
                let labels = labels_of_array(&npz.path().join("labels"), &array)?;
                // `convert` writes the number of a label for every node.
                let missing = UNLABELLED.to_string();
                let known = |label: String| (label != missing).then_some(Cow::Owned(label));
                Some(number_known_classes(labels.into_iter().map(known)))
            }
            None => None,
        };
        Ok(Self {
            adjacency,
            features,
            labels,
        })
    }
}

/// Reads a bundle as a graph.
fn read_graph(
    mut npz: Npz,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<Graph, ReadError> {
    let bundle = CsrBundle::read(&mut npz, &options.limits)?;
    let failed = |error| ReadError::graph(npz.path(), error);
    let adjacency = if !options.reads_weights() {
        bundle.adjacency.without_weights()
    } else {
        bundle.adjacency
    };
    if let Some((row, column, weight)) = adjacency.iter().find(|&(.., weight)| weight < 0.0) {
        return Err(ReadError::in_file(
            npz.path(),
            format!("the edge {row} -> {column} has the negative weight {weight}"),
            ("give weights of at least 0", Change::NoWeights),
        ));
    }
    let mut builder = Graph::builder(adjacency);
    if let Some(features) = bundle.features {
        builder = builder.features(features);
    }
    if let Some((classes, names)) = bundle.labels {
        builder = builder.node_labels(classes);
        report.classes = Some(names);
    }
    let mut graph = builder.build().map_err(failed)?;
    let loops = (0..graph.nodes())
        .filter(|&node| graph.adjacency().find(node, node).is_some())
        .count();
    if loops > 0 {
        if options.drop_self_loops {
            graph = remove_self_loops(&graph);
        }
        report.notes.push(Note::SelfLoops {
            count: loops,
            dropped: options.drop_self_loops,
        });
    }
    Ok(settle_directions(
        graph,
        options.directed,
        &mut report.notes,
    ))
}

/// Reads a matrix in compressed rows whose arrays all have this prefix, with
/// unsorted and repeated columns as scipy allows them.
pub(crate) fn read_csr(npz: &mut Npz, prefix: &str, limits: &Limits) -> Result<Csr, ReadError> {
    let shape = read_shape(npz, prefix)?;
    read_compressed(npz, prefix, shape, limits)
}

/// Rows and columns.
pub(super) fn read_shape(npz: &mut Npz, prefix: &str) -> Result<[usize; 2], ReadError> {
    let shape: Vec<usize> = read_indices(npz, &format!("{prefix}shape"))?;
    <[usize; 2]>::try_from(shape).map_err(|shape| {
        ReadError::in_file(
            npz.path().join(format!("{prefix}shape")),
            format!("{} numbers are no shape of a matrix", shape.len()),
            "give rows and columns",
        )
    })
}

/// As [`read_csr`], with the number of offsets and of indices they count.
pub(super) fn read_compressed(
    npz: &mut Npz,
    prefix: &str,
    [rows, columns_count]: [usize; 2],
    limits: &Limits,
) -> Result<Csr, ReadError> {
    let shape_path = npz.path().join(format!("{prefix}shape"));
    let offsets: Vec<usize> = read_indices(npz, &format!("{prefix}indptr"))?;
    let columns: Vec<u32> = read_indices(npz, &format!("{prefix}indices"))?;
    let bytes = 8 * (offsets.len() + columns.len());
    limits.check_announced(&shape_path, "columns", columns_count as u64, bytes)?;
    let weights = read_weights(npz, &format!("{prefix}data"), columns.len())?;
    let path = npz.path();
    let weights = weights
        .iter()
        .any(|&weight| weight != 1.0)
        .then_some(weights);
    compressed(rows, columns_count, offsets, columns, weights)
        .map(without_ones)
        .map_err(|error| ReadError::graph(path, error))
}

/// A matrix in compressed rows, whose columns may stand in any order and be repeated.
pub(crate) fn compressed(
    rows: usize,
    columns_count: usize,
    offsets: Vec<usize>,
    columns: Vec<u32>,
    weights: Option<Vec<f32>>,
) -> Result<Csr, GraphError> {
    let fits = weights
        .as_ref()
        .is_none_or(|weights| weights.len() == columns.len());
    if !fits || rows.checked_add(1) != Some(offsets.len()) || is_sorted(&offsets, &columns) {
        return Csr::new(rows, columns_count, offsets, columns, weights);
    }
    let entries = (0..rows as u32).flat_map(|row| {
        let range = offsets[row as usize]..offsets[row as usize + 1];
        range.map(move |entry| (row, entry))
    });
    let weight = |entry: usize| weights.as_ref().map_or(1.0, |weights| weights[entry]);
    let entries = entries.map(|(row, entry)| (row, columns[entry], weight(entry)));
    Csr::from_entries(rows, columns_count, entries)
}

/// The matrix without weights if all of them are 1.
pub(super) fn without_ones(matrix: Csr) -> Csr {
    let all_ones = matrix.iter().all(|(.., weight)| weight == 1.0);
    if all_ones {
        matrix.without_weights()
    } else {
        matrix
    }
}

/// Whether the columns rise strictly in every row; also true where the offsets
/// make no sense, which is for the checks of [`Csr::new`] to say.
fn is_sorted(offsets: &[usize], columns: &[u32]) -> bool {
    let good = offsets.first() == Some(&0)
        && offsets.last() == Some(&columns.len())
        && offsets.is_sorted();
    !good
        || offsets
            .windows(2)
            .all(|bounds| columns[bounds[0]..bounds[1]].is_sorted_by(|a, b| a < b))
}

/// A list of whole numbers that are not negative, never held in the type of the
/// file, which is often wider.
pub(super) fn read_indices<T: TryFrom<i64>>(
    npz: &mut Npz,
    name: &str,
) -> Result<Vec<T>, ReadError> {
    let path = npz.path().join(name);
    let (list, count) = npz.list(name)?;
    let dtype = list.dtype;
    let refuse = || {
        ReadError::in_file(
            &path,
            format!("the array of type {dtype} holds more than indices"),
            "give whole numbers that are not negative",
        )
    };
    if matches!(dtype.kind, Kind::Float | Kind::Bool) {
        return Err(refuse());
    }
    let mut indices = Vec::new();
    indices.reserve_exact(count);
    list.read(|piece| {
        for number in piece.to_i64().ok_or_else(refuse)? {
            if number < 0 {
                return Err(refuse());
            }
            indices.push(T::try_from(number).map_err(|_| {
                ReadError::in_file(
                    &path,
                    format!("the index {number} exceeds 32 bits"),
                    "check that this is the right file",
                )
            })?);
        }
        Ok(())
    })?;
    Ok(indices)
}

/// A list of `expected` numbers.
pub(super) fn read_weights(
    npz: &mut Npz,
    name: &str,
    expected: usize,
) -> Result<Vec<f32>, ReadError> {
    let path = npz.path().join(name);
    let (list, count) = npz.list(name)?;
    let (shape, dtype) = (list.shape().to_vec(), list.dtype);
    let refuse = || {
        ReadError::in_file(
            &path,
            format!("shape {shape:?} and type {dtype} do not fit {expected} indices"),
            "give one number an index",
        )
    };
    if shape != [expected] {
        return Err(refuse());
    }
    let mut weights = Vec::new();
    weights.reserve_exact(count);
    list.read(|piece| {
        weights.extend(piece.to_f32().ok_or_else(refuse)?);
        Ok(())
    })?;
    Ok(weights)
}

/// Writes a graph as a bundle, whole or not at all: adjacency, features (dense
/// ones as `attr_matrix`) and labels, as class numbers.
///
/// Edge features, targets and node ids have no place in a bundle.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_csr_bundle(path: &Path, graph: &Graph) -> Result<(), WriteError> {
    let names = ["adj_data", "adj_indices", "adj_indptr", "adj_shape"];
    let mut arrays: Vec<(&str, Vec<u8>)> = Vec::new();
    arrays.extend(names.into_iter().zip(encode_csr(graph.adjacency())));
    match graph.features() {
        Features::Sparse(matrix) => {
            let names = ["attr_data", "attr_indices", "attr_indptr", "attr_shape"];
            arrays.extend(names.into_iter().zip(encode_csr(matrix)));
        }
        Features::Dense(matrix) if matrix.columns() > 0 => {
            let shape = [matrix.rows(), matrix.columns()];
            arrays.push(("attr_matrix", encode_f32(&shape, matrix.as_slice())));
        }
        Features::Dense(_) => {}
    }
    if let Some(labels) = graph.node_labels() {
        let labels: Vec<_> = labels.iter().map(|&label| i64::from(label)).collect();
        arrays.push(("labels", encode_i64(&[labels.len()], &labels)));
    }
    write_npz(path, &arrays)
}

/// Data, indices, offsets and shape.
fn encode_csr(matrix: &Csr) -> [Vec<u8>; 4] {
    let ones;
    let weights = match matrix.weights() {
        Some(weights) => weights,
        None => {
            ones = vec![1.0; matrix.entries()];
            &ones
        }
    };
    let columns: Vec<_> = matrix
        .columns()
        .iter()
        .map(|&column| i64::from(column))
        .collect();
    let offsets: Vec<_> = matrix
        .offsets()
        .iter()
        .map(|&offset| offset as i64)
        .collect();
    let shape = [matrix.rows() as i64, matrix.columns_count() as i64];
    [
        encode_f32(&[weights.len()], weights),
        encode_i64(&[columns.len()], &columns),
        encode_i64(&[offsets.len()], &offsets),
        encode_i64(&[2], &shape),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::npz::encode_npz;
    use bnpool_graph::Matrix;

    fn open(arrays: &[(&str, Vec<u8>)]) -> Result<CsrBundle, ReadError> {
        let bytes = encode_npz(arrays).unwrap();
        let mut npz = Npz::from_bytes("g.npz", bytes, &Limits::default())?;
        CsrBundle::read(&mut npz, &Limits::default())
    }

    fn bundle(
        offsets: &[i64],
        columns: &[i64],
        data: &[f32],
        shape: &[i64],
    ) -> Result<CsrBundle, ReadError> {
        open(&[
            ("adj_data", encode_f32(&[data.len()], data)),
            ("adj_indices", encode_i64(&[columns.len()], columns)),
            ("adj_indptr", encode_i64(&[offsets.len()], offsets)),
            ("adj_shape", encode_i64(&[shape.len()], shape)),
        ])
    }

    #[test]
    fn graphs_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.npz");
        let edges = Csr::from_weighted_edges(2, [(0, 1, 0.5), (1, 0, 0.5)]).unwrap();
        let words = Csr::from_entries(2, 9, [(1, 8, 2.0), (0, 3, 1.0)]).unwrap();
        let sparse = Graph::builder(edges)
            .features(words)
            .node_labels(vec![1, 0])
            .build()
            .unwrap();
        let dense = Matrix::from_rows([[1.0, 2.0], [3.0, 4.0]]).unwrap();
        let dense = sparse
            .clone()
            .into_builder()
            .features(dense)
            .build()
            .unwrap();
        for graph in [sparse, dense] {
            write_csr_bundle(&path, &graph).unwrap();
            let npz = Npz::open(&path, &Limits::default()).unwrap();
            let mut report = ReadReport::default();
            let read = read_graph(npz, &ReadOptions::default(), &mut report).unwrap();
            assert_eq!(read, graph);
            assert_eq!(
                report.classes.as_deref(),
                Some(&["0".into(), "1".into()][..])
            );
        }
    }

    #[test]
    fn nodes_without_a_label_stay_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.npz");
        let edges = Csr::from_edges(3, [(0, 1), (1, 0), (1, 2), (2, 1)]).unwrap();
        let labels = vec![1, UNLABELLED, 0];
        let graph = Graph::builder(edges).node_labels(labels).build().unwrap();
        write_csr_bundle(&path, &graph).unwrap();
        let npz = Npz::open(&path, &Limits::default()).unwrap();
        let mut report = ReadReport::default();
        let read = read_graph(npz, &ReadOptions::default(), &mut report).unwrap();
        assert_eq!(read, graph);
        assert_eq!(report.classes.unwrap(), ["0", "1"]);
    }

    #[test]
    fn unsorted_and_repeated_columns_are_mended() {
        let unsorted = bundle(&[0, 2, 3], &[1, 0, 0], &[1.0, 1.0, 1.0], &[2, 2]).unwrap();
        assert_eq!(
            unsorted.adjacency,
            Csr::from_edges(2, [(0, 0), (0, 1), (1, 0)]).unwrap()
        );
        let repeated = bundle(&[0, 2, 2], &[1, 1], &[1.0, 2.0], &[2, 2]).unwrap();
        assert_eq!(repeated.adjacency.weights(), Some(&[3.0][..]));
    }

    #[test]
    fn wrong_parts_are_named() {
        let refusal = |offsets: &[i64], columns: &[i64], data: &[f32], shape: &[i64]| {
            bundle(offsets, columns, data, shape)
                .unwrap_err()
                .to_string()
        };
        for (message, expected) in [
            (
                refusal(&[0, 1, 1], &[2], &[1.0], &[2, 2]),
                "is out of range",
            ),
            (
                refusal(&[0, 9, 1], &[1], &[1.0], &[2, 2]),
                "fall from 9 to 1",
            ),
            (
                refusal(&[0, 1], &[1], &[1.0], &[2, 2]),
                "offsets hold 2 values, but 2 rows",
            ),
            (
                refusal(&[0, 1, 1], &[-1], &[1.0], &[2, 2]),
                "holds more than indices",
            ),
            (
                refusal(&[0, 1, 1], &[1], &[], &[2, 2]),
                "do not fit 1 indices",
            ),
            (
                refusal(&[0, 1, 1], &[1], &[f32::NAN], &[2, 2]),
                "is not a finite",
            ),
            (
                refusal(&[0, 1, 1], &[1], &[1.0], &[2]),
                "no shape of a matrix",
            ),
            (
                refusal(&[0, 1, 1], &[1], &[1.0], &[2, 4_000_000_000]),
                "announcement of 4000000000 columns",
            ),
            (
                refusal(&[0, 1, 1], &[1], &[1.0], &[i64::MAX, 2]),
                "9223372036854775807 rows are too many",
            ),
            (
                refusal(&[0, 1, 1], &[9_999_999_999], &[1.0], &[2, 2]),
                "exceeds 32 bits",
            ),
            (
                open(&[]).unwrap_err().to_string(),
                "there is no array `adj_shape`",
            ),
        ] {
            assert!(message.contains(expected), "{message}");
        }
    }
}
