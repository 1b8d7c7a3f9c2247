//! Dendrograms against sums from scratch.

use bnpool_community::description_length::{Blocks, Density, Planted, WeightModel};
use bnpool_community::merge::{
    Effort, agglomerate, agglomerate_blocks, improve, improve_blocks, settle, settle_blocks,
};
use bnpool_community::{Links, Partition};
use bnpool_graph::Csr;
use bnpool_graph::structure::split_disconnected;
use proptest::prelude::*;

const DENSITIES: [Density; 4] = [
    Density::Own,
    Density::Uniform,
    Density::Relative,
    Density::RelativeOwn,
];

/// A graph with weights and groups.
fn graphs() -> impl Strategy<Value = (Csr, Vec<u32>)> {
    (4_usize..20).prop_flat_map(|nodes| {
        let n = nodes as u32;
        let edges = prop::collection::vec((0..n, 0..n, 1_u32..6), 2..80);
        let labels = prop::collection::vec(0_u32..7, nodes);
        (edges, labels).prop_filter_map("an edge", move |(edges, labels)| {
            let mut seen = std::collections::BTreeMap::new();
            for (u, v, w) in edges.into_iter().filter(|(u, v, _)| u != v) {
                seen.insert((u.min(v), u.max(v)), w as f32);
            }
            let both = seen.iter().flat_map(|(&(u, v), &w)| [(u, v, w), (v, u, w)]);
            let graph = Csr::from_weighted_edges(nodes, both).ok()?;
            Links::new(&graph).ok()?;
            Some((graph, labels))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_cut_has_the_length_that_the_path_says((graph, labels) in graphs()) {
        let links = Links::new(&graph).unwrap();
        let partition = Partition::new(&labels);
        for model in [WeightModel::Ignored, WeightModel::Halves, WeightModel::Tail] {
            for density in DENSITIES {
                let state = Planted::new(&links, &partition, density, model).unwrap();
                let path = agglomerate(&state);
                prop_assert_eq!((path.finest(), path.coarsest()), (partition.groups(), 1));
                for groups in 1..=partition.groups() {
                    let cut = path.cut(groups).unwrap();
                    prop_assert_eq!(cut.groups(), groups);
                    let fresh = Planted::new(&links, &cut, density, model).unwrap().total();
                    prop_assert!((fresh - path.total(groups).unwrap()).abs() < 1e-7);
                }
            }
            let path = agglomerate_blocks(&Blocks::new(&links, &partition, model).unwrap(), 0);
            for groups in 1..=partition.groups() {
                let cut = path.cut(groups).unwrap();
                let fresh = Blocks::new(&links, &cut, model).unwrap().total();
                prop_assert!((fresh - path.total(groups).unwrap()).abs() < 1e-7);
            }
        }
    }

    #[test]
    fn moves_and_improvements_never_lengthen((graph, labels) in graphs()) {
        let links = Links::new(&graph).unwrap();
        let pieces = split_disconnected(&graph, &labels).unwrap();
        let partition = Partition::new(&pieces);
        let model = WeightModel::Ignored;
        for density in DENSITIES {
            let mut state = Planted::new(&links, &partition, density, model).unwrap();
            let before = state.total();
            let change = settle(&mut state, 10, 1, 0);
            prop_assert!(change <= 0.0 && (state.total() - before - change).abs() < 1e-7);
            let mut state = Planted::new(&links, &partition, density, model).unwrap();
            let (found, total, _) = improve(&mut state, &Effort::default(), 0);
            let fresh = Planted::new(&links, &found, density, model).unwrap().total();
            prop_assert!((fresh - total).abs() < 1e-7);
        }
        let mut state = Blocks::new(&links, &partition, model).unwrap();
        let before = state.total();
        let change = settle_blocks(&mut state, 5, 0);
        prop_assert!(change <= 0.0 && (state.total() - before - change).abs() < 1e-7);
        let state = Blocks::new(&links, &partition, model).unwrap();
        let (found, total, _) = improve_blocks(state, model, 1, 0);
        let fresh = Blocks::new(&links, &found, model).unwrap().total();
        prop_assert!((fresh - total).abs() < 1e-7 && total <= before + 1e-7);
    }
}
