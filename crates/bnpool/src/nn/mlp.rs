//! Multi-layer perceptron.

use super::Initialiser;
use crate::ops::elu;
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
}

/// Affine maps with ELU between them; the last one is plain.
#[derive(Module, Debug)]
pub struct Mlp {
    /// The affine maps.
    pub layers: Vec<Linear>,
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
        Mlp { layers }
    }
}

impl Mlp {
    /// Applies the perceptron to every row.
    ///
    /// # Shapes
    ///
    /// - x: [rows, first width] → [rows, last width]
    #[must_use]
    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        let last = self.layers.len().saturating_sub(1);
        self.layers.iter().enumerate().fold(x, |x, (i, layer)| {
            let x = layer.forward(x);
            if i < last { elu(x) } else { x }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::Device;

    #[test]
    fn widths_give_the_layers() {
        let device = Device::flex();
        let mlp = MlpConfig::new(vec![3, 8, 2]).init(&mut Initialiser::new(0, &device));
        assert_eq!(mlp.layers.len(), 2);
        assert_eq!(mlp.num_params(), 3 * 8 + 8 + 8 * 2 + 2);
        let y = mlp.forward(Tensor::ones([5, 3], &device));
        assert_eq!(y.dims(), [5, 2]);
    }
}
