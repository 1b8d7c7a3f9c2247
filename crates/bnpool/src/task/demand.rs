//! What a task will take of the memory, counted before it is taken.
//!
//! Sizes come from settings, so any of them can ask for more than there is. The
//! counts are low: arrays that are certain to be there at the same time.

use super::TaskError;
use bnpool_math::memory::{bytes_of, check};

/// Copies of a parameter: its value, its gradient and two moments.
const PARAMETER: usize = 4;

/// Copies of an activation: its value and its gradient.
const ACTIVATION: usize = 2;

/// Bytes that add up.
#[derive(Debug, Default)]
pub(super) struct Demand {
    bytes: u64,
}

impl Demand {
    /// Adds arrays of single precision that a setting asks for.
    ///
    /// # Errors
    ///
    /// When all arrays so far need more than there is, naming the setting.
    pub(super) fn add(
        &mut self,
        field: &'static str,
        what: impl Into<String>,
        arrays: &[&[usize]],
    ) -> Result<(), TaskError> {
        for dimensions in arrays {
            self.bytes = self.bytes.saturating_add(bytes_of::<f32>(dimensions));
        }
        check(what, self.bytes).map_err(|source| TaskError::Memory { field, source })
    }

    /// Adds the parameters between two layers.
    pub(super) fn parameters(
        &mut self,
        field: &'static str,
        what: impl Into<String>,
        shape: &[usize],
    ) -> Result<(), TaskError> {
        self.add(field, what, &[&[&[PARAMETER], shape].concat()])
    }

    /// Adds the parameters of BN-Pool.
    pub(super) fn bn_pool(&mut self, inputs: usize, clusters: usize) -> Result<(), TaskError> {
        let field = "pooler.max_clusters";
        self.parameters(
            field,
            format!("a block matrix of {clusters} clusters"),
            &[clusters, clusters],
        )?;
        self.parameters(
            field,
            format!("the posterior of {clusters} clusters"),
            &[inputs, 2, clusters],
        )
    }

    /// Adds what BN-Pool makes of nodes: the posterior, and S with what its
    /// gradient needs for every particle.
    pub(super) fn posterior(
        &mut self,
        nodes: usize,
        clusters: usize,
        particles: usize,
    ) -> Result<(), TaskError> {
        self.add(
            "pooler.max_clusters",
            format!("the posterior of {nodes} nodes and {clusters} clusters"),
            &[&[2 * ACTIVATION, nodes, clusters], &[4, nodes, clusters]],
        )?;
        self.add(
            "pooler.particles",
            format!("a set of {particles} samples of {nodes} nodes and {clusters} clusters"),
            &[&[4, particles.saturating_sub(1), nodes, clusters]],
        )
    }

    /// Adds the activations of a layer.
    pub(super) fn activations(
        &mut self,
        field: &'static str,
        what: impl Into<String>,
        shape: &[usize],
    ) -> Result<(), TaskError> {
        self.add(field, what, &[&[&[ACTIVATION], shape].concat()])
    }
}
