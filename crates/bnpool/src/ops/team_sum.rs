//! Sums over the members of a team.

use super::kernel::{Kernel, apply, by_float, has_kernels, tensor, values};
use bnpool_math::Real;
use bnpool_parallel::Member;
use burn::backend::flex::FlexTensor;
use burn::tensor::Tensor;

/// Every member gets Σ x, so the gradient with respect to x is the sum of the
/// gradients of all members.
#[derive(Debug)]
struct TeamSum {
    member: Member,
}

impl TeamSum {
    fn sum(&self, x: &FlexTensor) -> FlexTensor {
        by_float!(x, T => {
            let own: Vec<f64> = values::<T>(x).iter().map(|x| x.f64()).collect();
            let all = self.member.sum_f64(&own);
            tensor(all.into_iter().map(|x| x as T).collect(), x.layout().shape().clone())
        })
    }
}

impl Kernel for TeamSum {
    fn forward(&self, inputs: &[FlexTensor], _: bool) -> FlexTensor {
        self.sum(&inputs[0])
    }

    fn gradient(&self, _: usize, gradient: &FlexTensor) -> FlexTensor {
        self.sum(gradient)
    }
}

/// Sums a value over the members of a team; without a team, returns the value
/// itself. Only for the CPU backend.
pub(crate) fn team_sum(x: Tensor<1>, member: Option<&Member>) -> Tensor<1> {
    let Some(member) = member else {
        return x;
    };
    assert!(has_kernels(&x), "teams work on the CPU backend");
    let member = member.clone();
    apply(x, TeamSum { member })
}
