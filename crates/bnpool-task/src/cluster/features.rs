//! Features of the nodes.
//!
//! A message-passing network cannot distinguish nodes with equal features, and
//! without features all nodes are equal. Leading eigenvectors of the normalised
//! adjacency matrix place nodes of a community close to each other. Random
//! columns, averaged over neighbourhoods by message passing, add information that
//! the few eigenvectors lack. If groups were found before, the groups around a
//! node are its features instead. Given features are appended: they may help, and
//! they cannot hide the structure if they do not.

use super::{ClusterConfig, FeatureSource};
use crate::TaskError;
use bnpool_graph::{Csr, Features, Graph, Matrix, transform};
use bnpool_math::spectral::{SpectralConfig, Spectrum, leading_eigenvectors};
use bnpool_math::stream::{Purpose, Stream};
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::OnceLock;

/// Creates the input features of the model.
pub(super) fn node_features<'a, C>(
    graph: &'a Graph,
    config: &ClusterConfig<C>,
    spectrum: &LazySpectrum,
    groups: Option<&Surroundings>,
) -> Result<Cow<'a, Features>, TaskError> {
    let given = graph.features();
    match (
        config.uses_structure_features(graph),
        config.uses_given_features(graph),
    ) {
        (true, false) => Ok(Cow::Owned(
            structure_features(graph, config, spectrum, groups)?.into(),
        )),
        (true, true) => {
            let structure = structure_features(graph, config, spectrum, groups)?;
            Ok(Cow::Owned(beside(&structure, given)?))
        }
        (false, _) if given.width() == 0 => Err(TaskError::NoFeatures),
        (false, _) => Ok(Cow::Borrowed(given)),
    }
}

impl<C> ClusterConfig<C> {
    /// Returns whether features computed from the structure are used, alone or
    /// together with those of the graph.
    #[must_use]
    pub fn uses_structure_features(&self, graph: &Graph) -> bool {
        match self.features.source {
            FeatureSource::Given => false,
            FeatureSource::Structure | FeatureSource::Both => true,
            FeatureSource::Auto => !tells_nodes_apart(graph.features()),
        }
    }

    /// Returns whether the features of the graph are used, alone or together
    /// with those computed from the structure.
    #[must_use]
    pub fn uses_given_features(&self, graph: &Graph) -> bool {
        match self.features.source {
            FeatureSource::Given => true,
            FeatureSource::Structure => false,
            FeatureSource::Auto | FeatureSource::Both => tells_nodes_apart(graph.features()),
        }
    }
}

/// Concatenates both, scaled so that neither dominates: on average, rows of
/// given features are at most as long as those of the structure. Columns of
/// dense features are standardised first. Sparse features are only scaled, to
/// keep them sparse.
fn beside(structure: &Matrix, given: &Features) -> Result<Features, TaskError> {
    let nodes = structure.rows();
    let made = structure.columns();
    match given {
        Features::Dense(matrix) => {
            let scaled = standardised(
                matrix,
                (made as f32 / matrix.columns() as f32).sqrt().min(1.0),
            );
            let width = made + matrix.columns();
            let mut values = Vec::with_capacity(nodes * width);
            for u in 0..nodes {
                values.extend_from_slice(structure.row(u));
                values.extend_from_slice(&scaled[u * matrix.columns()..(u + 1) * matrix.columns()]);
            }
            Ok(Matrix::new(nodes, width, values)?.into())
        }
        Features::Sparse(matrix) => {
            let squares: f64 = matrix.iter().map(|(_, _, x)| f64::from(x).powi(2)).sum();
            let factor = if squares > 0.0 {
                (made as f64 * nodes as f64 / squares).sqrt() as f32
            } else {
                0.0
            };
            let columns = (0..made).map(|j| j as u32);
            let entries = (0..nodes).flat_map(|u| {
                let dense = columns.clone().zip(structure.row(u).iter().copied());
                let sparse = matrix.row(u).iter().enumerate().map(move |(i, &column)| {
                    let value = matrix.row_weights(u).map_or(1.0, |weights| weights[i]);
                    (made as u32 + column, value * factor)
                });
                dense
                    .chain(sparse)
                    .map(move |(column, value)| (u as u32, column, value))
            });
            let width = made + matrix.columns_count();
            Ok(Csr::from_entries(nodes, width, entries)?.into())
        }
    }
}

/// Standardises columns to mean zero and a root mean square of `scale`.
/// Constant columns become zero.
fn standardised(matrix: &Matrix, scale: f32) -> Vec<f32> {
    let (nodes, width) = (matrix.rows().max(1) as f64, matrix.columns());
    let mut means = vec![0.0_f64; width];
    for row in matrix.as_slice().chunks_exact(width) {
        for (mean, &x) in means.iter_mut().zip(row) {
            *mean += f64::from(x) / nodes;
        }
    }
    let mut squares = vec![0.0_f64; width];
    for row in matrix.as_slice().chunks_exact(width) {
        for ((square, &x), mean) in squares.iter_mut().zip(row).zip(&means) {
            *square += (f64::from(x) - mean).powi(2) / nodes;
        }
    }
    let factors: Vec<f64> = squares
        .iter()
        .zip(&means)
        // The remainder of a constant column is rounding error.
        .map(|(&square, &mean)| match square.sqrt() {
            deviation if deviation > 1e-6 * mean.abs() && deviation > 0.0 => {
                f64::from(scale) / deviation
            }
            _ => 0.0,
        })
        .collect();
    let mut values = Vec::with_capacity(matrix.as_slice().len());
    for row in matrix.as_slice().chunks_exact(width) {
        let columns = row.iter().zip(&means).zip(&factors);
        values.extend(columns.map(|((&x, mean), factor)| ((f64::from(x) - mean) * factor) as f32));
    }
    values
}

/// Returns whether features distinguish nodes: there are some, and they are not the
/// same for all nodes.
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

/// The eigenvectors of a graph, computed on first use.
#[derive(Debug, Default)]
pub(super) struct LazySpectrum(OnceLock<Spectrum>);

impl LazySpectrum {
    /// Returns the eigenvectors of `graph`, which must be the same in every
    /// call.
    pub(super) fn of<C>(
        &self,
        graph: &Graph,
        config: &ClusterConfig<C>,
    ) -> Result<&Spectrum, TaskError> {
        match self.0.get() {
            Some(spectrum) => Ok(spectrum),
            None => {
                let found = spectrum(graph, config)?;
                Ok(self.0.get_or_init(|| found))
            }
        }
    }
}

/// Computes the leading eigenvectors of the normalised adjacency matrix, without
/// those that only separate connected components.
fn spectrum<C>(graph: &Graph, config: &ClusterConfig<C>) -> Result<Spectrum, TaskError> {
    let undirected = transform::undirect(graph);
    let adjacency = without_odd_weights(undirected.adjacency());
    Ok(leading_eigenvectors(
        adjacency.view(),
        config.features.spectral.min(graph.nodes()),
        &SpectralConfig {
            seed: config.seed,
            // Sufficient for features: close eigenvalues only leave a rotation
            // undetermined, which the first layer can undo.
            tolerance: 1e-2,
            skip_components: true,
            ..SpectralConfig::default()
        },
    )?)
}

/// Computes eigenvectors and random columns, [nodes, spectral + random]. Each
/// column has a mean square of one.
fn structure_features<C>(
    graph: &Graph,
    config: &ClusterConfig<C>,
    spectrum: &LazySpectrum,
    groups: Option<&Surroundings>,
) -> Result<Matrix, TaskError> {
    if let Some(groups) = groups {
        return surroundings(graph, groups, config.seed);
    }
    let nodes = graph.nodes();
    let spectrum = spectrum.of(graph, config)?;
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

/// Returns given features as rows for the search for groups. Columns of dense
/// features are standardised, sparse features are unchanged.
pub(super) fn rows_for_groups(features: &Features) -> Vec<f32> {
    match features {
        Features::Dense(matrix) => standardised(matrix, 1.0),
        Features::Sparse(_) => features.to_dense().as_slice().to_vec(),
    }
}

/// Largest number of columns for the groups around a node. More groups are
/// represented by random codes.
const MOST_CODES: usize = 64;

/// Groups that describe nodes.
#[derive(Debug, Clone)]
pub(super) struct Surroundings {
    /// Group of each node, if any.
    pub groups: Vec<Option<u32>>,
    /// Number of groups.
    pub count: usize,
    /// Whether the groups of successors and predecessors are distinguished.
    pub directed: bool,
}

/// Describes the groups of the neighbours of each node, [nodes, width]: the
/// fraction of the weight of its edges to each group, or random codes of the
/// groups mixed in that proportion. The group of the node itself is not used, so
/// the rows show how far its neighbours agree with it. If directions are
/// distinguished, there are two such blocks of columns, for outgoing and for
/// incoming edges.
fn surroundings(graph: &Graph, groups: &Surroundings, seed: u64) -> Result<Matrix, TaskError> {
    let codes = Codes::new(groups.count, seed);
    let width = codes.width();
    let undirected;
    let sides: Vec<Cow<'_, Csr>> = if groups.directed {
        vec![
            without_odd_weights(graph.adjacency()),
            without_odd_weights(graph.adjacency().transpose()),
        ]
    } else {
        undirected = transform::undirect(graph);
        vec![without_odd_weights(undirected.adjacency())]
    };
    let columns = sides.len() * width;
    let mut values = vec![0.0_f32; graph.nodes() * columns];
    values
        .par_chunks_exact_mut(columns)
        .enumerate()
        .for_each(|(u, row)| {
            for (side, row) in sides.iter().zip(row.chunks_exact_mut(width)) {
                codes.mix(around(side, u, groups), row);
            }
        });
    Ok(Matrix::new(graph.nodes(), columns, values)?)
}

/// Returns the groups of the neighbours of a node, with the weights of its
/// edges.
fn around<'a>(
    adjacency: &'a Csr,
    u: usize,
    groups: &'a Surroundings,
) -> impl Iterator<Item = (u32, f32)> + 'a {
    adjacency.row_range(u).filter_map(move |entry| {
        let v = adjacency.columns()[entry] as usize;
        let group = groups.groups[v].filter(|_| v != u)?;
        Some((group, adjacency.weights().map_or(1.0, |w| w[entry])))
    })
}

/// One code per group.
#[derive(Debug)]
pub(super) struct Codes {
    width: usize,
    /// The codes, [groups, width].
    code: Vec<f32>,
}

impl Codes {
    /// Creates unit vectors, or random signs if there are too many groups.
    pub fn new(count: usize, seed: u64) -> Self {
        let width = count.min(MOST_CODES);
        let code = if count <= MOST_CODES {
            (0..count * width)
                .map(|i| f32::from(u8::from(i / width == i % width)))
                .collect()
        } else {
            let mut draws = Stream::new(seed, Purpose::Features, 1).draws(0);
            let scale = 1.0 / (width as f32).sqrt();
            (0..count * width)
                .map(|_| if draws.uniform() < 0.5 { scale } else { -scale })
                .collect()
        };
        Self { width, code }
    }

    /// Returns the number of values per code.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Adds the codes of groups, mixed by weight, to a row of zeros.
    pub fn mix(&self, around: impl Iterator<Item = (u32, f32)>, row: &mut [f32]) {
        let mut sum = 0.0_f32;
        for (group, weight) in around {
            let start = group as usize * self.width;
            for (x, c) in row.iter_mut().zip(&self.code[start..start + self.width]) {
                *x += weight * c;
            }
            sum += weight;
        }
        // The row of a node without neighbours stays zero.
        if sum > 0.0 {
            // Scales rows to a mean square of about one.
            let scale = (self.width as f32).sqrt() / sum;
            row.iter_mut().for_each(|x| *x *= scale);
        }
    }
}

/// Returns the matrix, or its pattern if a weight is negative: a random walk on
/// the graph needs non-negative weights.
pub(super) fn without_odd_weights(adjacency: &Csr) -> Cow<'_, Csr> {
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
    use crate::Preset;

    #[test]
    fn given_columns_are_standardised_beside_the_structure() {
        let structure = Matrix::from_rows([[1.0, -1.0], [1.0, 1.0]]).unwrap();
        let given = Matrix::from_rows([[30.0, 5.0], [50.0, 5.0]]).unwrap();
        let both = beside(&structure, &given.into()).unwrap();
        let expected = [1.0, -1.0, -1.0, 0.0, 1.0, 1.0, 1.0, 0.0];
        assert_eq!(both.to_dense().as_slice(), expected);
    }

    #[test]
    fn sparse_features_stay_sparse_and_get_rows_as_long() {
        let structure = Matrix::from_rows([[1.0, -1.0], [1.0, 1.0]]).unwrap();
        let given = Csr::from_entries(2, 1000, [(0, 7, 0.1), (1, 7, 0.1), (1, 999, 0.0)]).unwrap();
        let both = beside(&structure, &given.into()).unwrap();
        let Features::Sparse(matrix) = &both else {
            panic!("dense");
        };
        assert_eq!(
            (matrix.columns_count(), matrix.row(1).to_vec()),
            (1002, vec![0, 1, 9, 1001])
        );
        let weights = matrix.row_weights(0).unwrap();
        assert!((weights[2] - 2.0_f32.sqrt()).abs() < 1e-6, "{weights:?}");
    }

    #[test]
    fn wide_features_do_not_drown_the_structure() {
        let structure = Matrix::from_rows([[1.0], [-1.0]]).unwrap();
        let rows: [Vec<f32>; 2] = [vec![0.0; 100], vec![3.0; 100]];
        let given = Matrix::from_rows(rows).unwrap();
        let both = beside(&structure, &given.into()).unwrap();
        let row = both.to_dense().row(0)[1..]
            .iter()
            .map(|x| x * x)
            .sum::<f32>();
        assert!((row - 1.0).abs() < 1e-4, "{row}");
    }

    #[test]
    fn given_features_stand_beside_the_structure_or_alone() {
        let ring = (0..12).flat_map(|u| [(u, (u + 1) % 12), ((u + 1) % 12, u)]);
        let ages = (0..12).map(|u| (7 * u % 12) as f32).collect();
        let graph = Graph::builder(Csr::from_edges(12, ring).unwrap())
            .features(Matrix::new(12, 1, ages).unwrap())
            .build()
            .unwrap();
        let width = |source| {
            let mut config: ClusterConfig = ClusterConfig::preset(Preset::Default);
            config.features.source = source;
            (config.features.spectral, config.features.random) = (2, 3);
            let features = node_features(&graph, &config, &LazySpectrum::default(), None);
            features.unwrap().width()
        };
        assert_eq!(width(FeatureSource::Given), 1);
        assert_eq!(width(FeatureSource::Auto), 1);
        assert_eq!(width(FeatureSource::Structure), 2 + 3);
        assert_eq!(width(FeatureSource::Both), 2 + 3 + 1);
    }

    #[test]
    fn constant_features_tell_nothing() {
        let features = |values: &[f32]| Features::from(Matrix::new(3, 1, values.to_vec()).unwrap());
        assert!(!tells_nodes_apart(&features(&[1.0, 1.0, 1.0])));
        assert!(tells_nodes_apart(&features(&[1.0, 1.0, 2.0])));
        assert!(!tells_nodes_apart(&Features::absent(3)));
    }
}
