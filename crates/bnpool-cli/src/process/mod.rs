//! The process of the command: signals and ranks.

pub mod interrupt;
pub mod job;
