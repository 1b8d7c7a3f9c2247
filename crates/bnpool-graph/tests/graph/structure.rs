//! Communities against brute force on dense matrices.

// Dense definitions are clearest with indices.
#![allow(clippy::needless_range_loop)]

use bnpool_graph::structure::{
    community_statistics, connected_components, merge_small, modularity, rank_by_size,
    split_disconnected,
};
use bnpool_graph::{Csr, GraphError};
use bnpool_math::stream::{Purpose, Stream};
use proptest::prelude::*;

/// A random graph with labels, also as a dense matrix; `None` means no entry,
/// and an entry may have weight zero.
struct Case {
    graph: Csr,
    dense: Vec<Vec<Option<f64>>>,
    labels: Vec<u32>,
}

fn case(seed: u64, nodes: usize, degree: f64, kinds: u64, directed: bool, weighted: bool) -> Case {
    let mut draws = Stream::new(seed, Purpose::Other(0), 0).draws(0);
    let mut dense = vec![vec![None; nodes]; nodes];
    for u in 0..nodes {
        for v in 0..nodes {
            if (directed || v <= u) && draws.uniform() < degree / nodes as f64 {
                // Multiples of 1/4: sums are exact in any order.
                let weight = if weighted {
                    draws.below(9) as f64 * 0.25
                } else {
                    1.0
                };
                dense[u][v] = Some(weight);
                if !directed {
                    dense[v][u] = Some(weight);
                }
            }
        }
    }
    let entries: Vec<(u32, u32, f32)> = (0..nodes)
        .flat_map(|u| (0..nodes).map(move |v| (u, v)))
        .filter_map(|(u, v)| dense[u][v].map(|w: f64| (u as u32, v as u32, w as f32)))
        .collect();
    let graph = if weighted {
        Csr::from_weighted_edges(nodes, entries)
    } else {
        Csr::from_edges(nodes, entries.into_iter().map(|e| (e.0, e.1)))
    };
    // Labels are far apart, so that they are not mistaken for indices.
    let labels = (0..nodes)
        .map(|_| draws.below(kinds) as u32 * 37 + 5)
        .collect();
    Case {
        graph: graph.expect("a valid matrix"),
        dense,
        labels,
    }
}

/// Returns, for all pairs of nodes, whether a path of `allowed` pairs joins
/// them.
fn reach(dense: &[Vec<Option<f64>>], allowed: impl Fn(usize, usize) -> bool) -> Vec<Vec<bool>> {
    let n = dense.len();
    let mut reach: Vec<Vec<bool>> = (0..n)
        .map(|u| {
            (0..n)
                .map(|v| {
                    let joined = dense[u][v].is_some() || dense[v][u].is_some();
                    u == v || joined && allowed(u, v)
                })
                .collect()
        })
        .collect();
    for w in 0..n {
        for u in 0..n {
            for v in 0..n {
                reach[u][v] |= reach[u][w] && reach[w][v];
            }
        }
    }
    reach
}

/// Asserts that labels induce the given equivalence relation, and are numbered
/// from 0 in the order of first appearance.
fn assert_same_parts(labels: &[u32], together: &[Vec<bool>]) {
    let mut next = 0;
    for u in 0..labels.len() {
        for v in 0..labels.len() {
            assert_eq!(labels[u] == labels[v], together[u][v], "{u} and {v}");
        }
        assert!(labels[u] <= next);
        next = next.max(labels[u] + 1);
    }
}

fn distinct(labels: &[u32]) -> Vec<u32> {
    let mut all = labels.to_vec();
    all.sort_unstable();
    all.dedup();
    all
}

/// A literal implementation of the rule of `merge_small`.
fn merge_slowly(case: &Case, min_size: usize) -> Vec<u32> {
    let mut labels = case.labels.clone();
    let n = labels.len();
    let size = |labels: &[u32], l: u32| labels.iter().filter(|&&x| x == l).count();
    // (weight, size, label) of each neighbour of a community.
    let neighbours = |labels: &[u32], own: u32| {
        let mut found: Vec<(f64, usize, u32)> = Vec::new();
        for u in (0..n).filter(|&u| labels[u] == own) {
            for v in (0..n).filter(|&v| labels[v] != own) {
                // A symmetric matrix stores every edge twice.
                let back = if case.graph.is_symmetric() {
                    None
                } else {
                    case.dense[v][u]
                };
                for weight in [case.dense[u][v], back].into_iter().flatten() {
                    match found.iter_mut().find(|x| x.2 == labels[v]) {
                        Some(x) => x.0 += weight,
                        None => found.push((weight, size(labels, labels[v]), labels[v])),
                    }
                }
            }
        }
        found
    };
    loop {
        let smallest = distinct(&labels)
            .into_iter()
            .filter(|&l| size(&labels, l) < min_size && !neighbours(&labels, l).is_empty())
            .min_by_key(|&l| (size(&labels, l), l));
        let Some(own) = smallest else {
            return labels;
        };
        let mut best: Option<(f64, usize, u32)> = None;
        for x in neighbours(&labels, own) {
            let better = best
                .is_none_or(|b| x.0 > b.0 || x.0 == b.0 && (x.1 > b.1 || x.1 == b.1 && x.2 < b.2));
            if better {
                best = Some(x);
            }
        }
        let target = best.expect("a neighbour").2;
        labels
            .iter_mut()
            .filter(|l| **l == own)
            .for_each(|l| *l = target);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn modularity_is_its_definition(
        seed in any::<u64>(), nodes in 1..25_usize, degree in 0.0..6.0_f64, kinds in 1..6_u64, directed in any::<bool>(), weighted in any::<bool>(),
    ) {
        let case = case(seed, nodes, degree, kinds, directed, weighted);
        let at = |u: usize, v: usize| case.dense[u][v].unwrap_or(0.0);
        let total: f64 = (0..nodes).map(|u| (0..nodes).map(|v| at(u, v)).sum::<f64>()).sum();
        let mut want = 0.0;
        for u in 0..nodes {
            for v in (0..nodes).filter(|&v| case.labels[v] == case.labels[u]) {
                let out: f64 = (0..nodes).map(|w| at(u, w)).sum();
                let into: f64 = (0..nodes).map(|w| at(w, v)).sum();
                if total > 0.0 {
                    want += at(u, v) / total - out * into / (total * total);
                }
            }
        }
        let got = modularity(&case.graph, &case.labels).unwrap();
        prop_assert!((got - want).abs() < 1e-12, "{} is not {}", got, want);
        let one = modularity(&case.graph, &vec![3; nodes]).unwrap();
        prop_assert!(one.abs() < 1e-12, "one community");
    }

    #[test]
    fn statistics_are_their_definitions(
        seed in any::<u64>(), nodes in 1..25_usize, degree in 0.0..6.0_f64, kinds in 1..6_u64, directed in any::<bool>(), weighted in any::<bool>(),
    ) {
        let case = case(seed, nodes, degree, kinds, directed, weighted);
        let labels = &case.labels;
        let all = community_statistics(&case.graph, labels).unwrap();
        prop_assert_eq!(all.iter().map(|c| c.label).collect::<Vec<_>>(), distinct(labels));
        let pieces = reach(&case.dense, |u, v| labels[u] == labels[v]);
        let total: f64 = case.dense.iter().flatten().flatten().sum();
        for got in all {
            let inside: Vec<usize> = (0..nodes).filter(|&u| labels[u] == got.label).collect();
            let mut want = got;
            (want.size, want.components) = (inside.len(), 0);
            (want.internal_edges, want.cut_edges) = (0, 0);
            (want.internal_weight, want.cut_weight) = (0.0, 0.0);
            let mut between = 0;
            for &u in &inside {
                // The first node of each component represents it.
                let first = inside.iter().find(|&&v| pieces[u][v]) == Some(&u);
                want.components += usize::from(first);
                for v in 0..nodes {
                    let Some(weight) = case.dense[u][v] else { continue };
                    if labels[v] == got.label {
                        want.internal_edges += 1;
                        want.internal_weight += weight;
                        between += usize::from(u != v);
                    } else {
                        want.cut_edges += 1;
                        want.cut_weight += weight;
                    }
                }
            }
            let places = inside.len() * (inside.len() - 1);
            want.internal_density = if places == 0 { 0.0 } else { between as f64 / places as f64 };
            let volume = want.internal_weight + want.cut_weight;
            let smaller = volume.min(total - volume);
            want.conductance = if smaller > 0.0 { want.cut_weight / smaller } else { 0.0 };
            prop_assert_eq!(got, want);
        }
    }

    #[test]
    fn pieces_are_what_can_be_reached(
        seed in any::<u64>(), nodes in 1..25_usize, degree in 0.0..3.0_f64, kinds in 1..6_u64, directed in any::<bool>(),
    ) {
        let case = case(seed, nodes, degree, kinds, directed, false);
        let components = connected_components(&case.graph).unwrap();
        assert_same_parts(&components.of_node, &reach(&case.dense, |_, _| true));
        prop_assert_eq!(components.count, distinct(&components.of_node).len());
        let split = split_disconnected(&case.graph, &case.labels).unwrap();
        let inside = reach(&case.dense, |u, v| case.labels[u] == case.labels[v]);
        assert_same_parts(&split, &inside);
        // Nothing more to split.
        let again = split_disconnected(&case.graph, &split).unwrap();
        prop_assert_eq!(&again, &split);
        let all = community_statistics(&case.graph, &split).unwrap();
        prop_assert!(all.iter().all(|c| c.components == 1));
    }

    #[test]
    fn merging_follows_its_rule(
        seed in any::<u64>(), nodes in 1..20_usize, degree in 0.0..4.0_f64, kinds in 1..12_u64, directed in any::<bool>(), weighted in any::<bool>(), min_size in 0..8_usize,
    ) {
        let case = case(seed, nodes, degree, kinds, directed, weighted);
        let got = merge_small(&case.graph, &case.labels, min_size).unwrap();
        prop_assert_eq!(&got, &merge_slowly(&case, min_size));
        for community in community_statistics(&case.graph, &got).unwrap() {
            let back = case.graph.iter().any(|(u, v, _)| {
                got[v as usize] == community.label && got[u as usize] != community.label
            });
            let alone = community.cut_edges == 0 && !back;
            prop_assert!(community.size >= min_size || alone);
        }
    }

    #[test]
    fn ranks_fall_with_size(labels in prop::collection::vec(0..9_u32, 0..40)) {
        let ranks = rank_by_size(&labels);
        let size = |labels: &[u32], l: u32| labels.iter().filter(|&&x| x == l).count();
        for (u, (&label, &rank)) in labels.iter().zip(&ranks).enumerate() {
            prop_assert_eq!(size(&labels, label), size(&ranks, rank), "the same parts");
            for (v, &other) in ranks.iter().enumerate() {
                prop_assert_eq!(rank == other, label == labels[v]);
                let first = |l: u32| ranks.iter().position(|&x| x == l);
                if rank < other {
                    let (a, b) = (size(&ranks, rank), size(&ranks, other));
                    prop_assert!(a > b || a == b && first(rank) < first(other), "{} {}", u, v);
                }
            }
        }
        prop_assert_eq!(distinct(&ranks).len(), ranks.iter().max().map_or(0, |&m| m as usize + 1));
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let wide = Csr::from_positions(2, 3, [(0, 2)]).expect("a matrix");
    let error = connected_components(&wide).unwrap_err();
    assert_eq!(
        error,
        GraphError::NotSquare {
            rows: 2,
            columns_count: 3
        }
    );
    let graph = Csr::from_edges(3, [(0, 1)]).expect("a matrix");
    let error = modularity(&graph, &[0, 1]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "2 labels for 3 nodes: there must be one for each"
    );
    assert!(split_disconnected(&graph, &[]).is_err());
    assert!(merge_small(&wide, &[0, 0], 1).is_err());
    assert!(community_statistics(&graph, &[0; 4]).is_err());
}

#[test]
fn nothing_has_no_structure() {
    let empty = Csr::from_edges(0, []).expect("a matrix");
    assert_eq!(modularity(&empty, &[]), Ok(0.0));
    assert_eq!(connected_components(&empty).map(|c| c.count), Ok(0));
    assert_eq!(community_statistics(&empty, &[]), Ok(vec![]));
    assert_eq!(merge_small(&empty, &[], 3), Ok(vec![]));
    assert!(rank_by_size(&[]).is_empty());
}

mod canonical_order {
    use super::*;
    use bnpool_graph::structure::NodeOrder;
    use bnpool_graph::{Graph, Matrix};

    /// A random permutation.
    fn shuffled(seed: u64, nodes: usize) -> NodeOrder {
        let mut draws = Stream::new(seed, Purpose::Shuffle, 1).draws(0);
        let mut order: Vec<u32> = (0..nodes as u32).collect();
        for i in (1..nodes).rev() {
            order.swap(i, draws.below(i as u64 + 1) as usize);
        }
        NodeOrder::new(order).expect("a permutation")
    }

    fn canonical(graph: &Graph) -> Graph {
        NodeOrder::canonical(graph).apply(graph)
    }

    proptest! {
        /// A distinct feature for each node leaves no ties.
        #[test]
        fn any_numbering_gives_the_same_graph(
            seed in 0..1000_u64, nodes in 1..40_usize, degree in 0.5..6.0_f64,
            directed: bool, weighted: bool,
        ) {
            let case = case(seed, nodes, degree, 3, directed, weighted);
            let values = (0..nodes).map(|u| (u % 7) as f32 + u as f32 / 64.0).collect();
            let graph = Graph::builder(case.graph)
                .features(Matrix::new(nodes, 1, values).expect("features"))
                .node_labels(case.labels)
                .build()
                .expect("a graph");
            let moved = shuffled(seed, nodes).apply(&graph);
            prop_assert_eq!(canonical(&graph), canonical(&moved));
        }
    }

    #[test]
    fn bare_graphs_are_told_apart_by_structure_and_weights() {
        for (directed, weighted) in [(false, false), (true, false), (false, true), (true, true)] {
            let case = case(5, 300, 7.0, 3, directed, weighted);
            let graph = Graph::builder(case.graph).build().expect("a graph");
            let moved = shuffled(3, 300).apply(&graph);
            assert_ne!(moved, graph);
            assert!(
                canonical(&graph) == canonical(&moved),
                "{directed} {weighted}"
            );
        }
    }

    /// Twins, pendant trees and isomorphic components are ties that do not
    /// affect the result.
    #[test]
    fn interchangeable_nodes_give_the_same_graph() {
        let tree = [
            (0, 1),
            (0, 2),
            (1, 3),
            (2, 4),
            (3, 5),
            (4, 6),
            (0, 7),
            (0, 8),
        ];
        let pairs = [(9, 10), (11, 12), (13, 14), (14, 15), (16, 17), (17, 18)];
        let both = tree
            .into_iter()
            .chain(pairs)
            .flat_map(|(u, v)| [(u, v), (v, u)]);
        let graph = Graph::builder(Csr::from_edges(20, both).expect("edges"))
            .build()
            .expect("a graph");
        for seed in 0..20 {
            let moved = shuffled(seed, 20).apply(&graph);
            assert_eq!(canonical(&graph), canonical(&moved));
        }
    }

    #[test]
    fn ids_decide_between_equals() {
        let ids = ["d", "a", "c", "b"].map(str::to_owned).to_vec();
        let graph = Graph::builder(Csr::from_edges(4, []).expect("no edges"))
            .node_ids(ids)
            .build()
            .expect("a graph");
        assert_eq!(
            canonical(&graph).node_ids().expect("ids"),
            ["a", "b", "c", "d"]
        );
    }
}
