//! Batches in parts: training steps with byte-identical results on any number
//! of ranks and threads.
//!
//! The cuts only depend on the sizes of the graphs. Each part has its own forward
//! and backward pass. Normalisations are over all parts (`Mode::member`), and
//! losses and gradients are summed along the tree of the parts.

use super::evaluate::active_clusters;
use super::{LearnBatch, LearnData, Objective};
use crate::TaskError;
use crate::losses::loss_values;
use crate::optim::{fork, plain_gradients};
use bnpool::model::GraphModel;
use bnpool::parallel::Member;
use bnpool::pool::{Pass, Pool};
use bnpool_graph::Targets;
use burn::tensor::Device;
use std::collections::BTreeMap;
use std::ops::Range;

/// Number of nodes and edges of a part. With fewer, the overhead of the
/// operations of a pass exceeds their computation.
const PART: usize = 4096;

/// Largest number of parts of a batch, and thus of busy ranks.
const MOST_PARTS: usize = 16;

/// A batch, or its parts on this rank.
#[derive(Debug)]
pub(super) enum Assembled {
    /// A batch that is too small to be divided.
    Whole(Box<LearnBatch>),
    /// The parts of the members on this rank.
    Divided {
        /// Number of parts of the batch.
        parts: usize,
        /// First part on this rank.
        first: usize,
        /// Parts on this rank.
        here: Vec<LearnBatch>,
        /// Weights of these parts: numbers of graphs and of present targets.
        weights: Vec<Weight>,
        /// Weight of the batch.
        total: Weight,
    },
}

/// Weight of a part in means.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weight {
    /// Number of graphs.
    pub graphs: usize,
    /// Number of targets in the mean of the task loss.
    pub targets: usize,
}

impl Weight {
    fn of(graphs: usize, targets: &Targets) -> Self {
        let targets = match targets {
            Targets::Classes(classes) => classes.len(),
            Targets::Values { values, .. } => values.iter().filter(|v| !v.is_nan()).count(),
        };
        Self { graphs, targets }
    }
}

/// Returns the parts of a batch of these graphs: contiguous ranges of about
/// equal work.
pub(super) fn parts(work: &[usize]) -> Vec<Range<usize>> {
    let all: usize = work.iter().sum();
    let count = (all / PART).clamp(1, MOST_PARTS).min(work.len().max(1));
    let mut cuts = vec![0];
    let mut sum = 0;
    for (i, own) in work.iter().enumerate() {
        // Cuts before the graph that contains the boundary.
        let next = cuts.len() * all / count;
        let (must, may) = (
            work.len() - i == count - (cuts.len() - 1),
            i > cuts[cuts.len() - 1],
        );
        if cuts.len() < count && may && (must || sum + own / 2 >= next) {
            cuts.push(i);
        }
        sum += own;
    }
    cuts.push(work.len());
    cuts.windows(2).map(|w| w[0]..w[1]).collect()
}

impl LearnData {
    /// Assembles the graphs of a batch or, if it is divided, those of its parts
    /// on this rank. `here` returns these parts, given the number of all parts.
    pub(super) fn assemble(
        &self,
        chosen: &[usize],
        device: &Device,
        here: impl FnOnce(usize) -> Range<usize>,
    ) -> Result<Assembled, TaskError> {
        let work: Vec<usize> = chosen
            .iter()
            .map(|&g| {
                self.graphs()
                    .get(g)
                    .map_or(0, |g| g.nodes() + g.adjacency().entries())
            })
            .collect();
        let parts = parts(&work);
        // Members exchange plain arrays, which only the CPU backend has.
        if parts.len() == 1 || *device != Device::flex().autodiff() {
            return Ok(Assembled::Whole(Box::new(self.batch(chosen, device)?)));
        }
        let weight = |part: &[usize]| Ok(Weight::of(part.len(), &self.targets(part)?));
        let own = here(parts.len());
        let mine = &parts[own.clone()];
        Ok(Assembled::Divided {
            parts: parts.len(),
            first: own.start,
            here: mine
                .iter()
                .map(|part| self.batch(&chosen[part.clone()], device))
                .collect::<Result<_, _>>()?,
            weights: mine
                .iter()
                .map(|part| weight(&chosen[part.clone()]))
                .collect::<Result<_, TaskError>>()?,
            total: weight(chosen)?,
        })
    }
}

/// Result of a step, which is equal for all members.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// Task loss.
    pub task: f64,
    /// Auxiliary losses by name.
    pub losses: BTreeMap<String, f64>,
    /// Total number of non-empty clusters, and number of counted graphs.
    pub clusters: [usize; 2],
    /// Gradient of each parameter, in the order of the fields.
    pub gradients: Vec<Option<Vec<f32>>>,
}

/// Runs the forward and backward pass of a part, and combines the results of
/// all parts.
pub(super) fn part_step<P: Pool>(
    model: &GraphModel<P>,
    batch: &LearnBatch,
    pass: &Pass,
    objective: Objective,
    (own, total): (Weight, Weight),
    member: &Member,
) -> Result<Found, TaskError> {
    let model = fork(model.clone());
    let out = model.forward(&batch.input, pass);
    let targets = batch.targets.as_ref().ok_or(TaskError::NoGraphs)?;
    let task = objective.loss(out.outputs.clone(), targets, model.unit());
    let losses = out.losses();
    let share = |own: usize, total: usize| own as f64 / total.max(1) as f64;
    let by_targets = share(own.targets, total.targets);
    let by_graphs = share(own.graphs, total.graphs);
    let mut loss = task.clone() * by_targets;
    if let Some(auxiliary) = losses.total() {
        loss = loss + auxiliary * by_graphs;
    }
    let auxiliary = loss_values(&losses);
    let active = active_clusters(&out);
    drop(out);
    let gradients = plain_gradients(&model, loss.backward());
    // Values first, then flags of existing gradients, then the gradients.
    let mut values = vec![task.detach().into_scalar::<f64>() * by_targets];
    values.extend(auxiliary.values().map(|value| value * by_graphs));
    values.extend([active.iter().sum::<usize>() as f64, active.len() as f64]);
    let there = gradients.iter().map(|g| f64::from(u8::from(g.is_some())));
    values.extend(there);
    let values = member.sum_f64(&values);
    let (values, there) = values.split_at(values.len() - gradients.len());
    let lengths = lengths(&model);
    let mut flat = Vec::new();
    for ((gradient, &length), &there) in gradients.iter().zip(&lengths).zip(there) {
        match gradient {
            Some(gradient) => flat.extend_from_slice(gradient),
            // A part may lack a gradient of others, such as that of edges to
            // score.
            None if there > 0.0 => flat.resize(flat.len() + length, 0.0),
            None => {}
        }
    }
    let flat = member.sum_f32(&flat);
    let mut rest = &flat[..];
    let gradients = lengths
        .into_iter()
        .zip(there)
        .map(|(length, &there)| {
            (there > 0.0).then(|| {
                let (own, others) = rest.split_at(length);
                rest = others;
                own.to_vec()
            })
        })
        .collect();
    let (task, values) = (values[0], &values[1..]);
    let (auxiliary_values, counts) = values.split_at(auxiliary.len());
    Ok(Found {
        task,
        losses: auxiliary
            .into_keys()
            .zip(auxiliary_values.iter().copied())
            .collect(),
        clusters: [counts[0] as usize, counts[1] as usize],
        gradients,
    })
}

/// Returns the number of values of each parameter, in the order of the fields.
fn lengths(model: &impl burn::module::Module) -> Vec<usize> {
    use burn::module::{ModuleVisitor, Param};
    struct Lengths(Vec<usize>);
    impl ModuleVisitor for Lengths {
        fn visit_float<const D: usize>(&mut self, param: &Param<burn::tensor::Tensor<D>>) {
            self.0.push(param.shape().num_elements());
        }
    }
    let mut lengths = Lengths(Vec::new());
    model.visit(&mut lengths);
    lengths.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;
    use crate::learn::network::model_config;
    use crate::learn::{LearnConfig, Score};
    use bnpool::nn::Initialiser;
    use bnpool::parallel::{Alone, Team};
    use bnpool::pool::POOLERS;
    use bnpool_graph::{Csr, Graph, Matrix, Target};
    use std::sync::Arc;

    /// Creates paths, rings and stars of different sizes, with possibly missing
    /// targets.
    fn graphs(count: usize) -> Vec<Graph> {
        let graph = |i: usize| {
            let nodes = 6 + 3 * (i % 4);
            let edge = |u: usize| {
                if i.is_multiple_of(2) {
                    (u - 1, u)
                } else {
                    (0, u)
                }
            };
            let edges = (1..nodes).map(edge).map(|(u, v)| (u as u32, v as u32));
            let both = edges.flat_map(|(u, v)| [(u, v), (v, u)]);
            let values = (0..2 * nodes).map(|j| (j as f32 * 0.7 + i as f32).sin());
            let target = |j: usize| {
                if (i + j).is_multiple_of(5) {
                    f32::NAN
                } else {
                    (i * j) as f32 * 0.3
                }
            };
            Graph::builder(Csr::from_edges(nodes, both).expect("edges"))
                .features(Matrix::new(nodes, 2, values.collect()).expect("features"))
                .target(Target::Values((0..2).map(target).collect()))
                .build()
                .expect("a graph")
        };
        (0..count).map(graph).collect()
    }

    /// Computes the losses and gradients of a batch as a whole, and in parts.
    fn both(config: &LearnConfig) -> [Found; 2] {
        let graphs = graphs(9);
        let data = LearnData::from_graphs(graphs, Vec::new(), config).expect("data");
        assert_eq!(data.score, Score::Mae);
        let device = Device::flex().autodiff();
        let model = model_config(&data, config)
            .init(&mut Initialiser::new(1, &device))
            .expect("a model");
        let cuts = [0..9, 0..2, 2..3, 3..9];
        let [whole, parts @ ..] = &cuts;
        let chosen = |cut: &Range<usize>| cut.clone().collect::<Vec<_>>();
        let weight = |cut: &Range<usize>| {
            Weight::of(cut.len(), &data.targets(&chosen(cut)).expect("targets"))
        };
        let step = |cuts: &[Range<usize>]| {
            let team = Team::new(Arc::new(Alone), cuts.len(), cuts.len());
            std::thread::scope(|scope| {
                let under_way: Vec<_> = cuts
                    .iter()
                    .enumerate()
                    .map(|(i, cut)| {
                        let (team, data, model) = (Arc::clone(&team), &data, &model);
                        let weights = (weight(cut), weight(whole));
                        let batch = data.batch(&chosen(cut), &device).expect("a batch");
                        scope.spawn(move || {
                            team.work(i, |member| {
                                let pass = Pass::training(3, 5, 0.7).among(member.clone());
                                let objective = data.objective;
                                part_step(model, &batch, &pass, objective, weights, &member)
                                    .expect("targets")
                            })
                        })
                    })
                    .collect();
                let mut found: Vec<Found> = under_way
                    .into_iter()
                    .map(|own| own.join().expect("no panic"))
                    .collect();
                found.swap_remove(0)
            })
        };
        [step(&cuts[..1]), step(parts)]
    }

    #[test]
    fn parts_have_the_losses_and_gradients_of_the_whole() {
        for preset in [Preset::Paper, Preset::Authors] {
            for entry in POOLERS {
                let mut config = LearnConfig::preset(preset, None);
                config.pooler.name = entry.name.into();
                config.pooler.max_clusters = 4;
                config.model.hidden = 6;
                config.model.norm = bnpool::model::Norm::All;
                config.model.standardise_targets = false;
                // Dropout depends on the parts.
                config.model.dropout = 0.0;
                let [whole, parts] = both(&config);
                let name = entry.name;
                let close = |a: f64, b: f64| (a - b).abs() <= 2e-4 * (1.0 + a.abs().max(b.abs()));
                assert!(close(whole.task, parts.task), "{name}");
                assert_eq!(whole.clusters, parts.clusters, "{name}");
                for (loss, value) in &whole.losses {
                    assert!(close(*value, parts.losses[loss]), "{name}: {loss}");
                }
                assert_eq!(whole.gradients.len(), parts.gradients.len());
                for (a, b) in whole.gradients.iter().zip(&parts.gradients) {
                    assert_eq!(a.is_some(), b.is_some(), "{name}");
                    let (Some(a), Some(b)) = (a, b) else { continue };
                    let size = a.iter().fold(0.0_f32, |m, x| m.max(x.abs()));
                    for (a, b) in a.iter().zip(b) {
                        let gap = (a - b).abs();
                        assert!(gap <= 2e-4 * (1.0 + size), "{name}: {a} and {b} of {size}");
                    }
                }
            }
        }
    }

    #[test]
    fn parts_are_contiguous_of_about_equal_work_and_never_empty() {
        for work in [
            vec![PART; 32],
            vec![100 * PART, 1, 1, 1],
            vec![1, 1, 1, 100 * PART],
            vec![PART / 7; 50],
            (0..64).map(|i| i * PART / 9).collect(),
        ] {
            let parts = parts(&work);
            assert!(parts.len() <= MOST_PARTS && parts.len() > 1, "{parts:?}");
            assert_eq!(
                (parts[0].start, parts[parts.len() - 1].end),
                (0, work.len())
            );
            assert!(parts.windows(2).all(|w| w[0].end == w[1].start));
            assert!(parts.iter().all(|part| !part.is_empty()), "{parts:?}");
        }
        let even = parts(&[PART; 32]);
        assert!(even.iter().all(|part| part.len() == 2), "{even:?}");
        assert_eq!(parts(&[PART / 2, PART / 3]).len(), 1);
        assert_eq!(parts(&[]).len(), 1);
        assert_eq!(parts(&[90 * PART]).len(), 1);
    }
}
