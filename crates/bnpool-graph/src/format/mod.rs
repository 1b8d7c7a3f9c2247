//! Graph files: what users bring, and what is written for them.

mod archive;
mod atomic;
mod error;
mod limits;
pub mod npy;
pub mod npz;
mod source;

pub use archive::Archive;
pub use atomic::{WriteError, write_atomically};
pub use error::{Place, ReadError};
pub use limits::Limits;
pub use source::Source;
