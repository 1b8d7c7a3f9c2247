//! Renumbering of labels.

use std::cmp::Reverse;

use crate::csr::Csr;
use crate::error::GraphError;

/// Arbitrary labels, renumbered as 0, 1, 2, … in the order of their values.
pub(super) struct Numbering {
    /// Renumbered label of each node.
    pub(super) of_node: Vec<u32>,
    /// The labels, in ascending order.
    pub(super) labels: Vec<u32>,
}

impl Numbering {
    /// O(N) for labels below 4 N, O(N log N) for others.
    pub(super) fn new(labels: &[u32]) -> Self {
        let largest = labels.iter().copied().max().map_or(0, |l| l as usize);
        if largest > 4 * labels.len() {
            let mut values = labels.to_vec();
            values.sort_unstable();
            values.dedup();
            let place = |l: &u32| values.partition_point(|v| v < l) as u32;
            return Self {
                of_node: labels.iter().map(place).collect(),
                labels: values,
            };
        }
        let mut numbers = vec![u32::MAX; largest + 1];
        for &label in labels {
            numbers[label as usize] = 0;
        }
        let mut values = Vec::new();
        for (label, number) in numbers.iter_mut().enumerate() {
            if *number == 0 {
                *number = values.len() as u32;
                values.push(label as u32);
            }
        }
        Self {
            of_node: labels.iter().map(|&l| numbers[l as usize]).collect(),
            labels: values,
        }
    }

    /// Number of distinct labels.
    pub(super) fn count(&self) -> usize {
        self.labels.len()
    }

    /// Number of nodes of each community.
    pub(super) fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.count()];
        for &c in &self.of_node {
            sizes[c as usize] += 1;
        }
        sizes
    }
}

/// Checks that there is a label for each node.
pub(super) fn check(adjacency: &Csr, labels: &[u32]) -> Result<(), GraphError> {
    GraphError::check_square(adjacency)?;
    GraphError::check_count("labels", labels.len(), adjacency.rows(), "nodes")
}

/// Relabels communities by descending size: 0 is the largest; ties are broken
/// by the smallest node.
///
/// # Complexity
///
/// O(N log N) time, O(N) memory.
///
/// ```
/// use bnpool_graph::structure::rank_by_size;
/// assert_eq!(rank_by_size(&[7, 4, 4, 9, 9]), [2, 0, 0, 1, 1]);
/// ```
#[must_use]
pub fn rank_by_size(labels: &[u32]) -> Vec<u32> {
    let numbering = Numbering::new(labels);
    let sizes = numbering.sizes();
    let mut first = vec![usize::MAX; numbering.count()];
    for (u, &c) in numbering.of_node.iter().enumerate().rev() {
        first[c as usize] = u;
    }
    let mut order: Vec<usize> = (0..numbering.count()).collect();
    order.sort_unstable_by_key(|&c| (Reverse(sizes[c]), first[c]));
    let mut ranks = vec![0; order.len()];
    for (rank, &c) in order.iter().enumerate() {
        ranks[c] = rank as u32;
    }
    numbering
        .of_node
        .iter()
        .map(|&c| ranks[c as usize])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_labels_are_numbered_alike() {
        let small = Numbering::new(&[5, 2, 5, 9]);
        assert_eq!(
            (&small.of_node[..], &small.labels[..]),
            (&[1, 0, 1, 2][..], &[2, 5, 9][..])
        );
        let large = Numbering::new(&[500, 200, 500, u32::MAX]);
        assert_eq!(large.of_node, small.of_node);
        assert_eq!(large.labels, [200, 500, u32::MAX]);
        assert_eq!(small.sizes(), [1, 2, 1]);
        assert_eq!(Numbering::new(&[]).count(), 0);
    }
}
