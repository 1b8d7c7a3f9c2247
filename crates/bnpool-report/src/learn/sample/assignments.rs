//! The memberships S of a sample, with nodes sorted by cluster.

use super::features::DROPPED;
use super::members::Members;
use crate::binned::{Binned, least_sure_last};
use crate::chart::{Chart, Group, HeatMap, Rgb, Side, categorical};
use crate::learn::SampleGraph;
use crate::number::counted;

/// Largest number of columns for supernodes that are single nodes.
const COLUMNS: usize = 200;

/// Draws S with one column per cluster; `share` returns its entries, and `label` the cluster
/// of a node that is not dropped.
fn draw(
    sample: &SampleGraph<'_>,
    nodes: Vec<usize>,
    what: &str,
    clusters: &[usize],
    label: impl Fn(usize) -> Option<usize>,
    share: impl Fn(usize, usize) -> f32,
) -> Chart {
    let rows = Binned::new(nodes);
    let mut values = Vec::with_capacity(rows.bins().len() * clusters.len());
    for bin in rows.bins() {
        for &cluster in clusters {
            let own = bin.iter().map(|&node| share(node, cluster));
            let finite = own.filter(|value| value.is_finite());
            values.push(finite.sum::<f32>() / bin.len() as f32);
        }
    }
    let named = |cluster: Option<usize>| -> (String, Option<Rgb>) {
        match cluster {
            Some(cluster) => (cluster.to_string(), Some(categorical(cluster))),
            None => ("dropped".to_owned(), Some(DROPPED)),
        }
    };
    let about = |node| match label(node) {
        Some(cluster) => format!("{what} {cluster}"),
        None => "dropped".to_owned(),
    };
    let column = |(i, &cluster): (usize, &usize)| {
        let (name, colour) = named(Some(cluster));
        Group::cell(i, name, colour)
    };
    let cell = |cluster: &usize| format!("membership in {what} {cluster}");
    let columns = Side::new(
        format!("{what}s"),
        clusters.iter().map(cell).collect(),
        clusters.iter().enumerate().map(column).collect(),
    );
    let alt = format!(
        "Memberships of {} in {}, nodes sorted by {what}.",
        counted(rows.nodes.len(), "node", "nodes"),
        counted(clusters.len(), what, &columns.name),
    );
    let sides = [rows.side(sample.graph, what, &label, named, about), columns];
    HeatMap::new(alt, sides, &values, "membership").draw()
}

/// Chart of S for soft or hard clusters.
pub(super) fn chart(sample: &SampleGraph<'_>, members: &Members) -> Chart {
    let mut nodes: Vec<usize> = (0..members.label.len()).collect();
    let sure = |node: usize| least_sure_last(members.confidence[node]);
    nodes.sort_by_key(|&node| (members.label[node], sure(node), node));
    draw(
        sample,
        nodes,
        "cluster",
        &members.shown,
        |node| Some(members.label[node]),
        |node, cluster| sample.assignments[node * sample.clusters + cluster],
    )
}

/// Chart of S for a pooler that keeps some nodes, each as its own supernode, and
/// drops the others.
pub(super) fn kept_chart(sample: &SampleGraph<'_>, kept: &[usize]) -> Chart {
    let mut place = vec![None; sample.graph.nodes()];
    for (supernode, &node) in kept.iter().enumerate() {
        place[node] = Some(supernode);
    }
    let dropped = (0..place.len()).filter(|&node| place[node].is_none());
    let shown: Vec<usize> = (0..kept.len().min(COLUMNS)).collect();
    draw(
        sample,
        kept.iter().copied().chain(dropped).collect(),
        "supernode",
        &shown,
        |node| place[node],
        |node, supernode| f32::from(u8::from(place[node] == Some(supernode))),
    )
}
