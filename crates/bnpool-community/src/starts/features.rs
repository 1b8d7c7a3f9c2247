//! Starts by features that are smooth on the graph.

use super::components::principal_components;
use crate::description_length::{Density, Planted, WeightModel};
use crate::merge::{Dendrogram, agglomerate};
use crate::{CommunityError, Links, Partition};
use bnpool_math::kmeans::{KMeansConfig, k_means};
use rayon::prelude::*;

/// How groups are looked for in features.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureStart {
    /// Seed of the components and of k-means.
    pub seed: u64,
    /// Powers of the normalised adjacency to take the mean of.
    pub powers: usize,
    /// Principal components.
    pub components: usize,
    /// Groups of k-means, before merging.
    pub groups: usize,
}

impl Default for FeatureStart {
    fn default() -> Self {
        Self {
            seed: 0,
            powers: 16,
            components: 16,
            groups: 20,
        }
    }
}

/// Groups by features and structure together: rows of `features`,
/// [nodes, width], are brought to unit length, smoothed by the mean of powers of
/// D^-1/2 (A + I) D^-1/2, and grouped by k-means in their principal components.
/// The groups are then merged by the description length of the edges
/// ([`Density::RelativeOwn`]). The division with the lowest Σ, and the path.
///
/// Unlike communities found by structure alone the groups may consist of
/// several connected pieces: features can say that components belong together.
///
/// # Errors
///
/// When there is not a row for every node, or a setting is 0.
///
/// # Complexity
///
/// O((E + N) · width · powers) time, 3 · N · width floats of memory.
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
    for (name, value) in [("components", config.components), ("groups", config.groups)] {
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
    let division = path.cut(groups).unwrap_or(start);
    Ok((division, path))
}

/// Scales every row to unit length; rows of zeros stay.
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
