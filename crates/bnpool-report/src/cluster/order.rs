//! Nodes in the order of the matrices, and the bins of large ones.

use std::cmp::Reverse;
use std::ops::Range;

use super::{Classes, ClusterReport};
use crate::chart::{Group, Rgb, Side, categorical};
use crate::escape::shorten;
use crate::layout::node_name;

/// Most cells along the side of a matrix; more nodes share cells.
const MOST: usize = 400;

/// Nodes sorted by group, and cut into bins of nearly equal size.
#[derive(Debug, Clone)]
pub(super) struct Order {
    /// The nodes.
    pub(super) nodes: Vec<usize>,
    /// First and last place of each bin among the nodes.
    pub(super) bins: Vec<Range<usize>>,
    /// Bin of every node, by its index in the graph.
    pub(super) bin_of: Vec<usize>,
    /// Groups that follow one another: index and places.
    groups: Vec<(usize, Range<usize>)>,
}

impl Order {
    /// Communities one after the other, the surest nodes first: neighbours in
    /// the order have similar memberships, so that a bin may stand for them.
    pub(super) fn by_community(report: &ClusterReport<'_>) -> Self {
        Self::new(report, |node| report.labels[node])
    }

    /// Classes one after the other, each sorted by community; nodes without a
    /// known class come last.
    pub(super) fn by_class(report: &ClusterReport<'_>, classes: &Classes<'_>) -> Self {
        let count = classes.count();
        Self::new(report, |node| classes.of(node).unwrap_or(count))
    }

    fn new(report: &ClusterReport<'_>, group: impl Fn(usize) -> usize) -> Self {
        let count = report.graph.nodes();
        let mut nodes: Vec<usize> = (0..count).collect();
        let sure = |node: usize| {
            // Quantised, because order must not hang on the last bit.
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

    /// Whether cells hold more than one node.
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

    /// What the pointer shows on a bin.
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
