//! Prepared graphs for learning, and batches of them.

use super::prepare::PreparedGraphs;
use super::{Encoder, LearnConfig, Objective, Score, SplitKind};
use crate::TaskError;
use bnpool::batch::{Level, NodeInput, Segments, Topology};
use bnpool::model::{GraphInput, InputKind};
use bnpool::nn::{ATOM_CATEGORIES, BOND_CATEGORIES, LayerKind, one_hot};
use bnpool::parallel::{Alone, Collective};
use bnpool::pool::{PoolSettings, PoolSite};
use bnpool_graph::split::{
    Split, SplitError, authors_folds, authors_order, k_fold, stratified_k_fold,
};
use bnpool_graph::{Batch, Csr, Features, Graph, GraphError, Matrix, Targets, transform};
use bnpool_io::dataset::Dataset;
use bnpool_io::format::tu::TuCoding;
use burn::tensor::{Device, Tensor, TensorData};
use std::path::Path;
use std::sync::Arc;

/// Node features with at most this number of columns are dense in a batch,
/// which is faster for them. The choice must not depend on the batch, because
/// the order of a sum affects its bits.
const NARROW: usize = 256;

/// Graphs with targets, as input of the network.
#[derive(Debug, Clone)]
pub struct LearnData {
    /// Graphs, with the adjacency for message passing.
    graphs: Vec<Graph>,
    /// Observed adjacency, if message passing uses another one.
    observed: Option<Vec<Csr>>,
    /// Kind of prediction.
    pub objective: Objective,
    /// Metric.
    pub score: Score,
    /// Names of the classes.
    pub class_names: Vec<String>,
    /// Conversion of labels and attributes of a TU set to features.
    pub coding: Option<TuCoding>,
    /// Official split of the data.
    official: Option<Split>,
    input: InputKind,
    /// Whether batches have sparse node features.
    sparse: bool,
    /// Precomputed data of the pooler.
    prepared: PreparedGraphs,
}

/// A batch on the device.
#[derive(Debug, Clone)]
pub struct LearnBatch {
    /// Input of the model.
    pub input: GraphInput,
    /// Expected output.
    pub targets: Option<Targets>,
    /// Number of graphs.
    pub graphs: usize,
}

impl LearnData {
    /// Prepares the graphs of a data set.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no graphs, a target is missing, there is
    /// only one class, or the features do not match the network.
    pub fn new<C: PoolSettings>(set: Dataset, config: &LearnConfig<C>) -> Result<Self, TaskError> {
        Self::unprepared(set, config)?.prepare(config, None, &Alone)
    }

    /// Prepares the graphs of a data set without the precomputation of the
    /// pooler. [`prepare`](Self::prepare) must be called before training.
    ///
    /// # Errors
    ///
    /// As [`LearnData::new`].
    pub fn unprepared<C: PoolSettings>(
        set: Dataset,
        config: &LearnConfig<C>,
    ) -> Result<Self, TaskError> {
        let numbers = set.task == bnpool_io::dataset::Task::Regress;
        let objective = Objective::of(&set.graphs, set.classes, numbers)?;
        let score = match objective {
            Objective::Classes { .. } => set.metric.into(),
            other => other.usual_score(),
        };
        let score = if numbers { Score::Mae } else { score };
        let data = Self::describe(set.graphs, objective, score, config, None)?;
        Ok(Self {
            class_names: set.class_names,
            coding: set.coding,
            official: set.official_split,
            ..data
        })
    }

    /// Runs the precomputation of the pooler for all graphs, distributed over the
    /// ranks of `engine`. Expensive results are stored in the folder `cache`, and
    /// read from there the next time.
    ///
    /// # Errors
    ///
    /// Returns an error if the pooler cannot coarsen a graph, on any rank.
    pub fn prepare<C: PoolSettings>(
        self,
        config: &LearnConfig<C>,
        cache: Option<&Path>,
        engine: &dyn Collective,
    ) -> Result<Self, TaskError> {
        let nodes = self.mean_nodes();
        self.coarsen(config, nodes, cache, engine)
    }

    /// Prepares graphs with targets. The metric is accuracy for classes, area
    /// under the ROC curve for labels (all targets zero or one), and mean
    /// absolute error for other numbers.
    ///
    /// # Errors
    ///
    /// As [`LearnData::new`].
    pub fn from_graphs<C: PoolSettings>(
        graphs: Vec<Graph>,
        class_names: Vec<String>,
        config: &LearnConfig<C>,
    ) -> Result<Self, TaskError> {
        let objective = Objective::of(&graphs, class_names.len(), false)?;
        let score = objective.usual_score();
        let data = Self::describe(graphs, objective, score, config, None)?;
        Ok(Self {
            class_names,
            ..data.prepare(config, None, &Alone)?
        })
    }

    /// Prepares graphs for prediction by a trained network; `input` and the mean
    /// number of nodes are those of its training.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no graphs or their features differ from
    /// those of the training.
    pub fn for_prediction<C: PoolSettings>(
        graphs: Vec<Graph>,
        objective: Objective,
        config: &LearnConfig<C>,
        input: InputKind,
        mean_nodes: f64,
    ) -> Result<Self, TaskError> {
        let graphs = graphs
            .into_iter()
            .map(|graph| Ok(graph.into_builder().target(None).build()?))
            .collect::<Result<_, TaskError>>()?;
        let score = objective.usual_score();
        Self::describe(graphs, objective, score, config, Some(input))?
            .coarsen(config, mean_nodes, None, &Alone)
    }

    /// Runs the precomputation of the pooler for all graphs; `nodes` is the mean
    /// number of nodes of the training graphs.
    fn coarsen<C: PoolSettings>(
        self,
        config: &LearnConfig<C>,
        nodes: f64,
        cache: Option<&Path>,
        engine: &dyn Collective,
    ) -> Result<Self, TaskError> {
        let site = pool_site(config, nodes);
        let observed = |g: usize| match &self.observed {
            Some(observed) => &observed[g],
            None => self.graphs[g].adjacency(),
        };
        let graphs: Vec<&Csr> = (0..self.len()).map(observed).collect();
        let levels = config.model.levels;
        let prepared = PreparedGraphs::new(&graphs, &config.pooler, &site, levels, cache, engine)?;
        Ok(Self { prepared, ..self })
    }

    /// Returns an error if the data were prepared for another pooler.
    pub(super) fn check_prepared<C: PoolSettings>(
        &self,
        config: &LearnConfig<C>,
    ) -> Result<(), TaskError> {
        let site = pool_site(config, self.mean_nodes());
        if self
            .prepared
            .is_for(&config.pooler, &site, config.model.levels)
        {
            Ok(())
        } else {
            Err(TaskError::OtherPooler)
        }
    }

    fn describe<C: PoolSettings>(
        graphs: Vec<Graph>,
        objective: Objective,
        score: Score,
        config: &LearnConfig<C>,
        known: Option<InputKind>,
    ) -> Result<Self, TaskError> {
        if graphs.is_empty() {
            return Err(TaskError::NoGraphs);
        }
        let mut graphs = graphs;
        for graph in &mut graphs {
            if graph.features().width() == 0 {
                // A constant, as in the paper for graphs without features.
                let ones = Matrix::new(graph.nodes(), 1, vec![1.0; graph.nodes()])?;
                let builder = std::mem::replace(graph, empty()).into_builder();
                *graph = builder.features(ones).build()?;
            }
        }
        let input = known.unwrap_or_else(|| input_kind(&graphs, config));
        for (number, graph) in graphs.iter_mut().enumerate() {
            check_graph(number, graph, input)?;
            let edges = edge_width(input);
            if edges > 0 && graph.edge_features().is_none() {
                // A graph without edges must have edge features of the same
                // width.
                let builder = std::mem::replace(graph, empty()).into_builder();
                *graph = builder.edge_features(Matrix::zeros(0, edges)).build()?;
            }
        }
        let delta = config.delta();
        let observed = (delta > 0.0).then(|| {
            let own = |graph: &Graph| graph.adjacency().without_weights();
            graphs.iter().map(own).collect()
        });
        if delta > 0.0 {
            for graph in &mut graphs {
                *graph = transform::graph_filter(graph, delta)?;
            }
        }
        let sparse = reads_sparse(&graphs, input, config);
        Ok(Self {
            graphs,
            observed,
            objective,
            score,
            sparse,
            class_names: Vec::new(),
            coding: None,
            official: None,
            input,
            prepared: PreparedGraphs::default(),
        })
    }

    /// Number of graphs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.graphs.len()
    }

    /// Returns whether there are no graphs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.graphs.is_empty()
    }

    /// Returns the graphs, with the adjacency for message passing.
    #[must_use]
    pub fn graphs(&self) -> &[Graph] {
        &self.graphs
    }

    /// Returns the kind of node and edge features.
    #[must_use]
    pub fn input(&self) -> InputKind {
        self.input
    }

    /// Whether batches have sparse node features.
    pub(super) fn is_sparse(&self) -> bool {
        self.sparse
    }

    /// Returns the mean number of nodes.
    #[must_use]
    pub fn mean_nodes(&self) -> f64 {
        let nodes: usize = self.graphs.iter().map(Graph::nodes).sum();
        nodes as f64 / self.graphs.len().max(1) as f64
    }

    /// Returns the splits for training and testing.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too few graphs, or the data have no
    /// official split.
    pub fn splits<C>(&self, config: &LearnConfig<C>) -> Result<Vec<Split>, TaskError> {
        let data = &config.data;
        let official = || self.official.clone().map(|split| vec![split]);
        let (graphs, folds, seed) = (self.len(), data.folds, data.split_seed);
        let in_words = |error| match error {
            SplitError::TooFewExamples { .. } => TaskError::TooFewGraphs { graphs, folds },
            other => other.into(),
        };
        let plain = || k_fold(graphs, folds, seed).map_err(in_words);
        Ok(match data.split {
            SplitKind::Official => official().ok_or(TaskError::NoOfficialSplit)?,
            SplitKind::Auto => match official() {
                Some(splits) => splits,
                None => plain()?,
            },
            SplitKind::Folds => plain()?,
            SplitKind::Stratified => {
                let all: Vec<usize> = (0..graphs).collect();
                match self.targets(&all)? {
                    Targets::Classes(classes) => {
                        stratified_k_fold(&classes, folds, seed).map_err(in_words)?
                    }
                    Targets::Values { .. } => plain()?,
                }
            }
            // The molecules of the authors also have an official split.
            SplitKind::Authors if config.model.encoder == Encoder::Molecule => {
                official().ok_or(TaskError::NoOfficialSplit)?
            }
            SplitKind::Authors => {
                let order = authors_order(self.len());
                let original = |part: Vec<usize>| part.into_iter().map(|i| order[i]).collect();
                authors_folds(self.len())?
                    .into_iter()
                    .map(|split| Split {
                        train: original(split.train),
                        validation: original(split.validation),
                        test: original(split.test),
                    })
                    .collect()
            }
        })
    }

    /// Returns the numbers of present and of missing targets.
    #[must_use]
    pub fn missing_targets(&self) -> (usize, usize) {
        let values = self.graphs.iter().filter_map(|graph| match graph.target() {
            Some(bnpool_graph::Target::Values(values)) => Some(values),
            _ => None,
        });
        let missing = values.clone().flatten().filter(|x| x.is_nan()).count();
        (values.map(Vec::len).sum::<usize>() - missing, missing)
    }

    fn graph(&self, graph: usize) -> Result<&Graph, TaskError> {
        let none = SplitError::OutOfRange {
            example: graph,
            examples: self.len(),
        };
        self.graphs.get(graph).ok_or(none.into())
    }

    /// Returns the targets of some graphs.
    ///
    /// # Errors
    ///
    /// Returns an error if a graph does not exist or has no target.
    pub fn targets(&self, chosen: &[usize]) -> Result<Targets, TaskError> {
        let mut classes = Vec::new();
        let mut values = Vec::new();
        for &graph in chosen {
            match self.graph(graph)?.target() {
                Some(bnpool_graph::Target::Class(class)) => classes.push(*class),
                Some(bnpool_graph::Target::Values(v)) => values.extend_from_slice(v),
                None => return Err(TaskError::NoTarget { graph }),
            }
        }
        Ok(match self.objective {
            Objective::Classes { .. } => Targets::Classes(classes),
            other => Targets::Values {
                width: other.outputs(),
                values,
            },
        })
    }

    /// Creates a batch of some graphs. Their random draws are keyed by their
    /// position in the data, so they are the same in any batch.
    ///
    /// # Errors
    ///
    /// Returns an error if a graph does not exist, or the graphs do not match
    /// each other.
    pub fn batch(&self, chosen: &[usize], device: &Device) -> Result<LearnBatch, TaskError> {
        let graphs = chosen
            .iter()
            .map(|&g| self.graph(g))
            .collect::<Result<Vec<_>, _>>()?;
        let batch = Batch::new(&graphs)?;
        let keys: Vec<u32> = chosen.iter().map(|&g| g as u32).collect();
        let mut topology = Topology::of_batch(&batch);
        topology.segments = Segments::of(&batch).with_keys(keys);
        if let Some(observed) = &self.observed {
            let blocks: Vec<&Csr> = chosen.iter().map(|&g| &observed[g]).collect();
            topology = topology.with_targets(Arc::new(Csr::block_diagonal(&blocks)?));
        }
        let tensor = |matrix: &Matrix| {
            let shape = [matrix.rows(), matrix.columns()];
            Tensor::<2>::from_data(TensorData::new(matrix.as_slice().to_vec(), shape), device)
        };
        let prepared = self.prepared.batch(chosen)?;
        if self.sparse {
            let features = NodeInput::of(batch.features(), device);
            return Ok(LearnBatch {
                input: GraphInput::Numbers(Level::new(features, topology).with_prepared(prepared)),
                targets: batch.targets().cloned(),
                graphs: chosen.len(),
            });
        }
        // Four copies: the values, their tensor, the messages and the gradient.
        let features = batch.features().try_dense(4).map_err(too_wide)?;
        let level = Level::new(tensor(&features), topology).with_prepared(prepared);
        let input = match self.input {
            InputKind::Numbers { edges, .. } => {
                let edge_features = batch.edge_features().filter(|_| edges > 0).map(tensor);
                GraphInput::Numbers(level.with_edge_features(edge_features))
            }
            InputKind::Molecule { .. } => {
                let absent = Matrix::zeros(batch.edges(), BOND_CATEGORIES.len());
                let bonds = batch.edge_features().unwrap_or(&absent);
                // Loops that are added by the transform are not bonds.
                let loops: Vec<bool> = batch.adjacency().iter().map(|(u, v, _)| u == v).collect();
                GraphInput::Molecules {
                    level,
                    atoms: Arc::new(one_hot(&features, &ATOM_CATEGORIES, |_| false)?),
                    bonds: Arc::new(one_hot(bonds, &BOND_CATEGORIES, |k| loops[k])?),
                }
            }
        };
        Ok(LearnBatch {
            input,
            targets: batch.targets().cloned(),
            graphs: chosen.len(),
        })
    }
}

/// Returns the properties of the first pooler's position that its precomputation
/// depends on.
pub(super) fn pool_site<C>(config: &LearnConfig<C>, nodes: f64) -> PoolSite {
    PoolSite {
        inputs: config.model.hidden,
        nodes,
        clusters: None,
        seed: config.seed,
    }
}

/// Creates a graph without nodes, as a placeholder.
fn empty() -> Graph {
    let nothing = Csr::from_edges(0, []).expect("no edges are wrong");
    Graph::builder(nothing)
        .build()
        .expect("an empty graph fits itself")
}

fn input_kind<C>(graphs: &[Graph], config: &LearnConfig<C>) -> InputKind {
    match config.model.encoder {
        Encoder::Molecule => InputKind::Molecule {
            width: config.model.encoder_width,
        },
        Encoder::None => InputKind::Numbers {
            nodes: graphs[0].features().width(),
            // A graph without edges does not determine the edge features.
            edges: graphs
                .iter()
                .find(|graph| graph.edges() > 0)
                .and_then(Graph::edge_features)
                .map_or(0, Matrix::columns),
        },
    }
}

/// Returns whether the first layer can use sparse node features directly. This
/// requires that they are wide, and that they are first multiplied by weights.
/// Messages with edge features are as wide as node features, as is the input of
/// a pooler before the first layer.
fn reads_sparse<C>(graphs: &[Graph], input: InputKind, config: &LearnConfig<C>) -> bool {
    let InputKind::Numbers { nodes, edges } = input else {
        return false;
    };
    let with_edges = edges > 0 && config.model.layer == LayerKind::Gine;
    let is_sparse = |graph: &Graph| matches!(graph.features(), Features::Sparse(_));
    nodes > NARROW && config.model.before > 0 && !with_edges && graphs.iter().all(is_sparse)
}

/// Adds the settings that reduce the size of batches to an error.
fn too_wide(error: GraphError) -> TaskError {
    match error {
        GraphError::Memory(source) => TaskError::Memory {
            field: "training.batch_size",
            source,
        },
        other => other.into(),
    }
}

fn edge_width(input: InputKind) -> usize {
    match input {
        InputKind::Numbers { edges, .. } => edges,
        InputKind::Molecule { .. } => BOND_CATEGORIES.len(),
    }
}

/// Returns an error if a graph has other features.
fn check_graph(number: usize, graph: &Graph, input: InputKind) -> Result<(), TaskError> {
    let edges = edge_width(input);
    let nodes = match input {
        InputKind::Numbers { nodes, .. } => nodes,
        InputKind::Molecule { .. } => ATOM_CATEGORIES.len(),
    };
    let found = graph.features().width();
    if found != nodes {
        return Err(TaskError::FeatureWidth {
            graph: number,
            what: "node",
            found,
            expected: nodes,
        });
    }
    let found = graph.edge_features().map_or(0, Matrix::columns);
    // A graph without edges needs no edge features.
    if found != edges && graph.edges() > 0 {
        return Err(TaskError::FeatureWidth {
            graph: number,
            what: "edge",
            found,
            expected: edges,
        });
    }
    Ok(())
}
