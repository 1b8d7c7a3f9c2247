//! The kernels give NaN whenever the portable path does, in values and in
//! gradients.

use bnpool::Device;
use bnpool::ops::{
    Activation, BlockLossPairs, Draw, GivenFractions, Segments, StickDraw, activate, affine,
    batch_norm, block_loss, break_sticks, edge_messages, lift, lift_own, pooled_adjacency, reduce,
    segment_sum, spmm, spmm_bias, spmm_own, without_kernels,
};
use bnpool_graph::Csr;
use bnpool_math::kernel::{Negatives, PairWeights};
use burn::tensor::{DType, Tensor, TensorData};
use std::sync::Arc;

/// An operation on flat inputs with a flat result.
type Operation = Box<dyn Fn(&[Tensor<1>]) -> Tensor<1>>;

struct Case {
    name: &'static str,
    inputs: Vec<Vec<f64>>,
    operation: Operation,
}

/// Numbers of either sign, none of them special.
fn numbers(count: usize, phase: f64) -> Vec<f64> {
    (0..count)
        .map(|i| (i as f64 * 1.7 + phase).sin() + 0.05)
        .collect()
}

/// Numbers between 0.1 and 1.1.
fn shares(count: usize) -> Vec<f64> {
    numbers(count, 0.4)
        .iter()
        .map(|x| x.abs() * 0.9 + 0.1)
        .collect()
}

/// Two graphs of three and four nodes.
fn segments() -> Segments {
    Segments::from_offsets(vec![0, 3, 7])
}

const NODES: usize = 7;

fn graph() -> Arc<Csr> {
    let pairs = [(0, 1), (1, 2), (3, 4), (4, 5), (5, 6), (6, 3)];
    let both = pairs.iter().flat_map(|&(u, v)| [(u, v), (v, u)]);
    Arc::new(Csr::from_edges(NODES, both).expect("edges"))
}

fn flat<const D: usize>(x: Tensor<D>) -> Tensor<1> {
    let size = x.dims().iter().product::<usize>();
    x.reshape([size])
}

fn case(
    name: &'static str,
    inputs: Vec<Vec<f64>>,
    operation: impl Fn(&[Tensor<1>]) -> Tensor<1> + 'static,
) -> Case {
    Case {
        name,
        inputs,
        operation: Box::new(operation),
    }
}

fn pairs(sparse: bool) -> BlockLossPairs {
    let weights = PairWeights {
        positive: 1.5,
        negative: 0.5,
    };
    // Pairs without an edge, in both directions.
    let negatives = sparse.then(|| {
        let pairs = [(0, 2), (2, 0), (3, 5), (5, 3), (4, 6), (6, 4)];
        let pairs = Csr::from_edges(NODES, pairs).expect("pairs");
        Arc::new(Negatives::given(pairs.view(), segments().offsets()))
    });
    BlockLossPairs {
        edges: graph(),
        negatives,
        weights: vec![weights; 2].into(),
    }
}

/// Parameters of sticks; node 0 exhausts its stick at the beginning.
fn stick_parameters(sticks: usize) -> Vec<f64> {
    let mut values: Vec<f64> = shares(NODES * 2 * sticks).iter().map(|x| 3.0 * x).collect();
    for stick in 0..3 {
        values[stick] = 900.0;
        values[sticks + stick] = 1e-3;
    }
    values
}

fn sticks(name: &'static str, sticks: usize, draw: Draw) -> Case {
    case(name, vec![stick_parameters(sticks)], move |x| {
        let out = break_sticks(
            x[0].clone().reshape([NODES, 2 * sticks]),
            &segments(),
            StickDraw {
                sticks,
                particles: 1,
                draw: draw.clone(),
                concentration: 2.0,
                node_weights: vec![0.5; NODES].into(),
            },
        );
        Tensor::cat(vec![flat(out.assignments), out.divergence], 0)
    })
}

/// Memberships in five clusters, the last of which is empty.
fn memberships() -> Vec<f64> {
    let mut s = shares(NODES * 5);
    for row in s.chunks_exact_mut(5) {
        row[4] = 0.0;
    }
    s
}

fn cases() -> Vec<Case> {
    let activations = [
        ("affine", Activation::None),
        ("affine and ELU", Activation::Elu),
        ("affine and bounded softplus", Activation::BoundedSoftplus),
    ];
    let mut cases = Vec::new();
    for (name, f) in activations {
        let inputs = vec![
            numbers(NODES * 3, 0.0),
            numbers(3 * 9, 1.0),
            numbers(9, 2.0),
        ];
        cases.push(case(name, inputs, move |x| {
            let (w, b) = (x[1].clone().reshape([3, 9]), x[2].clone());
            flat(affine(x[0].clone().reshape([NODES, 3]), w, Some(b), f))
        }));
    }
    for (name, f) in [
        ("ELU", Activation::Elu),
        ("bounded softplus", Activation::BoundedSoftplus),
    ] {
        cases.push(case(name, vec![numbers(21, 0.0)], move |x| {
            activate(x[0].clone(), f)
        }));
    }
    let norm = vec![numbers(NODES * 3, 0.0), shares(3), numbers(3, 2.0)];
    cases.push(case("batch norm", norm, |x| {
        let (gamma, beta) = (x[1].clone(), x[2].clone());
        flat(
            batch_norm(
                x[0].clone().reshape([NODES, 3]),
                gamma,
                beta,
                Activation::Elu,
                None,
            )
            .0,
        )
    }));
    cases.push(case("spmm", vec![numbers(NODES * 3, 0.0)], |x| {
        flat(spmm(&graph(), x[0].clone().reshape([NODES, 3])))
    }));
    cases.push(case("spmm with own", vec![numbers(NODES * 3, 0.0)], |x| {
        flat(spmm_own(&graph(), x[0].clone().reshape([NODES, 3])))
    }));
    let with_bias = vec![numbers(NODES * 3, 0.0), numbers(3, 1.0)];
    cases.push(case("spmm with bias", with_bias, |x| {
        let (x, b) = (x[0].clone().reshape([NODES, 3]), x[1].clone());
        flat(spmm_bias(&graph(), x, b, Activation::Elu))
    }));
    let messages = vec![numbers(NODES * 2, 0.0), numbers(12 * 2, 1.0)];
    cases.push(case("edge messages", messages, |x| {
        let (x, e) = (x[0].clone().reshape([NODES, 2]), x[1].clone());
        flat(edge_messages(&graph(), x, e.reshape([12, 2])))
    }));
    let two = vec![shares(NODES * 4), numbers(NODES * 3, 0.0)];
    cases.push(case("reduce", two, |x| {
        let (s, x) = (x[0].clone().reshape([NODES, 4]), x[1].clone());
        flat(reduce(&segments(), s, x.reshape([NODES, 3])))
    }));
    let two = vec![shares(NODES * 4), numbers(2 * 4 * 3, 0.0)];
    cases.push(case("lift", two, |x| {
        let (s, p) = (x[0].clone().reshape([NODES, 4]), x[1].clone());
        flat(lift(&segments(), s, p.reshape([2, 4, 3])))
    }));
    let two = vec![shares(2 * 9), numbers(6 * 2, 0.0)];
    cases.push(case("lift with own", two, |x| {
        let (a, x) = (x[0].clone().reshape([2, 3, 3]), x[1].clone());
        flat(lift_own(
            &Segments::from_offsets(vec![0, 3, 6]),
            a,
            x.reshape([6, 2]),
        ))
    }));
    cases.push(case("segment sum", vec![numbers(NODES * 3, 0.0)], |x| {
        flat(segment_sum(&segments(), x[0].clone().reshape([NODES, 3])))
    }));
    for (name, loops, norm) in [
        ("pooled adjacency", true, true),
        ("pooled adjacency without self-loops", true, false),
        ("pooled adjacency by degrees", false, true),
    ] {
        cases.push(case(name, vec![shares(2 * 16)], move |x| {
            flat(pooled_adjacency(
                x[0].clone().reshape([2, 4, 4]),
                loops,
                norm,
            ))
        }));
    }
    for (name, sparse) in [("dense loss", false), ("sparse loss", true)] {
        let inputs = vec![memberships(), numbers(25, 0.3)];
        cases.push(case(name, inputs, move |x| {
            let (s, k) = (x[0].clone().reshape([NODES, 5]), x[1].clone());
            block_loss(&segments(), s, k.reshape([5, 5]), pairs(sparse))
        }));
    }
    let sample = Draw::Sample { seed: 3, step: 0 };
    cases.push(sticks("sampled sticks", 11, sample.clone()));
    cases.push(sticks("few sampled sticks", 3, sample));
    cases.push(sticks("mean sticks", 11, Draw::Mean));
    cases
}

/// Returns the result, and the gradient of Σ weights · result with respect to
/// each input.
fn run(case: &Case, inputs: &[Vec<f64>], weights: Option<usize>, dtype: DType) -> Vec<Vec<f64>> {
    let device = Device::flex().autodiff();
    let tensor = |values: &[f64]| {
        let data = TensorData::new(values.to_vec(), [values.len()]);
        Tensor::<1>::from_data(data, (&device, dtype))
    };
    let leaves: Vec<Tensor<1>> = inputs.iter().map(|x| tensor(x).require_grad()).collect();
    let out = (case.operation)(&leaves);
    let mut factors = numbers(out.dims()[0], 0.9);
    if let Some(place) = weights {
        let place = place % factors.len();
        factors[place] = f64::NAN;
    }
    let read = |x: Tensor<1>| x.into_data().iter::<f64>().collect::<Vec<_>>();
    let mut results = vec![read(out.clone())];
    let gradients = (out * tensor(&factors)).sum().backward();
    for leaf in &leaves {
        results.push(read(leaf.grad(&gradients).expect("a gradient")));
    }
    results
}

fn compare(case: &Case, what: &str, inputs: &[Vec<f64>], weights: Option<usize>, dtype: DType) {
    let fast = run(case, inputs, weights, dtype);
    let plain = without_kernels(|| run(case, inputs, weights, dtype));
    for (part, (fast, plain)) in fast.iter().zip(&plain).enumerate() {
        for (i, (fast, plain)) in fast.iter().zip(plain).enumerate() {
            let part = match part {
                0 => "the result".to_owned(),
                n => format!("the gradient by input {}", n - 1),
            };
            assert!(
                fast.is_nan() || !plain.is_nan(),
                "{} in {dtype:?}, {what}: value {i} of {part} is {fast}, but NaN by the portable path",
                case.name
            );
        }
    }
    assert!(
        plain_has_nan(&plain),
        "{} in {dtype:?}, {what}: nothing is NaN",
        case.name
    );
}

fn plain_has_nan(results: &[Vec<f64>]) -> bool {
    results.iter().flatten().any(|x| x.is_nan())
}

#[test]
fn kernels_give_nan_where_ordinary_operations_do() {
    for case in cases() {
        for dtype in [DType::F32, DType::F64] {
            for input in 0..case.inputs.len() {
                for place in 0..case.inputs[input].len() {
                    let mut inputs = case.inputs.clone();
                    inputs[input][place] = f64::NAN;
                    let what = format!("input {input} has NaN at {place}");
                    compare(&case, &what, &inputs, None, dtype);
                }
            }
            for place in 0..8 {
                let what = format!("the gradient by result {place} is NaN");
                compare(&case, &what, &case.inputs, Some(place * 5), dtype);
            }
        }
    }
}

#[test]
fn given_fractions_lie_between_zero_and_one() {
    assert!(GivenFractions::new([0.5, 1e-300]).is_ok());
    for bad in [1.5, f64::NAN, 0.0, 1.0, -0.5, f64::INFINITY] {
        let error = GivenFractions::new([0.5, bad]).expect_err("no fraction");
        assert_eq!(error.place, 1, "{error}");
    }
}
