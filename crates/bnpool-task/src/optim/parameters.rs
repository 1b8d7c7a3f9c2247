//! Conversion between the parameters of a module and plain named arrays.

use super::finite::all_finite;
use crate::run::{CheckpointError, NamedTensor};
use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{Tensor, TensorData};
use std::collections::HashMap;

/// Position of a traversal: the names of the enclosing modules.
#[derive(Default)]
struct Path(Vec<String>);

impl Path {
    fn name(&self) -> String {
        let parts: Vec<&str> = self
            .0
            .iter()
            .map(String::as_str)
            .filter(|p| !p.is_empty())
            .collect();
        parts.join(".")
    }

    /// Enters a field or an element. The variant of an enum is not part of a
    /// name, so the weights of a pooler have the same names inside and outside
    /// of an enum.
    fn enter(&mut self, name: &str, container: &str) {
        let shown = if container.starts_with("Enum:") {
            ""
        } else {
            name
        };
        self.0.push(shown.to_owned());
    }

    fn leave(&mut self) {
        self.0.pop();
    }
}

/// Returns the float parameters of a module in the order of its fields,
/// trainable or not, named by their path such as
/// `pool.posterior.layers.0.weight`.
#[must_use]
pub fn parameters(module: &impl Module) -> Vec<NamedTensor> {
    #[derive(Default)]
    struct Collect {
        path: Path,
        found: Vec<NamedTensor>,
    }
    impl ModuleVisitor for Collect {
        fn enter_module(&mut self, name: &str, container: &str) {
            self.path.enter(name, container);
        }
        fn exit_module(&mut self, _: &str, _: &str) {
            self.path.leave();
        }
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
            let data = param.val().into_data();
            self.found.push(NamedTensor {
                name: self.path.name(),
                shape: param.shape().to_vec(),
                values: single(&data),
            });
        }
    }
    let mut collect = Collect::default();
    module.visit(&mut collect);
    collect.found
}

/// Loads the values of `tensors` by name into a module.
///
/// # Errors
///
/// Returns an error if a parameter is missing, of another shape, or not finite.
pub fn load_parameters<M: Module>(
    module: M,
    tensors: &[NamedTensor],
) -> Result<M, CheckpointError> {
    struct Load<'a> {
        path: Path,
        tensors: HashMap<&'a str, &'a NamedTensor>,
        problem: Option<CheckpointError>,
    }
    impl ModuleMapper for Load<'_> {
        fn enter_module(&mut self, name: &str, container: &str) {
            self.path.enter(name, container);
        }
        fn exit_module(&mut self, _: &str, _: &str) {
            self.path.leave();
        }
        fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
            let name = self.path.name();
            let expected = param.val().dims().to_vec();
            match self.tensors.get(name.as_str()) {
                Some(tensor) if tensor.shape == expected => {
                    if !all_finite(&tensor.values) {
                        self.problem
                            .get_or_insert(CheckpointError::NotFinite { name });
                    }
                    replace(param, tensor.values.clone())
                }
                found => {
                    self.problem.get_or_insert(CheckpointError::Parameter {
                        name,
                        expected,
                        found: found.map(|t| t.shape.clone()),
                    });
                    param
                }
            }
        }
    }
    let mut load = Load {
        path: Path::default(),
        tensors: tensors.iter().map(|t| (t.name.as_str(), t)).collect(),
        problem: None,
    };
    let module = module.map(&mut load);
    match load.problem {
        Some(problem) => Err(problem),
        None => Ok(module),
    }
}

/// Returns the values in single precision. Copies them if they have this type,
/// otherwise converts them.
pub(super) fn single(data: &TensorData) -> Vec<f32> {
    match data.as_slice::<f32>() {
        Ok(values) => values.to_vec(),
        Err(_) => data.iter::<f32>().collect(),
    }
}

/// Copies a module with separate gradients, so that its computation graph is
/// independent of the original.
pub(crate) fn fork<M: Module>(module: M) -> M {
    struct Fork;
    impl ModuleMapper for Fork {
        fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
            param.map(|old| {
                let trained = old.is_require_grad();
                old.detach().set_require_grad(trained)
            })
        }
    }
    module.map(&mut Fork)
}

/// Replaces the values of a parameter by others of the same shape.
pub(super) fn replace<const D: usize>(
    param: Param<Tensor<D>>,
    values: Vec<f32>,
) -> Param<Tensor<D>> {
    param.map(|old| {
        let data = TensorData::new(values, old.dims());
        let new = Tensor::from_data(data, (&old.device(), old.dtype()));
        if old.is_require_grad() {
            new.require_grad()
        } else {
            new
        }
    })
}
