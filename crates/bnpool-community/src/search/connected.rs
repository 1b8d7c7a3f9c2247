//! The search in one piece of a graph.

use super::candidate::{connected, preference};
use super::config::{Plan, SearchConfig, Structure};
use super::null::rewired;
use super::progress::Reporter;
use super::weights_null::Weighed;
use super::{
    Candidate, CountInterval, Evidence, Judge, NullTest, Origin, Progress, Stage, Verdict,
};
use crate::description_length::{Blocks, Density, GroupGraph, Planted, PlantedCode, WeightModel};
use crate::merge::{Effort, agglomerate, improve, improve_blocks, in_one_piece, merged};
use crate::starts::{SpectralStart, by_eigenvectors, by_resolution, by_singular_vectors};
use crate::{CommunityError, Links, Partition};
use bnpool_math::metrics::adjusted_mutual_information;
use rayon::prelude::*;

/// Evidence in nats below which the graph is compared with random ones: the
/// effect of a few arbitrary choices in the encoding.
pub(crate) const STRONG: f64 = 10.0;

/// Smallest fraction of the volume in groups that prefer themselves, for
/// communities.
const PREFERENCE: f64 = 0.95;

/// Largest number of groups that the block model starts from: its matrix is
/// quadratic, and it cannot distinguish more than about √E groups.
const MOST_BLOCKS: usize = 64;

/// Searches for groups in a connected graph or, for blocks, in any graph without isolated
/// nodes.
pub(super) fn find_connected(
    links: &Links,
    config: &SearchConfig,
    reporter: &Reporter<'_>,
) -> Result<Evidence, CommunityError> {
    let plan = Plan::new(links.edges());
    let Weighed {
        links,
        models,
        test,
    } = Weighed::new(links, config.seed, reporter)?;
    let links = &links;
    let directed = links.directions().map(|_| links);
    let links = &links.undirected();
    let search = Search {
        links,
        directed,
        seed: config.seed,
        plan,
        models,
        reporter,
    };
    let (one, pieces) = search.trivial();
    let mut starts = search.starts()?;
    starts.extend(config.given.iter().map(|partition| Start {
        origin: Origin::Given,
        partition: partition.clone(),
        weighted: None,
    }));
    let mut candidates = Vec::new();
    if config.structure != Structure::Blocks {
        candidates = search.communities(&starts, pieces)?;
    }
    let nothing = |candidates: &[Candidate]| {
        let best = candidates.iter().filter(|c| is_community(c));
        best.map(|c| pieces - c.total)
            .fold(f64::NEG_INFINITY, f64::max)
            < STRONG
    };
    let only_blocks = config.structure == Structure::Blocks
        || (config.structure == Structure::Auto && plan.only_blocks && nothing(&candidates));
    if only_blocks || (plan.blocks && search.suits_blocks(&candidates)?) {
        // Communities need few starts: their own groups are the best one.
        let starts = starts
            .iter()
            .filter(|s| only_blocks || !matches!(s.origin, Origin::Leiden(_)));
        candidates.extend(search.blocks(starts, &candidates)?);
    }
    candidates.sort_by(|a, b| a.total.total_cmp(&b.total));
    // Only the best partition of each model counts: the others are local
    // minima.
    let mut heard = Vec::new();
    let best_of_models: Vec<&Candidate> = candidates
        .iter()
        .filter(|c| {
            let new = !heard.contains(&c.judge);
            heard.push(c.judge);
            new
        })
        .collect();
    let pick = |wanted: &dyn Fn(&Candidate) -> bool| {
        let found = best_of_models.iter().find(|c| wanted(c));
        found.map(|c| (*c).clone())
    };
    let community = pick(&is_community);
    let block = pick(&is_block);
    let nats = |c: &Option<Candidate>, trivial: f64| {
        c.as_ref().map_or(f64::NEG_INFINITY, |c| trivial - c.total)
    };
    let (best, strong) = match config.structure {
        Structure::Blocks => (block.clone(), Verdict::Blocks),
        Structure::Auto if nats(&community, pieces) < STRONG && nats(&block, one) >= STRONG => {
            (block.clone(), Verdict::Blocks)
        }
        _ => (community.clone(), Verdict::Communities),
    };
    let trivial = match strong {
        Verdict::Blocks => one,
        _ => pieces,
    };
    // Without communities, take the best result of the models of communities.
    let best = best
        .or_else(|| pick(&|c: &Candidate| !is_block(c)))
        .or_else(|| candidates.first().cloned())
        .ok_or(CommunityError::NoEdges)?;
    let nats = trivial - best.total;
    let replicas = config.replicas.min(plan.replicas);
    let strong_enough = nats >= STRONG && (strong == Verdict::Blocks || is_community(&best));
    let (verdict, null) = match strong {
        Verdict::Blocks if strong_enough && replicas > 0 => {
            let test = search.null_test_of_blocks(&candidates, (best.judge, one), replicas)?;
            if test.is_exceeded() {
                (Verdict::Blocks, None)
            } else {
                (Verdict::None, Some(test))
            }
        }
        _ if strong_enough => (strong, None),
        _ if strong == Verdict::Blocks || replicas == 0 => (Verdict::None, None),
        _ => {
            let test = search.null_test(replicas)?;
            if is_community(&best) && test.is_exceeded() {
                (Verdict::Weak, Some(test))
            } else {
                (Verdict::None, Some(test))
            }
        }
    };
    // Without groups, no partition is said to shorten the description.
    let nats = match verdict {
        Verdict::None => nats.min(0.0),
        _ => nats,
    };
    let partition = match verdict {
        Verdict::None => Partition::trivial(links.nodes()),
        _ => best.partition.clone(),
    };
    let alike: Vec<&Candidate> = match verdict {
        Verdict::Blocks => candidates.iter().filter(|c| is_block(c)).collect(),
        _ => candidates.iter().filter(|c| is_community(c)).collect(),
    };
    let interval = match verdict {
        Verdict::None => CountInterval::exactly(1),
        Verdict::Weak => {
            CountInterval::new(&alike, Some(one), best.partition.groups(), links.nodes())
        }
        _ => CountInterval::new(&alike, None, best.partition.groups(), links.nodes()),
    };
    let others = of_other_starts(&best, &candidates, (verdict == Verdict::Blocks, trivial));
    let agreement = agreement(&best.partition, &others);
    let interval = match verdict {
        Verdict::None => interval,
        _ => interval.widened(agreement.unwrap_or(1.0), links.nodes()),
    };
    Ok(Evidence {
        agreement,
        verdict,
        partition,
        nats,
        trivial,
        one,
        best,
        candidates,
        interval,
        null,
        weights: test,
        isolated: 0,
        pieces: Vec::new(),
    })
}

/// Partitions from other starts than that of the best one. Starts are communities, and often
/// lead to no blocks, so partitions into blocks must have much of its evidence.
fn of_other_starts<'c>(
    best: &Candidate,
    candidates: &'c [Candidate],
    (blocks, trivial): (bool, f64),
) -> Vec<&'c Partition> {
    let origin = best.origin;
    let gain = trivial - best.total;
    let least = gain - (1.0 - COMPARABLE) * gain.abs();
    candidates
        .iter()
        .filter(|c| {
            if blocks {
                is_block(c) && trivial - c.total >= least
            } else {
                c.origin != Origin::OtherModel
            }
        })
        .filter(|c| c.origin != origin)
        .map(|c| &c.partition)
        .collect()
}

/// Mean agreement (AMI) of a partition with others; `None` if there are none.
fn agreement(best: &Partition, others: &[&Partition]) -> Option<f64> {
    let with = |other: &&Partition| adjusted_mutual_information(best.labels(), other.labels());
    let sum: f64 = others.iter().map(with).sum();
    (!others.is_empty()).then(|| sum / others.len() as f64)
}

/// Returns whether no further random graph is needed: one has as much evidence, or all of
/// a few have far less.
fn is_decided(observed: f64, found: &[f64]) -> bool {
    let most = found.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most >= observed || (found.len() >= FEW && observed > CLEAR * most.max(STRONG))
}

/// Returns whether the groups are those of a block model.
fn is_block(candidate: &Candidate) -> bool {
    matches!(candidate.judge, Judge::Blocks | Judge::DirectedBlocks)
}

/// Returns whether the groups are communities.
pub(crate) fn is_community(candidate: &Candidate) -> bool {
    candidate.partition.groups() > 1
        && candidate.assortativity > 0.0
        && candidate.preference >= PREFERENCE
}

/// A starting partition.
struct Start {
    origin: Origin,
    partition: Partition,
    /// Whether it was found with weights; `None` if that does not matter.
    weighted: Option<bool>,
}

impl Start {
    /// Returns whether the start matches: weights are modelled from weighted
    /// starts, and ignored from unweighted ones.
    fn fits(&self, weights: WeightModel) -> bool {
        self.weighted
            .is_none_or(|w| w == (weights != WeightModel::Ignored))
    }
}

/// A start for the block model.
struct BlockTask<'a> {
    links: &'a Links,
    judge: Judge,
    weights: WeightModel,
    /// Cost of directions outside of the model.
    extra: f64,
    start: &'a (Origin, Partition),
}

/// A community model of the graph.
struct Model {
    density: Density,
    weights: WeightModel,
    code: PlantedCode,
}

/// A start after merging its groups under the best model.
struct Judged<'a> {
    total: f64,
    model: &'a Model,
    origin: Origin,
    partition: Partition,
}

/// Partitions with this fraction of the evidence of the best one count as other answers.
const COMPARABLE: f64 = 0.5;

/// Number of random graphs that are searched at the same time.
const AT_ONCE: usize = 2;

/// This many random graphs are enough if the evidence exceeds theirs by this factor.
const FEW: usize = 4;
const CLEAR: f64 = 3.0;

/// Number of starts that are worked on, without and with weights.
const KEPT: usize = 2;

struct Search<'a> {
    /// The graph without directions.
    links: &'a Links,
    /// The graph with directions, if it has any.
    directed: Option<&'a Links>,
    seed: u64,
    plan: Plan,
    models: Vec<WeightModel>,
    reporter: &'a Reporter<'a>,
}

impl Search<'_> {
    /// Σ without groups: that of one group, and that of the connected components
    /// if it is larger. Communities are connected, so they are compared with the
    /// connected components; otherwise many small components would make every
    /// partition look worse than none.
    fn trivial(&self) -> (f64, f64) {
        let one = vec![0; self.links.nodes()];
        let pieces = in_one_piece(self.links, &one);
        let [one, pieces] = [one, pieces].map(|labels| {
            let code = PlantedCode::new(self.links, Density::Own, WeightModel::Ignored);
            Planted::with_code(self.links, &labels, code).total()
        });
        (one, one.max(pieces))
    }

    fn starts(&self) -> Result<Vec<Start>, CommunityError> {
        let plain = self.links.weights().map(|_| self.links.unweighted());
        let first = plain.as_ref().map(|_| true);
        let graphs = std::iter::once((self.links, first));
        let mut tasks: Vec<(Origin, &Links, Option<bool>)> = Vec::new();
        for (links, weighted) in graphs.chain(plain.iter().map(|l| (l, Some(false)))) {
            let resolutions = self.plan.resolutions.iter();
            tasks.extend(resolutions.map(|&r| (Origin::Leiden(r), links, weighted)));
            if self.plan.spectral {
                tasks.push((Origin::Eigenvectors, links, weighted));
            }
        }
        let count = tasks.len();
        self.reporter.begin(Stage::Starts, count)?;
        let found: Vec<Option<Start>> = tasks
            .into_par_iter()
            .map(|(origin, links, weighted)| {
                self.reporter.check()?;
                let found = match origin {
                    Origin::Leiden(resolution) => {
                        let iterations = self.plan.iterations;
                        let found = by_resolution(links, resolution, iterations, self.seed)?;
                        // Nearly every node alone, as in a star or a clique: no start.
                        if found.groups() * 2 > links.nodes() && resolution > 1.0 {
                            Some(by_resolution(links, 1.0, iterations, self.seed)?)
                        } else {
                            Some(found)
                        }
                    }
                    _ => {
                        let config = SpectralStart {
                            seed: self.seed,
                            ..SpectralStart::default()
                        };
                        by_eigenvectors(links, &config)?
                    }
                };
                self.reporter.done(Stage::Starts, count);
                Ok(found.map(|partition| Start {
                    origin,
                    partition,
                    weighted,
                }))
            })
            .collect::<Result<_, CommunityError>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Lowers Σ under the community models. Every start is judged by the merges of its
    /// groups, which is cheap, and only the best are worked on. The result is the start of
    /// the other models.
    fn communities(
        &self,
        starts: &[Start],
        trivial: f64,
    ) -> Result<Vec<Candidate>, CommunityError> {
        let mut models = Vec::new();
        for &weights in &self.models {
            for &density in self.plan.densities {
                let code = PlantedCode::new(self.links, density, weights);
                models.push(Model {
                    density,
                    weights,
                    code,
                });
            }
        }
        let mut tasks: Vec<(&[Model], &Start)> = Vec::new();
        for alike in models.chunk_by(|a, b| a.weights == b.weights) {
            let fit = starts.iter().filter(|s| s.fits(alike[0].weights));
            tasks.extend(fit.map(|start| (alike, start)));
        }
        let count = tasks.len() + KEPT + models.len();
        self.reporter.begin(Stage::Communities, count)?;
        let mut judged: Vec<Judged<'_>> = tasks
            .into_par_iter()
            .map(|(models, start)| {
                self.reporter.check()?;
                let judged = self.judge(models, start);
                self.reporter.done(Stage::Communities, count);
                Ok(judged)
            })
            .collect::<Result<_, CommunityError>>()?;
        judged.sort_by(|a, b| a.total.total_cmp(&b.total));
        let mut kept = [0; 2];
        judged.retain(|j| {
            let place = &mut kept[usize::from(j.model.weights != WeightModel::Ignored)];
            *place += 1;
            *place <= KEPT
        });
        let lower = |model: &Model, origin, start: &Partition, effort| {
            let candidate = self.lower(model, origin, start, effort)?;
            self.reporter.done(Stage::Communities, count);
            Ok(candidate)
        };
        let mut effort = self.plan.effort;
        let hopeless = |judged: &[Judged<'_>]| judged.first().is_none_or(|j| j.total >= trivial);
        if !self.plan.thorough && hopeless(&judged) {
            (effort.rounds, effort.splits) = (1, 0);
        }
        let mut found: Vec<Candidate> = judged
            .par_iter()
            .map(|j| lower(j.model, j.origin, &j.partition, &effort))
            .collect::<Result<_, CommunityError>>()?;
        found.sort_by(|a, b| a.total.total_cmp(&b.total));
        let Some(best) = found
            .first()
            .map(|c| (c.judge, c.weights, c.partition.clone()))
        else {
            return Ok(found);
        };
        if !self.plan.thorough {
            return Ok(found);
        }
        // The result of one model may be a better start for another.
        let effort = Effort {
            splits: 0,
            ..effort
        };
        let more: Vec<Candidate> = models
            .par_iter()
            .filter(|model| {
                let other = Judge::Planted(model.density) != best.0;
                other != (model.weights != best.1)
            })
            .map(|model| lower(model, Origin::OtherModel, &best.2, &effort))
            .collect::<Result<_, CommunityError>>()?;
        found.extend(more);
        Ok(found)
    }

    /// Merges the groups of a start under each of these models, which have the same model
    /// of weights.
    fn judge<'m>(&self, models: &'m [Model], start: &Start) -> Judged<'m> {
        let labels = in_one_piece(self.links, start.partition.labels());
        let count = labels.iter().max().map_or(0, |&g| g as usize + 1);
        let weights = &models[0].code.weights;
        let graph = GroupGraph::new(self.links, weights, &labels, count);
        let paths = models.iter().map(|model| {
            let path = merged(&graph, labels.clone(), &model.code);
            let groups = path.best(path.coarsest_adjacent().max(2));
            let total = path.total(groups).unwrap_or(f64::INFINITY);
            (total, model, path, groups)
        });
        let best = paths.min_by(|a, b| a.0.total_cmp(&b.0));
        let (total, model, path, groups) = best.expect("a model");
        Judged {
            total,
            model,
            origin: start.origin,
            partition: path.cut(groups).unwrap_or_else(|| start.partition.clone()),
        }
    }

    /// Lowers Σ under one model from one start.
    fn lower(
        &self,
        model: &Model,
        origin: Origin,
        start: &Partition,
        effort: &Effort,
    ) -> Result<Candidate, CommunityError> {
        self.reporter.check()?;
        let labels = in_one_piece(self.links, start.labels());
        let mut state = Planted::with_code(self.links, &labels, model.code.clone());
        let (partition, total, path) = improve(&mut state, effort, self.seed);
        let weighted = model.weights != WeightModel::Ignored;
        let (preference, assortativity) = preference(self.links, &partition, weighted);
        Ok(Candidate {
            preference,
            assortativity,
            partition,
            total,
            judge: Judge::Planted(model.density),
            weights: model.weights,
            origin,
            path,
        })
    }

    /// Returns whether the block model describes the best communities, or those after some
    /// merges, more briefly than their own model does. Otherwise it has too many parameters
    /// for this graph, and moves of nodes do not change that.
    fn suits_blocks(&self, found: &[Candidate]) -> Result<bool, CommunityError> {
        let best = found.iter().min_by(|a, b| a.total.total_cmp(&b.total));
        let Some(best) = best else {
            return Ok(true);
        };
        let groups = best.partition.groups();
        for most in [groups, groups * 2 / 3, groups / 2] {
            if let Some(cut) = best.path.cut(most.clamp(1, MOST_BLOCKS)) {
                let total = Blocks::new(self.links, &cut, best.weights)?.total();
                if total < best.total {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Lowers Σ under the block model, without and with directions.
    fn blocks<'s>(
        &self,
        starts: impl Iterator<Item = &'s Start>,
        found: &[Candidate],
    ) -> Result<Vec<Candidate>, CommunityError> {
        let (mut from, mut finer): (Vec<_>, Vec<_>) = starts
            .filter(|s| s.partition.groups() > 1)
            .map(|s| (s.origin, s.partition.clone()))
            .partition(|(_, partition)| partition.groups() <= MOST_BLOCKS);
        if from.is_empty() {
            let (origin, start) = finer.pop().unwrap_or_else(|| {
                let mean = 2 * self.links.edges() / self.links.nodes();
                let nodes = 0..self.links.nodes();
                let above = nodes
                    .map(|u| u32::from(self.links.degree(u) > mean))
                    .collect::<Vec<_>>();
                (Origin::Degrees, Partition::new(&above))
            });
            let (density, weights) = (Density::RelativeOwn, WeightModel::Ignored);
            let path = agglomerate(&Planted::new(self.links, &start, density, weights)?);
            let most = start.groups().min(MOST_BLOCKS);
            from.extend(path.cut(most).map(|cut| (origin, cut)));
        }
        let best = found.iter().min_by(|a, b| a.total.total_cmp(&b.total));
        if let Some(best) = best {
            let most = best.partition.groups().min(MOST_BLOCKS);
            from.extend(best.path.cut(most).map(|d| (Origin::OtherModel, d)));
        }
        let by_flow = match self.directed {
            Some(links) => self.by_flow(links)?,
            None => None,
        };
        let flow = self.directed.map(|links| Ok((links, self.directions()?)));
        let flow = flow.transpose()?;
        let mut tasks: Vec<BlockTask<'_>> = Vec::new();
        for &weights in &self.models {
            tasks.extend(from.iter().map(|start| BlockTask {
                links: self.links,
                judge: Judge::Blocks,
                weights,
                extra: 0.0,
                start,
            }));
            if let Some((links, cost)) = flow {
                tasks.extend(from.iter().chain(&by_flow).map(|start| BlockTask {
                    links,
                    judge: Judge::DirectedBlocks,
                    weights,
                    extra: -cost,
                    start,
                }));
            }
        }
        let count = tasks.len();
        self.reporter.begin(Stage::Blocks, count)?;
        let results: Vec<Vec<Candidate>> = tasks
            .into_par_iter()
            .map(|task| {
                self.reporter.check()?;
                let results = self.lower_blocks(&task)?;
                self.reporter.done(Stage::Blocks, count);
                Ok(results)
            })
            .collect::<Result<_, CommunityError>>()?;
        Ok(results.into_iter().flatten().collect())
    }

    /// Lowers Σ under the block model from one start. Communities must be
    /// connected; returns none if that is not possible.
    fn lower_blocks(&self, task: &BlockTask<'_>) -> Result<Vec<Candidate>, CommunityError> {
        let &BlockTask { links, weights, .. } = task;
        let (origin, start) = task.start;
        let state = Blocks::new(links, start, weights)?;
        let (partition, total, path) = improve_blocks(state, weights, 2, self.seed);
        let path = path.with_extra(task.extra);
        let candidate = |partition: Partition, total: f64| {
            let weighted = weights != WeightModel::Ignored;
            let (preference, assortativity) = preference(self.links, &partition, weighted);
            Candidate {
                preference,
                assortativity,
                partition,
                total: total + task.extra,
                judge: task.judge,
                weights,
                origin: *origin,
                path: path.clone(),
            }
        };
        let found = candidate(partition, total);
        if !is_community(&found) {
            return Ok(vec![found]);
        }
        let whole = connected(links, &found.partition, weights);
        Ok(whole.into_iter().map(|(d, t)| candidate(d, t)).collect())
    }

    /// A start from directions.
    fn by_flow(&self, links: &Links) -> Result<Option<(Origin, Partition)>, CommunityError> {
        let config = SpectralStart {
            seed: self.seed,
            ..SpectralStart::default()
        };
        let found = by_singular_vectors(links, &config)?;
        Ok(found
            .filter(|d| (2..=MOST_BLOCKS).contains(&d.groups()))
            .map(|partition| (Origin::SingularVectors, partition)))
    }

    /// Cost of directions without groups. Models without directions pay this
    /// amount regardless of the groups, so it is excluded from all lengths.
    fn directions(&self) -> Result<f64, CommunityError> {
        let one = Partition::trivial(self.links.nodes());
        let length = |links| Ok(Blocks::new(links, &one, WeightModel::Ignored)?.total());
        self.directed.map_or(Ok(0.0), |directed| {
            Ok(length(directed)? - length(self.links)?)
        })
    }

    /// Compares the graph with random graphs of the same degrees, using the same shortened
    /// search for all of them.
    fn null_test(&self, replicas: usize) -> Result<NullTest, CommunityError> {
        self.reporter.begin(Stage::Null, replicas)?;
        let observed = self.short(self.links)?;
        let of_replica = |replica| self.short(&rewired(self.links, self.seed, replica));
        self.compared(observed, replicas, of_replica)
    }

    /// Compares the evidence for blocks with that of random graphs of the same degrees,
    /// from the same kinds of starts. `one` is Σ of one group.
    fn null_test_of_blocks(
        &self,
        found: &[Candidate],
        (judge, one): (Judge, f64),
        replicas: usize,
    ) -> Result<NullTest, CommunityError> {
        self.reporter.begin(Stage::Null, replicas)?;
        let most = |found: &[Candidate], one: f64| {
            let starts = |c: &&Candidate| !matches!(c.origin, Origin::OtherModel | Origin::Given);
            let alike = found.iter().filter(|c| c.judge == judge).filter(starts);
            alike
                .map(|c| one - c.total)
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let links = match (judge, self.directed) {
            (Judge::DirectedBlocks, Some(links)) => links,
            _ => self.links,
        };
        let of_replica = |replica| {
            let links = rewired(links, self.seed, replica);
            let reporter = self.reporter.within(Progress {
                stage: Stage::Null,
                done: replica as usize,
                tasks: replicas,
            });
            let search = Search {
                links: &links.undirected(),
                directed: links.directions().map(|_| &links),
                models: self.models.clone(),
                reporter: &reporter,
                ..*self
            };
            let starts = search.starts()?;
            let found = search.blocks(starts.iter(), &[])?;
            Ok(most(&found, search.trivial().0))
        };
        self.compared(most(found, one), replicas, of_replica)
    }

    /// Compares evidence with that of random graphs, a few at a time. Ends when one of them
    /// has as much evidence, or if all have far less.
    fn compared(
        &self,
        observed: f64,
        replicas: usize,
        of_replica: impl Fn(u64) -> Result<f64, CommunityError> + Sync,
    ) -> Result<NullTest, CommunityError> {
        let mut found: Vec<f64> = Vec::new();
        while found.len() < replicas && !is_decided(observed, &found) {
            let end = (found.len() + AT_ONCE).min(replicas);
            let step: Vec<f64> = (found.len()..end)
                .into_par_iter()
                .map(|replica| {
                    self.reporter.check()?;
                    let nats = of_replica(replica as u64)?;
                    self.reporter.done(Stage::Null, replicas);
                    Ok(nats)
                })
                .collect::<Result<_, CommunityError>>()?;
            found.extend(step);
        }
        let count = found.len().max(1) as f64;
        let mean = found.iter().sum::<f64>() / count;
        let variance = found.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
        Ok(NullTest {
            replicas: found.len(),
            as_good: found.iter().filter(|&&x| x >= observed).count(),
            observed,
            mean,
            deviation: variance.sqrt(),
        })
    }

    /// Evidence for the best communities of a graph, in nats, by a short search.
    fn short(&self, links: &Links) -> Result<f64, CommunityError> {
        // The random graphs have the same weights.
        let search = Search {
            links,
            directed: None,
            models: self.models.clone(),
            seed: self.seed,
            plan: self.plan,
            reporter: self.reporter,
        };
        let (_, trivial) = search.trivial();
        let start = by_resolution(links, 1.0, 2, self.seed)?;
        let effort = Effort {
            splits: 1,
            ..self.plan.effort
        };
        let mut best = f64::INFINITY;
        for &weights in &search.models {
            for density in [Density::Relative, Density::Own] {
                let model = Model {
                    density,
                    weights,
                    code: PlantedCode::new(links, density, weights),
                };
                let found = search.lower(&model, Origin::Leiden(1.0), &start, &effort)?;
                best = best.min(found.total);
            }
        }
        Ok(trivial - best)
    }
}
