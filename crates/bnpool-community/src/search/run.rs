//! The search of a graph, piece by piece.

use super::config::{SearchConfig, Structure};
use super::connected::find_connected;
use super::pieces::{Part, Pieces};
use super::progress::Reporter;
use super::{Evidence, Progress, Stage};
use crate::{CommunityError, Links};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Components of fewer nodes are one group each, unless they are the whole graph.
const SMALLEST: usize = 8;

/// Searches for groups in a graph.
///
/// The observer is called when a stage begins and when one of its tasks is
/// done, from any thread, and may stop the search. Neither the observer nor the
/// number of threads affects the result.
///
/// # Errors
///
/// Returns [`CommunityError::Stopped`] if the observer requests a stop, and an
/// error if a given partition has a different number of nodes.
///
/// # Complexity
///
/// Some ten passes over the edges for each of a few starts, and O(P log P) time for the P
/// pairs of adjacent groups of a start; O(N + E) memory for each start that is processed
/// concurrently. The block model adds O(E · min(B, 32)) time per sweep for B blocks.
///
/// ```
/// use bnpool_community::search::{SearchConfig, Verdict, find};
/// use bnpool_community::Links;
/// use bnpool_graph::generate::Sbm;
/// use std::ops::ControlFlow;
///
/// let graph = Sbm::with_degree(200, 4, 12.0, 0.9)?.generate(0)?;
/// let links = Links::new(graph.adjacency())?;
/// let found = find(&links, &SearchConfig::default(), &|_| ControlFlow::Continue(()))?;
/// assert_eq!(found.verdict, Verdict::Communities);
/// assert_eq!(found.partition.groups(), 4);
/// assert!(found.nats > 100.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find(
    links: &Links,
    config: &SearchConfig,
    observer: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
) -> Result<Evidence, CommunityError> {
    for partition in &config.given {
        partition.check(links.nodes())?;
    }
    let reporter = Reporter::new(observer);
    let pieces = match config.structure {
        Structure::Blocks => Pieces::together(links),
        _ => Pieces::new(links),
    };
    if pieces.is_whole() {
        return find_connected(links, config, &reporter);
    }
    let parts: Vec<Part> = pieces.graphs(links).collect();
    let search = |part: &Part, reporter: &Reporter<'_>| {
        let given = config.given.iter().map(|d| part.restrict(d)).collect();
        let config = SearchConfig {
            given,
            ..config.clone()
        };
        find_connected(&part.links, &config, reporter)
    };
    // The largest piece first, because it takes the longest.
    let lead = pieces.lead();
    let first = search(&parts[lead], &reporter)?;
    let others: Vec<usize> = (0..parts.len())
        .filter(|&p| p != lead && parts[p].nodes.len() >= SMALLEST)
        .collect();
    let tasks = others.len();
    if tasks > 0 {
        reporter.begin(Stage::Pieces, tasks)?;
    }
    let rest: Vec<Evidence> = others
        .par_iter()
        .enumerate()
        .map(|(done, &p)| {
            let stage = Stage::Pieces;
            search(&parts[p], &reporter.within(Progress { stage, done, tasks }))
        })
        .collect::<Result<_, CommunityError>>()?;
    let mut found: Vec<Option<Evidence>> = parts.iter().map(|_| None).collect();
    found[lead] = Some(first);
    for (p, evidence) in others.into_iter().zip(rest) {
        found[p] = Some(evidence);
    }
    Ok(pieces.combined(links, &parts, found))
}
