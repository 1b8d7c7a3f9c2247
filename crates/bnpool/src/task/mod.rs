//! What a user wants done: the functions behind the commands.

mod bounds;
pub mod cluster;
mod demand;
mod error;
pub mod learn;
mod losses;
mod preset;

pub use error::TaskError;
pub use preset::Preset;
