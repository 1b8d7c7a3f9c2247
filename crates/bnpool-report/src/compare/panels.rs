//! One graph pooled by each pooler, side by side (like figure 10 of the paper).

use bnpool_graph::Graph;
use rayon::prelude::*;

use super::{CompareReport, PooledBy};
use crate::chart::Chart;
use crate::escape::markup;
use crate::layout::Frame;
use crate::learn::sample::features::{Painted, paint, paint_classes};
use crate::learn::sample::{Panel, by_features, frame, legend, panel};
use crate::number::{count, counted};
use crate::page::{Markup, Page, capitalised, figure, figure_with_legend, grid};

/// Largest number of nodes for the stress layout. A single larger graph looks
/// better with the force-directed one.
const SMALL: usize = 120;

/// Adds the section.
pub(super) fn add(page: &mut Page, report: &CompareReport<'_>) {
    let Some(graph) = report.graph else {
        return;
    };
    let labels = graph.node_labels();
    let painted = match labels {
        Some(labels) => paint_classes(labels, report.class_names),
        None => paint(graph),
    };
    // All poolers share one layout. In large graphs it keeps known classes
    // together; using the clusters of one pooler would favour it.
    let groups: Option<Vec<usize>> =
        labels.map(|labels| labels.iter().map(|&label| label as usize).collect());
    let frame = frame(graph, groups.as_deref(), SMALL);
    let panels: Vec<Panel> = report
        .pooled
        .par_iter()
        .map(|pooled| panel(&pooled.sample(graph), pooled.kept, &frame, &painted))
        .collect();
    let mut content = Markup::trusted(format!(
        "<p>{}: the nodes in the colours of their clusters, the memberships S, the pooled graph and its features X_pool. In the pooled graph the size of a disc shows how many nodes a cluster holds and its colour what most of them are; the width of a line shows the weight of the links between two clusters.</p>",
        Markup::text(&capitalised(report.graph_name))
    ));
    let own = original(page, graph, &frame, &painted);
    content.push(&grid(" four", &[own]));
    for (i, (pooled, panel)) in report.pooled.iter().zip(&panels).enumerate() {
        content.push(&row(page, i, pooled, panel, report.feature_words));
    }
    page.add_section("pooled", "The same graph, pooled by each", content);
}

/// The graph before pooling.
fn original(page: &mut Page, graph: &Graph, frame: &Frame, painted: &Painted) -> Markup {
    let drawn = by_features(graph, frame, painted, None);
    let id = "compare-graph";
    let drawn_nodes = if frame.chosen.len() < graph.nodes() {
        format!(", of which {} are drawn", count(frame.chosen.len()))
    } else {
        String::new()
    };
    let caption = format!(
        "{}{drawn_nodes}. {}",
        counted(graph.nodes(), "node", "nodes"),
        painted.by
    );
    let legend = legend(id, "Colours", &drawn.groups);
    figure_with_legend(page, id, "The graph", &drawn.chart, &caption, &legend)
}

/// The figures of one pooler under its name.
fn row(
    page: &mut Page,
    number: usize,
    pooled: &PooledBy<'_>,
    panel: &Panel,
    feature_words: &str,
) -> Markup {
    let mut figures = Vec::new();
    let mut add = |part: &str, heading: &str, chart: Option<&Chart>, caption: &str| {
        let id = format!("compare-{number}-{part}");
        figures.push(figure(page, &id, heading, chart, &markup(caption)));
    };
    let divides = !pooled.assignments.is_empty();
    let [preferred, shown] = panel.clusters;
    let (heading, caption) = if divides {
        (
            "Clusters",
            format!(
                "The most probable cluster of every node: {}.",
                counted(preferred, "cluster is chosen", "clusters are chosen")
            ),
        )
    } else {
        (
            "Kept nodes",
            format!(
                "{}; the pale ones are dropped.",
                counted(preferred, "node is kept", "nodes are kept")
            ),
        )
    };
    add("nodes", heading, panel.nodes.as_ref(), &caption);
    let caption = if divides {
        format!(
            "A row for each node, a column for each of the {} that hold something.",
            counted(shown, "cluster", "clusters")
        )
    } else {
        "A row for each node, a column for each supernode.".to_owned()
    };
    let chart = panel.assignments.as_ref();
    add("assignments", "Memberships S", chart, &caption);
    let chart = panel.pooled.as_ref();
    add(
        "pooled",
        "Pooled graph",
        chart,
        chart.map_or("", Chart::alt),
    );
    if let Some(reduced) = &panel.features {
        let row = if divides { "cluster" } else { "supernode" };
        let caption = format!("A row for each {row}, {} {feature_words}", reduced.words());
        let caption = format!("{}.", caption.trim_end());
        let heading = "Pooled features X_pool";
        add("features", heading, Some(&reduced.chart), &caption);
    }
    // The name is already shown above.
    let summary = pooled.summary;
    let words = summary.split_once(": ").map_or(summary, |parts| parts.1);
    let mut words = capitalised(words);
    let figures = grid(" four", &figures);
    if figures.is_empty() {
        words.push_str(match pooled.clusters {
            0 => ". It is too large to be drawn.",
            _ => ".",
        });
    }
    let mut out = Markup::trusted(format!(
        r#"<h3 class="sample">{}</h3><p class="verdict">{}</p>"#,
        Markup::text(&capitalised(pooled.pooler)),
        Markup::text(&words)
    ));
    out.push(&figures);
    out
}
