//! Text summary of the result, with the key figures.

use super::ClusterReport;
use crate::escape;
use crate::number::{count, counted, percent, significant};
use crate::page::Markup;
use crate::page::{KeyFigure, key_figures, notes, warnings};

/// Number of nodes whose community is not more likely than all others together.
fn undecided(report: &ClusterReport<'_>) -> usize {
    let sure = report.confidence.iter().filter(|&&share| share > 0.5);
    report.confidence.len() - sure.count()
}

fn mean(values: &[f32]) -> f64 {
    let sum: f64 = values.iter().map(|&value| f64::from(value)).sum();
    sum / values.len().max(1) as f64
}

/// Number of links, and whether they are directed. Undirected links are pairs
/// of nodes and self-loops.
fn links(report: &ClusterReport<'_>) -> (usize, bool) {
    let adjacency = report.graph.adjacency();
    if !adjacency.is_symmetric() {
        return (adjacency.entries(), true);
    }
    let nodes = 0..report.graph.nodes();
    let loops = nodes.filter(|&u| adjacency.find(u, u).is_some()).count();
    ((adjacency.entries() - loops) / 2 + loops, false)
}

/// Clarity of the assignment, as a word.
fn clarity(confidence: f64) -> &'static str {
    match confidence {
        c if c >= 0.9 => "very clear",
        c if c >= 0.75 => "mostly clear",
        c if c >= 0.5 => "uncertain",
        _ => "very uncertain",
    }
}

fn found(report: &ClusterReport<'_>) -> String {
    let communities = report.communities.len();
    let nodes = counted(report.graph.nodes(), "node", "nodes");
    let number = counted(communities, "community", "communities");
    let meaning = if report.posterior {
        " The nodes of a community have similar links to the rest of the graph."
    } else {
        ""
    };
    format!(
        r#"<p class="lead">{} found <strong>{number}</strong> among the {nodes} of this graph.{meaning}</p>"#,
        Markup::text(report.pooler)
    )
}

/// Text on the number of communities: its posterior, or its source.
fn number(report: &ClusterReport<'_>) -> String {
    let draws = report.cluster_counts.len();
    let found = report.communities.len();
    if !report.posterior {
        return format!(
            "<p>{} does not learn the number of communities. It was given {}.</p>",
            Markup::text(report.pooler),
            counted(report.max_clusters, "cluster", "clusters")
        );
    }
    let [low, high] = report.communities_interval;
    if !report.evidence.is_empty() {
        let range = if low == high {
            format!("{low}")
        } else {
            format!("{low} to {high}")
        };
        return format!(
            "<p>The number of communities was found by evidence; the 90 % interval is {range}. {}</p>",
            Markup::text(report.evidence)
        );
    }
    if draws == 0 {
        return String::new();
    }
    let range = if low == high {
        counted(low, "community", "communities")
    } else {
        format!("{low} to {high} communities")
    };
    let same = report
        .cluster_counts
        .iter()
        .filter(|&&n| n == found)
        .count();
    let agreement = match same {
        0 => format!(
            "None has exactly {found}: that number comes from the mean of the memberships over all samples."
        ),
        _ => format!(
            "{} have exactly {found}.",
            percent(same as f64 / draws as f64)
        ),
    };
    format!(
        "<p>The number of communities was learned from the graph. At least 90 % of {} have {range}. {agreement}</p>",
        counted(draws, "posterior sample", "posterior samples")
    )
}

/// Text on the confidence of memberships.
fn firmness(report: &ClusterReport<'_>) -> String {
    let nodes = report.graph.nodes();
    if nodes == 0 {
        return String::new();
    }
    let confidence = mean(report.confidence);
    let unsure = undecided(report);
    let rest = match unsure {
        0 => "Every node has a confidence above 50 %.".to_owned(),
        1 => "One node is undecided: its confidence is at most 50 %.".to_owned(),
        more => format!(
            "{} nodes ({}) are undecided: their confidence is at most 50 %.",
            count(more),
            percent(more as f64 / nodes as f64)
        ),
    };
    format!(
        "<p>The assignment is <b>{}</b>: the mean confidence in the community of a node is {}. {rest}</p>",
        clarity(confidence),
        percent(confidence)
    )
}

/// Key figures of the agreement with the known classes.
fn agreement(report: &ClusterReport<'_>) -> Vec<KeyFigure> {
    let mut figures = Vec::new();
    if let Some(agreement) = report.agreement {
        let digits = |value: f64| {
            if value.is_finite() {
                format!("{value:.3}").replace('-', "−")
            } else {
                "–".to_owned()
            }
        };
        let figure = |name, value: f64, remark| KeyFigure::new(name, digits(value), remark);
        figures.push(figure(
            "NMI",
            agreement.nmi,
            "with known classes; 1 is best",
        ));
        figures.push(figure("ARI", agreement.ari, "0 is chance, 1 is best"));
    }
    if let Some(classes) = &report.classes {
        let known = count(classes.count());
        figures.push(KeyFigure::new(
            "Known classes",
            known,
            "not used in training",
        ));
    }
    figures
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
            if report.cluster_counts.is_empty() {
                format!("of at most {}", count(report.max_clusters))
            } else if low == high {
                format!("90 %: {low}")
            } else {
                format!("90 %: {low} to {high}")
            },
        ),
    ];
    figures.extend(agreement(report));
    figures.extend([
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
    ]);
    key_figures(&figures)
}

/// The header above the sections.
pub(super) fn header(report: &ClusterReport<'_>) -> Markup {
    Markup::trusted(format!(
        r#"<p class="source">{}</p>{}{}{}{}{}{}"#,
        Markup::text(&escape::sentence(report.dataset)),
        found(report),
        number(report),
        firmness(report),
        warnings(report.warnings),
        numbers(report),
        notes(report.dataset, report.notes)
    ))
}
