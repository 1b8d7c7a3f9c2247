//! Layout of a sample, shared by all its drawings.

use bnpool_graph::Graph;

use crate::layout::{Point, extent, fit, force_directed, sample, stress, turn};
use crate::layout::{edges_among, thinned};

/// Width of the drawings; the height depends on the shape of the graph.
pub(super) const WIDTH: f64 = 400.0;
const HEIGHT: [f64; 2] = [260.0, 400.0];
/// Margin of a drawing.
pub(super) const MARGIN: f64 = 16.0;
/// Seed of the layout; fixed, so that a graph looks the same in all reports.
pub(super) const SEED: u64 = 0;
/// Largest number of drawn nodes.
const NODES: usize = 2000;
/// Largest number of drawn edges.
const EDGES: usize = 8000;
/// Largest number of nodes for the stress layout.
pub(crate) const SMALL: usize = 400;

/// Nodes and edges with their positions.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// Drawn nodes, in ascending order.
    pub(crate) chosen: Vec<usize>,
    /// Positions of the drawn nodes.
    pub(super) places: Vec<Point>,
    /// Drawn edges, as indices into `chosen`.
    pub(super) edges: Vec<(u32, u32)>,
    /// Number of edges between the chosen nodes.
    pub(super) all_edges: usize,
    /// Radius of a node.
    pub(super) radius: f64,
    /// Width and height of the drawings.
    pub(super) size: [f64; 2],
}

/// Size of the drawing for its width, with bounded height.
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
    /// Lays out a graph. Graphs of more than `small` nodes use the
    /// force-directed layout, which keeps `groups` together, if given.
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
            // Large graphs use the force-directed layout, which keeps clusters
            // together.

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
