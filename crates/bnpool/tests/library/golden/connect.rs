//! connect.json: RED and CON with gradients.

use super::fixture::{Rows, flat, read as fixture};
use super::tensors::{PRECISIONS, csr, matrix, read};
use super::tolerance::{CHAIN, SINGLE, assert_all_close};
use bnpool::ops::reduce;
use bnpool::pool::{ConnectConfig, Topology, connect};
use bnpool_graph::Graph;
use burn::tensor::{DType, Tensor};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[allow(non_snake_case)] // The names of the files.
struct Case {
    adj: Rows,
    X: Rows,
    S: Rows,
    raw_StAS: Rows,
    adj_pool: Rows,
    x_pool: Rows,
    wa: Rows,
    wx: Rows,
    grad_S: Rows,
}

#[test]
fn pooled_features_and_edges_match() {
    let file: File = fixture("connect.json");
    assert!(!file.cases.is_empty());
    for (i, case) in file.cases.iter().enumerate() {
        for dtype in PRECISIONS {
            let tolerance = if dtype == DType::F32 { SINGLE } else { CHAIN };
            let graph = Graph::builder(csr(&case.adj)).build().expect("a graph");
            let topology = Topology::of_graph(&graph);
            let s = matrix(&case.S, dtype);
            let plain = ConnectConfig {
                remove_self_loops: false,
                degree_norm: false,
            };
            let raw = connect(&topology.clone().into(), s.clone(), plain);
            assert_all_close(
                &format!("SᵀAS of case {i}"),
                read(raw),
                &flat(&case.raw_StAS),
                tolerance,
            );
            let features = reduce(&topology.segments, s.clone(), matrix(&case.X, dtype));
            let adjacency = connect(&topology.clone().into(), s.clone(), ConnectConfig::new());
            assert_all_close(
                &format!("X_pool of case {i}"),
                read(features.clone()),
                &flat(&case.x_pool),
                tolerance,
            );
            assert_all_close(
                &format!("A_pool of case {i}"),
                read(adjacency.clone()),
                &flat(&case.adj_pool),
                tolerance,
            );
            let weigh =
                |x: Tensor<3>, w: &Rows| (x.squeeze_dim::<2>(0) * matrix(w, dtype).detach()).sum();
            let grads = (weigh(features, &case.wx) + weigh(adjacency, &case.wa)).backward();
            let got = read(s.grad(&grads).expect("a gradient by S"));
            assert_all_close(
                &format!("∂S of case {i}"),
                got,
                &flat(&case.grad_S),
                tolerance,
            );
        }
    }
}
