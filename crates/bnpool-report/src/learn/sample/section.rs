//! A sample in the page.

use super::{Drawn, Groups, Sample};
use crate::chart::{Chart, SketchGroup};
use crate::escape::{markup, name};
use crate::learn::SampleGraph;
use crate::number::{count, counted};
use crate::page::{self, LegendItem, Markup, Page, figure_with_legend, grid};

/// Largest number of groups in a legend.
const IN_LEGEND: usize = 12;

/// The groups of a drawing with the number of their nodes.
pub(crate) fn legend(id: &str, label: &str, groups: &Groups) -> Markup {
    let item = |(group, size): &(SketchGroup, usize)| LegendItem {
        name: group.name.clone(),
        remark: count(*size),
        colour: group.colour,
    };
    page::legend(id, label, groups.iter().map(item), IN_LEGEND, "more")
}

/// Text of true and predicted value, and whether they agree.
fn verdict(input: &SampleGraph<'_>, right_or_wrong: bool) -> String {
    let agree = match (right_or_wrong, input.truth == input.prediction) {
        (false, _) => "",
        (true, true) => r#" <span class="right">right</span>"#,
        (true, false) => r#" <span class="wrong">wrong</span>"#,
    };
    format!(
        r#"<p class="verdict">true: <b>{}</b>, predicted: <b>{}</b>{agree}</p>"#,
        Markup::text(&name(&input.truth)),
        Markup::text(&name(&input.prediction))
    )
}

/// Text on the drawn parts of the graph, and on the colours.
fn extent(input: &SampleGraph<'_>, sample: &Sample) -> String {
    let all = input.graph.nodes();
    if all == 0 {
        return "The graph has no nodes.".to_owned();
    }
    let mut out = counted(all, "node", "nodes");
    if sample.nodes < all {
        out.push_str(&format!(", of which {} are drawn", count(sample.nodes)));
    }
    let [drawn, edges] = sample.edges;
    out.push_str(&format!(", {}", counted(edges, "link", "links")));
    match (sample.nodes < all, drawn < edges) {
        (_, true) => out.push_str(&format!(
            " between them, of which {} are drawn",
            count(drawn)
        )),
        (true, false) => out.push_str(" between them"),
        (false, false) => {}
    }
    format!("{out}. {}", sample.painted_by)
}

/// The figures of a sample under its name.
pub(in crate::learn) fn section(
    page: &mut Page,
    number: usize,
    input: &SampleGraph<'_>,
    sample: &Sample,
    right_or_wrong: bool,
) -> Markup {
    let mut figures = Vec::new();
    let mut add =
        |part: &str, heading: &str, chart: Option<&Chart>, groups: &Groups, caption: &str| {
            let id = format!("sample-{number}-{part}");
            let legend = match groups.len() {
                0 => Markup::default(),
                _ => legend(&id, heading, groups),
            };
            let caption = markup(caption);
            figures.push(figure_with_legend(
                page, &id, heading, chart, &caption, &legend,
            ));
        };
    let Drawn { chart, groups } = &sample.features;
    let caption = extent(input, sample);
    add("features", "Features", Some(chart), groups, &caption);
    if let Some(Drawn { chart, groups }) = &sample.clusters {
        let caption = format!(
            "The most probable cluster of every node: {} of {} are chosen.",
            count(groups.len()),
            count(input.clusters)
        );
        add("clusters", "Clusters", Some(chart), groups, &caption);
    }
    // The other charts have numbers, so they need no legend.
    let none = Vec::new();
    let caption = match sample.shown {
        1 => "A row for each node; one cluster holds them all.".to_owned(),
        more => format!(
            "A row for each node, a column for each of the {} clusters that hold something.",
            count(more)
        ),
    };
    let chart = sample.assignments.as_ref();
    add("assignments", "Memberships S", chart, &none, &caption);
    let chart = sample.pooled.as_ref();
    let caption = chart.map_or("", Chart::alt);
    add("pooled", "Pooled graph", chart, &none, caption);
    if let Some(reduced) = &sample.reduced {
        let caption = format!("A row for each cluster, {}.", reduced.words());
        let heading = "Pooled features X_pool";
        add("reduced", heading, Some(&reduced.chart), &none, &caption);
    }
    let mut out = Markup::trusted(format!(
        r#"<h3 class="sample">{}</h3>{}"#,
        Markup::text(&name(&input.name)),
        verdict(input, right_or_wrong)
    ));
    out.push(&grid(" four", &figures));
    out
}
