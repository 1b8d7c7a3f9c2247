//! Training on a graph in parts: on several ranks, or with less memory than the whole
//! graph needs.

mod census;
mod chain;
mod finish;
mod local;
mod network;
mod pairs;
mod prior;
mod room;
mod spread;
mod store;
#[cfg(test)]
mod tests;
mod training;
mod weights;

pub use room::Room;
pub(super) use training::Divided;

use bnpool_math::Real;

/// A float type that can be sent to files and other ranks: `f32` for training,
/// `f64` for tests of exactness.
pub(super) trait Number: Real + bytemuck::Pod {}

impl Number for f32 {}
impl Number for f64 {}
