//! The search on a graph in parts against the search on the whole graph.

use bnpool_community::description_length::{Density, Planted, WeightModel};
use bnpool_community::divided::{DividedError, Judged, find_divided};
use bnpool_community::search::{
    Evidence, Judge, SearchConfig, Structure, Verdict, find, own_probability,
};
use bnpool_community::{CommunityError, Links, Partition};
use bnpool_graph::divide::{Held, PartSource};
use bnpool_graph::generate::Sbm;
use bnpool_graph::structure::{NodeOrder, split_disconnected};
use bnpool_graph::{Csr, Graph};
use bnpool_io::format::container::ContainerParts;
use bnpool_io::format::container::write_container;
use bnpool_math::metrics::adjusted_mutual_information;
use bnpool_math::stream::{Purpose, Stream};
use bnpool_parallel::{Alone, Threads};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

fn planted(nodes: usize, blocks: usize, degree: f64, inside: f64, seed: u64) -> Graph {
    let model = Sbm::with_degree(nodes, blocks, degree, inside).unwrap();
    model.generate(seed).unwrap()
}

/// Shuffles the nodes of a graph.
fn shuffled(graph: &Graph, seed: u64) -> Graph {
    let mut nodes: Vec<u32> = (0..graph.nodes() as u32).collect();
    let stream = Stream::new(seed, Purpose::Other(1), 0);
    stream.draws(0).shuffle(&mut nodes);
    NodeOrder::new(nodes).unwrap().apply(graph)
}

fn config(seed: u64) -> SearchConfig {
    SearchConfig {
        seed,
        ..SearchConfig::default()
    }
}

fn divided(source: &dyn PartSource, seed: u64) -> Result<Evidence, DividedError> {
    find_divided(
        source,
        &Alone,
        &config(seed),
        &|_| ControlFlow::Continue(()),
    )
}

fn agreement(found: &Evidence, graph: &Graph) -> f64 {
    adjusted_mutual_information(found.partition.labels(), graph.node_labels().unwrap())
}

#[test]
fn planted_groups_are_found_as_well_as_on_the_whole_graph_in_any_order() {
    for (nodes, blocks, degree, inside) in [(2000, 10, 10.0, 0.8), (3000, 60, 9.0, 0.85)] {
        for seed in 0..3 {
            let graph = planted(nodes, blocks, degree, inside, seed);
            for graph in [graph.clone(), shuffled(&graph, seed)] {
                let links = Links::new(graph.adjacency()).unwrap();
                let whole = find(&links, &config(seed), &|_| ControlFlow::Continue(())).unwrap();
                let source = Held::new(graph.clone(), 3000);
                let parts = divided(&source, seed).unwrap();
                assert_eq!(parts.verdict, Verdict::Communities);
                let (own, other) = (agreement(&parts, &graph), agreement(&whole, &graph));
                assert!(own >= other - 0.01, "{own} against {other}");
                assert_eq!(parts.partition.groups(), whole.partition.groups());
                assert!((parts.trivial - whole.trivial).abs() < 1e-6 * whole.trivial);
            }
        }
    }
}

#[test]
fn sigma_is_that_of_the_labels_on_the_whole_graph() {
    let graph = shuffled(&planted(1500, 12, 9.0, 0.8, 4), 4);
    let found = divided(&Held::new(graph.clone(), 2000), 0).unwrap();
    let links = Links::new(graph.adjacency()).unwrap();
    let source = Held::new(graph.clone(), 900);
    for candidate in &found.candidates {
        let Judge::Planted(density) = candidate.judge else {
            panic!("a model of communities");
        };
        let partition = &candidate.partition;
        let state = Planted::new(&links, partition, density, WeightModel::Ignored).unwrap();
        let scale = state.total().abs();
        assert!((candidate.total - state.total()).abs() < 1e-9 * scale);
        let judged = Judged::new(&source, &Alone, partition.clone(), density).unwrap();
        assert!((judged.total() - state.total()).abs() < 1e-9 * scale);
        let assortativity = state.assortativity();
        assert!((candidate.assortativity - assortativity).abs() < 1e-9);
        // Communities are connected.
        let pieces = split_disconnected(graph.adjacency(), partition.labels()).unwrap();
        let pieces = Partition::new(&pieces).groups() - found.isolated;
        assert_eq!(pieces, partition.groups());
    }
    let best = &found.best;
    let sure = own_probability(&links, &best.partition, best.judge, best.weights).unwrap();
    let Judge::Planted(density) = best.judge else {
        panic!("a model of communities");
    };
    let judged = Judged::new(&source, &Alone, best.partition.clone(), density).unwrap();
    for p in 0..source.cuts().parts() {
        let part = source.part(p).unwrap();
        for (u, own) in part.range().zip(judged.own_probability(&part)) {
            assert!((own - sure[u]).abs() < 1e-5, "{u}: {own} {}", sure[u]);
        }
    }
}

#[test]
fn ranks_parts_and_threads_change_nothing() {
    let graph = shuffled(&planted(1200, 8, 9.0, 0.8, 1), 1);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.safetensors");
    write_container(&path, std::slice::from_ref(&graph), None).unwrap();
    let wanted = divided(&Held::new(graph.clone(), 500), 5).unwrap();
    let same = |found: &Evidence, what: &str| {
        assert!(found.partition == wanted.partition, "{what}");
        assert_eq!(found.nats.to_bits(), wanted.nats.to_bits(), "{what}");
        assert!(found.best.path == wanted.best.path, "{what}");
        assert_eq!(found.interval, wanted.interval, "{what}");
    };
    for work in [1, 100, 4000, usize::MAX] {
        same(
            &divided(&Held::new(graph.clone(), work), 5).unwrap(),
            "parts",
        );
    }
    for ranks in [1, 2, 3, 4, 7] {
        // Seven ranks share four parts, so some own none.
        for work in [500, usize::MAX] {
            let found = Threads::run(ranks, |rank| {
                let source = ContainerParts::open(&path, work, 10_000).unwrap();
                find_divided(&source, &rank, &config(5), &|_| ControlFlow::Continue(())).unwrap()
            });
            for found in &found {
                same(found, &format!("{ranks} ranks"));
            }
        }
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let one = pool.unwrap().install(|| divided(&Held::new(graph, 500), 5));
    same(&one.unwrap(), "one thread");
}

#[test]
fn odd_graphs_have_defined_answers() {
    let bare = |nodes, edges: &[(u32, u32)]| {
        let adjacency = Csr::from_edges(nodes, edges.iter().copied()).unwrap();
        Held::new(Graph::builder(adjacency).build().unwrap(), 1)
    };
    let refused = |source: &Held| match divided(source, 0) {
        Err(DividedError::Community(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&bare(5, &[])), CommunityError::NoEdges);
    assert_eq!(refused(&bare(5, &[(2, 2)])), CommunityError::NoEdges);
    assert_eq!(refused(&bare(5, &[(2, 3)])), CommunityError::Directed);
    let weighted = Csr::from_weighted_edges(2, [(0, 1, 2.0), (1, 0, 2.0)]).unwrap();
    let weighted = Held::new(Graph::builder(weighted).build().unwrap(), 1);
    assert!(refused(&weighted).to_string().contains("weights"));
    // One edge, and many nodes without edges.
    let found = divided(&bare(50, &[(7, 30), (30, 7)]), 0).unwrap();
    assert_eq!((found.verdict, found.isolated), (Verdict::None, 48));
    assert_eq!(found.partition.groups(), 1);
    // A star: some parts have no internal edges, and one part is a single node.
    let edges: Vec<(u32, u32)> = (1..200).flat_map(|v| [(0, v), (v, 0)]).collect();
    let found = divided(&bare(200, &edges), 0).unwrap();
    assert_eq!(found.verdict, Verdict::None);
}

#[test]
fn nodes_without_edges_and_loops_are_as_on_the_whole_graph() {
    let graph = planted(900, 6, 10.0, 0.85, 2);
    let edges = graph.adjacency().iter().map(|(u, v, _)| (u, v));
    let edges: Vec<(u32, u32)> = edges.chain([(3, 3), (700, 700), (950, 950)]).collect();
    let graph = Graph::builder(Csr::from_edges(1000, edges).unwrap());
    let graph = graph.build().unwrap();
    let links = Links::new(graph.adjacency()).unwrap();
    let whole = find(&links, &config(0), &|_| ControlFlow::Continue(())).unwrap();
    let found = divided(&Held::new(graph, 700), 0).unwrap();
    // They may be in another group of equal size.
    let apart = |found: &Evidence| found.partition.labels()[..900].to_vec();
    assert!(adjusted_mutual_information(&apart(&found), &apart(&whole)) > 0.99);
    assert_eq!(found.partition.groups(), whole.partition.groups());
    assert!(found.partition.labels()[900..].iter().all(|&g| g == 0));
    assert_eq!((found.isolated, whole.isolated), (100, 100));
}

#[test]
fn random_graphs_have_no_communities() {
    let graph = planted(2000, 1, 8.0, 1.0, 0);
    let found = divided(&Held::new(graph, 3000), 0).unwrap();
    assert_eq!(found.verdict, Verdict::None);
    assert_eq!(found.interval.weights, [(1, 1.0)]);
}

#[test]
fn an_observer_of_any_rank_stops_all_of_them() {
    let graph = planted(600, 6, 9.0, 0.8, 0);
    let source = Held::new(graph, 500);
    let ended = Threads::run(3, |rank| {
        let calls = AtomicUsize::new(0);
        let last = bnpool_parallel::Collective::rank(&rank) == 1;
        find_divided(&source, &rank, &config(0), &|_| {
            if last && calls.fetch_add(1, Ordering::Relaxed) == 20 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    });
    for found in ended {
        assert!(matches!(
            found,
            Err(DividedError::Community(CommunityError::Stopped))
        ));
    }
    let blocks = SearchConfig {
        structure: Structure::Blocks,
        ..SearchConfig::default()
    };
    let refused = find_divided(&source, &Alone, &blocks, &|_| ControlFlow::Continue(()));
    assert!(refused.unwrap_err().to_string().contains("blocks"));
}

#[test]
fn a_given_division_is_a_start() {
    let graph = planted(800, 8, 9.0, 0.8, 3);
    let truth = Partition::new(graph.node_labels().unwrap());
    let source = Held::new(graph, 900);
    let given = SearchConfig {
        given: vec![truth.clone()],
        ..SearchConfig::default()
    };
    let found = find_divided(&source, &Alone, &given, &|_| ControlFlow::Continue(())).unwrap();
    assert!(found.candidates.len() == 3);
    let judged = Judged::new(&source, &Alone, truth, Density::RelativeOwn).unwrap();
    assert!(found.best.total <= judged.total() + 1e-6);
}
