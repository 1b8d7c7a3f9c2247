//! Order of the nodes in matrices, and bins of large matrices.

use std::cmp::Reverse;
use std::ops::Range;

use super::{Classes, ClusterReport};
use crate::chart::{Group, Rgb, Side, categorical};
use crate::escape::shorten;
use crate::layout::node_name;

/// Largest number of cells per side of a matrix; with more, nodes share cells.
const MOST: usize = 400;

/// Nodes sorted by group and divided into bins of nearly equal size.
#[derive(Debug, Clone)]
pub(super) struct Order {
    /// The nodes.
    pub(super) nodes: Vec<usize>,
    /// Range of each bin in `nodes`.
    pub(super) bins: Vec<Range<usize>>,
    /// Bin of each node, by its index in the graph.
    pub(super) bin_of: Vec<usize>,
    /// Consecutive groups: index and range.
    groups: Vec<(usize, Range<usize>)>,
}

impl Order {
    /// Sorts by community, then by descending confidence: consecutive nodes
    /// have similar memberships, so a bin represents them well.
    pub(super) fn by_community(report: &ClusterReport<'_>) -> Self {
        Self::new(report, |node| report.labels[node])
    }

    /// Sorts by class, then by community; nodes of unknown class come last.
    pub(super) fn by_class(report: &ClusterReport<'_>, classes: &Classes<'_>) -> Self {
        let count = classes.count();
        Self::new(report, |node| classes.of(node).unwrap_or(count))
    }

    fn new(report: &ClusterReport<'_>, group: impl Fn(usize) -> usize) -> Self {
        let count = report.graph.nodes();
        let mut nodes: Vec<usize> = (0..count).collect();
        let sure = |node: usize| {
            // Quantised, so that the order does not depend on the last bit.
            Reverse((report.confidence[node].clamp(0.0, 1.0) * 1e4) as u32)
        };
        nodes.sort_by_key(|&u| (group(u), report.labels[u], sure(u), u));
        let cells = count.min(MOST);
        let bins: Vec<Range<usize>> = (0..cells)
            .map(|i| i * count / cells..(i + 1) * count / cells)
            .collect();
        let mut bin_of = vec![0; count];
        for (bin, range) in bins.iter().enumerate() {
            for &node in &nodes[range.clone()] {
                bin_of[node] = bin;
            }
        }
        let mut groups: Vec<(usize, Range<usize>)> = Vec::new();
        for (place, &node) in nodes.iter().enumerate() {
            match groups.last_mut() {
                Some((last, range)) if *last == group(node) => range.end = place + 1,
                _ => groups.push((group(node), place..place + 1)),
            }
        }
        Self {
            nodes,
            bins,
            bin_of,
            groups,
        }
    }

    /// Returns whether cells contain more than one node.
    pub(super) fn is_binned(&self) -> bool {
        self.bins.len() < self.nodes.len()
    }

    /// A side of a matrix in this order. `name` and `colour` are those of a
    /// group.
    pub(super) fn side(
        &self,
        report: &ClusterReport<'_>,
        name: impl Fn(usize) -> String,
        colour: impl Fn(usize) -> Option<Rgb>,
    ) -> Side {
        let scale = self.bins.len() as f64 / self.nodes.len().max(1) as f64;
        let groups = self.groups.iter().map(|(group, range)| Group {
            start: range.start as f64 * scale,
            end: range.end as f64 * scale,
            name: name(*group),
            colour: colour(*group),
        });
        Side {
            name: "nodes".to_owned(),
            cells: self.bins.iter().map(|bin| self.cell(report, bin)).collect(),
            groups: groups.collect(),
            split: true,
            upwards: false,
        }
    }

    /// The side of a matrix of nodes sorted by community.
    pub(super) fn community_side(&self, report: &ClusterReport<'_>) -> Side {
        let colour = |group| Some(categorical(group));
        let mut side = self.side(report, |group| group.to_string(), colour);
        side.name = "nodes by community".to_owned();
        side
    }

    /// Hover text of a bin.
    fn cell(&self, report: &ClusterReport<'_>, bin: &Range<usize>) -> String {
        let first = self.nodes[bin.start];
        let name = shorten(&node_name(report.graph, first), 40);
        let community = report.labels[first];
        match bin.len() {
            1 => format!("{name}, community {community}"),
            more => format!("{name} and {} more, community {community}", more - 1),
        }
    }
}
