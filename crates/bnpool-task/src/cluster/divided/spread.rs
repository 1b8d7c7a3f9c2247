//! Distribution of the parts to ranks, and the joint walk over them.

use super::Number;
use super::store::RowStore;
use crate::TaskError;
use bnpool_graph::divide::Cuts;
use bnpool_parallel::{Collective, agree, share, sum_of_parts};
use std::ops::Range;
use std::sync::Arc;

/// The parts of a graph on the ranks of a job.
#[derive(Debug, Clone)]
pub(super) struct Spread {
    pub engine: Arc<dyn Collective>,
    parts: usize,
    /// First node of each rank, and the number of nodes.
    starts: Arc<[usize]>,
}

impl Spread {
    pub fn new(cuts: &Cuts, engine: Arc<dyn Collective>) -> Self {
        let (parts, ranks) = (cuts.parts(), engine.size());
        let first = |rank: usize| match share(parts, rank, ranks).start {
            part if part < parts => cuts.range(part).start,
            _ => cuts.nodes(),
        };
        let mut starts: Vec<usize> = (0..ranks).map(first).collect();
        starts.push(cuts.nodes());
        Self {
            engine,
            parts,
            starts: starts.into(),
        }
    }

    /// Returns the parts of this rank.
    pub fn own_parts(&self) -> Range<usize> {
        share(self.parts, self.engine.rank(), self.engine.size())
    }

    /// Returns the nodes of this rank.
    pub fn own_nodes(&self) -> Range<usize> {
        let rank = self.engine.rank();
        self.starts[rank]..self.starts[rank + 1]
    }

    /// Returns the rank that owns a node.
    pub fn owner(&self, node: usize) -> usize {
        self.starts.partition_point(|&start| start <= node) - 1
    }

    /// Returns the number of rounds, in each of which every rank processes one
    /// of its parts.
    fn rounds(&self) -> usize {
        self.parts.div_ceil(self.engine.size())
    }

    /// Sums one array per part in the order of the tree over the parts.
    pub fn sum<T: Number>(&self, own: Vec<Vec<T>>, length: usize) -> Vec<T> {
        sum_of_parts(&*self.engine, self.parts, own, length)
    }

    /// Sums the counts of all ranks.
    pub fn total(&self, own: Vec<u64>) -> Vec<u64> {
        if self.engine.size() == 1 {
            return own;
        }
        let length = own.len();
        let all: Vec<u64> = self.concatenate(own);
        let sum = |i: usize| all[i..].iter().step_by(length.max(1)).sum();
        (0..length).map(sum).collect()
    }

    /// Concatenates the arrays of all ranks. If each rank passes values of its own
    /// nodes, the result is an array over all nodes.
    pub fn concatenate<T: bytemuck::Pod>(&self, own: Vec<T>) -> Vec<T> {
        if self.engine.size() == 1 {
            return own;
        }
        let all = self.engine.all_gather(bytemuck::cast_slice(&own));
        drop(own);
        joined(&all)
    }

    /// Like [`Spread::concatenate`], but only on rank 0; the others get an
    /// empty array.
    pub fn collect<T: bytemuck::Pod>(&self, own: Vec<T>) -> Vec<T> {
        if self.engine.size() == 1 {
            return own;
        }
        let mut sent = vec![Vec::new(); self.engine.size()];
        sent[0] = bytemuck::cast_slice(&own).to_vec();
        drop(own);
        joined(&self.engine.all_to_all(sent))
    }

    /// Processes the own parts one after another, without communication.
    ///
    /// # Errors
    ///
    /// Returns the first error of any rank on all ranks.
    pub fn visit(
        &self,
        mut work: impl FnMut(usize) -> Result<(), TaskError>,
    ) -> Result<(), TaskError> {
        self.agree(self.own_parts().try_for_each(&mut work).err())
    }

    /// Processes the own parts one after another. Before each part, `ask` returns the
    /// rows of the store that it needs, and all ranks exchange the requested rows.
    ///
    /// # Errors
    ///
    /// Returns the first error of any rank on all ranks. A rank with an error
    /// continues to take part in the exchanges, so that no other rank blocks.
    pub fn walk<T: Number, X>(
        &self,
        store: &RowStore<T>,
        mut ask: impl FnMut(usize) -> Result<Wanted<T, X>, TaskError>,
        mut work: impl FnMut(usize, X, Vec<T>) -> Result<(), TaskError>,
    ) -> Result<(), TaskError> {
        let own = self.own_parts();
        let mut problem = None;
        for part in own.start..own.start + self.rounds() {
            let mut wanted = None;
            if own.contains(&part) && problem.is_none() {
                match ask(part) {
                    Ok(own) => wanted = Some(own),
                    Err(error) => problem = Some(error),
                }
            }
            let fetched = match &mut wanted {
                Some(w) => store.fetch(&w.ids, &mut w.rows[w.first * w.stride..], w.stride),
                None => store.fetch(&[], &mut [], 1),
            };
            let done = match (fetched, wanted) {
                (Ok(()), Some(w)) => work(part, w.keep, w.rows),
                (fetched, _) => fetched,
            };
            if let Err(error) = done {
                problem.get_or_insert(error);
            }
        }
        self.agree(problem)
    }

    /// Returns an error on all ranks if there is one on some rank.
    pub fn agree(&self, own: Option<TaskError>) -> Result<(), TaskError> {
        let text = own.as_ref().map(ToString::to_string);
        match (agree(&*self.engine, text), own) {
            (Ok(()), _) => Ok(()),
            // The own message contains the flags of the command.
            (Err(first), Some(own)) if first.rank == self.engine.rank() => Err(own),
            (Err(first), _) => Err(TaskError::OtherRank(first)),
        }
    }
}

/// Concatenates arrays of several ranks.
fn joined<T: bytemuck::Pod>(all: &[Vec<u8>]) -> Vec<T> {
    let length: usize = all.iter().map(Vec::len).sum();
    let mut values = vec![T::zeroed(); length / size_of::<T>().max(1)];
    let mut bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut values);
    for own in all {
        let (into, rest) = std::mem::take(&mut bytes).split_at_mut(own.len());
        into.copy_from_slice(own);
        bytes = rest;
    }
    values
}

/// The rows that a part needs before it can be processed.
pub(super) struct Wanted<T, X> {
    /// Further data of the part.
    pub keep: X,
    /// Available rows, and space for the others.
    pub rows: Vec<T>,
    /// Distance between rows, in values.
    pub stride: usize,
    /// Position of the first requested row.
    pub first: usize,
    /// Nodes whose rows are requested.
    pub ids: Vec<u32>,
}
