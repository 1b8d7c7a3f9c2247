//! The graph of a trainer: in memory, or in parts.

use super::divided::{Divided, Room};
use super::evidence::{Groups, SearchObserver};
use super::input::ClusterInput;
use super::setup::ModelSite;
use super::{ClusterConfig, ClusterState, Trainer};
use crate::TaskError;
use crate::run::Checkpoint;
use bnpool::pool::PoolSettings;
use bnpool_graph::Graph;
use bnpool_graph::divide::PartSource;
use bnpool_graph::structure::NodeOrder;
use bnpool_parallel::Collective;
use burn::tensor::Device;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The graph that is trained on.
#[derive(Debug)]
pub(super) enum Body {
    /// A graph in memory.
    Whole(Box<Whole>),
    /// A graph in parts.
    Divided(Box<Divided>),
}

/// A graph in memory.
#[derive(Debug)]
pub(super) struct Whole {
    /// Internal order of the nodes. It does not depend on their numbering, so
    /// neither do random draws, sums and results.
    pub order: NodeOrder,
    /// The graph in that order, without features and ids.
    pub graph: Graph,
    /// Groups that the training starts from, if found by evidence.
    pub groups: Option<Groups>,
    pub input: ClusterInput,
}

/// Result of a training step.
pub(super) struct Step {
    pub losses: BTreeMap<String, f64>,
    /// Non-empty clusters of the sample.
    pub clusters: usize,
    /// Gradient of each parameter, in the order of the fields.
    pub gradients: Vec<Option<Vec<f32>>>,
}

impl Body {
    pub fn groups(&self) -> Option<&Groups> {
        match self {
            Self::Whole(whole) => whole.groups.as_ref(),
            Self::Divided(divided) => Some(&divided.groups),
        }
    }

    /// Returns the properties of the graph that a new model depends on.
    pub fn site(&self) -> ModelSite {
        match self {
            Self::Whole(whole) => whole.input.site(),
            Self::Divided(divided) => divided.site(),
        }
    }
}

impl<C: PoolSettings> Trainer<C> {
    /// Trains on a graph in parts, together with the other ranks of a job. All ranks
    /// make the same calls in the same order, and get the same result.
    ///
    /// # Errors
    ///
    /// As [`Trainer::observed`]. Also returns an error if the settings need the
    /// whole graph ([`ClusterConfig::undivided`]) or a part cannot be read.
    pub fn divided(
        source: Arc<dyn PartSource>,
        engine: Arc<dyn Collective>,
        config: &ClusterConfig<C>,
        room: &Room,
        observer: SearchObserver<'_>,
    ) -> Result<Self, TaskError> {
        let mut trainer = Self::of_parts(source, engine, config, room, observer)?;
        trainer.warm_start()?;
        Ok(trainer)
    }

    /// Resumes from a checkpoint of [`Trainer::divided`], on any number of ranks.
    ///
    /// # Errors
    ///
    /// As [`Trainer::divided`]. Also returns an error if the checkpoint belongs
    /// to another model.
    pub fn resume_divided(
        source: Arc<dyn PartSource>,
        engine: Arc<dyn Collective>,
        config: &ClusterConfig<C>,
        room: &Room,
        observer: SearchObserver<'_>,
        checkpoint: Checkpoint<ClusterState>,
    ) -> Result<Self, TaskError> {
        let trainer = Self::of_parts(source, engine, config, room, observer)?;
        trainer.going_on_from(config, checkpoint)
    }

    /// Returns whether the graph is in parts.
    #[must_use]
    pub fn is_divided(&self) -> bool {
        matches!(self.body, Body::Divided(_))
    }

    /// Creates a trainer of a graph in parts without its start, on all ranks of
    /// a job.
    pub(super) fn of_parts(
        source: Arc<dyn PartSource>,
        engine: Arc<dyn Collective>,
        config: &ClusterConfig<C>,
        room: &Room,
        observer: SearchObserver<'_>,
    ) -> Result<Self, TaskError> {
        config.check()?;
        let (divided, config) = Divided::new(source, engine, config, room, observer)?;
        Self::before_the_start(Body::Divided(Box::new(divided)), &config, Device::flex())
    }
}
