//! The data sets of the paper, by name.
//!
//! [`registry`] lists them with their sources and published counts, [`load`]
//! reads one, wherever its files are, and [`Dataset::summary`] counts what is in
//! it. `fetch`, with the feature `download`, downloads the files of a set, and
//! [`verify`] checks them. Synthetic sets are generated if their files are not
//! there.
//!
//! ```
//! use bnpool_io::dataset::{self, LoadOptions, Task};
//!
//! let entry = dataset::find("Cora")?;
//! assert_eq!((entry.task, entry.published.classes), (Task::Cluster, 7));
//! let graph = &dataset::load("community", &LoadOptions::paper())?.graphs[0];
//! assert_eq!(graph.nodes(), 400);
//! # Ok::<(), dataset::DatasetError>(())
//! ```

mod cache;
mod citation;
#[cfg(feature = "download")]
mod download;
mod entry;
mod error;
mod files;
mod gcb;
mod load;
mod locate;
mod lrgb;
mod multipartite;
mod ogb;
mod planetoid;
mod summary;
mod table;
mod tensors;
mod tu;
mod verify;

pub use crate::bytes::hash::{sha256_bytes, sha256_file};
#[cfg(feature = "download")]
pub use download::{FetchOptions, Fetched, Progress, fetch};
pub use entry::{Entry, Metric, Published, Reader, SourceFile, Task};
pub use error::DatasetError;
pub use load::{Cache, LoadOptions};
pub use load::{Dataset, Origin, fingerprint, load};
pub use locate::{cache_dir, data_dirs};
pub use summary::{ClassDensity, Summary};
pub use table::{find, registry};
pub use verify::{Verdict, VerifiedFile, verify, whereabouts};
