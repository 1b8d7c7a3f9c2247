//! Forward and backward pass between the sums of the second layer and the
//! memberships.

use super::Number;
use super::weights::Weights;
use bnpool_math::beta::{Fractions, Posterior, PosteriorPass, RowKeys, Wanted};
use bnpool_math::kernel::{Activation, activate, activate_backward, affine, affine_backward};
use bnpool_math::stream::{Purpose, Stream};
use std::ops::Range;

/// Selects a sample of the posterior.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sample {
    Mean,
    Of { seed: u64, step: u64 },
}

/// The posterior of the nodes of a part, with the outputs of all layers before
/// it.
pub(super) struct Chain<T> {
    /// h₂, and the output of each map of the posterior.
    outputs: Vec<Vec<T>>,
}

impl<T: Number> Chain<T> {
    pub(super) fn new(sums: &[T], weights: &Weights<T>) -> Self {
        let bias = weights.layers[1].bias.as_deref().unwrap_or_default();
        let mut before = sums.to_vec();
        for row in before.chunks_exact_mut(bias.len().max(1)) {
            for (x, &b) in row.iter_mut().zip(bias) {
                *x += b;
            }
        }
        let mut outputs = vec![activate(&before, Activation::Elu)];
        for (i, map) in weights.posterior.iter().enumerate() {
            let x = &outputs[i];
            let bias = map.bias.as_deref();
            outputs.push(affine(x, map.inputs, &map.weight, bias, after(weights, i)));
        }
        Self { outputs }
    }

    fn parameters(&self) -> &[T] {
        self.outputs.last().map_or(&[], Vec::as_slice)
    }

    /// Computes the gradients with respect to the sums before h₂ and to the
    /// maps, given that with respect to the parameters of the posterior.
    pub(super) fn backward(&self, weights: &Weights<T>, by_parameters: Vec<T>) -> (Vec<T>, Vec<T>) {
        let mut gradient = by_parameters;
        let mut maps = Vec::new();
        for (i, map) in weights.posterior.iter().enumerate().rev() {
            let (x, y) = (&self.outputs[i], &self.outputs[i + 1]);
            let activation = (after(weights, i), y.as_slice());
            let own = affine_backward(x, map.inputs, &map.weight, activation, &gradient, true);
            maps.push((own.weight, map.bias.as_ref().map(|_| own.bias)));
            gradient = own.x.unwrap_or_default();
        }
        let flat = maps.into_iter().rev();
        let flat =
            flat.flat_map(|(weight, bias)| weight.into_iter().chain(bias.into_iter().flatten()));
        let before = activate_backward(&self.outputs[0], Activation::Elu, &gradient);
        (before, flat.collect())
    }
}

/// Returns the activation after a map of the posterior.
fn after<T>(weights: &Weights<T>, map: usize) -> Activation {
    if map + 1 == weights.posterior.len() {
        Activation::BoundedSoftplus
    } else {
        Activation::Elu
    }
}

/// Runs the posterior of the nodes of a part.
pub(super) fn pass<T: Number>(
    chain: &Chain<T>,
    nodes: Range<usize>,
    clusters: usize,
    sample: Sample,
    asked: Wanted<'_>,
) -> PosteriorPass<T> {
    let posterior = Posterior::new(chain.parameters(), clusters - 1);
    let offsets = [0, nodes.len()];
    let from = match sample {
        Sample::Mean => Fractions::Mean,
        Sample::Of { seed, step } => Fractions::Sample {
            stream: Stream::new(seed, Purpose::StickFractions, step),
            rows: RowKeys {
                offsets: &offsets,
                graphs: &[0],
                first: nodes.start as u32,
            },
        },
    };
    posterior.pass(from, 1, asked)
}
