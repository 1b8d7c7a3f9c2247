//! Activation functions.

use super::Activation;
use super::kernel::{Kernel, apply, by_float, has_kernels, tensor, values};
use bnpool_math::beta::PARAMETER_BOUNDS;
use bnpool_math::kernel as math;
use burn::backend::flex::FlexTensor;
use burn::tensor::{Tensor, activation};
use std::sync::OnceLock;

/// Which function, with the input kept for the backward pass.
#[derive(Debug)]
struct Elementwise {
    function: Function,
    input: OnceLock<FlexTensor>,
}

#[derive(Debug, Clone, Copy)]
enum Function {
    Elu,
    BoundedSoftplus,
}

impl Elementwise {
    fn new(function: Function) -> Self {
        Self {
            function,
            input: OnceLock::new(),
        }
    }
}

impl Kernel for Elementwise {
    fn forward(&self, inputs: &[FlexTensor], tracked: bool) -> FlexTensor {
        let x = &inputs[0];
        if tracked {
            self.input.get_or_init(|| x.clone());
        }
        by_float!(x, T => {
            let out = match self.function {
                Function::Elu => math::elu(values::<T>(x)),
                Function::BoundedSoftplus => math::bounded_softplus(values::<T>(x), PARAMETER_BOUNDS),
            };
            tensor(out, x.layout().shape().clone())
        })
    }

    fn gradient(&self, _: usize, gradient: &FlexTensor) -> FlexTensor {
        let x = self
            .input
            .get()
            .expect("a tracked forward pass keeps its input");
        by_float!(x, T => {
            let (x_values, g) = (values::<T>(x), values::<T>(gradient));
            let out = match self.function {
                Function::Elu => math::elu_backward(x_values, g),
                Function::BoundedSoftplus => {
                    math::bounded_softplus_backward(x_values, PARAMETER_BOUNDS, g)
                }
            };
            tensor(out, x.layout().shape().clone())
        })
    }
}

/// ELU(x) = x for x > 0, eˣ − 1 below; its gradient is finite everywhere.
pub fn elu<const D: usize>(x: Tensor<D>) -> Tensor<D> {
    if has_kernels(&x) {
        apply(x, Elementwise::new(Function::Elu))
    } else {
        // Keep the exponential away from large x, whose gradient would be NaN.
        let negative = x.clone().clamp_max(0.0).exp() - 1.0;
        x.clamp_min(0.0) + negative
    }
}

/// f(x).
pub fn activate<const D: usize>(x: Tensor<D>, activation: Activation) -> Tensor<D> {
    match activation {
        Activation::None => x,
        Activation::Elu => elu(x),
    }
}

/// Parameters of the posterior: softplus(x) within [1e-3, 1e3], without a
/// gradient outside (listing 2 of the paper).
pub fn bounded_softplus<const D: usize>(x: Tensor<D>) -> Tensor<D> {
    if has_kernels(&x) {
        apply(x, Elementwise::new(Function::BoundedSoftplus))
    } else {
        let (low, high) = PARAMETER_BOUNDS;
        activation::softplus(x, 1.0).clamp(low, high)
    }
}
