//! Compressed rows from lists of edges in any order.

use super::{Csr, check};
use crate::error::GraphError;

impl Csr {
    /// Builds the adjacency of `nodes` nodes, with one entry per directed edge.
    ///
    /// Edges may come in any order; duplicates are stored once. For an
    /// undirected graph, list both directions, or see
    /// [`undirect`](crate::transform::undirect).
    ///
    /// # Errors
    ///
    /// Returns an error if an edge has an endpoint that does not exist, or
    /// `nodes` exceeds `u32::MAX`.
    ///
    /// # Complexity
    ///
    /// Time and extra memory linear in nodes and edges (two counting sorts).
    pub fn from_edges(
        nodes: usize,
        edges: impl IntoIterator<Item = (u32, u32)>,
    ) -> Result<Self, GraphError> {
        Self::from_positions(nodes, nodes, edges)
    }

    /// Like [`from_edges`](Self::from_edges), but also returns the position of
    /// each entry in the list of edges (the first one for duplicates). Used to
    /// bring edge features into the order of the entries.
    ///
    /// # Errors
    ///
    /// As [`from_edges`](Self::from_edges).
    ///
    /// # Complexity
    ///
    /// As [`from_edges`](Self::from_edges).
    ///
    /// ```
    /// use bnpool_graph::Csr;
    ///
    /// let (graph, origins) = Csr::from_edges_with_origins(2, [(1, 0), (0, 1), (1, 0)])?;
    /// assert_eq!(graph.columns(), [1, 0]);
    /// assert_eq!(origins, [1, 0]);
    /// # Ok::<(), bnpool_graph::GraphError>(())
    /// ```
    pub fn from_edges_with_origins(
        nodes: usize,
        edges: impl IntoIterator<Item = (u32, u32)>,
    ) -> Result<(Self, Vec<usize>), GraphError> {
        let edges = edges.into_iter().enumerate();
        let edges = edges.map(|(position, (row, column))| (row, column, position));
        let sorted = collect_sorted(nodes, nodes, edges)?;
        let mut builder = Rows::with_capacity(nodes, sorted.len());
        let mut origins = Vec::with_capacity(sorted.len());
        for run in sorted.chunk_by(same_place) {
            // Counting sorts are stable, so the first duplicate comes first.
            let (row, column, position) = run[0];
            builder.push(row, column);
            origins.push(position);
        }
        Ok((builder.finish(nodes, None), origins))
    }

    /// Builds the weighted adjacency of `nodes` nodes from
    /// `(source, target, weight)`.
    ///
    /// Edges may come in any order; the weights of duplicates are added.
    ///
    /// # Errors
    ///
    /// Returns an error if an edge has an endpoint that does not exist, a
    /// weight (or a sum of weights) is not finite, or `nodes` exceeds
    /// `u32::MAX`.
    ///
    /// # Complexity
    ///
    /// As [`from_edges`](Self::from_edges).
    ///
    /// ```
    /// use bnpool_graph::Csr;
    ///
    /// let graph = Csr::from_weighted_edges(2, [(1, 0, 0.5), (0, 1, 2.0), (1, 0, 0.25)])?;
    /// assert_eq!(graph.weights(), Some(&[2.0, 0.75][..]));
    /// # Ok::<(), bnpool_graph::GraphError>(())
    /// ```
    pub fn from_weighted_edges(
        nodes: usize,
        edges: impl IntoIterator<Item = (u32, u32, f32)>,
    ) -> Result<Self, GraphError> {
        Self::from_entries(nodes, nodes, edges)
    }

    /// Builds a matrix of ones at the given `(row, column)` positions, such as
    /// binary features; duplicates are stored once.
    ///
    /// # Errors
    ///
    /// Returns an error if a position lies outside the matrix, or a side
    /// exceeds `u32::MAX`.
    ///
    /// # Complexity
    ///
    /// As [`from_edges`](Self::from_edges).
    pub fn from_positions(
        rows: usize,
        columns_count: usize,
        positions: impl IntoIterator<Item = (u32, u32)>,
    ) -> Result<Self, GraphError> {
        let positions = positions.into_iter().map(|(row, column)| (row, column, ()));
        let sorted = collect_sorted(rows, columns_count, positions)?;
        let mut builder = Rows::with_capacity(rows, sorted.len());
        for run in sorted.chunk_by(same_place) {
            builder.push(run[0].0, run[0].1);
        }
        Ok(builder.finish(columns_count, None))
    }

    /// Builds a matrix from `(row, column, value)` entries; the values of
    /// duplicates are added.
    ///
    /// # Errors
    ///
    /// Returns an error if a position lies outside the matrix, a value (or a
    /// sum of values) is not finite, or a side exceeds `u32::MAX`.
    ///
    /// # Complexity
    ///
    /// As [`from_edges`](Self::from_edges).
    pub fn from_entries(
        rows: usize,
        columns_count: usize,
        entries: impl IntoIterator<Item = (u32, u32, f32)>,
    ) -> Result<Self, GraphError> {
        let sorted = collect_sorted(rows, columns_count, entries)?;
        let mut builder = Rows::with_capacity(rows, sorted.len());
        let mut weights = Vec::with_capacity(sorted.len());
        for run in sorted.chunk_by(same_place) {
            let (row, column, _) = run[0];
            let sum: f64 = run.iter().map(|entry| f64::from(entry.2)).sum();
            // Checked after rounding: two finite weights may add up to infinity.
            let weight = sum as f32;
            if !weight.is_finite() {
                return Err(GraphError::NonFiniteWeight {
                    row: row as usize,
                    column: column as usize,
                    value: sum,
                });
            }
            builder.push(row, column);
            weights.push(weight);
        }
        Ok(builder.finish(columns_count, Some(weights)))
    }
}

/// An entry with its weight, or with `()` if there are no weights.
type Entry<T> = (u32, u32, T);

fn same_place<T>(a: &Entry<T>, b: &Entry<T>) -> bool {
    (a.0, a.1) == (b.0, b.1)
}

/// Collects the entries, checks their positions and sorts them by row and
/// column.
fn collect_sorted<T: Copy + Default>(
    rows: usize,
    columns_count: usize,
    entries: impl IntoIterator<Item = Entry<T>>,
) -> Result<Vec<Entry<T>>, GraphError> {
    check::size(rows, columns_count)?;
    let entries: Vec<_> = entries.into_iter().collect();
    let outside =
        |&(row, column, _): &Entry<T>| row as usize >= rows || column as usize >= columns_count;
    if let Some(position) = entries.iter().position(outside) {
        let (row, column, _) = entries[position];
        return Err(GraphError::EdgeOutOfRange {
            position,
            row,
            column,
            rows,
            columns_count,
        });
    }
    // Files usually list their edges in order.
    if entries.is_sorted_by_key(|entry| (entry.0, entry.1)) {
        return Ok(entries);
    }
    let by_column = counting_sort(&entries, columns_count, |entry| entry.1);
    Ok(counting_sort(&by_column, rows, |entry| entry.0))
}

/// Sorts by a key below `keys`; the sort is stable, so sorting by column and
/// then by row sorts by both.
fn counting_sort<T: Copy + Default>(
    entries: &[Entry<T>],
    keys: usize,
    key: impl Fn(&Entry<T>) -> u32,
) -> Vec<Entry<T>> {
    let mut next = vec![0_usize; keys + 1];
    for entry in entries {
        next[key(entry) as usize + 1] += 1;
    }
    for k in 0..keys {
        next[k + 1] += next[k];
    }
    let mut sorted = vec![Entry::<T>::default(); entries.len()];
    for entry in entries {
        let slot = &mut next[key(entry) as usize];
        sorted[*slot] = *entry;
        *slot += 1;
    }
    sorted
}

/// Builder of compressed rows, entry by entry, in order.
struct Rows {
    /// `lengths[u + 1]` counts the entries of row `u` until [`Rows::finish`].
    lengths: Vec<usize>,
    columns: Vec<u32>,
}

impl Rows {
    fn with_capacity(rows: usize, entries: usize) -> Self {
        Self {
            lengths: vec![0; rows + 1],
            columns: Vec::with_capacity(entries),
        }
    }

    fn push(&mut self, row: u32, column: u32) {
        self.lengths[row as usize + 1] += 1;
        self.columns.push(column);
    }

    fn finish(self, columns_count: usize, weights: Option<Vec<f32>>) -> Csr {
        let mut offsets = self.lengths;
        for row in 1..offsets.len() {
            offsets[row] += offsets[row - 1];
        }
        Csr::trusted(columns_count, offsets, self.columns, weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_and_collapses_unweighted_edges() {
        let graph = Csr::from_edges(4, [(3, 1), (0, 2), (3, 0), (0, 2), (0, 1)]).unwrap();
        assert_eq!(graph.offsets(), [0, 2, 2, 2, 4]);
        assert_eq!(graph.columns(), [1, 2, 0, 1]);
        assert_eq!(graph.weights(), None);
    }

    #[test]
    fn sums_weighted_duplicates() {
        let edges = [(1, 0, 1.0), (0, 1, 0.5), (1, 0, -1.0)];
        let graph = Csr::from_weighted_edges(2, edges).unwrap();
        assert_eq!(graph.columns(), [1, 0]);
        assert_eq!(graph.weights(), Some(&[0.5, 0.0][..]));
    }

    #[test]
    fn builds_empty_and_rectangular_matrices() {
        let empty = Csr::from_edges(0, []).unwrap();
        assert_eq!((empty.rows(), empty.entries()), (0, 0));
        let lonely = Csr::from_edges(3, []).unwrap();
        assert_eq!(lonely.offsets(), [0; 4]);
        let wide = Csr::from_positions(1, 9, [(0, 8), (0, 3)]).unwrap();
        assert_eq!(wide.columns(), [3, 8]);
    }

    #[test]
    fn names_the_edge_that_leaves_the_graph() {
        let error = Csr::from_edges(2, [(0, 1), (1, 2)]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "edge number 1 (1 -> 2) leaves the matrix of 2 rows and 2 columns, counted from 0"
        );
        assert!(Csr::from_positions(1, 9, [(1, 0)]).is_err());
    }

    #[test]
    fn refuses_weights_that_are_or_become_infinite() {
        assert!(Csr::from_weighted_edges(1, [(0, 0, f32::NAN)]).is_err());
        let twice = [(0, 0, f32::MAX), (0, 0, f32::MAX)];
        assert!(matches!(
            Csr::from_weighted_edges(1, twice),
            Err(GraphError::NonFiniteWeight {
                row: 0,
                column: 0,
                ..
            })
        ));
    }
}
