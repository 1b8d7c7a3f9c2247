//! The memberships S of a sample as a heat map.

use std::cmp::Reverse;

use super::members::Members;
use crate::chart::{Chart, Group, HeatMap, Ramp, Scale, Side, categorical};
use crate::escape::shorten;
use crate::layout::node_name;
use crate::learn::SampleGraph;
use crate::number::counted;

/// Most rows; more nodes share them.
const MOST: usize = 400;

/// Nodes cluster after cluster, in each the surest first.
fn order(members: &Members) -> Vec<usize> {
    let mut nodes: Vec<usize> = (0..members.label.len()).collect();
    // Quantised, because order must not hang on the last bit.
    let sure = |node: usize| Reverse((members.confidence[node].clamp(0.0, 1.0) * 1e4) as u32);
    nodes.sort_by_key(|&node| (members.label[node], sure(node), node));
    nodes
}

fn group(cluster: usize, start: f64, end: f64) -> Group {
    Group {
        start,
        end,
        name: cluster.to_string(),
        colour: Some(categorical(cluster)),
    }
}

/// A row for each node, or a few, and the runs of nodes of one cluster.
fn rows(sample: &SampleGraph<'_>, members: &Members, bins: &[&[usize]], nodes: usize) -> Side {
    let cell = |bin: &&[usize]| {
        let first = bin[0];
        let name = shorten(&node_name(sample.graph, first), 40);
        let cluster = members.label[first];
        match bin.len() {
            1 => format!("{name}, cluster {cluster}"),
            more => format!("{name} and {} more, cluster {cluster}", more - 1),
        }
    };
    let scale = bins.len() as f64 / nodes.max(1) as f64;
    let mut groups: Vec<Group> = Vec::new();
    let mut start = 0;
    let all: Vec<usize> = bins.concat();
    for run in all.chunk_by(|&a, &b| members.label[a] == members.label[b]) {
        let end = start + run.len();
        let [from, to] = [start, end].map(|place| place as f64 * scale);
        groups.push(group(members.label[run[0]], from, to));
        start = end;
    }
    Side {
        name: "nodes by cluster".to_owned(),
        cells: bins.iter().map(cell).collect(),
        groups,
        split: true,
        upwards: false,
    }
}

pub(super) fn chart(sample: &SampleGraph<'_>, members: &Members) -> Chart {
    let nodes = order(members);
    let count = nodes.len();
    let cells = count.min(MOST);
    let bins: Vec<&[usize]> = (0..cells)
        .map(|i| &nodes[i * count / cells..(i + 1) * count / cells])
        .collect();
    let mut values = Vec::with_capacity(cells * members.shown.len());
    for bin in &bins {
        for &cluster in &members.shown {
            let own = |&node: &usize| sample.assignments[node * sample.clusters + cluster];
            let finite = bin.iter().map(own).filter(|value| value.is_finite());
            values.push(finite.sum::<f32>() / bin.len() as f32);
        }
    }
    let columns = members.shown.iter().enumerate();
    let columns = Side {
        name: "clusters".to_owned(),
        cells: columns
            .clone()
            .map(|(_, cluster)| format!("membership in cluster {cluster}"))
            .collect(),
        groups: columns
            .map(|(i, &cluster)| group(cluster, i as f64, i as f64 + 1.0))
            .collect(),
        split: false,
        upwards: false,
    };
    HeatMap {
        alt: format!(
            "Memberships of {} in {}, nodes sorted by cluster.",
            counted(count, "node", "nodes"),
            counted(members.shown.len(), "cluster", "clusters")
        ),
        rows: rows(sample, members, &bins, count),
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
