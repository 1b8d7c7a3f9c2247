//! Sampling from the posterior of the stick fractions, differentiably.

use super::Segments;
use super::kernel::{Kernel, apply, by_float, has_kernels, tensor, values};
use bnpool_math::Real;
use bnpool_math::beta::{Fractions, Posterior, PosteriorPass, RowKeys, Wanted, logit};
use bnpool_math::stream::{Purpose, Stream};
use burn::backend::flex::FlexTensor;
use burn::tensor::{DType, Tensor, TensorData, activation};
use std::sync::{Arc, OnceLock};

/// Where the stick fractions come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Draw {
    /// A sample of the posterior; the same seed and step give the same sample.
    Sample {
        /// Seed of the run.
        seed: u64,
        /// Number of the step, counted by the caller.
        step: u64,
    },
    /// The posterior mean: deterministic, and exact for the assignments too.
    Mean,
    /// Given fractions in (0, 1), [particles, nodes, C−1] row after row.
    Given(Arc<[f64]>),
}

/// What is drawn: how often, from where, and against which prior.
#[derive(Debug, Clone)]
pub struct StickDraw {
    /// C − 1.
    pub sticks: usize,
    /// T.
    pub particles: usize,
    /// Sample, mean or given fractions.
    pub draw: Draw,
    /// Concentration α_DP of the prior Beta(1, α_DP).
    pub concentration: f64,
    /// Factor of every node's divergence: γ and the normalisation of the loss.
    pub node_weights: Arc<[f64]>,
}

/// Assignments and their price.
#[derive(Debug)]
pub struct Sticks {
    /// S, [particles, nodes, C]; every row sums to one.
    pub assignments: Tensor<3>,
    /// Σ_u w_u Σ_c KL(q(π′_uc) ‖ Beta(1, α_DP)), one value.
    pub divergence: Tensor<1>,
}

/// A pass in either precision.
#[derive(Debug)]
enum AnyPass {
    Single(PosteriorPass<f32>),
    Double(PosteriorPass<f64>),
}

impl StickDraw {
    /// Runs the pass on the host.
    fn pass<T: Real>(
        &self,
        segments: &Segments,
        parameters: &[T],
        gradients: bool,
    ) -> PosteriorPass<T> {
        let posterior = Posterior::new(parameters, self.sticks);
        let wanted = Wanted {
            gradients,
            divergence_from: Some(self.concentration),
        };
        let given: Vec<T>;
        let from = match &self.draw {
            Draw::Mean => Fractions::Mean,
            Draw::Sample { seed, step } => Fractions::Sample {
                stream: Stream::new(*seed, Purpose::StickFractions, *step),
                rows: RowKeys {
                    offsets: segments.offsets(),
                    graphs: segments.keys(),
                },
            },
            Draw::Given(fractions) => {
                given = fractions.iter().map(|&v| T::of(logit(v))).collect();
                Fractions::Given(&given)
            }
        };
        posterior.pass(from, self.particles, wanted)
    }

    fn weighted(&self, divergence: &[f64]) -> f64 {
        divergence
            .iter()
            .zip(&*self.node_weights)
            .map(|(d, w)| d * w)
            .sum()
    }
}

/// The assignments; keeps the pass for its gradient and for the divergence.
#[derive(Debug)]
struct Assign {
    draw: StickDraw,
    segments: Segments,
    pass: Arc<OnceLock<AnyPass>>,
}

impl Kernel for Assign {
    fn forward(&self, inputs: &[FlexTensor], tracked: bool) -> FlexTensor {
        let x = &inputs[0];
        let shape = [
            self.draw.particles,
            self.segments.nodes(),
            self.draw.sticks + 1,
        ];
        match x.dtype() {
            DType::F64 => {
                let mut pass = self.draw.pass::<f64>(&self.segments, values(x), tracked);
                // The gradient needs the lengths again; without one they move.
                let s = if tracked {
                    pass.assignments.clone()
                } else {
                    std::mem::take(&mut pass.assignments)
                };
                self.pass.get_or_init(|| AnyPass::Double(pass));
                tensor(s, shape)
            }
            _ => {
                let mut pass = self.draw.pass::<f32>(&self.segments, values(x), tracked);
                let s = if tracked {
                    pass.assignments.clone()
                } else {
                    std::mem::take(&mut pass.assignments)
                };
                self.pass.get_or_init(|| AnyPass::Single(pass));
                tensor(s, shape)
            }
        }
    }

    fn gradient(&self, _: usize, gradient: &FlexTensor) -> FlexTensor {
        let (nodes, width) = (self.segments.nodes(), 2 * self.draw.sticks);
        match self.pass.get().expect("the forward pass came first") {
            AnyPass::Single(pass) => {
                let mut out = vec![0.0_f32; nodes * width];
                pass.backward(values(gradient), &mut out);
                tensor(out, [nodes, width])
            }
            AnyPass::Double(pass) => {
                let mut out = vec![0.0_f64; nodes * width];
                pass.backward(values(gradient), &mut out);
                tensor(out, [nodes, width])
            }
        }
    }
}

/// The weighted divergence, out of the pass of [`Assign`].
#[derive(Debug)]
struct Diverge {
    draw: StickDraw,
    pass: Arc<OnceLock<AnyPass>>,
}

impl Kernel for Diverge {
    fn forward(&self, inputs: &[FlexTensor], _: bool) -> FlexTensor {
        let total = match self.pass.get().expect("the assignments came first") {
            AnyPass::Single(pass) => self.draw.weighted(&pass.divergence),
            AnyPass::Double(pass) => self.draw.weighted(&pass.divergence),
        };
        by_float!(inputs[0], T => tensor(vec![total as T], [1]))
    }

    fn gradient(&self, _: usize, gradient: &FlexTensor) -> FlexTensor {
        fn scaled<T: Real>(draw: &StickDraw, by_parameters: &[T], gradient: T) -> Vec<T> {
            let width = 2 * draw.sticks;
            let mut out = Vec::with_capacity(by_parameters.len());
            for (row, &w) in by_parameters.chunks_exact(width).zip(&*draw.node_weights) {
                let factor = gradient * T::of(w);
                out.extend(row.iter().map(|&x| x * factor));
            }
            out
        }
        let shape = [self.draw.node_weights.len(), 2 * self.draw.sticks];
        match self.pass.get().expect("the assignments came first") {
            AnyPass::Single(pass) => {
                let g = values::<f32>(gradient)[0];
                tensor(scaled(&self.draw, &pass.divergence_gradient, g), shape)
            }
            AnyPass::Double(pass) => {
                let g = values::<f64>(gradient)[0];
                tensor(scaled(&self.draw, &pass.divergence_gradient, g), shape)
            }
        }
    }
}

/// Draws stick fractions from Beta(α̃, β̃), breaks the sticks, and weighs the
/// divergence from the prior: SEL of BN-Pool (listing 2 of the paper).
///
/// The gradient flows to α̃ and β̃ through the exact pathwise derivative.
///
/// # Shapes
///
/// - parameters: [nodes, 2(C−1)], the C−1 values of α̃ before those of β̃
/// - assignments: [particles, nodes, C]
///
/// # Panics
///
/// When the parameters, weights or given fractions do not fit the segments.
pub fn break_sticks(parameters: Tensor<2>, segments: &Segments, draw: StickDraw) -> Sticks {
    let [nodes, width] = parameters.dims();
    segments.check(nodes);
    assert_eq!(width, 2 * draw.sticks, "α̃ and β̃ of every stick");
    assert_eq!(draw.node_weights.len(), nodes, "a weight for every node");
    if has_kernels(&parameters) {
        let pass = Arc::new(OnceLock::new());
        let assign = Assign {
            draw: draw.clone(),
            segments: segments.clone(),
            pass: pass.clone(),
        };
        let assignments = apply(parameters.clone(), assign);
        let divergence = apply(parameters, Diverge { draw, pass });
        return Sticks {
            assignments,
            divergence,
        };
    }
    portable(parameters, segments, &draw)
}

/// The same by ordinary tensor operations: the host draws the logits with their
/// derivatives, the device carries them on as ℓ₀ + (p − p̄) dℓ/dp, which has the
/// value ℓ₀ and the right gradient.
fn portable(parameters: Tensor<2>, segments: &Segments, draw: &StickDraw) -> Sticks {
    let device = parameters.device();
    let dtype = parameters.dtype();
    let (nodes, m, particles) = (segments.nodes(), draw.sticks, draw.particles);
    let constant = parameters.clone().detach();
    let host: Vec<f64> = constant.clone().into_data().iter::<f64>().collect();
    let pass = draw.pass::<f64>(segments, &host, true);
    let upload = |values: Vec<f64>, shape: [usize; 3]| {
        Tensor::<3>::from_data(TensorData::new(values, shape), (&device, dtype))
    };
    let change = (parameters.clone() - constant).unsqueeze::<3>();
    let slopes = upload(pass.slopes, [particles, nodes, 2 * m]);
    let moved = change.clone() * slopes;
    let logits = upload(pass.logits, [particles, nodes, m])
        + moved.clone().narrow(2, 0, m)
        + moved.narrow(2, m, m);
    let zeros = Tensor::<3>::zeros([particles, nodes, 1], (&device, dtype));
    let log_v = Tensor::cat(
        vec![activation::log_sigmoid(logits.clone()), zeros.clone()],
        2,
    );
    let log_rest = Tensor::cat(vec![zeros, activation::log_sigmoid(-logits)], 2);
    let assignments = (log_v + log_rest.cumsum(2)).exp();
    let weights: Vec<f64> = draw.node_weights.to_vec();
    let by_parameters = upload(pass.divergence_gradient, [1, nodes, 2 * m]);
    let total = upload(pass.divergence, [1, nodes, 1]);
    let divergence = (change * by_parameters).sum_dim(2) + total;
    let divergence = (divergence * upload(weights, [1, nodes, 1])).sum();
    Sticks {
        assignments,
        divergence,
    }
}
