//! Node features as input of layers.
//!
//! Sparse features stay sparse up to the weights of the first layer: (X + A X) W = X W +
//! A (X W), and standardised columns are a change of W ([`NodeInput::times`]). Whether
//! features are sparse is decided for a data set and never for a batch, because another
//! order of sums gives other bits. Messages with edge features, and a pooler before the
//! first layer, need dense features.

use crate::ops::{Activation, affine, spmm};
use bnpool_graph::{Csr, Features};
use burn::tensor::{DType, Device, Tensor, TensorData};
use std::sync::Arc;

/// Node features as input of a layer.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // One per model: a box would only hide the tensor.
pub enum NodeInput {
    /// A dense tensor, [nodes, F].
    Dense(Tensor<2>),
    /// A sparse matrix, [nodes, F]: bags of words stay sparse, and so does
    /// their product with the weights. It has no gradient.
    Sparse {
        /// The features.
        matrix: Arc<Csr>,
        /// Device of the results.
        device: Device,
        /// Standardisation of the columns. Applied to the weights instead of
        /// the features, which would lose their zeros.
        standardise: Option<ColumnScale>,
    },
}

/// Mean and standard deviation of each column.
#[derive(Debug, Clone)]
pub struct ColumnScale {
    /// μ, of length F.
    pub mean: Tensor<1>,
    /// σ, of length F.
    pub deviation: Tensor<1>,
}

impl ColumnScale {
    /// Computes (x − μ) / σ.
    ///
    /// # Shapes
    ///
    /// - x: [rows, F] → [rows, F]
    #[must_use]
    pub fn apply(&self, x: Tensor<2>) -> Tensor<2> {
        (x - self.mean.clone().unsqueeze()) / self.deviation.clone().unsqueeze()
    }
}

impl NodeInput {
    /// The features of a graph or batch, on a device.
    #[must_use]
    pub fn of(features: &Features, device: &Device) -> Self {
        match features {
            Features::Sparse(matrix) => Self::Sparse {
                matrix: Arc::new(matrix.clone()),
                device: device.clone(),
                standardise: None,
            },
            Features::Dense(matrix) => {
                let data = TensorData::new(
                    matrix.as_slice().to_vec(),
                    [matrix.rows(), matrix.columns()],
                );
                Self::Dense(Tensor::from_data(data, device))
            }
        }
    }

    /// Computes X W.
    ///
    /// # Shapes
    ///
    /// - weight: [F, outputs] → [nodes, outputs]
    #[must_use]
    pub fn times(&self, weight: Tensor<2>) -> Tensor<2> {
        match self {
            Self::Dense(x) => affine(x.clone(), weight, None, Activation::None),
            Self::Sparse {
                matrix,
                standardise,
                ..
            } => match standardise {
                // (X − 1 μᵀ) D⁻¹ W = X (D⁻¹ W) − 1 μᵀ (D⁻¹ W).
                Some(columns) => {
                    let scaled = weight / columns.deviation.clone().unsqueeze_dim(1);
                    let mean = columns.mean.clone().unsqueeze_dim(0);
                    let shift = affine(mean, scaled.clone(), None, Activation::None);
                    spmm(matrix, scaled) - shift
                }
                None => spmm(matrix, weight),
            },
        }
    }

    /// Standardises the columns to mean 0 and deviation 1. Sparse features stay
    /// sparse.
    #[must_use]
    pub fn standardised(self, by: ColumnScale) -> Self {
        match self {
            Self::Sparse {
                matrix,
                device,
                standardise: None,
            } => Self::Sparse {
                matrix,
                device,
                standardise: Some(by),
            },
            other => Self::Dense(by.apply(other.to_tensor())),
        }
    }

    /// Converts the features to a dense tensor, [nodes, F], which takes O(nodes
    /// · F) memory.
    #[must_use]
    pub fn to_tensor(&self) -> Tensor<2> {
        match self {
            Self::Dense(x) => x.clone(),
            Self::Sparse {
                matrix,
                device,
                standardise,
            } => {
                let (rows, columns) = (matrix.rows(), matrix.columns_count());
                let mut values = vec![0.0_f32; rows * columns];
                for (u, v, x) in matrix.iter() {
                    values[u as usize * columns + v as usize] += x;
                }
                let x = Tensor::from_data(TensorData::new(values, [rows, columns]), device);
                match standardise {
                    Some(columns) => columns.apply(x),
                    None => x,
                }
            }
        }
    }

    /// Detaches the features from autodiff, for evaluation.
    #[must_use]
    pub fn inner(&self) -> Self {
        match self {
            Self::Dense(x) => Self::Dense(x.clone().inner()),
            Self::Sparse {
                matrix,
                device,
                standardise,
            } => Self::Sparse {
                matrix: matrix.clone(),
                device: device.clone().inner(),
                standardise: standardise.as_ref().map(|columns| ColumnScale {
                    mean: columns.mean.clone().inner(),
                    deviation: columns.deviation.clone().inner(),
                }),
            },
        }
    }

    /// Number of nodes.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Self::Dense(x) => x.dims()[0],
            Self::Sparse { matrix, .. } => matrix.rows(),
        }
    }

    /// F.
    #[must_use]
    pub fn width(&self) -> usize {
        match self {
            Self::Dense(x) => x.dims()[1],
            Self::Sparse { matrix, .. } => matrix.columns_count(),
        }
    }

    /// The float type of the features.
    #[must_use]
    pub fn dtype(&self) -> DType {
        match self {
            Self::Dense(x) => x.dtype(),
            Self::Sparse { .. } => DType::F32,
        }
    }
}

impl From<Tensor<2>> for NodeInput {
    fn from(x: Tensor<2>) -> Self {
        Self::Dense(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_features_become_the_same_tensor() {
        let device = Device::flex();
        let sparse = Csr::from_entries(3, 2, [(0, 1, 2.0), (2, 0, -1.0)]).expect("features");
        let features = Features::from(sparse);
        let dense = features.to_dense().into_owned();
        let input = NodeInput::of(&features, &device);
        let values: Vec<f32> = input.to_tensor().into_data().iter::<f32>().collect();
        assert_eq!(values, dense.as_slice());
        assert_eq!((input.rows(), input.width()), (3, 2));
    }
}
