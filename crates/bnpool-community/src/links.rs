//! The graph representation used by all searches of this crate.

use crate::CommunityError;
use bnpool_graph::Csr;
use bnpool_math::kernel::SparseRows;
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};

/// Direction of an edge, from the perspective of the node whose neighbours are
/// listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Both directions, or undirected.
    Both,
    /// To the neighbour.
    Out,
    /// From the neighbour.
    In,
}

/// A graph without self-loops: a checked copy of an adjacency. It is
/// undirected, but may additionally store the directions of its edges.
///
/// Self-loops carry no information about groups and are dropped, as are entries
/// of weight zero. If all weights are equal, the graph counts as unweighted.
/// Clones share their arrays.
///
/// ```
/// use bnpool_community::Links;
/// use bnpool_graph::Csr;
///
/// let path = Csr::from_edges(3, [(0, 1), (1, 0), (1, 2), (2, 1), (2, 2)])?;
/// let links = Links::new(&path)?;
/// assert_eq!((links.nodes(), links.edges()), (3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Links {
    offsets: Arc<Vec<usize>>,
    targets: Arc<Vec<u32>>,
    weights: Option<Arc<Weights>>,
    directions: Option<Arc<Vec<Direction>>>,
}

/// Weights of the entries.
#[derive(Debug)]
struct Weights {
    values: Vec<f32>,
    /// See [`Links::ranks`]; computed when first asked for.
    ranks: OnceLock<Vec<f32>>,
}

impl Weights {
    fn new(values: Vec<f32>) -> Self {
        Self {
            values,
            ranks: OnceLock::new(),
        }
    }
}

impl Links {
    /// Checks and copies an adjacency.
    ///
    /// # Errors
    ///
    /// Returns an error if the matrix is not square or not symmetric, a weight
    /// is negative or not finite, or no edge is left.
    ///
    /// # Complexity
    ///
    /// O(N + E) time and memory.
    pub fn new(adjacency: &Csr) -> Result<Self, CommunityError> {
        check(adjacency)?;
        if !adjacency.is_symmetric() {
            return Err(CommunityError::Directed);
        }
        let mut offsets = Vec::with_capacity(adjacency.rows() + 1);
        let mut targets = Vec::with_capacity(adjacency.entries());
        let mut weights = Vec::new();
        offsets.push(0);
        for u in 0..adjacency.rows() {
            let row = adjacency.row(u);
            match adjacency.row_weights(u) {
                None => targets.extend(row.iter().filter(|&&v| v as usize != u)),
                Some(given) => {
                    for (&v, &w) in row.iter().zip(given) {
                        if v as usize != u && w > 0.0 {
                            targets.push(v);
                            weights.push(w);
                        }
                    }
                }
            }
            offsets.push(targets.len());
        }
        if targets.is_empty() {
            return Err(nothing_left(adjacency));
        }
        let weighted = weights.iter().any(|&w| w != weights[0]);
        Ok(Self::trusted(offsets, targets, weighted.then_some(weights)))
    }

    /// Checks and copies a directed adjacency, with an edge from row to column
    /// for each entry. Edges in both directions get the larger of their weights.
    /// If all edges go both ways, the graph has no directions.
    ///
    /// # Errors
    ///
    /// As [`Links::new`], except that the matrix need not be symmetric.
    ///
    /// # Complexity
    ///
    /// O(N + E) time and memory.
    ///
    /// ```
    /// use bnpool_community::{Direction, Links};
    /// use bnpool_graph::Csr;
    ///
    /// let links = Links::directed(&Csr::from_edges(3, [(0, 1), (1, 0), (2, 1)])?)?;
    /// assert_eq!((links.neighbours(1), links.edges()), (&[0, 2][..], 2));
    /// assert_eq!(links.directions().unwrap()[1..3], [Direction::Both, Direction::In]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn directed(adjacency: &Csr) -> Result<Self, CommunityError> {
        check(adjacency)?;
        let reverse = adjacency.transpose();
        let mut offsets = Vec::with_capacity(adjacency.rows() + 1);
        let (mut targets, mut weights) = (Vec::new(), Vec::new());
        let mut directions = Vec::new();
        offsets.push(0);
        for u in 0..adjacency.rows() {
            let entries = |matrix: &Csr| -> Vec<(u32, f32)> {
                let row = matrix.row(u).iter().enumerate();
                row.map(|(i, &v)| (v, matrix.row_weights(u).map_or(1.0, |w| w[i])))
                    .filter(|&(v, w)| v as usize != u && w > 0.0)
                    .collect()
            };
            let (out, into) = (entries(adjacency), entries(reverse));
            let (mut i, mut j) = (0, 0);
            while i < out.len() || j < into.len() {
                let next = |row: &[(u32, f32)], i: usize| row.get(i).map_or(u32::MAX, |e| e.0);
                let v = next(&out, i).min(next(&into, j));
                let (goes, comes) = (next(&out, i) == v, next(&into, j) == v);
                let weight =
                    |row: &[(u32, f32)], i: usize, is: bool| if is { row[i].1 } else { 0.0 };
                targets.push(v);
                weights.push(weight(&out, i, goes).max(weight(&into, j, comes)));
                directions.push(match (goes, comes) {
                    (true, true) => Direction::Both,
                    (true, false) => Direction::Out,
                    _ => Direction::In,
                });
                i += usize::from(goes);
                j += usize::from(comes);
            }
            offsets.push(targets.len());
        }
        if targets.is_empty() {
            return Err(nothing_left(adjacency));
        }
        let weighted = weights.iter().any(|&w| w != weights[0]);
        let one_way = directions.iter().any(|&d| d != Direction::Both);
        Ok(Self {
            directions: one_way.then(|| Arc::new(directions)),
            ..Self::trusted(offsets, targets, weighted.then_some(weights))
        })
    }

    /// Builds a graph from valid parts, without checks.
    pub(crate) fn trusted(
        offsets: Vec<usize>,
        targets: Vec<u32>,
        weights: Option<Vec<f32>>,
    ) -> Self {
        Self {
            offsets: Arc::new(offsets),
            targets: Arc::new(targets),
            weights: weights.map(|values| Arc::new(Weights::new(values))),
            directions: None,
        }
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of undirected edges.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.targets.len() / 2
    }

    /// Number of neighbours of a node.
    #[inline]
    #[must_use]
    pub fn degree(&self, u: usize) -> usize {
        self.offsets[u + 1] - self.offsets[u]
    }

    /// Neighbours of a node, in ascending order.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, u: usize) -> &[u32] {
        &self.targets[self.offsets[u]..self.offsets[u + 1]]
    }

    /// Weight of each entry, parallel to [`neighbours`](Self::neighbours), row
    /// by row; `None` means that all weights are equal.
    #[must_use]
    pub fn weights(&self) -> Option<&[f32]> {
        self.weights
            .as_ref()
            .map(|weights| weights.values.as_slice())
    }

    /// Rank of the weight of each entry as a fraction between 0 and 1, parallel to
    /// [`weights`](Self::weights): the fraction of edges with a smaller weight, plus half
    /// of the fraction with an equal one. Ranks depend on the order of the weights alone,
    /// so they are the same in every unit.
    ///
    /// # Complexity
    ///
    /// O(E log E) time for the first call on a graph or one of its clones, then O(1).
    ///
    /// ```
    /// use bnpool_community::Links;
    /// use bnpool_graph::Csr;
    ///
    /// let edges = [(0, 1, 1.0), (1, 2, 5e9), (2, 3, 1.0), (3, 4, 7e9)];
    /// let both = edges.into_iter().flat_map(|(u, v, w)| [(u, v, w), (v, u, w)]);
    /// let links = Links::new(&Csr::from_weighted_edges(5, both)?)?;
    /// assert_eq!(links.ranks().unwrap()[..3], [0.25, 0.25, 0.625]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ranks(&self) -> Option<&[f32]> {
        let weights = self.weights.as_ref()?;
        Some(weights.ranks.get_or_init(|| ranks(&weights.values)))
    }

    /// Direction of each entry, parallel to [`neighbours`](Self::neighbours), row
    /// by row; `None` if no edge has one.
    #[must_use]
    pub fn directions(&self) -> Option<&[Direction]> {
        self.directions
            .as_ref()
            .map(|directions| directions.as_slice())
    }

    /// Start of the entries of each node, and the end of the last.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// Borrows the graph for the kernels.
    #[must_use]
    pub fn view(&self) -> SparseRows<'_> {
        SparseRows {
            offsets: &self.offsets,
            columns: &self.targets,
            weights: self.weights(),
            columns_count: self.nodes(),
        }
    }

    /// Extracts the graph of some nodes, in ascending order, that have no edges to others.
    /// `names` are the numbers of all nodes in the extracted graph.
    pub(crate) fn only(&self, nodes: &[u32], names: &[u32]) -> Self {
        let mut offsets = Vec::with_capacity(nodes.len() + 1);
        let mut targets = Vec::new();
        let mut weights = self.weights().map(|_| Vec::new());
        let mut directions = self.directions().map(|_| Vec::new());
        offsets.push(0);
        for &u in nodes {
            let row = self.offsets[u as usize]..self.offsets[u as usize + 1];
            targets.extend(self.targets[row.clone()].iter().map(|&v| names[v as usize]));
            if let (Some(own), Some(all)) = (&mut weights, self.weights()) {
                own.extend_from_slice(&all[row.clone()]);
            }
            if let (Some(own), Some(all)) = (&mut directions, self.directions()) {
                own.extend_from_slice(&all[row]);
            }
            offsets.push(targets.len());
        }
        let weights = weights.filter(|own: &Vec<f32>| own.iter().any(|&w| w != own[0]));
        Self::trusted(offsets, targets, weights).with_directions(directions)
    }

    /// The graph with these directions, if any of them is one-way.
    pub(crate) fn with_directions(self, directions: Option<Vec<Direction>>) -> Self {
        let one_way = directions.filter(|all| all.iter().any(|&d| d != Direction::Both));
        Self {
            directions: one_way.map(Arc::new),
            ..self
        }
    }

    /// Copy of the graph without weights.
    #[must_use]
    pub fn unweighted(&self) -> Self {
        Self {
            weights: None,
            ..self.clone()
        }
    }

    /// Copy of the graph with other weights, parallel to [`neighbours`](Self::neighbours).
    pub(crate) fn with_weights(&self, weights: Vec<f32>) -> Self {
        debug_assert_eq!(weights.len(), self.targets.len());
        Self {
            weights: Some(Arc::new(Weights::new(weights))),
            ..self.clone()
        }
    }

    /// Copy of the graph without directions.
    #[must_use]
    pub fn undirected(&self) -> Self {
        Self {
            directions: None,
            ..self.clone()
        }
    }
}

/// The reason why no edge of an adjacency counts.
fn nothing_left(adjacency: &Csr) -> CommunityError {
    if adjacency.iter().any(|(u, v, _)| u != v) {
        CommunityError::NoWeight
    } else {
        CommunityError::NoEdges
    }
}

/// Ranks of values as fractions; equal values share the middle of their ranks.
fn ranks(values: &[f32]) -> Vec<f32> {
    let mut sorted = values.to_vec();
    sorted.par_sort_unstable_by(f32::total_cmp);
    let rank = |&value: &f32| {
        let below = sorted.partition_point(|&other| other < value);
        let equal = sorted[below..].partition_point(|&other| other == value);
        ((below as f64 + 0.5 * equal as f64) / sorted.len() as f64) as f32
    };
    values.par_iter().map(rank).collect()
}

/// Checks everything except symmetry.
fn check(adjacency: &Csr) -> Result<(), CommunityError> {
    if !adjacency.is_square() {
        return Err(CommunityError::NotSquare {
            rows: adjacency.rows(),
            columns: adjacency.columns_count(),
        });
    }
    if adjacency.weights().is_some()
        && let Some((row, column, weight)) = adjacency
            .iter()
            .find(|(_, _, w)| !w.is_finite() || *w < 0.0)
    {
        return Err(CommunityError::Weight {
            row: row as usize,
            column: column as usize,
            weight,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weighted(weight: f32) -> Result<Links, CommunityError> {
        let edges = [(0, 1, 1.0), (1, 0, 1.0), (1, 2, weight), (2, 1, weight)];
        Links::new(&Csr::from_weighted_edges(3, edges).unwrap())
    }

    #[test]
    fn bad_graphs_are_named() {
        assert!(weighted(-1.0).unwrap_err().to_string().contains("-1"));
        let directed = Csr::from_edges(2, [(0, 1)]).unwrap();
        assert_eq!(Links::new(&directed).unwrap_err(), CommunityError::Directed);
        let loops = Csr::from_edges(2, [(0, 0)]).unwrap();
        assert_eq!(Links::new(&loops).unwrap_err(), CommunityError::NoEdges);
    }

    #[test]
    fn weights_that_are_lost_in_32_bits_are_named() {
        let edges = |weight: f64| {
            let weight = weight as f32;
            Csr::from_weighted_edges(3, [(0, 1, weight), (1, 0, weight), (2, 2, 1.0)])
        };
        assert!(edges(1e-40).is_ok_and(|graph| Links::new(&graph).is_ok()));
        let lost = edges(1e-46).unwrap();
        for read in [Links::new, Links::directed] {
            assert_eq!(read(&lost).unwrap_err(), CommunityError::NoWeight);
        }
        let error = edges(1e39).unwrap_err().to_string();
        assert!(error.contains("not a finite 32-bit number"), "{error}");
    }

    #[test]
    fn ranks_are_those_of_the_order_alone() {
        let ranks = |weights: [f32; 4]| {
            let edges = (0..4).map(|i| (i, i + 1, weights[i as usize]));
            let both = edges.flat_map(|(u, v, w)| [(u, v, w), (v, u, w)]);
            let links = Links::new(&Csr::from_weighted_edges(5, both).unwrap()).unwrap();
            links.ranks().unwrap().to_vec()
        };
        let wanted = [0.625, 0.625, 0.25, 0.25, 0.25, 0.25, 0.875, 0.875];
        assert_eq!(ranks([2.0, 1.0, 1.0, 3.0]), wanted);
        assert_eq!(ranks([3e-30, 1e-40, 1e-40, 3e38]), wanted);
    }

    #[test]
    fn directions_count_only_when_an_edge_has_one() {
        let both = Csr::from_weighted_edges(2, [(0, 1, 2.0), (1, 0, 3.0)]).unwrap();
        assert!(Links::directed(&both).unwrap().directions().is_none());
        let one = Csr::from_weighted_edges(3, [(0, 1, 2.0), (1, 0, 0.0), (2, 1, 5.0)]).unwrap();
        let links = Links::directed(&one).unwrap();
        use Direction::{In, Out};
        assert_eq!(links.directions().unwrap(), [Out, In, In, Out]);
        assert_eq!(links.weights().unwrap(), [2.0, 2.0, 5.0, 5.0]);
        assert!(links.undirected().directions().is_none());
    }

    #[test]
    fn weights_count_only_when_they_differ() {
        assert!(weighted(1.0).unwrap().weights().is_none());
        assert_eq!(weighted(2.0).unwrap().weights().unwrap().len(), 4);
        assert_eq!(weighted(0.0).unwrap().edges(), 1);
    }
}
