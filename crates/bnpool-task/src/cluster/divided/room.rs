//! Memory limit of a training on a graph in parts.

use crate::TaskError;
use bnpool_graph::divide::PartSource;
use bnpool_math::memory::{self, NotEnoughMemory};
use bnpool_parallel::{Collective, agree, share};
use std::path::{Path, PathBuf};

/// Memory limit of a process, and the folder for rows that do not fit.
///
/// It does not affect the results. If the rows of the network do not fit, they are
/// kept in files, and the parts of the graph are read again in every phase.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Room {
    /// Limit in bytes; `None` for the memory of the machine.
    pub memory: Option<u64>,
    /// Folder of the files; `None` for that of the system.
    pub folder: Option<PathBuf>,
}

impl Room {
    /// Creates a limit in bytes, with files in this folder.
    #[must_use]
    pub fn new(memory: Option<u64>, folder: PathBuf) -> Self {
        Self {
            memory,
            folder: Some(folder),
        }
    }

    /// Rejects a graph whose search for groups does not fit, before memory is
    /// allocated.
    ///
    /// # Errors
    ///
    /// Returns an error if the search does not fit on some rank.
    pub(super) fn check_search(
        &self,
        source: &dyn PartSource,
        engine: &dyn Collective,
    ) -> Result<(), TaskError> {
        let (nodes, entries) = (source.nodes() as u64, source.entries() as u64);
        let needed = SEARCH_NODE * nodes + SEARCH_ENTRY * entries;
        self.check(source, engine, needed)
    }

    /// Returns the folder of files if rows of these widths do not fit into memory.
    /// The decision is the same on all ranks.
    ///
    /// # Errors
    ///
    /// Returns an error if not even a single part fits on some rank.
    pub(super) fn spill(
        &self,
        source: &dyn PartSource,
        engine: &dyn Collective,
        widths: [usize; 4],
    ) -> Result<Option<&Path>, TaskError> {
        let need = Need::of(source, engine, widths);
        self.check(source, engine, need.least)?;
        let own = u8::from(need.all > self.allowed());
        let all = engine.all_gather(&[own]);
        let folder = self.folder.as_deref().unwrap_or(Path::new("."));
        Ok(all.contains(&vec![1]).then_some(folder))
    }

    /// Returns the number of bytes that may be allocated now.
    fn allowed(&self) -> u64 {
        let free = memory::free();
        self.memory.map_or(free, |memory| memory.min(free))
    }

    /// Returns an error on all ranks if some rank has less memory than needed.
    fn check(
        &self,
        source: &dyn PartSource,
        engine: &dyn Collective,
        needed: u64,
    ) -> Result<(), TaskError> {
        let free = self.allowed();
        let own = (needed > free).then(|| NotEnoughMemory {
            what: format!("a graph of {} nodes in parts", source.nodes()),
            needed,
            free,
        });
        let agreed = agree(engine, own.as_ref().map(ToString::to_string));
        match own {
            Some(own) => Err(TaskError::Room(own)),
            None => agreed.map_err(TaskError::OtherRank),
        }
    }
}

/// Bytes per node and per entry of the graph that the search for groups needs on each
/// rank (docs/records/scaling.md): arrays over all nodes, and the graph of the first
/// groups, which has almost as many edges.
const SEARCH_NODE: u64 = 60;
const SEARCH_ENTRY: u64 = 24;

/// Memory demand of a rank in bytes.
#[derive(Debug, Clone, Copy)]
struct Need {
    /// Demand with all rows in memory.
    all: u64,
    /// Demand with rows in files.
    least: u64,
}

impl Need {
    fn of(source: &dyn PartSource, engine: &dyn Collective, widths: [usize; 4]) -> Self {
        let partition = source.cuts();
        let parts = partition.parts();
        // All ranks must make the same decision, so the largest share is used.
        let mut own = (0, 0);
        for rank in 0..engine.size() {
            let mut sum = (0, 0);
            for part in share(parts, rank, engine.size()) {
                sum.0 += partition.range(part).len();
                sum.1 += partition.entries(part).len();
            }
            own = std::cmp::max(own, sum);
        }
        let part = (0..parts)
            .map(|p| partition.range(p).len() + partition.entries(p).len())
            .max()
            .unwrap_or(0);
        let clusters = widths[3];
        let values: usize = widths.iter().sum();
        // Labels, degrees and merges of the search: some words per node.
        let everywhere = 24 * source.nodes() as u64;
        // The own filter, and S at the ends of edges and negatives of the current
        // part.
        let working = 8 * own.0 as u64 + part as u64 * 2 * (4 * (clusters as u64 + 18) + 16);
        let rows = own.0 as u64 * 4 * values as u64 + 16 * own.0 as u64 + 8 * own.1 as u64;
        Self {
            all: everywhere + working + rows,
            least: everywhere + working,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::divide::Held;
    use bnpool_graph::generate::Sbm;
    use bnpool_parallel::Threads;

    #[test]
    fn ranks_decide_alike_by_the_one_that_has_least() {
        let graph = Sbm::with_degree(400, 4, 12.0, 0.9).and_then(|sbm| sbm.generate(0));
        let source = Held::new(graph.expect("a graph"), 500);
        let widths = [64, 32, 32, 16];
        for ranks in [1, 3] {
            Threads::run(ranks, |rank| {
                let last = rank.rank() + 1 == ranks;
                let with = |least| Room {
                    memory: Some(if last { least } else { 1 << 30 }),
                    folder: None,
                };
                let error = with(1000)
                    .check_search(&source, &rank)
                    .expect_err("too little");
                assert!(
                    error.to_string().contains("a graph of 400 nodes"),
                    "{error}"
                );
                assert!(with(1 << 20).check_search(&source, &rank).is_ok());
                assert!(with(1000).spill(&source, &rank, widths).is_err());
                let need = Need::of(&source, &rank, widths);
                for (least, folder) in [(need.least, Some(Path::new("."))), (need.all, None)] {
                    let room = with(least);
                    let spill = room.spill(&source, &rank, widths);
                    assert_eq!(spill.expect("it fits"), folder);
                }
            });
        }
    }
}
