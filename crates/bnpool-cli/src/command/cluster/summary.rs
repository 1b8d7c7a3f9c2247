//! The result for people, on standard output.

use super::Plan;
use super::metrics::Effort;
use super::progress::loss_words;
use super::source::Input;
use bnpool::task::cluster::{ClusterResult, interval_90};

/// Communities that are listed; the rest is summed up.
const LISTED: usize = 20;

/// Prints the summary.
pub fn print(plan: &Plan, input: &Input, result: &ClusterResult, effort: &Effort) {
    let [low, high] = interval_90(&result.counts.argmax);
    let n = result.communities.len();
    let plural = if n == 1 { "y" } else { "ies" };
    say!(
        "{n} communit{plural} (90 % of {} posterior samples have {low} to {high})",
        result.counts.argmax.len()
    );
    say!("");
    table(input, result);
    say!("");
    let mean = result.confidence.iter().map(|&c| f64::from(c)).sum::<f64>()
        / result.confidence.len().max(1) as f64;
    say!("  mean confidence  {:.1} %", 100.0 * mean);
    say!("  modularity       {:.3}", result.modularity);
    if let Some(a) = &result.mean_agreement {
        say!(
            "  known classes    NMI {:.3}, ARI {:.3}, ACC {:.1} %, COS {:.1} %",
            a.nmi,
            a.ari,
            100.0 * a.acc,
            100.0 * a.cos
        );
    }
    say!("  losses           {}", loss_words(&result.losses));
    say!(
        "  training         {} epochs in {:.1} s ({:.2} ms an epoch), best epoch {}",
        effort.epochs,
        effort.seconds,
        1e3 * effort.seconds_per_epoch,
        result.best_epoch
    );
    let path = plan.directory.path();
    say!(
        "  written to       {}: labels.csv, report.html and more",
        path.display()
    );
}

fn table(input: &Input, result: &ClusterResult) {
    let nodes = input.graph.nodes().max(1) as f64;
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
