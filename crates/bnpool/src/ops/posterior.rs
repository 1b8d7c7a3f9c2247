//! Sampling from the posterior of the stick fractions, differentiably.
//!
//! Beta variates are always drawn on the host. The portable path uploads the logits ℓ₀ and
//! dℓ/dp and continues as ℓ₀ + (p − p̄) dℓ/dp, which has the value and the gradient of ℓ.

use super::Segments;
use super::kernel::{Kernel, apply, by_float, has_kernels, tensor, times_scalar, values};
use bnpool_math::beta::{Fractions, Posterior, PosteriorPass, Prior, RowKeys, Wanted, logit};
use bnpool_math::stream::{Purpose, Stream};
use bnpool_math::{Real, buffer};
use burn::backend::flex::FlexTensor;
use burn::tensor::{Element, Tensor, TensorData, activation};
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// Source of the stick fractions.
#[derive(Debug, Clone, PartialEq)]
pub enum Draw {
    /// A sample of the posterior, determined by seed and step.
    Sample {
        /// Seed of the run.
        seed: u64,
        /// Number of the step, counted by the caller.
        step: u64,
    },
    /// The posterior mean: deterministic, and exact for the assignments as
    /// well.
    Mean,
    /// Given fractions.
    Given(GivenFractions),
}

/// Stick fractions between 0 and 1, [particles, nodes, C−1], row by row.
///
/// ```
/// use bnpool::ops::GivenFractions;
///
/// assert!(GivenFractions::new([0.5, 0.25]).is_ok());
/// let error = GivenFractions::new([0.5, 1.5]).unwrap_err();
/// assert_eq!(error.to_string(), "fraction 1 is 1.5, but it must lie between 0 and 1");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GivenFractions(Arc<[f64]>);

/// An invalid stick fraction.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("fraction {place} is {value}, but it must lie between 0 and 1")]
pub struct FractionError {
    /// Its position.
    pub place: usize,
    /// Its value.
    pub value: f64,
}

impl GivenFractions {
    /// Wraps fractions.
    ///
    /// # Errors
    ///
    /// Returns an error if a fraction does not lie strictly between 0 and 1;
    /// the error names the first one.
    pub fn new(fractions: impl Into<Arc<[f64]>>) -> Result<Self, FractionError> {
        let fractions = fractions.into();
        let bad = |&v: &f64| !(v > 0.0 && v < 1.0);
        match fractions.iter().position(bad) {
            Some(place) => Err(FractionError {
                place,
                value: fractions[place],
            }),
            None => Ok(Self(fractions)),
        }
    }
}

/// Parameters of a draw of stick fractions.
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
    /// Factor of the divergence of each node: γ and the normalisation of the
    /// loss.
    pub node_weights: Arc<[f64]>,
}

/// Assignments and their divergence from the prior.
#[derive(Debug)]
pub struct Sticks {
    /// S, [particles, nodes, C]; every row sums to one.
    pub assignments: Tensor<3>,
    /// Σ_u w_u Σ_c KL(q(π′_uc) ‖ Beta(1, α_DP)), one value.
    pub divergence: Tensor<1>,
}

/// State for the backward passes: a pass in either precision, and its two large
/// arrays as tensors that share their memory.
#[derive(Debug)]
struct Kept {
    pass: AnyPass,
    assignments: FlexTensor,
    divergence_gradient: FlexTensor,
}

#[derive(Debug)]
enum AnyPass {
    Single(PosteriorPass<f32>),
    Double(PosteriorPass<f64>),
}

impl Drop for Kept {
    fn drop(&mut self) {
        fn give_back<T: Real>(pass: &mut PosteriorPass<T>) {
            buffer::give(std::mem::take(&mut pass.slopes));
            buffer::give(std::mem::take(&mut pass.logits));
        }
        match &mut self.pass {
            AnyPass::Single(pass) => give_back(pass),
            AnyPass::Double(pass) => give_back(pass),
        }
    }
}

impl From<PosteriorPass<f32>> for AnyPass {
    fn from(pass: PosteriorPass<f32>) -> Self {
        Self::Single(pass)
    }
}

impl From<PosteriorPass<f64>> for AnyPass {
    fn from(pass: PosteriorPass<f64>) -> Self {
        Self::Double(pass)
    }
}

impl AnyPass {
    /// Σ_u w_u KL_u.
    fn divergence(&self) -> f64 {
        let by_node = match self {
            Self::Single(pass) => &pass.divergence,
            Self::Double(pass) => &pass.divergence,
        };
        by_node.iter().sum()
    }
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
            divergence_from: Some(Prior {
                concentration: self.concentration,
                weights: Some(&self.node_weights),
            }),
        };
        let given: Vec<T>;
        let from = match &self.draw {
            Draw::Mean => Fractions::Mean,
            Draw::Sample { seed, step } => Fractions::Sample {
                stream: Stream::new(*seed, Purpose::StickFractions, *step),
                rows: RowKeys {
                    offsets: segments.offsets(),
                    graphs: segments.keys(),
                    first: 0,
                },
            },
            Draw::Given(fractions) => {
                given = fractions.0.iter().map(|&v| T::of(logit(v))).collect();
                Fractions::Given(&given)
            }
        };
        posterior.pass(from, self.particles, wanted)
    }

    /// Stores the pass, with its large arrays as tensors.
    fn keep<T: Real + Element + bytemuck::Pod>(
        &self,
        segments: &Segments,
        parameters: &[T],
        gradients: bool,
    ) -> Kept
    where
        AnyPass: From<PosteriorPass<T>>,
    {
        let mut pass = self.pass(segments, parameters, gradients);
        let (nodes, m) = (segments.nodes(), self.sticks);
        Kept {
            assignments: tensor(
                std::mem::take(&mut pass.assignments),
                [self.particles, nodes, m + 1],
            ),
            divergence_gradient: tensor(
                std::mem::take(&mut pass.divergence_gradient),
                [nodes, 2 * m],
            ),
            pass: pass.into(),
        }
    }
}

/// Computes the assignments; keeps the pass for the gradient and for
/// [`Diverge`].
#[derive(Debug)]
struct Assign {
    draw: StickDraw,
    segments: Segments,
    kept: Arc<OnceLock<Kept>>,
}

impl Kernel for Assign {
    fn forward(&self, inputs: &[FlexTensor], tracked: bool) -> FlexTensor {
        let x = &inputs[0];
        let kept = self.kept.get_or_init(
            || by_float!(x, T => self.draw.keep::<T>(&self.segments, values(x), tracked)),
        );
        kept.assignments.clone()
    }

    fn gradient(&self, _: usize, gradient: &FlexTensor) -> FlexTensor {
        let kept = self.kept.get().expect("the forward pass came first");
        let s = &kept.assignments;
        let shape = kept.divergence_gradient.layout().shape().clone();
        match &kept.pass {
            AnyPass::Single(pass) => tensor(pass.backward(values(s), values(gradient)), shape),
            AnyPass::Double(pass) => tensor(pass.backward(values(s), values(gradient)), shape),
        }
    }
}

/// Returns the weighted divergence from the pass of [`Assign`].
#[derive(Debug)]
struct Diverge {
    kept: Arc<OnceLock<Kept>>,
}

impl Diverge {
    fn kept(&self) -> &Kept {
        self.kept.get().expect("the assignments came first")
    }
}

impl Kernel for Diverge {
    fn forward(&self, inputs: &[FlexTensor], _: bool) -> FlexTensor {
        let total = self.kept().pass.divergence();
        by_float!(inputs[0], T => tensor(vec![total as T], [1]))
    }

    fn gradient(&self, _: usize, gradient: &FlexTensor) -> FlexTensor {
        times_scalar(&self.kept().divergence_gradient, gradient)
    }
}

/// Draws stick fractions from Beta(α̃, β̃), breaks the sticks, and computes the
/// weighted divergence from the prior: SEL of BN-Pool (`lst:clust_ass` of the
/// paper).
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
/// Panics if the parameters, weights or given fractions do not match the
/// segments.
pub fn break_sticks(parameters: Tensor<2>, segments: &Segments, draw: StickDraw) -> Sticks {
    let [nodes, width] = parameters.dims();
    segments.check(nodes);
    assert_eq!(width, 2 * draw.sticks, "α̃ and β̃ of every stick");
    assert_eq!(draw.node_weights.len(), nodes, "a weight for every node");
    if has_kernels(&parameters) {
        let kept = Arc::new(OnceLock::new());
        let assign = Assign {
            draw,
            segments: segments.clone(),
            kept: kept.clone(),
        };
        let assignments = apply(parameters.clone(), assign);
        let divergence = apply(parameters, Diverge { kept });
        return Sticks {
            assignments,
            divergence,
        };
    }
    portable(parameters, segments, &draw)
}

/// Implementation by ordinary tensor operations: the host draws the logits with
/// their derivatives, and the device uses them as ℓ₀ + (p − p̄) dℓ/dp, which has
/// the value ℓ₀ and the correct gradient.
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
    let by_parameters = upload(pass.divergence_gradient, [1, nodes, 2 * m]);
    let total = upload(pass.divergence, [1, nodes, 1]);
    let divergence = ((change * by_parameters).sum_dim(2) + total).sum();
    Sticks {
        assignments,
        divergence,
    }
}
