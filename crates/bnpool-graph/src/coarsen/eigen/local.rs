//! Eigenvectors of the normalised Laplacian inside a cluster.

use bnpool_math::spectral::{
    SpectralConfig, SymmetricEigen, leading_eigenvectors, symmetric_eigen,
};

use crate::coarsen::error::{CoarsenError, check_weights};
use crate::coarsen::prepare::undirected;
use crate::csr::Csr;
use crate::error::GraphError;

/// Largest cluster that is solved as a dense matrix.
const DENSE: usize = 400;

/// Entries below this count as zero when choosing the sign of a vector.
const ZERO: f64 = 1e-9;

/// Computes the eigenvalues, in ascending order, and the eigenvectors of the
/// normalised Laplacian I − D^-1/2 A D^-1/2 of the subgraph induced by `members`;
/// entry i of a vector belongs to `members[i]`.
///
/// Degrees are those inside the subgraph. A node without edges in it has the
/// eigenvalue 1. The first entry of a vector is not negative; if it is zero, the last
/// nonzero entry is positive. The basis for a repeated eigenvalue is arbitrary. A
/// directed edge counts in both directions.
///
/// # Errors
///
/// Returns an error if the matrix is not square, a weight is negative, or a
/// member is out of range.
///
/// # Complexity
///
/// O(n³) time for n members, plus the sum of their degrees in the graph; O(N +
/// n²) memory.
///
/// ```
/// use bnpool_graph::Csr;
/// use bnpool_graph::coarsen::cluster_spectrum;
///
/// let path = Csr::from_edges(3, [(0, 1), (1, 0), (1, 2), (2, 1)])?;
/// let ends = cluster_spectrum(&path, &[0, 1])?;
/// let half = 0.5_f64.sqrt();
/// assert!(ends.values[0].abs() < 1e-15 && (ends.values[1] - 2.0).abs() < 1e-15);
/// assert!((ends.vectors[0] - half).abs() < 1e-15 && (ends.vectors[3] + half).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cluster_spectrum(adjacency: &Csr, members: &[u32]) -> Result<SymmetricEigen, CoarsenError> {
    check_weights(adjacency, "the normalised Laplacian")?;
    let graph = undirected(adjacency)?;
    let nodes = graph.rows();
    if let Some(position) = members.iter().position(|&u| u as usize >= nodes) {
        let member = members[position];
        return Err(GraphError::EdgeOutOfRange {
            position,
            row: member,
            column: member,
            rows: nodes,
            columns_count: nodes,
        }
        .into());
    }
    let mut induced = Induced::new(nodes);
    Ok(all(&induced.subgraph(&graph, members)))
}

/// Extracts induced subgraphs.
#[derive(Debug)]
pub(super) struct Induced {
    /// Index of each node among the members, `OUTSIDE` for others; all
    /// `OUTSIDE` between calls.
    place: Vec<u32>,
}

const OUTSIDE: u32 = u32::MAX;

impl Induced {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            place: vec![OUTSIDE; nodes],
        }
    }

    /// Extracts the edges among the members.
    pub(super) fn subgraph(&mut self, graph: &Csr, members: &[u32]) -> Csr {
        for (&u, place) in members.iter().zip(0..) {
            self.place[u as usize] = place;
        }
        let place = &self.place;
        let entries = members.iter().zip(0..).flat_map(|(&u, i)| {
            let inside = graph.row_range(u as usize);
            inside
                .map(move |e| (place[graph.columns()[e] as usize], graph.weight(e)))
                .filter(|&(j, _)| j != OUTSIDE)
                .map(move |(j, weight)| (i, j, weight))
        });
        let subgraph =
            Csr::from_weighted_edges(members.len(), entries).expect("entries of a matrix");
        for &u in members {
            self.place[u as usize] = OUTSIDE;
        }
        subgraph
    }
}

/// Returns the `count` eigenvectors with the smallest eigenvalues, one per row;
/// fewer if the subgraph has fewer nodes.
pub(super) fn lowest(subgraph: &Csr, count: usize) -> Vec<f64> {
    let n = subgraph.rows();
    let count = count.min(n);
    if n > DENSE.max(4 * count)
        && let Some(vectors) = lowest_of_many(subgraph, count)
    {
        return vectors;
    }
    let mut vectors = all(subgraph).vectors;
    vectors.truncate(count * n);
    vectors
}

/// Computes all eigenvectors with a dense solver.
fn all(subgraph: &Csr) -> SymmetricEigen {
    let n = subgraph.rows();
    let factors = subgraph.row_sums().into_iter().map(|degree| {
        if degree > 0.0 {
            degree.sqrt().recip()
        } else {
            0.0
        }
    });
    let factors: Vec<f64> = factors.collect();
    let mut laplacian = vec![0.0; n * n];
    for (i, j, weight) in subgraph.iter() {
        let (i, j) = (i as usize, j as usize);
        laplacian[i * n + j] -= factors[i] * factors[j] * f64::from(weight);
    }
    for i in 0..n {
        laplacian[i * n + i] += 1.0;
    }
    let mut eigen = symmetric_eigen(&laplacian, n);
    eigen.vectors.chunks_exact_mut(n.max(1)).for_each(fix_sign);
    eigen
}

/// Computes the eigenvectors with the smallest eigenvalues of the Laplacian as the
/// leading ones of the normalised adjacency. `None` if nodes without edges, which
/// the latter does not cover, come before them.
fn lowest_of_many(subgraph: &Csr, count: usize) -> Option<Vec<f64>> {
    let n = subgraph.rows();
    let search = SpectralConfig {
        tolerance: 1e-5,
        ..SpectralConfig::default()
    };
    let spectrum = leading_eigenvectors(subgraph.view(), count, &search).ok()?;
    let width = spectrum.values.len();
    let bare = (0..n).any(|u| subgraph.degree(u) == 0);
    if width < count || bare && spectrum.values.iter().any(|&value| value <= 0.0) {
        return None;
    }
    let mut vectors = vec![0.0; n * width];
    for (u, row) in spectrum.vectors.chunks_exact(width).enumerate() {
        for (j, &x) in row.iter().enumerate() {
            vectors[j * n + u] = f64::from(x);
        }
    }
    vectors.chunks_exact_mut(n).for_each(fix_sign);
    Some(vectors)
}

/// See [`cluster_spectrum`].
fn fix_sign(vector: &mut [f64]) {
    let counts = |x: &&f64| x.abs() > ZERO;
    let first = vector.first().filter(counts);
    let deciding = first.or_else(|| vector.iter().rev().find(counts));
    if deciding.is_some_and(|&x| x < 0.0) {
        vector.iter_mut().for_each(|x| *x = -*x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_clusters_have_the_same_vectors() {
        // A slightly irregular grid, so that no eigenvalue is repeated.
        let (rows, columns) = (13, 37);
        let at = |i: u32, j: u32| i * columns + j;
        let weight = |u: u32| 1.0 + (u % 7) as f32 / 8.0;
        let mut edges = Vec::new();
        for i in 0..rows {
            for j in 0..columns {
                if j + 1 < columns {
                    edges.push((at(i, j), at(i, j + 1), weight(at(i, j))));
                }
                if i + 1 < rows {
                    edges.push((at(i, j), at(i + 1, j), 1.0));
                }
            }
        }
        let both = edges.iter().flat_map(|&(u, v, w)| [(u, v, w), (v, u, w)]);
        let grid = Csr::from_weighted_edges((rows * columns) as usize, both).unwrap();
        let n = grid.rows();
        assert!(n > DENSE);
        let (few, all) = (lowest(&grid, 3), all(&grid).vectors);
        assert_eq!(few.len(), 3 * n);
        for (a, b) in few.iter().zip(&all) {
            assert!((a - b).abs() < 1e-3, "{a} is not {b}");
        }
    }
}
