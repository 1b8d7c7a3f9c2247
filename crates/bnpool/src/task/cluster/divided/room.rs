//! How much memory a training on a graph in parts may take.

use crate::task::TaskError;
use bnpool_graph::divide::PartSource;
use bnpool_math::memory::{self, NotEnoughMemory};
use bnpool_parallel::{Collective, share};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The memory that a process may take, and where rows go that do not fit.
///
/// It changes nothing in the results. If the rows of the network do not fit, they are
/// kept in files, and the parts of the graph are read again in every phase.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Room {
    /// Bytes that may be taken; none for what the machine has.
    pub memory: Option<u64>,
    /// The folder of the files; none for that of the system.
    pub folder: Option<PathBuf>,
}

impl Room {
    /// So many bytes, with files in this folder.
    #[must_use]
    pub fn new(memory: Option<u64>, folder: PathBuf) -> Self {
        Self {
            memory,
            folder: Some(folder),
        }
    }

    /// Whether rows of these widths go to files, and where.
    ///
    /// # Errors
    ///
    /// When not even a part at a time fits.
    pub(super) fn spill(
        &self,
        source: &Arc<dyn PartSource>,
        engine: &dyn Collective,
        widths: [usize; 4],
    ) -> Result<Option<&Path>, TaskError> {
        let need = Need::of(&**source, engine, widths);
        let free = memory::free();
        let allowed = self.memory.map_or(free, |memory| memory.min(free));
        if need.all <= allowed {
            return Ok(None);
        }
        if need.least > allowed {
            return Err(TaskError::Room(NotEnoughMemory {
                what: format!("a graph of {} nodes in parts", source.nodes()),
                needed: need.least,
                free: allowed,
            }));
        }
        Ok(Some(self.folder.as_deref().unwrap_or(Path::new("."))))
    }
}

/// Bytes that a rank needs.
#[derive(Debug, Clone, Copy)]
struct Need {
    /// With all of its rows in memory.
    all: u64,
    /// With rows in files.
    least: u64,
}

impl Need {
    fn of(source: &dyn PartSource, engine: &dyn Collective, widths: [usize; 4]) -> Self {
        let division = source.division();
        let parts = division.parts();
        // Every rank must decide the same, so the largest share counts.
        let mut own = (0, 0);
        for rank in 0..engine.size() {
            let mut sum = (0, 0);
            for part in share(parts, rank, engine.size()) {
                sum.0 += division.range(part).len();
                sum.1 += division.entries(part).len();
            }
            own = std::cmp::max(own, sum);
        }
        let part = (0..parts)
            .map(|p| division.range(p).len() + division.entries(p).len())
            .max()
            .unwrap_or(0);
        let clusters = widths[3];
        let values: usize = widths.iter().sum();
        // Labels, degrees and the paths of the search: some words a node.
        let everywhere = 24 * source.nodes() as u64;
        // The own filter, and what a part needs while it is worked on: S of the ends
        // of edges and negatives.
        let working = 8 * own.0 as u64 + part as u64 * 2 * (4 * (clusters as u64 + 18) + 16);
        let rows = own.0 as u64 * 4 * values as u64 + 16 * own.0 as u64 + 8 * own.1 as u64;
        Self {
            all: everywhere + working + rows,
            least: everywhere + working,
        }
    }
}
