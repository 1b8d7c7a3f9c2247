//! Where the nodes of a sample are, in all its drawings.

use bnpool_graph::Graph;

use crate::layout::{Point, extent, fit, force_directed, sample, stress, turn};
use crate::layout::{edges_among, thinned};

/// Width of the drawings; the height follows the shape of the graph.
pub(super) const WIDTH: f64 = 400.0;
const HEIGHT: [f64; 2] = [260.0, 400.0];
/// Room around a drawing.
pub(super) const MARGIN: f64 = 16.0;
/// The same graph looks alike in every report.
pub(super) const SEED: u64 = 0;
/// Most nodes that are drawn.
const NODES: usize = 2000;
/// Most edges that are drawn.
const EDGES: usize = 8000;
/// Most nodes whose distances are all looked at.
pub(crate) const SMALL: usize = 400;

/// Nodes and edges with their places.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// Nodes that are drawn, in rising order.
    pub(crate) chosen: Vec<usize>,
    /// Their places.
    pub(super) places: Vec<Point>,
    /// Edges that are drawn, by places among the chosen.
    pub(super) edges: Vec<(u32, u32)>,
    /// Edges between the chosen.
    pub(super) all_edges: usize,
    /// Radius of a node.
    pub(super) radius: f64,
    /// Width and height of the drawings.
    pub(super) size: [f64; 2],
}

/// As tall as the width leaves places, within bounds.
pub(super) fn size(places: &[Point]) -> [f64; 2] {
    let extent = extent(places);
    let height = (WIDTH - 2.0 * MARGIN) * extent[1] / extent[0] + 2.0 * MARGIN;
    let height = if height.is_finite() {
        height.clamp(HEIGHT[0], HEIGHT[1]).round()
    } else {
        HEIGHT[0]
    };
    [WIDTH, height]
}

impl Frame {
    /// Graphs of more than `small` nodes are clouds, in which `groups` are kept
    /// together if there are any.
    pub(crate) fn new(graph: &Graph, groups: Option<&[usize]>, small: usize) -> Self {
        let nodes = graph.nodes();
        let alike;
        let groups = match groups {
            Some(groups) => groups,
            None => {
                alike = vec![0; nodes];
                &alike
            }
        };
        let adjacency = graph.adjacency();
        let degrees: Vec<usize> = (0..nodes).map(|u| adjacency.degree(u)).collect();
        let chosen = sample(groups, &degrees, NODES);
        let edges = edges_among(graph, &chosen);
        let drawn = thinned(&edges, EDGES);
        let places = if chosen.len() <= small {
            stress(chosen.len(), &edges, SEED)
        } else {
            // Large graphs are clouds; nodes of one cluster are kept together.

            let groups: Vec<usize> = chosen.iter().map(|&u| groups[u]).collect();
            force_directed(&thinned(&edges, 20 * EDGES), &groups, SEED)
        };
        let places = turn(&places);
        let size = size(&places);
        let room = size[0] * size[1] / chosen.len().max(1) as f64;
        Self {
            places: fit(&places, size, MARGIN),
            all_edges: edges.len(),
            edges: drawn,
            radius: (room.sqrt() * 0.16).clamp(1.8, 9.0),
            chosen,
            size,
        }
    }
}
