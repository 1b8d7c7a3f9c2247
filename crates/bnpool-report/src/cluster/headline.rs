//! What was found, in words for everyone.

use super::ClusterReport;
use crate::escape;
use crate::number::{count, counted, percent, significant};
use crate::page::Markup;
use crate::page::{KeyFigure, key_figures, notes};

/// Nodes of which no community holds more than half.
fn undecided(report: &ClusterReport<'_>) -> usize {
    let sure = report.confidence.iter().filter(|&&share| share > 0.5);
    report.confidence.len() - sure.count()
}

fn mean(values: &[f32]) -> f64 {
    let sum: f64 = values.iter().map(|&value| f64::from(value)).sum();
    sum / values.len().max(1) as f64
}

/// Pairs of nodes that are linked, in whatever direction, and self-loops.
fn links(report: &ClusterReport<'_>) -> (usize, bool) {
    let adjacency = report.graph.adjacency();
    if !adjacency.is_symmetric() {
        return (adjacency.entries(), true);
    }
    let nodes = 0..report.graph.nodes();
    let loops = nodes.filter(|&u| adjacency.find(u, u).is_some()).count();
    ((adjacency.entries() - loops) / 2 + loops, false)
}

/// How sure the assignments are, in a word.
fn surety(confidence: f64) -> &'static str {
    match confidence {
        c if c >= 0.9 => "very clear",
        c if c >= 0.75 => "mostly clear",
        c if c >= 0.5 => "somewhat blurred",
        _ => "blurred",
    }
}

fn found(report: &ClusterReport<'_>) -> String {
    let communities = report.communities.len();
    let nodes = counted(report.graph.nodes(), "node", "nodes");
    let number = counted(communities, "community", "communities");
    let meaning = match report.posterior {
        true => ": groups of nodes that are linked to the others in the same way",
        false => "",
    };
    format!(
        r#"<p class="lead">{} found <strong>{number}</strong> among the {nodes} of this graph{meaning}.</p>"#,
        Markup::text(report.pooler)
    )
}

/// What the posterior says about the number, or where else it comes from.
fn number(report: &ClusterReport<'_>) -> String {
    let draws = report.cluster_counts.len();
    let found = report.communities.len();
    if !report.posterior {
        return format!(
            "<p>{} does not look for the number of communities: it was given {} to fill.</p>",
            Markup::text(report.pooler),
            counted(report.max_clusters, "cluster", "clusters")
        );
    }
    if draws == 0 {
        return String::new();
    }
    let [low, high] = report.communities_interval;
    let range = match low == high {
        true => format!(
            "at least 90 % of them hold exactly {}",
            counted(low, "community", "communities")
        ),
        false => format!("at least 90 % of them hold between {low} and {high} communities"),
    };
    let same = report
        .cluster_counts
        .iter()
        .filter(|&&n| n == found)
        .count();
    let agreement = match same {
        0 => format!(
            "None of them holds exactly {found}: the number above comes from the average over all samples."
        ),
        _ => format!(
            "{} of them hold exactly {found}.",
            percent(same as f64 / draws as f64)
        ),
    };
    format!(
        "<p>Nobody told it how many there are. To see how firm the number is, {} drawn from everything the model still holds possible: {range}. {agreement}</p>",
        match draws {
            1 => "one sample was".to_owned(),
            more => format!("{} samples were", count(more)),
        }
    )
}

/// How firmly nodes belong.
fn firmness(report: &ClusterReport<'_>) -> String {
    let nodes = report.graph.nodes();
    if nodes == 0 {
        return String::new();
    }
    let confidence = mean(report.confidence);
    let unsure = undecided(report);
    let rest = match unsure {
        0 => "every node belongs to its community by more than half".to_owned(),
        1 => "one node is undecided: no community holds more than half of it".to_owned(),
        more => format!(
            "{} nodes ({}) are undecided: no community holds more than half of them",
            count(more),
            percent(more as f64 / nodes as f64)
        ),
    };
    format!(
        "<p>The communities are <b>{}</b>: on average a node belongs to its community by {}, and {rest}.</p>",
        surety(confidence),
        percent(confidence)
    )
}

fn numbers(report: &ClusterReport<'_>) -> Markup {
    let nodes = report.graph.nodes();
    let (links, directed) = links(report);
    let [low, high] = report.communities_interval;
    let largest = report.communities.iter().map(|row| row.size).max();
    let share = |n: usize| percent(n as f64 / nodes.max(1) as f64);
    let unsure = undecided(report);
    let mut figures = vec![
        KeyFigure::new("Nodes", count(nodes), ""),
        KeyFigure::new(
            "Links",
            count(links),
            if directed { "directed" } else { "" },
        ),
        KeyFigure::new(
            "Communities",
            count(report.communities.len()),
            match report.cluster_counts.is_empty() {
                true => format!("of at most {}", count(report.max_clusters)),
                false if low == high => format!("90 %: {low}"),
                false => format!("90 %: {low} to {high}"),
            },
        ),
        KeyFigure::new(
            "Largest community",
            count(largest.unwrap_or(0)),
            format!("{} of the nodes", share(largest.unwrap_or(0))),
        ),
        KeyFigure::new(
            "Mean confidence",
            percent(mean(report.confidence)),
            format!("mean entropy {}", significant(mean(report.entropy), 2)),
        ),
        KeyFigure::new("Undecided nodes", count(unsure), share(unsure)),
    ];
    if let Some(classes) = &report.classes {
        let known = count(classes.count());
        figures.push(KeyFigure::new(
            "Known classes",
            known,
            "not shown to the model",
        ));
    }
    key_figures(&figures)
}

/// Everything above the sections.
pub(super) fn header(report: &ClusterReport<'_>) -> Markup {
    Markup::trusted(format!(
        r#"<p class="source">{}</p>{}{}{}{}{}"#,
        Markup::text(&escape::sentence(report.dataset)),
        found(report),
        number(report),
        firmness(report),
        numbers(report),
        notes(report.notes)
    ))
}
