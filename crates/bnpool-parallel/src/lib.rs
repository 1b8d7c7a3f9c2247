//! One job on several processes.
//!
//! A *rank* is a process of the job. [`Collective`] is what ranks do together;
//! its engines are [`Alone`] (one process), [`Threads`] (ranks that are threads
//! of one process, for tests) and MPI, which has a crate of its own. A [`Group`] is
//! some of the ranks as a job of their own.
//!
//! **Same bytes for any number of ranks.** Work is cut into *parts* at places that
//! follow from the data alone. A [`Team`] has one member for every part and spreads
//! the members over the ranks. Sums over members are added along one binary tree
//! over the parts, so every rank count, one included, adds the same numbers in the
//! same order.

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

/// Bytes as numbers, wherever in memory they begin.
fn numbers<T: bytemuck::Pod>(bytes: &[u8]) -> Vec<T> {
    bytes
        .chunks_exact(size_of::<T>())
        .map(bytemuck::pod_read_unaligned)
        .collect()
}
