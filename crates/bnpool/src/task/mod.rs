//! What a user wants done: the functions behind the commands.

mod bounds;
pub mod cluster;
mod demand;
mod error;
pub mod learn;
mod losses;
mod pool;
mod preset;
mod written;

pub use error::TaskError;
pub(crate) use pool::in_pool;
pub use preset::Preset;
