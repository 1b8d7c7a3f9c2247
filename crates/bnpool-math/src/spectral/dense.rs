//! Dense solver for small graphs.

use super::operator::Normalised;
use super::symmetric::symmetric_eigen;
use super::trivial::Trivial;

/// Computes the leading non-trivial eigenvalues and eigenvectors exactly;
/// vectors are [count, nodes], one per row.
pub(super) fn leading(
    matrix: &Normalised<'_>,
    trivial: &Trivial,
    count: usize,
) -> (Vec<f64>, Vec<f64>) {
    let nodes = matrix.nodes();
    let used: Vec<usize> = (0..nodes).filter(|&u| trivial.has_edges(u)).collect();
    let mut place = vec![0; nodes];
    for (i, &u) in used.iter().enumerate() {
        place[u] = i;
    }
    let n = used.len();
    let mut dense = vec![0.0; n * n];
    let view = matrix.view();
    for (i, &u) in used.iter().enumerate() {
        for (v, entry) in view.row_entries(u).filter(|(v, _)| trivial.has_edges(*v)) {
            dense[i * n + place[v]] += f64::from(entry);
        }
    }
    // No eigenvalue of M or −M lies below −1. Shifted by −3, from 1 to −2 or
    // from −1 to −4, the trivial ones come last.
    for component in 0..trivial.count() {
        for &u in trivial.members(component) {
            for &v in trivial.members(component) {
                let (u, v) = (u as usize, v as usize);
                dense[place[u] * n + place[v]] -= 3.0 * trivial.entry(u) * trivial.entry(v);
            }
        }
    }
    let eigen = symmetric_eigen(&dense, n);
    let mut vectors = vec![0.0; count * nodes];
    for (j, vector) in vectors.chunks_exact_mut(nodes.max(1)).enumerate() {
        let source = &eigen.vectors[(n - 1 - j) * n..(n - j) * n];
        for (&u, &x) in used.iter().zip(source) {
            vector[u] = x;
        }
    }
    let values = eigen.values.iter().rev().take(count).copied().collect();
    (values, vectors)
}
