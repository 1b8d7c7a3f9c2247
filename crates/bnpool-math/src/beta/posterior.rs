//! The posterior of all stick fractions: samples, lengths, derivatives and
//! divergence in one parallel pass over the nodes.

use super::row::{GROUP, Row, RowSource};
use super::sticks::{fractions, row_logit_gradients};
use crate::Real;
use crate::buffer::take;
use crate::stream::Stream;
use crate::vector::level;
use fearless_simd::dispatch;
use fearless_simd::prelude::*;
use rayon::prelude::*;

/// Nodes per task: few enough to balance the load, enough to be worth
/// scheduling.
const ROWS_PER_TASK: usize = 32;

/// Maps each row to its graph and to its node within the graph.
///
/// A draw is keyed by the number of the graph and the index of the node within
/// it, so a graph gets the same sample alone and in any batch.
#[derive(Debug, Clone, Copy)]
pub struct RowKeys<'a> {
    /// First row of each graph, followed by the number of rows.
    pub offsets: &'a [usize],
    /// Key of each graph.
    pub graphs: &'a [u32],
    /// Index of the first row within the first graph; not 0 if earlier rows of that
    /// graph are stored elsewhere.
    pub first: u32,
}

impl RowKeys<'_> {
    /// (graph key, node inside the graph) of a row.
    fn of(&self, row: usize) -> (u32, u32) {
        // The row belongs to the last graph that starts at or before it. Empty
        // graphs share their start with the next graph and are skipped.
        let graph = self.offsets.partition_point(|&o| o <= row) - 1;
        let before = if graph == 0 { self.first } else { 0 };
        let node = (row - self.offsets[graph]) as u32;
        (self.graphs[graph], before + node)
    }
}

/// Source of the stick fractions.
#[derive(Debug, Clone, Copy)]
pub enum Fractions<'a, T> {
    /// Drawn from the posterior, reproducibly.
    Sample {
        /// Random stream of the step.
        stream: Stream,
        /// Keys of the rows.
        rows: RowKeys<'a>,
    },
    /// The posterior mean E[π′] = α/(α+β). Fractions are independent, so the
    /// lengths are exact posterior means as well.
    Mean,
    /// Given by the caller, as logits [particles, nodes, C−1].
    Given(&'a [T]),
}

/// Optional outputs of a pass, besides the assignments.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// The derivatives that [`PosteriorPass::backward`] needs.
    pub gradients: bool,
    /// The divergence from a prior and its gradient.
    pub divergence_from: Option<Prior<'a>>,
}

/// The prior Beta(1, c) of every stick fraction.
#[derive(Debug, Clone, Copy)]
pub struct Prior<'a> {
    /// c.
    pub concentration: f64,
    /// Weight of each node's divergence; `None` means 1.
    pub weights: Option<&'a [f64]>,
}

impl Prior<'_> {
    /// Prior Beta(1, c) with equal weights for all nodes.
    #[must_use]
    pub const fn new(concentration: f64) -> Self {
        Self {
            concentration,
            weights: None,
        }
    }
}

/// Posterior parameters of all sticks: row u holds the C−1 values of α̃ of node
/// u, followed by its C−1 values of β̃.
#[derive(Debug, Clone, Copy)]
pub struct Posterior<'a, T> {
    parameters: &'a [T],
    sticks: usize,
}

/// The result of [`Posterior::pass`].
#[derive(Debug, Clone, Default)]
pub struct PosteriorPass<T> {
    /// Assignments S, [particles, nodes, C]; every row sums to one.
    pub assignments: Vec<T>,
    /// Logits of the stick fractions, [particles, nodes, C−1]; zero for sticks
    /// after an exhausted one.
    pub logits: Vec<T>,
    /// dℓ/dα̃ and dℓ/dβ̃, [particles, nodes, 2(C−1)]; empty unless requested.
    pub slopes: Vec<T>,
    /// Divergence of each node's sticks from the prior, times the weight of the
    /// node; empty unless requested.
    pub divergence: Vec<f64>,
    /// Gradient of the divergence with respect to the parameters,
    /// [nodes, 2(C−1)]; empty unless requested.
    pub divergence_gradient: Vec<T>,
    nodes: usize,
    sticks: usize,
}

impl<'a, T: Real> Posterior<'a, T> {
    /// Wraps the parameters of `parameters.len() / 2(C−1)` nodes.
    ///
    /// # Panics
    ///
    /// Panics if there are no sticks or the length is not a multiple of 2(C−1).
    #[must_use]
    pub fn new(parameters: &'a [T], sticks: usize) -> Self {
        assert!(
            sticks > 0 && parameters.len().is_multiple_of(2 * sticks),
            "{} parameters are not rows of 2 × {sticks}",
            parameters.len()
        );
        Self { parameters, sticks }
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.parameters.len() / (2 * self.sticks)
    }

    /// Computes stick fractions, assignments and the [`Wanted`] outputs.
    ///
    /// # Complexity
    ///
    /// O(particles · nodes · C) time and output, no further memory. Sticks
    /// after an exhausted one are not drawn.
    ///
    /// # Panics
    ///
    /// Panics if given logits, row keys or weights do not fit the number of
    /// nodes.
    #[must_use]
    pub fn pass(
        &self,
        from: Fractions<'_, T>,
        particles: usize,
        wanted: Wanted<'_>,
    ) -> PosteriorPass<T> {
        let (nodes, m) = (self.nodes(), self.sticks);
        if let Fractions::Given(logits) = from {
            assert_eq!(
                logits.len(),
                particles * nodes * m,
                "logits of every particle, node and stick"
            );
        }
        if let Fractions::Sample { rows, .. } = from {
            assert!(
                rows.offsets.last() == Some(&nodes) && rows.offsets.len() == rows.graphs.len() + 1,
                "row keys cover every node"
            );
        }
        let weights = wanted.divergence_from.and_then(|prior| prior.weights);
        assert!(
            weights.is_none_or(|w| w.len() == nodes),
            "a weight for every node"
        );
        let mut out = PosteriorPass {
            assignments: take(particles * nodes * (m + 1)),
            logits: take(particles * nodes * m),
            slopes: take(if wanted.gradients {
                particles * nodes * 2 * m
            } else {
                0
            }),
            divergence: vec![0.0; wanted.divergence_from.map_or(0, |_| nodes)],
            divergence_gradient: take(wanted.divergence_from.map_or(0, |_| nodes * 2 * m)),
            nodes,
            sticks: m,
        };
        for t in 0..particles {
            // The divergence does not depend on the particle.
            let prior = wanted.divergence_from.filter(|_| t == 0);
            let range = |width: usize, a: &'_ [T]| {
                if a.is_empty() {
                    0..0
                } else {
                    t * nodes * width..(t + 1) * nodes * width
                }
            };
            let (s, l, d) = (
                range(m + 1, &out.assignments),
                range(m, &out.logits),
                range(2 * m, &out.slopes),
            );
            let mut tasks = split_rows(
                nodes,
                [
                    (&mut out.assignments[s], m + 1),
                    (&mut out.logits[l], m),
                    (&mut out.slopes[d], 2 * m),
                    (
                        if prior.is_some() {
                            &mut out.divergence_gradient[..]
                        } else {
                            &mut []
                        },
                        2 * m,
                    ),
                ],
                if prior.is_some() {
                    &mut out.divergence
                } else {
                    &mut []
                },
            );
            tasks.par_iter_mut().for_each(|task| {
                self.rows(task, from, t, prior);
            });
        }
        out
    }

    /// Processes the rows of one task.
    fn rows(
        &self,
        task: &mut Task<'_, T>,
        from: Fractions<'_, T>,
        particle: usize,
        prior: Option<Prior<'_>>,
    ) {
        let m = self.sticks;
        let mut parts = task.parts.each_mut().map(|part| &mut **part);
        let mut group = Vec::with_capacity(GROUP);
        for first in (0..task.rows).step_by(GROUP) {
            let last = (first + GROUP).min(task.rows);
            group.clear();
            for u in task.first + first..task.first + last {
                let (alpha, beta) = self.parameters[2 * m * u..2 * m * (u + 1)].split_at(m);
                let source = match from {
                    Fractions::Mean => RowSource::Mean,
                    Fractions::Given(logits) => {
                        let row = particle * self.nodes() + u;
                        RowSource::Given(&logits[row * m..(row + 1) * m])
                    }
                    Fractions::Sample { stream, rows } => {
                        let (graph, node) = rows.of(u);
                        RowSource::Sample {
                            stream,
                            particle: particle as u32,
                            node,
                            graph,
                        }
                    }
                };
                let [lengths, logits, slopes, gradient] = &mut parts;
                group.push(Row {
                    alpha,
                    beta,
                    source,
                    concentration: prior.map(|prior| prior.concentration),
                    lengths: take_row(lengths, m + 1),
                    logits: take_row(logits, m),
                    slopes: take_row(slopes, 2 * m),
                    divergence_gradient: take_row(gradient, 2 * m),
                });
            }
            let mut values = T::rows(&mut group);
            if let Some(weights) = prior.and_then(|prior| prior.weights) {
                let weights = &weights[task.first + first..task.first + last];
                for ((row, value), &w) in group.iter_mut().zip(&mut values).zip(weights) {
                    *value *= w;
                    for x in row.divergence_gradient.iter_mut() {
                        *x *= T::of(w);
                    }
                }
            }
            if !task.divergence.is_empty() {
                task.divergence[first..last].copy_from_slice(&values[..last - first]);
            }
        }
    }
}

/// Splits off the first row of an array; omitted arrays stay empty.
fn take_row<'a, T>(array: &mut &'a mut [T], width: usize) -> &'a mut [T] {
    let width = width.min(array.len());
    let (row, rest) = std::mem::take(array).split_at_mut(width);
    *array = rest;
    row
}

/// A run of rows with its slice of each output.
struct Task<'a, T> {
    first: usize,
    rows: usize,
    parts: [&'a mut [T]; 4],
    divergence: &'a mut [f64],
}

/// Splits all outputs into the same runs of rows; empty outputs stay empty.
fn split_rows<'a, T>(
    nodes: usize,
    arrays: [(&'a mut [T], usize); 4],
    divergence: &'a mut [f64],
) -> Vec<Task<'a, T>> {
    let mut rest = arrays;
    let mut divergence = divergence;
    let mut tasks = Vec::with_capacity(nodes.div_ceil(ROWS_PER_TASK));
    for first in (0..nodes).step_by(ROWS_PER_TASK) {
        let rows = ROWS_PER_TASK.min(nodes - first);
        let parts = rest.each_mut().map(|(array, width)| {
            let take = (rows * *width).min(array.len());
            let (part, tail) = std::mem::take(array).split_at_mut(take);
            *array = tail;
            part
        });
        let take = rows.min(divergence.len());
        let (part, tail) = std::mem::take(&mut divergence).split_at_mut(take);
        divergence = tail;
        tasks.push(Task {
            first,
            rows,
            parts,
            divergence: part,
        });
    }
    tasks
}

impl<T: Real> PosteriorPass<T> {
    /// Returns the gradient with respect to the parameters, [nodes, 2(C−1)],
    /// given the assignments of the pass (which may have been moved out of it)
    /// and the gradient with respect to them, both [particles, nodes, C].
    ///
    /// # Complexity
    ///
    /// O(particles · nodes · C), parallel over nodes.
    ///
    /// # Panics
    ///
    /// Panics if the pass kept no derivatives or the slices do not fit.
    #[must_use]
    pub fn backward(&self, assignments: &[T], assignment_gradients: &[T]) -> Vec<T> {
        let m = self.sticks;
        let rows = self.logits.len() / m;
        assert!(
            assignments.len() == rows * (m + 1)
                && assignment_gradients.len() == assignments.len()
                && self.slopes.len() == rows * 2 * m,
            "gradients of every assignment, and derivatives kept by the pass"
        );
        let mut out = take(self.nodes * 2 * m);
        out.par_chunks_mut(2 * m * ROWS_PER_TASK)
            .enumerate()
            .for_each(|(task, out)| {
                let mut scratch = vec![T::ZERO; 3 * m];
                dispatch!(level(), simd => {
                    for (i, out) in out.chunks_exact_mut(2 * m).enumerate() {
                        let u = task * ROWS_PER_TASK + i;
                        out.fill(T::ZERO);
                        for row in (u..rows).step_by(self.nodes) {
                            let lengths = row * (m + 1)..(row + 1) * (m + 1);
                            let lengths = (&assignments[lengths.clone()], &assignment_gradients[lengths]);
                            self.backward_row(simd, row, lengths, &mut scratch, out);
                        }
                    }
                });
            });
        out
    }

    #[inline(always)]
    fn backward_row<S: Simd>(
        &self,
        simd: S,
        row: usize,
        (lengths, gradients): (&[T], &[T]),
        scratch: &mut [T],
        out: &mut [T],
    ) {
        let m = self.sticks;
        let (v, scratch) = scratch.split_at_mut(m);
        let (rest, by_logit) = scratch.split_at_mut(m);
        fractions(simd, &self.logits[row * m..(row + 1) * m], v, rest);
        row_logit_gradients(lengths, gradients, v, rest, by_logit);
        let slopes = &self.slopes[row * 2 * m..(row + 1) * 2 * m];
        for (half, slopes) in out.chunks_exact_mut(m).zip(slopes.chunks_exact(m)) {
            for ((g, &l), &slope) in half.iter_mut().zip(&*by_logit).zip(slopes) {
                *g += l * slope;
            }
        }
    }
}
