//! Drawings of the clusters of a graph.

use bnpool_graph::Graph;

use super::Drawing;
use crate::chart::{Network, NetworkNode};
use crate::layout::{edges_among, fit, force_directed, node_name, thinned};
use crate::number::counted;

const SIZE: [f64; 2] = [560.0, 480.0];
const MARGIN: f64 = 18.0;
const EDGES: usize = 20_000;

/// Draws a graph with its clusters; `places` are the coordinates of its nodes, if
/// known.
#[must_use]
pub fn communities(
    name: &str,
    heading: &str,
    graph: &Graph,
    labels: &[usize],
    places: Option<&[[f64; 2]]>,
) -> Drawing {
    let chosen: Vec<usize> = (0..graph.nodes().min(labels.len())).collect();
    let edges = edges_among(graph, &chosen);
    let places = match places {
        // Screen coordinates point downwards.
        Some(known) => known.iter().map(|[x, y]| [*x, -*y]).collect(),
        None => force_directed(&edges, labels, 0),
    };
    let places = fit(&places, SIZE, MARGIN);
    let count = labels.iter().max().map_or(0, |most| most + 1);
    let mut sizes = vec![0_usize; count];
    for &label in labels {
        sizes[label] += 1;
    }
    let found = sizes.iter().filter(|size| **size > 0).count();
    let caption = format!(
        "{} in {}.",
        counted(chosen.len(), "node", "nodes"),
        counted(found, "cluster", "clusters")
    );
    let node = |(&u, &place): (&usize, &[f64; 2])| NetworkNode {
        place,
        group: labels[u],
        confidence: 1.0,
        name: node_name(graph, u),
        class: None,
    };
    let network = Network {
        alt: format!("{heading}: {caption}"),
        size: SIZE,
        nodes: chosen.iter().zip(&places).map(node).collect(),
        edges: thinned(&edges, EDGES),
        groups: sizes
            .iter()
            .enumerate()
            .map(|(i, size)| format!("{i} ({size})"))
            .collect(),
        classes: Vec::new(),
    };
    Drawing {
        name: name.to_owned(),
        heading: heading.to_owned(),
        caption,
        chart: network.draw(),
    }
}
