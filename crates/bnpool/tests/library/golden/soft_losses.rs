//! poolers.json: the auxiliary losses of poolers with soft clusters.

use super::fixture::{Rows, flat, read as fixture};
use super::poolers::{tolerance, unpadded};
use super::tensors::{PRECISIONS, csr, matrix, read};
use super::tolerance::{assert_all_close, assert_close};
use bnpool::pool::loss::{
    balance_loss, collapse_loss, cut_loss, entropy_loss, higher_order_cut_loss, link_loss,
    modularity_loss, orthogonality_loss, spread_loss,
};
use bnpool::pool::{Level, Topology, coarsen};
use bnpool_graph::{Batch, Graph};
use burn::tensor::Tensor;
use serde::Deserialize;
use std::collections::HashMap;

#[derive(Deserialize)]
struct File {
    diffpool: SoftLosses,
    diffpool_normalized: SoftLosses,
    mincut: SoftLosses,
    dmon: SoftLosses,
    jb: SoftLosses,
    hosc_alpha1_mu0: SoftLosses,
    hosc_alpha05_mu01: SoftLosses,
    hosc_ortho: SoftLosses,
}

#[derive(Deserialize)]
#[allow(non_snake_case)] // The names of the files.
struct SoftLosses {
    sizes: Vec<usize>,
    adj: Vec<Rows>,
    S: Vec<Rows>,
    losses: HashMap<String, f64>,
    grad_S: HashMap<String, Vec<Rows>>,
}

/// A loss of the level, S and Sᵀ A S.
type Loss = fn(&Level, &Tensor<2>, Tensor<3>) -> Tensor<1>;

/// Compares a loss and its gradient with the value under a name.
fn compare(case: &SoftLosses, name: &str, loss: Loss) {
    let graphs: Vec<Graph> = case
        .adj
        .iter()
        .zip(&case.sizes)
        .map(|(rows, &n)| {
            let rows: Rows = rows[..n].iter().map(|r| r[..n].to_vec()).collect();
            Graph::builder(csr(&rows)).build().expect("a graph")
        })
        .collect();
    let batch = Batch::new(&graphs.iter().collect::<Vec<_>>()).expect("a batch");
    for dtype in PRECISIONS {
        let s = matrix(&unpadded(&case.S, &case.sizes), dtype);
        let level = Level::new(s.clone(), Topology::of_batch(&batch));
        let coarse = coarsen(&level.structure, s.clone());
        let value = loss(&level, &s, coarse);
        let got = read(value.clone())[0];
        assert_close(name, got, case.losses[name], tolerance(dtype), 0.0);
        let grads = value.backward();
        let want = flat(&unpadded(&case.grad_S[name], &case.sizes));
        let got = read(s.grad(&grads).expect("a gradient"));
        assert_all_close(&format!("∂S of {name}"), got, &want, tolerance(dtype));
    }
}

#[test]
fn losses_of_mincut_match() {
    let file = fixture::<File>("poolers.json");
    compare(&file.mincut, "cut_loss", cut_loss);
    compare(&file.mincut, "ortho_loss", |level, s, _| {
        orthogonality_loss(level, s)
    });
}

#[test]
fn losses_of_diffpool_match() {
    let file = fixture::<File>("poolers.json");
    compare(&file.diffpool, "link_loss", |level, s, coarse| {
        link_loss(level, s, coarse, false, None)
    });
    compare(
        &file.diffpool_normalized,
        "link_loss",
        |level, s, coarse| link_loss(level, s, coarse, true, None),
    );
    for case in [&file.diffpool, &file.diffpool_normalized] {
        compare(case, "entropy_loss", |level, s, _| {
            entropy_loss(level, s, None)
        });
    }
}

#[test]
fn losses_of_dmon_match() {
    let case = fixture::<File>("poolers.json").dmon;
    compare(&case, "spectral_loss", modularity_loss);
    compare(&case, "cluster_loss", |level, s, _| collapse_loss(level, s));
    compare(&case, "ortho_loss", |level, s, _| {
        orthogonality_loss(level, s)
    });
}

#[test]
fn the_loss_of_just_balance_matches() {
    let case = fixture::<File>("poolers.json").jb;
    compare(&case, "balance_loss", |level, s, _| balance_loss(level, s));
}

/// K of the fixtures.
const CLUSTERS: f64 = 4.0;

#[test]
fn losses_of_hosc_match() {
    let file = fixture::<File>("poolers.json");
    for case in [&file.hosc_alpha1_mu0, &file.hosc_ortho] {
        compare(case, "hosc_loss", |level, s, _| {
            higher_order_cut_loss(level, s) / CLUSTERS
        });
    }
    // The plain cut of the reference is lost here (its numerator is 0), so only
    // half of the other one remains.
    compare(&file.hosc_alpha05_mu01, "hosc_loss", |level, s, _| {
        higher_order_cut_loss(level, s) * 0.5 / CLUSTERS
    });
    compare(&file.hosc_alpha05_mu01, "ortho_loss", |level, s, _| {
        orthogonality_loss(level, s) * 0.1
    });
    compare(&file.hosc_ortho, "ortho_loss", |level, s, _| {
        spread_loss(level, s)
    });
}
