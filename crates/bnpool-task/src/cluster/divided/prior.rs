//! The prior of K.

use super::Number;
use bnpool::pool::BnPoolConfig;

/// L_K, with its factor in the loss.
pub(super) struct BlockPrior {
    mean: f64,
    variance: f64,
    factor: f64,
}

impl BlockPrior {
    pub(super) fn new(config: &BnPoolConfig, factor: f64) -> Self {
        Self {
            mean: config.mu_k,
            variance: config.sigma_k,
            factor,
        }
    }

    /// Returns the entries of K − M.
    fn differences<T: Number>(&self, k: &[T], clusters: usize) -> impl Iterator<Item = f64> {
        let mean = self.mean;
        k.iter().enumerate().map(move |(i, x)| {
            let diagonal = i / clusters == i % clusters;
            x.f64() - if diagonal { mean } else { -mean }
        })
    }

    pub(super) fn loss<T: Number>(&self, k: &[T], clusters: usize) -> f64 {
        let squares = self.differences(k, clusters).map(|x| x * x);
        squares.sum::<f64>() / (2.0 * self.variance) * self.factor
    }

    /// Makes a gradient with respect to K exactly symmetric, and adds that of the
    /// prior.
    pub(super) fn finish<T: Number>(&self, k: &[T], gradient: &mut [T], clusters: usize) {
        for i in 0..clusters {
            for j in 0..i {
                let (one, other) = (i * clusters + j, j * clusters + i);
                let mean = T::of(0.5) * (gradient[one] + gradient[other]);
                (gradient[one], gradient[other]) = (mean, mean);
            }
        }
        let differences = self.differences(k, clusters);
        for (g, difference) in gradient.iter_mut().zip(differences) {
            *g += T::of(difference / self.variance * self.factor);
        }
    }
}
