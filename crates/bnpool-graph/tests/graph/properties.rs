//! Properties of random graphs, and of invalid input.

use bnpool_graph::transform::{
    add_self_loops, graph_filter, normalise_gcn, normalise_symmetric, remove_self_loops, undirect,
};
use bnpool_graph::{Batch, Csr, Features, Graph, Matrix};
use proptest::collection::vec;
use proptest::prelude::*;

/// Weights that are summed without rounding, so that sums do not depend on the
/// order.
fn exact_weight() -> impl Strategy<Value = f32> {
    (-8_i8..=16).prop_map(|eighths| f32::from(eighths) / 8.0)
}

type Edges = Vec<(u32, u32, f32)>;

/// Nodes and edges between them, including duplicates and self-loops.
fn edges() -> impl Strategy<Value = (usize, Edges)> {
    (1_usize..12).prop_flat_map(|nodes| {
        let node = 0..nodes as u32;
        (
            Just(nodes),
            vec((node.clone(), node, exact_weight()), 0..40),
        )
    })
}

fn adjacency(nodes: usize, edges: &Edges, weighted: bool) -> Csr {
    if weighted {
        Csr::from_weighted_edges(nodes, edges.iter().copied()).unwrap()
    } else {
        Csr::from_edges(nodes, edges.iter().map(|&(u, v, _)| (u, v))).unwrap()
    }
}

/// Graphs with features of width 2 and edge features that number the edges.
fn graph() -> impl Strategy<Value = Graph> {
    (edges(), any::<bool>(), any::<bool>()).prop_map(|((nodes, edges), weighted, sparse)| {
        let adjacency = adjacency(nodes, &edges, weighted);
        let numbers = (1..=adjacency.entries()).map(|number| [number as f32]);
        let numbers: Vec<_> = numbers.collect();
        let numbers = Matrix::new(numbers.len(), 1, numbers.concat()).unwrap();
        let features: Features = if sparse {
            let hot = (0..nodes as u32).map(|u| (u, u % 2, u as f32));
            Csr::from_entries(nodes, 2, hot).unwrap().into()
        } else {
            let rows = (0..nodes).map(|u| [u as f32, 1.0]);
            Matrix::from_rows(rows).unwrap().into()
        };
        Graph::builder(adjacency)
            .features(features)
            .edge_features(numbers)
            .build()
            .unwrap()
    })
}

fn dense(matrix: &Csr) -> Vec<Vec<f32>> {
    let mut dense = vec![vec![0.0; matrix.columns_count()]; matrix.rows()];
    for (u, v, weight) in matrix.iter() {
        dense[u as usize][v as usize] = weight;
    }
    dense
}

/// Raw parts of a matrix, valid or not.
struct Parts {
    rows: usize,
    columns_count: usize,
    offsets: Vec<usize>,
    columns: Vec<u32>,
    weights: Option<Vec<f32>>,
}

impl Parts {
    /// An independent implementation of the invariants of compressed rows.
    fn are_sound(&self) -> bool {
        let limit = u32::MAX as usize;
        self.rows <= limit
            && self.columns_count <= limit
            && self.offsets.len() == self.rows + 1
            && self.offsets[0] == 0
            && self.offsets.is_sorted()
            && self.offsets[self.rows] == self.columns.len()
            && self.offsets.windows(2).all(|bounds| {
                let row = &self.columns[bounds[0]..bounds[1]];
                row.is_sorted_by(|a, b| a < b)
                    && row.iter().all(|&v| (v as usize) < self.columns_count)
            })
            && self.weights.as_ref().is_none_or(|weights| {
                weights.len() == self.columns.len() && weights.iter().all(|w| w.is_finite())
            })
    }

    /// Checks that valid parts give a usable matrix, and others an error with a
    /// message.
    fn check(self) -> Result<(), TestCaseError> {
        let sound = self.are_sound();
        let made = Csr::new(
            self.rows,
            self.columns_count,
            self.offsets,
            self.columns,
            self.weights,
        );
        prop_assert_eq!(made.is_ok(), sound);
        match made {
            // Other shapes may be valid but too large to transpose here.
            Ok(matrix) if matrix.columns_count() > 100 => {}
            Ok(matrix) => prop_assert_eq!(matrix.iter().count(), matrix.transpose().entries()),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn transposing_twice_changes_nothing(
        rows in 0_usize..8,
        columns in 0_usize..8,
        entries in vec((any::<u32>(), any::<u32>(), exact_weight()), 0..30),
    ) {
        let entries = entries.into_iter().filter(|_| rows * columns > 0);
        let entries = entries.map(|(u, v, w)| (u % rows as u32, v % columns as u32, w));
        let matrix = Csr::from_entries(rows, columns, entries).unwrap();
        let transpose = matrix.transpose();
        prop_assert_eq!(transpose.transpose(), &matrix);
        prop_assert_eq!(transpose.rows(), columns);
        prop_assert!(matrix.iter().all(|(u, v, _)| transpose.find(v as usize, u as usize).is_some()));
        let (there, back) = (dense(&matrix), dense(transpose));
        prop_assert!((0..rows).all(|u| (0..columns).all(|v| there[u][v] == back[v][u])));
    }

    #[test]
    fn symmetry_is_what_the_definition_says((nodes, edges) in edges(), weighted: bool) {
        let matrix = adjacency(nodes, &edges, weighted);
        let expected = matrix.iter().all(|(u, v, w)| {
            matrix.find(v as usize, u as usize).is_some_and(|mirror| {
                matrix.weights().is_none_or(|weights| weights[mirror] == w)
            })
        });
        prop_assert_eq!(matrix.is_symmetric(), expected);
    }

    #[test]
    fn the_order_of_edges_does_not_matter(
        ((nodes, edges), shuffled) in edges().prop_flat_map(|(nodes, edges)| {
            (Just((nodes, edges.clone())), Just(edges).prop_shuffle())
        }),
        weighted: bool,
    ) {
        let mut sorted = edges;
        sorted.sort_by_key(|&(u, v, _)| (u, v));
        let matrix = adjacency(nodes, &shuffled, weighted);
        prop_assert_eq!(&matrix, &adjacency(nodes, &sorted, weighted));
        let again = Csr::new(
            nodes,
            nodes,
            matrix.offsets().to_vec(),
            matrix.columns().to_vec(),
            matrix.weights().map(<[f32]>::to_vec),
        );
        prop_assert_eq!(again, Ok(matrix));
        let listed: Vec<_> = shuffled.iter().map(|&(u, v, _)| (u, v)).collect();
        let (matrix, first) = Csr::from_edges_with_origins(nodes, listed.iter().copied()).unwrap();
        prop_assert_eq!(&matrix, &adjacency(nodes, &sorted, false));
        for (entry, (u, v, _)) in matrix.iter().enumerate() {
            prop_assert_eq!(listed.iter().position(|&edge| edge == (u, v)), Some(first[entry]));
        }
    }

    #[test]
    fn undirecting_is_symmetric_and_final(graph in graph()) {
        let both = undirect(&graph);
        // Rebuilt, so that the symmetry is computed rather than cached.
        let rebuilt = Csr::new(
            both.nodes(),
            both.nodes(),
            both.adjacency().offsets().to_vec(),
            both.adjacency().columns().to_vec(),
            both.adjacency().weights().map(<[f32]>::to_vec),
        ).unwrap();
        prop_assert!(rebuilt.is_symmetric());
        prop_assert_eq!(&undirect(&both), &both);
        let (old, new) = (graph.adjacency(), both.adjacency());
        let (old_rows, new_rows) = (graph.edge_features().unwrap(), both.edge_features().unwrap());
        for (entry, (u, v, _)) in new.iter().enumerate() {
            let origin = old.find(u as usize, v as usize).or(old.find(v as usize, u as usize));
            prop_assert!(origin.is_some());
            prop_assert_eq!(new_rows.row(entry), old_rows.row(origin.unwrap()));
        }
        prop_assert!(old.iter().all(|(u, v, _)| new.find(u as usize, v as usize).is_some()));
    }

    #[test]
    fn removing_added_loops_removes_all_loops(graph in graph(), weight in exact_weight()) {
        let looped = add_self_loops(&graph, weight).unwrap();
        prop_assert!((0..graph.nodes()).all(|u| looped.adjacency().find(u, u).is_some()));
        let (bare, again) = (remove_self_loops(&graph), remove_self_loops(&looped));
        prop_assert!(bare.adjacency().iter().all(|(u, v, _)| u != v));
        prop_assert!(bare.adjacency().iter().eq(again.adjacency().iter()));
        prop_assert_eq!(bare.edge_features(), again.edge_features());
        prop_assert_eq!(add_self_loops(&looped, 9.0).unwrap(), looped);
    }

    #[test]
    fn a_batch_holds_every_graph_shifted(graphs in vec(graph(), 1..6)) {
        let batch = Batch::new(&graphs.iter().collect::<Vec<_>>()).unwrap();
        prop_assert_eq!(batch.graphs(), graphs.len());
        let features = batch.features().to_dense();
        for (b, graph) in graphs.iter().enumerate() {
            let nodes = batch.offsets()[b]..batch.offsets()[b + 1];
            let offsets = batch.adjacency().offsets();
            let edges = offsets[nodes.start]..offsets[nodes.end];
            let shift = nodes.start as u32;
            let own = graph.features().to_dense();
            prop_assert_eq!((nodes.len(), edges.len()), (graph.nodes(), graph.edges()));
            let block: Vec<_> = batch.adjacency().iter().skip(edges.start).take(edges.len()).collect();
            let expected = graph.adjacency().iter().map(|(u, v, w)| (u + shift, v + shift, w));
            prop_assert_eq!(block, expected.collect::<Vec<_>>());
            for (u, node) in nodes.enumerate() {
                prop_assert_eq!(features.row(node), own.row(u));
            }
            for (entry, row) in edges.enumerate() {
                prop_assert_eq!(
                    batch.edge_features().unwrap().row(row),
                    graph.edge_features().unwrap().row(entry)
                );
            }
        }
        let all = graphs.iter().all(|graph| graph.adjacency().is_symmetric());
        prop_assert_eq!(batch.adjacency().is_symmetric(), all);
    }

    #[test]
    fn normalising_agrees_with_the_dense_formula(graph in graph(), delta in 0.05_f64..=1.0) {
        // Positive weights: otherwise degrees that nearly cancel amplify rounding.
        let positive = graph.adjacency().iter().map(|(u, v, w)| (u, v, w.abs() + 0.125));
        let both = Csr::from_weighted_edges(graph.nodes(), positive).unwrap();
        let graph = undirect(&Graph::builder(both).build().unwrap());
        let raw = dense(graph.adjacency());
        let looped = dense(add_self_loops(&graph, 1.0).unwrap().adjacency());
        let formula = |a: &[Vec<f32>], u: usize, v: usize| {
            let degree = |u: usize| a[u].iter().map(|&w| f64::from(w)).sum::<f64>();
            if a[u][v] == 0.0 { 0.0 } else { f64::from(a[u][v]) / (degree(u) * degree(v)).sqrt() }
        };
        let symmetric = normalise_symmetric(graph.adjacency()).unwrap();
        let gcn = normalise_gcn(graph.adjacency()).unwrap();
        let filtered = graph_filter(&graph, delta).unwrap();
        prop_assert!(symmetric.is_symmetric() && gcn.is_symmetric());
        prop_assert!(filtered.adjacency().is_symmetric());
        let found = [dense(&symmetric), dense(&gcn), dense(filtered.adjacency())];
        for u in 0..graph.nodes() {
            for v in 0..graph.nodes() {
                let diagonal = if u == v { 1.0 - delta } else { 0.0 };
                let plain = formula(&raw, u, v);
                let expected = [plain, formula(&looped, u, v), diagonal + delta * plain];
                for (found, expected) in found.iter().zip(expected) {
                    prop_assert!((f64::from(found[u][v]) - expected).abs() < 1e-6);
                }
            }
        }
    }

    #[test]
    fn raw_parts_are_checked_and_never_panic(
        rows in prop_oneof![0_usize..5, any::<usize>()],
        columns_count in prop_oneof![0_usize..5, any::<usize>()],
        offsets in vec(prop_oneof![4 => 0_usize..6, 1 => any::<usize>()], 0..7),
        columns in vec(prop_oneof![4 => 0_u32..5, 1 => any::<u32>()], 0..7),
        weights in proptest::option::of(vec(prop_oneof![exact_weight(), any::<f32>()], 0..7)),
    ) {
        Parts { rows, columns_count, offsets, columns, weights }.check()?;
    }

    #[test]
    fn one_wrong_number_is_found(
        (nodes, edges) in edges(),
        weighted: bool,
        part in 0..5,
        place: prop::sample::Index,
        wrong in prop_oneof![0_u32..12, any::<u32>()],
    ) {
        let matrix = adjacency(nodes, &edges, weighted);
        let mut parts = Parts {
            rows: nodes,
            columns_count: nodes,
            offsets: matrix.offsets().to_vec(),
            columns: matrix.columns().to_vec(),
            weights: matrix.weights().map(<[f32]>::to_vec),
        };
        match (part, &mut parts.weights) {
            (0, _) => parts.rows = wrong as usize,
            (1, _) => parts.columns_count = wrong as usize,
            (2, Some(weights)) if !weights.is_empty() => {
                weights[place.index(matrix.entries())] = f32::from_bits(wrong);
            }
            (3, _) => parts.offsets[place.index(nodes + 1)] = wrong as usize,
            _ if matrix.entries() > 0 => parts.columns[place.index(matrix.entries())] = wrong,
            _ => {}
        }
        parts.check()?;
    }

    #[test]
    fn edges_are_checked_and_never_panic(
        nodes in 0_usize..6,
        edges in vec((0_u32..7, 0_u32..7, any::<f32>()), 0..8),
    ) {
        let inside = edges.iter().all(|&(u, v, _)| u.max(v) < nodes as u32);
        let positions = edges.iter().map(|&(u, v, _)| (u, v));
        prop_assert_eq!(Csr::from_edges(nodes, positions).is_ok(), inside);
        if let Ok(matrix) = Csr::from_weighted_edges(nodes, edges) {
            prop_assert!(inside);
            prop_assert!(matrix.weights().unwrap().iter().all(|w| w.is_finite()));
            // An error is acceptable here, a panic is not.
            let _ = normalise_symmetric(&matrix);
            let _ = normalise_gcn(&matrix);
        }
    }
}
