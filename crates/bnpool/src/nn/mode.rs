//! Training or evaluation: what layers do differently in the two.

use crate::ops::ColumnStatistics;
use bnpool_math::stream::{Purpose, Stream};
use bnpool_parallel::Member;
use burn::module::{Module, ModuleMapper, Param, ParamId};
use burn::tensor::{Tensor, TensorData};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How much of a new batch enters the remembered statistics; PyTorch's default.
const MOMENTUM: f64 = 0.1;

/// Whether a forward pass trains, and what it leaves behind.
///
/// A layer has no state of its own that a pass would change: units to leave out
/// are drawn from a keyed stream, and the statistics of a batch are collected
/// here until [`Mode::remember`] gives them to the model.
#[derive(Debug, Clone)]
pub struct Mode {
    training: Option<Arc<Training>>,
    member: Option<Member>,
}

#[derive(Debug)]
struct Training {
    dropout: Stream,
    /// Dropout layers passed so far.
    next: AtomicU64,
    statistics: Mutex<Vec<Update>>,
}

/// Statistics for the two parameters of one normalisation.
#[derive(Debug)]
struct Update {
    mean: ParamId,
    variance: ParamId,
    batch: ColumnStatistics,
}

impl Training {
    fn statistics(&self) -> std::sync::MutexGuard<'_, Vec<Update>> {
        // A list is whole even if a thread died while it held the lock.
        self.statistics
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Mode {
    /// A pass that trains; `seed` and `step` decide which units are left out.
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

    /// A pass that evaluates.
    #[must_use]
    pub fn evaluation() -> Self {
        Self {
            training: None,
            member: None,
        }
    }

    /// The same for a part of a batch, of which other members of a team have the
    /// rest: normalisations are over the rows of all, and draws are its own.
    #[must_use]
    pub fn with_member(self, member: Member) -> Self {
        Self {
            member: Some(member),
            ..self
        }
    }

    /// Whose part of a batch it is, if it is not all of it.
    #[must_use]
    pub fn member(&self) -> Option<&Member> {
        self.member.as_ref()
    }

    /// True for a pass that trains.
    #[must_use]
    pub fn is_training(&self) -> bool {
        self.training.is_some()
    }

    /// Leaves out every value with probability `rate` and scales the others up,
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

    /// Takes the statistics of a batch.
    pub(super) fn collect(&self, mean: ParamId, variance: ParamId, batch: ColumnStatistics) {
        if let Some(training) = &self.training {
            training.statistics().push(Update {
                mean,
                variance,
                batch,
            });
        }
    }

    /// Gives the statistics of the pass to the model, as running means.
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

/// A running mean after one more value.
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
