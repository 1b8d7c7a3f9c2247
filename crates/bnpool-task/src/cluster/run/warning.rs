//! Reasons to doubt the communities, as text.
//!
//! These lines are used in the summary, in `metrics.json` and in the report.

use crate::cluster::{Communities, Community};
use crate::failure::Terms;
use crate::front::advice;

/// Communities with a higher conductance have few links inside.
const CONDUCTANCE: f64 = 0.8;
/// A community with this many connected components is hardly one community.
const PIECES: usize = 5;
/// A lower mean confidence indicates widely spread memberships.
const CONFIDENCE: f64 = 0.5;

/// Returns reasons to doubt the communities of a result; empty if there are
/// none.
#[must_use]
pub fn warnings(result: &Communities, terms: Terms) -> Vec<String> {
    let confidence = mean_confidence(result);
    let isolated = result.evidence.as_ref().map_or(0, |found| found.isolated);
    let list = [
        single(result.communities.len(), result.labels.len()),
        open(&result.communities),
        pieces(&result.communities, isolated, terms),
        uncertain(confidence),
    ];
    list.into_iter().flatten().collect()
}

/// Returns the mean confidence of all nodes.
#[must_use]
pub fn mean_confidence(result: &Communities) -> f64 {
    let sum: f64 = result.confidence.iter().map(|&c| f64::from(c)).sum();
    sum / result.confidence.len().max(1) as f64
}

fn single(communities: usize, nodes: usize) -> Option<String> {
    (communities == 1 && nodes > 1)
        .then(|| "all nodes are in one community: no partition of the graph was found".to_owned())
}

/// Warns about communities with more links to other communities than inside.
fn open(communities: &[Community]) -> Option<String> {
    let high = |c: &Community| c.statistics.conductance > CONDUCTANCE;
    let (many, nodes) = tally(communities, ["has", "have"], high)?;
    Some(format!(
        "{many} conductance above {CONDUCTANCE} ({nodes}), so most links lead to other communities: such a group shares neighbours at best, and is not densely linked inside"
    ))
}

/// Warns about communities with many connected components. Nodes without links do
/// not count: they are in the largest group, which is reported elsewhere.
fn pieces(communities: &[Community], isolated: usize, terms: Terms) -> Option<String> {
    let scattered = |c: &Community| {
        let (mut pieces, size) = (c.statistics.components, c.statistics.size);
        if communities
            .first()
            .is_some_and(|first| std::ptr::eq(first, c))
        {
            pieces = pieces.saturating_sub(isolated).max(1);
        }
        pieces > 1 && (pieces >= PIECES || 4 * pieces >= size)
    };
    let (many, nodes) = tally(communities, ["consists", "consist"], scattered)?;
    Some(format!(
        "{many} of many pieces without a path between them ({nodes}); {} to make each piece a community",
        advice(terms, "evaluation.split_disconnected", "true")
    ))
}

fn uncertain(confidence: f64) -> Option<String> {
    (confidence < CONFIDENCE).then(|| {
        format!(
            "the mean confidence is {:.1} %: most nodes belong to several communities, so their labels are uncertain",
            100.0 * confidence
        )
    })
}

/// Counts the communities with a property, and their nodes. Returns both as
/// text, the first with a verb; `None` if there are none.
fn tally(
    communities: &[Community],
    [one, more]: [&str; 2],
    so: impl Fn(&Community) -> bool,
) -> Option<(String, String)> {
    let found: Vec<&Community> = communities.iter().filter(|c| so(c)).collect();
    let nodes: usize = found.iter().map(|c| c.statistics.size).sum();
    let noun = if communities.len() == 1 {
        "community"
    } else {
        "communities"
    };
    (!found.is_empty()).then(|| {
        (
            format!(
                "{} of {} {noun} {}",
                found.len(),
                communities.len(),
                if found.len() == 1 { one } else { more }
            ),
            format!("{nodes} {}", if nodes == 1 { "node" } else { "nodes" }),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::structure::CommunityStatistics;
    use bnpool_io::remedy::Change;

    fn field(change: Change) -> Option<String> {
        Some(change.field())
    }

    fn community(size: usize, conductance: f64, components: usize) -> Community {
        Community {
            column: 0,
            confidence: 1.0,
            statistics: CommunityStatistics {
                label: 0,
                size,
                internal_edges: 0,
                internal_weight: 0.0,
                internal_density: 0.0,
                cut_edges: 0,
                cut_weight: 0.0,
                conductance,
                components,
            },
        }
    }

    #[test]
    fn sound_communities_are_not_doubted() {
        let sound = [community(40, 0.3, 1), community(30, 0.8, 2)];
        assert_eq!((open(&sound), pieces(&sound, 0, field)), (None, None));
        assert_eq!((single(2, 9), single(1, 1)), (None, None));
        assert_eq!(uncertain(0.5), None);
    }

    #[test]
    fn nodes_without_links_are_no_pieces() {
        let found = [community(60, 0.3, 20), community(30, 0.3, 1)];
        assert_eq!(pieces(&found, 19, field), None);
        assert!(pieces(&found, 15, field).is_some() && pieces(&found, 0, field).is_some());
    }

    #[test]
    fn odd_communities_are_counted() {
        let odd = [
            community(40, 0.95, 1),
            community(30, 0.81, 5),
            community(4, 0.0, 2),
        ];
        let words = open(&odd).unwrap_or_default();
        assert!(words.starts_with("2 of 3 communities have conductance above 0.8 (70 nodes)"));
        let words = pieces(&odd, 0, field).unwrap_or_default();
        assert!(words.starts_with("2 of 3 communities consist of many pieces"));
        assert!(words.contains("(34 nodes)"), "{words}");
        assert!(single(1, 9).is_some());
        let words = uncertain(0.412).unwrap_or_default();
        assert!(words.contains("41.2 %"), "{words}");
    }
}
