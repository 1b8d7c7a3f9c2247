//! Tests of training: all poolers, levels, resuming, molecules.

use super::shapes::{draws, quick, run, set, shapes, split};
use bnpool::pool::POOLERS;
use bnpool_graph::{Graph, Matrix};
use bnpool_task::Preset;
use bnpool_task::learn::{FoldResult, FoldTrainer, LearnConfig, LearnData};
use bnpool_task::run::Checkpoint;

#[test]
fn every_pooler_learns_to_tell_rings_from_stars() {
    for entry in POOLERS {
        let mut config = quick(Preset::Authors);
        config.data.split = bnpool_task::learn::SplitKind::Folds;
        config.pooler.name = entry.name.into();
        // The authors' link loss of DiffPool is a hundred times the task loss.
        config.pooler.rivals = bnpool::pool::RivalConfig::default();
        config.model.hidden = 16;
        config.model.dropout = 0.0;
        config.training.epochs = 60;
        // Four validation graphs are often all correct by chance.
        config.training.monitor = bnpool_task::learn::Monitor::Loss;
        let data = LearnData::new(set(shapes(24, 0)), &config).expect("data");
        let (history, result) = run(&data, &config);
        assert_eq!(history.len(), 60, "{}", entry.name);
        let first = history[0].train_loss;
        let last = history[59].train_loss;
        assert!(last < 0.5 * first, "{}: {first} to {last}", entry.name);
        assert!(
            result.test >= Some(0.75),
            "{}: {:?}",
            entry.name,
            result.test
        );
        assert_eq!(result.clusters.len(), if entry.divides() { 4 } else { 0 });
    }
}

#[test]
fn pooled_graphs_are_pooled_again() {
    for entry in POOLERS {
        let mut config = quick(Preset::Paper);
        config.pooler.name = entry.name.into();
        config.model.levels = 3;
        config.training.epochs = 3;
        let data = LearnData::new(set(shapes(24, 0)), &config).expect("data");
        let (history, result) = run(&data, &config);
        assert!(
            history.iter().all(|e| e.train_loss.is_finite()),
            "{}",
            entry.name
        );
        assert!(result.test.is_some());
    }
}

#[test]
fn the_first_good_epoch_is_not_the_best_of_equals() {
    // Four validation graphs are often all correct by chance.
    let mut config = quick(Preset::Default);
    config.model.hidden = 16;
    config.training.epochs = 60;
    let data = LearnData::new(set(shapes(24, 0)), &config).expect("data");
    let (history, result) = run(&data, &config);
    let best = history.iter().filter_map(|e| e.val).fold(0.0, f64::max);
    let equals = || history.iter().filter(|e| e.val == Some(best));
    let first = equals().next().expect("an epoch").epoch;
    let least = equals().map(|e| e.val_loss).fold(f64::MAX, f64::min);
    assert!(
        result.best_epoch > first,
        "{} of {first}",
        result.best_epoch
    );
    let chosen = history[result.best_epoch - 1].val_loss;
    assert!(chosen < least + 2e-3, "{chosen} is not {least}");
    assert_eq!((result.val, result.test), (Some(1.0), Some(1.0)));
}

fn sorted(mut result: FoldResult) -> FoldResult {
    result.model.sort_by(|a, b| a.name.cmp(&b.name));
    result
}

#[test]
fn a_resumed_fold_ends_with_the_same_bytes_on_any_threads() {
    for entry in POOLERS {
        let pooler = entry.name;
        let mut config = quick(Preset::Authors);
        config.pooler.name = pooler.into();
        config.pooler.loss = bnpool::pool::Reconstruction::Sparse;
        config.model.standardise = pooler == "bn";
        let data = LearnData::new(set(shapes(24, 2)), &config).expect("data");
        let (history, whole) = run(&data, &config);
        let split = split();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("checkpoint.safetensors");
        for cut in [1, 4] {
            let mut first = FoldTrainer::new(&data, &config, 0, &split).expect("a trainer");
            for _ in 0..cut {
                first.advance().expect("an epoch");
            }
            first.checkpoint().write(&path).expect("written");
            let saved = Checkpoint::read(&path).expect("read");
            let threads = rayon::ThreadPoolBuilder::new().num_threads(cut).build();
            threads.expect("threads").install(|| {
                let mut second =
                    FoldTrainer::resume(&data, &config, 0, &split, saved).expect("a trainer");
                for epoch in &history[cut..] {
                    assert_eq!(second.advance().expect("an epoch").as_ref(), Some(epoch));
                }
                let end = second.finish().expect("a result");
                // The arrays of a file have another order.
                assert_eq!(sorted(end), sorted(whole.clone()));
            });
        }
    }
}

#[test]
fn molecules_are_learned_from() {
    let mut random = draws(3);
    let graphs: Vec<Graph> = shapes(24, 0)
        .into_iter()
        .map(|graph| {
            let mut categories = |rows: usize, counts: &[usize]| {
                let all = counts.iter().cycle().take(rows * counts.len());
                let values = all.map(|&c| random.below(c as u64) as f32).collect();
                Matrix::new(rows, counts.len(), values).expect("categories")
            };
            let atoms = categories(graph.nodes(), &bnpool::nn::ATOM_CATEGORIES);
            let bonds = categories(graph.edges(), &bnpool::nn::BOND_CATEGORIES);
            graph
                .into_builder()
                .features(atoms)
                .edge_features(bonds)
                .build()
                .expect("a molecule")
        })
        .collect();
    for preset in [Preset::Paper, Preset::Authors] {
        let mut config = LearnConfig::preset(preset, Some("ogbg-molhiv"));
        config.model.hidden = 8;
        config.model.encoder_width = 6;
        config.training.epochs = 2;
        let data = LearnData::new(set(graphs.clone()), &config).expect("data");
        let (history, result) = run(&data, &config);
        assert!(history.iter().all(|e| e.train_loss.is_finite()));
        assert!(result.model.iter().any(|t| t.name == "encoder.atoms.table"));
    }
    let config = LearnConfig::preset(Preset::Paper, Some("ogbg-molhiv"));
    let error = LearnData::new(set(shapes(6, 0)), &config).expect_err("no molecules");
    assert!(
        error.to_string().contains("2 node features, but 9"),
        "{error}"
    );
}
