//! Starts by eigenvectors of both ends of the spectrum.

use crate::{CommunityError, Links, Partition};
use bnpool_math::kmeans::{KMeansConfig, k_means};
use bnpool_math::spectral::{SpectralConfig, SpectralError, Spectrum, leading_eigenvectors};

/// How groups are looked for in eigenvectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpectralStart {
    /// Seed of the eigenvectors and of k-means.
    pub seed: u64,
    /// Groups for every informative eigenvector.
    pub excess: f64,
    /// Bound of N k² for k eigenvectors of an end, to which time is proportional.
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

/// Groups by k-means in the eigenvectors of the normalised adjacency whose
/// eigenvalues are larger in modulus than those of a random graph. Positive
/// ones tell communities apart, negative ones groups that avoid themselves.
/// `None` when there are no such eigenvalues.
///
/// The number of eigenvectors follows the graph: it is doubled until the last
/// one is not informative, or the budget is spent.
///
/// # Errors
///
/// None for graphs that [`Links`] accepts.
///
/// # Complexity
///
/// O((E + N k) k) time for each of the some hundred products that k vectors
/// take, O(N k) memory.
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
        // The length of a row follows the degree; the direction is the group.
        let length = points[start..].iter().map(|x| x * x).sum::<f32>().sqrt();
        if length > 0.0 {
            points[start..].iter_mut().for_each(|x| *x /= length);
        }
    }
    let groups = ((width as f64 * config.excess).ceil() as usize + 1).min(nodes);
    let found = k_means(
        &points,
        width,
        groups,
        &KMeansConfig {
            seed: config.seed,
            starts: if nodes > 20_000 { 1 } else { 4 },
            rounds: 30,
        },
    );
    Ok(Some(Partition::new(&found.labels)))
}

/// Eigenvectors of one end, and how many of them are informative.
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
