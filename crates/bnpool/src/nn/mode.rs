//! The mode of a forward pass: training or evaluation.
//!
//! Running statistics are parameters that are not trained, so checkpoints and models have
//! them like all others.

use crate::ops::ColumnStatistics;
use bnpool_math::stream::{Purpose, Stream};
use bnpool_parallel::Member;
use burn::module::{Module, ModuleMapper, Param, ParamId};
use burn::tensor::{Tensor, TensorData};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Weight of a new batch in the running statistics; PyTorch's default.
const MOMENTUM: f64 = 0.1;

/// Mode of a forward pass, and the statistics it collects.
///
/// Layers have no state that a forward pass changes: dropout masks are drawn
/// from a keyed stream, and batch statistics are collected here until
/// [`Mode::remember`] moves them to the model.
#[derive(Debug, Clone)]
pub struct Mode {
    training: Option<Arc<Training>>,
    member: Option<Member>,
}

#[derive(Debug)]
struct Training {
    dropout: Stream,
    /// Number of dropout layers so far.
    next: AtomicU64,
    statistics: Mutex<Vec<Update>>,
}

/// Statistics for the two running parameters of one normalisation.
#[derive(Debug)]
struct Update {
    mean: ParamId,
    variance: ParamId,
    batch: ColumnStatistics,
}

impl Training {
    fn statistics(&self) -> std::sync::MutexGuard<'_, Vec<Update>> {
        // The list is consistent even if a thread panicked while holding the
        // lock.
        self.statistics
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Mode {
    /// Training mode; `seed` and `step` determine the dropout masks.
    #[must_use]
    pub fn training(seed: u64, step: u64) -> Self {
        Self {
            training: Some(Arc::new(Training {
                dropout: Stream::new(seed, Purpose::Dropout, step),
                next: AtomicU64::new(0),
                statistics: Mutex::default(),
            })),
            member: None,
        }
    }

    /// Evaluation mode.
    #[must_use]
    pub fn evaluation() -> Self {
        Self {
            training: None,
            member: None,
        }
    }

    /// Restricts the mode to a part of a batch, the rest of which other members
    /// of a team have: normalisations are over the rows of all members, and
    /// draws are separate.
    #[must_use]
    pub fn with_member(self, member: Member) -> Self {
        Self {
            member: Some(member),
            ..self
        }
    }

    /// Member of a team that this part of a batch belongs to, if any.
    #[must_use]
    pub fn member(&self) -> Option<&Member> {
        self.member.as_ref()
    }

    /// Returns whether this is training mode.
    #[must_use]
    pub fn is_training(&self) -> bool {
        self.training.is_some()
    }

    /// Sets each value to zero with probability `rate` and scales up the others
    /// in training; the identity in evaluation.
    #[must_use]
    pub fn dropout<const D: usize>(&self, x: Tensor<D>, rate: f64) -> Tensor<D> {
        let Some(training) = &self.training else {
            return x;
        };
        if rate <= 0.0 {
            return x;
        }
        let layer = training.next.fetch_add(1, Ordering::Relaxed);
        let part = self.member.as_ref().map_or(0, Member::index) as u64;
        let mut draws = training.dropout.draws(part << 32 | layer);
        let shape = x.dims();
        let scale = (1.0 / (1.0 - rate)) as f32;
        let mask: Vec<f32> = (0..shape.iter().product())
            .map(|_| if draws.uniform() < rate { 0.0 } else { scale })
            .collect();
        let mask = Tensor::from_data(TensorData::new(mask, shape), (&x.device(), x.dtype()));
        x * mask
    }

    /// Collects the statistics of a batch.
    pub(super) fn collect(&self, mean: ParamId, variance: ParamId, batch: ColumnStatistics) {
        if let Some(training) = &self.training {
            training.statistics().push(Update {
                mean,
                variance,
                batch,
            });
        }
    }

    /// Updates the running means of the model by the statistics of the pass.
    #[must_use]
    pub fn remember<M: Module>(&self, model: M) -> M {
        struct Remember(Vec<Update>);
        impl ModuleMapper for Remember {
            fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
                for update in &self.0 {
                    if param.id == update.mean {
                        return mix(param, &update.batch.mean);
                    }
                    if param.id == update.variance {
                        return mix(param, &update.batch.unbiased_variance());
                    }
                }
                param
            }
        }
        let updates = self
            .training
            .as_ref()
            .map(|t| std::mem::take(&mut *t.statistics()));
        match updates {
            Some(updates) if !updates.is_empty() => model.map(&mut Remember(updates)),
            _ => model,
        }
    }
}

/// Updates a running mean by a new value.
fn mix<const D: usize>(param: Param<Tensor<D>>, new: &[f64]) -> Param<Tensor<D>> {
    param.map(|old| {
        let values: Vec<f64> = old
            .to_data()
            .iter::<f64>()
            .zip(new)
            .map(|(old, new)| (1.0 - MOMENTUM) * old + MOMENTUM * new)
            .collect();
        Tensor::from_data(
            TensorData::new(values, old.dims()),
            (&old.device(), old.dtype()),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::Device;

    #[test]
    fn dropout_keeps_the_mean_and_its_key() {
        let x = Tensor::<2>::ones([100, 100], &Device::flex());
        let values = |mode: &Mode| {
            let y = mode.dropout(x.clone(), 0.25);
            y.into_data().iter::<f32>().collect::<Vec<_>>()
        };
        let one = values(&Mode::training(1, 2));
        assert_eq!(one, values(&Mode::training(1, 2)));
        assert_ne!(one, values(&Mode::training(1, 3)));
        let mode = Mode::training(1, 2);
        assert_eq!(one, values(&mode));
        assert_ne!(one, values(&mode), "the next layer has another mask");
        let mean = one.iter().sum::<f32>() / 1e4;
        assert!((mean - 1.0).abs() < 0.02, "{mean}");
        assert_eq!(values(&Mode::evaluation()), [1.0; 10_000]);
    }
}
