//! The memberships S of a sample as a heat map.

use std::cmp::Reverse;

use super::features::DROPPED;
use super::members::Members;
use crate::chart::{Chart, Group, HeatMap, Ramp, Scale, Side, categorical};
use crate::escape::shorten;
use crate::layout::node_name;
use crate::learn::SampleGraph;
use crate::number::counted;

/// Largest number of rows; with more nodes, rows are shared.
const MOST: usize = 400;
/// Largest number of columns of kept nodes.
const COLUMNS: usize = 200;

/// Nodes sorted by cluster, then by descending confidence.
fn order(members: &Members) -> Vec<usize> {
    let mut nodes: Vec<usize> = (0..members.label.len()).collect();
    // Quantised, so that the order does not depend on the last bit.
    let sure = |node: usize| Reverse((members.confidence[node].clamp(0.0, 1.0) * 1e4) as u32);
    nodes.sort_by_key(|&node| (members.label[node], sure(node), node));
    nodes
}

/// Data for drawing S.
struct Rows<'a> {
    /// The nodes in the order of the rows.
    nodes: Vec<usize>,
    /// Cluster of a node; `None` if it is dropped.
    label: &'a dyn Fn(usize) -> Option<usize>,
    /// Term for a cluster: `cluster` or `supernode`.
    what: &'static str,
}

impl Rows<'_> {
    fn name(&self, node: usize) -> String {
        match (self.label)(node) {
            Some(cluster) => format!("{} {cluster}", self.what),
            None => "dropped".to_owned(),
        }
    }

    fn group(&self, cluster: Option<usize>, start: f64, end: f64) -> Group {
        Group {
            start,
            end,
            name: cluster.map_or("dropped".to_owned(), |cluster| cluster.to_string()),
            colour: Some(cluster.map_or(DROPPED, categorical)),
        }
    }

    /// The side of the rows, each for one or a few nodes, with the runs of
    /// nodes of one cluster.
    fn side(&self, sample: &SampleGraph<'_>, bins: &[&[usize]]) -> Side {
        let cell = |bin: &&[usize]| {
            let first = bin[0];
            let (name, own) = (node_name(sample.graph, first), self.name(first));
            let name = shorten(&name, 40);
            match bin.len() {
                1 => format!("{name}, {own}"),
                more => format!("{name} and {} more, {own}", more - 1),
            }
        };
        let scale = bins.len() as f64 / self.nodes.len().max(1) as f64;
        let mut groups: Vec<Group> = Vec::new();
        let mut start = 0;
        let label = self.label;
        for run in self.nodes.chunk_by(|&a, &b| label(a) == label(b)) {
            let end = start + run.len();
            let [from, to] = [start, end].map(|place| place as f64 * scale);
            groups.push(self.group(label(run[0]), from, to));
            start = end;
        }
        Side {
            name: format!("nodes by {}", self.what),
            cells: bins.iter().map(cell).collect(),
            groups,
            split: true,
            upwards: false,
        }
    }

    /// Draws S with one column per cluster; `share` returns its entries.
    fn draw(
        &self,
        sample: &SampleGraph<'_>,
        clusters: &[usize],
        share: impl Fn(usize, usize) -> f32,
    ) -> Chart {
        let count = self.nodes.len();
        let cells = count.min(MOST);
        let bins: Vec<&[usize]> = (0..cells)
            .map(|i| &self.nodes[i * count / cells..(i + 1) * count / cells])
            .collect();
        let mut values = Vec::with_capacity(cells * clusters.len());
        for bin in &bins {
            for &cluster in clusters {
                let own = bin.iter().map(|&node| share(node, cluster));
                let finite = own.filter(|value| value.is_finite());
                values.push(finite.sum::<f32>() / bin.len() as f32);
            }
        }
        let columns = clusters.iter().enumerate();
        let columns = Side {
            name: format!("{}s", self.what),
            cells: columns
                .clone()
                .map(|(_, cluster)| format!("membership in {} {cluster}", self.what))
                .collect(),
            groups: columns
                .map(|(i, &cluster)| self.group(Some(cluster), i as f64, i as f64 + 1.0))
                .collect(),
            split: false,
            upwards: false,
        };
        HeatMap {
            alt: format!(
                "Memberships of {} in {}, nodes sorted by {}.",
                counted(count, "node", "nodes"),
                counted(clusters.len(), self.what, &columns.name),
                self.what
            ),
            rows: self.side(sample, &bins),
            columns,
            values: &values,
            scale: Scale {
                low: 0.0,
                high: 1.0,
                root: false,
            },
            ramp: Ramp::Sequential,
            value_name: "membership".to_owned(),
            written: false,
            texts: None,
        }
        .draw()
    }
}

/// Chart of S for soft or hard clusters.
pub(super) fn chart(sample: &SampleGraph<'_>, members: &Members) -> Chart {
    let rows = Rows {
        nodes: order(members),
        label: &|node| Some(members.label[node]),
        what: "cluster",
    };
    rows.draw(sample, &members.shown, |node, cluster| {
        sample.assignments[node * sample.clusters + cluster]
    })
}

/// Chart of S for a pooler that keeps some nodes, each as its own supernode, and
/// drops the others.
pub(super) fn kept_chart(sample: &SampleGraph<'_>, kept: &[usize]) -> Chart {
    let mut place = vec![None; sample.graph.nodes()];
    for (supernode, &node) in kept.iter().enumerate() {
        place[node] = Some(supernode);
    }
    let dropped = (0..place.len()).filter(|&node| place[node].is_none());
    let rows = Rows {
        nodes: kept.iter().copied().chain(dropped).collect(),
        label: &|node| place[node],
        what: "supernode",
    };
    let shown: Vec<usize> = (0..kept.len().min(COLUMNS)).collect();
    rows.draw(sample, &shown, |node, supernode| {
        f32::from(u8::from(place[node] == Some(supernode)))
    })
}
