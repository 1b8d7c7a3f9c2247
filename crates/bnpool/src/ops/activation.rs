//! Activation functions.

use super::kernel::{Kernel, apply, by_float, has_kernels, tensor, values};
use bnpool_math::beta::PARAMETER_BOUNDS;
use bnpool_math::kernel as math;
use burn::backend::flex::FlexTensor;
use burn::tensor::{Tensor, activation};
use std::sync::OnceLock;

/// Which function, with the input kept for the backward pass.
#[derive(Debug)]
struct Activation {
    function: Function,
    input: OnceLock<FlexTensor>,
}

#[derive(Debug, Clone, Copy)]
enum Function {
    Elu,
    BoundedSoftplus,
}

impl Activation {
    fn new(function: Function) -> Self {
        Self {
            function,
            input: OnceLock::new(),
        }
    }
}

impl Kernel for Activation {
    fn forward(&self, inputs: &[FlexTensor], tracked: bool) -> FlexTensor {
        let x = &inputs[0];
        if tracked {
            self.input.get_or_init(|| x.clone());
        }
        by_float!(x, T => {
            let x_values = values::<T>(x);
            let mut out = vec![0.0 as T; x_values.len()];
            match self.function {
                Function::Elu => math::elu(x_values, &mut out),
                Function::BoundedSoftplus => math::bounded_softplus(x_values, PARAMETER_BOUNDS, &mut out),
            }
            tensor(out, x.layout().shape().clone())
        })
    }

    fn gradient(&self, _: usize, gradient: &FlexTensor) -> FlexTensor {
        let x = self
            .input
            .get()
            .expect("a tracked forward pass keeps its input");
        by_float!(x, T => {
            let mut g = values::<T>(gradient).to_vec();
            match self.function {
                Function::Elu => math::elu_backward(values(x), &mut g),
                Function::BoundedSoftplus => {
                    math::bounded_softplus_backward(values(x), PARAMETER_BOUNDS, &mut g);
                }
            }
            tensor(g, x.layout().shape().clone())
        })
    }
}

/// ELU(x) = x for x > 0, eˣ − 1 below; its gradient is finite everywhere.
pub fn elu<const D: usize>(x: Tensor<D>) -> Tensor<D> {
    if has_kernels(&x) {
        apply(x, Activation::new(Function::Elu))
    } else {
        // Keep the exponential away from large x, whose gradient would be NaN.
        let negative = x.clone().clamp_max(0.0).exp() - 1.0;
        x.clamp_min(0.0) + negative
    }
}

/// Parameters of the posterior: softplus(x) within [1e-3, 1e3], without a
/// gradient outside (listing 2 of the paper).
pub fn bounded_softplus<const D: usize>(x: Tensor<D>) -> Tensor<D> {
    if has_kernels(&x) {
        apply(x, Activation::new(Function::BoundedSoftplus))
    } else {
        let (low, high) = PARAMETER_BOUNDS;
        activation::softplus(x, 1.0).clamp(low, high)
    }
}
