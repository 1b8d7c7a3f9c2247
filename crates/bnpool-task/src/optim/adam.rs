//! Adam with clipping by the global norm, and a serialisable state.
//!
//! Burn's optimiser runs about a dozen tensor operations per parameter, which
//! costs more than the model itself for small models. Here a step is one fused
//! loop over plain arrays, and the moments are plain arrays that can be saved
//! in checkpoints.

use super::NotFinite;
use super::finite::all_finite;
use super::parameters::{parameters, replace, single};
use crate::run::{CheckpointError, NamedTensor};
use bnpool_math::kernel::{AdamStep, clip_factor, squared_norm};
use burn::module::{Module, ModuleMapper, ModuleVisitor, Param, ParamId};
use burn::tensor::{Gradients, Tensor};

/// Constants of Adam, by default those of PyTorch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdamConfig {
    /// β₁.
    pub beta_1: f64,
    /// β₂.
    pub beta_2: f64,
    /// ε.
    pub epsilon: f64,
    /// Largest global norm of the gradients; 0 disables clipping.
    pub clip_norm: f64,
}

impl Default for AdamConfig {
    fn default() -> Self {
        Self {
            beta_1: 0.9,
            beta_2: 0.999,
            epsilon: 1e-8,
            clip_norm: 0.0,
        }
    }
}

/// Parameters with their own learning rate.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterGroup {
    /// Parameters of the group.
    pub parameters: Vec<ParamId>,
    /// Factor of their learning rate.
    pub rate: f64,
}

/// Optimiser of one module.
#[derive(Debug, Clone)]
pub struct Adam {
    config: AdamConfig,
    groups: Vec<ParameterGroup>,
    steps: u64,
    /// Moments of each parameter, in the order of the module's fields; empty
    /// before the first step.
    moments: Vec<Moments>,
}

#[derive(Debug, Clone, Default)]
struct Moments {
    mean: Vec<f32>,
    square: Vec<f32>,
}

/// Collects the gradient of each parameter in the order of the fields; `None`
/// for a parameter that is not trained.
struct Collect {
    gradients: Gradients,
    found: Vec<Option<Vec<f32>>>,
}

impl ModuleVisitor for Collect {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let gradient = param.val().grad_remove(&mut self.gradients);
        self.found.push(gradient.map(|g| single(&g.into_data())));
    }
}

/// Returns the gradient of each parameter in the order of the fields; `None`
/// for a parameter without one.
pub(crate) fn plain_gradients(module: &impl Module, gradients: Gradients) -> Vec<Option<Vec<f32>>> {
    let mut collect = Collect {
        gradients,
        found: Vec::new(),
    };
    module.visit(&mut collect);
    collect.found
}

/// Updates each parameter that has a gradient.
struct Move<'a> {
    step: AdamStep,
    groups: &'a [ParameterGroup],
    gradients: std::vec::IntoIter<Option<Vec<f32>>>,
    moments: std::slice::IterMut<'a, Moments>,
}

impl ModuleMapper for Move<'_> {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let next = (self.gradients.next(), self.moments.next());
        let (Some(Some(gradient)), Some(moments)) = next else {
            return param;
        };
        let mut values = single(&param.val().into_data());
        moments.mean.resize(values.len(), 0.0);
        moments.square.resize(values.len(), 0.0);
        let group = self
            .groups
            .iter()
            .find(|g| g.parameters.contains(&param.id));
        let step = AdamStep {
            rate: self.step.rate * group.map_or(1.0, |g| g.rate),
            ..self.step
        };
        step.apply(
            &mut values,
            &mut moments.mean,
            &mut moments.square,
            &gradient,
        );
        replace(param, values)
    }
}

/// Returns an error that names the first gradient that is not finite.
fn bad_gradient(module: &impl Module, found: &[Option<Vec<f32>>]) -> NotFinite {
    let bad = |gradient: &Option<Vec<f32>>| gradient.as_ref().is_some_and(|g| !all_finite(g));
    let names = parameters(module);
    let name = names.iter().zip(found).find(|(_, gradient)| bad(gradient));
    NotFinite {
        tensor: match name {
            Some((tensor, _)) => format!("the gradient of {}", tensor.name),
            None => "the norm of the gradients".to_owned(),
        },
    }
}

impl Adam {
    /// Creates an optimiser before its first step.
    #[must_use]
    pub fn new(config: AdamConfig) -> Self {
        Self {
            config,
            groups: Vec::new(),
            steps: 0,
            moments: Vec::new(),
        }
    }

    /// Sets groups of parameters with their own learning rates.
    #[must_use]
    pub fn with_groups(self, groups: Vec<ParameterGroup>) -> Self {
        Self { groups, ..self }
    }

    /// Runs one step, and returns the updated module with the global norm of
    /// the gradients before clipping.
    ///
    /// # Errors
    ///
    /// Returns an error that names the first gradient that is not finite. The
    /// state is not changed in this case.
    pub fn step<M: Module>(
        &mut self,
        rate: f64,
        module: M,
        gradients: Gradients,
    ) -> Result<(M, f64), NotFinite> {
        let found = plain_gradients(&module, gradients);
        self.step_by(rate, module, found)
    }

    /// Like [`Adam::step`], given the gradient of each parameter in the order of
    /// the fields; `None` for a parameter that is not trained.
    pub(crate) fn step_by<M: Module>(
        &mut self,
        rate: f64,
        module: M,
        found: Vec<Option<Vec<f32>>>,
    ) -> Result<(M, f64), NotFinite> {
        let norm = found
            .iter()
            .flatten()
            .map(|g| squared_norm(g))
            .sum::<f64>()
            .sqrt();
        if !norm.is_finite() {
            return Err(bad_gradient(&module, &found));
        }
        self.moments.resize_with(found.len(), Moments::default);
        self.steps += 1;
        let step = AdamStep {
            rate,
            beta_1: self.config.beta_1,
            beta_2: self.config.beta_2,
            epsilon: self.config.epsilon,
            step: self.steps,
            gradient_scale: clip_factor(norm, self.config.clip_norm),
        };
        let module = module.map(&mut Move {
            step,
            groups: &self.groups,
            gradients: found.into_iter(),
            moments: self.moments.iter_mut(),
        });
        Ok((module, norm))
    }

    /// Returns the number of steps.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the moments as named arrays, `adam.0.mean` and so on.
    #[must_use]
    pub fn moments(&self) -> Vec<NamedTensor> {
        let mut out = Vec::with_capacity(2 * self.moments.len());
        for (i, moments) in self.moments.iter().enumerate() {
            for (kind, values) in [("mean", &moments.mean), ("square", &moments.square)] {
                out.push(NamedTensor {
                    name: format!("adam.{i}.{kind}"),
                    shape: vec![values.len()],
                    values: values.clone(),
                });
            }
        }
        out
    }

    /// Creates an optimiser from [`Adam::moments`] after `steps` steps.
    ///
    /// # Errors
    ///
    /// Returns an error if an array of a pair is missing.
    pub fn resume(
        config: AdamConfig,
        steps: u64,
        tensors: &[NamedTensor],
    ) -> Result<Self, CheckpointError> {
        let find = |name: &str| {
            tensors
                .iter()
                .find(|t| t.name == name)
                .map(|t| t.values.clone())
        };
        let mut moments = Vec::new();
        while let Some(mean) = find(&format!("adam.{}.mean", moments.len())) {
            let name = format!("adam.{}.square", moments.len());
            let square = find(&name).filter(|s| s.len() == mean.len()).ok_or(
                CheckpointError::Parameter {
                    name,
                    expected: vec![mean.len()],
                    found: None,
                },
            )?;
            moments.push(Moments { mean, square });
        }
        Ok(Self {
            config,
            groups: Vec::new(),
            steps,
            moments,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optim::parameters;
    use bnpool::nn::Initialiser;
    use bnpool::pool::{BnPool, BnPoolConfig, Pool};
    use burn::tensor::Device;

    #[test]
    fn only_a_group_moves_by_a_rate_of_its_own() {
        let device = Device::flex().autodiff();
        let pool: BnPool = BnPoolConfig::new(3)
            .with_max_clusters(4)
            .init(&mut Initialiser::new(0, &device))
            .expect("a pooler");
        let mut adam = Adam::new(AdamConfig::default()).with_groups(vec![ParameterGroup {
            parameters: pool.block_parameters(),
            rate: 10.0,
        }]);
        let weight = pool.posterior.layers[0].weight.val();
        let loss = weight.sum() + pool.block_matrix.val().sum();
        let before = parameters(&pool);
        let (pool, _) = adam
            .step(1e-2, pool, loss.backward())
            .expect("finite gradients");
        let mut moved = Vec::new();
        for (old, new) in before.iter().zip(parameters(&pool)) {
            let step = old.values[0] - new.values[0];
            moved.push((new.name, (f64::from(step) * 1e3).round()));
        }
        let step_of = |name: &str| moved.iter().find(|m| m.0.ends_with(name)).map(|m| m.1);
        // The length of the first step of Adam is the learning rate.
        assert_eq!(step_of("block_matrix"), Some(100.0), "{moved:?}");
        assert_eq!(step_of("weight"), Some(10.0), "{moved:?}");
    }
}
