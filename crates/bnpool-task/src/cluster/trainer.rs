//! Training loop, one epoch at a time.

use super::body::{Body, Step, Whole};
use super::divided::Room;
use super::epoch::Epoch;
use super::evidence::{Groups, SearchObserver};
use super::features::LazySpectrum;
use super::input::ClusterInput;
use super::setup::{active, adam, adam_config, draw_key, fitted, fresh_model, groups};
use super::start::{imitate, spectral_groups, with_block_matrix};
use super::state::{ClusterState, Finished};
use super::{ClusterConfig, Monitor, WarmStart};
use crate::losses::{check_losses, loss_values};
use crate::optim::{
    Adam, Awake, Direction, EarlyStop, Plateau, check_finite, load_parameters, parameters,
    plain_gradients, warm_up,
};
use crate::run::{Checkpoint, NamedTensor, part};
use crate::{TaskError, bounds};
use bnpool::model::ClusterModel;
use bnpool::pool::{Pass, PoolSettings, PoolerConfig, kl_weight};
use bnpool_graph::divide::{Held, PART_WORK};
use bnpool_graph::structure::NodeOrder;
use bnpool_graph::{Features, Graph};
use bnpool_parallel::Alone;
use burn::module::Module;
use burn::tensor::Device;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A training is stalled if the loss decreases by less than this fraction.
const STILL: f64 = 1e-3;

/// Number of samples for the score of a start.
const SCORE_SAMPLES: u64 = 8;

/// First step of the random streams for the evaluation, so that no training
/// sample is used again.
pub(super) const EVALUATION_STEPS: u64 = 1 << 40;

/// Trains the model of one graph.
///
/// ```
/// use bnpool_task::cluster::{ClusterConfig, Trainer};
/// use bnpool_graph::generate::builtin_community;
///
/// let graph = builtin_community()?;
/// let mut config = ClusterConfig::default();
/// config.training.epochs = 2;
/// let mut trainer = Trainer::new(&graph, &config)?;
/// while let Some(epoch) = trainer.advance()? {
///     assert!(epoch.total().is_finite());
/// }
/// let result = trainer.finish()?;
/// assert_eq!(result.labels.len(), graph.nodes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Trainer<C: PoolSettings = PoolerConfig> {
    pub(super) body: Body,
    pub(super) config: ClusterConfig<C>,
    /// Device of the model.
    pub(super) device: Device,
    model: ClusterModel<C::Pool>,
    adam: Adam,
    state: ClusterState,
    /// Parameters at the best epoch of the current start.
    best: Vec<NamedTensor>,
    /// Parameters of the best finished start.
    winner: Vec<NamedTensor>,
    awake: Awake,
}

impl<C: PoolSettings> Trainer<C> {
    /// Prepares the graph and the first start.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is out of range, the graph is too small, or
    /// the memory is insufficient for the settings.
    pub fn new(graph: &Graph, config: &ClusterConfig<C>) -> Result<Self, TaskError> {
        Self::on(graph, config, &Device::flex())
    }

    /// Like [`Trainer::new`], but on another device, by ordinary tensor
    /// operations.
    ///
    /// # Errors
    ///
    /// As [`Trainer::new`].
    pub fn on(
        graph: &Graph,
        config: &ClusterConfig<C>,
        device: &Device,
    ) -> Result<Self, TaskError> {
        Self::observed(graph, config, device, &|_| ControlFlow::Continue(()))
    }

    /// Like [`Trainer::new`], with an observer of the search for groups, which
    /// may stop it.
    ///
    /// # Errors
    ///
    /// As [`Trainer::new`]. Also returns an error if the observer stops the
    /// search.
    pub fn observed(
        graph: &Graph,
        config: &ClusterConfig<C>,
        device: &Device,
        observer: SearchObserver<'_>,
    ) -> Result<Self, TaskError> {
        let mut trainer = Self::prepare(graph, config, None, None, (device, observer))?;
        trainer.warm_start()?;
        Ok(trainer)
    }

    /// Like [`Trainer::observed`], for a new version of a graph: the search for
    /// groups also starts from the previous communities of its nodes.
    /// `previous` holds the community of each node that had one.
    ///
    /// # Errors
    ///
    /// As [`Trainer::observed`]. Also returns an error if `previous` does not
    /// match the nodes or the settings do not search for groups.
    pub fn after(
        graph: &Graph,
        config: &ClusterConfig<C>,
        previous: &[Option<u32>],
        device: &Device,
        observer: SearchObserver<'_>,
    ) -> Result<Self, TaskError> {
        let mut trainer = Self::prepare(graph, config, Some(previous), None, (device, observer))?;
        trainer.warm_start()?;
        Ok(trainer)
    }

    fn prepare(
        graph: &Graph,
        config: &ClusterConfig<C>,
        previous: Option<&[Option<u32>]>,
        search: Option<&[u8]>,
        (device, observer): (&Device, SearchObserver<'_>),
    ) -> Result<Self, TaskError> {
        config.check()?;
        if previous.is_none() && config.divides(graph) && *device == Device::flex() {
            let source = Arc::new(Held::new(graph.clone(), PART_WORK));
            return Self::of_parts(source, Arc::new(Alone), config, &Room::default(), observer);
        }
        if graph.nodes() < 2 {
            return Err(TaskError::TooSmall {
                nodes: graph.nodes(),
            });
        }
        let order = NodeOrder::canonical(graph);
        let graph = order.apply(graph);
        let previous = match previous {
            Some(known) if known.len() == graph.nodes() => {
                let in_order = order.nodes().iter().map(|&u| known[u as usize]);
                Some(in_order.collect::<Vec<_>>())
            }
            Some(known) => {
                return Err(TaskError::PreviousNodes {
                    labels: known.len(),
                    nodes: graph.nodes(),
                });
            }
            None => None,
        };
        let groups = if config.looks_for_groups() {
            let known = search
                .map(|bytes| Groups::of_bytes(bytes, &graph))
                .transpose()?;
            Some(match known.flatten() {
                Some(groups) => groups,
                None => Groups::find(&graph, config, previous.as_deref(), observer)?,
            })
        } else if previous.is_some() {
            return Err(TaskError::NoSearch);
        } else {
            None
        };
        let config = fitted(config.clone(), groups.as_ref(), graph.edges());
        let config = &config;
        bounds::check_memory(&config.pooler, graph.nodes(), "pooler.max_clusters")?;
        let device = device.clone().inner();
        let on = device.clone().autodiff();
        let input = ClusterInput::new(
            &graph,
            config,
            groups.as_ref().map(Groups::surroundings).as_ref(),
            &on,
        )?;
        let whole = Whole {
            order,
            graph: {
                let bare = Features::absent(graph.nodes());
                graph.into_builder().features(bare).node_ids(None).build()?
            },
            groups,
            input,
        };
        Self::before_the_start(Body::Whole(Box::new(whole)), config, device)
    }

    /// Creates a trainer without its start.
    pub(super) fn before_the_start(
        body: Body,
        config: &ClusterConfig<C>,
        device: Device,
    ) -> Result<Self, TaskError> {
        let model = fresh_model(&body.site(), config, 0, &device)?;
        let best = if config.pooler.traits().losses.is_empty() {
            parameters(&model)
        } else {
            Vec::new()
        };
        Ok(Self {
            body,
            config: config.clone(),
            device,
            adam: adam(config, &model),
            model,
            state: ClusterState {
                start: 0,
                epoch: 0,
                total_epochs: 0,
                adam_steps: 0,
                plateau: Plateau::new(Direction::Lower, config.training.learning_rate),
                stop: EarlyStop::new(Direction::Lower),
                reference: None,
                winner: None,
            },
            best,
            winner: Vec::new(),
            awake: Awake::default(),
        })
    }

    /// Resumes from a checkpoint of the same graph and configuration. The
    /// result is byte-identical to that of an uninterrupted run.
    ///
    /// # Errors
    ///
    /// As [`Trainer::new`]. Also returns an error if the checkpoint belongs to
    /// another model.
    pub fn resume(
        graph: &Graph,
        config: &ClusterConfig<C>,
        checkpoint: Checkpoint<ClusterState>,
    ) -> Result<Self, TaskError> {
        Self::resume_after(graph, config, None, None, checkpoint)
    }

    /// Like [`Trainer::resume`], for a training that began with
    /// [`Trainer::after`], with the same previous communities.
    ///
    /// # Errors
    ///
    /// As [`Trainer::resume`].
    pub fn resume_after(
        graph: &Graph,
        config: &ClusterConfig<C>,
        previous: Option<&[Option<u32>]>,
        search: Option<&[u8]>,
        checkpoint: Checkpoint<ClusterState>,
    ) -> Result<Self, TaskError> {
        let go_on = |_| ControlFlow::Continue(());
        let on = (&Device::flex(), &go_on as SearchObserver<'_>);
        let trainer = Self::prepare(graph, config, previous, search, on)?;
        trainer.going_on_from(config, checkpoint)
    }

    /// Returns the result of the search for groups, for [`Trainer::resume_after`]; `None`
    /// without a search, or if the graph is in parts.
    #[must_use]
    pub fn search(&self) -> Option<Vec<u8>> {
        match &self.body {
            Body::Whole(whole) => whole.groups.as_ref().map(Groups::to_bytes),
            Body::Divided(_) => None,
        }
    }

    /// Restores the state of a checkpoint.
    pub(super) fn going_on_from(
        self,
        config: &ClusterConfig<C>,
        checkpoint: Checkpoint<ClusterState>,
    ) -> Result<Self, TaskError> {
        let mut trainer = self;
        trainer.model = load_parameters(trainer.model, &part(&checkpoint.tensors, "model."))?;
        let steps = checkpoint.state.adam_steps;
        trainer.adam = Adam::resume(adam_config(config), steps, &checkpoint.tensors)?
            .with_groups(groups(config, &trainer.model));
        trainer.best = part(&checkpoint.tensors, "best.");
        trainer.winner = part(&checkpoint.tensors, "winner.");
        trainer.state = checkpoint.state;
        trainer.reopen();
        Ok(trainer)
    }

    /// Reopens the only start if it ended at the maximum number of epochs, and
    /// more are allowed now.
    fn reopen(&mut self) {
        let ended = self.config.training.starts == 1 && self.state.start == 1;
        if ended && !self.is_over() {
            self.state.start = 0;
            self.state.winner = None;
            self.best = std::mem::take(&mut self.winner);
        }
    }

    /// Returns the checkpoint for [`Trainer::resume`].
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint<ClusterState> {
        let mut tensors = self.adam.moments();
        let model = parameters(&self.model);
        for (prefix, arrays) in [
            ("model.", &model),
            ("best.", &self.best),
            ("winner.", &self.winner),
        ] {
            tensors.extend(arrays.iter().map(|t| t.with_prefix(prefix)));
        }
        Checkpoint {
            tensors,
            state: ClusterState {
                adam_steps: self.adam.steps(),
                ..self.state.clone()
            },
        }
    }

    /// Returns the number of finished epochs of all starts.
    #[must_use]
    pub fn epochs(&self) -> usize {
        self.state.total_epochs
    }

    /// Returns the largest number of epochs that can still follow.
    #[must_use]
    pub fn epochs_left(&self) -> usize {
        if !self.has_losses() {
            return 0;
        }
        let t = &self.config.training;
        let starts = t.starts.saturating_sub(self.state.start);
        starts
            .saturating_mul(t.epochs)
            .saturating_sub(self.state.epoch)
    }

    /// Runs one epoch; returns `None` if all starts have ended.
    ///
    /// # Errors
    ///
    /// Returns an error that names a loss, gradient or parameter if it is no
    /// longer finite. The state is that of the previous epoch in this case.
    pub fn advance(&mut self) -> Result<Option<Epoch>, TaskError> {
        while self.state.start < self.config.training.starts && self.has_losses() {
            if !self.is_over() {
                return self.epoch().map(Some);
            }
            self.end_start()?;
        }
        Ok(None)
    }

    /// Returns whether there is something to train: a pooler without auxiliary
    /// losses has its result at once.
    fn has_losses(&self) -> bool {
        !self.config.pooler.traits().losses.is_empty()
    }

    /// Returns whether the current start has used up its epochs or its
    /// patience.
    fn is_over(&self) -> bool {
        let (training, epoch) = (&self.config.training, self.state.epoch);
        let since = self.state.reference.map(|reference| reference.2);
        // Only with groups: another training may have plateaus.
        let still = match self.body.groups() {
            Some(_) => self.config.search.still,
            None => 0,
        };
        let is_still = since.is_some_and(|since| epoch > since + still);
        epoch >= training.epochs
            || still > 0 && is_still
            || epoch > training.estimated && self.state.stop.is_over(epoch - 1, training.patience)
    }

    fn epoch(&mut self) -> Result<Epoch, TaskError> {
        self.awake.stir();
        let index = self.state.epoch;
        let progress = warm_up(index, self.config.training.annealing);
        let key = draw_key(&self.config, self.state.start);
        let pass = Pass {
            // On PubMed an estimated epoch takes a ninth of the time of a dense
            // epoch.
            estimate: index < self.config.training.estimated,
            ..Pass::training(key, index as u64, progress)
        };
        let Step {
            losses,
            clusters,
            gradients,
        } = self.step(&pass)?;
        let rate = self.state.plateau.rate();
        let mut epoch = Epoch {
            start: self.state.start + 1,
            epoch: index + 1,
            losses,
            gamma: kl_weight(progress),
            clusters,
            learning_rate: rate,
            gradient_norm: 0.0,
        };
        let diverged = |bad| TaskError::diverged(index + 1, bad);
        check_losses(&self.model, &epoch.losses).map_err(diverged)?;
        let monitored = match self.config.training.monitor {
            Monitor::Rec => epoch.loss("loss_rec").unwrap_or_else(|| epoch.total()),
            Monitor::Total => epoch.total(),
        };
        // A failed epoch does not change the state: all fallible steps precede
        // the first change.
        let mut adam = self.adam.clone();
        let (model, norm) = adam
            .step_by(rate, self.model.clone(), gradients)
            .map_err(diverged)?;
        check_finite(&parameters(&model)).map_err(diverged)?;
        if index == self.config.training.estimated {
            // The smallest of many estimates is biased downwards.
            self.state.stop = EarlyStop::new(Direction::Lower);
        }
        if self.state.stop.observe(index, monitored) {
            self.best = parameters(&self.model);
        }
        self.state
            .plateau
            .observe(monitored, &self.config.plateau());
        (self.model, self.adam) = (model, adam);
        self.note_change(monitored, epoch.clusters);
        epoch.gradient_norm = norm;
        self.state.epoch += 1;
        self.state.total_epochs += 1;
        Ok(epoch)
    }

    /// Computes the losses of a pass and their gradients.
    fn step(&self, pass: &Pass) -> Result<Step, TaskError> {
        match &self.body {
            Body::Whole(whole) => {
                let selection = self.model.select(&whole.input.level, pass);
                let total = selection.losses.total().ok_or(TaskError::NothingToTrain)?;
                Ok(Step {
                    losses: loss_values(&selection.losses),
                    clusters: active(&selection.membership),
                    gradients: plain_gradients(&self.model, total.backward()),
                })
            }
            Body::Divided(divided) => divided.step(&self.model, pass),
        }
    }

    /// Records the epoch since which the loss and the number of clusters are
    /// unchanged.
    fn note_change(&mut self, loss: f64, clusters: usize) {
        let epoch = self.state.epoch;
        let moved = match self.state.reference {
            None => true,
            Some((reference, same, _)) => {
                clusters != same || loss < reference - STILL * reference.abs()
            }
        };
        if moved {
            self.state.reference = Some((loss, clusters, epoch));
        }
    }

    /// Scores the current start and prepares the next.
    fn end_start(&mut self) -> Result<(), TaskError> {
        let start = self.state.start;
        let best_epoch = self.state.stop.best().map_or(0, |(epoch, _)| epoch + 1);
        let score = if self.config.training.starts == 1 {
            0.0
        } else {
            self.score(&self.best)?
        };
        if self.state.winner.is_none_or(|w| score < w.score) {
            self.state.winner = Some(Finished {
                start,
                score,
                best_epoch,
            });
            self.winner = std::mem::take(&mut self.best);
        }
        self.best = Vec::new();
        self.state.start += 1;
        if self.state.start < self.config.training.starts {
            self.state.epoch = 0;
            self.state.plateau = Plateau::new(Direction::Lower, self.config.training.learning_rate);
            self.state.stop = EarlyStop::new(Direction::Lower);
            self.state.reference = None;
            self.model = fresh_model(
                &self.body.site(),
                &self.config,
                self.state.start,
                &self.device,
            )?;
            self.adam = adam(&self.config, &self.model);
            self.warm_start()?;
        }
        // The last start is kept as it is: more epochs may be requested later.
        Ok(())
    }

    /// Lets a new model imitate groups by eigenvectors, if configured and if
    /// the graph has such groups.
    pub(super) fn warm_start(&mut self) -> Result<(), TaskError> {
        let whole = match &mut self.body {
            Body::Whole(whole) => whole,
            Body::Divided(divided) => {
                self.model = divided.warm_start(self.model.clone())?;
                return Ok(());
            }
        };
        let device = self.device.clone().autodiff();
        if let Some(groups) = &whole.groups {
            let columns = groups.node_columns();
            let model = imitate(self.model.clone(), &whole.input, &columns, &device)?;
            self.model = with_block_matrix(model, &whole.input, &columns, &device);
            return Ok(());
        }
        let wanted = match self.config.training.warm_start {
            WarmStart::Off => false,
            WarmStart::Auto => !whole.input.given,
            WarmStart::Spectral | WarmStart::Evidence => true,
        };
        if wanted
            && self.config.pooler.traits().posterior
            && let Some(groups) =
                spectral_groups(&whole.graph, &self.config, &whole.input.spectrum)?
        {
            self.model = imitate(self.model.clone(), &whole.input, &groups, &device)?;
        }
        if self.state.start + 1 >= self.config.training.starts {
            // No longer needed, and possibly large.
            whole.input.spectrum = LazySpectrum::default();
        }
        Ok(())
    }

    /// Computes −ELBO of a model up to a constant: L_aux at γ = 1, averaged
    /// over samples.
    fn score(&self, parameters: &[NamedTensor]) -> Result<f64, TaskError> {
        // A graph in parts has one start.
        let Body::Whole(whole) = &self.body else {
            return Ok(0.0);
        };
        let model = self.model_with(parameters)?;
        let level = whole.input.inner();
        let mut sum = 0.0;
        for i in 0..SCORE_SAMPLES {
            let pass = Pass::evaluation(self.config.seed, EVALUATION_STEPS + i);
            let losses = model.select(&level, &pass).losses;
            sum += loss_values(&losses).values().sum::<f64>();
        }
        Ok(sum / SCORE_SAMPLES as f64)
    }

    /// Creates a model for evaluation with these parameters.
    pub(super) fn model_with(
        &self,
        parameters: &[NamedTensor],
    ) -> Result<ClusterModel<C::Pool>, TaskError> {
        Ok(load_parameters(self.model.clone(), parameters)?.valid())
    }

    /// Returns the best parameters so far, their start and their epoch: those
    /// of the best finished start, or of the current start if there is none.
    pub(super) fn winner(&self) -> Option<(&[NamedTensor], usize, usize)> {
        if let Some(finished) = self.state.winner {
            return Some((&self.winner, finished.start + 1, finished.best_epoch));
        }
        if !self.has_losses() {
            return Some((&self.best, 1, 0));
        }
        let (epoch, _) = self.state.stop.best()?;
        Some((&self.best, self.state.start + 1, epoch + 1))
    }

    /// Returns whether all starts have ended.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.state.start >= self.config.training.starts || !self.has_losses()
    }
}
