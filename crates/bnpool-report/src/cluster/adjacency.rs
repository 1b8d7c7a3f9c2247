//! The adjacency matrix, sorted by community.

use super::ClusterReport;
use super::order::Order;
use crate::chart::{Chart, HeatMap, Ramp, Scale};

/// Fraction of linked pairs in each pair of bins.
///
/// # Complexity
///
/// Time O(E), memory O(bins²): never N².
fn densities(report: &ClusterReport<'_>, order: &Order) -> Vec<f32> {
    let cells = order.bins.len();
    let mut counts = vec![0_u32; cells * cells];
    for (u, v, _) in report.graph.adjacency().iter() {
        counts[order.bin_of[u as usize] * cells + order.bin_of[v as usize]] += 1;
    }
    let share = |(i, &count): (usize, &u32)| {
        let pairs = order.bins[i / cells].len() * order.bins[i % cells].len();
        count as f32 / pairs as f32
    };
    counts.iter().enumerate().map(share).collect()
}

pub(super) fn chart(report: &ClusterReport<'_>, order: &Order) -> Chart {
    let values = densities(report, order);
    let binned = order.is_binned();
    HeatMap {
        alt: format!(
            "Adjacency matrix of {} nodes sorted by community: links inside communities lie in blocks along the diagonal.",
            order.nodes.len()
        ),
        rows: order.community_side(report),
        columns: order.community_side(report),
        values: &values,
        scale: if binned { Scale::from_zero(&values, true) } else { Scale {
                low: 0.0,
                high: 1.0,
                root: false,
            } },
        ramp: Ramp::Sequential,
        value_name: if binned { "share linked" } else { "linked" }.to_owned(),
        written: false,
        texts: None,
    }
    .draw()
}
