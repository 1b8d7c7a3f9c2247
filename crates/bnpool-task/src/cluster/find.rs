//! Community detection in one call.

use super::{ClusterConfig, Communities, Epoch, Trainer};
use crate::{TaskError, in_pool};
use bnpool::pool::PoolSettings;
use bnpool_graph::Graph;
use std::ops::ControlFlow;

/// Finds the communities of a graph, and infers their number.
///
/// The observer is called after each epoch. If it breaks, the training stops
/// and the best epoch so far is the result, marked as unfinished. Work is done
/// in the current pool of rayon, or in the global one. Communities only depend
/// on the seed, not on the number of threads.
///
/// # Errors
///
/// Returns an error if a setting is out of range, the graph is too small, the
/// memory is insufficient for the settings, or a value is no longer finite.
///
/// # Complexity
///
/// An epoch takes O(N² C) time with the dense loss and O(E C) with the sparse
/// one, and O(N C + E) memory with both.
///
/// ```
/// use bnpool_task::cluster::ClusterConfig;
/// use bnpool_graph::generate::builtin_community;
/// use std::ops::ControlFlow;
///
/// let graph = builtin_community()?;
/// let found = bnpool_task::cluster(&graph, &ClusterConfig::default(), |epoch| {
///     // A look at the first epochs is enough for this example.
///     if epoch.epoch < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// })?;
/// assert_eq!(found.labels.len(), 400);
/// assert!(found.unfinished && found.count.interval[0] <= found.communities.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cluster<C: PoolSettings>(
    graph: &Graph,
    config: &ClusterConfig<C>,
    mut observer: impl FnMut(&Epoch) -> ControlFlow<()> + Send,
) -> Result<Communities, TaskError> {
    in_pool(|| {
        let mut trainer = Trainer::new(graph, config)?;
        while let Some(epoch) = trainer.advance()? {
            if observer(&epoch).is_break() {
                break;
            }
        }
        trainer.finish()
    })
}
