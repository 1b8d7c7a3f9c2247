//! The citation networks of Planetoid: eight files each, pickled by Python 2.
//!
//! `allx` and `ally` hold features and one-hot classes of all nodes but the test
//! nodes, `tx` and `ty` those of the test nodes in the order of `test.index`,
//! `graph` the neighbours of each node. In CiteSeer some test nodes stand in no
//! file: they are isolated, without features, and of class 0, as all loaders
//! have it.

use std::path::Path;

use super::files::{damaged, refuse_pickle};
use crate::format::{Limits, ReadError, Source};
use crate::pickle::Pickle;
use bnpool_graph::transform::undirect;
use bnpool_graph::{Csr, Graph};

/// Reads the set of a name from the folder that holds its files.
pub(super) fn read_planetoid(
    folder: &Path,
    name: &str,
    limits: &Limits,
) -> Result<(Graph, usize), ReadError> {
    let open = |part: &str| Source::open(folder.join(format!("ind.{name}.{part}")), limits);
    let test_nodes = read_test_nodes(&open("test.index")?)?;
    let [known, test] = [read_matrix(&open("allx")?)?, read_matrix(&open("tx")?)?];
    let [known_labels, test_labels] = [read_one_hot(&open("ally")?)?, read_one_hot(&open("ty")?)?];

    let contradict = |what: &str| {
        let problem = format!("{what} contradict the other files of the set");
        damaged(&folder.join(format!("ind.{name}.*")), problem)
    };
    let width = known.columns_count();
    if test.columns_count() != width || known_labels.classes != test_labels.classes {
        return Err(contradict("the numbers of features or classes"));
    }
    if known_labels.labels.len() != known.rows()
        || test_labels.labels.len() != test.rows()
        || test_nodes.len() != test.rows()
    {
        return Err(contradict("the numbers of nodes"));
    }
    // Test nodes follow the others; gaps among them are nodes of no file.
    let nodes = test_nodes.iter().max().map_or(0, |&last| last + 1);
    let nodes = nodes.max(known.rows());
    if nodes > known.rows() + 2 * test_nodes.len() + 1000 {
        return Err(contradict("the numbers of the test nodes"));
    }
    let mut sources: Vec<Option<(&Csr, usize)>> = vec![None; nodes];
    let mut labels = known_labels.labels;
    labels.resize(nodes, 0);
    for (row, source) in sources.iter_mut().enumerate().take(known.rows()) {
        *source = Some((&known, row));
    }
    for (row, &node) in test_nodes.iter().enumerate() {
        if node < known.rows() || sources[node].is_some() {
            return Err(contradict("the numbers of the test nodes"));
        }
        sources[node] = Some((&test, row));
        labels[node] = test_labels.labels[row];
    }
    let features = gather_rows(&sources, width).map_err(|e| ReadError::graph(folder, e))?;
    drop((known, test));
    let graph_file = open("graph")?;
    let path = graph_file.path();
    let edges = read_edges(&graph_file)?;
    let adjacency = Csr::from_edges(nodes, edges).map_err(|e| ReadError::graph(path, e))?;
    let graph = Graph::builder(adjacency)
        .features(features)
        .node_labels(labels)
        .build()
        .map_err(|e| ReadError::graph(path, e))?;
    Ok((undirect(&graph), known_labels.classes))
}

fn unexpected(source: &Source, what: &str) -> ReadError {
    damaged(source.path(), format!("this is not {what}"))
}

fn read_test_nodes(source: &Source) -> Result<Vec<usize>, ReadError> {
    let numbers = super::files::read_numbers(source, 1)?;
    Ok(numbers.into_iter().map(|node| node as usize).collect())
}

fn read_matrix(source: &Source) -> Result<Csr, ReadError> {
    let pickle = Pickle::parse(source.bytes()).map_err(refuse_pickle(source.path()))?;
    let matrix = pickle.root().as_csr();
    let matrix = matrix.ok_or_else(|| unexpected(source, "a sparse matrix"))?;
    matrix.map_err(refuse_pickle(source.path()))
}

struct Labels {
    labels: Vec<u32>,
    classes: usize,
}

fn read_one_hot(source: &Source) -> Result<Labels, ReadError> {
    let pickle = Pickle::parse(source.bytes()).map_err(refuse_pickle(source.path()))?;
    let array = pickle.root().as_array();
    let array = array.ok_or_else(|| unexpected(source, "an array"))?;
    let &[_, classes] = array.shape() else {
        return Err(unexpected(source, "a matrix of classes"));
    };
    let values = array.to_f32().map_err(refuse_pickle(source.path()))?;
    if classes == 0 || u32::try_from(classes).is_err() {
        return Err(unexpected(source, "a matrix of classes"));
    }
    // The first of the largest values; a row of zeros is class 0.
    let label = |row: &[f32]| {
        let first_largest =
            |best: usize, next: usize| if row[next] > row[best] { next } else { best };
        (1..classes).fold(0, first_largest) as u32
    };
    let labels = values.chunks_exact(classes).map(label).collect();
    Ok(Labels { labels, classes })
}

/// All edges, in both directions as listed, without self-loops.
fn read_edges(source: &Source) -> Result<Vec<(u32, u32)>, ReadError> {
    let pickle = Pickle::parse(source.bytes()).map_err(refuse_pickle(source.path()))?;
    let wrong = || unexpected(source, "a dictionary of lists of neighbours");
    let node = |value: Option<i64>| {
        let node = value.and_then(|value| u32::try_from(value).ok());
        node.ok_or_else(wrong)
    };
    let mut edges = Vec::with_capacity(source.bytes().len() / 4);
    // A list named many times over must not make more edges than the file has
    // bytes.
    let limit = source.bytes().len();
    for (key, neighbours) in pickle.root().entries().ok_or_else(wrong)? {
        let u = node(key.as_int())?;
        let neighbours = neighbours.items().ok_or_else(wrong)?;
        if edges.len() + neighbours.len() > limit {
            return Err(wrong());
        }
        for neighbour in neighbours {
            let v = node(neighbour.as_int())?;
            if u != v {
                edges.push((u, v));
            }
        }
    }
    Ok(edges)
}

/// A matrix of rows from several others; `None` gives an empty row.
fn gather_rows(
    sources: &[Option<(&Csr, usize)>],
    width: usize,
) -> Result<Csr, bnpool_graph::GraphError> {
    let entries = |(matrix, row): &(&Csr, usize)| matrix.degree(*row);
    let total = sources.iter().flatten().map(entries).sum();
    let mut offsets = Vec::with_capacity(sources.len() + 1);
    let (mut columns, mut weights) = (Vec::with_capacity(total), Vec::with_capacity(total));
    offsets.push(0);
    for source in sources {
        if let Some((matrix, row)) = source {
            columns.extend_from_slice(matrix.row(*row));
            match matrix.row_weights(*row) {
                Some(values) => weights.extend_from_slice(values),
                None => weights.resize(columns.len(), 1.0),
            }
        }
        offsets.push(columns.len());
    }
    // Bags of words need no weights.
    let weights = weights
        .iter()
        .any(|&weight| weight != 1.0)
        .then_some(weights);
    Csr::new(sources.len(), width, offsets, columns, weights)
}
