//! Communities of one graph: found, repeatable, and resumable.

use bnpool::task::Preset;
use bnpool::task::TaskError;
use bnpool::task::cluster::{ClusterConfig, ClusterResult, Trainer, interval_90};
use bnpool::train::Checkpoint;
use bnpool_graph::Graph;
use bnpool_graph::dataset::builtin_community;
use bnpool_graph::generate::Sbm;

fn planted(nodes: usize, blocks: usize, inside: f64, outside: f64) -> Graph {
    Sbm::planted(nodes, blocks, inside, outside)
        .and_then(|model| model.generate(7))
        .expect("a planted graph")
}

fn run(graph: &Graph, config: &ClusterConfig) -> ClusterResult {
    let mut trainer = Trainer::new(graph, config).expect("a trainer");
    while trainer.advance().expect("an epoch").is_some() {}
    trainer.finish().expect("a result")
}

fn quick(epochs: usize) -> ClusterConfig {
    let mut config = ClusterConfig::preset(Preset::Fast);
    config.training.epochs = epochs;
    config.training.annealing = epochs / 2;
    config.evaluation.samples = 10;
    config
}

#[test]
fn planted_communities_are_found_without_features() {
    for (nodes, blocks, inside, outside) in [
        (200, 4, 0.25, 0.01),
        (300, 6, 0.3, 0.01),
        (240, 3, 0.15, 0.01),
    ] {
        let graph = planted(nodes, blocks, inside, outside);
        assert_eq!(graph.features().width(), 0, "the structure alone");
        let result = run(&graph, &quick(200));
        let nmi = result.mean_agreement.expect("classes").nmi;
        assert!(nmi >= 0.95, "{blocks} of {nodes}: NMI {nmi}");
        let found = result.communities.len();
        assert!(
            found.abs_diff(blocks) <= 1,
            "{blocks} of {nodes}: found {found}"
        );
    }
}

#[test]
fn a_resumed_run_ends_with_the_same_bytes() {
    let graph = builtin_community().expect("the graph");
    let mut config = quick(12);
    config.training.starts = 2;
    config.training.estimated = 5;
    let mut whole = Trainer::new(&graph, &config).expect("a trainer");
    let mut history = Vec::new();
    while let Some(epoch) = whole.advance().expect("an epoch") {
        history.push(epoch);
    }
    assert_eq!(history.len(), 24);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("checkpoint.safetensors");
    let bytes = |trainer: &Trainer| {
        let path = folder.path().join("end.safetensors");
        trainer.checkpoint().write(&path).expect("written");
        std::fs::read(&path).expect("bytes")
    };
    // Within the first start, at its end, and within the second.
    for cut in [1, 7, 12, 13, 20] {
        let mut first = Trainer::new(&graph, &config).expect("a trainer");
        for _ in 0..cut {
            first.advance().expect("an epoch");
        }
        first.checkpoint().write(&path).expect("written");
        let saved = Checkpoint::read(&path).expect("read");
        let mut second = Trainer::resume(&graph, &config, saved).expect("a trainer");
        assert_eq!(second.epochs(), cut);
        for epoch in &history[cut..] {
            assert_eq!(second.advance().expect("an epoch").as_ref(), Some(epoch));
        }
        assert!(second.advance().expect("the end").is_none());
        assert!(bytes(&second) == bytes(&whole), "cut after {cut}");
    }
    let other = ClusterConfig {
        model: bnpool::task::cluster::ModelConfig {
            hidden: 16,
            ..config.model.clone()
        },
        ..config.clone()
    };
    let saved = Checkpoint::read(&path).expect("read");
    let error = Trainer::resume(&graph, &other, saved).expect_err("another model");
    assert!(error.to_string().contains("shape"), "{error}");
}

#[test]
fn the_best_of_several_starts_is_kept() {
    let graph = planted(120, 3, 0.3, 0.02);
    let mut config = quick(25);
    let single = run(&graph, &config);
    config.training.starts = 3;
    let best = run(&graph, &config);
    let total = |r: &ClusterResult| r.losses.values().sum::<f64>();
    // Judged over several samples, so one sample may differ a little.
    assert!(
        total(&best) <= total(&single) * 1.02,
        "{} and {}",
        total(&best),
        total(&single)
    );
    assert!((1..=3).contains(&best.start));
}

#[test]
fn the_dense_loss_can_be_estimated_at_first() {
    let graph = planted(200, 4, 0.25, 0.01);
    let mut config = quick(150);
    config.training.estimated = 120;
    let mut trainer = Trainer::new(&graph, &config).expect("a trainer");
    let mut losses = Vec::new();
    while let Some(epoch) = trainer.advance().expect("an epoch") {
        losses.push(epoch.loss("loss_rec").expect("a reconstruction"));
    }
    // The estimate means the same: what follows on it is close to it.
    let mean = |range: std::ops::Range<usize>| {
        let n = range.len() as f64;
        losses[range].iter().sum::<f64>() / n
    };
    let (before, after) = (mean(110..120), mean(120..130));
    assert!((before / after - 1.0).abs() < 0.1, "{before}, {after}");
    let result = trainer.finish().expect("a result");
    // No estimate, however small by chance, is the best epoch.
    assert!(result.best_epoch > 120, "epoch {}", result.best_epoch);
    assert!(result.mean_agreement.expect("classes").nmi >= 0.95);
}

#[test]
fn results_hang_together() {
    let graph = builtin_community().expect("the graph");
    let result = run(&graph, &quick(40));
    let clusters = 50;
    assert_eq!(result.assignments.len(), graph.nodes() * clusters);
    for (u, row) in result.assignments.chunks_exact(clusters).enumerate() {
        assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        let most = row.iter().copied().fold(0.0, f32::max);
        assert_eq!(result.confidence[u], most);
        assert!((0.0..=(clusters as f32).ln() + 1e-4).contains(&result.entropy[u]));
    }
    let sizes: Vec<usize> = result
        .communities
        .iter()
        .map(|c| c.statistics.size)
        .collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    assert_eq!(sizes.iter().sum::<usize>(), graph.nodes());
    assert_eq!(result.counts.argmax.len(), 10);
    let [low, high] = interval_90(&result.counts.non_empty);
    assert!(low <= high && high <= clusters);
}

#[test]
fn results_are_refused_before_the_end() {
    let graph = builtin_community().expect("the graph");
    let config = quick(3);
    let trainer = Trainer::new(&graph, &config).expect("a trainer");
    assert!(matches!(trainer.finish(), Err(TaskError::Unfinished)));
}
