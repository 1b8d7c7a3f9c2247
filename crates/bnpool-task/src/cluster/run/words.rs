//! Evidence for the communities as text, for the summary and the report.

use crate::cluster::{Communities, CommunityCount, FoundEvidence, Verdict, WeightModel};
use crate::failure::Terms;
use crate::front::advice;

/// Returns the number of communities and the evidence for it, each in a line.
#[must_use]
pub fn headline(result: &Communities, terms: Terms) -> Vec<String> {
    match &result.evidence {
        Some(evidence) => lines(&result.count, evidence, terms),
        None => vec![posterior_number(&result.count)],
    }
}

/// Returns the number of communities, with its range under the posterior.
fn posterior_number(count: &CommunityCount) -> String {
    let n = count.communities;
    let plural = if n == 1 { "y" } else { "ies" };
    let samples = count.samples.len();
    let range = match count.interval {
        _ if samples == 0 => String::new(),
        [low, high] if low == high => {
            format!(" ({low} in at least 90 % of {samples} posterior samples)")
        }
        [low, high] => {
            format!(" ({low} to {high} in at least 90 % of {samples} posterior samples)")
        }
    };
    format!("{n} communit{plural}{range}")
}

/// Returns the number of communities with its range, and the evidence, each in
/// a line.
fn lines(count: &CommunityCount, evidence: &FoundEvidence, terms: Terms) -> Vec<String> {
    vec![number(count, evidence), sentence(evidence, terms)]
}

fn number(count: &CommunityCount, evidence: &FoundEvidence) -> String {
    let n = count.communities;
    let [low, high] = count.interval;
    let range = if low == high {
        format!("90 % interval: {low}")
    } else {
        format!("90 % interval: {low} to {high}")
    };
    let (one, many) = match evidence.verdict {
        Verdict::Blocks => ("block", "blocks"),
        _ => ("community", "communities"),
    };
    match evidence.verdict {
        Verdict::None if n == 1 => format!("no communities found ({range})"),
        Verdict::Weak => format!("{n} {many}, on weak evidence ({range})"),
        _ if n == 1 => format!("1 {one} ({range})"),
        _ => format!("{n} {many} ({range})"),
    }
}

/// Returns the evidence in one sentence.
pub(super) fn sentence(evidence: &FoundEvidence, terms: Terms) -> String {
    let nats = evidence.nats;
    let chance = evidence.p_value.map_or(String::new(), |p| {
        format!(" (chance of as much in a random graph: {p:.2})")
    });
    let mut text = match evidence.verdict {
        Verdict::None => format!(
            "No partition describes the graph better than none, and random graphs of the same degrees have partitions as good{chance}."
        ),
        Verdict::Weak => format!(
            "The partition hardly shortens the description of the graph ({nats:.1} nats), but random graphs of the same degrees have none as good{chance}."
        ),
        Verdict::Blocks => format!(
            "The groups are blocks: the nodes of one are linked alike, and most of their links may lead to other groups. They shorten the description of the graph by {nats:.0} nats."
        ),
        _ => format!("The partition shortens the description of the graph by {nats:.0} nats."),
    };
    if evidence.by_features {
        text.push_str(" The node features decided on the groups, together with the links.");
    }
    if evidence.verdict != Verdict::None {
        text.push_str(&explained(evidence));
    }
    if let Some(agreement) = evidence.agreement
        && evidence.verdict != Verdict::None
    {
        let how = match agreement {
            a if a >= 0.8 => "agree",
            a if a >= 0.5 => "agree in part",
            _ => "disagree",
        };
        text.push_str(&format!(
            " Searches from other starts {how} (AMI {agreement:.2})."
        ));
    }
    if let Some(more) = evidence.beyond_limit {
        text.push_str(&format!(
            " The evidence asks for {more}; {} to allow them.",
            advice(terms, "pooler.max_clusters", "X")
        ));
    }
    if evidence.isolated > 0 {
        text.push_str(&format!(
            " Nodes without links ({}) are in the largest group.",
            evidence.isolated
        ));
    }
    text
}

/// Describes the relation of weights and directions to the groups.
fn explained(evidence: &FoundEvidence) -> String {
    let weights = match evidence.weights {
        None => String::new(),
        Some(WeightModel::Ignored) => " Weights say nothing more about the groups.".to_owned(),
        Some(model) => format!(
            " The groups explain the weights, too (by {}).",
            of_weights(model)
        ),
    };
    let directions = match evidence.directions {
        None => "",
        Some(true) => " The groups explain the directions of the links, too.",
        Some(false) => " Directions of the links say nothing more about the groups.",
    };
    weights + directions
}

/// Returns the name of the model of weights.
pub(super) fn of_weights(model: WeightModel) -> &'static str {
    match model {
        WeightModel::Halves => "halves",
        WeightModel::Fifths => "fifths",
        WeightModel::Tail => "tail",
        _ => "not modelled",
    }
}
