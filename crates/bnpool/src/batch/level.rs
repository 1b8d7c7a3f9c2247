//! The graphs of a batch with their features.

use super::{NodeInput, Prepared, Segments, Structure, Topology};
use bnpool_graph::Batch;
use burn::tensor::{DType, Device, Tensor};

/// A batch of graphs at one level of a hierarchy.
#[derive(Debug, Clone)]
pub struct Level {
    /// Features of the nodes of all graphs, [nodes, F].
    pub features: NodeInput,
    /// Edges of the graphs.
    pub structure: Structure,
    /// Features of the edges, one row per entry of the sparse adjacency.
    pub edge_features: Option<Tensor<2>>,
    /// Precomputed coarsenings of the graphs.
    pub prepared: Prepared,
}

impl Level {
    /// Graphs without edge features.
    ///
    /// # Panics
    ///
    /// Panics if the number of feature rows is not the number of nodes.
    #[must_use]
    pub fn new(features: impl Into<NodeInput>, structure: impl Into<Structure>) -> Self {
        let (features, structure) = (features.into(), structure.into());
        structure.segments().check(features.rows());
        Self {
            features,
            structure,
            edge_features: None,
            prepared: Prepared::default(),
        }
    }

    /// Builds a level from the graphs of a batch and their node features, on a
    /// device.
    ///
    /// ```
    /// use bnpool::batch::Level;
    /// use bnpool_graph::{Batch, generate::builtin_community};
    ///
    /// let graph = builtin_community()?;
    /// let level = Level::of_batch(&Batch::new(&[&graph, &graph])?, &bnpool::Device::flex());
    /// assert_eq!(level.x().dims(), [800, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_batch(batch: &Batch, device: &Device) -> Self {
        Self::new(
            NodeInput::of(batch.features(), device),
            Topology::of_batch(batch),
        )
    }

    /// The node features as a dense tensor, [nodes, F].
    #[must_use]
    pub fn x(&self) -> Tensor<2> {
        self.features.to_tensor()
    }

    /// Replaces the edge features.
    #[must_use]
    pub fn with_edge_features(self, edge_features: Option<Tensor<2>>) -> Self {
        Self {
            edge_features,
            ..self
        }
    }

    /// Replaces the node features.
    #[must_use]
    pub fn with_features(self, features: impl Into<NodeInput>) -> Self {
        Self {
            features: features.into(),
            ..self
        }
    }

    /// Replaces the precomputed coarsenings.
    #[must_use]
    pub fn with_prepared(self, prepared: Prepared) -> Self {
        Self { prepared, ..self }
    }

    /// Rows of each graph.
    #[must_use]
    pub fn segments(&self) -> &Segments {
        self.structure.segments()
    }

    /// The float type of the features.
    #[must_use]
    pub fn dtype(&self) -> DType {
        self.features.dtype()
    }
}
