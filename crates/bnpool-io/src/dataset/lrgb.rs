//! Peptides of the Long Range Graph Benchmark: three files of PyTorch.
//!
//! Each is a list of tuples: features of the atoms, features of the bonds, ends
//! of the bonds (both ways) and the numbers to regress on.

use std::path::{Path, PathBuf};

use super::files::{Files, damaged, refuse_pickle};
use super::tensors::{adjacency_with_features, matrix};
use crate::format::{Limits, ReadError};
use crate::pickle::{Tensor, TorchFile, Value};
use bnpool_graph::split::Split;
use bnpool_graph::{Graph, Target};

/// The peptides, and the official split.
pub(super) fn read_peptides(
    path: &Path,
    limits: &Limits,
) -> Result<(Vec<Graph>, Split), ReadError> {
    let mut files = Files::open(path, limits)?;
    let mut graphs = Vec::new();
    let mut split = Split::default();
    for (name, part) in [
        ("train.pt", &mut split.train),
        ("val.pt", &mut split.validation),
        ("test.pt", &mut split.test),
    ] {
        let source = files.read(name)?;
        let path = source.path().to_path_buf();
        let file = TorchFile::from_bytes(&path, source.into_bytes(), limits)?;
        let first = graphs.len();
        read_part(&path, &file, &mut graphs)?;
        part.extend(first..graphs.len());
    }
    Ok((graphs, split))
}

fn read_part(path: &PathBuf, file: &TorchFile, graphs: &mut Vec<Graph>) -> Result<(), ReadError> {
    let pickle = file.pickle().map_err(refuse_pickle(path))?;
    let wrong = || damaged(path, "this is not a list of graphs, each of four tensors");
    for graph in pickle.root().items().ok_or_else(wrong)? {
        let parts: Option<Vec<Tensor<'_>>> = graph
            .items()
            .ok_or_else(wrong)?
            .take(5)
            .map(Value::as_tensor)
            .collect();
        let Some(&[atoms, bonds, ends, target]) = parts.as_deref() else {
            return Err(wrong());
        };
        let features = matrix(path, file, atoms)?;
        let bonds = matrix(path, file, bonds)?;
        let (adjacency, bonds) =
            adjacency_with_features(path, file, features.rows(), ends, Some(&bonds))?;
        let target = target.to_f32(file).map_err(refuse_pickle(path))?;
        let graph = Graph::builder(adjacency)
            .features(features)
            .edge_features(bonds)
            .target(Target::Values(target))
            .build();
        graphs.push(graph.map_err(|error| ReadError::graph(path, error))?);
    }
    Ok(())
}
