//! Summary of the result on standard output.

use super::progress::loss_words;
use bnpool_task::Terms;
use bnpool_task::cluster::Communities;
use bnpool_task::cluster::run::{Done, Input, headline, mean_confidence, warnings};
use std::path::Path;

/// Number of listed communities; the rest is summarised.
const LISTED: usize = 20;

/// Prints the summary.
pub fn print(done: &Done, directory: &Path, terms: Terms) {
    let Done {
        input,
        result,
        metrics,
        ..
    } = done;
    for line in headline(result, terms) {
        say!("{line}");
    }
    say!("");
    table(input, result);
    say!("");
    if let Some(changes) = &metrics.changes {
        for (i, line) in changes.lines().iter().enumerate() {
            let name = if i == 0 { "older version" } else { "" };
            say!("  {name:<15}  {line}");
        }
        say!("");
    }
    for warning in warnings(result, terms) {
        say!("  warning: {warning}");
        say!("");
    }
    say!(
        "  mean confidence  {:.1} %",
        100.0 * mean_confidence(result)
    );
    say!("  modularity       {:.3}", result.modularity);
    if let Some(agreement) = &result.mean_agreement {
        // The accuracy needs more words.
        let shown = agreement.iter().filter(|(m, _)| m.shown && m.key != "acc");
        let values =
            shown.filter_map(|(measure, value)| Some(format!("{} {:.3}", measure.title, value?)));
        say!(
            "  known classes    {}",
            values.collect::<Vec<_>>().join(", ")
        );
        match agreement.get("acc") {
            Some(acc) => say!(
                "                   a logistic regression on the memberships predicts {:.1} % of the classes (ACC)",
                100.0 * acc
            ),
            None => say!(
                "                   ACC is left out: it would take too long for so many nodes and classes"
            ),
        }
    }
    say!("  losses           {}", loss_words(&result.losses));
    say!(
        "  training         {} epochs of {:.2} ms, best epoch {}; the whole run took {:.1} s",
        metrics.epochs,
        1e3 * metrics.seconds_per_epoch,
        result.best_epoch,
        metrics.seconds
    );
    say!(
        "  written to       {}: labels.csv, report.html and more",
        directory.display()
    );
}

fn table(input: &Input, result: &Communities) {
    let nodes = input.size().nodes.max(1) as f64;
    say!("  community   nodes  share  density  conductance  pieces  confidence");
    for (i, community) in result.communities.iter().take(LISTED).enumerate() {
        let s = &community.statistics;
        say!(
            "  {i:>9}  {:>6}  {:>4.1}%  {:>7.4}  {:>11.3}  {:>6}  {:>9.1}%",
            s.size,
            100.0 * s.size as f64 / nodes,
            s.internal_density,
            s.conductance,
            s.components,
            100.0 * community.confidence
        );
    }
    let rest = &result.communities[LISTED.min(result.communities.len())..];
    if !rest.is_empty() {
        let size: usize = rest.iter().map(|c| c.statistics.size).sum();
        say!("  and {} smaller ones with {size} nodes in all", rest.len());
    }
}
