//! Generated graphs obey their rules for any parameters.

use bnpool_graph::generate::{Community, Sbm};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn block_models_are_simple_graphs(
        sizes in proptest::collection::vec(0_usize..30, 1..6),
        inside in 0.0..=1.0_f64,
        between in 0.0..=1.0_f64,
        seed in any::<u64>(),
    ) {
        let blocks = sizes.len();
        let mut probabilities = vec![between; blocks * blocks];
        for block in 0..blocks {
            probabilities[block * (blocks + 1)] = inside;
        }
        let model = Sbm::new(sizes.clone(), probabilities).expect("good parameters");
        let graph = model.generate(seed).expect("a graph");
        prop_assert_eq!(graph.nodes(), sizes.iter().sum::<usize>());
        // A copy does not keep the symmetry recorded by the generator.
        let adjacency = graph.adjacency().without_weights();
        prop_assert!(adjacency.is_symmetric());
        let labels = graph.node_labels().expect("blocks");
        let mut counts = vec![0; blocks];
        for (u, &label) in labels.iter().enumerate() {
            counts[label as usize] += 1;
            prop_assert!(adjacency.find(u, u).is_none());
        }
        prop_assert_eq!(counts, sizes);
        for (u, v, _) in adjacency.iter() {
            let same = labels[u as usize] == labels[v as usize];
            let probability = if same { inside } else { between };
            prop_assert!(probability > 0.0);
        }
    }

    #[test]
    fn communities_are_simple_graphs(
        nodes in 1_usize..300,
        communities in 1_usize..20,
        seed in any::<u64>(),
    ) {
        let graph = Community { nodes, communities }.generate(seed).expect("a graph");
        prop_assert_eq!(graph.nodes(), nodes);
        let adjacency = graph.adjacency().without_weights();
        prop_assert!(adjacency.is_symmetric());
        prop_assert!((0..nodes).all(|u| adjacency.find(u, u).is_none()));
        let labels = graph.node_labels().expect("communities");
        prop_assert!(labels.is_sorted());
        prop_assert!(labels.iter().all(|&label| (label as usize) < communities));
    }
}

#[test]
fn large_block_models_have_the_degree_asked_for() {
    for inside in [0.8, 0.0] {
        let model = Sbm::with_degree(200_000, 100, 10.0, inside).expect("good parameters");
        let graph = model.generate(1).expect("a graph");
        let share = graph.edges() as f64 / 2_000_000.0;
        assert!((share - 1.0).abs() < 0.01, "{share} with {inside} inside");
    }
}
