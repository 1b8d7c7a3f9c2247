//! Affine maps, fused with their activation.

use super::kernel::{Kernel, apply_three, apply_two, by_float, has_kernels, tensor, values};
use super::{Activation, activate};
use bnpool_math::kernel as math;
use burn::backend::flex::FlexTensor;
use burn::tensor::Tensor;
use std::sync::OnceLock;

/// f(X W + b), with optional b.
#[derive(Debug)]
struct Affine {
    activation: Activation,
    /// X, W and the result, for the backward pass.
    kept: OnceLock<[FlexTensor; 3]>,
    /// Gradients with respect to X (if required), W and b, computed together.
    gradients: OnceLock<[Option<FlexTensor>; 3]>,
}

impl Affine {
    fn new(activation: Activation) -> Self {
        Self {
            activation,
            kept: OnceLock::new(),
            gradients: OnceLock::new(),
        }
    }
}

impl Kernel for Affine {
    fn forward(&self, inputs: &[FlexTensor], tracked: bool) -> FlexTensor {
        let (x, w) = (&inputs[0], &inputs[1]);
        let (rows, shape) = (x.layout().shape()[0], w.layout().shape());
        let (width, outputs) = (shape[0], shape[1]);
        let y = by_float!(x, T => {
            let bias = inputs.get(2).map(values::<T>);
            let y = math::affine(values::<T>(x), width, values::<T>(w), bias, self.activation);
            tensor(y, [rows, outputs])
        });
        if tracked {
            self.kept.get_or_init(|| [x.clone(), w.clone(), y.clone()]);
        }
        y
    }

    fn gradient(&self, parent: usize, gradient: &FlexTensor) -> FlexTensor {
        let [x, w, y] = self
            .kept
            .get()
            .expect("a tracked forward pass keeps its inputs");
        let shape = w.layout().shape();
        let (inputs, outputs) = (shape[0], shape[1]);
        // The gradient with respect to X is requested first, or not at all.
        let all = self.gradients.get_or_init(|| {
            by_float!(x, T => {
                let gradients = math::affine_backward(
                    values::<T>(x),
                    inputs,
                    values::<T>(w),
                    (self.activation, values::<T>(y)),
                    values::<T>(gradient),
                    parent == 0,
                );
                [
                    gradients.x.map(|x_gradient| tensor(x_gradient, x.layout().shape().clone())),
                    Some(tensor(gradients.weight, [inputs, outputs])),
                    Some(tensor(gradients.bias, [outputs])),
                ]
            })
        });
        all[parent]
            .clone()
            .expect("asked for in the order of the inputs")
    }
}

/// Computes f(X W + b): an affine map of each row, followed by the activation.
///
/// # Shapes
///
/// - x: [rows, inputs], weight: [inputs, outputs], bias: of length outputs
/// - result: [rows, outputs]
///
/// # Panics
///
/// Panics if the shapes do not match.
pub fn affine(
    x: Tensor<2>,
    weight: Tensor<2>,
    bias: Option<Tensor<1>>,
    activation: Activation,
) -> Tensor<2> {
    assert_eq!(
        x.dims()[1],
        weight.dims()[0],
        "the weights have a row for every input"
    );
    if has_kernels(&x) && has_kernels(&weight) && x.dims()[1] > 0 {
        let kernel = Affine::new(activation);
        return match bias {
            Some(bias) => apply_three(x, weight, bias, kernel),
            None => apply_two(x, weight, kernel),
        };
    }
    let product = x.matmul(weight);
    let sum = match bias {
        Some(bias) => product + bias.unsqueeze(),
        None => product,
    };
    activate(sum, activation)
}
