//! Communities of a minimum size.

use std::collections::BTreeSet;

use super::numbering::Numbering;
use super::numbering::check;
use crate::csr::Csr;
use crate::error::GraphError;

/// Merges communities with fewer than `min_size` nodes into a neighbour: the
/// community with the largest total edge weight to them in both directions
/// (ties go to the larger community, then to the smaller label). The merged
/// community keeps the label of the neighbour.
///
/// The smallest community (ties by smaller label) is merged first; the result
/// may still be too small and is then merged again. A community without edges
/// to others is left unchanged.
///
/// # Errors
///
/// Returns an error if the matrix is not square or the number of labels is not
/// the number of nodes.
///
/// # Complexity
///
/// O((N + E) log min_size) time in the worst case, because a community at least
/// doubles with each merge; O(N + E) if few are small. O(N) memory, and a
/// transpose of the matrix unless it is symmetric.
pub fn merge_small(
    adjacency: &Csr,
    labels: &[u32],
    min_size: usize,
) -> Result<Vec<u32>, GraphError> {
    check(adjacency, labels)?;
    let numbering = Numbering::new(labels);
    let count = numbering.count();
    let mut communities = Communities {
        members: vec![Vec::new(); count],
        of_node: numbering.of_node,
        weights: vec![None; count],
    };
    for (u, &c) in communities.of_node.iter().enumerate() {
        communities.members[c as usize].push(u as u32);
    }
    let size = |communities: &Communities, c: u32| communities.members[c as usize].len();
    let mut small: BTreeSet<(usize, u32)> = (0..count as u32)
        .map(|c| (size(&communities, c), c))
        .filter(|(size, _)| *size < min_size)
        .collect();
    while let Some((_, community)) = small.pop_first() {
        let Some(target) = communities.closest(adjacency, community) else {
            continue;
        };
        let before = size(&communities, target);
        communities.join(community, target);
        small.remove(&(before, target));
        let after = size(&communities, target);
        if after < min_size {
            small.insert((after, target));
        }
    }
    let of_node = communities.of_node.iter();
    Ok(of_node.map(|&c| numbering.labels[c as usize]).collect())
}

struct Communities {
    /// Nodes of each community.
    members: Vec<Vec<u32>>,
    /// Community of each node.
    of_node: Vec<u32>,
    /// Weight of the edges to each community, if any; all empty between calls
    /// of `closest`.
    weights: Vec<Option<f64>>,
}

impl Communities {
    /// Returns the neighbour with the largest edge weight to a community.
    fn closest(&mut self, adjacency: &Csr, community: u32) -> Option<u32> {
        let back = adjacency.transpose();
        let mut neighbours = Vec::new();
        for &u in &self.members[community as usize] {
            let mut look = |matrix: &Csr| {
                for entry in matrix.row_range(u as usize) {
                    let other = self.of_node[matrix.columns()[entry] as usize];
                    if other == community {
                        continue;
                    }
                    let slot = &mut self.weights[other as usize];
                    if slot.is_none() {
                        neighbours.push(other);
                    }
                    *slot.get_or_insert(0.0) += f64::from(matrix.weight(entry));
                }
            };
            look(adjacency);
            if !adjacency.is_symmetric() {
                look(back);
            }
        }
        let weighed = neighbours.into_iter().map(|c| {
            let weight = self.weights[c as usize].take().unwrap_or(0.0);
            (weight, self.members[c as usize].len(), c)
        });
        weighed
            .max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(b.2.cmp(&a.2)))
            .map(|best| best.2)
    }

    /// Moves all nodes of a community to another one.
    fn join(&mut self, community: u32, target: u32) {
        let moved = std::mem::take(&mut self.members[community as usize]);
        for &u in &moved {
            self.of_node[u as usize] = target;
        }
        self.members[target as usize].extend(moved);
    }
}
