//! layers.json: the graph convolutions.

use crate::fixture::{Number, Rows, flat, read as fixture, transposed};
use crate::tensors::{PRECISIONS, matrix, read, vector};
use crate::tolerance::{CHAIN, FRACTIONAL_TARGETS, SINGLE, assert_all_close};
use bnpool::nn::{Gcn, NodeInput};
use bnpool_graph::Csr;
use burn::module::Param;
use burn::tensor::DType;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    #[serde(default)]
    edge_index: Vec<Vec<u32>>,
    #[serde(default)]
    num_nodes: usize,
    params: Value,
    inputs: Value,
    out: Value,
    w: Value,
    grads: Value,
}

fn rows(value: &Value) -> Rows {
    serde_json::from_value(value.clone()).expect("rows of numbers")
}

fn numbers(value: &Value) -> Vec<Number> {
    serde_json::from_value(value.clone()).expect("numbers")
}

#[test]
fn graph_convolutions_match() {
    let file: File = fixture("layers.json");
    let gcn: Vec<&Case> = file
        .cases
        .iter()
        .filter(|c| c.name.starts_with("GCNConv"))
        .collect();
    assert!(!gcn.is_empty());
    for case in gcn {
        for dtype in PRECISIONS {
            check(case, dtype);
        }
    }
}

fn check(case: &Case, dtype: DType) {
    // Messages flow from the first index to the second: rows are targets.
    let edges = case.edge_index[1]
        .iter()
        .copied()
        .zip(case.edge_index[0].iter().copied());
    let adjacency = match case.inputs.get("edge_weight") {
        None => Csr::from_edges(case.num_nodes, edges),
        Some(w) => {
            let weights = numbers(w).into_iter().map(|w| w.0 as f32);
            Csr::from_weighted_edges(
                case.num_nodes,
                edges.zip(weights).map(|((u, v), w)| (u, v, w)),
            )
        }
    }
    .expect("a graph");
    // The normalised matrix is stored in single precision.
    let tolerance = if dtype == DType::F32 {
        SINGLE
    } else {
        CHAIN.max(FRACTIONAL_TARGETS)
    };
    let (weight, bias) = (
        matrix(&transposed(&rows(&case.params["lin.weight"])), dtype),
        vector(&numbers(&case.params["bias"]), dtype),
    );
    let x = matrix(&rows(&case.inputs["x"]), dtype);
    let gcn = Gcn {
        weight: Param::from_tensor(weight.clone()),
        bias: Param::from_tensor(bias.clone()),
    };
    let normalised = Gcn::normalise(&adjacency).expect("a square matrix");
    let out = gcn.forward(&normalised, &NodeInput::from(x.clone()));
    let name = format!("{} ({dtype:?})", case.name);
    assert_all_close(&name, read(out.clone()), &flat(&rows(&case.out)), tolerance);
    let grads = (out * matrix(&rows(&case.w), dtype).detach())
        .sum()
        .backward();
    let gradient = |x: &burn::tensor::Tensor<2>| read(x.grad(&grads).expect("a gradient"));
    assert_all_close(
        &format!("∂X of {name}"),
        gradient(&x),
        &flat(&rows(&case.grads["x"])),
        tolerance,
    );
    assert_all_close(
        &format!("∂W of {name}"),
        gradient(&weight),
        &flat(&transposed(&rows(&case.grads["lin.weight"]))),
        tolerance,
    );
    let want: Vec<f64> = numbers(&case.grads["bias"]).iter().map(|x| x.0).collect();
    assert_all_close(
        &format!("∂b of {name}"),
        read(bias.grad(&grads).expect("a gradient")),
        &want,
        tolerance,
    );
}
