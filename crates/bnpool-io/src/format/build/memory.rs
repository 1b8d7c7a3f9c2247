//! Edges that are in memory already, treated as those of a file.

use std::path::Path;

use super::edge_table::{EdgeTable, NodeIds};
use crate::bytes::error::ReadError;
use crate::format::options::ReadOptions;
use crate::format::report::Note;
use crate::remedy::Change;
use bnpool_graph::Graph;
use bnpool_graph::GraphError;

/// The graph of `nodes` nodes with these edges, and what was decided on the way.
///
/// Edges in memory give the same graph as an edge list of the same edges:
/// repeated ones are merged and their weights added up, self-loops and directions
/// are treated as the options say. Weights that are all 1 are none. `name` says in
/// messages where the edges came from.
///
/// # Errors
///
/// When an edge names a node that does not exist, there is not a weight for each,
/// or a weight is negative or not finite.
///
/// # Complexity
///
/// Time E log E in the number E of edges.
///
/// ```
/// use bnpool_io::format::{ReadOptions, graph_of_edges};
///
/// let edges = vec![(0, 1), (1, 2), (1, 2)];
/// let (graph, _) = graph_of_edges("edges", 4, edges, None, &ReadOptions::default())?;
/// assert_eq!((graph.nodes(), graph.edges()), (4, 4));
/// # Ok::<(), bnpool_io::format::ReadError>(())
/// ```
pub fn graph_of_edges(
    name: &str,
    nodes: usize,
    edges: Vec<(u32, u32)>,
    weights: Option<Vec<f32>>,
    options: &ReadOptions,
) -> Result<(Graph, Vec<Note>), ReadError> {
    let path = Path::new(name);
    let weights = weights.filter(|_| options.reads_weights());
    if let Some(weights) = &weights {
        check_weights(path, &edges, weights)?;
    }
    let table = EdgeTable {
        ids: NodeIds::Range(nodes),
        edges,
        weights: weights.filter(|weights| weights.iter().any(|&weight| weight != 1.0)),
    };
    let mut notes = Vec::new();
    let graph = table.into_graph(path, options, &mut notes)?;
    Ok((graph, notes))
}

fn check_weights(path: &Path, edges: &[(u32, u32)], weights: &[f32]) -> Result<(), ReadError> {
    if weights.len() != edges.len() {
        return Err(ReadError::graph(
            path,
            GraphError::CountMismatch {
                what: "weights",
                found: weights.len(),
                expected: edges.len(),
                owners: "edges",
            },
        ));
    }
    let odd = |weight: &f32| !weight.is_finite() || *weight < 0.0;
    match weights.iter().position(odd) {
        None => Ok(()),
        Some(place) => Err(ReadError::in_file(
            path,
            format!(
                "the edge {} -> {} has the weight {}, which {}",
                edges[place].0,
                edges[place].1,
                weights[place],
                if weights[place] < 0.0 {
                    "is negative, and signed weights are not supported"
                } else {
                    "is not finite"
                }
            ),
            ("give finite weights of at least 0", Change::NoWeights),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(u32, u32)], weights: Option<&[f32]>) -> Result<Graph, ReadError> {
        let weights = weights.map(<[f32]>::to_vec);
        let options = ReadOptions::default();
        graph_of_edges("edges", 3, edges.to_vec(), weights, &options).map(|read| read.0)
    }

    #[test]
    fn edges_in_memory_are_those_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("e.csv");
        std::fs::write(&path, "0,1,2\n1,2,0.5\n1,2,1\n2,2,1\n").unwrap();
        let (read, _) = crate::format::read_graph(&path, &ReadOptions::default()).unwrap();
        let weights = [2.0, 0.5, 1.0, 1.0];
        let made = graph(&[(0, 1), (1, 2), (1, 2), (2, 2)], Some(&weights)).unwrap();
        assert_eq!(made, read);
        let plain = graph(&[(0, 1)], Some(&[1.0])).unwrap();
        assert_eq!(plain.adjacency().weights(), None);
    }

    #[test]
    fn odd_weights_are_refused() {
        for weights in [&[-1.0][..], &[f32::NAN], &[f32::INFINITY], &[1.0, 2.0]] {
            let error = graph(&[(0, 1)], Some(weights)).unwrap_err().to_string();
            assert!(error.starts_with("edges: "), "{error}");
        }
        assert!(graph(&[(0, 3)], None).is_err());
    }
}
