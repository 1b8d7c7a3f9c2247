//! layers.json: the graph convolutions.

use super::fixture::{Number, Rows, flat, read as fixture, transposed};
use super::tensors::{PRECISIONS, device, from_values, matrix, read, vector};
use super::tolerance::{CHAIN, FRACTIONAL_TARGETS, SINGLE, assert_all_close};
use bnpool::nn::{Gcn, Gin, GinConfig, Initialiser, Mlp, MlpConfig, Mode};
use bnpool::ops::Activation;
use bnpool::pool::{DenseStructure, Level, Structure, Topology};
use bnpool_graph::{Csr, Graph};
use burn::module::Param;
use burn::nn::Linear;
use burn::tensor::{DType, Gradients, Tensor};
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
    bn_running_mean_after: Option<Vec<Number>>,
    bn_running_var_after: Option<Vec<Number>>,
    out_eval_after: Option<Rows>,
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
    let graph = Graph::builder(adjacency).build().expect("a graph");
    let level = Level::new(x.clone(), Topology::of_graph(&graph));
    let out = gcn.forward(&level, Activation::None);
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

/// Sets the layers of a perceptron to the values of the file.
fn fill_mlp(mlp: &mut Mlp, case: &Case, prefix: &str, dtype: DType) {
    for (i, layer) in mlp.layers.iter_mut().enumerate() {
        *layer = linear(case, &format!("{prefix}lins.{i}"), dtype);
    }
    for (i, norm) in mlp.norms.iter_mut().enumerate() {
        let value = |name: &str| {
            let key = format!("{prefix}norms.{i}.module.{name}");
            Param::from_tensor(vector(&numbers(&case.params[key]), dtype))
        };
        norm.gamma = value("weight");
        norm.beta = value("bias");
    }
}

fn linear(case: &Case, name: &str, dtype: DType) -> Linear {
    let weight = rows(&case.params[format!("{name}.weight")]);
    let bias = numbers(&case.params[format!("{name}.bias")]);
    Linear {
        weight: Param::from_tensor(matrix(&transposed(&weight), dtype)),
        bias: Some(Param::from_tensor(vector(&bias, dtype))),
    }
}

/// Compares output and all gradients of a layer with the file.
struct Checked<'a> {
    case: &'a Case,
    dtype: DType,
    tolerance: f64,
}

impl Checked<'_> {
    fn output(&self, out: Tensor<2>) -> Gradients {
        let what = format!("{} ({:?})", self.case.name, self.dtype);
        let want = flat_any(&self.case.out);
        assert_all_close(&what, read(out.clone()), &want, self.tolerance);
        let shape = out.dims();
        let w = from_values(flat_any(&self.case.w), shape, self.dtype).detach();
        (out * w).sum().backward()
    }

    fn gradient<const D: usize>(&self, name: &str, x: &Tensor<D>, grads: &Gradients, want: &[f64]) {
        let what = format!("∂{name} of {} ({:?})", self.case.name, self.dtype);
        let got = read(x.grad(grads).expect("a gradient"));
        assert_all_close(&what, got, want, self.tolerance);
    }

    fn linear(&self, name: &str, layer: &Linear, grads: &Gradients) {
        let weight = transposed(&rows(&self.case.grads[format!("{name}.weight")]));
        self.gradient(name, &layer.weight.val(), grads, &flat(&weight));
        let bias = flat_any(&self.case.grads[format!("{name}.bias")]);
        let ours = layer.bias.as_ref().expect("a bias").val();
        // Before a normalisation a bias has no effect: zero up to rounding.
        if bias.iter().all(|b| b.abs() < 1e-12) {
            let bound = if self.dtype == DType::F32 {
                1e-4
            } else {
                1e-12
            };
            let got = read(ours.grad(grads).expect("a gradient"));
            assert!(got.iter().all(|g| g.abs() < bound), "{name}: {got:?}");
        } else {
            self.gradient(name, &ours, grads, &bias);
        }
    }

    fn mlp(&self, mlp: &Mlp, prefix: &str, grads: &Gradients) {
        for (i, layer) in mlp.layers.iter().enumerate() {
            self.linear(&format!("{prefix}lins.{i}"), layer, grads);
        }
        for (i, norm) in mlp.norms.iter().enumerate() {
            let want =
                |name: &str| flat_any(&self.case.grads[format!("{prefix}norms.{i}.module.{name}")]);
            self.gradient("γ", &norm.gamma.val(), grads, &want("weight"));
            self.gradient("β", &norm.beta.val(), grads, &want("bias"));
        }
    }
}

/// All numbers of nested lists.
fn flat_any(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(flat_any).collect(),
        other => vec![
            serde_json::from_value::<Number>(other.clone())
                .expect("a number")
                .0,
        ],
    }
}

fn case<'a>(file: &'a File, name: &str) -> &'a Case {
    file.cases
        .iter()
        .find(|case| case.name == name)
        .unwrap_or_else(|| panic!("the file has no {name}"))
}

fn in_both(name: &str, check: impl Fn(&Checked<'_>)) {
    let file: File = fixture("layers.json");
    let case = case(&file, name);
    for dtype in PRECISIONS {
        let tolerance = if dtype == DType::F32 { SINGLE } else { CHAIN };
        check(&Checked {
            case,
            dtype,
            tolerance,
        });
    }
}

fn width(case: &Case, name: &str) -> [usize; 2] {
    let weight = rows(&case.params[name]);
    [weight[0].len(), weight.len()]
}

/// Builds the GIN layer of a case, its graph and its input.
fn gin(checked: &Checked<'_>, batch_norm: bool) -> (Gin, Level, Tensor<2>) {
    let Checked { case, dtype, .. } = checked;
    let [inputs, outputs] = width(case, "nn.lins.0.weight");
    let edges = case
        .params
        .get("lin.weight")
        .map_or(0, |w| rows(w)[0].len());
    let mut gin = GinConfig::new(inputs, outputs)
        .with_edge_inputs(edges)
        .with_batch_norm(batch_norm)
        .init(&mut Initialiser::new(0, &device()));
    fill_mlp(&mut gin.mlp, case, "nn.", *dtype);
    if edges > 0 {
        gin.edge = Some(linear(case, "lin", *dtype));
    }
    let pairs = case.edge_index[1]
        .iter()
        .copied()
        .zip(case.edge_index[0].iter().copied());
    let (adjacency, origins) =
        Csr::from_edges_with_origins(case.num_nodes, pairs).expect("a graph");
    let graph = Graph::builder(adjacency).build().expect("a graph");
    let x = matrix(&rows(&case.inputs["x"]), *dtype);
    let edge_features = case.inputs.get("edge_attr").map(|e| {
        let e = rows(e);
        let sorted: Rows = origins.iter().map(|&k| e[k].clone()).collect();
        matrix(&sorted, *dtype)
    });
    let level = Level::new(x.clone(), Topology::of_graph(&graph)).with_edge_features(edge_features);
    (gin, level, x)
}

#[test]
fn isomorphism_layers_match() {
    in_both("GINConv_mlp_elu_nonorm", |checked| {
        let (gin, level, x) = gin(checked, false);
        let grads = checked.output(gin.forward(&level, Activation::None, &Mode::training(0, 0)));
        checked.gradient("X", &x, &grads, &flat_any(&checked.case.grads["x"]));
        checked.mlp(&gin.mlp, "nn.", &grads);
    });
}

#[test]
fn normalised_isomorphism_layers_match_and_remember() {
    in_both("GINConv_mlp_elu_batchnorm_train", |checked| {
        let (gin, level, x) = gin(checked, true);
        let mode = Mode::training(0, 0);
        let grads = checked.output(gin.forward(&level, Activation::None, &mode));
        checked.gradient("X", &x, &grads, &flat_any(&checked.case.grads["x"]));
        checked.mlp(&gin.mlp, "nn.", &grads);
        // Running statistics start in single precision.
        let gin = mode.remember(gin);
        let norm = &gin.mlp.norms[0];
        for (what, got, want) in [
            (
                "mean",
                &norm.running_mean,
                &checked.case.bn_running_mean_after,
            ),
            (
                "variance",
                &norm.running_variance,
                &checked.case.bn_running_var_after,
            ),
        ] {
            let want: Vec<f64> = want.iter().flatten().map(|x| x.0).collect();
            assert_all_close(what, read(got.val()), &want, SINGLE);
        }
        let later = match checked.dtype {
            DType::F32 => gin.forward(&level, Activation::None, &Mode::evaluation()),
            // Double-precision parameters and running statistics.
            _ => {
                let mut gin = gin;
                let norm = &mut gin.mlp.norms[0];
                norm.running_mean = norm.running_mean.clone().map(|x| x.cast(DType::F64));
                norm.running_variance = norm.running_variance.clone().map(|x| x.cast(DType::F64));
                gin.forward(&level, Activation::None, &Mode::evaluation())
            }
        };
        let want = checked.case.out_eval_after.as_ref().expect("values");
        assert_all_close("evaluation", read(later), &flat(want), SINGLE);
    });
}

#[test]
fn layers_with_edge_features_match() {
    in_both("GINEConv_edge_dim2", |checked| {
        let (gin, level, x) = gin(checked, false);
        let grads = checked.output(gin.forward(&level, Activation::None, &Mode::training(0, 0)));
        checked.gradient("X", &x, &grads, &flat_any(&checked.case.grads["x"]));
        checked.mlp(&gin.mlp, "nn.", &grads);
        checked.linear("lin", gin.edge.as_ref().expect("edge features"), &grads);
    });
}

#[test]
fn layers_on_pooled_graphs_match() {
    in_both("DenseGINConv", |checked| {
        let (mut gin, _, _) = gin_of_dense(checked);
        let (x, adjacency) = dense_inputs(checked);
        let [graphs, nodes, width] = x.dims();
        let keys: Vec<u32> = (0..graphs as u32).collect();
        let level = Level::new(
            x.clone().reshape([graphs * nodes, width]),
            Structure::Dense(DenseStructure::new(adjacency.clone(), &keys)),
        );
        fill_mlp(&mut gin.mlp, checked.case, "nn.", checked.dtype);
        let grads = checked.output(gin.forward(&level, Activation::None, &Mode::training(0, 0)));
        checked.gradient("X", &x, &grads, &flat_any(&checked.case.grads["x"]));
        checked.gradient(
            "A",
            &adjacency,
            &grads,
            &flat_any(&checked.case.grads["adj"]),
        );
        checked.mlp(&gin.mlp, "nn.", &grads);
    });
}

fn gin_of_dense(checked: &Checked<'_>) -> (Gin, usize, usize) {
    let [inputs, outputs] = width(checked.case, "nn.lins.0.weight");
    let gin = GinConfig::new(inputs, outputs).init(&mut Initialiser::new(0, &device()));
    (gin, inputs, outputs)
}

fn dense_inputs(checked: &Checked<'_>) -> (Tensor<3>, Tensor<3>) {
    let read = |name: &str| -> Tensor<3> {
        let nested: Vec<Rows> =
            serde_json::from_value(checked.case.inputs[name].clone()).expect("matrices");
        let shape = [nested.len(), nested[0].len(), nested[0][0].len()];
        let values = nested.iter().flat_map(|rows| flat(rows)).collect();
        from_values(values, shape, checked.dtype)
    };
    (read("x"), read("adj"))
}

#[test]
fn the_readout_matches() {
    in_both("MLP_readout_eval", |checked| {
        let count = checked.case.params.as_object().expect("parameters").len() / 2;
        let mut widths = vec![width(checked.case, "lins.0.weight")[0]];
        widths.extend((0..count).map(|i| width(checked.case, &format!("lins.{i}.weight"))[1]));
        let mut mlp = MlpConfig::new(widths)
            .with_dropout(0.5)
            .init(&mut Initialiser::new(0, &device()));
        fill_mlp(&mut mlp, checked.case, "", checked.dtype);
        let x = matrix(&rows(&checked.case.inputs["x"]), checked.dtype);
        let grads = checked.output(mlp.forward(x.clone(), &Mode::evaluation()));
        checked.gradient("X", &x, &grads, &flat_any(&checked.case.grads["x"]));
        checked.mlp(&mlp, "", &grads);
    });
}
