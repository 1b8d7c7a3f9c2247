//! Labels ranked by size.

use std::cmp::Reverse;

use super::numbering::Numbering;

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
