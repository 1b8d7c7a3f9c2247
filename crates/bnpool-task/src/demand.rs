//! Memory demand of a task, estimated before memory is allocated.
//!
//! Sizes come from settings, so each of them may exceed the memory. The
//! estimates are lower bounds: they only count arrays that certainly exist at
//! the same time.

use super::TaskError;
use bnpool::pool::{PoolSettings, PoolSite};
use bnpool_math::memory::{bytes_of, check};

/// Copies of a parameter: its value, its gradient and two moments.
const PARAMETER: usize = 4;

/// Copies of an activation: its value and its gradient.
const ACTIVATION: usize = 2;

/// Sum of the bytes of several arrays.
#[derive(Debug, Default)]
pub(super) struct Demand {
    bytes: u64,
}

impl Demand {
    /// Adds arrays of single precision whose size depends on a setting.
    ///
    /// # Errors
    ///
    /// Returns an error that names the setting if all arrays so far exceed the
    /// memory.
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

    /// Adds the demand of a pooler.
    pub(super) fn pooler<C: PoolSettings>(
        &mut self,
        pooler: &C,
        site: &PoolSite,
        graphs: usize,
    ) -> Result<(), TaskError> {
        for array in pooler.arrays(site, graphs) {
            if array.parameter {
                self.parameters(array.field, array.what, &array.shape)?
            } else {
                self.activations(array.field, array.what, &array.shape)?
            }
        }
        Ok(())
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
