//! Multi-layer perceptron.

use super::{BatchNorm, BatchNormConfig, Initialiser, Mode};
use crate::ops::{Activation, activate, affine};
use burn::config::Config;
use burn::module::Module;
use burn::nn::Linear;
use burn::tensor::Tensor;

/// Configuration of an [`Mlp`].
#[derive(Config, Debug)]
pub struct MlpConfig {
    /// Widths of input, hidden layers and output: at least two.
    pub widths: Vec<usize>,
    /// Whether the affine maps have a bias.
    #[config(default = true)]
    pub bias: bool,
    /// Whether hidden layers are normalised over the batch.
    #[config(default = false)]
    pub batch_norm: bool,
    /// Dropout rate of the hidden units.
    #[config(default = 0.0)]
    pub dropout: f64,
}

/// Affine maps with ELU in between; no activation after the last one.
#[derive(Module, Debug)]
pub struct Mlp {
    /// The affine maps.
    pub layers: Vec<Linear>,
    /// Normalisations of the hidden layers; empty if they are not normalised.
    pub norms: Vec<BatchNorm>,
    #[module(skip)]
    dropout: f64,
}

impl MlpConfig {
    /// Initialises the layers.
    #[must_use]
    pub fn init(&self, init: &mut Initialiser) -> Mlp {
        let layers = self
            .widths
            .windows(2)
            .map(|w| init.linear(w[0], w[1], self.bias))
            .collect();
        let hidden = self.widths.get(1..self.widths.len().saturating_sub(1));
        let norms = hidden
            .filter(|_| self.batch_norm)
            .unwrap_or_default()
            .iter()
            .map(|&width| BatchNormConfig::new(width).init(init))
            .collect();
        Mlp {
            layers,
            norms,
            dropout: self.dropout,
        }
    }
}

impl Mlp {
    /// Applies the perceptron to each row.
    ///
    /// # Shapes
    ///
    /// - x: [rows, first width] → [rows, last width]
    #[must_use]
    pub fn forward(&self, x: Tensor<2>, mode: &Mode) -> Tensor<2> {
        self.forward_then(x, Activation::None, mode)
    }

    /// Like [`forward`](Self::forward), with an activation after the last map.
    ///
    /// # Shapes
    ///
    /// - x: [rows, first width] → [rows, last width]
    #[must_use]
    pub fn forward_then(&self, x: Tensor<2>, activation: Activation, mode: &Mode) -> Tensor<2> {
        self.forward_layers(0, x, activation, mode)
    }

    /// Like [`forward`](Self::forward), for implicit rows: `first` computes
    /// their product with the weights of the first map.
    ///
    /// # Shapes
    ///
    /// - first: [first width, second width] → [rows, second width]
    ///
    /// # Panics
    ///
    /// Panics if there are no layers.
    #[must_use]
    pub fn forward_from(
        &self,
        first: impl FnOnce(Tensor<2>) -> Tensor<2>,
        activation: Activation,
        mode: &Mode,
    ) -> Tensor<2> {
        let layer = &self.layers[0];
        let product = first(layer.weight.val());
        let sums = match &layer.bias {
            Some(bias) => product + bias.val().unsqueeze(),
            None => product,
        };
        let x = self.finish(0, |then| activate(sums, then), activation, mode);
        self.forward_layers(1, x, activation, mode)
    }

    /// Applies the layers from number `from` on.
    fn forward_layers(
        &self,
        from: usize,
        x: Tensor<2>,
        activation: Activation,
        mode: &Mode,
    ) -> Tensor<2> {
        (from..self.layers.len()).fold(x, |x, i| {
            let layer = &self.layers[i];
            let map = |then| {
                let bias = layer.bias.as_ref().map(|b| b.val());
                affine(x, layer.weight.val(), bias, then)
            };
            self.finish(i, map, activation, mode)
        })
    }

    /// Applies the rest of a layer after its affine map; `map` applies the map
    /// with an activation.
    fn finish(
        &self,
        layer: usize,
        map: impl FnOnce(Activation) -> Tensor<2>,
        activation: Activation,
        mode: &Mode,
    ) -> Tensor<2> {
        if layer + 1 == self.layers.len() {
            return map(activation);
        }
        let y = match self.norms.get(layer) {
            Some(norm) => norm.forward(map(Activation::None), Activation::Elu, mode),
            None => map(Activation::Elu),
        };
        mode.dropout(y, self.dropout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::Device;

    #[test]
    fn widths_give_the_layers() {
        let device = Device::flex();
        let config = MlpConfig::new(vec![3, 8, 2]);
        let mlp = config.init(&mut Initialiser::new(0, &device));
        assert_eq!(mlp.layers.len(), 2);
        assert_eq!(mlp.num_params(), 3 * 8 + 8 + 8 * 2 + 2);
        let y = mlp.forward(Tensor::ones([5, 3], &device), &Mode::evaluation());
        assert_eq!(y.dims(), [5, 2]);
        let normalised = config
            .with_batch_norm(true)
            .init(&mut Initialiser::new(0, &device));
        assert_eq!(normalised.norms.len(), 1);
    }
}
