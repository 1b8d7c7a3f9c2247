//! The page of a report, section by section.

use super::figures::Rendering;
use super::hierarchy::MOST_LEAVES;
use super::{ClusterReport, CommunityRow, headline, members};
use crate::chart::{IN_LEGEND, categorical};
use crate::escape;
use crate::number::{count, percent, significant};
use crate::page::{
    Cell, Column, LegendItem, Markup, Page, figure, figure_with_legend, grid, legend, table,
};

/// Composes the page.
pub(super) fn page(rendering: &Rendering<'_>) -> Page {
    let report = &rendering.report;
    let mut page = Page::new(report.title, headline::header(report));
    graph(&mut page, rendering);
    let table = communities(report);
    page.add_section("communities", "Communities", table);
    members::add(&mut page, report, &rendering.order);
    hierarchy(&mut page, rendering);
    matrices(&mut page, rendering);
    memberships(&mut page, rendering);
    number(&mut page, rendering);
    training(&mut page, rendering);
    page.end(report.metrics, report.config_toml, report.version);
    page
}

fn graph(page: &mut Page, rendering: &Rendering<'_>) {
    let report = &rendering.report;
    let frame = &rendering.frame;
    let mut caption = match report.coordinates {
        Some(_) => "Every dot is a node, drawn at its coordinates in the data.".to_owned(),
        None => "Every dot is a node. Linked nodes attract each other, and the nodes of a community are kept together.".to_owned(),
    };
    caption.push_str(" Colours and numbers mark the communities. Pale dots are nodes with low confidence. Links inside a community have its colour; links between communities are grey. Click a community in the legend to highlight it.");
    if frame.chosen.len() < report.graph.nodes() {
        caption.push_str(&format!(
            " The drawing shows a sample of {} of {} nodes, spread evenly over communities and degrees.",
            count(frame.chosen.len()),
            count(report.graph.nodes())
        ));
    }
    if frame.edges.len() < frame.all_edges {
        caption.push_str(&format!(
            " It shows {1} of the {0} links between them.",
            count(frame.all_edges),
            count(frame.edges.len())
        ));
    }
    let item = |(i, row): (usize, &CommunityRow)| LegendItem {
        name: i.to_string(),
        remark: count(row.size),
        colour: categorical(i),
    };
    let items = report.communities.iter().enumerate().map(item);
    let label = "Communities and their sizes";
    let figure = figure_with_legend(
        page,
        "graph-chart",
        "Nodes and links, coloured by community",
        &rendering.drawing,
        &caption,
        &legend("graph-chart", label, items, IN_LEGEND, "smaller ones"),
    );
    page.add_section("graph", "The graph", figure);
}

fn hierarchy(page: &mut Page, rendering: &Rendering<'_>) {
    let Some(chart) = &rendering.hierarchy else {
        return;
    };
    let report = &rendering.report;
    let found = report.communities.len();
    let mut caption = "Each row is a community, with its number and its size. From left to right the two communities merge that lengthen the description of the graph least. Two that merge late are told apart by much evidence.".to_owned();
    if found > MOST_LEAVES {
        caption.push_str(&format!(
            " Only the last merges of the {} communities are shown; rows of several communities are named after the largest.",
            count(found)
        ));
    }
    if !report.levels.is_empty() {
        caption.push_str(" Dashed lines mark coarser partitions, with the number of their groups.");
    }
    let tree = figure(
        page,
        "hierarchy-chart",
        "Merges of the communities",
        chart,
        &caption,
    );
    let columns = match report.levels {
        [] => String::new(),
        [groups] => format!(
            "The column <code>level_1</code> of labels.csv holds a coarser partition into {groups} groups. "
        ),
        [first, .., last] => format!(
            "The columns <code>level_1</code> to <code>level_{}</code> of labels.csv hold coarser partitions, from {first} groups down to {last}. ",
            report.levels.len()
        ),
    };
    let cut = match report.cut {
        "" => String::new(),
        cut => format!(
            "To cut the tree into K groups instead, {}.",
            escape::markup(cut)
        ),
    };
    let mut content = Markup::default();
    if !columns.is_empty() || !cut.is_empty() {
        content = Markup::trusted(format!("<p>{columns}{cut}</p>"));
    }
    content.push(&grid(" solo", &[tree]));
    page.add_section("hierarchy", "Hierarchy", content);
}

fn matrices(page: &mut Page, rendering: &Rendering<'_>) {
    let shared = if rendering.order.is_binned() {
        " Each cell covers several nodes."
    } else {
        ""
    };
    let averaged = if rendering.order.is_binned() {
        " Memberships are averaged over the nodes of a cell."
    } else {
        ""
    };
    let meaning = if rendering.report.posterior {
        "as predicted by the model"
    } else {
        "predicted from the memberships S and the block matrix K that fits them best"
    };
    let figures = [
        figure(
            page,
            "adjacency-chart",
            "Observed links: the adjacency matrix A",
            &rendering.adjacency,
            &format!(
                "A mark is a link between the node of the row and the node of the column. Densely linked communities are dark blocks on the diagonal.{shared}"
            ),
        ),
        figure(
            page,
            "classes-chart",
            "Known classes: pairs of the same class, YY<sup>T</sup>",
            &rendering.classes,
            "A cell is dark if both nodes have the same class. If the dark blocks match the communities, the communities agree with the classes.",
        ),
        figure(
            page,
            "reconstruction-chart",
            "Predicted links: the probabilities σ(SKS<sup>T</sup>)",
            &rendering.reconstruction,
            &format!(
                "The probability of a link between each pair of nodes, {meaning}. The more it resembles the adjacency matrix, the better the communities explain the graph.{averaged}"
            ),
        ),
    ];
    let mut content = Markup::trusted(
        "<p>All matrices have the nodes in the same order: by community, and by decreasing confidence within each.</p>",
    );
    content.push(&grid("", &figures));
    page.add_section("matrices", "Links between nodes", content);
}

fn memberships(page: &mut Page, rendering: &Rendering<'_>) {
    let by = match rendering.report.classes {
        Some(_) => "class",
        None => "community",
    };
    let report = &rendering.report;
    let fitted = if report.posterior {
        String::new()
    } else {
        format!(
            " {} has no block matrix of its own; this one is fitted to its memberships.",
            Markup::text(report.pooler)
        )
    };
    let figures = [
        figure(
            page,
            "block-matrix-chart",
            "Links between communities: the block matrix K",
            &rendering.block_matrix,
            &format!(
                "Each value is the log-odds of a link between a node of one community and a node of the other. Orange: links are likely. Blue: links are unlikely.{fitted}"
            ),
        ),
        figure(
            page,
            "assignments-chart",
            &format!("Memberships S of the nodes, sorted by {by}"),
            &rendering.assignments,
            "Each row is a node (or several nodes), each column a community. A row with a single dark cell is a node with high confidence. The column “rest”, if there is one, adds up the clusters that are the first choice of no node.",
        ),
    ];
    let mut content = grid(" pair", &figures);
    if let Some(chart) = &rendering.full_block_matrix {
        let clusters = rendering.report.max_clusters;
        let full = figure(
            page,
            "full-block-matrix-chart",
            &format!("K of all {clusters} clusters of the model"),
            chart,
            if report.posterior {
                "Entries of unused clusters stay near their prior."
            } else {
                "Entries of unused clusters rest on few links."
            },
        );
        content.push(&Markup::trusted(format!(
            "<details><summary>Block matrix including unused clusters</summary>{full}</details>"
        )));
    }
    page.add_section("memberships", "Block matrix and memberships", content);
}

fn number(page: &mut Page, rendering: &Rendering<'_>) {
    let figures = [
        figure(
            page,
            "posterior-chart",
            "Posterior of the number of communities",
            &rendering.posterior,
            "The share of posterior samples with each number of communities. The shaded range covers at least 90 % of the samples.",
        ),
        figure(
            page,
            "active-chart",
            "Communities during training",
            &rendering.active,
            "The number of communities at each epoch. If the line is flat at the end, training has converged.",
        ),
    ];
    page.add_section("number", "Number of communities", grid(" pair", &figures));
}

fn training(page: &mut Page, rendering: &Rendering<'_>) {
    let losses = rendering.report.losses.iter();
    let mut text: Vec<String> = losses
        .filter(|loss| !loss.meaning.is_empty())
        .map(|loss| escape::markup(&loss.meaning))
        .collect();
    if rendering.report.history.iter().any(|p| p.gamma.is_some()) {
        text.push(
            "γ (right axis) is the weight of the divergence, which rises during training."
                .to_owned(),
        );
    }
    text.push("If the lines are flat at the end, training has converged.".to_owned());
    let losses = figure(
        page,
        "losses-chart",
        "Losses over the epochs",
        &rendering.losses,
        &text.join(" "),
    );
    page.add_section("training", "Training", grid(" solo", &[losses]));
}

/// Table with one row per community.
pub(super) fn communities(report: &ClusterReport<'_>) -> Markup {
    let nodes = report.graph.nodes().max(1) as f64;
    let mut rows = report.communities.iter();
    let with_classes = rows.any(|row| row.majority_class.is_some());
    let mut columns = vec![
        Column::new("Community", "0 is the largest", false),
        Column::new("Nodes", "number of nodes", true),
        Column::new("Share", "share of all nodes", true),
        Column::new(
            "Density",
            "share of the pairs of its nodes that are linked",
            true,
        ),
        Column::new(
            "Conductance",
            "weight of the links that leave it, divided by the weight of all links of the smaller side of the cut: 0 for a separate community, 1 for one without links inside",
            true,
        ),
        Column::new("Pieces", "number of connected components", true),
        Column::new(
            "Confidence",
            "how sure the community of its nodes is, on average",
            true,
        ),
    ];
    if with_classes {
        columns.push(Column::new(
            "Main class",
            "the most frequent class of its nodes",
            false,
        ));
        columns.push(Column::new(
            "Purity",
            "share of its nodes with the main class",
            true,
        ));
    }
    let row = |(community, row): (usize, &super::CommunityRow)| {
        let share = row.size as f64 / nodes;
        let mut cells = vec![
            Cell {
                text: community.to_string(),
                key: Some(community as f64),
                dot: Some(categorical(community)),
            },
            Cell::number(count(row.size), row.size as f64),
            Cell::number(percent(share), share),
            Cell::number(significant(row.internal_density, 3), row.internal_density),
            Cell::number(significant(row.conductance, 3), row.conductance),
            Cell::number(count(row.components), row.components as f64),
            Cell::number(percent(row.mean_confidence), row.mean_confidence),
        ];
        if with_classes {
            let (name, purity) = match &row.majority_class {
                Some((name, share)) => (escape::name(name), *share),
                None => (String::new(), f64::NAN),
            };
            cells.push(Cell::text(name));
            cells.push(Cell::number(percent(purity), purity));
        }
        cells
    };
    let rows: Vec<_> = report.communities.iter().enumerate().map(row).collect();
    table("Communities", &columns, &rows, true)
}
