//! Nodes in an order, along the side of a matrix.

use std::cmp::Reverse;
use std::ops::Range;

use bnpool_graph::Graph;

use crate::chart::{Group, Rgb, Side};
use crate::escape::shorten;
use crate::layout::node_name;

/// Largest number of cells per side; more would exceed the pixels of a screen.
const MOST: usize = 400;

/// Key that sorts nodes by decreasing confidence, rounded so that tiny differences do not
/// matter.
pub(crate) fn least_sure_last(confidence: f32) -> Reverse<u32> {
    Reverse((confidence.clamp(0.0, 1.0) * 1e4) as u32)
}

/// Nodes in an order, in cells of as equal size as possible.
#[derive(Debug, Clone)]
pub(crate) struct Binned {
    pub(crate) nodes: Vec<usize>,
    bins: Vec<Range<usize>>,
}

impl Binned {
    pub(crate) fn new(nodes: Vec<usize>) -> Self {
        let count = nodes.len();
        let cells = count.min(MOST);
        let bins = (0..cells).map(|i| i * count / cells..(i + 1) * count / cells);
        Self {
            bins: bins.collect(),
            nodes,
        }
    }

    /// Nodes of each cell.
    pub(crate) fn bins(&self) -> impl ExactSizeIterator<Item = &[usize]> + Clone {
        self.bins.iter().map(|bin| &self.nodes[bin.clone()])
    }

    /// Whether some cell has several nodes.
    pub(crate) fn is_binned(&self) -> bool {
        self.bins.len() < self.nodes.len()
    }

    /// Cell of each node.
    pub(crate) fn cells(&self) -> Vec<usize> {
        let mut cells = vec![0; self.nodes.len()];
        for (cell, nodes) in self.bins().enumerate() {
            for &node in nodes {
                cells[node] = cell;
            }
        }
        cells
    }

    /// The side of a matrix of the nodes. Consecutive nodes with the same `group` share a
    /// name and a colour; `about` describes a node.
    pub(crate) fn side<G: PartialEq>(
        &self,
        graph: &Graph,
        by: &str,
        group: impl Fn(usize) -> G,
        named: impl Fn(G) -> (String, Option<Rgb>),
        about: impl Fn(usize) -> String,
    ) -> Side {
        let cell = |bin: &[usize]| {
            let name = shorten(&node_name(graph, bin[0]), 40);
            let about = about(bin[0]);
            match bin.len() {
                1 => format!("{name}, {about}"),
                more => format!("{name} and {} more, {about}", more - 1),
            }
        };
        let scale = self.bins.len() as f64 / self.nodes.len().max(1) as f64;
        let mut groups = Vec::new();
        let mut start = 0;
        for run in self.nodes.chunk_by(|&a, &b| group(a) == group(b)) {
            let end = start + run.len();
            let (name, colour) = named(group(run[0]));
            groups.push(Group {
                start: start as f64 * scale,
                end: end as f64 * scale,
                name,
                colour,
            });
            start = end;
        }
        Side {
            split: true,
            ..Side::new(
                format!("nodes by {by}"),
                self.bins().map(cell).collect(),
                groups,
            )
        }
    }
}
