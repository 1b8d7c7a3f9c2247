//! Sums along a binary tree over the parts of the work.
//!
//! The tree of n parts bisects the range 0..n recursively. A rank that owns the parts
//! a..b sums the largest nodes of the tree that lie within a..b. Only these sums are
//! exchanged; the rest of the tree is summed from those of all ranks. For ranks whose
//! shares are halves, quarters, …, this is one array per rank.

use std::ops::{AddAssign, Range};

/// Maximal nodes of the tree over `all` that lie within `own`, from left to right.
pub fn cover(all: Range<usize>, own: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    descend(all, own, &mut found);
    found
}

fn descend(node: Range<usize>, own: &Range<usize>, found: &mut Vec<Range<usize>>) {
    if node.end <= own.start || own.end <= node.start || node.is_empty() {
        return;
    }
    if own.start <= node.start && node.end <= own.end {
        found.push(node);
        return;
    }
    let middle = middle(&node);
    descend(node.start..middle, own, found);
    descend(middle..node.end, own, found);
}

fn middle(node: &Range<usize>) -> usize {
    node.start + node.len() / 2
}

/// Computes the sum of a node from the sums of nodes below it, or of the node
/// itself.
///
/// # Panics
///
/// Panics if the known nodes do not cover it.
pub fn sum<T: Copy + AddAssign>(
    node: Range<usize>,
    known: &mut [(Range<usize>, Vec<T>)],
) -> Vec<T> {
    if let Some(own) = known.iter_mut().find(|known| known.0 == node) {
        return std::mem::take(&mut own.1);
    }
    assert!(node.len() > 1, "the sum of every part is known");
    let middle = middle(&node);
    let mut left = sum(node.start..middle, known);
    let right = sum(middle..node.end, known);
    assert_eq!(left.len(), right.len(), "arrays of one length");
    for (left, &right) in left.iter_mut().zip(&right) {
        *left += right;
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers whose sum depends on the order.
    fn value(part: usize) -> Vec<f32> {
        vec![1.0 / (part as f32 + 1.3), 1e7 / (part as f32 + 0.7)]
    }

    #[test]
    fn any_shares_give_the_same_bits() {
        for parts in 1..20_usize {
            let whole: Vec<_> = (0..parts).map(|p| (p..p + 1, value(p))).collect();
            let want = sum(0..parts, &mut whole.clone());
            for ranks in 1..8_usize {
                let mut known = Vec::new();
                for rank in 0..ranks {
                    let own = rank * parts / ranks..(rank + 1) * parts / ranks;
                    for node in cover(0..parts, &own) {
                        let mut below = whole[node.clone()].to_vec();
                        known.push((node.clone(), sum(node, &mut below)));
                    }
                }
                assert_eq!(sum(0..parts, &mut known), want, "{parts} on {ranks}");
            }
        }
    }

    #[test]
    fn halves_and_quarters_are_one_node_each() {
        for own in [0..4, 6..8, 3..4, 0..8] {
            assert_eq!(cover(0..8, &own).first(), Some(&own));
        }
        assert_eq!(cover(0..8, &(1..6)), [1..2, 2..4, 4..6]);
        assert!(cover(0..8, &(3..3)).is_empty());
    }
}
