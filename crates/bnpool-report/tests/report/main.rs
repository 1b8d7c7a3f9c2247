//! Pages and pictures through the public API.

#[path = "../../examples/synthetic/mod.rs"]
mod synthetic;

mod cluster;
mod compare;
mod learn;
mod learned;
