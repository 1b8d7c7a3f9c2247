//! Training step of the network on a graph in parts.
//!
//! A step walks over the parts in four phases. A part is only held in memory
//! during its turn. Rows that other parts need are kept in [`RowStore`]s:
//!
//! 1. h₁ = f(Z W₁ + b₁), with the constant Z = Â X; the messages h₁ W₂ are
//!    stored.
//! 2. h₂ = f(Â h₁ W₂ + b₂) from the messages around the part, then the posterior and a
//!    sample of S, which is stored.
//! 3. The loss from S at the ends of edges and negatives. Every row lists all of
//!    its pairs, so the gradient with respect to its own S is complete. It is
//!    propagated through the recomputed posterior to the sums before h₂, which are
//!    stored.
//! 4. Â is symmetric, so the gradient with respect to the messages of a part is Â
//!    times that with respect to the sums around it. It is propagated to W₂, W₁ and
//!    b₁.
//!
//! So other parts only read rows and never add to them, and every sum over neighbours
//! has the order of the row. Gradients of the parameters are summed along the tree over
//! the parts.

use super::Number;
use super::chain::{Chain, Sample, pass};
use super::local::{Filter, Local};
use super::pairs::{Correction, columns, count, ends, extended};
use super::prior::BlockPrior;
use super::spread::{Spread, Wanted};
use super::store::RowStore;
use super::weights::Weights;
use crate::TaskError;
use bnpool::pool::{BnPoolConfig, Reconstruction};
use bnpool_graph::divide::{Part, PartSource};
use bnpool_math::beta::{Prior, Wanted as Asked};
use bnpool_math::kernel::{
    Activation, PairWeights, RegularPairs, affine, affine_backward, column_sums,
};
use bnpool_math::stream::{Purpose, Stream};
use bnpool_parallel::Collective;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The data of the network for a graph in parts.
#[derive(Debug)]
pub(super) struct Network<T> {
    pub spread: Spread,
    pub source: Arc<dyn PartSource>,
    /// Own parts, if they are kept in memory.
    kept: Vec<Arc<Local>>,
    /// Degrees of all nodes.
    degrees: Vec<u32>,
    /// Number of entries without loops.
    entries: usize,
    /// Filters of the own parts.
    filters: Vec<Filter<T>>,
    /// Z.
    inputs: RowStore<T>,
    /// Messages of the second layer, scaled.
    messages: RowStore<T>,
    /// Sums before the second activation; after phase 3 the gradient with respect to
    /// them, scaled.
    sums: RowStore<T>,
    /// S.
    assignments: RowStore<T>,
}

/// Widths of the rows of the network, and their location.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape<'a> {
    pub inputs: usize,
    pub hidden: usize,
    pub clusters: usize,
    /// δ of the filter I − δL.
    pub delta: f64,
    /// Folder of files for rows that are not kept in memory.
    pub spill: Option<&'a Path>,
}

/// Result of a step.
#[derive(Debug, Clone)]
pub(super) struct Step<T> {
    pub rec: f64,
    pub kl: f64,
    pub k: f64,
    /// Number of clusters in which some membership exceeds 1/C.
    pub active: usize,
    /// Gradient with respect to all parameters: the concatenated arrays of the model;
    /// empty unless requested.
    pub gradient: Vec<T>,
}

impl<T> Step<T> {
    /// Returns the losses with their names in the history.
    pub fn losses(&self) -> BTreeMap<String, f64> {
        let losses = [
            ("loss_rec", self.rec),
            ("loss_kl", self.kl),
            ("loss_k", self.k),
        ];
        losses.map(|(name, loss)| (name.to_owned(), loss)).into()
    }
}

/// Gradients of a part before the last phase.
struct Upper<T> {
    posterior: Vec<T>,
    second_bias: Vec<T>,
    block: Vec<T>,
}

impl<T: Number> Network<T> {
    /// Prepares the own parts. `describe` writes the features of a row.
    ///
    /// # Errors
    ///
    /// Returns an error on all ranks if a part cannot be read or a file cannot
    /// be created.
    pub fn new(
        source: Arc<dyn PartSource>,
        engine: Arc<dyn Collective>,
        shape: &Shape<'_>,
        describe: impl Fn(&Part, usize, &mut [f32]) + Sync,
    ) -> Result<Self, TaskError> {
        let spread = Spread::new(source.cuts(), engine);
        let mut kept = Vec::new();
        let (mut own, mut loops) = (Vec::new(), 0_usize);
        spread.visit(|p| {
            let part = source.part(p)?;
            let first = part.range().start as u32;
            for i in 0..part.len() {
                own.push(part.degree(i) as u32);
                loops += usize::from(part.row(i).binary_search(&(first + i as u32)).is_ok());
            }
            if shape.spill.is_none() {
                kept.push(Arc::new(Local::new(part)));
            }
            Ok(())
        })?;
        let degrees = spread.concatenate(own);
        let loops = spread.total(vec![loops as u64])[0];
        let store = |width| RowStore::new(&spread, width, shape.spill);
        // If a rank cannot create its files, all ranks stop.
        let together = |made: Result<RowStore<T>, TaskError>| match made {
            Ok(store) => spread.agree(None).map(|()| store),
            Err(error) => match spread.agree(Some(error)) {
                Err(error) => Err(error),
                Ok(()) => Err(TaskError::NothingToTrain),
            },
        };
        let mut network = Self {
            inputs: together(store(shape.inputs))?,
            messages: together(store(shape.hidden))?,
            sums: together(store(shape.hidden))?,
            assignments: together(store(shape.clusters))?,
            entries: source.entries() - loops as usize,
            spread: spread.clone(),
            source,
            kept,
            degrees,
            filters: Vec::new(),
        };
        network.filters = {
            let mut filters = Vec::new();
            spread.visit(|p| {
                let part = network.source.part(p)?;
                filters.push(Filter::new(&part, &network.degrees, shape.delta));
                Ok(())
            })?;
            filters
        };
        let mut features = together(store(shape.inputs))?;
        spread.visit(|p| {
            let part = network.source.part(p)?;
            let mut rows = vec![T::ZERO; part.len() * shape.inputs];
            rows.par_chunks_exact_mut(shape.inputs)
                .enumerate()
                .with_min_len(256)
                .for_each_init(
                    || vec![0.0_f32; shape.inputs],
                    |own, (i, row)| {
                        own.fill(0.0);
                        describe(&part, i, own);
                        for (x, &value) in row.iter_mut().zip(&*own) {
                            *x = T::of(f64::from(value));
                        }
                    },
                );
            network.filter(p).scale(&mut rows, shape.inputs);
            features.put(&part.range(), &rows)
        })?;
        let (filters, first) = (&network.filters, spread.own_parts().start);
        let (parts, inputs) = (
            Parts::of(&network.source, &network.kept, first),
            &mut network.inputs,
        );
        spread.walk(
            &features,
            |p| around(parts.local(p)?, &features),
            |p, local, rows| {
                let z = local.propagate(&rows, shape.inputs, &filters[p - first]);
                inputs.put(&local.range(), &z)
            },
        )?;
        Ok(network)
    }

    fn filter(&self, part: usize) -> &Filter<T> {
        &self.filters[part - self.spread.own_parts().start]
    }

    /// Returns the number of nodes of the whole graph.
    pub fn nodes(&self) -> usize {
        self.degrees.len()
    }

    /// Runs phase 1.
    fn send(&mut self, weights: &Weights<T>) -> Result<(), TaskError> {
        let [first, second] = &weights.layers;
        let (source, inputs, messages) = (&self.source, &self.inputs, &mut self.messages);
        let (filters, start) = (&self.filters, self.spread.own_parts().start);
        self.spread.visit(|p| {
            let range = source.cuts().range(p);
            let z = inputs.get(&range)?;
            let bias = first.bias.as_deref();
            let h = affine(&z, first.inputs, &first.weight, bias, Activation::Elu);
            let mut m = affine(&h, second.inputs, &second.weight, None, Activation::None);
            filters[p - start].scale(&mut m, messages.width());
            messages.put(&range, &m)
        })
    }

    /// Runs phase 2: passes the sums of each own part to `each`, which replaces them
    /// in the store of sums.
    fn receive(
        &mut self,
        mut each: impl FnMut(&Local, Vec<T>, &Filter<T>) -> Result<Vec<T>, TaskError>,
    ) -> Result<(), TaskError> {
        let start = self.spread.own_parts().start;
        let parts = Parts::of(&self.source, &self.kept, start);
        let (messages, sums, filters) = (&self.messages, &mut self.sums, &self.filters);
        self.spread.walk(
            messages,
            |p| around(parts.local(p)?, messages),
            |p, local, rows| {
                let filter = &filters[p - start];
                let own = local.propagate(&rows, messages.width(), filter);
                drop(rows);
                let own = each(&local, own, filter)?;
                sums.put(&local.range(), &own)
            },
        )
    }

    /// Computes the losses of a sample of S, with the gradients of all parameters if
    /// requested.
    ///
    /// # Errors
    ///
    /// Returns an error on all ranks if a part or a file cannot be read.
    pub fn reconstruct(
        &mut self,
        weights: &Weights<T>,
        config: &BnPoolConfig,
        (seed, step): (u64, u64),
        kl_weight: f64,
        wanted: bool,
    ) -> Result<Step<T>, TaskError> {
        let pairs = RegularPairs::new(
            self.nodes(),
            self.entries / 2,
            &Stream::new(seed, Purpose::NegativeEdges, step),
        );
        self.send(weights)?;
        let sample = Sample::Of { seed, step };
        let clusters = config.max_clusters;
        let mut listed = 0_u64;
        {
            // Taken out, because `self` is borrowed below.
            let mut assignments =
                std::mem::replace(&mut self.assignments, RowStore::new(&self.spread, 0, None)?);
            let received = self.receive(|local, sums, _| {
                let chain = Chain::new(&sums, weights);
                let pass = pass(&chain, local.range(), clusters, sample, Asked::default());
                listed += count(&local.part, &pairs);
                assignments.put(&local.range(), &pass.assignments)?;
                Ok(sums)
            });
            self.assignments = assignments;
            received?;
        }
        let listed = self.spread.total(vec![listed])[0];
        let scale = config.normalisation.of_graph(
            Reconstruction::Sparse,
            self.nodes(),
            self.source.entries(),
            listed as usize,
        );
        let node_weight = scale.factor * kl_weight;
        let (mut values, mut uppers) = (Vec::new(), Vec::new());
        {
            let start = self.spread.own_parts().start;
            let parts = Parts::of(&self.source, &self.kept, start);
            let (assignments, sums, filters) = (&self.assignments, &mut self.sums, &self.filters);
            let correction = config.degree_correction.then(|| {
                let mean = self.source.entries() as f64 / self.degrees.len().max(1) as f64;
                Correction {
                    degrees: &self.degrees,
                    mean: mean.max(f64::MIN_POSITIVE),
                }
            });
            let k = extended(&weights.block, clusters, correction.is_some());
            let pair_weights = PairWeights {
                positive: scale.positive * scale.factor,
                negative: scale.negative * scale.factor,
            };
            self.spread.walk(
                assignments,
                |p| ends(parts.local(p)?, assignments, &pairs, correction.is_some()),
                |p, ends, rows| {
                    let local = &*ends.local;
                    let loss = ends.loss(rows, &k, clusters, correction, pair_weights, wanted);
                    let s = assignments.get(&local.range())?;
                    let mut value = vec![loss.total(), 0.0];
                    value.extend(active(&s, clusters));
                    let own = sums.get(&local.range())?;
                    let chain = Chain::new(&own, weights);
                    let divergence = vec![node_weight; local.part.len()];
                    let asked = Asked {
                        gradients: wanted,
                        divergence_from: Some(Prior {
                            concentration: config.alpha_dp,
                            weights: Some(&divergence),
                        }),
                    };
                    let pass = pass(&chain, local.range(), clusters, sample, asked);
                    value[1] = pass.divergence.iter().sum();
                    values.push(value);
                    if wanted {
                        let by_s = columns(&loss.by_assignments, clusters, k.len());
                        let mut by_parameters = pass.backward(&pass.assignments, &by_s);
                        for (g, &kl) in by_parameters.iter_mut().zip(&pass.divergence_gradient) {
                            *g += kl;
                        }
                        let mut upper = Upper {
                            block: columns(&loss.by_block_matrix, clusters, k.len())
                                [..clusters * clusters]
                                .to_vec(),
                            posterior: Vec::new(),
                            second_bias: Vec::new(),
                        };
                        let below = upper.fill(&chain, weights, by_parameters, &filters[p - start]);
                        drop(own);
                        sums.put(&local.range(), &below)?;
                        uppers.push(upper);
                    }
                    Ok(())
                },
            )?;
        }
        let values = self.spread.sum(values, 2 + clusters);
        let prior = BlockPrior::new(config, scale.factor);
        let gradient = if wanted {
            let mut gradient = self.descend(weights, uppers)?;
            let block = gradient.len() - weights.block.len();
            prior.finish(&weights.block, &mut gradient[block..], clusters);
            gradient
        } else {
            Vec::new()
        };
        Ok(Step {
            rec: values[0],
            kl: values[1],
            k: prior.loss(&weights.block, clusters),
            active: values[2..].iter().filter(|&&count| count > 0.0).count(),
            gradient,
        })
    }

    /// Runs one step of the imitation of one column per node: the average of
    /// −ln of the mean membership in it, and the gradient with respect to all
    /// parameters.
    ///
    /// # Errors
    ///
    /// Returns an error on all ranks if a part or a file cannot be read.
    pub fn imitate(
        &mut self,
        weights: &Weights<T>,
        config: &BnPoolConfig,
        column: impl Fn(usize) -> usize + Sync,
    ) -> Result<(f64, Vec<T>), TaskError> {
        let (nodes, clusters) = (self.nodes() as f64, config.max_clusters);
        self.send(weights)?;
        let (mut losses, mut uppers) = (Vec::new(), Vec::new());
        self.receive(|local, sums, filter| {
            let chain = Chain::new(&sums, weights);
            let asked = Asked {
                gradients: true,
                divergence_from: None,
            };
            let pass = pass(&chain, local.range(), clusters, Sample::Mean, asked);
            let mut by_s = vec![T::ZERO; pass.assignments.len()];
            let rows = by_s.chunks_exact_mut(clusters.max(1));
            let mut loss = 0.0;
            for ((row, s), node) in rows
                .zip(pass.assignments.chunks_exact(clusters.max(1)))
                .zip(local.range())
            {
                let own = column(node);
                let membership = s[own].f64() + 1e-6;
                loss -= membership.ln() / nodes;
                row[own] = T::of(-1.0 / (membership * nodes));
            }
            losses.push(vec![loss]);
            let mut upper = Upper {
                posterior: Vec::new(),
                second_bias: Vec::new(),
                block: vec![T::ZERO; weights.block.len()],
            };
            let by_parameters = pass.backward(&pass.assignments, &by_s);
            let below = upper.fill(&chain, weights, by_parameters, filter);
            uppers.push(upper);
            Ok(below)
        })?;
        let loss = self.spread.sum(losses, 1)[0];
        Ok((loss, self.descend(weights, uppers)?))
    }

    /// Returns the memberships of each own part under the posterior mean.
    ///
    /// # Errors
    ///
    /// Returns an error on all ranks if a part or a file cannot be read.
    pub fn means(
        &mut self,
        weights: &Weights<T>,
        config: &BnPoolConfig,
        mut each: impl FnMut(&Part, &[T]) -> Result<(), TaskError>,
    ) -> Result<(), TaskError> {
        self.send(weights)?;
        let clusters = config.max_clusters;
        self.receive(|local, sums, _| {
            let chain = Chain::new(&sums, weights);
            let pass = pass(
                &chain,
                local.range(),
                clusters,
                Sample::Mean,
                Asked::default(),
            );
            each(&local.part, &pass.assignments)?;
            Ok(sums)
        })
    }

    /// Runs phase 4: the gradients of all parameters, given those of the upper
    /// ones.
    fn descend(&self, weights: &Weights<T>, uppers: Vec<Upper<T>>) -> Result<Vec<T>, TaskError> {
        let [first, second] = &weights.layers;
        let (start, mut uppers) = (self.spread.own_parts().start, uppers.into_iter());
        let parts = Parts::of(&self.source, &self.kept, start);
        let mut gradients = Vec::new();
        self.spread.walk(
            &self.sums,
            |p| around(parts.local(p)?, &self.sums),
            |p, local, rows| {
                let width = self.sums.width();
                let by_messages = local.propagate(&rows, width, &self.filters[p - start]);
                drop(rows);
                let z = self.inputs.get(&local.range())?;
                let bias = first.bias.as_deref();
                let h = affine(&z, first.inputs, &first.weight, bias, Activation::Elu);
                let plain = (Activation::None, &by_messages[..]);
                let second =
                    affine_backward(&h, second.inputs, &second.weight, plain, &by_messages, true);
                let by_h = second.x.unwrap_or_default();
                let elu = (Activation::Elu, &h[..]);
                let first = affine_backward(&z, first.inputs, &first.weight, elu, &by_h, false);
                let mut flat = [first.weight, first.bias, second.weight].concat();
                if let Some(upper) = uppers.next() {
                    flat.extend(upper.second_bias);
                    flat.extend(upper.posterior);
                    flat.extend(upper.block);
                }
                gradients.push(flat);
                Ok(())
            },
        )?;
        Ok(self.spread.sum(gradients, weights.len()))
    }
}

impl<T: Number> Upper<T> {
    /// Propagates gradients through the posterior. Returns the gradient with respect
    /// to the sums before h₂, as it is sent to other parts.
    fn fill(
        &mut self,
        chain: &Chain<T>,
        weights: &Weights<T>,
        by_parameters: Vec<T>,
        filter: &Filter<T>,
    ) -> Vec<T> {
        let hidden = weights.layers[1].bias.as_ref().map_or(1, Vec::len);
        let (mut below, posterior) = chain.backward(weights, by_parameters);
        self.posterior = posterior;
        self.second_bias = column_sums(&below, hidden);
        filter.scale(&mut below, hidden);
        below
    }
}

/// Own parts, in memory or read again.
#[derive(Clone, Copy)]
struct Parts<'a> {
    source: &'a Arc<dyn PartSource>,
    kept: &'a [Arc<Local>],
    first: usize,
}

impl<'a> Parts<'a> {
    fn of(source: &'a Arc<dyn PartSource>, kept: &'a [Arc<Local>], first: usize) -> Self {
        Self {
            source,
            kept,
            first,
        }
    }

    fn local(&self, part: usize) -> Result<Arc<Local>, TaskError> {
        match self.kept.get(part - self.first) {
            Some(kept) => Ok(Arc::clone(kept)),
            None => Ok(Arc::new(Local::new(self.source.part(part)?))),
        }
    }
}

/// Requests the rows around a part.
fn around<T: Number>(
    local: Arc<Local>,
    store: &RowStore<T>,
) -> Result<Wanted<T, Arc<Local>>, TaskError> {
    let width = store.width();
    let mut rows = vec![T::ZERO; local.places() * width];
    let own = store.get(&local.range())?;
    rows[..own.len()].copy_from_slice(&own);
    Ok(Wanted {
        rows,
        stride: width,
        first: local.part.len(),
        ids: local.halo.clone(),
        keep: local,
    })
}

/// Returns 1 for each cluster in which some membership exceeds 1/C, otherwise
/// 0.
fn active<T: Number>(s: &[T], clusters: usize) -> Vec<f64> {
    let bound = 1.0 / clusters as f64;
    let mut found = vec![0.0; clusters];
    for row in s.chunks_exact(clusters) {
        for (found, x) in found.iter_mut().zip(row) {
            if x.f64() > bound {
                *found = 1.0;
            }
        }
    }
    found
}
