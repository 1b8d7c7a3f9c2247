//! Models of edge weights given the groups.
//!
//! Edges of one class (inside a group, between all groups, or between a pair of
//! groups) have weights of one distribution, whose parameters are integrated
//! out. The scale is estimated from all weights together, so units do not
//! matter.

use super::ln_factorial;
use crate::Links;
use bnpool_math::special::ln_gamma;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Sufficient statistics of the weights of a class of edges: their number, and
/// the sums of a value per edge and of its square.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moments {
    /// Number of edges.
    pub count: u64,
    /// Sum of the values.
    pub sum: f64,
    /// Sum of the squares of the values.
    pub square: f64,
}

impl Moments {
    /// Moments of unweighted edges.
    pub(crate) fn edges(count: u64) -> Self {
        Self {
            count,
            ..Self::default()
        }
    }

    /// Moments of the union of two classes.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            sum: self.sum + other.sum,
            square: self.square + other.square,
        }
    }

    /// Moments of the rest of the class, without its subset `other`.
    #[inline]
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        let count = self.count - other.count;
        if count == 0 {
            // Discard rounding errors.
            return Self::default();
        }
        Self {
            count,
            sum: self.sum - other.sum,
            square: self.square - other.square,
        }
    }
}

/// Distribution of the weights of a class of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WeightModel {
    /// Weights are ignored.
    Ignored,
    /// Geometric, for integers from 1 on, with a uniform prior on its parameter.
    Geometric,
    /// One plus a Poisson variate, for integers from 1 on, with an exponential
    /// prior on its mean.
    Poisson,
    /// Exponential, for positive numbers, with an exponential prior on the
    /// rate.
    Exponential,
    /// Log-normal, for positive numbers, with a normal-inverse-gamma prior on
    /// mean and variance worth one observation.
    LogNormal,
}

/// A model with the scale of one graph's weights.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WeightCode {
    pub(crate) model: WeightModel,
    /// Value of each entry of the graph; empty if weights are ignored.
    values: Arc<[f64]>,
    /// Mean of the value over all edges.
    mean: f64,
    /// Variance of the value over all edges.
    variance: f64,
}

impl WeightModel {
    /// Models that apply to the weights of a graph: those for integers or those
    /// for positive numbers; none for a graph without weights.
    #[must_use]
    pub fn candidates(links: &Links) -> &'static [Self] {
        match links.weights() {
            None => &[],
            Some(weights) if weights.iter().all(|w| w.fract() == 0.0) => {
                &[Self::Geometric, Self::Poisson]
            }
            Some(_) => &[Self::Exponential, Self::LogNormal],
        }
    }

    /// Value of a weight whose moments the model uses.
    #[inline]
    pub(crate) fn value(self, weight: f32) -> f64 {
        let weight = f64::from(weight);
        match self {
            Self::Ignored => 0.0,
            Self::Geometric | Self::Poisson => weight - 1.0,
            Self::Exponential => weight,
            Self::LogNormal => weight.ln(),
        }
    }
}

impl WeightCode {
    pub(crate) fn new(links: &Links, model: WeightModel) -> Self {
        let Some(weights) = links.weights() else {
            return Self::ignored();
        };
        let count = weights.len() as f64;
        let values: Arc<[f64]> = match model {
            WeightModel::Ignored => Arc::new([]),
            _ => weights.iter().map(|&w| model.value(w)).collect(),
        };
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
        Self {
            model,
            values,
            mean,
            variance: variance.max(f64::MIN_POSITIVE),
        }
    }

    /// The code that ignores weights.
    pub(crate) fn ignored() -> Self {
        Self {
            model: WeightModel::Ignored,
            values: Arc::new([]),
            mean: 0.0,
            variance: 1.0,
        }
    }

    /// Contribution of an entry of the graph to the moments of its class.
    #[inline]
    pub(crate) fn moments(&self, entry: usize) -> Moments {
        let value = self.values.get(entry).copied().unwrap_or(0.0);
        Moments {
            count: 1,
            sum: value,
            square: value * value,
        }
    }

    /// Length of the weights of a class in nats, without terms that do not
    /// depend on the partition.
    pub(crate) fn length(&self, class: Moments) -> f64 {
        if class.count == 0 {
            return 0.0;
        }
        let n = class.count as f64;
        // Sums of non-negative values; rounding may make them negative.
        let sum = class.sum.max(0.0);
        match self.model {
            WeightModel::Ignored => 0.0,
            WeightModel::Geometric => {
                // Integers, whose sums are exact below 2⁵³.
                let total = sum.round() as u64;
                ln_factorial(class.count + total + 1)
                    - ln_factorial(class.count)
                    - ln_factorial(total)
            }
            WeightModel::Poisson => {
                let rate = self.mean.recip();
                (sum + 1.0) * (n + rate).ln() - ln_factorial(sum.round() as u64) - rate.ln()
            }
            WeightModel::Exponential => {
                (n + 1.0) * (sum + self.mean).ln() - ln_factorial(class.count) - self.mean.ln()
            }
            WeightModel::LogNormal => {
                let mean = class.sum / n;
                let spread = (class.square - class.sum * mean).max(0.0);
                let off = mean - self.mean;
                let beta = 0.5 * (self.variance + spread + n / (n + 1.0) * off * off);
                let alpha = 0.5 * (n + 1.0);
                // Γ(1/2) = √π, and √(2π) per observation.
                0.5 * n * std::f64::consts::TAU.ln() + 0.5 * (n + 1.0).ln() + alpha * beta.ln()
                    - 0.5 * (0.5 * self.variance).ln()
                    - ln_gamma_of_half(class.count + 1)
                    + 0.5 * std::f64::consts::PI.ln()
            }
        }
    }

    /// Terms that do not depend on the partition, needed to compare models.
    pub(crate) fn constant(&self, links: &Links) -> f64 {
        let weights = links.weights().unwrap_or(&[]);
        // Each edge is stored twice.
        let half =
            |f: &dyn Fn(f64) -> f64| 0.5 * weights.iter().map(|&w| f(f64::from(w))).sum::<f64>();
        match self.model {
            WeightModel::Ignored | WeightModel::Geometric | WeightModel::Exponential => 0.0,
            WeightModel::Poisson => half(&|w| ln_gamma(w)),
            WeightModel::LogNormal => half(&|w| w.ln()),
        }
    }

    /// Length of all weights in one class, in nats.
    pub(crate) fn one_class(&self, links: &Links) -> f64 {
        let mut all = Moments::default();
        for u in 0..links.nodes() {
            for (&v, entry) in links.neighbours(u).iter().zip(links.offsets()[u]..) {
                if (v as usize) < u {
                    all = all.plus(self.moments(entry));
                }
            }
        }
        self.length(all) + self.constant(links)
    }
}

/// ln Γ(n / 2) for n > 0, from factorials, as it is called very often.
fn ln_gamma_of_half(n: u64) -> f64 {
    let m = n / 2;
    if n.is_multiple_of(2) {
        ln_factorial(m - 1)
    } else {
        // Γ(m + ½) = (2m)! √π / (4ᵐ m!).
        ln_factorial(2 * m) - ln_factorial(m) - m as f64 * 2.0 * std::f64::consts::LN_2
            + 0.5 * std::f64::consts::PI.ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_agree_with_the_gamma_function() {
        for n in 1..60 {
            let wanted = ln_gamma(n as f64 / 2.0);
            assert!((ln_gamma_of_half(n) - wanted).abs() < 1e-12, "{n}");
        }
    }

    #[test]
    fn lengths_are_those_of_one_edge_after_the_other() {
        // P(x₁, x₂) = P(x₁) P(x₂ | x₁): sums to one over the next value.
        let code = |model| WeightCode {
            model,
            values: Arc::new([]),
            mean: 2.0,
            variance: 1.5,
        };
        let one = |model: WeightModel, w: f32| {
            let value = model.value(w);
            Moments {
                count: 1,
                sum: value,
                square: value * value,
            }
        };
        for model in [WeightModel::Geometric, WeightModel::Poisson] {
            let code = code(model);
            let class = Moments {
                count: 3,
                sum: 4.0,
                square: 8.0,
            };
            let total: f64 = (1..4000)
                .map(|w| {
                    let w = w as f32;
                    let constant = if model == WeightModel::Poisson {
                        ln_gamma(f64::from(w))
                    } else {
                        0.0
                    };
                    (code.length(class) - code.length(class.plus(one(model, w))) - constant).exp()
                })
                .sum();
            assert!((total - 1.0).abs() < 1e-3, "{model:?} {total}");
        }
        for model in [WeightModel::Exponential, WeightModel::LogNormal] {
            let code = code(model);
            let class = [0.5, 1.5, 2.5].map(|w| one(model, w));
            let class = class.into_iter().fold(Moments::default(), Moments::plus);
            let step = 0.01_f32;
            let total: f64 = (0..400_000)
                .map(|i| {
                    let w = (i as f32 + 0.5) * step;
                    let constant = match model {
                        WeightModel::LogNormal => f64::from(w).ln(),
                        _ => 0.0,
                    };
                    let after = code.length(class.plus(one(model, w)));
                    f64::from(step) * (code.length(class) - after - constant).exp()
                })
                .sum();
            assert!((total - 1.0).abs() < 0.02, "{model:?} {total}");
        }
    }
}
