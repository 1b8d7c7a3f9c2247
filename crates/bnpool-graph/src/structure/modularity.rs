//! Modularity.

use super::StructureError;
use super::error::check;
use super::numbering::Numbering;
use crate::csr::Csr;

/// The modularity of communities (Newman and Girvan, 2004; for directed graphs
/// Leicht and Newman, 2008): the edge weight inside communities in excess of
/// that expected from the degrees,
///
/// Q = Σ_c \[w_c / W − d_c d'_c / W²\],
///
/// with W the weight of all entries, w_c of those inside c, and d_c, d'_c the
/// sums of the rows and columns of c. Between −½ and 1; 0 for a single
/// community or without edges.
///
/// # Errors
///
/// Returns an error if the matrix is not square or the number of labels is not
/// the number of nodes.
///
/// # Complexity
///
/// O(N + E) time (labels far above N need sorting), O(N) memory.
///
/// ```
/// use bnpool_graph::{Csr, structure::modularity};
///
/// let pairs = Csr::from_edges(4, [(0, 1), (1, 0), (2, 3), (3, 2)])?;
/// assert_eq!(modularity(&pairs, &[0, 0, 1, 1])?, 0.5);
/// assert_eq!(modularity(&pairs, &[0, 1, 0, 1])?, -0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn modularity(adjacency: &Csr, labels: &[u32]) -> Result<f64, StructureError> {
    check(adjacency, labels)?;
    let numbering = Numbering::new(labels);
    let mut inside = vec![0.0; numbering.count()];
    let (mut rows, mut columns) = (inside.clone(), inside.clone());
    for (u, v, weight) in adjacency.iter() {
        let (a, b) = (
            numbering.of_node[u as usize] as usize,
            numbering.of_node[v as usize] as usize,
        );
        let weight = f64::from(weight);
        rows[a] += weight;
        columns[b] += weight;
        if a == b {
            inside[a] += weight;
        }
    }
    let total: f64 = rows.iter().sum();
    if total == 0.0 {
        return Ok(0.0);
    }
    let parts = inside
        .iter()
        .zip(rows.iter().zip(&columns))
        .map(|(w, (r, c))| w / total - (r / total) * (c / total));
    Ok(parts.sum())
}
