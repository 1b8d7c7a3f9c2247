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
        "<p>Given these communities, the assignment of nodes is <b>{}</b>: the mean confidence in the community of a node is {}. {rest}</p>",
        clarity(confidence),
        percent(confidence)
    )
}

/// Agreement with known classes.
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
        let remark = "with known classes; 1 is best".to_owned();
        figures.push(("NMI", digits(agreement.nmi), remark));
        let remark = "0 is chance, 1 is best".to_owned();
        figures.push(("ARI", digits(agreement.ari), remark));
    }
    if let Some(classes) = &report.classes {
        let remark = "not used in training".to_owned();
        figures.push(("Known classes", count(classes.count()), remark));
    }
    figures
}

fn numbers(report: &ClusterReport<'_>) -> Markup {
    let nodes = report.graph.nodes();
    let (links, directed) = links(report);
    let directions = if directed { "directed" } else { "" };
    let [low, high] = report.communities_interval;
    let largest = report.communities.iter().map(|row| row.size).max();
    let largest = largest.unwrap_or(0);
    let share = |n: usize| percent(n as f64 / nodes.max(1) as f64);
    let unsure = undecided(report);
    let range = if report.cluster_counts.is_empty() {
        // More communities than columns of S come from the search alone.
        if report.communities.len() > report.max_clusters {
            String::new()
        } else {
            format!("of at most {}", count(report.max_clusters))
        }
    } else if low == high {
        format!("90 %: {low}")
    } else {
        format!("90 %: {low} to {high}")
    };
    let entropy = significant(mean(report.entropy), 2);
    let mut figures = vec![
        ("Nodes", count(nodes), String::new()),
        ("Links", count(links), directions.to_owned()),
        ("Communities", count(report.communities.len()), range),
    ];
    figures.extend(agreement(report));
    figures.extend([
        (
            "Largest community",
            count(largest),
            format!("{} of the nodes", share(largest)),
        ),
        (
            "Mean confidence",
            percent(mean(report.confidence)),
            format!("mean entropy {entropy}"),
        ),
        ("Undecided nodes", count(unsure), share(unsure)),
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
