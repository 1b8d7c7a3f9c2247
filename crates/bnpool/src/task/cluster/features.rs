//! Node features for graphs that bring none.
//!
//! A message-passing network cannot tell nodes apart that look alike, and on a
//! bare graph all do. Leading eigenvectors of the normalised adjacency place
//! nodes of a community close to each other; random columns, averaged by
//! message passing over neighbourhoods, add what the few eigenvectors miss.

use super::{ClusterConfig, FeatureSource};
use crate::task::TaskError;
use bnpool_graph::{Csr, Features, Graph, Matrix, transform};
use bnpool_math::spectral::{SpectralConfig, Spectrum, leading_eigenvectors};
use bnpool_math::stream::{Purpose, Stream};
use std::borrow::Cow;

/// The features that the model reads.
pub(super) fn node_features<'a>(
    graph: &'a Graph,
    config: &ClusterConfig,
) -> Result<Cow<'a, Features>, TaskError> {
    if config.uses_structure_features(graph) {
        return Ok(Cow::Owned(structure_features(graph, config)?.into()));
    }
    match graph.features() {
        given if given.width() == 0 => Err(TaskError::NoFeatures),
        given => Ok(Cow::Borrowed(given)),
    }
}

impl ClusterConfig {
    /// True when the features of the graph are not used, because it has none
    /// that tell nodes apart or because the settings say so.
    #[must_use]
    pub fn uses_structure_features(&self, graph: &Graph) -> bool {
        match self.features.source {
            FeatureSource::Given => false,
            FeatureSource::Structure => true,
            FeatureSource::Auto => !tells_nodes_apart(graph.features()),
        }
    }
}

/// False when there are no features, or all nodes have the same.
fn tells_nodes_apart(features: &Features) -> bool {
    match features {
        Features::Dense(matrix) => {
            let width = matrix.columns();
            let values = matrix.as_slice();
            width > 0
                && values
                    .chunks_exact(width)
                    .any(|row| row != &values[..width])
        }
        Features::Sparse(matrix) => {
            let row = |i| (matrix.row(i), matrix.row_weights(i));
            (1..matrix.rows()).any(|i| row(i) != row(0))
        }
    }
}

/// The leading eigenvectors of the normalised adjacency, those apart that only
/// tell connected components from one another.
pub(super) fn spectrum(graph: &Graph, config: &ClusterConfig) -> Result<Spectrum, TaskError> {
    let undirected = transform::undirect(graph);
    let adjacency = without_odd_weights(undirected.adjacency());
    Ok(leading_eigenvectors(
        adjacency.view(),
        config.features.spectral.min(graph.nodes()),
        &SpectralConfig {
            seed: config.seed,
            // Features need no more: what lies between two close eigenvalues
            // is a rotation, which the first layer can undo.
            tolerance: 1e-2,
            skip_components: true,
            ..SpectralConfig::default()
        },
    )?)
}

/// Eigenvectors beside random columns, [nodes, spectral + random]; every column
/// has a mean square of one.
fn structure_features(graph: &Graph, config: &ClusterConfig) -> Result<Matrix, TaskError> {
    let nodes = graph.nodes();
    let spectrum = spectrum(graph, config)?;
    let (spectral, random) = (spectrum.values.len(), config.features.random);
    let stream = Stream::new(config.seed, Purpose::Features, 0);
    let scale = (nodes as f32).sqrt();
    let mut values = Vec::with_capacity(nodes * (spectral + random));
    for u in 0..nodes {
        let row = &spectrum.vectors[u * spectral..(u + 1) * spectral];
        values.extend(row.iter().map(|x| x * scale));
        let mut draws = stream.draws(u as u64);
        values.extend((0..random).map(|_| draws.normal() as f32));
    }
    Ok(Matrix::new(nodes, spectral + random, values)?)
}

/// The matrix itself, or its pattern where a weight is negative: signs have no
/// place in a walk on the graph.
fn without_odd_weights(adjacency: &Csr) -> Cow<'_, Csr> {
    match adjacency.weights() {
        Some(weights) if weights.iter().any(|&w| w < 0.0) => {
            Cow::Owned(adjacency.without_weights())
        }
        _ => Cow::Borrowed(adjacency),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_features_tell_nothing() {
        let features = |values: &[f32]| Features::from(Matrix::new(3, 1, values.to_vec()).unwrap());
        assert!(!tells_nodes_apart(&features(&[1.0, 1.0, 1.0])));
        assert!(tells_nodes_apart(&features(&[1.0, 1.0, 2.0])));
        assert!(!tells_nodes_apart(&Features::absent(3)));
    }
}
