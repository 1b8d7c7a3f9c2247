//! The page of a report, section after section.

use super::figures::Rendering;
use super::{headline, tables};
use crate::chart::{IN_LEGEND, categorical};
use crate::escape;
use crate::number::count;
use crate::page::{Figure, Legend, LegendItem, Markup, Page};
use crate::page::{add_metrics_and_settings, figure, grid};

/// Composes the page.
pub(super) fn page(rendering: &Rendering<'_>) -> Page {
    let report = &rendering.report;
    let mut page = Page::new(report.title);
    page.set_header(headline::header(report));
    graph(&mut page, rendering);
    matrices(&mut page, rendering);
    memberships(&mut page, rendering);
    number(&mut page, rendering);
    training(&mut page, rendering);
    let table = tables::communities(report);
    page.add_section("communities", "All communities", table);
    add_metrics_and_settings(
        &mut page,
        report.metrics,
        report.config_toml,
        report.version,
    );
    page
}

fn graph(page: &mut Page, rendering: &Rendering<'_>) {
    let report = &rendering.report;
    let drawing = &rendering.drawing;
    let mut caption = match report.coordinates {
        Some(_) => "Every dot is a node, at the place the data give it.".to_owned(),
        None => "Every dot is a node; linked nodes attract each other, and nodes of one community are kept together.".to_owned(),
    };
    caption.push_str(" Colours and numbers are the communities; pale dots belong to theirs less firmly. Coloured lines are links inside a community, grey ones lead from one to another.");
    if drawing.nodes < report.graph.nodes() {
        caption.push_str(&format!(
            " Shown are {} of {} nodes, chosen evenly from all communities and degrees.",
            count(drawing.nodes),
            count(report.graph.nodes())
        ));
    }
    if drawing.edges < drawing.all_edges {
        caption.push_str(&format!(
            " Of the {} links between them, {} are drawn.",
            count(drawing.all_edges),
            count(drawing.edges)
        ));
    }
    let figure = Figure {
        id: "graph-chart",
        heading: Markup::text("Nodes and links in the colours of their communities"),
        chart: &drawing.chart,
        caption: Markup::trusted(caption),
        legend: Some(legend(rendering)),
    };
    let figure = figure.place(page);
    page.add_section("graph", "The graph", figure);
}

/// The communities with their sizes; a click brings one forward.
fn legend(rendering: &Rendering<'_>) -> Markup {
    let communities = rendering.report.communities;
    let item = |(i, row): (usize, &super::CommunityRow)| LegendItem {
        name: i.to_string(),
        remark: count(row.size),
        colour: categorical(i),
    };
    let named = communities.iter().enumerate().take(IN_LEGEND);
    let more = communities.len().saturating_sub(IN_LEGEND);
    Legend {
        chart: "graph-chart",
        label: "Communities and their sizes",
        items: named.map(item).collect(),
        rest: match more {
            0 => String::new(),
            more => format!("and {} smaller ones", count(more)),
        },
    }
    .render()
}

fn matrices(page: &mut Page, rendering: &Rendering<'_>) {
    let shared = match rendering.binned {
        true => " A cell stands for a few nodes.",
        false => "",
    };
    let mut figures = vec![figure(
        page,
        "adjacency-chart",
        "What was observed: the adjacency matrix A",
        &rendering.adjacency,
        &format!(
            "A mark is a link between the node of its row and the node of its column. Good communities are dense blocks on the diagonal.{shared}"
        ),
    )];
    if let Some(chart) = &rendering.classes {
        figures.push(figure(
            page,
            "classes-chart",
            "What is known: pairs of the same class, YY<sup>T</sup>",
            chart,
            "Full cells: both nodes have the same class. Where full blocks and communities coincide, the communities follow the classes.",
        ));
    }
    let averaged = match rendering.binned {
        true => " Nodes that share a cell are averaged first.",
        false => "",
    };
    let (heading, meaning) = match rendering.report.posterior {
        true => (
            "What the model sees: link probabilities σ(SKS<sup>T</sup>)",
            "How probable the model holds a link between each pair.",
        ),
        false => (
            "What the communities explain: link probabilities σ(SKS<sup>T</sup>)",
            "How probable a link between each pair is by the block matrix K that fits the memberships S best.",
        ),
    };
    figures.push(figure(
        page,
        "reconstruction-chart",
        heading,
        &rendering.reconstruction,
        &format!("{meaning} The closer to the first picture, the better the communities explain the graph.{averaged}"),
    ));
    let mut content = Markup::trusted(
        "<p>All matrices show the nodes in one order: community after community, in each the surest nodes first.</p>",
    );
    content.push(&grid("", &figures));
    page.add_section("matrices", "Who is linked to whom", content);
}

fn memberships(page: &mut Page, rendering: &Rendering<'_>) {
    let by = match rendering.report.classes {
        Some(_) => "class",
        None => "community",
    };
    let report = &rendering.report;
    let fitted = match report.posterior {
        true => String::new(),
        false => format!(
            " {} has no block matrix; this one fits its memberships best.",
            Markup::text(report.pooler)
        ),
    };
    let figures = [
        figure(
            page,
            "block-matrix-chart",
            "Which communities are linked: the block matrix K",
            &rendering.block_matrix,
            &format!(
                "Orange: members of the two communities tend to be linked. Blue: they tend not to be. A value v is the log-odds of a link between nodes that belong to one community each.{fitted}"
            ),
        ),
        figure(
            page,
            "assignments-chart",
            &format!("How nodes belong: the memberships S, by {by}"),
            &rendering.assignments,
            "Every row is a node (or a few), every column a community. What the memberships of a row lack to one lies in clusters that no node prefers. A row with one full cell is a node the model is sure of.",
        ),
    ];
    let mut content = grid(" pair", &figures);
    if let Some(chart) = &rendering.full_block_matrix {
        let clusters = rendering.report.max_clusters;
        let full = figure(
            page,
            "full-block-matrix-chart",
            &format!("K of all {clusters} clusters the model could have used"),
            chart,
            match report.posterior {
                true => "Entries of clusters that no node prefers stay near their prior.",
                false => "Clusters that no node prefers have hardly any links to judge by.",
            },
        );
        content.push(&Markup::trusted(format!(
            "<details><summary>The block matrix with unused clusters</summary>{full}</details>"
        )));
    }
    page.add_section("memberships", "Communities and their members", content);
}

fn number(page: &mut Page, rendering: &Rendering<'_>) {
    let mut figures = Vec::new();
    if let Some(chart) = &rendering.posterior {
        figures.push(figure(
            page,
            "posterior-chart",
            "What the model still holds possible",
            chart,
            "In how many samples of the posterior this number of communities held nodes. The marked range holds at least 90 % of the samples.",
        ));
    }
    if let Some(chart) = &rendering.active {
        figures.push(figure(
            page,
            "active-chart",
            "Communities in use during training",
            chart,
            "How many communities held nodes at each epoch. A line that has settled is a sign of a finished run.",
        ));
    }
    if !figures.is_empty() {
        page.add_section("number", "How many communities", grid(" pair", &figures));
    }
}

fn training(page: &mut Page, rendering: &Rendering<'_>) {
    let Some(chart) = &rendering.losses else {
        return;
    };
    let mut text: Vec<String> = rendering
        .report
        .losses
        .iter()
        .filter(|loss| !loss.meaning.is_empty())
        .map(|loss| escape::markup(&loss.meaning))
        .collect();
    if rendering.report.history.iter().any(|p| p.gamma.is_some()) {
        text.push(
            "γ, on the right, is the weight of the divergence, which rises while the model learns."
                .to_owned(),
        );
    }
    text.push("Lines that have become level are a sign of a finished run.".to_owned());
    let losses = figure(
        page,
        "losses-chart",
        "Losses over the epochs",
        chart,
        &text.join(" "),
    );
    page.add_section("training", "Training", grid(" solo", &[losses]));
}
