//! Graph files: what users bring, and what is written for them.
//!
//! [`read_graph`] reads one graph and [`read_graphs`] many, in any [`Format`]. A
//! [`ReadReport`] lists decisions and repairs, and a [`ReadError`] names the file, the
//! line and the remedy. Files packed with gzip, zstd, xz or bzip2 are unpacked on the
//! way. No size in a file is trusted: it is checked against [`Limits`] before memory
//! is taken.
//!
//! [`Format`] lists the formats; a line of its table and a file with a reader make
//! one.
//!
//! In an edge list node ids are any text. If all of them are whole numbers, the nodes
//! have the rising order of the numbers, so that 0..n-1 keep their own and need no
//! names; otherwise they have the order of their bytes. The order of the lines does
//! not matter. Repeated edges are merged and their weights added up; self-loops are
//! kept; edges that go one way get their edges back. The report names each of these,
//! and [`ReadOptions`] change most of them.
//!
//! A written file appears whole or not at all ([`write_atomically`]).
//!
//! ```
//! use bnpool_io::format::{ReadOptions, read_graph};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("friends.csv");
//! std::fs::write(&path, "from,to\nann,bob\nbob,cy\n")?;
//!
//! let (graph, report) = read_graph(&path, &ReadOptions::default())?;
//! assert_eq!((graph.nodes(), graph.edges()), (3, 4));
//! assert_eq!(graph.node_ids().unwrap()[2], "cy");
//! let line = report.understood(&graph, &|change| Some(change.field()));
//! assert!(line.contains("edges from `from` to `to`"), "{line}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod array;
mod build;
pub mod container;
mod edge_list;
mod folder;
mod foreign;
mod json;
mod language;
mod list;
mod matrix;
mod nodes;
mod options;
mod read;
mod report;
mod start;
mod table;
pub(crate) mod text;
pub mod tu;
mod xml;

pub use crate::bytes::archive::Archive;
pub use crate::bytes::atomic::{
    WriteError, remove_own_unfinished, remove_unfinished, write_atomically,
};
pub use crate::bytes::error::{Place, ReadError};
pub use crate::bytes::ledger::FileRead;
pub use crate::bytes::limits::Limits;
pub use crate::bytes::source::Source;
pub use array::{npy, npz};
pub use build::memory::graph_of_edges;
pub use edge_list::{choose_columns, write_edge_list, write_edges};
pub use folder::feature_files;
pub use matrix::csr_bundle;
pub use options::{ReadOptions, Weights};
pub use read::{read_graph, read_graphs, read_source};
pub use report::understood::{Columns, Example, Header, Kinds, Sides};
pub use report::{Note, ReadReport};
pub use table::{Format, Graphs, Holds, UnknownFormat, WriteMany, Writer};
pub use text::{Delimiter, Encoding, NumberStyle};
