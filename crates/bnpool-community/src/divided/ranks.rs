//! What ranks tell each other.

use crate::CommunityError;
use crate::search::{Progress, Stage};
use bnpool_parallel::Collective;
use bytemuck::Pod;
use std::cell::Cell;
use std::ops::ControlFlow;

/// The ranks of the job, and the observer. Whenever they meet, the observer is asked
/// whether to go on; all ranks stop at the same place when that of one says so.
pub(super) struct Ranks<'a> {
    engine: &'a dyn Collective,
    observer: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync),
    progress: Cell<Progress>,
}

impl<'a> Ranks<'a> {
    pub(super) fn new(
        engine: &'a dyn Collective,
        observer: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync),
    ) -> Self {
        let progress = Cell::new(Progress {
            stage: Stage::Starts,
            done: 0,
            tasks: 1,
        });
        Self {
            engine,
            observer,
            progress,
        }
    }

    /// This rank, and how many there are.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.engine.rank(), self.engine.size())
    }

    /// So many tasks of a stage are done.
    pub(super) fn at(&self, stage: Stage, done: usize, tasks: usize) {
        self.progress.set(Progress { stage, done, tasks });
    }

    /// What all ranks have, in their order.
    ///
    /// # Errors
    ///
    /// When an observer said stop.
    pub(super) fn gather<T: Pod>(&self, own: Vec<T>) -> Result<Vec<T>, CommunityError> {
        let mut stop = (self.observer)(self.progress.get()).is_break();
        let mut all = own;
        if self.engine.size() > 1 {
            let mut sent = Vec::with_capacity(1 + size_of_val(all.as_slice()));
            sent.push(u8::from(stop));
            sent.extend_from_slice(bytemuck::cast_slice(&all));
            all.clear();
            for got in self.engine.all_gather(&sent) {
                if let Some((&flag, bytes)) = got.split_first() {
                    stop |= flag != 0;
                    let values = bytes.chunks_exact(size_of::<T>());
                    all.extend(values.map(bytemuck::pod_read_unaligned::<T>));
                }
            }
        }
        if stop {
            Err(CommunityError::Stopped)
        } else {
            Ok(all)
        }
    }

    /// The sums of the counts of all ranks, which have equally many.
    pub(super) fn sum(&self, own: Vec<u64>) -> Result<Vec<u64>, CommunityError> {
        let length = own.len();
        let mut all = self.gather(own)?;
        for rank in 1..self.engine.size() {
            for i in 0..length {
                all[i] = all[i].wrapping_add(all[rank * length + i]);
            }
        }
        all.truncate(length);
        Ok(all)
    }
}
