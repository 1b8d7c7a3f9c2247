//! The graph, drawn with its communities.

use super::ClusterReport;
use crate::chart::{Chart, Network, NetworkNode};
use crate::layout::{Point, extent, fit, force_directed, sample, turn};
use crate::layout::{edges_among, node_name, thinned};
use crate::number::counted;

/// Largest number of drawn nodes; more would become a grey cloud.
const NODES: usize = 5000;
/// Largest number of drawn edges.
const EDGES: usize = 20_000;
/// Largest number of edges in the layout; more would make no visible
/// difference.
const PULLING: usize = 200_000;
/// Width of the drawing; the height depends on the shape of the graph.
const WIDTH: f64 = 960.0;
const HEIGHT: [f64; 2] = [480.0, 760.0];
const MARGIN: f64 = 24.0;
/// Seed of the layout; fixed, so that a graph looks the same in all reports.
const SEED: u64 = 0;

/// A drawing, and the parts of the graph that it shows.
#[derive(Debug, Clone)]
pub(super) struct Drawing {
    pub(super) chart: Chart,
    pub(super) nodes: usize,
    pub(super) edges: usize,
    /// Number of edges between the drawn nodes.
    pub(super) all_edges: usize,
}

fn places(report: &ClusterReport<'_>, chosen: &[usize], edges: &[(u32, u32)]) -> Vec<Point> {
    match report.coordinates {
        Some(known) => chosen
            .iter()
            // Screen coordinates point downwards.
            .map(|&u| [f64::from(known[u][0]), -f64::from(known[u][1])])
            .collect(),
        None => {
            let groups: Vec<usize> = chosen.iter().map(|&u| report.labels[u]).collect();
            turn(&force_directed(&thinned(edges, PULLING), &groups, SEED))
        }
    }
}

/// Height of the drawing for its width, within bounds.
fn height(places: &[Point]) -> f64 {
    let [wide, tall] = extent(places);
    let height = (WIDTH - 2.0 * MARGIN) * tall / wide + 2.0 * MARGIN;
    if height.is_finite() && wide > 0.0 {
        height.clamp(HEIGHT[0], HEIGHT[1]).round()
    } else {
        HEIGHT[0]
    }
}

pub(super) fn draw(report: &ClusterReport<'_>) -> Drawing {
    let adjacency = report.graph.adjacency();
    let degrees: Vec<usize> = (0..report.graph.nodes())
        .map(|u| adjacency.degree(u))
        .collect();
    let chosen = sample(report.labels, &degrees, NODES);
    let edges = edges_among(report.graph, &chosen);
    let places = places(report, &chosen, &edges);
    let size = [WIDTH, height(&places)];
    let places = fit(&places, size, MARGIN);
    let node = |(&u, &place): (&usize, &Point)| NetworkNode {
        place,
        group: report.labels[u],
        confidence: f64::from(report.confidence[u]),
        name: node_name(report.graph, u),
        class: report.classes.and_then(|classes| classes.of(u)),
    };
    let drawn = thinned(&edges, EDGES);
    let groups = report.communities.iter().enumerate();
    let network = Network {
        alt: format!(
            "Drawing of the graph: {} in {}, coloured and numbered.",
            counted(chosen.len(), "node", "nodes"),
            counted(report.communities.len(), "community", "communities")
        ),
        size,
        nodes: chosen.iter().zip(&places).map(node).collect(),
        edges: drawn,
        groups: groups
            .map(|(i, row)| format!("{i} ({})", crate::number::count(row.size)))
            .collect(),
        classes: report.classes.map_or(Vec::new(), |classes| {
            (0..classes.count()).map(|c| classes.name(c)).collect()
        }),
    };
    Drawing {
        nodes: chosen.len(),
        edges: network.edges.len(),
        all_edges: edges.len(),
        chart: network.draw(),
    }
}
