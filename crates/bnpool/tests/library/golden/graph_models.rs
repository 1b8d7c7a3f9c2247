//! models.json: the classification models, with the gradients of all
//! parameters.

use super::fixture::{Number, Rows, flat, read as fixture, transposed};
use super::models::PoolSettings;
use super::tensors::{PRECISIONS, device, from_values, read};
use super::tolerance::{CHAIN, PYTORCH_PATHWISE, SINGLE, assert_all_close, assert_close};
use bnpool::model::{GraphInput, GraphModel, GraphModelConfig, InputKind, Norm};
use bnpool::nn::{Initialiser, LayerKind, Readout};
use bnpool::ops::{Draw, GivenFractions};
use bnpool::pool::{BnPass, Level, Pass, Pooler, Topology};
use bnpool_graph::{Batch, Csr, Graph, Matrix};
use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::nn::loss::CrossEntropyLossConfig;
use burn::tensor::{DType, Gradients, Int, Tensor, TensorData};
use serde::Deserialize;
use std::collections::HashMap;

#[derive(Deserialize)]
struct File {
    classification_gin: Case,
    classification_gine: Case,
}

#[derive(Deserialize)]
#[allow(non_snake_case)] // The names of the files.
struct Case {
    sizes: Vec<usize>,
    edge_index: Vec<[Vec<u32>; 2]>,
    X: Vec<Rows>,
    edge_attr: Option<Vec<Rows>>,
    y: Vec<i64>,
    z: Vec<Rows>,
    eta: f64,
    cfg: PoolSettings,
    params: HashMap<String, serde_json::Value>,
    logits: Rows,
    ce: f64,
    aux: f64,
    parts: HashMap<String, f64>,
    total: f64,
    grads: HashMap<String, serde_json::Value>,
}

/// Maps our name of a parameter to that in the file.
fn theirs(ours: &str) -> Option<String> {
    // Enum variants are not part of the name in the file.
    let name = ours
        .replace(".Gin.", ".")
        .replace(".Bn.", ".")
        .replace("before.", "conv_layers_pre.")
        .replace("blocks.0.layers.", "conv_layers_post.")
        .replace(".mlp.layers.", ".nn.lins.")
        .replace("head.layers.", "mlp.lins.")
        .replace("blocks.0.pool.posterior.layers.", "pool.selector.mlp.lins.")
        .replace("blocks.0.pool.block_matrix", "pool.K")
        .replace(".edge.", ".lin.")
        .replace(".mlp.norms.0.gamma", ".nn.norms.0.module.weight")
        .replace(".mlp.norms.0.beta", ".nn.norms.0.module.bias");
    (!name.contains("running")).then_some(name)
}

/// Values in our layout: PyTorch stores weights transposed.
fn ours(name: &str, value: &serde_json::Value) -> Vec<f64> {
    if let Ok(rows) = serde_json::from_value::<Rows>(value.clone()) {
        return flat(&if name == "pool.K" {
            rows
        } else {
            transposed(&rows)
        });
    }
    let values: Vec<Number> = serde_json::from_value(value.clone()).expect("a vector");
    values.iter().map(|x| x.0).collect()
}

/// Sets every parameter to its value in the file.
struct Fill<'a> {
    path: Vec<String>,
    params: &'a HashMap<String, serde_json::Value>,
    dtype: DType,
    filled: usize,
}

impl ModuleMapper for Fill<'_> {
    fn enter_module(&mut self, name: &str, _: &str) {
        self.path.push(name.to_owned());
    }
    fn exit_module(&mut self, _: &str, _: &str) {
        self.path.pop();
    }
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let name = self.path.join(".");
        let shape = param.dims();
        let Some(theirs) = theirs(&name) else {
            let dtype = self.dtype;
            return param.map(|x| x.cast(dtype));
        };
        let values = self
            .params
            .get(&theirs)
            .unwrap_or_else(|| panic!("the file has no {theirs} for {name}"));
        self.filled += 1;
        let tensor = from_values(ours(&theirs, values), shape, self.dtype);
        param.map(|_| tensor)
    }
}

/// Compares every gradient.
struct Compare<'a> {
    path: Vec<String>,
    grads: &'a Gradients,
    want: &'a HashMap<String, serde_json::Value>,
    dtype: DType,
    tolerance: f64,
}

impl ModuleVisitor for Compare<'_> {
    fn enter_module(&mut self, name: &str, _: &str) {
        self.path.push(name.to_owned());
    }
    fn exit_module(&mut self, _: &str, _: &str) {
        self.path.pop();
    }
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let name = self.path.join(".");
        let Some(theirs) = theirs(&name) else {
            return;
        };
        let got = read(param.val().grad(self.grads).expect("a gradient"));
        let want = ours(&theirs, &self.want[&theirs]);
        // Gradients before the pooler involve the pathwise derivative.
        let behind = name.contains("block_matrix")
            || name.starts_with("head")
            || name.starts_with("blocks.0.layers");
        let tolerance = if behind {
            self.tolerance
        } else {
            PYTORCH_PATHWISE
        };
        // A bias before a normalisation has no effect: its gradient is the
        // rounding error of cancelling sums.
        if theirs.ends_with("nn.lins.0.bias") && name.starts_with("before") {
            let largest = got.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let bound = if self.dtype == DType::F32 { 1e-3 } else { 1e-9 };
            assert!(largest < bound, "∂{name}: {largest}");
            return;
        }
        assert_all_close(
            &format!("∂{name} ({:?})", self.dtype),
            got,
            &want,
            tolerance,
        );
    }
}

#[test]
fn the_model_without_edge_features_matches() {
    let case = fixture::<File>("models.json").classification_gin;
    for dtype in PRECISIONS {
        check(&case, dtype);
    }
}

#[test]
fn the_model_with_edge_features_matches() {
    let case = fixture::<File>("models.json").classification_gine;
    for dtype in PRECISIONS {
        check(&case, dtype);
    }
}

/// Builds the graphs of a case. Graphs store features in single precision, so
/// exact ones are returned separately.
fn batch(case: &Case) -> (Batch, Option<Rows>) {
    let mut all_edges: Option<Rows> = case.edge_attr.as_ref().map(|_| Vec::new());
    let graphs: Vec<Graph> = (0..case.sizes.len())
        .map(|g| {
            let [sources, targets] = &case.edge_index[g];
            let edges = targets.iter().copied().zip(sources.iter().copied());
            let (adjacency, origins) =
                Csr::from_edges_with_origins(case.sizes[g], edges).expect("a graph");
            if let (Some(all), Some(features)) = (&mut all_edges, &case.edge_attr) {
                all.extend(origins.iter().map(|&k| features[g][k].clone()));
            }
            let features = Matrix::zeros(case.sizes[g], case.X[g][0].len());
            Graph::builder(adjacency)
                .features(features)
                .build()
                .expect("a graph")
        })
        .collect();
    let batch = Batch::new(&graphs.iter().collect::<Vec<_>>()).expect("a batch");
    (batch, all_edges)
}

fn check(case: &Case, dtype: DType) {
    let (batch, edges) = batch(case);
    let x: Rows = case
        .X
        .iter()
        .zip(&case.sizes)
        .flat_map(|(x, &n)| x[..n].to_vec())
        .collect();
    let z: Rows = case
        .z
        .iter()
        .zip(&case.sizes)
        .flat_map(|(z, &n)| z[..n].to_vec())
        .collect();
    let constant = |rows: &Rows| {
        let shape = [rows.len(), rows[0].len()];
        from_values(flat(rows), shape, dtype).detach()
    };
    let hidden = case.logits.len() * 2; // six in the file
    let model = GraphModelConfig {
        input: InputKind::Numbers {
            nodes: x[0].len(),
            edges: edges.as_ref().map_or(0, |e| e[0].len()),
        },
        layer: LayerKind::Gine,
        standardise: false,
        standardise_targets: false,
        hidden,
        before: 2,
        after: 1,
        levels: 1,
        norm: Norm::Mlp,
        dropout: 0.0,
        readout: Readout::Sum,
        nodes: 5.0,
        outputs: case.logits[0].len(),
        pooler: case.cfg.pooler(),
        seed: 0,
    }
    .init(&mut Initialiser::new(0, &device()))
    .expect("a model");
    let mut fill = Fill {
        path: Vec::new(),
        params: &case.params,
        dtype,
        filled: 0,
    };
    let model: GraphModel = model.map(&mut fill);
    assert_eq!(
        fill.filled,
        case.params.len(),
        "every parameter of the file"
    );

    let level = Level::new(constant(&x), Topology::of_batch(&batch))
        .with_edge_features(edges.as_ref().map(constant));
    let pass = BnPass {
        draw: Draw::Given(GivenFractions::new(flat(&z)).expect("fractions")),
        ..BnPass::mean(case.eta)
    };
    let input = GraphInput::Numbers(level);
    let out = model.forward_by(&input, &Pass::training(0, 0, 1.0), |_, pooler, level, _| {
        let Pooler::Bn(pool) = pooler else {
            panic!("BN-Pool was asked for");
        };
        pool.forward(level.x(), &level.structure.topology(), &pass)
    });
    let tolerance = if dtype == DType::F32 { SINGLE } else { CHAIN };
    let logits = out.outputs.clone();
    assert_all_close(
        "logits",
        read(logits.clone()),
        &flat(&case.logits),
        tolerance,
    );
    let losses = out.losses();
    for (part, name) in [("quality", "rec"), ("kl", "kl"), ("K_prior", "k")] {
        let got = read(losses.get(name).expect("a term").clone())[0];
        assert_close(part, got, case.parts[part], tolerance, 0.0);
    }
    let classes =
        Tensor::<1, Int>::from_data(TensorData::new(case.y.clone(), [case.y.len()]), &device());
    let ce = CrossEntropyLossConfig::new()
        .init(&device())
        .forward(logits, classes);
    assert_close(
        "cross-entropy",
        read(ce.clone())[0],
        case.ce,
        tolerance,
        0.0,
    );
    let auxiliary = read(losses.total().expect("losses"))[0];
    assert_close("auxiliary", auxiliary, case.aux, tolerance, 0.0);
    let total = losses.add_to(ce);
    assert_close("total", read(total.clone())[0], case.total, tolerance, 0.0);
    let grads = total.backward();
    model.visit(&mut Compare {
        path: Vec::new(),
        grads: &grads,
        want: &case.grads,
        dtype,
        tolerance: tolerance.max(1e-7),
    });
}
