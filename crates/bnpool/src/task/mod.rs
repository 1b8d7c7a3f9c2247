//! What a user wants done: the functions behind the commands.

pub mod cluster;
mod error;
pub mod learn;
mod losses;
mod preset;

pub use error::TaskError;
pub use preset::Preset;
