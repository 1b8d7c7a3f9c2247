//! Node features on their way into a layer.

use crate::ops::spmm;
use bnpool_graph::{Csr, Features};
use burn::tensor::{DType, Device, Tensor, TensorData};
use std::sync::Arc;

/// Node features as a layer reads them.
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
        /// Where the results of layers live.
        device: Device,
    },
}

impl NodeInput {
    /// The features of a graph or batch, on a device.
    #[must_use]
    pub fn of(features: &Features, device: &Device) -> Self {
        match features {
            Features::Sparse(matrix) => Self::Sparse {
                matrix: Arc::new(matrix.clone()),
                device: device.clone(),
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

    /// X W.
    ///
    /// # Shapes
    ///
    /// - weight: [F, outputs] → [nodes, outputs]
    #[must_use]
    pub fn times(&self, weight: Tensor<2>) -> Tensor<2> {
        match self {
            Self::Dense(x) => {
                crate::ops::affine(x.clone(), weight, None, crate::ops::Activation::None)
            }
            Self::Sparse { matrix, .. } => spmm(matrix, weight),
        }
    }

    /// The features as a dense tensor, [nodes, F]. Sparse ones take
    /// O(nodes · F) memory as that.
    #[must_use]
    pub fn to_tensor(&self) -> Tensor<2> {
        match self {
            Self::Dense(x) => x.clone(),
            Self::Sparse { matrix, device } => {
                let (rows, columns) = (matrix.rows(), matrix.columns_count());
                let mut values = vec![0.0_f32; rows * columns];
                for (u, v, x) in matrix.iter() {
                    values[u as usize * columns + v as usize] += x;
                }
                Tensor::from_data(TensorData::new(values, [rows, columns]), device)
            }
        }
    }

    /// The same without the record of gradients, for evaluation.
    #[must_use]
    pub fn inner(&self) -> Self {
        match self {
            Self::Dense(x) => Self::Dense(x.clone().inner()),
            Self::Sparse { matrix, device } => Self::Sparse {
                matrix: matrix.clone(),
                device: device.clone().inner(),
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
