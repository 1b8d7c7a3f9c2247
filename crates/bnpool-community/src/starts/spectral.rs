//! Starts from eigenvectors of both ends of the spectrum.

use crate::{CommunityError, Direction, Links, Partition};
use bnpool_math::kmeans::{KMeansConfig, k_means};
use bnpool_math::spectral::{SpectralConfig, SpectralError, Spectrum, leading_eigenvectors};

/// Parameters of groups by eigenvectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpectralStart {
    /// Seed of the eigenvectors and of k-means.
    pub seed: u64,
    /// Number of groups per informative eigenvector.
    pub excess: f64,
    /// Upper bound of N k² for k eigenvectors of one end, to which the time is
    /// proportional.
    pub budget: f64,
}

impl Default for SpectralStart {
    fn default() -> Self {
        Self {
            seed: 0,
            excess: 2.0,
            budget: 1e7,
        }
    }
}

/// Groups nodes by k-means in the eigenvectors of the normalised adjacency
/// whose eigenvalues are larger in modulus than those of a random graph.
/// Positive eigenvalues separate communities, negative ones disassortative
/// groups. `None` if there are no such eigenvalues.
///
/// The number of eigenvectors is doubled until the last one is not informative
/// or the budget is exhausted.
///
/// # Errors
///
/// Returns no error for valid [`Links`].
///
/// # Complexity
///
/// O((E + N k) k) time for each of some hundred products with k vectors, O(N k)
/// memory.
pub fn by_eigenvectors(
    links: &Links,
    config: &SpectralStart,
) -> Result<Option<Partition>, CommunityError> {
    let nodes = links.nodes();
    let degree = (2.0 * links.edges() as f64 / nodes as f64).max(2.0);
    let edge = 2.0 * (degree - 1.0).sqrt() / degree;
    let upper = beyond(links, edge, false, config)?;
    let lower = beyond(links, edge, true, config)?;
    let width = upper.1 + lower.1;
    if width == 0 {
        return Ok(None);
    }
    let mut points = Vec::with_capacity(nodes * width);
    for u in 0..nodes {
        let start = points.len();
        for (spectrum, informative) in [&upper, &lower] {
            let row = &spectrum.vectors[u * spectrum.values.len()..];
            points.extend_from_slice(&row[..*informative]);
        }
        to_unit_length(&mut points[start..]);
    }
    Ok(Some(grouped(&points, nodes, width, config)))
}

/// Groups nodes by k-means in the singular vectors of the normalised directed
/// adjacency whose singular values are larger than those of a random graph: nodes
/// of a group have edges from the same groups and to the same groups. `None` if
/// there are no such values, or no directions.
///
/// # Errors
///
/// Returns no error for valid [`Links`].
///
/// # Complexity
///
/// As [`by_eigenvectors`] of a graph with twice as many nodes.
pub fn by_singular_vectors(
    links: &Links,
    config: &SpectralStart,
) -> Result<Option<Partition>, CommunityError> {
    let Some(cover) = double_cover(links) else {
        return Ok(None);
    };
    let nodes = links.nodes();
    let degree = (cover.edges() as f64 / nodes as f64).max(2.0);
    let edge = 2.0 * (degree - 1.0).sqrt() / degree;
    let (spectrum, width) = beyond(&cover, edge, false, config)?;
    if width == 0 {
        return Ok(None);
    }
    let columns = spectrum.values.len();
    let mut points = Vec::with_capacity(2 * nodes * width);
    for u in 0..nodes {
        for copy in [u, nodes + u] {
            let start = points.len();
            points.extend_from_slice(&spectrum.vectors[copy * columns..][..width]);
            to_unit_length(&mut points[start..]);
        }
    }
    Ok(Some(grouped(&points, nodes, 2 * width, config)))
}

/// The graph with two copies of each node, as a source and as a target, and an
/// undirected edge for each directed one: its eigenvectors are the singular
/// vectors of the directed adjacency.
fn double_cover(links: &Links) -> Option<Links> {
    let directions = links.directions()?;
    let nodes = links.nodes();
    let mut offsets = Vec::with_capacity(2 * nodes + 1);
    let mut targets = Vec::new();
    offsets.push(0);
    for (other, shift) in [(Direction::In, nodes as u32), (Direction::Out, 0)] {
        for u in 0..nodes {
            let entries = links.neighbours(u).iter().zip(links.offsets()[u]..);
            let kept = entries.filter(|&(_, entry)| directions[entry] != other);
            targets.extend(kept.map(|(&v, _)| v + shift));
            offsets.push(targets.len());
        }
    }
    Some(Links::trusted(offsets, targets, None))
}

/// Scales a row to unit length: its length depends on the degree, and only its
/// direction on the group.
fn to_unit_length(row: &mut [f32]) {
    let length = row.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        row.iter_mut().for_each(|x| *x /= length);
    }
}

/// Groups points by k-means, into more groups than there are directions.
fn grouped(points: &[f32], nodes: usize, width: usize, config: &SpectralStart) -> Partition {
    let groups = ((width as f64 * config.excess).ceil() as usize + 1).min(nodes);
    let found = k_means(
        points,
        width,
        groups,
        &KMeansConfig {
            seed: config.seed,
            starts: if nodes > 20_000 { 1 } else { 4 },
            rounds: 30,
        },
    );
    Partition::new(&found.labels)
}

/// Eigenvectors of one end, and the number of informative ones.
fn beyond(
    links: &Links,
    edge: f64,
    lower_end: bool,
    config: &SpectralStart,
) -> Result<(Spectrum, usize), CommunityError> {
    let mut count = 8.min(links.nodes());
    loop {
        let spectral = SpectralConfig {
            seed: config.seed,
            tolerance: 1e-2,
            products: 60,
            skip_components: true,
            lower_end,
        };
        let spectrum =
            leading_eigenvectors(links.view(), count, &spectral).map_err(|error| match error {
                SpectralError::Weight {
                    row,
                    column,
                    weight,
                } => CommunityError::Weight {
                    row,
                    column,
                    weight,
                },
                _ => CommunityError::NotSquare {
                    rows: links.nodes(),
                    columns: links.nodes(),
                },
            })?;
        let informative = spectrum.values.iter().filter(|v| v.abs() > edge).count();
        if informative < spectrum.values.len()
            || spectrum.values.len() < count
            || (2 * count).pow(2) as f64 * links.nodes() as f64 > config.budget
        {
            return Ok((spectrum, informative));
        }
        count *= 2;
    }
}
