//! The Multipartite set: as published, or as a table of parts.

use std::path::Path;

use bnpool_math::memory::bytes_of;

use super::files::{damaged, integers, refuse_pickle, wrong_array};
use super::tensors::{adjacency_with_features, matrix};
use crate::format::npz::Npz;
use crate::format::{Limits, ReadError};
use crate::pickle::{TorchFile, Value};
use bnpool_graph::generate::complete_between_parts;
use bnpool_graph::{Graph, GraphError, Matrix, Target};

/// Reads either form, by the ending of the name.
pub(super) fn read_multipartite(path: &Path, limits: &Limits) -> Result<Vec<Graph>, ReadError> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("npz") => read_parts(path, limits),
        _ => read_objects(path, limits),
    }
}

/// A PyTorch file of a list of PyTorch Geometric's `Data` objects.
fn read_objects(path: &Path, limits: &Limits) -> Result<Vec<Graph>, ReadError> {
    let file = TorchFile::open(path, limits)?;
    let pickle = file.pickle().map_err(refuse_pickle(path))?;
    let wrong = || {
        let problem = "this is not a list of graphs with `x`, `edge_index` and `y`";
        damaged(path, problem)
    };
    let mut graphs = Vec::new();
    for graph in pickle.root().items().ok_or_else(wrong)? {
        // Newer objects keep their tensors in a store, older ones themselves.
        let store = graph.get("_store").and_then(|store| store.get("_mapping"));
        let store = store.unwrap_or(graph);
        let tensor = |name| store.get(name).and_then(Value::as_tensor).ok_or_else(wrong);
        let features = matrix(path, &file, tensor("x")?)?;
        let ends = tensor("edge_index")?;
        let (adjacency, _) = adjacency_with_features(path, &file, features.rows(), ends, None)?;
        let class = tensor("y")?.to_i64(&file).map_err(refuse_pickle(path))?;
        let &[class] = class.as_slice() else {
            return Err(wrong());
        };
        let class = u32::try_from(class).map_err(|_| wrong())?;
        let graph = Graph::builder(adjacency)
            .features(features)
            .target(Target::Class(class))
            .build();
        graphs.push(graph.map_err(|error| ReadError::graph(path, error))?);
    }
    Ok(graphs)
}

/// An npz of part sizes, positions, part numbers and classes.
fn read_parts(path: &Path, limits: &Limits) -> Result<Vec<Graph>, ReadError> {
    let mut npz = Npz::open(path, limits)?;
    let wrong = |name: &str| wrong_array(path, name);
    let sizes = npz.required("part_sizes")?;
    let &[count, parts] = sizes.shape.as_slice() else {
        return Err(wrong("part_sizes"));
    };
    let sizes = sizes.data.to_i64().ok_or_else(|| wrong("part_sizes"))?;
    let places = npz.required("pos")?.to_matrix(path)?;
    let part = integers(&mut npz, "part")?;
    let classes = integers(&mut npz, "y")?;
    if parts == 0 || places.columns() != 2 || places.rows() != part.len() || classes.len() != count
    {
        return Err(wrong("pos"));
    }
    let mut graphs = Vec::with_capacity(count);
    let mut start = 0;
    for (sizes, class) in sizes.chunks_exact(parts).zip(classes) {
        let size = |&size: &i64| usize::try_from(size).map_err(|_| wrong("part_sizes"));
        let sizes: Vec<usize> = sizes.iter().map(size).collect::<Result<_, _>>()?;
        let nodes = sizes
            .iter()
            .try_fold(0_usize, |sum, &size| sum.checked_add(size));
        let nodes = nodes.filter(|nodes| *nodes <= part.len() - start);
        let nodes = nodes.ok_or_else(|| wrong("part_sizes"))?;
        let expected = (0_i64..).zip(&sizes);
        let expected = expected.flat_map(|(j, &size)| std::iter::repeat_n(j, size));
        if !expected.eq(part[start..start + nodes].iter().copied()) {
            return Err(wrong("part"));
        }
        // Few sizes make many edges.
        let what = format!("a graph of {nodes} nodes that are joined across parts");
        limits.check_memory(path, &what, bytes_of::<u32>(&[nodes, nodes]))?;
        let row = |node: usize| {
            let place = places.row(node);
            [place[0], place[1], part[node] as f32]
        };
        let class = u32::try_from(class).map_err(|_| wrong("y"))?;
        let build = || -> Result<Graph, GraphError> {
            let features = (start..start + nodes).flat_map(row).collect();
            Graph::builder(complete_between_parts(&sizes))
                .features(Matrix::new(nodes, 3, features)?)
                .target(Target::Class(class))
                .build()
        };
        graphs.push(build().map_err(|error| ReadError::graph(path, error))?);
        start += nodes;
    }
    if start != part.len() {
        return Err(wrong("part_sizes"));
    }
    Ok(graphs)
}
