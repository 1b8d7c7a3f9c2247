//! Activation functions.

use super::Activation;
use super::kernel::{Kernel, apply, by_float, has_kernels, tensor, values};
use bnpool_math::beta::PARAMETER_BOUNDS;
use bnpool_math::kernel as math;
use burn::backend::flex::FlexTensor;
use burn::tensor::{Tensor, activation};
use std::sync::OnceLock;

/// f(x); keeps the result for the backward pass.
#[derive(Debug)]
struct Activate {
    activation: Activation,
    output: OnceLock<FlexTensor>,
}

impl Kernel for Activate {
    fn forward(&self, inputs: &[FlexTensor], tracked: bool) -> FlexTensor {
        let x = &inputs[0];
        let y = by_float!(x, T => {
            let y = math::activate(values::<T>(x), self.activation);
            tensor(y, x.layout().shape().clone())
        });
        if tracked {
            self.output.get_or_init(|| y.clone());
        }
        y
    }

    fn gradient(&self, _: usize, gradient: &FlexTensor) -> FlexTensor {
        let y = self
            .output
            .get()
            .expect("a tracked forward pass keeps its result");
        before_activation(self.activation, y, gradient)
    }
}

/// Gradient before an activation, given the gradient after it and its result.
pub(super) fn before_activation(
    activation: Activation,
    y: &FlexTensor,
    gradient: &FlexTensor,
) -> FlexTensor {
    if activation == Activation::None {
        return gradient.clone();
    }
    by_float!(y, T => {
        let g = math::activate_backward(values::<T>(y), activation, values::<T>(gradient));
        tensor(g, y.layout().shape().clone())
    })
}

/// Applies f to every value. The gradient of ELU is finite everywhere; that of
/// the bounded softplus is zero outside its bounds.
pub fn activate<const D: usize>(x: Tensor<D>, activation: Activation) -> Tensor<D> {
    if activation == Activation::None {
        return x;
    }
    if has_kernels(&x) {
        let kernel = Activate {
            activation,
            output: OnceLock::new(),
        };
        return apply(x, kernel);
    }
    match activation {
        Activation::None => x,
        Activation::Elu => {
            // Large x must not reach the exponential, whose gradient would be NaN.
            let negative = x.clone().clamp_max(0.0).exp() - 1.0;
            x.clamp_min(0.0) + negative
        }
        Activation::BoundedSoftplus => {
            let (low, high) = PARAMETER_BOUNDS;
            activation::softplus(x, 1.0).clamp(low, high)
        }
    }
}
