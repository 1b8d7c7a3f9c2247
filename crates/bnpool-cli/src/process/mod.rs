//! The process of the command: signals, processes of its own, and ranks.

pub mod child;
pub mod interrupt;
pub mod job;
pub mod launcher;
