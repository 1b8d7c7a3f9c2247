//! Compression: removes inner nodes until no path is too long.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::rounded;
use super::tree::{NONE, Tree};

/// A candidate removal: the change of the entropy, the node, and the version of
/// its cost when the candidate was pushed.
type Offer = Reverse<(i64, u32, u32)>;

/// Removes inner nodes on paths of more than `height` steps, cheapest first,
/// until there is no such path. The children of a removed node become those of
/// its parent.
pub(super) fn to_height(tree: &mut Tree, height: usize) {
    let height = u32::try_from(height).unwrap_or(u32::MAX);
    let root = tree.root();
    let total = tree.volume[root as usize];
    let mut changes = vec![0_u32; tree.parent.len()];
    let mut offers: BinaryHeap<Offer> = (tree.leaves as u32..root)
        .map(|node| offer(tree, node, total, 0))
        .collect();
    while tree.height[root as usize] > height {
        let Some(Reverse((_, node, offered))) = offers.pop() else {
            unreachable!("a path that is too long has an inner node");
        };
        let gone = tree.parent[node as usize] == NONE;
        // Paths never get longer, so a candidate that is not needed now can be
        // discarded.
        if gone
            || changes[node as usize] != offered
            || tree.depth(node) + tree.height[node as usize] <= height
        {
            continue;
        }
        let parent = tree.parent[node as usize];
        let moved = take_out(tree, node);
        let inner = moved.into_iter().filter(|&child| !tree.is_leaf(child));
        for changed in inner.chain((parent != root).then_some(parent)) {
            changes[changed as usize] += 1;
            offers.push(offer(tree, changed, total, changes[changed as usize]));
        }
    }
}

/// Removing a node increases the entropy by cut · log₂(v' / v) · 2/V; the factor
/// 2/V is the same for all nodes.
fn offer(tree: &Tree, node: u32, total: f64, changes: u32) -> Offer {
    let (node, parent) = (node as usize, tree.parent[node as usize] as usize);
    let price = tree.cut[node] / total * (tree.volume[parent] / tree.volume[node]).log2();
    Reverse((rounded(price), node as u32, changes))
}

/// Removes a node and returns the children that moved to its parent.
fn take_out(tree: &mut Tree, node: u32) -> Vec<u32> {
    let parent = tree.parent[node as usize];
    let moved: Vec<u32> = tree.children(node).collect();
    for &child in &moved {
        tree.parent[child as usize] = parent;
    }
    tree.parent[node as usize] = NONE;
    let inner = |node: u32| node as usize - tree.leaves;
    let (own, above) = (inner(node), inner(parent));
    tree.children[own] = Vec::new();
    tree.children[above].extend_from_slice(&moved);
    tree.cut[parent as usize] += tree.cut[node as usize];
    let mut at = parent;
    let mut below = tree.height[node as usize];
    // Up to the first node whose longest path does not pass through here.
    while at != NONE && tree.height[at as usize] == below + 1 {
        below = tree.height[at as usize];
        let tallest = tree.children(at).map(|child| tree.height[child as usize]);
        let height = tallest.max().map_or(0, |height| height + 1);
        if height == below {
            break;
        }
        tree.height[at as usize] = height;
        at = tree.parent[at as usize];
    }
    moved
}
