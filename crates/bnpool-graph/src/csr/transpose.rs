//! Transposition and the symmetry check that avoids it.

use std::sync::Arc;

use super::Csr;

impl Csr {
    /// Returns whether the matrix equals its transpose, in positions and
    /// weights.
    ///
    /// # Complexity
    ///
    /// The first call takes time linear in rows and entries and one index per
    /// row of extra memory; the result is cached.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        *self.symmetric.get_or_init(|| self.equals_transpose())
    }

    /// Returns the transpose; for a symmetric matrix, the matrix itself.
    ///
    /// # Complexity
    ///
    /// The first call takes time and memory linear in rows, columns and entries;
    /// the result is cached and shared with clones of the matrix.
    ///
    /// ```
    /// use bnpool_graph::Csr;
    ///
    /// let edge = Csr::from_edges(2, [(0, 1)])?;
    /// assert_eq!(edge.transpose(), &Csr::from_edges(2, [(1, 0)])?);
    /// # Ok::<(), bnpool_graph::GraphError>(())
    /// ```
    #[must_use]
    pub fn transpose(&self) -> &Csr {
        if self.is_symmetric() {
            return self;
        }
        self.transpose.get_or_init(|| Arc::new(self.transposed()))
    }

    /// Visits the entries row by row. In a symmetric matrix, the entries
    /// `(u, v)` of a column `v` then appear with increasing `u`, which is the
    /// order in which row `v` stores its own. One cursor per row thus finds
    /// every mirror entry, and the first entry that is not at its cursor
    /// disproves the symmetry.
    fn equals_transpose(&self) -> bool {
        if !self.is_square() {
            return false;
        }
        let mut cursors = self.offsets[..self.rows()].to_vec();
        for u in 0..self.rows() {
            for entry in self.row_range(u) {
                let v = self.columns[entry] as usize;
                let mirror = cursors[v];
                if mirror == self.offsets[v + 1]
                    || self.columns[mirror] as usize != u
                    || self.weight(mirror) != self.weight(entry)
                {
                    return false;
                }
                cursors[v] += 1;
            }
        }
        true
    }

    fn transposed(&self) -> Csr {
        let mut columns = vec![0; self.entries()];
        let mut weights = self.weights.as_ref().map(|_| vec![0.0; self.entries()]);
        let offsets = self.scatter_transposed(|slot, row, entry| {
            columns[slot] = row;
            if let Some(weights) = &mut weights {
                weights[slot] = self.weight(entry);
            }
        });
        // Only asymmetric matrices are transposed.
        Csr::trusted(self.rows(), offsets, columns, weights).assume_symmetric(false)
    }

    /// Calls `place` with the slot of each entry in the transpose and with its
    /// row and position in this matrix; returns the offsets of the transpose.
    pub(crate) fn scatter_transposed(
        &self,
        mut place: impl FnMut(usize, u32, usize),
    ) -> Vec<usize> {
        let mut next = vec![0; self.columns_count + 1];
        for &column in &self.columns {
            next[column as usize + 1] += 1;
        }
        for column in 0..self.columns_count {
            next[column + 1] += next[column];
        }
        for row in 0..self.rows() {
            for entry in self.row_range(row) {
                let slot = &mut next[self.columns[entry] as usize];
                place(*slot, row as u32, entry);
                *slot += 1;
            }
        }
        // Each start has advanced to the start of the next row.
        next.rotate_right(1);
        next[0] = 0;
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposes_rectangular_and_weighted() {
        let matrix = Csr::from_entries(2, 3, [(0, 2, 0.5), (1, 0, 2.0), (1, 2, 3.0)]).unwrap();
        let expected = Csr::from_entries(3, 2, [(2, 0, 0.5), (0, 1, 2.0), (2, 1, 3.0)]).unwrap();
        assert_eq!(matrix.transpose(), &expected);
        assert_eq!(matrix.transpose().transpose(), &matrix);
    }

    #[test]
    fn symmetric_matrices_return_themselves() {
        let edges = [
            (0, 1, 2.0),
            (1, 0, 2.0),
            (2, 2, 1.0),
            (1, 2, 0.0),
            (2, 1, -0.0),
        ];
        let matrix = Csr::from_weighted_edges(4, edges).unwrap();
        assert!(matrix.is_symmetric());
        assert!(std::ptr::eq(matrix.transpose(), &matrix));
    }

    #[test]
    fn weights_and_places_can_break_symmetry() {
        let weights = Csr::from_weighted_edges(2, [(0, 1, 2.0), (1, 0, 3.0)]).unwrap();
        assert!(!weights.is_symmetric());
        assert!(weights.without_weights().is_symmetric());
        let cycle = Csr::from_edges(3, [(0, 1), (1, 2), (2, 0)]).unwrap();
        assert!(!cycle.is_symmetric());
        // Row 1 runs out of entries before its column is finished.
        let star = Csr::from_edges(3, [(0, 1), (2, 1)]).unwrap();
        assert!(!star.is_symmetric());
    }

    #[test]
    fn clones_share_the_transpose() {
        let edge = Csr::from_edges(2, [(0, 1)]).unwrap();
        let transpose: *const Csr = edge.transpose();
        assert!(std::ptr::eq(edge.clone().transpose(), transpose));
    }
}
