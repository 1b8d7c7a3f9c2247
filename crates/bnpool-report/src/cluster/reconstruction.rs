//! The predicted links σ(S K Sᵀ), in the order of the communities.

use rayon::prelude::*;

use super::ClusterReport;
use super::order::Order;
use crate::chart::{Chart, HeatMap, Ramp, Scale};

/// Mean of the rows of S in each bin, [bins, C].
fn rows(report: &ClusterReport<'_>, order: &Order) -> Vec<Vec<f32>> {
    let clusters = report.max_clusters;
    let mean = |range: &std::ops::Range<usize>| {
        let mut row = vec![0.0_f32; clusters];
        for &node in &order.nodes[range.clone()] {
            let own = &report.raw_assignments[node * clusters..(node + 1) * clusters];
            for (sum, s) in row.iter_mut().zip(own) {
                *sum += s / range.len() as f32;
            }
        }
        row
    };
    order.bins.iter().map(mean).collect()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Link probabilities of bins, from the mean of the rows of S in each bin.
///
/// # Complexity
///
/// Time O(N C + bins² C), memory O(bins²): never N².
fn probabilities(report: &ClusterReport<'_>, order: &Order) -> Vec<f32> {
    let clusters = report.max_clusters;
    let rows = rows(report, order);
    let line = |row: &Vec<f32>| {
        let mut left = vec![0.0_f32; clusters];
        for (s, k) in row
            .iter()
            .zip(report.raw_block_matrix.chunks(clusters.max(1)))
        {
            for (sum, k) in left.iter_mut().zip(k) {
                *sum += s * k;
            }
        }
        rows.iter()
            .map(|other| 1.0 / (1.0 + (-dot(&left, other)).exp()))
            .collect::<Vec<f32>>()
    };
    // Each row is summed independently, so the result does not depend on
    // threads.
    let lines: Vec<Vec<f32>> = rows.par_iter().map(line).collect();
    lines.concat()
}

/// The memberships that two nodes share, S Sᵀ, as the paper draws them for poolers without
/// a block matrix. Time and memory are those of [`probabilities`].
pub(super) fn shared(report: &ClusterReport<'_>, order: &Order) -> Chart {
    let rows = rows(report, order);
    let line = |row: &Vec<f32>| rows.iter().map(|other| dot(row, other)).collect();
    let lines: Vec<Vec<f32>> = rows.par_iter().map(line).collect();
    draw(
        report,
        order,
        &lines.concat(),
        "Shared memberships, in the order of the adjacency matrix.",
        "shared membership",
    )
}

pub(super) fn chart(report: &ClusterReport<'_>, order: &Order) -> Chart {
    draw(
        report,
        order,
        &probabilities(report, order),
        "Predicted link probabilities, in the order of the adjacency matrix.",
        "probability",
    )
}

fn draw(
    report: &ClusterReport<'_>,
    order: &Order,
    values: &[f32],
    alt: &str,
    value_name: &str,
) -> Chart {
    HeatMap {
        alt: alt.to_owned(),
        rows: order.community_side(report),
        columns: order.community_side(report),
        values,
        scale: Scale::from_zero(values, false),
        ramp: Ramp::Sequential,
        value_name: value_name.to_owned(),
        written: false,
        texts: None,
    }
    .draw()
}
