//! Initial values of trainable parameters, drawn from keyed streams.

use bnpool_math::stream::{Purpose, Stream};
use burn::module::Param;
use burn::nn::Linear;
use burn::tensor::{Device, Tensor, TensorData};

/// Generates initial values, parameter by parameter.
///
/// Burn draws them from one global generator behind a lock. Here, parameter n
/// of a model depends only on the seed and on n, so the initial model does not
/// depend on other work in the process.
#[derive(Debug, Clone)]
pub struct Initialiser {
    stream: Stream,
    device: Device,
    next: u64,
}

impl Initialiser {
    /// Creates an initialiser of a model on `device`.
    #[must_use]
    pub fn new(seed: u64, device: &Device) -> Self {
        Self {
            stream: Stream::new(seed, Purpose::Initialisation, 0),
            device: device.clone(),
            next: 0,
        }
    }

    /// The device of the parameters.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// A parameter with given values.
    ///
    /// # Panics
    ///
    /// Panics if the number of values does not match the shape.
    pub fn values<const D: usize>(
        &mut self,
        values: Vec<f32>,
        shape: [usize; D],
    ) -> Param<Tensor<D>> {
        self.next += 1;
        Param::from_tensor(Tensor::from_data(
            TensorData::new(values, shape),
            &self.device,
        ))
    }

    /// A parameter uniform in (−bound, bound).
    pub fn uniform<const D: usize>(&mut self, shape: [usize; D], bound: f64) -> Param<Tensor<D>> {
        let mut draws = self.stream.draws(self.next);
        let values = (0..shape.iter().product())
            .map(|_| (bound * (2.0 * draws.uniform() - 1.0)) as f32)
            .collect();
        self.values(values, shape)
    }

    /// An affine map with weights and bias uniform in ±1/√inputs.
    pub fn linear(&mut self, inputs: usize, outputs: usize, bias: bool) -> Linear {
        let bound = 1.0 / (inputs.max(1) as f64).sqrt();
        Linear {
            weight: self.uniform([inputs, outputs], bound),
            bias: bias.then(|| self.uniform([outputs], bound)),
        }
    }

    /// Glorot initialisation of weights: uniform in ±√(6 / (inputs + outputs)).
    pub fn glorot(&mut self, inputs: usize, outputs: usize) -> Param<Tensor<2>> {
        let bound = (6.0 / (inputs + outputs) as f64).sqrt();
        self.uniform([inputs, outputs], bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_depend_on_seed_and_place_only() {
        let device = Device::flex();
        let values = |p: Param<Tensor<2>>| p.val().into_data().iter::<f32>().collect::<Vec<_>>();
        let mut one = Initialiser::new(3, &device);
        let (a, b) = (values(one.glorot(4, 5)), values(one.glorot(4, 5)));
        let mut two = Initialiser::new(3, &device);
        assert_eq!(a, values(two.glorot(4, 5)));
        assert_ne!(a, b);
        assert_ne!(a, values(Initialiser::new(4, &device).glorot(4, 5)));
        let bound = (6.0_f32 / 9.0).sqrt();
        assert!(a.iter().all(|x| x.abs() < bound));
    }
}
