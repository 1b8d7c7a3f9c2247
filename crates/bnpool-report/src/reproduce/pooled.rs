//! A graph pooled by several poolers.

use bnpool_graph::Graph;

use super::Drawing;
use crate::chart::Chart;
use crate::compare::PooledBy;
use crate::learn::sample::features::paint;
use crate::learn::sample::{SMALL, by_features, frame, panel};

/// Draws the graph, and for each pooler its nodes by cluster, S, the pooled
/// graph and its features.
#[must_use]
pub fn pooled_graph(graph: &Graph, poolers: &[(&str, PooledBy<'_>)]) -> Vec<Drawing> {
    let painted = paint(graph);
    // All poolers share one layout.
    let frame = frame(graph, None, SMALL);
    let own = by_features(graph, &frame, &painted, None).chart;
    let mut drawings = vec![drawing("original", "Original", own)];
    for (name, pooled) in poolers {
        let panel = panel(&pooled.sample(graph), pooled.kept, &frame, &painted);
        let nodes = if pooled.kept.is_empty() {
            "clusters"
        } else {
            "kept nodes"
        };
        for (part, what, chart) in [
            ("nodes", nodes, panel.nodes),
            ("s", "S", panel.assignments),
            ("pooled", "pooled graph", panel.pooled),
            (
                "features",
                "X_pool",
                panel.features.map(|reduced| reduced.chart),
            ),
        ] {
            let heading = format!("{}: {what}", pooled.pooler);
            let drawing = |chart| drawing(&format!("{name}-{part}"), &heading, chart);
            drawings.extend(chart.map(drawing));
        }
    }
    drawings
}

fn drawing(name: &str, heading: &str, chart: Chart) -> Drawing {
    let caption = chart.alt().to_owned();
    Drawing::new(name, heading, &caption, chart)
}
