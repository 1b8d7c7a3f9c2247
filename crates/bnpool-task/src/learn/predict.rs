//! Predictions of trained models for new graphs.

use super::evaluate::active_clusters;
use super::network::network;
use super::{LearnConfig, LearnData, ModelCard, Objective};
use crate::TaskError;
use crate::optim::load_parameters;
use crate::run::NamedTensor;
use bnpool::batch::Structure;
use bnpool::model::{GraphModel, InputKind};
use bnpool::nn::Initialiser;
use bnpool::pool::{Membership, Pass, PoolSettings, Pooled, PoolerConfig};
use bnpool_graph::Graph;
use burn::tensor::{Device, Tensor};
use rayon::prelude::*;

/// Number of graphs whose predictions are in memory at the same time, over all
/// threads.
const AT_ONCE: usize = 256;

/// A trained model.
#[derive(Debug)]
pub struct Predictor<C: PoolSettings = PoolerConfig> {
    model: GraphModel<C::Pool>,
    config: LearnConfig<C>,
    objective: Objective,
    input: InputKind,
    mean_nodes: f64,
    pooled: bool,
    device: Device,
}

/// A graph after pooling, at the first level.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PooledGraph {
    /// S, [nodes, supernodes]; empty if the pooler does not partition the
    /// nodes.
    pub assignments: Vec<f32>,
    /// Kept nodes in the order of the supernodes, if the pooler drops nodes;
    /// otherwise empty.
    pub kept: Vec<usize>,
    /// Number of supernodes.
    pub supernodes: usize,
    /// A_pool, [supernodes, supernodes].
    pub adjacency: Vec<f32>,
    /// X_pool, [supernodes, width].
    pub features: Vec<f32>,
    /// Number of linear maps whose results are concatenated in X_pool: the
    /// modes of EigenPool, otherwise 1.
    pub maps: usize,
}

impl PooledGraph {
    /// Returns a graph without supernodes.
    pub(crate) fn nothing() -> Self {
        Self {
            assignments: Vec::new(),
            kept: Vec::new(),
            supernodes: 0,
            adjacency: Vec::new(),
            features: Vec::new(),
            maps: 1,
        }
    }
}

/// Prediction for one graph.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Prediction {
    /// Probabilities of classes or labels, or numbers.
    pub values: Vec<f64>,
    /// Number of supernodes in use: non-empty clusters, or remaining nodes.
    pub supernodes: usize,
    /// Graph after pooling, if requested.
    pub pooled: Option<PooledGraph>,
}

impl<C: PoolSettings> Predictor<C> {
    /// Creates a model with trained parameters.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is out of range, or the parameters do not
    /// match the card.
    pub fn new(card: &ModelCard<C>, parameters: &[NamedTensor]) -> Result<Self, TaskError> {
        Self::on(card, parameters, &Device::flex())
    }

    /// Like [`Predictor::new`], but on another device, by ordinary tensor
    /// operations.
    ///
    /// # Errors
    ///
    /// As [`Predictor::new`].
    pub fn on(
        card: &ModelCard<C>,
        parameters: &[NamedTensor],
        device: &Device,
    ) -> Result<Self, TaskError> {
        let (config, objective, input) = (&card.config, card.objective, card.input);
        config.check()?;
        let init = &mut Initialiser::new(0, device);
        let model = network(config, input, card.mean_nodes, objective).init(init)?;
        Ok(Self {
            model: load_parameters(model, parameters)?,
            config: config.clone(),
            objective,
            input,
            mean_nodes: card.mean_nodes,
            pooled: false,
            device: device.clone(),
        })
    }

    /// Includes pooled graphs in predictions, as dense matrices.
    #[must_use]
    pub fn with_pooled_graphs(self) -> Self {
        Self {
            pooled: true,
            ..self
        }
    }

    /// Predicts for all graphs. As configured, uses one sample of the posterior
    /// keyed by the seed and the position of the graph, the average of several
    /// samples, or the posterior mean.
    ///
    /// # Errors
    ///
    /// Returns an error if the features differ from those of the training
    /// graphs.
    pub fn predict(&self, graphs: Vec<Graph>) -> Result<Vec<Prediction>, TaskError> {
        let mut predictions = Vec::with_capacity(graphs.len());
        self.predict_each(graphs, |_, prediction| {
            predictions.push(prediction);
            Ok::<_, TaskError>(())
        })?;
        Ok(predictions)
    }

    /// Like [`Predictor::predict`], but passes the predictions with their
    /// positions to `take` one by one, so only a few pooled graphs are in memory
    /// at the same time.
    ///
    /// # Errors
    ///
    /// As [`Predictor::predict`]. Also returns the errors of `take`.
    pub fn predict_each<E: From<TaskError>>(
        &self,
        graphs: Vec<Graph>,
        mut take: impl FnMut(usize, Prediction) -> Result<(), E>,
    ) -> Result<(), E> {
        let data = LearnData::for_prediction(
            graphs,
            self.objective,
            &self.config,
            self.input,
            self.mean_nodes,
        )?;
        let all: Vec<usize> = (0..data.len()).collect();
        for some in all.chunks(AT_ONCE) {
            // Graphs are processed one by one, so a prediction does not depend
            // on other graphs.
            let said: Vec<_> = some
                .par_iter()
                .map(|&graph| self.predict_one(&data, graph))
                .collect();
            for (&graph, prediction) in some.iter().zip(said) {
                take(graph, prediction?)?;
            }
        }
        Ok(())
    }

    fn predict_one(&self, data: &LearnData, graph: usize) -> Result<Prediction, TaskError> {
        let batch = data.batch(&[graph], &self.device)?;
        let passes = if self.config.evaluation.mean {
            vec![Pass::mean()]
        } else {
            (0..self.config.evaluation.samples as u64)
                .map(|step| Pass::evaluation(self.config.seed, step))
                .collect()
        };
        let share = 1.0 / passes.len() as f64;
        let mut values = vec![0.0; self.objective.outputs()];
        let mut first = None;
        for pass in passes {
            let out = self.model.forward(&batch.input, &pass);
            let outputs: Vec<f32> = out.outputs.to_data().iter::<f32>().collect();
            for (value, p) in values.iter_mut().zip(self.objective.predictions(&outputs)) {
                *value += share * p;
            }
            first.get_or_insert(out);
        }
        if !values.iter().all(|value| value.is_finite()) {
            return Err(TaskError::Prediction { graph });
        }
        let out = first.ok_or(TaskError::NoGraphs)?;
        let pooled = out.pooled.first().ok_or(TaskError::NoGraphs)?;
        let rows = pooled.level.segments().nodes();
        Ok(Prediction {
            values,
            supernodes: active_clusters(&out).first().copied().unwrap_or(rows),
            pooled: self.pooled.then(|| PooledGraph::of(pooled)),
        })
    }
}

impl PooledGraph {
    /// Converts a pooled graph to dense matrices.
    fn of(pooled: &Pooled) -> Self {
        let read = |x: Tensor<2>| x.into_data().iter::<f32>().collect::<Vec<_>>();
        let supernodes = pooled.level.segments().nodes();
        let adjacency = match &pooled.level.structure {
            Structure::Dense(dense) => dense.adjacency.to_data().iter::<f32>().collect(),
            Structure::Sparse(topology) => {
                let mut dense = vec![0.0; supernodes * supernodes];
                for (u, v, w) in topology.adjacency.iter() {
                    dense[u as usize * supernodes + v as usize] = w;
                }
                dense
            }
        };
        let assignments = match pooled.membership.assignment() {
            Some(assignment) => {
                let mut dense = vec![0.0; assignment.clusters().len() * supernodes];
                for (u, &c) in assignment.clusters().iter().enumerate() {
                    dense[u * supernodes + c as usize] = 1.0;
                }
                dense
            }
            None => pooled.assignments().map(read).unwrap_or_default(),
        };
        let kept = match &pooled.membership {
            Membership::Kept { nodes, .. } => nodes.clone(),
            _ => Vec::new(),
        };
        Self {
            assignments,
            kept,
            supernodes,
            adjacency,
            features: read(pooled.level.x()),
            maps: match &pooled.membership {
                Membership::Maps { values, .. } => values.dims()[1],
                _ => 1,
            },
        }
    }
}
