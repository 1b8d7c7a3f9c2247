//! The report on communities that were found in memory.

use super::output::Finished;
use super::page::render_cluster;
use super::{GraphSource, Input, Plan};
use crate::Failure;
use crate::cluster::{ClusterConfig, Communities};
use crate::run::{Entry, Existing, RunDirectory};
use bnpool_graph::Graph;
use bnpool_io::remedy::Change;

/// Draws the report on the communities of a graph, as one page of HTML that loads nothing
/// from the network. Nothing is written to a directory.
///
/// # Errors
///
/// Returns an error if the report cannot be drawn.
///
/// ```
/// use bnpool_graph::generate::builtin_community;
/// use bnpool_task::cluster::ClusterConfig;
/// use std::ops::ControlFlow;
///
/// let graph = builtin_community()?;
/// let config = ClusterConfig::default();
/// let found = bnpool_task::cluster(&graph, &config, |_| ControlFlow::Continue(()))?;
/// let page = bnpool_task::report("colleagues", &graph, &config, &found)?;
/// assert!(page.starts_with("<!doctype html>") && page.contains("colleagues"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn report(
    name: &str,
    graph: &Graph,
    config: &ClusterConfig,
    found: &Communities,
) -> Result<String, Failure> {
    let field = |change: Change| Some(change.field());
    let input = Input::in_memory(name, graph.clone(), Vec::new(), Vec::new());
    let plan = Plan {
        source: GraphSource {
            called: Some(name.to_owned()),
            ..GraphSource::default()
        },
        config: config.clone(),
        directory: RunDirectory::at(""),
        entry: Entry::New(Existing::Keep),
        facts: None,
    };
    // Its time is not known here.
    let finished = Finished::new(&plan, &input, found, None, (0, 0.0), field);
    render_cluster(&finished, &[], field, |drawing| Ok(drawing.html()))
}
