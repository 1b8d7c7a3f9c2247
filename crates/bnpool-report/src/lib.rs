//! Reports of runs, as HTML pages and pictures.
//!
//! [`cluster::ClusterReport`] borrows the plain results of a community-detection
//! run; [`cluster::Rendering`] turns them into one self-contained page and into
//! SVG and PNG files. [`learn::LearnReport`] and [`learn::Rendering`] do the same
//! for graph classification and regression,
//! [`compare::CompareReport`] compares several poolers, and [`reproduce`]
//! renders tables and figures of the paper. Nothing here writes to disk,
//! accesses the network or depends on the fonts of the machine, and equal input
//! gives equal bytes on any number of threads.
//!
//! The reports are composed of independent parts:
//!
//! - `chart` – charts as SVG: lines, bars, points, heat maps, networks;
//! - [`layout`] – graph layout, force-directed or by stress;
//! - `page` – the page around them: skeleton, sections, tables;
//! - `raster` – SVG to PNG, with the feature `png`.
//!
//! ```
//! use bnpool_graph::{Csr, Graph};
//! use bnpool_report::cluster::{ClusterReport, CommunityRow, Rendering};
//!
//! // Two pairs of nodes, each pair a community.
//! let edges = [(0, 1), (1, 0), (2, 3), (3, 2)];
//! let graph = Graph::builder(Csr::from_edges(4, edges)?).build()?;
//! let pair = CommunityRow {
//!     size: 2,
//!     internal_density: 1.0,
//!     conductance: 0.0,
//!     components: 1,
//!     mean_confidence: 0.9,
//!     majority_class: None,
//! };
//! let page = Rendering::new(&ClusterReport {
//!     title: "Two pairs",
//!     dataset: "pairs",
//!     pooler: "BN-Pool",
//!     posterior: true,
//!     graph: &graph,
//!     classes: None,
//!     agreement: None,
//!     coordinates: None,
//!     labels: &[0, 0, 1, 1],
//!     confidence: &[0.9; 4],
//!     entropy: &[0.1; 4],
//!     assignments: &[0.9, 0.1, 0.9, 0.1, 0.1, 0.9, 0.1, 0.9],
//!     block_matrix: &[4.0, -4.0, -4.0, 4.0],
//!     max_clusters: 2,
//!     raw_assignments: &[0.9, 0.1, 0.9, 0.1, 0.1, 0.9, 0.1, 0.9],
//!     raw_block_matrix: &[4.0, -4.0, -4.0, 4.0],
//!     columns: &[0, 1],
//!     communities: &[pair.clone(), pair],
//!     cluster_counts: &[2, 2, 2],
//!     merges: &[],
//!     levels: &[],
//!     cut: "",
//!     evidence: "",
//!     communities_interval: [2, 2],
//!     history: &[],
//!     losses: &[],
//!     metrics: &[],
//!     warnings: &[],
//!     notes: &[],
//!     config_toml: "",
//!     version: "0.1.0",
//! })?
//! .html();
//! assert!(page.contains("2 communities"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod binned;
mod chart;
pub mod cluster;
pub mod compare;
mod error;
mod escape;
pub mod layout;
pub mod learn;
mod metric;
mod number;
mod page;
mod picture;
#[cfg(feature = "png")]
mod raster;
pub mod reproduce;

pub use error::ReportError;
pub use metric::Metric;
pub use picture::Picture;
