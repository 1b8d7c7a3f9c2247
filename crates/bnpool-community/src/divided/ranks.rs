//! Communication between ranks.

use crate::CommunityError;
use crate::search::{Progress, Stage};
use bnpool_parallel::Collective;
use bytemuck::Pod;
use std::cell::Cell;
use std::ops::ControlFlow;

/// The ranks of the job, and the observer. The observer is called at every
/// synchronisation; if that of one rank requests a stop, all ranks stop at the same
/// point.
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

    /// Number of this rank, and number of ranks.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.engine.rank(), self.engine.size())
    }

    /// Reports the number of completed tasks of a stage.
    pub(super) fn at(&self, stage: Stage, done: usize, tasks: usize) {
        self.progress.set(Progress { stage, done, tasks });
    }

    /// Gathers the values of all ranks, in their order.
    ///
    /// # Errors
    ///
    /// Returns an error if an observer requests a stop.
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

    /// Sums the counts of all ranks, element by element.
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
