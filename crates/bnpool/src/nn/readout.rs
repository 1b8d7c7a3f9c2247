//! Readout: from the nodes of a graph to one vector.

use crate::batch::Level;
use crate::ops::segment_sum;
use burn::tensor::{Tensor, TensorData};
use serde::{Deserialize, Serialize};

/// Aggregation of the nodes of a graph into one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Readout {
    /// Their sum.
    Sum,
    /// Their mean; zero for a graph without nodes.
    Mean,
}

impl Readout {
    /// Computes one row per graph.
    ///
    /// # Shapes
    ///
    /// - features of the level: [nodes, F] → [graphs, F]
    #[must_use]
    pub fn forward(self, level: &Level) -> Tensor<2> {
        let x = level.x();
        let segments = level.segments();
        let (device, dtype) = (x.device(), x.dtype());
        let sums = segment_sum(segments, x);
        match self {
            Self::Sum => sums,
            Self::Mean => {
                let inverse: Vec<f32> = segments
                    .ranges()
                    .map(|r| 1.0 / r.len().max(1) as f32)
                    .collect();
                let data = TensorData::new(inverse, [segments.graphs(), 1]);
                sums * Tensor::from_data(data, (&device, dtype))
            }
        }
    }
}
