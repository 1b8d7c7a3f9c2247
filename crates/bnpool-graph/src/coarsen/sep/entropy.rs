//! Structural entropy, by definition.

use crate::coarsen::assigned::Assigned;
use crate::csr::Csr;

/// Structural entropy of the tree with these levels, with the components as
/// roots above the last level.
pub(super) fn structural(graph: &Csr, components: &Assigned, levels: &[Assigned]) -> f64 {
    // Group of each node in the current level, and the parent of each group.
    let mut own = Assigned::identity(graph.rows());
    let mut volume = volumes(graph, &own).0;
    let total: f64 = volume.iter().sum();
    let mut bits = 0.0;
    for level in 0..=levels.len() {
        let above = match levels.get(level) {
            Some(next) => own.then(next).expect("levels follow each other"),
            None => components.clone(),
        };
        let leaving = volumes(graph, &own).1;
        let volume_above = volumes(graph, &above).0;
        let mut parent = vec![0; own.supernodes()];
        for (&c, &p) in own.clusters().iter().zip(above.clusters()) {
            parent[c as usize] = p as usize;
        }
        for (c, &p) in parent.iter().enumerate() {
            if leaving[c] > 0.0 {
                bits += leaving[c] / total * (volume_above[p] / volume[c]).log2();
            }
        }
        (own, volume) = (above, volume_above);
    }
    bits
}

/// Volume of each group, and the weight of the edges that leave it.
fn volumes(graph: &Csr, groups: &Assigned) -> (Vec<f64>, Vec<f64>) {
    let mut volume = vec![0.0; groups.supernodes()];
    let mut leaving = vec![0.0; groups.supernodes()];
    for (u, v, weight) in graph.iter().filter(|(u, v, _)| u != v) {
        let of_node = groups.clusters();
        let (c, d) = (of_node[u as usize], of_node[v as usize]);
        volume[c as usize] += f64::from(weight);
        if c != d {
            leaving[c as usize] += f64::from(weight);
        }
    }
    (volume, leaving)
}
