//! optim.json: Adam with clipping, the plateau schedule, cosine annealing.

use super::fixture::{Number, read as fixture};
use super::tolerance::{CHAIN, SINGLE_ROUNDING, assert_all_close, assert_close};
use bnpool_math::kernel::{AdamStep, clip_factor, squared_norm};
use bnpool_task::optim::{Adam, AdamConfig, Direction, Plateau, PlateauConfig, cosine_annealing};
use burn::module::{Module, Param};
use burn::tensor::{Device, Tensor, TensorData};
use serde::Deserialize;

/// Tolerance for the annealing of the authors, who use 3.1415 for π.
const ROUNDED_PI: f64 = 1e-4;

#[derive(Deserialize)]
struct File {
    adam: AdamTrace,
    plateau: PlateauTrace,
    eta_cosine_epochs300: Vec<(usize, f64)>,
}

#[derive(Deserialize)]
struct AdamTrace {
    lr: f64,
    betas: [f64; 2],
    eps: f64,
    clip_norm: f64,
    p0: Vec<Number>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    grad: Vec<Number>,
    norm: f64,
    clipped: Vec<Number>,
    param: Vec<Number>,
}

#[derive(Deserialize)]
struct PlateauTrace {
    mode: String,
    factor: f64,
    patience: usize,
    threshold: f64,
    min_lr: f64,
    lr0: f64,
    trace: Vec<(f64, f64)>,
}

fn values(numbers: &[Number]) -> Vec<f64> {
    numbers.iter().map(|x| x.0).collect()
}

#[test]
fn adam_and_clipping_match() {
    let AdamTrace {
        lr,
        betas,
        eps,
        clip_norm,
        p0,
        steps,
    } = fixture::<File>("optim.json").adam;
    let mut x = values(&p0);
    let (mut mean, mut square) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    assert!(!steps.is_empty());
    for (i, step) in steps.iter().enumerate() {
        let gradient = values(&step.grad);
        let norm = squared_norm(&gradient).sqrt();
        assert_close("norm", norm, step.norm, CHAIN, 0.0);
        let scale = clip_factor(norm, clip_norm);
        let clipped = gradient.iter().map(|g| g * scale);
        assert_all_close("clipped", clipped, &values(&step.clipped), CHAIN);
        AdamStep {
            rate: lr,
            beta_1: betas[0],
            beta_2: betas[1],
            epsilon: eps,
            step: i as u64 + 1,
            gradient_scale: scale,
        }
        .apply(&mut x, &mut mean, &mut square, &gradient);
        assert_all_close("parameters", x.iter().copied(), &values(&step.param), CHAIN);
    }
}

/// A module of one parameter, whose gradient is its factor.
#[derive(Module, Debug)]
struct One {
    x: Param<Tensor<1>>,
}

#[test]
fn the_optimiser_of_modules_takes_the_same_steps() {
    let trace = fixture::<File>("optim.json").adam;
    let device = Device::flex().autodiff();
    let tensor = |numbers: &[Number]| {
        let data: Vec<f32> = numbers.iter().map(|x| x.0 as f32).collect();
        let shape = [data.len()];
        Tensor::<1>::from_data(TensorData::new(data, shape), &device)
    };
    let mut module = One {
        x: Param::from_tensor(tensor(&trace.p0)),
    };
    let mut adam = Adam::new(AdamConfig {
        beta_1: trace.betas[0],
        beta_2: trace.betas[1],
        epsilon: trace.eps,
        clip_norm: trace.clip_norm,
    });
    for step in &trace.steps {
        let loss = (module.x.val() * tensor(&step.grad)).sum();
        let norm;
        (module, norm) = adam
            .step(trace.lr, module, loss.backward())
            .expect("finite gradients");
        assert_close("norm", norm, step.norm, SINGLE_ROUNDING, 0.0);
        let got: Vec<f64> = module.x.val().into_data().iter::<f64>().collect();
        assert_all_close("parameters", got, &values(&step.param), SINGLE_ROUNDING);
    }
}

#[test]
fn plateau_matches() {
    let trace = fixture::<File>("optim.json").plateau;
    let direction = match trace.mode.as_str() {
        "max" => Direction::Higher,
        _ => Direction::Lower,
    };
    let config = PlateauConfig {
        factor: trace.factor,
        patience: trace.patience,
        threshold: trace.threshold,
        min_rate: trace.min_lr,
    };
    let mut plateau = Plateau::new(direction, trace.lr0);
    assert!(!trace.trace.is_empty());
    for (value, rate) in trace.trace {
        assert_close("rate", plateau.observe(value, &config), rate, CHAIN, 0.0);
    }
}

#[test]
fn annealing_matches() {
    let trace = fixture::<File>("optim.json").eta_cosine_epochs300;
    // After its end the formula of the file decreases again, while the schedule
    // stays at 1.
    let within: Vec<_> = trace.iter().filter(|(epoch, _)| *epoch <= 300).collect();
    assert!(within.len() > 3);
    for &&(epoch, gamma) in &within {
        let got = cosine_annealing(epoch, 300);
        assert_close("γ", got, gamma, ROUNDED_PI, 1e-12);
    }
    assert_eq!(cosine_annealing(400, 300), 1.0);
}
