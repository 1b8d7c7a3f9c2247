//! A dense adjacency matrix in a `.npy` array.
//!
//! The array is square; an entry that is not 0 is an edge from its row to its
//! column, and its value the weight. Nodes are numbered from 0.

use bnpool_math::memory::bytes_of;

use crate::bytes::error::ReadError;
use crate::bytes::source::Source;
use crate::format::array::npy::Npy;
use crate::format::build::edge_table::{EdgeTable, NodeIds};
use crate::format::nodes::ARRAY_MAGIC;
use crate::format::nodes::tables::Content;
use crate::format::options::ReadOptions;
use crate::format::table::{Holds, Read, Traits};
use bnpool_graph::GraphError;

pub(crate) const FORMAT: Traits = Traits {
    endings: &["npy"],
    starts: |start| start.bytes().starts_with(ARRAY_MAGIC),
    holds: Holds::WEIGHTS,
    ..Traits::of(
        "npy",
        "npy",
        Read::One(|intake, options, report| {
            let path = intake.path().to_owned();
            let table = read(intake.into_source()?, options)?;
            let graph = table.into_graph(&path, options, &mut report.notes)?;
            Ok(Content::Graph(graph))
        }),
    )
};

/// Reads the entries of a matrix that are not zero as edges.
fn read(source: Source, options: &ReadOptions) -> Result<EdgeTable, ReadError> {
    let path = source.path().to_owned();
    let array = Npy::parse(&path, source.bytes())?;
    drop(source);
    let &[nodes, columns] = &array.shape[..] else {
        return Err(not_square(&path, &array.shape));
    };
    if nodes != columns {
        return Err(not_square(&path, &array.shape));
    }
    GraphError::check_limit("nodes", nodes).map_err(|error| ReadError::graph(&path, error))?;
    let copy = bytes_of::<f32>(&[nodes, nodes]);
    let limits = &options.limits;
    limits.check_memory(&path, "a dense matrix", copy)?;
    let dtype = array.dtype;
    let values = array.data.to_f32().ok_or_else(|| {
        ReadError::in_file(
            &path,
            format!("elements of type {dtype} are not numbers"),
            "save a matrix of numbers",
        )
    })?;
    drop(array);
    let count = values.iter().filter(|&&value| value != 0.0).count();
    limits.check_memory(&path, "its edges", bytes_of::<u32>(&[count, 3]))?;
    let mut edges = Vec::with_capacity(count);
    let mut weights = Vec::with_capacity(count);
    for (row, cells) in values.chunks_exact(nodes.max(1)).enumerate() {
        for (column, &weight) in cells.iter().enumerate() {
            if weight == 0.0 {
                continue;
            }
            if !(weight.is_finite() && weight > 0.0) {
                return Err(ReadError::in_file(
                    &path,
                    format!(
                        "the cell {weight} in row {row}, column {column} of a matrix is not a \
                         finite number of at least 0"
                    ),
                    "write 0 for no edge",
                ));
            }
            edges.push((row as u32, column as u32));
            weights.push(weight);
        }
    }
    let weighted = options.reads_weights() && weights.iter().any(|&weight| weight != 1.0);
    Ok(EdgeTable {
        ids: NodeIds::Range(nodes),
        edges,
        weights: weighted.then_some(weights),
    })
}

fn not_square(path: &std::path::Path, shape: &[usize]) -> ReadError {
    ReadError::in_file(
        path,
        format!("an array of shape {shape:?} is no adjacency matrix"),
        "save a square matrix, or pairs of nodes as text: \
         numpy.savetxt(\"edges.csv\", pairs, fmt=\"%d\", delimiter=\",\")",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Limits;
    use crate::format::npy::encode_f32;

    fn parse(shape: &[usize], values: &[f32]) -> Result<EdgeTable, ReadError> {
        let bytes = encode_f32(shape, values);
        let source = Source::from_bytes("a.npy", bytes, &Limits::default())?;
        read(source, &ReadOptions::default())
    }

    #[test]
    fn entries_are_edges() {
        let table = parse(&[2, 2], &[0.0, 2.0, 1.0, 0.0]).unwrap();
        assert_eq!(table.ids, NodeIds::Range(2));
        assert_eq!(table.edges, [(0, 1), (1, 0)]);
        assert_eq!(table.weights, Some(vec![2.0, 1.0]));
        assert_eq!(parse(&[2, 2], &[0.0, 1.0, 1.0, 0.0]).unwrap().weights, None);
    }

    #[test]
    fn anything_else_is_refused() {
        for (shape, values, message) in [
            (&[4][..], &[0.0; 4][..], "shape [4] is no adjacency matrix"),
            (&[2, 1], &[0.0; 2], "numpy.savetxt"),
            (
                &[2, 2],
                &[0.0, -1.0, 0.0, 0.0],
                "the cell -1 in row 0, column 1",
            ),
            (&[1, 1], &[f32::NAN], "the cell NaN in row 0"),
        ] {
            let error = parse(shape, values).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
