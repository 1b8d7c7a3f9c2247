//! Starts by features that are smooth on the graph.

use super::components::{leading_directions, principal_components};
use crate::description_length::{Density, Planted, WeightModel};
use crate::merge::{Dendrogram, agglomerate};
use crate::{CommunityError, Links, Partition};
use bnpool_math::kmeans::{KMeansConfig, k_means};
use rayon::prelude::*;

/// Parameters of groups by features.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureStart {
    /// Seed of the components and of k-means.
    pub seed: u64,
    /// Number of leading directions of the rows that are kept; patterns shared by
    /// many columns are kept, and those of single columns are dropped.
    pub directions: usize,
    /// Number of powers of the normalised adjacency that are averaged.
    pub powers: usize,
    /// Number of principal components.
    pub components: usize,
    /// Number of k-means groups, before merging.
    pub groups: usize,
}

impl Default for FeatureStart {
    fn default() -> Self {
        Self {
            seed: 0,
            directions: 64,
            powers: 16,
            components: 16,
            groups: 20,
        }
    }
}

/// Groups nodes by features and structure: rows of `features`, [nodes, width], are
/// scaled to unit length, reduced to their leading directions, smoothed by the mean
/// of powers of D^-1/2 (A + I) D^-1/2, scaled to unit length again, and clustered
/// by k-means in their principal components. The groups are then merged by the
/// description length of the edges ([`Density::RelativeOwn`]). Returns the
/// partition with the lowest Σ, and the dendrogram.
///
/// Edges alone may merge groups with dissimilar features. If fewer than nine in
/// ten nodes are then nearest to the mean of their own group, k-means continues
/// from these means, and the dendrogram starts from its groups.
///
/// Unlike communities found by structure alone, the groups may be disconnected:
/// features can indicate that components belong together.
///
/// # Errors
///
/// Returns an error if the number of rows is not the number of nodes, or a
/// setting is 0.
///
/// # Complexity
///
/// O(N · width · directions + (E + N) · directions · powers) time, N · (width +
/// 3 · directions) floats of memory.
///
/// ```
/// use bnpool_community::starts::{FeatureStart, by_features};
/// use bnpool_community::Links;
/// use bnpool_graph::Csr;
///
/// // Two triangles without an edge between them, and a colour for each.
/// let pairs = [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)];
/// let both = pairs.into_iter().flat_map(|(u, v)| [(u, v), (v, u)]);
/// let links = Links::new(&Csr::from_edges(6, both)?)?;
/// let colours = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0];
/// let config = FeatureStart { groups: 2, components: 1, ..FeatureStart::default() };
/// let (_, path) = by_features(&links, &colours, 2, &config)?;
/// let found = path.cut(2).expect("two groups");
/// assert_eq!(found.labels(), [0, 0, 0, 1, 1, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn by_features(
    links: &Links,
    features: &[f32],
    width: usize,
    config: &FeatureStart,
) -> Result<(Partition, Dendrogram), CommunityError> {
    let nodes = links.nodes();
    if width == 0 || features.len() != nodes * width {
        return Err(CommunityError::FeatureCount {
            values: features.len(),
            nodes,
            width,
        });
    }
    for (name, value) in [
        ("components", config.components),
        ("directions", config.directions),
        ("groups", config.groups),
    ] {
        if value == 0 {
            return Err(CommunityError::Setting {
                name,
                value: 0.0,
                bound: "there must be at least 1",
            });
        }
    }
    let mut rows = features.to_vec();
    to_unit_length(&mut rows, width);
    let mut width = width;
    if width > config.directions {
        let origin = vec![0.0; width];
        rows = leading_directions(&rows, width, config.directions, &origin, config.seed);
        width = config.directions;
    }
    let mut smooth = smoothed(links, rows, width, config.powers);
    to_unit_length(&mut smooth, width);
    let components = config.components.min(width).min(nodes);
    let points = principal_components(&smooth, width, components, config.seed);
    let kmeans = KMeansConfig {
        seed: config.seed,
        ..KMeansConfig::default()
    };
    let found = k_means(&points, components, config.groups.min(nodes), &kmeans);
    let start = Partition::new(&found.labels);
    let state = Planted::new(links, &start, Density::RelativeOwn, WeightModel::Ignored)?;
    let path = agglomerate(&state);
    let groups = path.best(1);
    let partition = path.cut(groups).unwrap_or(start);
    if groups < 2 {
        return Ok((partition, path));
    }
    let (near, share) = nearest_means(&points, components, &partition);
    if share >= FAITHFUL {
        return Ok((partition, path));
    }
    let mut partition = near;
    for _ in 0..ROUNDS {
        let (next, share) = nearest_means(&points, components, &partition);
        if share == 1.0 {
            break;
        }
        partition = next;
    }
    let state = Planted::new(
        links,
        &partition,
        Density::RelativeOwn,
        WeightModel::Ignored,
    )?;
    let path = agglomerate(&state);
    Ok((partition, path))
}

/// Smallest fraction of nodes that are nearest to the mean of their own group.
const FAITHFUL: f64 = 0.9;

/// Largest number of k-means rounds from given groups.
const ROUNDS: usize = 100;

/// Assigns each node to the group with the nearest mean; also returns the
/// fraction of nodes that were already in it.
fn nearest_means(points: &[f32], width: usize, partition: &Partition) -> (Partition, f64) {
    let mut means = vec![0.0_f64; partition.groups() * width];
    for (row, &group) in points.chunks_exact(width).zip(partition.labels()) {
        let mean = &mut means[group as usize * width..][..width];
        mean.iter_mut()
            .zip(row)
            .for_each(|(m, &x)| *m += f64::from(x));
    }
    for (mean, &size) in means.chunks_exact_mut(width).zip(partition.sizes()) {
        mean.iter_mut().for_each(|m| *m /= size.max(1) as f64);
    }
    let nearest = |row: &[f32]| {
        let mut best = (f64::INFINITY, 0);
        for (group, mean) in means.chunks_exact(width).enumerate() {
            let pairs = mean.iter().zip(row);
            let square: f64 = pairs.map(|(m, &x)| (m - f64::from(x)).powi(2)).sum();
            if square < best.0 {
                best = (square, group as u32);
            }
        }
        best.1
    };
    let labels: Vec<u32> = points.par_chunks_exact(width).map(nearest).collect();
    let same = labels
        .iter()
        .zip(partition.labels())
        .filter(|(a, b)| a == b);
    let share = same.count() as f64 / labels.len().max(1) as f64;
    (Partition::new(&labels), share)
}

/// Scales each row to unit length; zero rows are left unchanged.
fn to_unit_length(rows: &mut [f32], width: usize) {
    rows.par_chunks_exact_mut(width).for_each(|row| {
        let square: f64 = row.iter().map(|&x| f64::from(x) * f64::from(x)).sum();
        if square > 0.0 {
            let scale = square.sqrt().recip() as f32;
            row.iter_mut().for_each(|x| *x *= scale);
        }
    });
}

/// The mean of X, M X, …, M^p X for M = D^-1/2 (A + I) D^-1/2, without weights.
fn smoothed(links: &Links, rows: Vec<f32>, width: usize, powers: usize) -> Vec<f32> {
    let nodes = links.nodes();
    let scale: Vec<f32> = (0..nodes)
        .map(|u| ((links.degree(u) + 1) as f32).sqrt().recip())
        .collect();
    let mut sum = rows.clone();
    let (mut current, mut next) = (rows, vec![0.0_f32; sum.len()]);
    for _ in 0..powers {
        next.par_chunks_exact_mut(width)
            .zip(sum.par_chunks_exact_mut(width))
            .enumerate()
            .for_each(|(u, (out, sum))| {
                out.fill(0.0);
                let mut add = |v: usize| {
                    let factor = scale[u] * scale[v];
                    for (o, x) in out.iter_mut().zip(&current[v * width..(v + 1) * width]) {
                        *o += factor * x;
                    }
                };
                add(u);
                links.neighbours(u).iter().for_each(|&v| add(v as usize));
                sum.iter_mut().zip(&*out).for_each(|(s, o)| *s += o);
            });
        std::mem::swap(&mut current, &mut next);
    }
    let share = ((powers + 1) as f32).recip();
    sum.par_iter_mut().for_each(|x| *x *= share);
    sum
}
