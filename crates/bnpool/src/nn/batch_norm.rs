//! Batch normalisation.

use super::{Initialiser, Mode};
use crate::ops::{Activation, activate, batch_norm};
use bnpool_math::kernel::NORM_EPSILON;
use burn::config::Config;
use burn::module::{Module, Param};
use burn::tensor::Tensor;

/// Configuration of a [`BatchNorm`].
#[derive(Config, Debug)]
pub struct BatchNormConfig {
    /// Number of columns.
    pub columns: usize,
}

/// γ x̂ + β: each column is normalised over the rows of the batch in training,
/// and by running statistics in evaluation.
#[derive(Module, Debug)]
pub struct BatchNorm {
    /// γ.
    pub gamma: Param<Tensor<1>>,
    /// β.
    pub beta: Param<Tensor<1>>,
    /// Running mean of the means; not trained.
    pub running_mean: Param<Tensor<1>>,
    /// Running mean of the unbiased variances; not trained.
    pub running_variance: Param<Tensor<1>>,
}

impl BatchNormConfig {
    /// Initialises γ = 1, β = 0, running mean 0 and running variance 1.
    #[must_use]
    pub fn init(&self, init: &mut Initialiser) -> BatchNorm {
        let mut filled = |x: f32| init.values(vec![x; self.columns], [self.columns]);
        BatchNorm {
            gamma: filled(1.0),
            beta: filled(0.0),
            running_mean: filled(0.0).set_require_grad(false),
            running_variance: filled(1.0).set_require_grad(false),
        }
    }
}

impl BatchNorm {
    /// Normalises each column, then applies `activation`.
    ///
    /// # Shapes
    ///
    /// - x: [rows, columns] → [rows, columns]
    #[must_use]
    pub fn forward(&self, x: Tensor<2>, activation: Activation, mode: &Mode) -> Tensor<2> {
        let (gamma, beta) = (self.gamma.val(), self.beta.val());
        if mode.is_training() {
            let member = mode.member().cloned();
            let (y, statistics) = batch_norm(x, gamma, beta, activation, member);
            mode.collect(self.running_mean.id, self.running_variance.id, statistics);
            return y;
        }
        let scale = gamma / (self.running_variance.val() + NORM_EPSILON).sqrt();
        let shift = beta - self.running_mean.val() * scale.clone();
        activate(x * scale.unsqueeze() + shift.unsqueeze(), activation)
    }
}
