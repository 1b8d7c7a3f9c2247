//! models.json: the whole models, with the gradients of all parameters.

use super::fixture::{Number, Rows, flat, read as fixture, transposed};
use super::tensors::{PRECISIONS, csr, device, matrix, read, vector};
use super::tolerance::{
    FRACTIONAL_TARGETS, PYTORCH_PATHWISE, SINGLE, assert_all_close, assert_close,
};
use bnpool::model::ClusterModelConfig;
use bnpool::nn::{Initialiser, Layer, LayerKind};
use bnpool::ops::{Draw, GivenFractions};
use bnpool::pool::{BnPass, Level, Losses, Pass, Pooler, PoolerConfig, Topology};
use bnpool_graph::Graph;
use burn::module::Param;
use burn::tensor::{DType, Tensor};
use serde::Deserialize;
use std::collections::HashMap;

#[derive(Deserialize)]
struct File {
    clustering: Clustering,
}

#[derive(Deserialize)]
#[allow(non_snake_case)] // The names of the files.
struct Clustering {
    adj: Rows,
    X: Rows,
    z: Rows,
    eta: f64,
    cfg: PoolSettings,
    params: HashMap<String, Values>,
    S: Rows,
    loss: f64,
    parts: HashMap<String, f64>,
    grads: HashMap<String, Values>,
}

#[derive(Deserialize)]
#[allow(non_snake_case)]
pub(crate) struct PoolSettings {
    k: usize,
    alpha_DP: f64,
    K_var: f64,
    K_mu: f64,
    K_init: f64,
}

impl PoolSettings {
    pub(crate) fn pooler(&self) -> PoolerConfig {
        let mut config = PoolerConfig::authors();
        config.max_clusters = self.k;
        config.alpha_dp = self.alpha_DP;
        config.sigma_k = self.K_var;
        config.mu_k = self.K_mu;
        config.eta_k = self.K_init;
        config
    }
}

fn check_parts(losses: &Losses, parts: &HashMap<String, f64>, tolerance: f64) {
    for (part, name) in [("quality", "rec"), ("kl", "kl"), ("K_prior", "k")] {
        let got = read(losses.get(name).expect("a term").clone())[0];
        assert_close(part, got, parts[part], tolerance, 0.0);
    }
}

/// A vector or a matrix.
#[derive(Deserialize)]
#[serde(untagged)]
enum Values {
    Matrix(Rows),
    Vector(Vec<Number>),
}

impl Values {
    /// The matrix in our layout: PyTorch stores weights transposed.
    fn weight(&self, dtype: DType) -> Tensor<2> {
        match self {
            Self::Matrix(rows) => matrix(&transposed(rows), dtype),
            Self::Vector(_) => panic!("a matrix was expected"),
        }
    }

    fn plain(&self, dtype: DType) -> Tensor<2> {
        match self {
            Self::Matrix(rows) => matrix(rows, dtype),
            Self::Vector(_) => panic!("a matrix was expected"),
        }
    }

    fn bias(&self, dtype: DType) -> Tensor<1> {
        match self {
            Self::Vector(values) => vector(values, dtype),
            Self::Matrix(_) => panic!("a vector was expected"),
        }
    }

    fn transposed(&self) -> Vec<f64> {
        match self {
            Self::Matrix(rows) => flat(&transposed(rows)),
            Self::Vector(values) => values.iter().map(|x| x.0).collect(),
        }
    }
}

const FIRST: &str = "conv_layers_pre.0";
const SECOND: &str = "conv_layers_pre.1";
const POSTERIOR: &str = "pool.selector.mlp.lins.0";

#[test]
fn the_clustering_model_matches() {
    let case = fixture::<File>("models.json").clustering;
    for dtype in PRECISIONS {
        check(&case, dtype);
    }
}

fn check(case: &Clustering, dtype: DType) {
    let weight = |name: &str| case.params[&format!("{name}.weight")].weight(dtype);
    let bias = |name: &str| case.params[&format!("{name}.bias")].bias(dtype);
    let (w1, w2) = (
        weight(&format!("{FIRST}.lin")),
        weight(&format!("{SECOND}.lin")),
    );
    let (b1, b2) = (bias(FIRST), bias(SECOND));
    let (w, b) = (weight(POSTERIOR), bias(POSTERIOR));
    let k = case.params["pool.K"].plain(dtype);
    let mut model = ClusterModelConfig {
        inputs: case.X[0].len(),
        hidden: w1.dims()[1],
        layer: LayerKind::Gcn,
        nodes: case.X.len(),
        pool: case.cfg.pooler(),
        clusters: 2,
        seed: 0,
    }
    .init(&mut Initialiser::new(0, &device()))
    .expect("a valid configuration");
    for (layer, w, b) in [(&mut model.first, &w1, &b1), (&mut model.second, &w2, &b2)] {
        let Layer::Gcn(gcn) = layer else {
            panic!("graph convolutions were asked for");
        };
        gcn.weight = Param::from_tensor(w.clone());
        gcn.bias = Param::from_tensor(b.clone());
    }
    let Pooler::Bn(pool) = &mut model.pool else {
        panic!("BN-Pool was asked for");
    };
    pool.posterior.layers[0].weight = Param::from_tensor(w.clone());
    pool.posterior.layers[0].bias = Some(Param::from_tensor(b.clone()));
    pool.block_matrix = Param::from_tensor(k.clone());
    let graph = Graph::builder(csr(&case.adj)).build().expect("a graph");
    let topology = Topology::of_graph(&graph);
    let pass = BnPass {
        draw: Draw::Given(GivenFractions::new(flat(&case.z)).expect("fractions")),
        ..BnPass::mean(case.eta)
    };
    let x = matrix(&case.X, dtype).detach();
    let level = model.embed(&Level::new(x, topology.clone()), &Pass::mean());
    let Pooler::Bn(pool) = &model.pool else {
        panic!("BN-Pool was asked for");
    };
    let out = pool.select(level.x(), &topology, &pass);
    let assignments = out.membership.soft().expect("soft").clone();

    // Normalised matrices are stored in single precision.
    let tolerance = if dtype == DType::F32 {
        SINGLE
    } else {
        FRACTIONAL_TARGETS
    };
    assert_all_close("S", read(assignments), &flat(&case.S), tolerance);
    check_parts(&out.losses, &case.parts, tolerance);
    let total = out.losses.total().expect("losses");
    assert_close("loss", read(total.clone())[0], case.loss, tolerance, 0.0);

    let gradients = total.backward();
    for (name, got) in [
        (format!("{FIRST}.lin.weight"), w1.grad(&gradients).map(read)),
        (format!("{FIRST}.bias"), b1.grad(&gradients).map(read)),
        (
            format!("{SECOND}.lin.weight"),
            w2.grad(&gradients).map(read),
        ),
        (format!("{SECOND}.bias"), b2.grad(&gradients).map(read)),
        (format!("{POSTERIOR}.weight"), w.grad(&gradients).map(read)),
        (format!("{POSTERIOR}.bias"), b.grad(&gradients).map(read)),
    ] {
        let got = got.expect("a gradient");
        assert_all_close(
            &format!("∂{name} ({dtype:?})"),
            got,
            &case.grads[&name].transposed(),
            PYTORCH_PATHWISE,
        );
    }
    // The gradient of K does not involve the pathwise derivative.
    let Values::Matrix(want) = &case.grads["pool.K"] else {
        panic!("a matrix was expected");
    };
    let got = read(k.grad(&gradients).expect("a gradient"));
    assert_all_close("∂K", got, &flat(want), tolerance);
}
