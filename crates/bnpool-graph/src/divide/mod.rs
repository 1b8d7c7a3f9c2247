//! A graph in parts, so that no process needs to hold all of it.
//!
//! [`Cuts`] split the nodes into contiguous ranges of about equal work. It
//! depends on the graph alone, not on the number of processes or on memory, so that
//! results computed part by part have the same bytes everywhere. A [`Part`] holds the
//! rows of one range, with columns of the whole graph. A [`PartSource`] provides
//! parts: [`Held`] does so from a graph in memory; file readers can implement it as
//! well.

mod cuts;
mod part;

use std::fmt::Debug;
use std::sync::Arc;

pub use cuts::{Cuts, Cutter, PART_WORK};
pub use part::Held;
pub use part::Part;

use thiserror::Error;

/// The error of a source that failed to read a part.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct PartError(Box<dyn std::error::Error + Send + Sync>);

impl PartError {
    /// Wraps the error of a source.
    pub fn new(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(error.into())
    }

    /// Returns the error of the source if it has this type.
    #[must_use]
    pub fn downcast_ref<E: std::error::Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

/// A source of the parts of a graph.
///
/// ```
/// use bnpool_graph::divide::{Held, PART_WORK, PartSource};
/// use bnpool_graph::generate::Sbm;
///
/// let graph = Sbm::with_degree(1000, 5, 8.0, 0.9)?.generate(0)?;
/// let source = Held::new(graph.clone(), 2000);
/// let mut entries = 0;
/// for p in 0..source.cuts().parts() {
///     let part = source.part(p)?;
///     assert_eq!(part.range(), source.cuts().range(p));
///     let first = part.range().start;
///     assert_eq!(part.row(0), graph.adjacency().row(first));
///     entries += part.entries();
/// }
/// assert_eq!(entries, graph.edges());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PartSource: Debug + Send + Sync {
    /// Number of nodes of the whole graph.
    fn nodes(&self) -> usize {
        self.cuts().nodes()
    }

    /// Number of entries of the whole adjacency: an undirected edge counts
    /// twice.
    fn entries(&self) -> usize;

    /// Returns whether edges have weights.
    fn is_weighted(&self) -> bool;

    /// The cuts of the graph.
    fn cuts(&self) -> &Cuts;

    /// Returns the rows of a part. Repeated calls may read them again.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, or its rows are damaged.
    ///
    /// # Panics
    ///
    /// Panics if there is no such part.
    fn part(&self, part: usize) -> Result<Arc<Part>, PartError>;

    /// Ground-truth class of each node of a part, if available.
    ///
    /// # Errors
    ///
    /// As [`part`](Self::part).
    fn node_labels(&self, part: usize) -> Result<Option<Vec<u32>>, PartError>;

    /// Name of each node of a part, if nodes have names.
    ///
    /// # Errors
    ///
    /// As [`part`](Self::part).
    fn node_ids(&self, part: usize) -> Result<Option<Vec<String>>, PartError>;
}
