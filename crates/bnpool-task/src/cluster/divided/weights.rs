//! Parameters of the network as plain arrays, and their gradients.

use super::Number;
use bnpool::model::ClusterModel;
use bnpool::nn::Layer;
use bnpool::pool::{BnPoolConfig, Pool};
use burn::tensor::Tensor;

/// An affine map, with W and b.
#[derive(Debug, Clone)]
pub(super) struct Affine<T> {
    pub inputs: usize,
    pub weight: Vec<T>,
    pub bias: Option<Vec<T>>,
}

/// All parameters, or their gradients.
#[derive(Debug, Clone)]
pub(super) struct Weights<T> {
    /// The two graph convolutions.
    pub layers: [Affine<T>; 2],
    /// The maps from h₂ to the posterior.
    pub posterior: Vec<Affine<T>>,
    /// K, [C, C].
    pub block: Vec<T>,
}

fn values<T: Number, const D: usize>(tensor: Tensor<D>) -> Vec<T> {
    tensor.into_data().iter::<f64>().map(T::of).collect()
}

impl<T: Number> Weights<T> {
    /// Returns the parameters of a model and the settings of BN-Pool, if the
    /// model consists of graph convolutions and BN-Pool.
    pub fn of<P: Pool>(model: &ClusterModel<P>) -> Option<(Self, &BnPoolConfig)> {
        let layer = |layer: &Layer| match layer {
            Layer::Gcn(gcn) => Some(Affine {
                inputs: gcn.weight.dims()[0],
                weight: values(gcn.weight.val()),
                bias: Some(values(gcn.bias.val())),
            }),
            Layer::Gin(_) => None,
        };
        let bn = model.pool.bn()?;
        let posterior = bn.posterior.layers.iter().map(|map| Affine {
            inputs: map.weight.dims()[0],
            weight: values(map.weight.val()),
            bias: map.bias.as_ref().map(|bias| values(bias.val())),
        });
        let weights = Self {
            layers: [layer(&model.first)?, layer(&model.second)?],
            posterior: posterior.collect(),
            block: values(bn.block_matrix.val()),
        };
        Some((weights, bn.config()))
    }

    /// Returns the arrays in the order of the fields of the model.
    fn arrays(&self) -> impl Iterator<Item = &Vec<T>> {
        let maps = self.layers.iter().chain(&self.posterior);
        maps.flat_map(|map| std::iter::once(&map.weight).chain(&map.bias))
            .chain([&self.block])
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.arrays().map(Vec::len).sum()
    }

    /// Splits a flat array into the arrays of the model. K is left out unless it is
    /// trained.
    pub fn cut(&self, flat: &[T], train_k: bool) -> Vec<Option<Vec<f32>>> {
        let mut rest = flat;
        let mut arrays: Vec<Option<Vec<f32>>> = self
            .arrays()
            .map(|array| {
                let (own, others) = rest.split_at(array.len());
                rest = others;
                Some(own.iter().map(|x| x.f64() as f32).collect())
            })
            .collect();
        if let (Some(block), false) = (arrays.last_mut(), train_k) {
            *block = None;
        }
        arrays
    }
}
