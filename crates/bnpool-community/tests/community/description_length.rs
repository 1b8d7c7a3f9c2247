//! Description lengths against graph-tool, and incremental changes against full
//! sums.

use bnpool_community::description_length::{
    Blocks, Degrees, Density, Model, Planted, WeightModel, description_length,
};
use bnpool_community::{Links, Partition};
use bnpool_graph::Csr;
use proptest::prelude::*;
use serde::Deserialize;
use std::path::PathBuf;

#[derive(Deserialize)]
struct Case {
    graph: String,
    nodes: usize,
    edges: Vec<(u32, u32)>,
    partition: Vec<u32>,
    planted_uniform_degrees_uniform: f64,
    planted_uniform_degrees_distributed: f64,
    planted_own_density_degrees_uniform: f64,
    planted_own_density_degrees_distributed: f64,
    block_model_corrected_degrees_uniform: f64,
    block_model_corrected_degrees_distributed: f64,
    block_model_plain: f64,
}

#[derive(Deserialize)]
struct DirectedCase {
    graph: String,
    nodes: usize,
    edges: Vec<(u32, u32)>,
    partition: Vec<u32>,
    directed_blocks_degrees_uniform: f64,
}

/// The golden values of this repository.
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");

fn cases<T: serde::de::DeserializeOwned>(file: &str) -> Vec<T> {
    let folder = std::env::var_os("BNPOOL_FIXTURES").unwrap_or_else(|| FIXTURES.into());
    let path = PathBuf::from(folder).join(file);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("fixture {} cannot be read: {e}", path.display()));
    serde_json::from_str(&text).expect("a fixture of the expected form")
}

fn links(nodes: usize, edges: &[(u32, u32)]) -> Links {
    let both = edges.iter().flat_map(|&(u, v)| [(u, v), (v, u)]);
    Links::new(&Csr::from_edges(nodes, both).unwrap()).unwrap()
}

#[test]
fn all_models_give_what_graph_tool_gives() {
    let cases: Vec<Case> = cases("description_length.json");
    assert_eq!(cases.len(), 16);
    for case in cases {
        let links = links(case.nodes, &case.edges);
        let partition = Partition::new(&case.partition);
        let (uniform, distributed) = (Degrees::Uniform, Degrees::Distributed);
        for (model, degrees, wanted) in [
            (
                Model::PlantedUniform,
                uniform,
                case.planted_uniform_degrees_uniform,
            ),
            (
                Model::PlantedUniform,
                distributed,
                case.planted_uniform_degrees_distributed,
            ),
            (
                Model::PlantedOwnDensity,
                uniform,
                case.planted_own_density_degrees_uniform,
            ),
            (
                Model::PlantedOwnDensity,
                distributed,
                case.planted_own_density_degrees_distributed,
            ),
            (
                Model::Blocks,
                uniform,
                case.block_model_corrected_degrees_uniform,
            ),
            (
                Model::Blocks,
                distributed,
                case.block_model_corrected_degrees_distributed,
            ),
            (Model::PlainBlocks, uniform, case.block_model_plain),
        ] {
            let own = description_length(&links, &partition, model, degrees).unwrap();
            let error = (own - wanted).abs();
            assert!(
                error < 1e-9,
                "{} {model:?} {degrees:?}: {own} {wanted}",
                case.graph
            );
        }
        for (density, wanted) in [
            (Density::Uniform, case.planted_uniform_degrees_uniform),
            (Density::Own, case.planted_own_density_degrees_uniform),
        ] {
            let state = Planted::new(&links, &partition, density, WeightModel::Ignored).unwrap();
            assert!((state.total() - wanted).abs() < 1e-9);
        }
        let state = Blocks::new(&links, &partition, WeightModel::Ignored).unwrap();
        let wanted = case.block_model_corrected_degrees_uniform;
        assert!((state.total() - wanted).abs() < 1e-9);
    }
}

#[test]
fn directions_give_what_graph_tool_gives() {
    // Not among the fixtures that another folder may hold.
    let file = format!("{FIXTURES}/description_length_directed.json");
    let cases: Vec<DirectedCase> = cases(&file);
    assert_eq!(cases.len(), 15);
    for case in cases {
        let graph = Csr::from_edges(case.nodes, case.edges.iter().copied()).unwrap();
        let links = Links::directed(&graph).unwrap();
        let partition = Partition::new(&case.partition);
        let state = Blocks::new(&links, &partition, WeightModel::Ignored).unwrap();
        let (own, wanted) = (state.total(), case.directed_blocks_degrees_uniform);
        assert!(
            (own - wanted).abs() < 1e-9,
            "{}: {own} {wanted}",
            case.graph
        );
    }
}

/// A weighted directed graph, with some edges in both directions.
fn directed(nodes: usize, edges: Vec<(u32, u32, u32)>) -> Option<Links> {
    let mut seen = std::collections::BTreeMap::new();
    for (u, v, w) in edges.into_iter().filter(|(u, v, _)| u != v) {
        seen.insert((u, v), w as f32);
    }
    let edges = seen.iter().map(|(&(u, v), &w)| (u, v, w));
    Links::directed(&Csr::from_weighted_edges(nodes, edges).ok()?).ok()
}

/// A weighted graph, directed or not, with labels and moves of nodes.
fn graphs() -> impl Strategy<Value = (Links, Vec<u32>, Vec<(usize, u32)>)> {
    (3_usize..14).prop_flat_map(|nodes| {
        let n = nodes as u32;
        let edges = prop::collection::vec((0..n, 0..n, 1_u32..9), 1..50);
        let labels = prop::collection::vec(0_u32..4, nodes);
        let moves = prop::collection::vec((0..nodes, 0_u32..4), 20);
        let parts = (edges, labels, moves, any::<bool>());
        parts.prop_filter_map("an edge", move |(edges, labels, moves, is_directed)| {
            if is_directed {
                return Some((directed(nodes, edges)?, labels, moves));
            }
            let mut seen = std::collections::BTreeMap::new();
            for (u, v, w) in edges.into_iter().filter(|(u, v, _)| u != v) {
                seen.insert((u.min(v), u.max(v)), w as f32);
            }
            let both = seen.iter().flat_map(|(&(u, v), &w)| [(u, v, w), (v, u, w)]);
            let csr = Csr::from_weighted_edges(nodes, both).ok()?;
            Some((Links::new(&csr).ok()?, labels, moves))
        })
    })
}

const WEIGHTS: [WeightModel; 4] = [
    WeightModel::Ignored,
    WeightModel::Halves,
    WeightModel::Fifths,
    WeightModel::Tail,
];

proptest! {
    #[test]
    fn moves_change_the_length_by_what_they_say((links, labels, moves) in graphs()) {
        let partition = Partition::new(&labels);
        for model in WEIGHTS {
            for density in [Density::Own, Density::Uniform, Density::Relative, Density::RelativeOwn] {
                let mut state = Planted::new(&links, &partition, density, model).unwrap();
                for &(u, g) in moves.iter().filter(|m| (m.1 as usize) < partition.groups()) {
                    let before = state.total();
                    let change = state.move_node(u, g);
                    let now = Partition::new(state.labels());
                    let fresh = Planted::new(&links, &now, density, model).unwrap();
                    prop_assert!((state.total() - before - change).abs() < 1e-8);
                    prop_assert!((fresh.total() - state.total()).abs() < 1e-8);
                }
            }
            let mut state = Blocks::new(&links, &partition, model).unwrap();
            for &(u, g) in moves.iter().filter(|m| (m.1 as usize) < partition.groups()) {
                let before = state.total();
                let change = state.move_node(u, g);
                let now = Partition::new(state.labels());
                let fresh = Blocks::new(&links, &now, model).unwrap();
                prop_assert!((state.total() - before - change).abs() < 1e-8);
                prop_assert!((fresh.total() - state.total()).abs() < 1e-8);
            }
        }
    }

    #[test]
    fn one_group_has_the_same_length_in_all_models((links, labels, _) in graphs()) {
        let one = Partition::trivial(labels.len());
        let wanted = Planted::new(&links, &one, Density::Own, WeightModel::Ignored).unwrap();
        for model in WEIGHTS {
            for density in [Density::Own, Density::Uniform, Density::Relative, Density::RelativeOwn] {
                let found = Planted::new(&links, &one, density, model).unwrap();
                prop_assert!((found.total() - wanted.total()).abs() < 1e-8);
            }
        }
        let blocks = |model| Blocks::new(&links, &one, model).unwrap().total();
        for model in WEIGHTS {
            // The block model also describes directions.
            if links.directions().is_none() {
                prop_assert!((blocks(model) - wanted.total()).abs() < 1e-8);
            }
        }
    }

    #[test]
    fn merges_change_the_length_by_what_they_say((links, labels, _) in graphs()) {
        let partition = Partition::new(&labels);
        for model in WEIGHTS {
            let state = Blocks::new(&links, &partition, model).unwrap();
            for r in 0..partition.groups() as u32 {
                for s in 0..r {
                    let merged: Vec<u32> = partition
                        .labels()
                        .iter()
                        .map(|&g| if g == s { r } else { g })
                        .collect();
                    let fresh = Blocks::new(&links, &Partition::new(&merged), model).unwrap();
                    let change = state.merge_change(r, s);
                    prop_assert!((fresh.total() - state.total() - change).abs() < 1e-8);
                }
            }
        }
    }
}
