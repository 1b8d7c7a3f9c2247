//! TU sets, as the paper and the authors take them.

use super::entry::Entry;
use super::files::{damaged, read_numbers};
use super::load::LoadOptions;
use super::locate::Place;
use crate::format::tu::{TuCoding, TuOptions, read_tu};
use crate::format::{ReadError, Source};
use bnpool_graph::{Graph, GraphError, Matrix, Target};

/// The graphs of a TU set, their coding and the names of their classes.
pub(super) fn read_tu_set(
    entry: &Entry,
    place: &Place,
    options: &LoadOptions,
) -> Result<(Vec<Graph>, TuCoding, Vec<String>), ReadError> {
    let colours = entry.name == "colors-3";
    let keep = match &place.keep {
        Some(list) => {
            let list = read_numbers(&Source::open(list, &options.limits)?, 1)?;
            Some(list.into_iter().map(|graph| graph as usize).collect())
        }
        None => None,
    };
    let tu_options = TuOptions {
        node_attributes: options.node_attributes || colours,
        drop_first_attribute: colours && !options.attention_column,
        keep,
        limits: options.limits,
        ..TuOptions::default()
    };
    let set = read_tu(&place.path, &tu_options)?;
    if !colours {
        return Ok((set.graphs, set.coding, set.classes.unwrap_or_default()));
    }
    let refused = |error| ReadError::graph(&place.path, error);
    let mut graphs = Vec::with_capacity(set.graphs.len());
    let mut classes = 0;
    for graph in set.graphs {
        let class = green_nodes(&graph).ok_or_else(|| {
            let problem = "a graph attribute is not the number of green nodes";
            damaged(&place.path, problem)
        })?;
        classes = classes.max(class as usize + 1);
        let graph = graph.into_builder().target(Target::Class(class)).build();
        graphs.push(graph.map_err(refused)?);
    }
    let names = (0..classes).map(|class| class.to_string()).collect();
    Ok((graphs, set.coding, names))
}

/// COLORS-3 has its class among the graph attributes, as a real number.
fn green_nodes(graph: &Graph) -> Option<u32> {
    match graph.target()? {
        Target::Values(values) => match values.as_slice() {
            [count] if (0.0..=1e6).contains(count) && count.fract() == 0.0 => Some(*count as u32),
            _ => None,
        },
        Target::Class(class) => Some(*class),
    }
}

/// A graph that was made without the first column of its features.
pub(super) fn drop_first_feature(graph: Graph) -> Result<Graph, GraphError> {
    let features = graph.features().to_dense();
    let width = features.columns().saturating_sub(1);
    let rows = (0..features.rows()).flat_map(|u| features.row(u).iter().skip(1));
    let features = Matrix::new(features.rows(), width, rows.copied().collect())?;
    graph.into_builder().features(features).build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::Csr;

    #[test]
    fn the_first_feature_goes() {
        let graph = Graph::builder(Csr::from_edges(2, []).unwrap())
            .features(Matrix::from_rows([[1.0, 2.0], [3.0, 4.0]]).unwrap())
            .target(Target::Values(vec![3.0]))
            .build()
            .unwrap();
        assert_eq!(green_nodes(&graph), Some(3));
        let fewer = drop_first_feature(graph).unwrap();
        assert_eq!(fewer.features().to_dense().as_slice(), [2.0, 4.0]);
    }
}
