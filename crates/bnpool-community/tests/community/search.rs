//! The search on graphs with known structure.

use bnpool_community::description_length::WeightModel;
use bnpool_community::search::{Evidence, Judge, SearchConfig, Stage, Structure, Verdict, find};
use bnpool_community::{CommunityError, Links, Partition};
use bnpool_graph::generate::Sbm;
use bnpool_graph::structure::split_disconnected;
use bnpool_graph::{Csr, Graph};
use bnpool_math::metrics::normalised_mutual_information;
use bnpool_math::stream::{Purpose, Stream};
use std::ops::ControlFlow;
use std::sync::Mutex;

fn search(links: &Links, structure: Structure) -> Evidence {
    let config = SearchConfig {
        structure,
        ..SearchConfig::default()
    };
    find(links, &config, &|_| ControlFlow::Continue(())).unwrap()
}

fn sbm(sizes: &[usize], inside: f64, between: f64, seed: u64) -> Graph {
    let k = sizes.len();
    let p = |i: usize| if i / k == i % k { inside } else { between };
    let probabilities = (0..k * k).map(p).collect();
    Sbm::new(sizes.to_vec(), probabilities)
        .unwrap()
        .generate(seed)
        .unwrap()
}

fn agreement(graph: &Graph, partition: &Partition) -> f64 {
    normalised_mutual_information(graph.node_labels().unwrap(), partition.labels())
}

#[test]
fn planted_communities_are_found_with_their_number() {
    for (sizes, inside, between, least) in [
        (vec![100; 6], 0.12, 0.004, 0.99),
        (vec![20, 40, 60, 120, 240], 0.2, 0.01, 0.95),
        (vec![200; 5], 0.03, 0.0015, 0.9),
        (vec![10; 80], 0.9, 0.002, 0.99),
    ] {
        let graph = sbm(&sizes, inside, between, 1);
        let links = Links::new(graph.adjacency()).unwrap();
        let found = search(&links, Structure::Auto);
        assert_eq!(found.verdict, Verdict::Communities, "{sizes:?}");
        assert_eq!(found.partition.groups(), sizes.len(), "{sizes:?}");
        assert!(agreement(&graph, &found.partition) > least, "{sizes:?}");
        assert!(found.interval.low <= sizes.len() && sizes.len() <= found.interval.high);
        let pieces = split_disconnected(graph.adjacency(), found.partition.labels()).unwrap();
        let isolated = found.isolated;
        assert!(Partition::new(&pieces).groups() <= sizes.len() + isolated);
        assert!((found.trivial - found.best.total - found.nats).abs() < 1e-6);
    }
}

#[test]
fn groups_that_avoid_themselves_are_blocks() {
    for seed in 0..3 {
        let graph = sbm(&[150; 4], 0.01, 0.08, seed);
        let links = Links::new(graph.adjacency()).unwrap();
        for structure in [Structure::Auto, Structure::Blocks] {
            let found = search(&links, structure);
            assert_eq!(found.verdict, Verdict::Blocks);
            assert_eq!(found.partition.groups(), 4);
            assert!(agreement(&graph, &found.partition) > 0.95);
        }
        let found = search(&links, Structure::Communities);
        assert_eq!(found.verdict, Verdict::None);
    }
    let bipartite = sbm(&[40, 60], 0.0, 0.2, 0);
    let links = Links::new(bipartite.adjacency()).unwrap();
    let found = search(&links, Structure::Auto);
    assert_eq!(found.verdict, Verdict::Blocks);
    assert_eq!(agreement(&bipartite, &found.partition), 1.0);
}

#[test]
fn random_graphs_have_no_communities() {
    for (nodes, degree, seed) in [(500, 10.0, 0), (500, 10.0, 1), (200, 4.0, 2), (60, 5.0, 3)] {
        let graph = Sbm::with_degree(nodes, 1, degree, 1.0)
            .unwrap()
            .generate(seed)
            .unwrap();
        let found = search(&Links::new(graph.adjacency()).unwrap(), Structure::Auto);
        assert_eq!(found.verdict, Verdict::None, "{nodes} {degree} {seed}");
        assert_eq!(found.partition.groups(), 1);
        assert_eq!((found.interval.low, found.interval.high), (1, 1));
        assert!(
            found.best.partition.groups() > 1,
            "the best partition is kept"
        );
        assert!(found.null.is_some() && found.nats < 0.0);
    }
}

/// Zachary's karate club.
const KARATE: [(u32, u32); 78] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (0, 5),
    (0, 6),
    (0, 7),
    (0, 8),
    (0, 10),
    (0, 11),
    (0, 12),
    (0, 13),
    (0, 17),
    (0, 19),
    (0, 21),
    (0, 31),
    (1, 2),
    (1, 3),
    (1, 7),
    (1, 13),
    (1, 17),
    (1, 19),
    (1, 21),
    (1, 30),
    (2, 3),
    (2, 7),
    (2, 8),
    (2, 9),
    (2, 13),
    (2, 27),
    (2, 28),
    (2, 32),
    (3, 7),
    (3, 12),
    (3, 13),
    (4, 6),
    (4, 10),
    (5, 6),
    (5, 10),
    (5, 16),
    (6, 16),
    (8, 30),
    (8, 32),
    (8, 33),
    (9, 33),
    (13, 33),
    (14, 32),
    (14, 33),
    (15, 32),
    (15, 33),
    (18, 32),
    (18, 33),
    (19, 33),
    (20, 32),
    (20, 33),
    (22, 32),
    (22, 33),
    (23, 25),
    (23, 27),
    (23, 29),
    (23, 32),
    (23, 33),
    (24, 25),
    (24, 27),
    (24, 31),
    (25, 31),
    (26, 29),
    (26, 33),
    (27, 33),
    (28, 31),
    (28, 33),
    (29, 32),
    (29, 33),
    (30, 32),
    (30, 33),
    (31, 32),
    (31, 33),
    (32, 33),
];

fn karate() -> Csr {
    let both = KARATE.iter().flat_map(|&(u, v)| [(u, v), (v, u)]);
    Csr::from_edges(34, both).unwrap()
}

#[test]
fn the_karate_club_is_weak_evidence_and_shown() {
    let found = search(&Links::new(&karate()).unwrap(), Structure::Auto);
    assert_eq!(found.verdict, Verdict::Weak);
    assert_eq!(found.partition.groups(), 2);
    assert!(found.nats < 0.0 && found.nats > -10.0);
    let null = found.null.expect("a comparison");
    assert!(null.as_good == 0 && null.p_value() <= 0.05);
    // The interval contains both the one group that Σ prefers and the answer.
    assert_eq!(found.interval.low, 1);
    assert!(found.interval.high >= 2);
}

#[test]
fn leiden_reaches_the_best_modularity_of_the_karate_club() {
    use bnpool_community::leiden::{LeidenConfig, leiden};
    let graph = karate();
    let found = leiden(&Links::new(&graph).unwrap(), &LeidenConfig::default()).unwrap();
    let q = bnpool_graph::structure::modularity(&graph, found.labels()).unwrap();
    assert!((q - 0.4198).abs() < 1e-4, "{q}");
}

#[test]
fn groups_that_only_weights_show_are_found() {
    let mut draws = Stream::new(3, Purpose::Other(7), 0).draws(0);
    let mut edges = Vec::new();
    for u in 0..120_u32 {
        for v in 0..u {
            let mean = if u / 40 == v / 40 { 2.0 } else { 1.0 };
            let weight = (-(1.0 - draws.uniform()).ln() * mean) as f32 + 1e-3;
            edges.extend([(u, v, weight), (v, u, weight)]);
        }
    }
    let links = Links::new(&Csr::from_weighted_edges(120, edges).unwrap()).unwrap();
    let found = search(&links, Structure::Auto);
    assert_eq!(found.verdict, Verdict::Communities);
    assert_eq!(found.partition.groups(), 3);
    assert_ne!(found.best.weights, WeightModel::Ignored);
    let truth: Vec<u32> = (0..120).map(|u| u / 40).collect();
    let agreement = normalised_mutual_information(&truth, found.partition.labels());
    assert!(agreement > 0.85, "{agreement}");
}

#[test]
fn weights_that_say_nothing_do_not_hurt() {
    let graph = sbm(&[50; 4], 0.3, 0.01, 5);
    let mut draws = Stream::new(4, Purpose::Other(7), 0).draws(0);
    let mut edges = Vec::new();
    for (u, v, _) in graph.adjacency().iter().filter(|(u, v, _)| v < u) {
        let weight = draws.uniform() as f32 + 0.5;
        edges.extend([(u, v, weight), (v, u, weight)]);
    }
    let links = Links::new(&Csr::from_weighted_edges(200, edges).unwrap()).unwrap();
    let found = search(&links, Structure::Auto);
    assert_eq!(found.partition.groups(), 4);
    assert_eq!(found.best.weights, WeightModel::Ignored);
}

/// Directs the edges of a graph: those between groups `r` and `r + 1` (modulo
/// their number) mostly forwards, others at random, and a fraction both ways.
fn directed(graph: &Graph, groups: u32, forwards: f64, both: f64) -> Links {
    let labels = graph.node_labels().unwrap();
    let mut draws = Stream::new(5, Purpose::Other(1), 0).draws(0);
    let mut edges = Vec::new();
    for (u, v, _) in graph.adjacency().iter().filter(|(u, v, _)| u < v) {
        let (r, s) = (labels[u as usize], labels[v as usize]);
        let chance = match (r, s) {
            _ if (r + 1) % groups == s && r != s => forwards,
            _ if (s + 1) % groups == r && r != s => 1.0 - forwards,
            _ => 0.5,
        };
        if draws.uniform() < both {
            edges.extend([(u, v), (v, u)]);
        } else {
            let forwards = draws.uniform() < chance;
            edges.push(if forwards { (u, v) } else { (v, u) });
        }
    }
    Links::directed(&Csr::from_edges(graph.nodes(), edges).unwrap()).unwrap()
}

#[test]
fn groups_that_only_directions_show_are_found() {
    for both in [0.0, 0.3] {
        // Equal edge density everywhere; r → r + 1 between groups.
        let graph = sbm(&[100; 3], 0.06, 0.06, 3);
        let links = directed(&graph, 3, 0.95, both);
        let found = search(&links, Structure::Auto);
        assert_eq!(found.verdict, Verdict::Blocks);
        assert_eq!(found.best.judge, Judge::DirectedBlocks);
        assert_eq!(found.partition.groups(), 3);
        assert!(agreement(&graph, &found.partition) > 0.95, "{both}");
        assert!((found.trivial - found.best.total - found.nats).abs() < 1e-6);
        let without = search(&links.undirected(), Structure::Auto);
        assert_eq!(without.verdict, Verdict::None);
    }
}

#[test]
fn directions_that_say_nothing_do_not_hurt() {
    for (sizes, inside, between, both, structure) in [
        (vec![50; 4], 0.2, 0.01, 0.0, Structure::Auto),
        (vec![50; 4], 0.2, 0.01, 0.4, Structure::Blocks),
        (vec![60; 3], 0.02, 0.2, 0.3, Structure::Auto),
        (vec![200], 0.04, 0.0, 0.1, Structure::Auto),
    ] {
        let graph = sbm(&sizes, inside, between, 2);
        let links = directed(&graph, sizes.len() as u32, 0.5, both);
        let found = search(&links, structure);
        let without = search(&links.undirected(), structure);
        assert_ne!(found.best.judge, Judge::DirectedBlocks, "{sizes:?}");
        assert_eq!(found.partition, without.partition, "{sizes:?}");
        assert_eq!(found.verdict, without.verdict, "{sizes:?}");
    }
}

/// Graphs side by side, then nodes without edges.
fn side_by_side(graphs: &[&Csr], isolated: usize) -> Links {
    let (mut edges, mut first) = (Vec::new(), 0);
    for graph in graphs {
        edges.extend(graph.iter().map(|(u, v, _)| (first + u, first + v)));
        first += graph.rows() as u32;
    }
    Links::new(&Csr::from_edges(first as usize + isolated, edges).unwrap()).unwrap()
}

/// Cycles of two (an edge) or more nodes.
fn cycles(count: u32, size: u32) -> Csr {
    let edges = (0..count * size).flat_map(|u| {
        let v = u / size * size + (u + 1) % size;
        [(u, v), (v, u)]
    });
    let edges: std::collections::BTreeSet<(u32, u32)> = edges.collect();
    Csr::from_edges((count * size) as usize, edges).unwrap()
}

#[test]
fn small_pieces_hide_nothing() {
    let planted = sbm(&[50; 4], 0.25, 0.02, 4);
    let alone = search(&Links::new(planted.adjacency()).unwrap(), Structure::Auto);
    assert_eq!(
        (alone.verdict, alone.partition.groups()),
        (Verdict::Communities, 4)
    );
    for (count, size) in [(20, 2), (200, 2), (200, 3), (30, 7)] {
        let links = side_by_side(&[planted.adjacency(), &cycles(count, size)], 3);
        let found = search(&links, Structure::Auto);
        assert_eq!(found.verdict, Verdict::Communities);
        assert_eq!(found.nats, alone.nats);
        assert_eq!(found.partition.groups(), 4 + count as usize);
        assert_eq!(found.isolated, 3);
        let core = Partition::new(&found.partition.labels()[..200]);
        assert_eq!(core, alone.partition);
        assert!(found.interval.low >= alone.interval.low + count as usize);
        // The path leads through the answer to one group.
        let path = &found.best.path;
        assert_eq!(path.cut(4 + count as usize).unwrap(), found.best.partition);
        assert_eq!(path.coarsest(), 1);
        assert!((path.total(4 + count as usize).unwrap() - found.best.total).abs() < 1e-6);
        let sure = found.probabilities(&links, &found.partition).unwrap();
        let own = alone
            .probabilities(&links_of(&planted), &alone.partition)
            .unwrap();
        assert_eq!(sure[..200], own);
    }
    // Components alone are not evidence.
    for size in [2, 3, 9] {
        let links = side_by_side(&[&cycles(100, size)], 0);
        let found = search(&links, Structure::Auto);
        assert_eq!(
            (found.verdict, found.partition.groups()),
            (Verdict::None, 1)
        );
        assert!(found.nats <= 0.0 && found.best.partition.groups() > 1);
    }
}

fn links_of(graph: &Graph) -> Links {
    Links::new(graph.adjacency()).unwrap()
}

#[test]
fn graphs_side_by_side_have_the_groups_of_each() {
    let communities = sbm(&[60, 40, 30], 0.3, 0.02, 1);
    let blocks = sbm(&[60; 3], 0.01, 0.25, 2);
    let random = sbm(&[150], 0.05, 0.0, 3);
    let club = karate();
    let graphs = [
        communities.adjacency(),
        blocks.adjacency(),
        random.adjacency(),
        &club,
    ];
    let links = side_by_side(&graphs, 5);
    let found = search(&links, Structure::Auto);
    let (mut first, mut groups, mut nats) = (0, 0, 0.0);
    for graph in graphs {
        let alone = search(&Links::new(graph).unwrap(), Structure::Auto);
        let labels = &found.partition.labels()[first..first + graph.rows()];
        assert_eq!(Partition::new(labels), alone.partition);
        first += graph.rows();
        groups += alone.partition.groups();
        if alone.verdict != Verdict::None {
            nats += alone.nats;
        }
    }
    assert_eq!(found.partition.groups(), groups);
    assert!((found.nats - nats).abs() < 1e-9);
    let length = |partition: &Partition| found.length(&links, partition).unwrap();
    assert!(length(&found.partition) < length(&Partition::trivial(links.nodes())));
}

#[test]
fn nodes_without_edges_change_nothing() {
    let graphs = [karate(), sbm(&[40; 3], 0.3, 0.02, 6).adjacency().clone()];
    for graph in &graphs {
        let alone = search(&Links::new(graph).unwrap(), Structure::Auto);
        for isolated in [1, 5, 200] {
            let found = search(&side_by_side(&[graph], isolated), Structure::Auto);
            assert_eq!((found.verdict, found.nats), (alone.verdict, alone.nats));
            assert_eq!(
                (found.isolated, &found.interval),
                (isolated, &alone.interval)
            );
            let labels = &found.partition.labels()[..graph.rows()];
            assert_eq!(labels, alone.partition.labels());
        }
    }
}

#[test]
fn blocks_of_chance_are_none() {
    // A random graph with a hub, a star, and preferential attachment.
    let random = sbm(&[200], 0.04, 0.0, 1);
    let mut edges: Vec<(u32, u32)> = random.adjacency().iter().map(|e| (e.0, e.1)).collect();
    edges.extend((0..120).flat_map(|u| [(200, u), (u, 200)]));
    let hub = Csr::from_edges(201, edges).unwrap();
    let star = (1..400_u32).flat_map(|u| [(0, u), (u, 0)]);
    let star = Csr::from_edges(400, star).unwrap();
    let mut draws = Stream::new(6, Purpose::Other(7), 0).draws(0);
    let mut ends = vec![0, 1];
    for u in 2..800_u32 {
        let v = ends[draws.below(ends.len() as u64) as usize];
        ends.extend([u, v]);
    }
    let tree = ends
        .chunks_exact(2)
        .flat_map(|e| [(e[0], e[1]), (e[1], e[0])]);
    let tree = Csr::from_edges(800, tree).unwrap();
    for graph in [hub, star, tree] {
        let links = Links::new(&graph).unwrap();
        for structure in [Structure::Auto, Structure::Blocks] {
            let found = search(&links, structure);
            assert_ne!(found.verdict, Verdict::Blocks);
            assert!(found.verdict != Verdict::None || found.nats <= 0.0);
        }
    }
}

#[test]
fn threads_change_nothing() {
    let graph = sbm(&[40; 5], 0.2, 0.02, 2);
    let links = Links::new(graph.adjacency()).unwrap();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| search(&links, Structure::Auto))
    };
    let (one, two) = (run(1), run(2));
    assert_eq!(one.partition, two.partition);
    assert_eq!(one.nats.to_bits(), two.nats.to_bits());
    assert_eq!(one.interval, two.interval);
    assert_eq!(one.candidates.len(), two.candidates.len());
    for (a, b) in one.candidates.iter().zip(&two.candidates) {
        assert_eq!(
            (a.total.to_bits(), &a.partition),
            (b.total.to_bits(), &b.partition)
        );
    }
}

#[test]
fn the_observer_hears_of_every_stage_and_may_stop() {
    let graph = sbm(&[30; 3], 0.3, 0.02, 2);
    let links = Links::new(graph.adjacency()).unwrap();
    let heard = Mutex::new(Vec::new());
    let listen = |progress: bnpool_community::search::Progress| {
        heard.lock().unwrap().push(progress.stage);
        ControlFlow::Continue(())
    };
    for structure in [Structure::Auto, Structure::Blocks] {
        let config = SearchConfig {
            structure,
            ..SearchConfig::default()
        };
        find(&links, &config, &listen).unwrap();
    }
    let heard = heard.into_inner().unwrap();
    for stage in [Stage::Starts, Stage::Communities, Stage::Blocks] {
        assert!(heard.contains(&stage));
    }
    let stopped = find(
        &links,
        &SearchConfig::default(),
        &|_| ControlFlow::Break(()),
    );
    assert_eq!(stopped.unwrap_err(), CommunityError::Stopped);
}

#[test]
fn odd_graphs_are_borne() {
    // One edge; a star; two components with an isolated node.
    let graphs: [(usize, &[(u32, u32)]); 3] = [
        (2, &[(0, 1)]),
        (5, &[(0, 1), (0, 2), (0, 3), (0, 4)]),
        (7, &[(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]),
    ];
    for (nodes, edges) in graphs {
        let both = edges.iter().flat_map(|&(u, v)| [(u, v), (v, u)]);
        let links = Links::new(&Csr::from_edges(nodes, both).unwrap()).unwrap();
        let found = search(&links, Structure::Auto);
        assert_eq!(found.partition.nodes(), nodes);
        assert!(found.interval.low <= found.partition.groups());
        assert!(found.interval.high >= found.partition.groups());
        search(&links, Structure::Blocks);
    }
}

#[test]
fn divisions_of_other_nodes_are_refused() {
    let links = Links::new(&karate()).unwrap();
    let config = SearchConfig {
        given: vec![Partition::trivial(3)],
        ..SearchConfig::default()
    };
    let error = find(&links, &config, &|_| ControlFlow::Continue(())).unwrap_err();
    assert!(error.to_string().contains("3 labels for 34 nodes"));
}

#[test]
fn nodes_without_edges_cost_nothing_however_many_a_file_announces() {
    // Two groups of 40, spread over four million nodes.
    let small = sbm(&[40, 40], 0.3, 0.01, 0);
    let spread = |u: u32| u * 50_000 + 7;
    let edges = small.adjacency().iter();
    let edges = edges.map(|(u, v, _)| (spread(u), spread(v)));
    let links = Links::new(&Csr::from_edges(4_000_000, edges).unwrap()).unwrap();
    let found = search(&links, Structure::Auto);
    let alone = search(&Links::new(small.adjacency()).unwrap(), Structure::Auto);
    assert_eq!((found.verdict, found.nats), (alone.verdict, alone.nats));
    assert_eq!(found.partition.nodes(), 4_000_000);
    assert_eq!(found.isolated, 4_000_000 - 80 + alone.isolated);
    assert_eq!(found.partition.groups(), 2);
    for u in 0..80 {
        let label = found.partition.labels()[spread(u) as usize];
        assert_eq!(label, alone.partition.labels()[u as usize]);
    }
    assert_eq!(found.partition.labels()[0], 0);
    let cut = found.best.path.cut(2).unwrap();
    assert!(cut == found.best.partition);
}
