//! The report of a community-detection run.

mod block_matrix;
mod check;
mod drawing;
mod figures;
mod headline;
mod hierarchy;
mod input;
mod matrices;
mod members;
mod posterior;
mod sections;
mod training;

pub use crate::{Metric, Picture};
pub use figures::Rendering;
pub use input::{Agreement, Classes, ClusterReport, CommunityRow, HistoryPoint, LossCurve, Merge};
