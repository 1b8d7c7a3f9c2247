//! What a user wants done: the functions behind the commands.

pub mod cluster;
mod error;

pub use error::TaskError;
