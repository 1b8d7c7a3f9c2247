//! Training of one fold, one epoch at a time.

use super::crew::Crew;
use super::divided::{Assembled, part_step};
use super::evaluate::{active_clusters, evaluate_among};
use super::network::model_config;
use super::sums::{Sums, Trained};
use super::{Evaluation, LearnBatch, LearnConfig, LearnData, Monitor};
use crate::losses::{check_losses, loss_values};
use crate::optim::{
    Adam, AdamConfig, Awake, Direction, EarlyStop, Plateau, check_finite, load_parameters,
    parameters, warm_up,
};
use crate::run::{Checkpoint, NamedTensor, part};
use crate::{TaskError, bounds};
use bnpool::model::{GraphModel, InputKind};
use bnpool::nn::{ColumnMoments, Initialiser};
use bnpool::parallel::{Alone, Collective, Team};
use bnpool::pool::{DrawKey, Pass, PoolSettings, PoolerConfig, kl_weight};
use bnpool_graph::split::Split;
use bnpool_graph::{Features, Targets};
use bnpool_math::memory::{bytes_of, check};
use bnpool_math::stream::{Purpose, Stream};
use burn::module::Module;
use burn::tensor::Device;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A finished epoch, which is a line of the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LearnEpoch {
    /// Number of the fold.
    pub fold: usize,
    /// Number of the epoch, from 1.
    pub epoch: usize,
    /// Task loss on the training graphs.
    pub train_loss: f64,
    /// Auxiliary losses on the training graphs, such as `loss_rec`.
    #[serde(flatten)]
    pub losses: BTreeMap<String, f64>,
    /// Task loss on the validation graphs.
    pub val_loss: f64,
    /// Sum of the auxiliary losses on the validation graphs.
    pub val_aux: f64,
    /// Metric on the validation graphs.
    pub val: Option<f64>,
    /// Value of γ.
    pub gamma: f64,
    /// Learning rate.
    pub learning_rate: f64,
    /// Mean number of non-empty clusters of the training graphs, if the pooler
    /// has clusters.
    pub clusters: Option<f64>,
    /// Largest global norm of the gradients, before clipping.
    pub gradient_norm: f64,
}

impl LearnEpoch {
    /// Returns the sum of the auxiliary losses on the training graphs.
    #[must_use]
    pub fn auxiliary(&self) -> f64 {
        self.losses.values().sum()
    }
}

/// State of a checkpoint, without arrays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LearnState {
    /// Number of finished epochs.
    epoch: usize,
    adam_steps: u64,
    plateau: Plateau,
    stop: EarlyStop,
    /// Fold; missing in files of older versions.
    fold: Option<usize>,
}

/// First steps of the random streams for validation and for the test, so that
/// no training sample is used again.
const VALIDATION_STEPS: u64 = 1 << 40;
const TEST_STEPS: u64 = 1 << 41;

/// Trains a model on one fold.
#[derive(Debug)]
pub struct FoldTrainer<'a, C: PoolSettings = PoolerConfig> {
    pub(super) data: &'a LearnData,
    pub(super) config: &'a LearnConfig<C>,
    pub(super) split: &'a Split,
    pub(super) fold: usize,
    /// Device of the model.
    device: Device,
    validation: Vec<LearnBatch>,
    model: GraphModel<C::Pool>,
    adam: Adam,
    state: LearnState,
    best: Vec<NamedTensor>,
    awake: Awake,
    /// Ranks that train together.
    engine: Arc<dyn Collective>,
    crew: Crew,
}

impl<'a, C: PoolSettings> FoldTrainer<'a, C> {
    /// Creates a new model for a fold.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is out of range, a part of the split is empty,
    /// the split contains a graph that does not exist or the same graph twice, or
    /// the memory is insufficient for the settings.
    pub fn new(
        data: &'a LearnData,
        config: &'a LearnConfig<C>,
        fold: usize,
        split: &'a Split,
    ) -> Result<Self, TaskError> {
        Self::on(data, config, fold, split, &Device::flex())
    }

    /// Like [`FoldTrainer::new`], but on another device, by ordinary tensor
    /// operations.
    ///
    /// # Errors
    ///
    /// As [`FoldTrainer::new`].
    pub fn on(
        data: &'a LearnData,
        config: &'a LearnConfig<C>,
        fold: usize,
        split: &'a Split,
        device: &Device,
    ) -> Result<Self, TaskError> {
        Self::check_tested(data, config, fold, split)?;
        Self::fresh(data, config, fold, split, device)
    }

    /// Creates a new model that is not tested, so its split needs no test
    /// graphs.
    pub(super) fn untested(
        data: &'a LearnData,
        config: &'a LearnConfig<C>,
        split: &'a Split,
    ) -> Result<Self, TaskError> {
        Self::check(data, config, 0, split)?;
        Self::fresh(data, config, 0, split, &Device::flex())
    }

    /// Returns an error if a fold cannot be trained and tested.
    ///
    /// # Errors
    ///
    /// As [`FoldTrainer::new`].
    pub(super) fn check_tested(
        data: &LearnData,
        config: &LearnConfig<C>,
        fold: usize,
        split: &Split,
    ) -> Result<(), TaskError> {
        if split.test.is_empty() {
            return Err(TaskError::EmptyPart {
                fold,
                part: "test with",
            });
        }
        Self::check(data, config, fold, split)
    }

    fn check(
        data: &LearnData,
        config: &LearnConfig<C>,
        fold: usize,
        split: &Split,
    ) -> Result<(), TaskError> {
        config.check()?;
        split.check(data.len())?;
        data.check_prepared(config)?;
        check_memory(data, config)?;
        for (part, name) in [
            (&split.train, "learn from"),
            (&split.validation, "validate with"),
        ] {
            if part.is_empty() {
                return Err(TaskError::EmptyPart { fold, part: name });
            }
        }
        Ok(())
    }

    fn fresh(
        data: &'a LearnData,
        config: &'a LearnConfig<C>,
        fold: usize,
        split: &'a Split,
        device: &Device,
    ) -> Result<Self, TaskError> {
        let device = device.clone().inner();
        let validation = split
            .validation
            .chunks(config.training.batch_size)
            .map(|chosen| data.batch(chosen, &device))
            .collect::<Result<_, _>>()?;
        let seed = draw_key(config, fold).seed();
        let mut model = model_config(data, config)
            .init(&mut Initialiser::new(seed, &device.clone().autodiff()))?;
        if let Some(layer) = model.standardise.take() {
            let mut moments = ColumnMoments::new(layer.mean.val().dims()[0]);
            for &graph in &split.train {
                match data.graphs()[graph].features() {
                    Features::Sparse(rows) if data.is_sparse() => moments.add_sparse(rows),
                    features => moments.add(features.try_dense(1)?.as_slice()),
                }
            }
            model.standardise = Some(layer.fit(&moments));
        }
        if let (Some(layer), Targets::Values { width, values }) =
            (model.targets.take(), data.targets(&split.train)?)
        {
            let mut moments = ColumnMoments::new(width);
            moments.add(&values);
            model.targets = Some(layer.fit(&moments));
        }
        let direction = monitor_direction(data, config);
        Ok(Self {
            data,
            config,
            split,
            fold,
            device,
            validation,
            model,
            adam: Adam::new(adam_config(config)),
            state: LearnState {
                epoch: 0,
                adam_steps: 0,
                plateau: Plateau::new(direction, config.training.learning_rate),
                stop: EarlyStop::new(direction),
                fold: Some(fold),
            },
            best: Vec::new(),
            awake: Awake::default(),
            engine: Arc::new(Alone),
            crew: Crew::default(),
        })
    }

    /// Trains as one of the ranks of a job. All ranks must have the same data,
    /// configuration and fold, and make the same calls. The result is
    /// byte-identical to that of one process.
    #[must_use]
    pub fn among(self, engine: Arc<dyn Collective>) -> Self {
        Self { engine, ..self }
    }

    /// Resumes from a checkpoint of the same fold and configuration. The result
    /// is byte-identical to that of an uninterrupted run.
    ///
    /// # Errors
    ///
    /// As [`FoldTrainer::new`]. Also returns an error if the checkpoint belongs to
    /// another model or fold.
    pub fn resume(
        data: &'a LearnData,
        config: &'a LearnConfig<C>,
        fold: usize,
        split: &'a Split,
        checkpoint: Checkpoint<LearnState>,
    ) -> Result<Self, TaskError> {
        if let Some(found) = checkpoint.state.fold.filter(|found| *found != fold) {
            return Err(TaskError::OtherFold { found, fold });
        }
        let mut trainer = Self::new(data, config, fold, split)?;
        trainer.model = load_parameters(trainer.model, &part(&checkpoint.tensors, "model."))?;
        let steps = checkpoint.state.adam_steps;
        trainer.adam = Adam::resume(adam_config(config), steps, &checkpoint.tensors)?;
        trainer.best = part(&checkpoint.tensors, "best.");
        trainer.state = LearnState {
            fold: Some(fold),
            ..checkpoint.state
        };
        Ok(trainer)
    }

    /// Returns the checkpoint for [`FoldTrainer::resume`].
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint<LearnState> {
        let mut tensors = self.adam.moments();
        let model = parameters(&self.model);
        for (prefix, arrays) in [("model.", &model), ("best.", &self.best)] {
            tensors.extend(arrays.iter().map(|t| t.with_prefix(prefix)));
        }
        Checkpoint {
            tensors,
            state: LearnState {
                adam_steps: self.adam.steps(),
                ..self.state.clone()
            },
        }
    }

    /// Returns the number of finished epochs.
    #[must_use]
    pub fn epochs(&self) -> usize {
        self.state.epoch
    }

    /// Returns the number of trainable values.
    #[must_use]
    pub fn parameters(&self) -> usize {
        parameters(&self.model)
            .iter()
            .filter(|tensor| {
                let fixed = ["standardise.", "targets."];
                !tensor.name.contains("running_")
                    && !fixed.iter().any(|name| tensor.name.starts_with(name))
            })
            .map(|tensor| tensor.values.len())
            .sum()
    }

    /// Runs one epoch; returns `None` if the fold has ended.
    ///
    /// # Errors
    ///
    /// Returns an error that names a loss, gradient, parameter or prediction if it
    /// is no longer finite, or an error if a batch cannot be created. The state is
    /// that of the previous epoch in these cases.
    pub fn advance(&mut self) -> Result<Option<LearnEpoch>, TaskError> {
        let training = &self.config.training;
        let done = self.state.epoch;
        if done >= training.epochs
            || done > 0 && self.state.stop.is_over(done - 1, training.patience)
        {
            return Ok(None);
        }
        let progress = warm_up(done, training.annealing);
        // Kept to restore the state after a failed epoch.
        let before = (self.model.clone(), self.adam.clone());
        let trained = self
            .train_epoch(progress)
            .and_then(|trained| Ok((trained, self.validate(progress)?)));
        let (trained, evaluation) = match trained {
            Ok(both) => both,
            Err(error) => {
                (self.model, self.adam) = before;
                return Err(error);
            }
        };
        let targets = self.data.targets(&self.split.validation)?;
        let score = evaluation.score(self.data.objective, self.data.score, &targets);
        let rate = self.state.plateau.rate();
        let epoch = LearnEpoch {
            fold: self.fold,
            epoch: done + 1,
            train_loss: trained.loss,
            losses: trained.losses,
            val_loss: evaluation.loss,
            val_aux: evaluation.auxiliary,
            val: score.is_finite().then_some(score),
            gamma: kl_weight(progress),
            learning_rate: rate,
            clusters: trained.clusters,
            gradient_norm: trained.gradient_norm,
        };
        let monitored = match (self.config.training.monitor, epoch.val) {
            (Monitor::Loss, _) => evaluation.loss + evaluation.auxiliary,
            (_, Some(score)) => score,
            // An undefined metric (only one class) cannot be compared.
            (_, None) if self.data.score.is_error() => f64::MAX,
            (_, None) => f64::MIN,
        };
        let tie = match self.config.training.monitor {
            Monitor::MetricThenLoss => evaluation.loss,
            Monitor::Metric | Monitor::Loss => 0.0,
        };
        if self.state.stop.observe_with_tie(done, monitored, tie) {
            self.best = parameters(&self.model);
        }
        self.state
            .plateau
            .observe(monitored, &self.config.plateau());
        self.state.epoch += 1;
        Ok(Some(epoch))
    }

    /// Returns the training graphs in the random order of the epoch.
    fn order(&self) -> Vec<usize> {
        let mut order = self.split.train.clone();
        Stream::new(self.config.seed, Purpose::Shuffle, self.state.epoch as u64)
            .draws(self.fold as u64)
            .shuffle(&mut order);
        order
    }

    /// Trains once on all training graphs. While the model is trained on a
    /// batch, the next one is assembled.
    fn train_epoch(&mut self, progress: f64) -> Result<Trained, TaskError> {
        let order = self.order();
        let data = self.data;
        let device = self.device.clone().autodiff();
        let mut waiting = order.chunks(self.config.training.batch_size);
        let engine = Arc::clone(&self.engine);
        let here = move |parts: usize| Team::new(Arc::clone(&engine), parts, 1).here();
        let mut assemble = || {
            let chosen = waiting.next()?;
            Some(data.assemble(chosen, &device, &here))
        };
        let mut sums = Sums::default();
        let mut current = assemble();
        while let Some(batch) = current {
            let batch = batch?;
            self.awake.stir();
            let step = || match batch {
                // Too small to be divided, so every rank computes it.
                Assembled::Whole(batch) => self.step(&batch, progress, &mut sums),
                divided => self.divided_step(&divided, progress, &mut sums),
            };
            // A separate thread would start each epoch with a cold heap.
            let (trained, next) = rayon::join(step, &mut assemble);
            trained?;
            current = next;
        }
        Ok(sums.finish())
    }

    fn step(
        &mut self,
        batch: &LearnBatch,
        progress: f64,
        sums: &mut Sums,
    ) -> Result<(), TaskError> {
        let key = draw_key(self.config, self.fold);
        let pass = Pass::training(key, self.adam.steps(), progress);
        let out = self.model.forward(&batch.input, &pass);
        let targets = batch.targets.as_ref().ok_or(TaskError::NoGraphs)?;
        let objective = self.data.objective;
        let task = objective.loss(out.outputs.clone(), targets, self.model.unit());
        let losses = out.losses();
        let loss = losses.add_to(task.clone());
        let task = task.detach().into_scalar::<f64>();
        let auxiliary = loss_values(&losses);
        let diverged = |bad| TaskError::diverged(self.state.epoch + 1, bad);
        let mut all = auxiliary.clone();
        all.insert("the task loss".to_owned(), task);
        check_losses(&self.model, &all).map_err(diverged)?;
        let active = active_clusters(&out);
        let clusters = [active.iter().sum(), active.len()];
        sums.add(batch.graphs, task, &auxiliary, clusters);
        let rate = self.state.plateau.rate();
        let (model, norm) = self
            .adam
            .step(rate, self.model.clone(), loss.backward())
            .map_err(diverged)?;
        sums.norm = sums.norm.max(norm);
        self.model = pass.mode.remember(model);
        Ok(())
    }

    /// Runs a step on a batch in parts, most of which may be on other ranks.
    fn divided_step(
        &mut self,
        batch: &Assembled,
        progress: f64,
        sums: &mut Sums,
    ) -> Result<(), TaskError> {
        let Assembled::Divided {
            parts,
            first,
            here,
            weights,
            total,
        } = batch
        else {
            return Ok(());
        };
        let key = draw_key(self.config, self.fold);
        let steps = self.adam.steps();
        let team = Team::new(Arc::clone(&self.engine), *parts, Crew::permits(here.len()));
        let (model, objective) = (&self.model, self.data.objective);
        let found = self
            .crew
            .run(&team, |member| {
                let place = member.index() - first;
                let pass = Pass::training(key, steps, progress).among(member.clone());
                let weights = (weights[place], *total);
                let found = part_step(model, &here[place], &pass, objective, weights, &member)?;
                Ok((found, pass.mode))
            })
            .map_err(TaskError::Threads)?;
        let (found, mode) = found
            .into_iter()
            .collect::<Result<Vec<_>, TaskError>>()?
            .swap_remove(0);
        let diverged = |bad| TaskError::diverged(self.state.epoch + 1, bad);
        let mut all = found.losses.clone();
        all.insert("the task loss".to_owned(), found.task);
        check_losses(&self.model, &all).map_err(diverged)?;
        sums.add(total.graphs, found.task, &found.losses, found.clusters);
        let rate = self.state.plateau.rate();
        let (model, norm) = self
            .adam
            .step_by(rate, self.model.clone(), found.gradients)
            .map_err(diverged)?;
        sums.norm = sums.norm.max(norm);
        self.model = mode.remember(model);
        Ok(())
    }

    /// Applies the model to the validation graphs. This also detects values that
    /// are not finite but do not affect training losses, such as running
    /// statistics.
    fn validate(&self, progress: f64) -> Result<Evaluation, TaskError> {
        let diverged = |bad| TaskError::diverged(self.state.epoch + 1, bad);
        check_finite(&parameters(&self.model)).map_err(diverged)?;
        let step = VALIDATION_STEPS + self.state.epoch as u64;
        let mut passes = self.passes(step, 1);
        for pass in &mut passes {
            pass.progress = progress;
        }
        let model = self.model.valid();
        let evaluation = self.evaluate(&model, &self.validation, &passes);
        self.check_predictions(&evaluation, &self.split.validation)?;
        Ok(evaluation)
    }

    /// Applies a model to batches, distributed over the ranks.
    fn evaluate(
        &self,
        model: &GraphModel<C::Pool>,
        batches: &[LearnBatch],
        passes: &[Pass],
    ) -> Evaluation {
        evaluate_among(model, batches, self.data.objective, passes, &*self.engine)
    }

    /// Returns an error that names the graph if a prediction is not finite.
    fn check_predictions(
        &self,
        evaluation: &Evaluation,
        graphs: &[usize],
    ) -> Result<(), TaskError> {
        let width = self.data.objective.outputs();
        let bad = evaluation.predictions.iter().position(|p| !p.is_finite());
        match bad.and_then(|place| graphs.get(place / width)) {
            Some(&graph) => Err(TaskError::Prediction { graph }),
            None => Ok(()),
        }
    }

    /// Returns the passes of an evaluation, as configured.
    fn passes(&self, step: u64, samples: usize) -> Vec<Pass> {
        if self.config.evaluation.mean {
            return vec![Pass::mean()];
        }
        let key = draw_key(self.config, self.fold);
        (0..samples)
            .map(|i| Pass::evaluation(key, step + ((i as u64) << 20)))
            .collect()
    }

    /// Applies the best model to the test graphs.
    pub(super) fn test(&self) -> Result<(Evaluation, usize, f64), TaskError> {
        let (best_epoch, value) = self.best_epoch()?;
        let model = load_parameters(self.model.clone(), &self.best)?.valid();
        let batches = self
            .split
            .test
            .chunks(self.config.training.batch_size)
            .map(|chosen| self.data.batch(chosen, &self.device))
            .collect::<Result<Vec<_>, _>>()?;
        let passes = self.passes(TEST_STEPS, self.config.evaluation.samples);
        let evaluation = self.evaluate(&model, &batches, &passes);
        self.check_predictions(&evaluation, &self.split.test)?;
        Ok((evaluation, best_epoch, value))
    }

    /// Returns the best epoch so far, from 1, and its monitored value.
    pub(super) fn best_epoch(&self) -> Result<(usize, f64), TaskError> {
        let (best, value) = self.state.stop.best().ok_or(TaskError::Unfinished)?;
        Ok((best + 1, value))
    }

    /// Computes the metric of the best model on the validation graphs.
    pub(super) fn validation_score(&self) -> Result<f64, TaskError> {
        let (best, _) = self.state.stop.best().ok_or(TaskError::Unfinished)?;
        let model = load_parameters(self.model.clone(), &self.best)?.valid();
        let passes = self.passes(VALIDATION_STEPS + best as u64, 1);
        let objective = self.data.objective;
        let evaluation = self.evaluate(&model, &self.validation, &passes);
        let targets = self.data.targets(&self.split.validation)?;
        Ok(evaluation.score(objective, self.data.score, &targets))
    }

    /// Returns the parameters at the best epoch.
    pub(super) fn best_parameters(&self) -> &[NamedTensor] {
        &self.best
    }
}

/// Refuses batches whose features or memberships do not fit the memory.
fn check_memory<C: PoolSettings>(
    data: &LearnData,
    config: &LearnConfig<C>,
) -> Result<(), TaskError> {
    let graphs = config.training.batch_size.min(data.len());
    let nodes = (data.mean_nodes() * graphs as f64) as usize;
    const FIELD: &str = "training.batch_size";
    if let (InputKind::Numbers { nodes: width, .. }, false) = (data.input(), data.is_sparse()) {
        let what = format!("a batch of {nodes} nodes with {width} features each");
        let bytes = bytes_of::<f32>(&[2, nodes, width]);
        check(what, bytes).map_err(|source| TaskError::Memory {
            field: FIELD,
            source,
        })?;
    }
    bounds::check_memory(&config.pooler, nodes, FIELD)
}

/// Returns the key of the random draws of a fold.
fn draw_key<C>(config: &LearnConfig<C>, fold: usize) -> DrawKey {
    DrawKey {
        fold: u32::try_from(fold).unwrap_or(u32::MAX),
        ..DrawKey::new(config.seed)
    }
}

fn adam_config<C>(config: &LearnConfig<C>) -> AdamConfig {
    AdamConfig {
        clip_norm: config.training.clip_norm,
        ..AdamConfig::default()
    }
}

fn monitor_direction<C>(data: &LearnData, config: &LearnConfig<C>) -> Direction {
    match config.training.monitor {
        Monitor::Loss => Direction::Lower,
        _ if data.score.is_error() => Direction::Lower,
        _ => Direction::Higher,
    }
}
