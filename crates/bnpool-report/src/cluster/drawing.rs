//! The graph, drawn with its communities.

use super::ClusterReport;
use crate::chart::{Chart, Network, NetworkNode};
use crate::layout::{Bounds, Frame, Point, Sheet, node_name};
use crate::number::{count, counted};

const BOUNDS: Bounds = Bounds {
    nodes: 5000,
    edges: 20_000,
    pulling: 200_000,
    stressed: 0,
};
const SHEET: Sheet = Sheet {
    width: 960.0,
    height: [480.0, 760.0],
    margin: 24.0,
};

pub(super) fn frame(report: &ClusterReport<'_>) -> Frame {
    let groups = Some(report.labels);
    Frame::new(report.graph, groups, report.coordinates, &BOUNDS, &SHEET)
}

pub(super) fn draw(report: &ClusterReport<'_>, frame: &Frame) -> Chart {
    let node = |(&u, &place): (&usize, &Point)| NetworkNode {
        place,
        group: report.labels[u],
        confidence: f64::from(report.confidence[u]),
        name: node_name(report.graph, u),
        class: report.classes.and_then(|classes| classes.of(u)),
    };
    let groups = report.communities.iter().enumerate();
    let network = Network {
        alt: format!(
            "Drawing of the graph: {} in {}, coloured and numbered.",
            counted(frame.chosen.len(), "node", "nodes"),
            counted(report.communities.len(), "community", "communities")
        ),
        size: frame.size,
        nodes: frame.chosen.iter().zip(&frame.places).map(node).collect(),
        edges: frame.edges.clone(),
        groups: groups
            .map(|(i, row)| format!("{i} ({})", count(row.size)))
            .collect(),
        classes: report.classes.map_or(Vec::new(), |classes| {
            (0..classes.count()).map(|c| classes.name(c)).collect()
        }),
    };
    network.draw()
}
