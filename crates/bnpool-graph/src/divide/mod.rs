//! One graph in parts, so that nobody needs to hold the whole of it.
//!
//! A [`Division`] cuts the nodes into contiguous ranges of about equal work. Where
//! it cuts follows from the graph alone, never from the number of processes or from
//! memory, so that what is computed part by part has the same bytes everywhere. A
//! [`Part`] holds the rows of one range, with columns of the whole graph. A
//! [`PartSource`] hands out parts: [`Held`] from a graph in memory; a reader of files
//! can be another.

mod division;
mod held;
mod part;

use std::fmt::Debug;
use std::sync::Arc;

pub use division::{Cutter, Division, PART_WORK};
pub use held::Held;
pub use part::Part;

use thiserror::Error;

/// Why a part could not be read: the error of the source.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct PartError(Box<dyn std::error::Error + Send + Sync>);

impl PartError {
    /// Wraps the error of a source.
    pub fn new(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(error.into())
    }

    /// The error of the source, if it is of this type.
    #[must_use]
    pub fn downcast_ref<E: std::error::Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

/// Where the parts of a graph come from.
///
/// ```
/// use bnpool_graph::divide::{Held, PART_WORK, PartSource};
/// use bnpool_graph::generate::Sbm;
///
/// let graph = Sbm::with_degree(1000, 5, 8.0, 0.9)?.generate(0)?;
/// let source = Held::new(graph.clone(), 2000);
/// let mut entries = 0;
/// for p in 0..source.division().parts() {
///     let part = source.part(p)?;
///     assert_eq!(part.range(), source.division().range(p));
///     let first = part.range().start;
///     assert_eq!(part.row(0), graph.adjacency().row(first));
///     entries += part.entries();
/// }
/// assert_eq!(entries, graph.edges());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PartSource: Debug + Send + Sync {
    /// Nodes of the whole graph.
    fn nodes(&self) -> usize {
        self.division().nodes()
    }

    /// Entries of the whole adjacency: an undirected edge counts twice.
    fn entries(&self) -> usize;

    /// Whether edges have weights.
    fn is_weighted(&self) -> bool;

    /// Where the graph is cut.
    fn division(&self) -> &Division;

    /// The rows of a part. Asking again may read them again.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or its rows are damaged.
    ///
    /// # Panics
    ///
    /// When there is no such part.
    fn part(&self, part: usize) -> Result<Arc<Part>, PartError>;

    /// The true class of every node of a part, if classes are known.
    ///
    /// # Errors
    ///
    /// As [`part`](Self::part).
    fn node_labels(&self, part: usize) -> Result<Option<Vec<u32>>, PartError>;

    /// The name of every node of a part, if nodes have names.
    ///
    /// # Errors
    ///
    /// As [`part`](Self::part).
    fn node_ids(&self, part: usize) -> Result<Option<Vec<String>>, PartError>;
}
