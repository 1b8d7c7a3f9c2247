//! Tests of communities of a graph in parts.

use bnpool::parallel::{Alone, Collective, Threads};
use bnpool::pool::Reconstruction;
use bnpool_graph::divide::{Held, PartSource};
use bnpool_graph::generate::Sbm;
use bnpool_graph::structure::{community_statistics, modularity};
use bnpool_graph::{Csr, Graph};
use bnpool_io::format::container::ContainerParts;
use bnpool_io::format::container::write_container;
use bnpool_math::metrics::adjusted_mutual_information;
use bnpool_task::TaskError;
use bnpool_task::cluster::{ClusterConfig, Communities, Room, Trainer};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

fn planted(nodes: usize, groups: usize, seed: u64) -> Graph {
    let model = Sbm::with_degree(nodes, groups, 10.0, 0.85).expect("a model");
    model.generate(seed).expect("a graph")
}

fn config(divide: usize) -> ClusterConfig {
    let mut config = ClusterConfig::default();
    config.search.divide = divide;
    config.training.epochs = 12;
    // The loss that is selected for graphs that are large enough to be divided.
    config.pooler.loss = Reconstruction::Sparse;
    config
}

fn go_on<T>(_: T) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Trains to the end.
fn finish(mut trainer: Trainer) -> Communities {
    while trainer.advance().expect("an epoch").is_some() {}
    trainer.finish().expect("communities")
}

fn on_rank(source: Arc<dyn PartSource>, engine: Arc<dyn Collective>, room: &Room) -> Communities {
    finish(Trainer::divided(source, engine, &config(1), room, &go_on).expect("a trainer"))
}

#[test]
fn planted_communities_are_found_as_in_the_whole() {
    for seed in 0..3 {
        let graph = planted(800, 7, seed);
        let truth = graph.node_labels().expect("planted").to_vec();
        let whole = bnpool_task::cluster(&graph, &config(0), |_| ControlFlow::Continue(()))
            .expect("communities");
        assert!(
            !config(1).divides(&graph),
            "classes are compared in the whole"
        );
        let bare = Graph::builder(graph.adjacency().clone())
            .build()
            .expect("a graph");
        let found = bnpool_task::cluster(&bare, &config(1), |_| ControlFlow::Continue(()))
            .expect("communities");
        let agreement = |c: &Communities| adjusted_mutual_information(&c.labels, &truth);
        assert!(agreement(&found) >= agreement(&whole) - 0.01, "seed {seed}");
        assert_eq!(found.count.communities, whole.count.communities);
        // Counts of parts add up to those of the whole graph.
        let adjacency = graph.adjacency();
        let expected = modularity(adjacency, &found.labels).expect("labels");
        assert!((found.modularity - expected).abs() < 1e-12);
        let expected = community_statistics(adjacency, &found.labels).expect("labels");
        let statistics: Vec<_> = found.communities.iter().map(|c| c.statistics).collect();
        assert_eq!(statistics, expected);
        let known = found.in_parts.as_ref().expect("a graph in parts");
        let crossing: f32 = known.between.iter().map(|link| link.2).sum();
        let cut: usize = expected.iter().map(|c| c.cut_edges).sum();
        assert_eq!(crossing as usize, cut);
        assert_eq!(found.confidence.len(), 800);
        assert!(found.confidence.iter().all(|&p| p > 0.0 && p <= 1.0));
        let evidence = found.evidence.as_ref().expect("evidence");
        let nats = whole.evidence.as_ref().expect("evidence").nats;
        assert!(
            (evidence.nats - nats).abs() < 0.02 * nats,
            "{} {nats}",
            evidence.nats
        );
        let (own, other) = (found.losses["loss_rec"], whole.losses["loss_rec"]);
        assert!((own - other).abs() < 0.03 * other, "{own} and {other}");
        let file = tempfile::NamedTempFile::new().expect("a file");
        found.save(file.path()).expect("saved");
        let mut loaded = Communities::load(file.path()).expect("loaded");
        // The arrays of a file have another order.
        let place = |name: &str| found.parameters.iter().position(|t| t.name == name);
        loaded.parameters.sort_by_key(|t| place(&t.name));
        assert!(loaded == found, "what is loaded differs");
        // Each community is a node of the graph of communities.
        let (drawn, shown) = found.as_graph().expect("a graph").expect("in parts");
        assert_eq!(drawn.nodes(), found.communities.len());
        assert_eq!(shown.raw_assignments.len(), drawn.nodes() * found.clusters);
        for row in shown.raw_assignments.chunks_exact(found.clusters) {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        }
    }
}

#[test]
fn ranks_files_and_memory_change_no_bit() {
    let graph = planted(500, 5, 4);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("graph.safetensors");
    write_container(&path, std::slice::from_ref(&graph), None).expect("a container");
    let held: Arc<dyn PartSource> = Arc::new(Held::new(graph, 900));
    let file: Arc<dyn PartSource> =
        Arc::new(ContainerParts::open(&path, 900, 0).expect("a container"));
    let want = on_rank(held.clone(), Arc::new(Alone), &Room::default());
    // Less than all rows need, but enough for one part at a time.
    let little = Room::new(Some(300_000), folder.path().to_path_buf());
    for (source, room) in [
        (&file, &Room::default()),
        (&file, &little),
        (&held, &little),
    ] {
        for ranks in [1, 2, 3, 11] {
            let got = Threads::run(ranks, |rank| on_rank(source.clone(), Arc::new(rank), room));
            assert_eq!(got[0], want, "{ranks} ranks, {room:?}");
            assert!(got.iter().all(|own| own.parameters == want.parameters));
        }
    }
}

#[test]
fn a_training_goes_on_with_another_number_of_ranks() {
    let source: Arc<dyn PartSource> = Arc::new(Held::new(planted(400, 4, 1), 900));
    let room = Room::default();
    let start = |engine: Arc<dyn Collective>| {
        Trainer::divided(source.clone(), engine, &config(1), &room, &go_on).expect("a trainer")
    };
    let want = finish(start(Arc::new(Alone)));
    let saved = Threads::run(3, |rank| {
        let mut trainer = start(Arc::new(rank));
        for _ in 0..4 {
            trainer.advance().expect("an epoch");
        }
        trainer.checkpoint()
    });
    let got = Threads::run(2, |rank| {
        let (source, engine, saved) = (source.clone(), Arc::new(rank), saved[0].clone());
        let trainer = Trainer::resume_divided(source, engine, &config(1), &room, &go_on, saved);
        finish(trainer.expect("a trainer"))
    });
    assert_eq!(got[0], want);
}

#[test]
fn odd_graphs_and_settings_are_refused_in_words() {
    let refused = |graph: &Graph, config: &ClusterConfig, room: &Room| {
        let source = Arc::new(Held::new(graph.clone(), 100));
        let made = Trainer::divided(source, Arc::new(Alone), config, room, &go_on);
        made.expect_err("refused").to_string()
    };
    let empty = Graph::builder(Csr::from_edges(50, []).expect("no edges"));
    let empty = empty.build().expect("a graph");
    let alone = bnpool_task::cluster(&empty, &config(0), |_| ControlFlow::Continue(()))
        .expect_err("no edges");
    assert_eq!(
        refused(&empty, &config(1), &Room::default()),
        alone.to_string()
    );
    let graph = planted(200, 4, 0);
    let mut several = config(1);
    several.training.starts = 3;
    assert!(refused(&graph, &several, &Room::default()).contains("several starts"));
    let tiny = Room::new(Some(1000), PathBuf::from("."));
    let said = refused(&graph, &config(1), &tiny);
    assert!(
        said.contains("needs about") && said.contains("raise `memory`"),
        "{said}"
    );
    // A rank without a folder for its rows reports this to all others.
    let nowhere = Room::new(Some(260_000), PathBuf::from("/nowhere"));
    let source: Arc<dyn PartSource> = Arc::new(Held::new(planted(500, 5, 4), 900));
    let errors: Vec<TaskError> = Threads::run(2, |rank| {
        let room = match rank.rank() {
            1 => nowhere.clone(),
            _ => Room::new(Some(260_000), std::env::temp_dir()),
        };
        let made = Trainer::divided(source.clone(), Arc::new(rank), &config(1), &room, &go_on);
        made.map(|_| ()).expect_err("no folder")
    });
    assert!(errors[0].to_string().contains("rank 1"), "{}", errors[0]);
    assert!(errors[1].to_string().contains("/nowhere"), "{}", errors[1]);
}
