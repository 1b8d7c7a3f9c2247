//! Coding trees against a literal implementation of the rule.

use std::collections::{BTreeMap, BTreeSet};

use bnpool_graph::Csr;
use bnpool_graph::coarsen::coding_tree;
use bnpool_math::stream::{Purpose, Stream};
use proptest::prelude::*;

/// A node of the tree.
#[derive(Clone, Default)]
struct Node {
    leaves: Vec<usize>,
    children: BTreeSet<usize>,
    parent: Option<usize>,
    volume: f64,
    leaving: f64,
    cut: f64,
}

type Tree = BTreeMap<usize, Node>;

/// Rounds to multiples of 2⁻⁴⁰, so that rounding errors do not matter.
fn rounded(bits: f64) -> i64 {
    (bits * 2.0_f64.powi(40)).round() as i64
}

fn height(tree: &Tree, id: usize) -> usize {
    let below = tree[&id].children.iter().map(|&c| height(tree, c) + 1);
    below.max().unwrap_or(0)
}

fn depth(tree: &Tree, id: usize) -> usize {
    tree[&id].parent.map_or(0, |parent| depth(tree, parent) + 1)
}

/// Children of the root of a connected graph, each as its set of leaves.
fn literally(weights: &[Vec<f64>], limit: usize) -> BTreeSet<BTreeSet<usize>> {
    let n = weights.len();
    let total: f64 = weights.iter().flatten().sum();
    let mut tree = Tree::new();
    for u in 0..n {
        let volume = weights[u].iter().sum();
        let leaves = vec![u];
        tree.insert(
            u,
            Node {
                leaves,
                volume,
                leaving: volume,
                ..Node::default()
            },
        );
    }
    for born in n..2 * n - 1 {
        let free: Vec<usize> = tree
            .keys()
            .copied()
            .filter(|id| tree[id].parent.is_none())
            .collect();
        let mut best: Option<(i64, usize, usize, f64)> = None;
        for &a in &free {
            for &b in free.iter().filter(|&&b| b > a) {
                let (x, y) = (&tree[&a], &tree[&b]);
                let pairs = x
                    .leaves
                    .iter()
                    .flat_map(|&u| y.leaves.iter().map(move |&v| (u, v)));
                let cut: f64 = pairs.map(|(u, v)| weights[u][v]).sum();
                if cut == 0.0 {
                    continue;
                }
                let both = x.volume + y.volume;
                let inside = |z: &Node| (z.volume - z.leaving) * (both / z.volume).log2();
                let change = inside(x) + inside(y) - 2.0 * cut * (total / both).log2();
                let found = (rounded(change / total), a, b);
                if best.is_none_or(|b| found < (b.0, b.1, b.2)) {
                    best = Some((found.0, a, b, cut));
                }
            }
        }
        let (_, a, b, cut) = best.expect("a connected graph");
        let (x, y) = (tree[&a].clone(), tree[&b].clone());
        let node = Node {
            leaves: [x.leaves, y.leaves].concat(),
            children: [a, b].into(),
            parent: None,
            volume: x.volume + y.volume,
            leaving: x.leaving + y.leaving - 2.0 * cut,
            cut,
        };
        tree.insert(born, node);
        for id in [a, b] {
            tree.get_mut(&id).unwrap().parent = Some(born);
        }
    }
    let root = 2 * n - 2;
    while height(&tree, root) > limit {
        let deep = tree.keys().copied().filter(|&id| {
            id != root
                && !tree[&id].children.is_empty()
                && depth(&tree, id) + height(&tree, id) > limit
        });
        let price = |id: usize| {
            let parent = &tree[&tree[&id].parent.unwrap()];
            rounded(tree[&id].cut / total * (parent.volume / tree[&id].volume).log2())
        };
        let (_, id) = deep.map(|id| (price(id), id)).min().expect("a deep node");
        let gone = tree.remove(&id).unwrap();
        for child in &gone.children {
            tree.get_mut(child).unwrap().parent = gone.parent;
        }
        let parent = tree.get_mut(&gone.parent.unwrap()).unwrap();
        parent.children.remove(&id);
        parent.children.extend(gone.children);
        parent.cut += gone.cut;
    }
    let children = tree[&root].children.iter();
    children
        .map(|id| tree[id].leaves.iter().copied().collect())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn trees_follow_the_rule(
        seed in any::<u64>(), n in 2..18_usize, extra in 0.0..4.0_f64, limit in 2..5_usize, weighted: bool,
    ) {
        // A random tree plus further edges, so that the graph is connected.
        let mut draws = Stream::new(seed, Purpose::Other(0), 0).draws(0);
        let mut weights = vec![vec![0.0; n]; n];
        for u in 1..n {
            let up = draws.below(u as u64) as usize;
            for v in 0..u {
                if v == up || draws.uniform() < extra / n as f64 {
                    // Multiples of 1/4: sums are exact in any order.
                    let weight = if weighted { (1 + draws.below(8)) as f64 / 4.0 } else { 1.0 };
                    (weights[u][v], weights[v][u]) = (weight, weight);
                }
            }
        }
        let entries = (0..n).flat_map(|u| (0..n).map(move |v| (u, v)));
        let entries = entries.filter(|&(u, v)| weights[u][v] > 0.0);
        let graph = Csr::from_weighted_edges(
            n, entries.map(|(u, v)| (u as u32, v as u32, weights[u][v] as f32)),
        ).unwrap();
        let tree = coding_tree(&graph, limit).unwrap();
        let mut top = tree[0].clone();
        for level in &tree[1..] {
            top = top.then(level).unwrap();
        }
        let (offsets, nodes) = top.members();
        let found: BTreeSet<BTreeSet<usize>> = offsets
            .windows(2)
            .map(|b| nodes[b[0]..b[1]].iter().map(|&u| u as usize).collect())
            .collect();
        prop_assert_eq!(found, literally(&weights, limit));
    }
}
