//! bnpool_dense_loss.json and bnpool_sparse_loss.json.

use super::fixture::{Number, Rows, flat, read as fixture};
use super::tensors::{PRECISIONS, csr, entries, from_values, matrix, read};
use super::tolerance::{CHAIN, FRACTIONAL_TARGETS, POSTERIOR_GRADIENT, SINGLE, assert_all_close};
use bnpool::ops::{BlockLossPairs, Draw, Segments, StickDraw, block_loss, break_sticks};
use bnpool::pool::loss::{LossNormalisation, block_prior};
use bnpool::pool::{Reconstruction, Topology};
use bnpool_graph::Csr;
use bnpool_math::kernel::Negatives;
use burn::tensor::{DType, Tensor};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[allow(non_snake_case)] // The names of the files.
struct Case {
    name: String,
    alpha_DP: f64,
    K_var: f64,
    K_mu: f64,
    eta: f64,
    #[serde(default)]
    sizes: Vec<usize>,
    #[serde(default)]
    adj: Value,
    #[serde(default)]
    edge_index: Vec<Vec<u32>>,
    #[serde(default)]
    neg_edge_index: Vec<Vec<u32>>,
    S: Value,
    alpha: Value,
    beta: Value,
    K: Rows,
    rec: f64,
    kl_times_eta: f64,
    K_prior: f64,
    total: f64,
    grad_S: Value,
    grad_K: Rows,
    grad_alpha: Value,
    grad_beta: Value,
    #[serde(default)]
    grad_K_rec_only: Rows,
}

/// Rows of a padded batch [graphs][nodes][..] or of one graph [nodes][..],
/// without the padding.
fn rows(value: &Value, sizes: &[usize]) -> Rows {
    let of = |v: &Value| -> Rows { serde_json::from_value(v.clone()).expect("rows of numbers") };
    let nested = value[0][0].is_array();
    if !nested {
        return of(value);
    }
    let graphs = value.as_array().expect("a batch");
    graphs
        .iter()
        .enumerate()
        .flat_map(|(b, g)| {
            let rows = of(g);
            let n = sizes.get(b).copied().unwrap_or(rows.len());
            rows.into_iter().take(n)
        })
        .collect()
}

fn segments(sizes: &[usize]) -> Segments {
    let none: [(u32, u32); 0] = [];
    let graphs: Vec<_> = sizes
        .iter()
        .map(|&n| {
            let empty = Csr::from_edges(n, none).expect("no edges");
            bnpool_graph::Graph::builder(empty)
                .build()
                .expect("a graph")
        })
        .collect();
    let graphs: Vec<&bnpool_graph::Graph> = graphs.iter().collect();
    Segments::of(&bnpool_graph::Batch::new(&graphs).expect("a batch"))
}

fn check(case: &Case, dtype: DType, targets: Csr, negatives: Option<Negatives>, tolerance: f64) {
    let kind = if negatives.is_some() {
        Reconstruction::Sparse
    } else {
        Reconstruction::Dense
    };
    let s = matrix(&rows(&case.S, &case.sizes), dtype);
    let (alpha, beta) = (
        rows(&case.alpha, &case.sizes),
        rows(&case.beta, &case.sizes),
    );
    let sticks = alpha[0].len();
    let parameters: Vec<f64> = alpha
        .iter()
        .zip(&beta)
        .flat_map(|(a, b)| a.iter().chain(b).map(|x| x.0).collect::<Vec<_>>())
        .collect();
    let nodes = alpha.len();
    let parameters = from_values(parameters, [nodes, 2 * sticks], dtype);
    let k = matrix(&case.K, dtype);
    let targets = Arc::new(targets);
    let sizes = if case.sizes.is_empty() {
        std::slice::from_ref(&nodes)
    } else {
        &case.sizes
    };
    let topology = Topology::new(segments(sizes), targets.clone()).with_targets(targets.clone());
    let scale = LossNormalisation::Authors.normalisation(
        &topology,
        kind,
        negatives.as_ref(),
        topology.segments.graphs(),
    );
    let draw = StickDraw {
        sticks,
        particles: 1,
        draw: Draw::Mean,
        concentration: case.alpha_DP,
        node_weights: scale.nodes.iter().map(|w| w * case.eta).collect(),
    };
    let kl = break_sticks(parameters.clone(), &topology.segments, draw).divergence;
    let pairs = BlockLossPairs {
        edges: targets,
        negatives: negatives.map(Arc::new),
        weights: scale.pairs,
    };
    let reconstruct = || block_loss(&topology.segments, s.clone(), k.clone(), pairs.clone());
    let rec = reconstruct();
    let prior = block_prior(k.clone(), case.K_mu, case.K_var) * scale.block_prior;
    let name = format!("{} ({dtype:?})", case.name);
    let value = |what: &str, x: &Tensor<1>, want: f64| {
        assert_all_close(
            &format!("{what} of {name}"),
            read(x.clone()),
            &[want],
            tolerance,
        );
    };
    value("L_rec", &rec, case.rec);
    value("γ L_π", &kl, case.kl_times_eta);
    value("L_K", &prior, case.K_prior);
    if !case.grad_K_rec_only.is_empty() {
        // Each tape supports a single backward pass.
        let only = reconstruct().backward();
        let got = read(k.grad(&only).expect("a gradient by K"));
        assert_all_close(
            &format!("∂L_rec/∂K of {name}"),
            got,
            &flat(&case.grad_K_rec_only),
            tolerance,
        );
    }
    let total = rec + kl + prior;
    value("L_aux", &total, case.total);
    let grads = total.backward();
    let got = read(s.grad(&grads).expect("a gradient by S"));
    assert_all_close(
        &format!("∂S of {name}"),
        got,
        &flat(&rows(&case.grad_S, &case.sizes)),
        tolerance,
    );
    let got = read(k.grad(&grads).expect("a gradient by K"));
    assert_all_close(
        &format!("∂K of {name}"),
        got,
        &flat(&case.grad_K),
        tolerance,
    );
    let got = read(parameters.grad(&grads).expect("a gradient by α, β"));
    let (by_alpha, by_beta) = (
        rows(&case.grad_alpha, &case.sizes),
        rows(&case.grad_beta, &case.sizes),
    );
    let want: Vec<Vec<Number>> = by_alpha
        .into_iter()
        .zip(by_beta)
        .map(|(a, b)| a.into_iter().chain(b).collect())
        .collect();
    assert_all_close(
        &format!("∂(α, β) of {name}"),
        got,
        &flat(&want),
        tolerance.max(POSTERIOR_GRADIENT),
    );
}

#[test]
fn dense_losses_and_gradients_match() {
    let file: File = fixture("bnpool_dense_loss.json");
    assert!(!file.cases.is_empty());
    for case in &file.cases {
        let single = !case.adj[0][0].is_array();
        let targets = if single {
            let adjacency: Rows = serde_json::from_value(case.adj.clone()).expect("a matrix");
            csr(&adjacency)
        } else {
            let graphs: Vec<Rows> = serde_json::from_value(case.adj.clone()).expect("matrices");
            let mut all = Vec::new();
            let mut shift = 0;
            for (g, &n) in graphs.iter().zip(&case.sizes) {
                let inner: Rows = g[..n].iter().map(|r| r[..n].to_vec()).collect();
                all.extend(entries(&inner, shift));
                shift += n as u32;
            }
            Csr::from_edges(shift as usize, all.into_iter().map(|e| (e.0, e.1))).expect("a matrix")
        };
        for dtype in PRECISIONS {
            let tolerance = match (dtype, targets.weights()) {
                (DType::F32, _) => SINGLE,
                (_, Some(_)) => FRACTIONAL_TARGETS,
                (_, None) => CHAIN,
            };
            check(case, dtype, targets.clone(), None, tolerance);
        }
    }
}

#[test]
fn sparse_losses_and_gradients_match() {
    let file: File = fixture("bnpool_sparse_loss.json");
    assert!(!file.cases.is_empty());
    for case in &file.cases {
        let nodes: usize = case.sizes.iter().sum();
        let pairs = |index: &[Vec<u32>]| -> Vec<(u32, u32)> {
            index[0]
                .iter()
                .copied()
                .zip(index[1].iter().copied())
                .collect()
        };
        let edges = Csr::from_edges(nodes, pairs(&case.edge_index)).expect("edges");
        let offsets: Vec<usize> = segments(&case.sizes).offsets().to_vec();
        let negatives = Csr::from_edges(nodes, pairs(&case.neg_edge_index)).expect("negatives");
        for dtype in PRECISIONS {
            let negatives = Negatives::given(negatives.view(), &offsets);
            let tolerance = if dtype == DType::F32 { SINGLE } else { CHAIN };
            check(case, dtype, edges.clone(), Some(negatives), tolerance);
        }
    }
}
