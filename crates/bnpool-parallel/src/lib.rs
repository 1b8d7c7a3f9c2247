//! One job on several processes.
//!
//! A *rank* is a process of the job. [`Collective`] defines the collective
//! operations of ranks; its engines are [`Alone`] (one process), [`Threads`] (ranks
//! that are threads of one process, for tests) and MPI, which is in a separate
//! crate. A [`Group`] is a subset of the ranks that forms a separate job.
//!
//! **Same bytes for any number of ranks.** Work is divided into *parts* that depend
//! on the data alone. A [`Team`] has one member per part and distributes the
//! members over the ranks. Sums over members are computed along one binary tree
//! over the parts, so any number of ranks, including one, adds the same numbers in
//! the same order.

mod alone;
mod collective;
mod gather;
mod group;
mod parts;
mod team;
mod threads;
mod tree;

pub use alone::Alone;
pub use collective::Collective;
pub use group::Group;
pub use parts::{RankProblem, agree, share, sum_of_parts};
pub use team::{Member, Team};
pub use threads::Threads;

/// Converts bytes of any alignment to numbers.
fn numbers<T: bytemuck::Pod>(bytes: &[u8]) -> Vec<T> {
    bytes
        .chunks_exact(size_of::<T>())
        .map(bytemuck::pod_read_unaligned)
        .collect()
}
