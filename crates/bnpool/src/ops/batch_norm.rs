//! Batch normalisation.

use super::kernel::{Kernel, apply_three, by_float, has_kernels, tensor, values};
use super::{Activation, ColumnStatistics, activate};
use bnpool_math::Real;
use bnpool_math::kernel as math;
use bnpool_parallel::Member;
use burn::backend::flex::FlexTensor;
use burn::tensor::Tensor;
use std::sync::{Arc, OnceLock};

#[derive(Debug)]
struct BatchNorm {
    activation: Activation,
    /// Member of the team that shares the batch, if any.
    member: Option<Member>,
    /// Statistics of the batch, shared with the caller.
    statistics: Arc<OnceLock<ColumnStatistics>>,
    /// x, γ and the result, for the backward pass.
    kept: OnceLock<[FlexTensor; 3]>,
    /// Gradients with respect to x, γ and β, computed together.
    gradients: OnceLock<[FlexTensor; 3]>,
}

impl Kernel for BatchNorm {
    fn forward(&self, inputs: &[FlexTensor], tracked: bool) -> FlexTensor {
        let (x, gamma, beta) = (&inputs[0], &inputs[1], &inputs[2]);
        let columns = gamma.layout().shape()[0];
        let y = by_float!(x, T => {
            let statistics = self
                .statistics
                .get_or_init(|| {
                    let own = ColumnStatistics::of(values::<T>(x), columns);
                    self.member.as_ref().map_or(own.clone(), |member| of_all(member, &own))
                });
            let y = math::batch_norm(
                values::<T>(x),
                statistics,
                values::<T>(gamma),
                values::<T>(beta),
                self.activation,
            );
            tensor(y, x.layout().shape().clone())
        });
        if tracked {
            self.kept
                .get_or_init(|| [x.clone(), gamma.clone(), y.clone()]);
        }
        y
    }

    fn gradient(&self, parent: usize, gradient: &FlexTensor) -> FlexTensor {
        let [x, gamma, y] = self
            .kept
            .get()
            .expect("a tracked forward pass keeps its inputs");
        let statistics = self.statistics.get().expect("computed by the forward pass");
        let all = self.gradients.get_or_init(|| {
            by_float!(x, T => {
                let g = math::batch_norm_part_backward(
                    values::<T>(x),
                    values::<T>(y),
                    (statistics, values::<T>(gamma)),
                    self.activation,
                    values::<T>(gradient),
                    |own| match &self.member {
                        None => own.to_vec(),
                        Some(member) => {
                            let own: Vec<f64> = own.iter().map(|x| x.f64()).collect();
                            member.sum_f64(&own).into_iter().map(|x| x as T).collect()
                        }
                    },
                );
                let shape = gamma.layout().shape();
                [
                    tensor(g.x, x.layout().shape().clone()),
                    tensor(g.gamma, shape.clone()),
                    tensor(g.beta, shape.clone()),
                ]
            })
        });
        all[parent].clone()
    }
}

/// Statistics of the rows of all members.
fn of_all(member: &Member, own: &ColumnStatistics) -> ColumnStatistics {
    let columns = own.mean.len();
    let sent = [&[own.rows as f64], &own.mean[..], &own.variance[..]].concat();
    let parts: Vec<ColumnStatistics> = member
        .all_gather_f64(&sent)
        .into_iter()
        .map(|part| ColumnStatistics {
            rows: part[0] as usize,
            mean: part[1..=columns].to_vec(),
            variance: part[columns + 1..].to_vec(),
        })
        .collect();
    ColumnStatistics::joined(&parts)
}

/// Computes f(γ x̂ + β), with each column normalised by its mean and variance
/// over the rows; also returns these statistics. With a member, over the rows of all
/// members of its team (only on the CPU backend); gradients with respect to γ and β are
/// then those of the own rows.
///
/// # Shapes
///
/// - x: [rows, F], gamma and beta of length F → [rows, F]
///
/// # Panics
///
/// Panics if there is not one γ and β for every column.
pub fn batch_norm(
    x: Tensor<2>,
    gamma: Tensor<1>,
    beta: Tensor<1>,
    activation: Activation,
    member: Option<Member>,
) -> (Tensor<2>, ColumnStatistics) {
    let [rows, columns] = x.dims();
    assert_eq!(gamma.dims(), [columns], "a scale for every column");
    if has_kernels(&x) && has_kernels(&gamma) && columns > 0 {
        let statistics = Arc::new(OnceLock::new());
        let kernel = BatchNorm {
            activation,
            member,
            statistics: statistics.clone(),
            kept: OnceLock::new(),
            gradients: OnceLock::new(),
        };
        let y = apply_three(x, gamma, beta, kernel);
        let found = statistics.get().cloned();
        return (y, found.expect("computed by the forward pass"));
    }
    assert!(member.is_none(), "teams work on the CPU backend");
    let mean = x.clone().mean_dim(0);
    let centred = x - mean.clone();
    let variance = (centred.clone() * centred.clone()).mean_dim(0);
    let normal = centred / (variance.clone() + math::NORM_EPSILON).sqrt();
    let y = normal * gamma.unsqueeze() + beta.unsqueeze();
    let read = |t: Tensor<2>| t.detach().into_data().iter::<f64>().collect();
    let statistics = ColumnStatistics {
        mean: read(mean),
        variance: read(variance),
        rows,
    };
    (activate(y, activation), statistics)
}
