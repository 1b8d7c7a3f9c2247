//! The network of a graph in parts: on several ranks, or in less memory than it needs.

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

/// A float type that goes to files and other ranks: `f32` trains, `f64` proves.
pub(super) trait Number: Real + bytemuck::Pod {}

impl Number for f32 {}
impl Number for f64 {}
