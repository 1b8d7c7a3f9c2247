//! One node of a posterior pass: eight sticks at a time in `f32`, or one by one
//! with full precision in `f64`.

use super::lanes::{self, Broken, Gammas, Variates};
use super::sticks::{break_sticks, fractions};
use super::{divergence, logit_derivatives, sample_logit};
use crate::stream::Stream;
use crate::vector::{level, ln_or_nan};
use fearless_simd::prelude::*;
use fearless_simd::{dispatch, f32x8, u32x8};
use std::ops::Range;

/// One row of a pass: its parameters, and its slices of the outputs.
pub struct Row<'a, T> {
    pub(super) alpha: &'a [T],
    pub(super) beta: &'a [T],
    pub(super) source: RowSource<'a, T>,
    pub(super) concentration: Option<f64>,
    pub(super) lengths: &'a mut [T],
    pub(super) logits: &'a mut [T],
    pub(super) slopes: &'a mut [T],
    pub(super) divergence_gradient: &'a mut [T],
}

/// Source of the fractions of a row.
#[derive(Clone, Copy)]
pub(super) enum RowSource<'a, T> {
    Sample {
        stream: Stream,
        particle: u32,
        node: u32,
        graph: u32,
    },
    Mean,
    Given(&'a [T]),
}

/// Largest number of rows per call.
pub(super) const GROUP: usize = 8;

/// A float type with a row kernel. Not exported: a supertrait of `Real`.
pub trait RowKernel: Sized {
    /// Fills up to eight rows of equal length and returns their divergences
    /// (zero unless requested). Not generic, so it is compiled once, in this
    /// crate.
    fn rows(rows: &mut [Row<'_, Self>]) -> [f64; GROUP];
}

/// A remainder below this is lost in the rounding of the row, which sums to
/// one, so later sticks are not drawn. This saves most draws of nodes with a
/// confident assignment.
const USED_UP: f32 = f32::EPSILON / 2.0;

/// Returns whether the stick is exhausted; false for NaN.
#[inline(always)]
fn is_used_up(remaining: f32) -> bool {
    remaining <= USED_UP
}

/// Eight floats of a slice, padded with ones.
#[inline(always)]
fn load<S: Simd>(simd: S, x: &[f32]) -> f32x8<S> {
    if let Ok(full) = <&[f32; 8]>::try_from(x) {
        return f32x8::load_array_ref(simd, full);
    }
    let mut v = simd.splat_f32x8(1.0);
    v.as_mut_slice()[..x.len()].copy_from_slice(x);
    v
}

/// Eight sticks that are processed in one register.
struct Pack<S: Simd> {
    alpha: f32x8<S>,
    beta: f32x8<S>,
    logit: PackSource<S>,
    /// Whether the variates matter; if not, only the divergence is computed.
    alive: bool,
}

/// Source of the logits of a pack.
enum PackSource<S: Simd> {
    Sample {
        stream: Stream,
        particle: u32,
        stick: u32x8<S>,
        node: u32x8<S>,
        graph: u32x8<S>,
    },
    Mean,
    Given(f32x8<S>),
}

/// Per-lane results of a pack; zero unless requested.
struct PackResult<S: Simd> {
    divergence: [f64; 8],
    divergence_by_alpha: f32x8<S>,
    divergence_by_beta: f32x8<S>,
    logit: f32x8<S>,
    /// Fractions and remainders of the stick.
    v: f32x8<S>,
    rest: f32x8<S>,
    by_alpha: f32x8<S>,
    by_beta: f32x8<S>,
}

impl<S: Simd> Pack<S> {
    #[inline(always)]
    fn compute(&self, simd: S, concentration: Option<f64>, with_slopes: bool) -> PackResult<S> {
        let zero = simd.splat_f32x8(0.0);
        let mut out = PackResult {
            divergence: [0.0; 8],
            divergence_by_alpha: zero,
            divergence_by_beta: zero,
            logit: zero,
            v: zero,
            rest: zero,
            by_alpha: zero,
            by_beta: zero,
        };
        let (alpha, beta) = (self.alpha, self.beta);
        let (wide_alpha, wide_beta) = (lanes::widen(simd, alpha), lanes::widen(simd, beta));
        let sampled = !matches!(self.logit, PackSource::Mean);
        let need_slopes = with_slopes && self.alive;
        let gammas = (concentration.is_some() || (need_slopes && sampled))
            .then(|| Gammas::new(simd, wide_alpha, wide_beta));
        if let (Some(c), Some(gammas)) = (concentration, &gammas) {
            let (value, by_alpha, by_beta) =
                lanes::divergence(simd, wide_alpha, wide_beta, c, gammas);
            value.store_slice(&mut out.divergence);
            out.divergence_by_alpha = lanes::narrow(simd, by_alpha);
            out.divergence_by_beta = lanes::narrow(simd, by_beta);
        }
        if !self.alive {
            return out;
        }
        out.logit = match &self.logit {
            PackSource::Sample {
                stream,
                particle,
                stick,
                node,
                graph,
            } => {
                let variates = Variates {
                    stream,
                    particle: *particle,
                    stick: *stick,
                    node: *node,
                    graph: *graph,
                };
                lanes::sample(simd, variates, alpha, beta)
            }
            PackSource::Mean => ln_or_nan(alpha / beta),
            PackSource::Given(logits) => *logits,
        };
        let broken = Broken::at(simd, out.logit);
        (out.v, out.rest) = (broken.v, broken.rest);
        if need_slopes {
            (out.by_alpha, out.by_beta) = match &gammas {
                Some(gammas) if sampled => {
                    lanes::logit_derivatives(simd, alpha, beta, out.logit, &broken, gammas)
                }
                _ => {
                    let one = simd.splat_f32x8(1.0);
                    (one / alpha, -(one / beta))
                }
            };
        }
        out
    }
}

impl Row<'_, f32> {
    /// Stores lanes `lanes` of a pack as the sticks from `start` on; returns
    /// the divergence of these sticks.
    #[inline(always)]
    fn take<S: Simd>(
        &mut self,
        pack: &PackResult<S>,
        lanes: Range<usize>,
        start: usize,
        remaining: &mut f32,
    ) -> f64 {
        let sticks = self.alpha.len();
        let sticks_here = start..start + lanes.len();
        let mut divergence = 0.0;
        if self.concentration.is_some() {
            divergence = pack.divergence[lanes.clone()].iter().sum();
            let (a, b) = self.divergence_gradient.split_at_mut(sticks);
            a[sticks_here.clone()]
                .copy_from_slice(&pack.divergence_by_alpha.as_slice()[lanes.clone()]);
            b[sticks_here.clone()]
                .copy_from_slice(&pack.divergence_by_beta.as_slice()[lanes.clone()]);
        }
        if is_used_up(*remaining) {
            self.leave(sticks_here.clone());
            // The divergence already covers NaN parameters.
            let bad = match self.concentration {
                Some(_) => divergence.is_nan(),
                None => self.has_nan(sticks_here.clone()),
            };
            if bad {
                self.spoil(sticks_here, remaining);
            }
            return divergence;
        }
        let logits = &pack.logit.as_slice()[lanes.clone()];
        self.logits[sticks_here.clone()].copy_from_slice(logits);
        *remaining = break_sticks(
            *remaining,
            &pack.v.as_slice()[lanes.clone()],
            &pack.rest.as_slice()[lanes.clone()],
            &mut self.lengths[sticks_here.clone()],
        );
        if !self.slopes.is_empty() {
            let (a, b) = self.slopes.split_at_mut(sticks);
            a[sticks_here.clone()].copy_from_slice(&pack.by_alpha.as_slice()[lanes.clone()]);
            b[sticks_here].copy_from_slice(&pack.by_beta.as_slice()[lanes]);
        }
        divergence
    }

    /// Sets length and derivatives of these sticks to zero.
    fn leave(&mut self, sticks_here: Range<usize>) {
        self.lengths[sticks_here.clone()].fill(0.0);
        self.logits[sticks_here.clone()].fill(0.0);
        for slopes in self.slopes.chunks_exact_mut(self.alpha.len()) {
            slopes[sticks_here.clone()].fill(0.0);
        }
    }

    /// Whether a parameter of these sticks is NaN.
    #[inline(always)]
    fn has_nan(&self, sticks_here: Range<usize>) -> bool {
        let alpha = &self.alpha[sticks_here.clone()];
        let beta = &self.beta[sticks_here];
        // No early exit, so that the loop is vectorised.
        alpha
            .iter()
            .zip(beta)
            .fold(false, |bad, (a, b)| bad | (a + b).is_nan())
    }

    /// Sets the remainder to NaN from the first NaN parameter on, even if the
    /// stick is exhausted.
    #[cold]
    fn spoil(&mut self, sticks_here: Range<usize>, remaining: &mut f32) {
        let bad = |&c: &usize| (self.alpha[c] + self.beta[c]).is_nan();
        if let Some(first) = sticks_here.clone().find(bad) {
            self.lengths[first..sticks_here.end].fill(f32::NAN);
            *remaining = f32::NAN;
        }
    }

    /// Processes the sticks of whole registers, and the last register if its
    /// lanes are not shared with other rows.
    #[inline(always)]
    fn body<S: Simd>(&mut self, simd: S, end: usize, remaining: &mut f32) -> f64 {
        let mut total = 0.0;
        for start in (0..end).step_by(8) {
            let stop = (start + 8).min(end);
            let alive = !is_used_up(*remaining);
            if !alive && self.concentration.is_none() {
                // The stick is exhausted: later fractions cannot change S.
                self.leave(start..end);
                if self.has_nan(start..end) {
                    self.spoil(start..end, remaining);
                }
                break;
            }
            let logit = match self.source {
                RowSource::Sample {
                    stream,
                    particle,
                    node,
                    graph,
                } => PackSource::Sample {
                    stream,
                    particle,
                    stick: u32x8::load_array(simd, [0, 1, 2, 3, 4, 5, 6, 7]) + start as u32,
                    node: simd.splat_u32x8(node),
                    graph: simd.splat_u32x8(graph),
                },
                RowSource::Mean => PackSource::Mean,
                RowSource::Given(logits) => PackSource::Given(load(simd, &logits[start..stop])),
            };
            let pack = Pack {
                alpha: load(simd, &self.alpha[start..stop]),
                beta: load(simd, &self.beta[start..stop]),
                logit,
                alive,
            };
            let result = pack.compute(simd, self.concentration, !self.slopes.is_empty());
            total += self.take(&result, 0..stop - start, start, remaining);
        }
        total
    }
}

/// Processes the last sticks of several rows, `tail` of each, in one register.
#[inline(always)]
fn tails<S: Simd>(
    simd: S,
    rows: &mut [Row<'_, f32>],
    tail: usize,
    remaining: &mut [f32],
    totals: &mut [f64],
) {
    let Some(first) = rows.first() else { return };
    let start = first.alpha.len() - tail;
    let (concentration, with_slopes) = (first.concentration, !first.slopes.is_empty());
    let (mut alpha, mut beta, mut given) = ([1.0_f32; 8], [1.0_f32; 8], [0.0_f32; 8]);
    let (mut sticks, mut nodes, mut graphs) = ([0_u32; 8], [0_u32; 8], [0_u32; 8]);
    let mut stream_of = None;
    for (i, row) in rows.iter().enumerate() {
        for t in 0..tail {
            let (lane, stick) = (i * tail + t, start + t);
            alpha[lane] = row.alpha[stick];
            beta[lane] = row.beta[stick];
            sticks[lane] = stick as u32;
            match row.source {
                RowSource::Sample {
                    stream,
                    particle,
                    node,
                    graph,
                } => {
                    stream_of = Some((stream, particle));
                    (nodes[lane], graphs[lane]) = (node, graph);
                }
                RowSource::Given(logits) => given[lane] = logits[stick],
                RowSource::Mean => {}
            }
        }
    }
    let logit = match (stream_of, first.source) {
        (Some((stream, particle)), _) => PackSource::Sample {
            stream,
            particle,
            stick: u32x8::load_array(simd, sticks),
            node: u32x8::load_array(simd, nodes),
            graph: u32x8::load_array(simd, graphs),
        },
        (None, RowSource::Given(_)) => PackSource::Given(f32x8::load_array(simd, given)),
        (None, _) => PackSource::Mean,
    };
    let pack = Pack {
        alpha: f32x8::load_array(simd, alpha),
        beta: f32x8::load_array(simd, beta),
        logit,
        alive: !remaining.iter().all(|&r| is_used_up(r)),
    };
    let result = pack.compute(simd, concentration, with_slopes);
    for (i, (row, remaining)) in rows.iter_mut().zip(remaining).enumerate() {
        let lanes = i * tail..(i + 1) * tail;
        totals[i] += row.take(&result, lanes, start, remaining);
    }
}

impl RowKernel for f32 {
    fn rows(rows: &mut [Row<'_, Self>]) -> [f64; GROUP] {
        dispatch!(level(), simd => Row::fill_all(simd, rows))
    }
}

impl Row<'_, f32> {
    #[inline(always)]
    fn fill_all<S: Simd>(simd: S, rows: &mut [Self]) -> [f64; GROUP] {
        let mut totals = [0.0; GROUP];
        let mut remaining = [1.0_f32; GROUP];
        let Some(sticks) = rows.first().map(|row| row.alpha.len()) else {
            return totals;
        };
        // A last register that is at most half full is shared between rows.
        let tail = match sticks % 8 {
            tail if tail <= 4 => tail,
            _ => 0,
        };
        for (row, (total, remaining)) in rows.iter_mut().zip(totals.iter_mut().zip(&mut remaining))
        {
            *total = row.body(simd, sticks - tail, remaining);
        }
        if let Some(width) = 8_usize.checked_div(tail) {
            for ((rows, remaining), totals) in rows
                .chunks_mut(width)
                .zip(remaining.chunks_mut(width))
                .zip(totals.chunks_mut(width))
            {
                let remaining = &mut remaining[..rows.len()];
                tails(simd, rows, tail, remaining, totals);
            }
        }
        for (row, (total, remaining)) in rows.iter_mut().zip(totals.iter_mut().zip(remaining)) {
            row.lengths[sticks] = remaining;
            *total = match row.concentration {
                Some(c) => *total - sticks as f64 * c.ln(),
                None => 0.0,
            };
        }
        totals
    }
}

impl RowKernel for f64 {
    fn rows(rows: &mut [Row<'_, Self>]) -> [f64; GROUP] {
        let mut totals = [0.0; GROUP];
        for (row, total) in rows.iter_mut().zip(&mut totals) {
            *total = dispatch!(level(), simd => row.fill(simd));
        }
        totals
    }
}

impl Row<'_, f64> {
    /// Fills the row, one stick after the other; returns its divergence.
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S) -> f64 {
        let row = self;
        let sticks = row.alpha.len();
        let mut total = 0.0;
        for c in 0..sticks {
            let (a, b) = (row.alpha[c], row.beta[c]);
            let (logit, slopes) = match row.source {
                RowSource::Mean => ((a / b).ln(), (1.0 / a, -1.0 / b)),
                RowSource::Given(logits) => (logits[c], (0.0, 0.0)),
                RowSource::Sample {
                    stream,
                    particle,
                    node,
                    graph,
                } => (
                    sample_logit(a, b, &stream, particle, [c as u32, node, graph]),
                    (0.0, 0.0),
                ),
            };
            row.logits[c] = logit;
            if !row.slopes.is_empty() {
                let slopes = match row.source {
                    RowSource::Mean => slopes,
                    _ => logit_derivatives(a, b, logit),
                };
                (row.slopes[c], row.slopes[sticks + c]) = slopes;
            }
            if let Some(concentration) = row.concentration {
                let d = divergence(a, b, concentration);
                total += d.value;
                row.divergence_gradient[c] = d.by_alpha;
                row.divergence_gradient[sticks + c] = d.by_beta;
            }
        }
        let (mut v, mut rest) = (vec![0.0; sticks], vec![0.0; sticks]);
        fractions(simd, row.logits, &mut v, &mut rest);
        let (lengths, last) = row.lengths.split_at_mut(sticks);
        last[0] = break_sticks(1.0, &v, &rest, lengths);
        total
    }
}
