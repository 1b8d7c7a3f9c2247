//! Pages and pictures as a caller gets them.

#[path = "../../examples/synthetic/mod.rs"]
mod synthetic;

mod cluster;
mod compare;
mod learn;
mod learned;
