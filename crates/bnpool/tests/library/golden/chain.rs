//! bnpool_chain.json: the whole operator, from features to losses and the
//! pooled graph.

use super::fixture::{Number, Rows, flat, read as fixture, transposed};
use super::tensors::{PRECISIONS, csr, device, matrix, read, vector};
use super::tolerance::{CHAIN, PYTORCH_PATHWISE, SINGLE, assert_all_close};
use bnpool::nn::Initialiser;
use bnpool::ops::{Draw, GivenFractions};
use bnpool::pool::{BnPass, BnPoolConfig, LossNormalisation, Topology};
use bnpool_graph::Graph;
use burn::module::Param;
use burn::tensor::{DType, Tensor};
use serde::Deserialize;

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
    adj: Rows,
    X: Rows,
    W: Rows,
    b: Vec<Number>,
    K: Rows,
    z: Rows,
    alpha: Rows,
    beta: Rows,
    S: Rows,
    rec: f64,
    kl_times_eta: f64,
    K_prior: f64,
    x_pool: Rows,
    adj_pool: Rows,
    wx: Rows,
    wa: Rows,
    total: f64,
    grad_X: Rows,
    grad_W: Rows,
    grad_b: Vec<Number>,
    grad_K: Rows,
}

#[test]
fn the_whole_operator_matches() {
    let file: File = fixture("bnpool_chain.json");
    assert!(!file.cases.is_empty());
    for case in &file.cases {
        let [double, single] = PRECISIONS.map(|dtype| check(case, dtype));
        // Compared with our double precision, which lacks PyTorch's error,
        // single precision meets a tighter tolerance.
        for (what, (single, double)) in ["∂X", "∂W", "∂b"].iter().zip(single.iter().zip(&double))
        {
            let what = format!("{what} of {}, f32 against f64", case.name);
            assert_all_close(&what, single.iter().copied(), double, SINGLE);
        }
    }
}

/// Checks one precision; returns the gradients with respect to X, W and b.
fn check(case: &Case, dtype: DType) -> [Vec<f64>; 3] {
    let clusters = case.K.len();
    let config = BnPoolConfig::new(case.X[0].len())
        .with_max_clusters(clusters)
        .with_alpha_dp(case.alpha_DP)
        .with_mu_k(case.K_mu)
        .with_sigma_k(case.K_var)
        .with_normalisation(LossNormalisation::Authors);
    let mut pool = config
        .init(&mut Initialiser::new(0, &device()))
        .expect("a valid configuration");
    let (w, b) = (matrix(&transposed(&case.W), dtype), vector(&case.b, dtype));
    let k = matrix(&case.K, dtype);
    pool.posterior.layers[0].weight = Param::from_tensor(w.clone());
    pool.posterior.layers[0].bias = Some(Param::from_tensor(b.clone()));
    pool.block_matrix = Param::from_tensor(k.clone());
    let x = matrix(&case.X, dtype);
    let graph = Graph::builder(csr(&case.adj)).build().expect("a graph");
    let pass = BnPass {
        draw: Draw::Given(GivenFractions::new(flat(&case.z)).expect("fractions")),
        ..BnPass::mean(case.eta)
    };
    let parameters = pool.posterior_parameters(x.clone());
    let out = pool.forward(x.clone(), &Topology::of_graph(&graph), &pass);

    let name = format!("{} ({dtype:?})", case.name);
    let exact = if dtype == DType::F32 { SINGLE } else { CHAIN };
    let both: Rows = case
        .alpha
        .iter()
        .zip(&case.beta)
        .map(|(a, b)| a.iter().chain(b).copied().collect())
        .collect();
    assert_all_close(
        &format!("α, β of {name}"),
        read(parameters),
        &flat(&both),
        exact,
    );
    assert_all_close(
        &format!("S of {name}"),
        read(out.assignments().expect("soft")),
        &flat(&case.S),
        exact,
    );
    let losses = &out.losses;
    for (what, want) in [
        ("rec", case.rec),
        ("kl", case.kl_times_eta),
        ("k", case.K_prior),
    ] {
        let got = losses.get(what).expect("a term").clone();
        assert_all_close(&format!("{what} of {name}"), read(got), &[want], exact);
    }
    assert_all_close(
        &format!("X_pool of {name}"),
        read(out.features()),
        &flat(&case.x_pool),
        exact,
    );
    assert_all_close(
        &format!("A_pool of {name}"),
        read(out.adjacency()),
        &flat(&case.adj_pool),
        exact,
    );

    let weigh = |x: Tensor<3>, w: &Rows| (x.squeeze_dim::<2>(0) * matrix(w, dtype).detach()).sum();
    let total = losses.add_to(weigh(out.features(), &case.wx) + weigh(out.adjacency(), &case.wa));
    assert_all_close(
        &format!("total of {name}"),
        read(total.clone()),
        &[case.total],
        exact,
    );
    let grads = total.backward();
    let loose = PYTORCH_PATHWISE;
    let gradient = |x: &Tensor<2>| read(x.grad(&grads).expect("a gradient"));
    // The gradient of K does not involve the pathwise derivative.
    assert_all_close(
        &format!("∂K of {name}"),
        gradient(&k),
        &flat(&case.grad_K),
        exact,
    );
    assert_all_close(
        &format!("∂X of {name}"),
        gradient(&x),
        &flat(&case.grad_X),
        loose,
    );
    assert_all_close(
        &format!("∂W of {name}"),
        gradient(&w),
        &flat(&transposed(&case.grad_W)),
        loose,
    );
    let want: Vec<f64> = case.grad_b.iter().map(|x| x.0).collect();
    let by_bias = read(b.grad(&grads).expect("a gradient"));
    assert_all_close(&format!("∂b of {name}"), by_bias.clone(), &want, loose);
    [gradient(&x), gradient(&w), by_bias]
}
