//! pretransform.json: I − δL.

use super::fixture::{Number, Rows, flat, read as fixture};
use super::tolerance::{SINGLE_ROUNDING, assert_all_close};
use bnpool_graph::{Csr, Graph, Matrix, transform};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    adj: Rows,
    delta: f64,
    edge_index_in: Vec<Vec<u32>>,
    edge_attr_in: Rows,
    dense_out: Rows,
    edge_index_out: Vec<Vec<u32>>,
    edge_weight_out: Vec<Number>,
    edge_attr_out: Rows,
}

#[test]
fn graph_filter_matches() {
    let file: File = fixture("pretransform.json");
    assert!(!file.cases.is_empty());
    for (i, case) in file.cases.iter().enumerate() {
        let n = case.adj.len();
        let index = &case.edge_index_in;
        let edges = index[0].iter().copied().zip(index[1].iter().copied());
        let attributes = case
            .edge_attr_in
            .iter()
            .map(|r| r.iter().map(|x| x.0 as f32).collect::<Vec<_>>());
        let graph = Graph::builder(Csr::from_edges(n, edges).expect("edges"))
            .edge_features(Matrix::from_rows(attributes).expect("edge features"))
            .build()
            .expect("a graph");
        let out = transform::graph_filter(&graph, case.delta).expect("a valid δ");
        let adjacency = out.adjacency();
        let rows: Vec<u32> = adjacency.iter().map(|e| e.0).collect();
        assert_eq!(rows, case.edge_index_out[0], "rows of case {i}");
        assert_eq!(
            adjacency.columns(),
            case.edge_index_out[1],
            "columns of case {i}"
        );
        let want: Vec<f64> = case.edge_weight_out.iter().map(|x| x.0).collect();
        let weights = adjacency.iter().map(|e| e.2);
        assert_all_close(
            &format!("weights of case {i}"),
            weights,
            &want,
            SINGLE_ROUNDING,
        );
        let features = out
            .edge_features()
            .expect("edge features")
            .as_slice()
            .to_vec();
        assert_all_close(
            &format!("edge features of case {i}"),
            features,
            &flat(&case.edge_attr_out),
            SINGLE_ROUNDING,
        );
        let mut dense = vec![0.0_f32; n * n];
        for (u, v, w) in adjacency.iter() {
            dense[u as usize * n + v as usize] = w;
        }
        assert_all_close(
            &format!("matrix of case {i}"),
            dense,
            &flat(&case.dense_out),
            SINGLE_ROUNDING,
        );
    }
}
