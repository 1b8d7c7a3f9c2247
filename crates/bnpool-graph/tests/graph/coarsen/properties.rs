//! Properties of random graphs: matchings match, sets are independent, trees
//! lower the entropy, and the numbering does not matter.

use bnpool_graph::Csr;
use bnpool_graph::coarsen::{
    Assigned, Connect, Matcher, SpectralClustering, coarsen_graph, coding_tree, graclus,
    independent_set, local_modes, spectral_clusters,
};
use bnpool_math::stream::{Draws, Purpose, Stream};
use proptest::prelude::*;

/// A random undirected graph, and further draws for it.
struct Case {
    graph: Csr,
    draws: Draws,
}

/// Weights are random, so that no two are equal, or multiples of 1/8 (including
/// zero), so that many are equal and sums are exact.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Weights {
    None,
    Eighths,
    Random,
}

fn case(seed: u64, nodes: usize, degree: f64, weights: Weights) -> Case {
    let mut draws = Stream::new(seed, Purpose::Other(0), 0).draws(0);
    let mut edges = Vec::new();
    for u in 0..nodes as u32 {
        for v in 0..=u {
            if draws.uniform() < degree / nodes as f64 {
                let weight = match weights {
                    Weights::Random => 0.1 + draws.uniform() as f32,
                    _ => draws.below(9) as f32 / 8.0,
                };
                edges.extend([(u, v, weight), (v, u, weight)]);
            }
        }
    }
    // Self-loops have been listed twice.
    edges.sort_by_key(|edge| (edge.0, edge.1));
    edges.dedup_by_key(|edge| (edge.0, edge.1));
    let graph = Csr::from_weighted_edges(nodes, edges).unwrap();
    let graph = match weights {
        Weights::None => graph.without_weights(),
        _ => graph,
    };
    Case { graph, draws }
}

fn weights() -> impl Strategy<Value = Weights> {
    prop_oneof![
        Just(Weights::None),
        Just(Weights::Eighths),
        Just(Weights::Random)
    ]
}

/// Renumbers node u as `to[u]`.
fn renumber(graph: &Csr, to: &[u32]) -> Csr {
    let moved = graph
        .iter()
        .map(|(u, v, w)| (to[u as usize], to[v as usize], w));
    let moved = Csr::from_weighted_edges(graph.rows(), moved).unwrap();
    match graph.weights() {
        None => moved.without_weights(),
        Some(_) => moved,
    }
}

fn permutation(nodes: usize, draws: &mut Draws) -> Vec<u32> {
    let mut to: Vec<u32> = (0..nodes as u32).collect();
    draws.shuffle(&mut to);
    to
}

/// Returns whether supernodes are the same sets of nodes, up to numbering.
fn same_parts(one: &Assigned, two: &Assigned, to: &[u32]) -> bool {
    let mut number = vec![None; one.supernodes()];
    let alike = one.clusters().iter().zip(to).all(|(&c, &moved)| {
        let other = two.clusters()[moved as usize];
        *number[c as usize].get_or_insert(other) == other
    });
    alike && one.supernodes() == two.supernodes()
}

/// Hop distances between all nodes, ignoring weights.
fn distances(graph: &Csr) -> Vec<Vec<usize>> {
    let n = graph.rows();
    let mut hops = vec![vec![usize::MAX / 2; n]; n];
    for (u, v, _) in graph.iter() {
        hops[u as usize][v as usize] = 1;
    }
    for u in 0..n {
        hops[u][u] = 0;
    }
    for w in 0..n {
        for u in 0..n {
            for v in 0..n {
                hops[u][v] = hops[u][v].min(hops[u][w] + hops[w][v]);
            }
        }
    }
    hops
}

/// Returns whether supernodes are single nodes, or two nodes with an edge that
/// `counts`, without such an edge between single nodes.
fn is_maximal_matching(graph: &Csr, assigned: &Assigned, counts: impl Fn(f32) -> bool) -> bool {
    let (offsets, nodes) = assigned.members();
    let joined = |u: u32, v: u32| {
        let entry = graph.find(u as usize, v as usize);
        entry.is_some_and(|entry| counts(graph.weights().map_or(1.0, |w| w[entry])))
    };
    let valid = offsets.windows(2).all(|b| match &nodes[b[0]..b[1]] {
        [_] => true,
        [u, v] => joined(*u, *v),
        _ => false,
    });
    let single: Vec<u32> = offsets
        .windows(2)
        .filter(|b| b[1] - b[0] == 1)
        .map(|b| nodes[b[0]])
        .collect();
    let maximal = single
        .iter()
        .all(|&u| single.iter().all(|&v| u == v || !joined(u, v)));
    valid && maximal
}

/// −Σ g/V log₂(v/v') over a tree given by its levels, computed from sets of
/// nodes.
fn entropy(graph: &Csr, levels: &[Assigned]) -> f64 {
    let n = graph.rows();
    let weight = |u: usize, v: usize| match graph.find(u, v) {
        Some(entry) if u != v => f64::from(graph.weights().map_or(1.0, |w| w[entry])),
        _ => 0.0,
    };
    let bonds = graph.iter().filter(|e| e.0 != e.1 && e.2 > 0.0);
    let bonds = Csr::from_edges(n, bonds.map(|e| (e.0, e.1))).unwrap();
    let hops = distances(&bonds);
    // Members of the groups of a node, from the node itself to its component.
    let chain = |u: usize| -> Vec<Vec<usize>> {
        let mut chain = vec![vec![u]];
        let mut of_node = Assigned::identity(n);
        for level in levels {
            of_node = of_node.then(level).unwrap();
            let own = of_node.clusters()[u];
            chain.push((0..n).filter(|&v| of_node.clusters()[v] == own).collect());
        }
        chain.push((0..n).filter(|&v| hops[u][v] < n).collect());
        chain
    };
    let volume = |set: &[usize]| -> f64 {
        let degree = |&u: &usize| (0..n).map(|v| weight(u, v)).sum::<f64>();
        set.iter().map(degree).sum()
    };
    let total = volume(&(0..n).collect::<Vec<_>>());
    let mut bits = 0.0;
    for u in 0..n {
        for pair in chain(u).windows(2) {
            // Each set counts once, for its smallest member.
            if pair[0][0] == u {
                let outside = (0..n).filter(|v| !pair[0].contains(v));
                let leaving: f64 = outside
                    .map(|v| pair[0].iter().map(|&w| weight(w, v)).sum::<f64>())
                    .sum();
                if leaving > 0.0 {
                    bits += leaving / total * (volume(&pair[1]) / volume(&pair[0])).log2();
                }
            }
        }
    }
    bits
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn graclus_is_a_maximal_matching_by_weight(
        seed in any::<u64>(), nodes in 0..30_usize, degree in 0.0..6.0_f64, weights in weights(),
    ) {
        let Case { graph, .. } = case(seed, nodes, degree, weights);
        let pairs = graclus(&graph, seed).unwrap();
        prop_assert!(is_maximal_matching(&graph, &pairs, |weight| weight > 0.0));
        prop_assert_eq!(&pairs, &graclus(&graph, seed).unwrap());
    }

    #[test]
    fn contraction_is_the_greedy_matching(
        seed in any::<u64>(), nodes in 0..30_usize, degree in 0.0..6.0_f64, ties: bool,
    ) {
        let Case { graph, mut draws } = case(seed, nodes, degree, Weights::None);
        let scores: Vec<f32> = (0..graph.entries())
            .map(|_| if ties { draws.below(3) as f32 - 1.0 } else { draws.normal() as f32 })
            .collect();
        let mut matcher = Matcher::default();
        let found = matcher.contract(&graph, &scores).unwrap();
        prop_assert!(is_maximal_matching(&graph, &found.assigned, |_| true));
        // An edge that is not contracted is adjacent to a better one, or to an earlier
        // equal one.
        let taken: Vec<Option<u32>> = found.assigned.clusters().iter()
            .map(|&c| found.edges[c as usize]).collect();
        for (entry, (u, v, _)) in graph.iter().enumerate().filter(|e| e.1.0 != e.1.1) {
            let ends = [taken[u as usize], taken[v as usize]];
            let beaten = ends.iter().flatten().any(|&other| {
                let other = other as usize;
                scores[other] > scores[entry] || scores[other] == scores[entry] && other <= entry
            });
            prop_assert!(beaten, "edge {} was passed over", entry);
        }
        // The buffers of the first call have no influence, and f64 gives the
        // same ranking.
        let wide: Vec<f64> = scores.iter().map(|&x| f64::from(x)).collect();
        prop_assert_eq!(matcher.contract(&graph, &wide).unwrap(), found);
    }

    #[test]
    fn sets_are_independent_maximal_and_join_the_best(
        seed in any::<u64>(), nodes in 0..30_usize, degree in 0.0..6.0_f64, order in 1..5_usize, ties: bool,
    ) {
        let Case { graph, mut draws } = case(seed, nodes, degree, Weights::None);
        let scores: Vec<f64> = (0..nodes)
            .map(|_| if ties { draws.below(3) as f64 } else { draws.normal() })
            .collect();
        let set = independent_set(&graph, &scores, order).unwrap();
        let hops = distances(&graph);
        let better = |u: u32, v: u32| {
            let (a, b) = (scores[u as usize], scores[v as usize]);
            a > b || a == b && u < v
        };
        for u in 0..nodes {
            let near: Vec<u32> = set.centres.iter().copied()
                .filter(|&c| hops[u][c as usize] <= order).collect();
            prop_assert!(!near.is_empty(), "maximal");
            if set.centres.contains(&(u as u32)) {
                prop_assert_eq!(&near, &[u as u32], "independent");
            } else {
                // Greedy by rank: some member is better.
                prop_assert!(near.iter().any(|&c| better(c, u as u32)));
            }
            let own = set.centres[set.assigned.clusters()[u] as usize];
            prop_assert!(near.contains(&own));
            prop_assert!(near.iter().all(|&c| c == own || better(own, c)));
        }
    }

    #[test]
    fn trees_lower_the_entropy(
        seed in any::<u64>(), nodes in 0..16_usize, degree in 0.0..6.0_f64, height in 2..6_usize, weights in weights(),
    ) {
        let Case { graph, .. } = case(seed, nodes, degree, weights);
        let levels = coding_tree(&graph, height).unwrap();
        prop_assert_eq!(levels.len(), height - 1);
        prop_assert!(entropy(&graph, &levels) <= entropy(&graph, &[]) + 1e-12);
    }

    #[test]
    fn spectral_clusters_are_as_many_as_asked_for(
        seed in any::<u64>(), nodes in 0..20_usize, degree in 0.0..6.0_f64, k in 1..25_usize, weights in weights(),
    ) {
        let Case { graph, .. } = case(seed, nodes, degree, weights);
        let config = SpectralClustering { seed, starts: 3, ..SpectralClustering::new(k) };
        let found = spectral_clusters(&graph, &config).unwrap();
        prop_assert_eq!(found.supernodes(), k.min(nodes));
        let modes = local_modes(&graph, &found, 3).unwrap();
        // Modes of one cluster are orthonormal, unless they are repeated.
        let (offsets, members) = found.members();
        for bounds in offsets.windows(2).filter(|b| b[1] - b[0] > 1) {
            let members = &members[bounds[0]..bounds[1]];
            for a in 0..3.min(members.len()) {
                for b in 0..=a {
                    let value = |u: u32, m: usize| modes.values[u as usize * 3 + m];
                    let dot: f64 = members.iter().map(|&u| value(u, a) * value(u, b)).sum();
                    prop_assert!((dot - f64::from(u8::from(a == b))).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn the_graph_of_supernodes_keeps_weights(
        seed in any::<u64>(), nodes in 1..20_usize, degree in 0.0..6.0_f64, k in 1..8_usize, weights in weights(),
    ) {
        let Case { graph, mut draws } = case(seed, nodes, degree, weights);
        let k = k.min(nodes);
        let label = |u: usize| if u < k { u as u64 } else { draws.below(k as u64) };
        let labels = (0..nodes).map(label).map(|c| c as u32).collect();
        let assigned = Assigned::new(labels, k).unwrap();
        let pooled = coarsen_graph(&graph, &assigned, &Connect::default()).unwrap();
        let mut sums = vec![0.0_f64; k * k];
        for (u, v, weight) in graph.iter() {
            let (c, d) = (assigned.clusters()[u as usize], assigned.clusters()[v as usize]);
            sums[c as usize * k + d as usize] += f64::from(weight);
        }
        for c in 0..k {
            for d in 0..k {
                let found = pooled.find(c, d).map(|entry| pooled.weights().unwrap()[entry]);
                let sum = if c == d { 0.0 } else { sums[c * k + d] };
                prop_assert_eq!(found.is_some(), sum > 1e-8);
                prop_assert!((f64::from(found.unwrap_or(0.0)) - sum).abs() < 1e-6);
            }
        }
        // Rebuilt, so that the symmetry is computed rather than cached.
        let again = Csr::from_weighted_edges(k, pooled.iter()).unwrap();
        prop_assert!(again.is_symmetric());
    }

    #[test]
    fn numbers_of_nodes_do_not_matter(
        seed in any::<u64>(), nodes in 1..25_usize, degree in 0.5..6.0_f64, k in 1..9_usize, order in 1..4_usize,
    ) {
        // Weights without ties, so that all nodes with edges can be
        // distinguished.
        let Case { graph, mut draws } = case(seed, nodes, degree, Weights::Random);
        let to = permutation(nodes, &mut draws);
        let other = renumber(&graph, &to);

        prop_assert!(same_parts(&graclus(&graph, 3).unwrap(), &graclus(&other, 3).unwrap(), &to));

        let trees = [&graph, &other].map(|graph| coding_tree(graph, order + 1).unwrap());
        let [first, second] = [entropy(&graph, &trees[0]), entropy(&other, &trees[1])];
        prop_assert!((first - second).abs() < 1e-9);
        prop_assert!(same_parts(&trees[0][0], &trees[1][0], &to));

        let scores: Vec<f64> = (0..nodes).map(|_| draws.normal()).collect();
        let mut moved = vec![0.0; nodes];
        for (&score, &place) in scores.iter().zip(&to) {
            moved[place as usize] = score;
        }
        let one = independent_set(&graph, &scores, order).unwrap();
        let two = independent_set(&other, &moved, order).unwrap();
        let mut centres: Vec<u32> = one.centres.iter().map(|&u| to[u as usize]).collect();
        centres.sort_unstable();
        prop_assert_eq!(centres, two.centres);
        prop_assert!(same_parts(&one.assigned, &two.assigned, &to));

        // Scores of edges that depend on both ends, by weights without ties.
        let scores: Vec<f32> = graph.weights().unwrap().to_vec();
        let moved: Vec<f32> = other.weights().unwrap().to_vec();
        let one = Matcher::default().contract(&graph, &scores).unwrap();
        let two = Matcher::default().contract(&other, &moved).unwrap();
        prop_assert!(same_parts(&one.assigned, &two.assigned, &to));

        let config = SpectralClustering { starts: 2, ..SpectralClustering::new(k) };
        let one = spectral_clusters(&graph, &config).unwrap();
        let two = spectral_clusters(&other, &config).unwrap();
        let isolated = (0..nodes).filter(|&u| graph.row(u).iter().all(|&v| v as usize == u)).count();
        // Nodes without edges are indistinguishable and may be split up to fill
        // clusters.
        if isolated == 0 {
            prop_assert!(same_parts(&one, &two, &to));
        }
        // The first mode of a connected cluster is never repeated. Signs may differ.
        let one_modes = local_modes(&graph, &one, 2).unwrap();
        let two_modes = local_modes(&other, &moved_nodes(&one, &to), 2).unwrap();
        for u in (0..nodes).filter(|&u| in_one_piece(&graph, &one, one.clusters()[u])) {
            let (a, b) = (one_modes.values[u * 2], two_modes.values[to[u] as usize * 2]);
            prop_assert!((a.abs() - b.abs()).abs() < 1e-9, "{} is not {}", a, b);
        }
    }

    #[test]
    fn batches_are_their_graphs_side_by_side(
        seed in any::<u64>(), first in 0..15_usize, second in 0..15_usize, degree in 0.0..5.0_f64,
    ) {
        let (one, two) = (case(seed, first, degree, Weights::Eighths), case(!seed, second, degree, Weights::Eighths));
        let shift = first as u32;
        let shifted = two.graph.iter().map(|(u, v, w)| (u + shift, v + shift, w));
        let both = Csr::from_weighted_edges(first + second, one.graph.iter().chain(shifted)).unwrap();
        let mut draws = one.draws;
        let mut tied = |count: usize| -> Vec<f32> { (0..count).map(|_| draws.below(5) as f32).collect() };
        let (edge_scores, node_scores) = (tied(both.entries()), tied(first + second));
        let side_by_side = |a: &Assigned, b: &Assigned| {
            let moved = b.clusters().iter().map(|c| c + a.supernodes() as u32);
            let clusters = a.clusters().iter().copied().chain(moved).collect();
            Assigned::new(clusters, a.supernodes() + b.supernodes()).unwrap()
        };
        let mut matcher = Matcher::default();
        let (left, right) = edge_scores.split_at(one.graph.entries());
        let a = matcher.contract(&one.graph, left).unwrap().assigned;
        let b = matcher.contract(&two.graph, right).unwrap().assigned;
        prop_assert_eq!(matcher.contract(&both, &edge_scores).unwrap().assigned, side_by_side(&a, &b));
        let (left, right) = node_scores.split_at(first);
        let a = independent_set(&one.graph, left, 2).unwrap().assigned;
        let b = independent_set(&two.graph, right, 2).unwrap().assigned;
        prop_assert_eq!(independent_set(&both, &node_scores, 2).unwrap().assigned, side_by_side(&a, &b));
        let tree = |graph: &Csr| coding_tree(graph, 2).unwrap()[0].clone();
        let to: Vec<u32> = (0..(first + second) as u32).collect();
        prop_assert!(same_parts(&tree(&both), &side_by_side(&tree(&one.graph), &tree(&two.graph)), &to));
    }
}

/// Renumbers the nodes of an assignment.
fn moved_nodes(assigned: &Assigned, to: &[u32]) -> Assigned {
    let mut clusters = vec![0; to.len()];
    for (&c, &place) in assigned.clusters().iter().zip(to) {
        clusters[place as usize] = c;
    }
    Assigned::new(clusters, assigned.supernodes()).unwrap()
}

fn in_one_piece(graph: &Csr, assigned: &Assigned, cluster: u32) -> bool {
    let inside = |u: u32| assigned.clusters()[u as usize] == cluster;
    let edges = graph.iter().filter(|e| inside(e.0) && inside(e.1));
    let inner = Csr::from_edges(graph.rows(), edges.map(|e| (e.0, e.1))).unwrap();
    let hops = distances(&inner);
    let members: Vec<usize> = (0..graph.rows()).filter(|&u| inside(u as u32)).collect();
    members
        .iter()
        .all(|&u| members.iter().all(|&v| hops[u][v] < graph.rows()))
}
