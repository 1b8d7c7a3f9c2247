//! What a user wants done: the functions behind the commands.

mod cluster;
mod error;

pub use cluster::{ClusterConfig, ClusterResult, Progress, Truth, cluster};
pub use error::TaskError;
