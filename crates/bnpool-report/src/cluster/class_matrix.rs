//! The class matrix Y Yᵀ, in the order of the communities.

use super::ClusterReport;
use super::input::Classes;
use super::order::Order;
use crate::chart::{Chart, HeatMap, Ramp, Scale};

/// Fraction of each known class in a bin, in ascending order of the classes.
type Shares = Vec<(usize, f32)>;

fn shares(members: &[usize], classes: &Classes<'_>) -> Shares {
    let classes = members.iter().filter_map(|&node| classes.of(node));
    let mut labels: Vec<usize> = classes.collect();
    labels.sort_unstable();
    let runs = labels.chunk_by(|a, b| a == b);
    runs.map(|run| (run[0], run.len() as f32 / members.len() as f32))
        .collect()
}

/// Fraction of pairs of the same class: Σ over the classes in both bins.
fn agreement(a: &Shares, b: &Shares) -> f32 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x.0 == y.0 {
            sum += x.1 * y.1;
        }
        i += usize::from(x.0 <= y.0);
        j += usize::from(y.0 <= x.0);
    }
    sum
}

pub(super) fn chart(report: &ClusterReport<'_>, order: &Order, classes: &Classes<'_>) -> Chart {
    let bins = order.bins.iter();
    let bins: Vec<Shares> = bins
        .map(|bin| shares(&order.nodes[bin.clone()], classes))
        .collect();
    let row = |a| bins.iter().map(move |b| agreement(a, b));
    let values: Vec<f32> = bins.iter().flat_map(row).collect();
    HeatMap {
        alt: format!(
            "Pairs of nodes that share one of {} classes, in the order of the adjacency matrix.",
            classes.count()
        ),
        rows: order.community_side(report),
        columns: order.community_side(report),
        values: &values,
        scale: Scale {
            low: 0.0,
            high: 1.0,
            root: false,
        },
        ramp: Ramp::Sequential,
        value_name: "same class".to_owned(),
        written: false,
        texts: None,
    }
    .draw()
}
