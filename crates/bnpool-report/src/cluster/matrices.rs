//! Matrices of nodes, sorted by community or by class.

use rayon::prelude::*;

use super::ClusterReport;
use super::block_matrix::{has_unused_clusters, side};
use super::input::Classes;
use crate::binned::{Binned, least_sure_last};
use crate::chart::{Chart, HeatMap, Scale, Side, categorical};

/// Nodes by group, by community within groups, and by decreasing confidence.
fn sorted(report: &ClusterReport<'_>, group: impl Fn(usize) -> usize) -> Binned {
    let mut nodes: Vec<usize> = (0..report.graph.nodes()).collect();
    let sure = |node: usize| least_sure_last(report.confidence[node]);
    nodes.sort_by_key(|&u| (group(u), report.labels[u], sure(u), u));
    Binned::new(nodes)
}

pub(super) fn by_community(report: &ClusterReport<'_>) -> Binned {
    sorted(report, |node| report.labels[node])
}

/// Community of a node, as text.
fn community(report: &ClusterReport<'_>, node: usize) -> String {
    format!("community {}", report.labels[node])
}

fn community_side(report: &ClusterReport<'_>, order: &Binned) -> Side {
    order.side(
        report.graph,
        "community",
        |node| report.labels[node],
        |group| (group.to_string(), Some(categorical(group))),
        |node| community(report, node),
    )
}

/// Draws a matrix [bins, bins] with nodes sorted by community on both sides.
fn draw(
    report: &ClusterReport<'_>,
    order: &Binned,
    values: &[f32],
    scale: Scale,
    alt: String,
    value_name: &str,
) -> Chart {
    let side = community_side(report, order);
    HeatMap {
        scale,
        ..HeatMap::new(alt, [side.clone(), side], values, value_name)
    }
    .draw()
}

/// The fraction of linked pairs in each pair of bins.
///
/// # Complexity
///
/// Time O(E), memory O(bins²): never N².
pub(super) fn adjacency(report: &ClusterReport<'_>, order: &Binned) -> Chart {
    let (cells, cell_of) = (order.bins().len(), order.cells());
    let mut counts = vec![0_u32; cells * cells];
    for (u, v, _) in report.graph.adjacency().iter() {
        counts[cell_of[u as usize] * cells + cell_of[v as usize]] += 1;
    }
    let sizes: Vec<usize> = order.bins().map(<[usize]>::len).collect();
    let share =
        |(i, &count): (usize, &u32)| count as f32 / (sizes[i / cells] * sizes[i % cells]) as f32;
    let values: Vec<f32> = counts.iter().enumerate().map(share).collect();
    let (scale, value_name) = if order.is_binned() {
        (Scale::from_zero(&values, true), "share linked")
    } else {
        (Scale::FRACTION, "linked")
    };
    let alt = format!(
        "Adjacency matrix of {} nodes sorted by community: links inside communities lie in blocks along the diagonal.",
        order.nodes.len()
    );
    draw(report, order, &values, scale, alt, value_name)
}

/// Fraction of each known class in a bin, in ascending order of the classes.
type Shares = Vec<(usize, f32)>;

fn shares(members: &[usize], classes: &Classes<'_>) -> Shares {
    let known = members.iter().filter_map(|&node| classes.of(node));
    let mut labels: Vec<usize> = known.collect();
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

/// The class matrix Y Yᵀ.
pub(super) fn classes(report: &ClusterReport<'_>, order: &Binned, classes: &Classes<'_>) -> Chart {
    let bins: Vec<Shares> = order.bins().map(|bin| shares(bin, classes)).collect();
    let row = |a| bins.iter().map(move |b| agreement(a, b));
    let values: Vec<f32> = bins.iter().flat_map(row).collect();
    let alt = format!(
        "Pairs of nodes that share one of {} classes, in the order of the adjacency matrix.",
        classes.count()
    );
    draw(report, order, &values, Scale::FRACTION, alt, "same class")
}

/// Mean of the rows of S in each bin, [bins, C].
fn rows(report: &ClusterReport<'_>, order: &Binned) -> Vec<Vec<f32>> {
    let clusters = report.max_clusters;
    let mean = |bin: &[usize]| {
        let mut row = vec![0.0_f32; clusters];
        for &node in bin {
            let own = &report.raw_assignments[node * clusters..(node + 1) * clusters];
            for (sum, s) in row.iter_mut().zip(own) {
                *sum += s / bin.len() as f32;
            }
        }
        row
    };
    order.bins().map(mean).collect()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The predicted links σ(S K Sᵀ), from the mean of the rows of S in each bin.
///
/// # Complexity
///
/// Time O(N C + bins² C), memory O(bins²): never N².
pub(super) fn reconstruction(report: &ClusterReport<'_>, order: &Binned) -> Chart {
    let clusters = report.max_clusters;
    let rows = rows(report, order);
    let line = |row: &Vec<f32>| {
        let mut left = vec![0.0_f32; clusters];
        let block_rows = report.raw_block_matrix.chunks(clusters.max(1));
        for (s, k) in row.iter().zip(block_rows) {
            for (sum, k) in left.iter_mut().zip(k) {
                *sum += s * k;
            }
        }
        let link = |other: &Vec<f32>| 1.0 / (1.0 + (-dot(&left, other)).exp());
        rows.iter().map(link).collect::<Vec<f32>>()
    };
    // Each row is summed independently, so the result does not depend on
    // threads.
    let lines: Vec<Vec<f32>> = rows.par_iter().map(line).collect();
    let values = lines.concat();
    let scale = Scale::from_zero(&values, false);
    let alt = "Predicted link probabilities, in the order of the adjacency matrix.".to_owned();
    draw(report, order, &values, scale, alt, "probability")
}

/// The memberships that two nodes share, S Sᵀ, as the paper draws them for poolers without
/// a block matrix. Time and memory are those of [`reconstruction`].
pub(super) fn shared(report: &ClusterReport<'_>, order: &Binned) -> Chart {
    let rows = rows(report, order);
    let line = |row: &Vec<f32>| rows.iter().map(|other| dot(row, other)).collect();
    let lines: Vec<Vec<f32>> = rows.par_iter().map(line).collect();
    let values = lines.concat();
    let scale = Scale::from_zero(&values, false);
    let alt = "Shared memberships, in the order of the adjacency matrix.".to_owned();
    draw(report, order, &values, scale, alt, "shared membership")
}

/// The memberships S of all nodes, by class if classes are known.
pub(super) fn assignments(report: &ClusterReport<'_>, order: &Binned) -> Chart {
    let by_class;
    let (order, rows, by) = match &report.classes {
        Some(classes) => {
            let count = classes.count();
            let class = |node| classes.of(node).unwrap_or(count);
            let name = |class| {
                if class < count {
                    classes.name(class)
                } else {
                    "no label".to_owned()
                }
            };
            by_class = sorted(report, class);
            let named = |class| (name(class), None);
            let about = |node| community(report, node);
            let rows = by_class.side(report.graph, "class", class, named, about);
            (&by_class, rows, "class")
        }
        None => (order, community_side(report, order), "community"),
    };
    let found = report.communities.len();
    // Clusters that no node prefers share one column, as separate empty columns
    // would waste space.
    let columns = found + usize::from(has_unused_clusters(report));
    let mut values = Vec::with_capacity(order.bins().len() * columns);
    for bin in order.bins() {
        let mut row = vec![0.0_f32; columns];
        for &node in bin {
            let mut rest = 1.0_f32;
            if report.assignments.is_empty() {
                // For huge graphs, only the membership in the own community is
                // known.
                row[report.labels[node]] += report.confidence[node];
                rest -= report.confidence[node];
            } else {
                let own = &report.assignments[node * found..(node + 1) * found];
                for (sum, &membership) in row.iter_mut().zip(own) {
                    *sum += membership;
                    rest -= membership;
                }
            }
            if let Some(sum) = row.get_mut(found) {
                *sum += rest.max(0.0);
            }
        }
        values.extend(row.iter().map(|sum| sum / bin.len() as f32));
    }
    let alt =
        format!("Membership of every node in each of {found} communities, nodes sorted by {by}.");
    HeatMap::new(alt, [rows, side(report, columns)], &values, "membership").draw()
}
