//! One node of a posterior pass: eight sticks at a time in `f32`, one by one and
//! to full precision in `f64`.

use super::lanes::{self, Gammas};
use super::sticks::{break_sticks, fractions};
use super::{divergence, logit_derivatives, sample_logit};
use crate::stream::Stream;
use crate::vector::Vector;
use fearless_simd::f32x8;
use fearless_simd::prelude::*;

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

/// Where the fractions of a row come from.
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

/// A float type with a row kernel. Nameless outside: a part of `Real`.
pub trait RowKernel: Sized {
    /// Fills the row; returns its divergence (zero unless wanted).
    fn row<S: Simd>(simd: S, row: Row<'_, Self>) -> f64;
}

/// A rest of the stick this short is lost in the rounding of the row, which
/// sums to one; what lies behind it is not drawn. Nodes that are sure of a
/// cluster save most of their draws by this.
const USED_UP: f32 = f32::EPSILON / 2.0;

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

impl RowKernel for f32 {
    #[inline(always)]
    fn row<S: Simd>(simd: S, row: Row<'_, Self>) -> f64 {
        let sticks = row.alpha.len();
        let with_slopes = !row.slopes.is_empty();
        let sampled = !matches!(row.source, RowSource::Mean);
        let mut remaining = 1.0_f32;
        let mut total = 0.0_f64;
        for start in (0..sticks).step_by(8) {
            let end = (start + 8).min(sticks);
            let n = end - start;
            let alpha = load(simd, &row.alpha[start..end]);
            let beta = load(simd, &row.beta[start..end]);
            let (alphas, betas) = (simd.widen_f32x8(alpha), simd.widen_f32x8(beta));
            let alive = remaining > USED_UP;
            let need_slopes = with_slopes && alive;
            let gammas = (row.concentration.is_some() || (need_slopes && sampled)).then(|| {
                (
                    Gammas::new(simd, alphas.0, betas.0),
                    Gammas::new(simd, alphas.1, betas.1),
                )
            });
            if let (Some(c), Some(gammas)) = (row.concentration, &gammas) {
                let low = lanes::divergence(alphas.0, betas.0, c, &gammas.0);
                let high = lanes::divergence(alphas.1, betas.1, c, &gammas.1);
                total += low.0.iter().chain(high.0.iter()).take(n).sum::<f64>();
                let by_alpha = simd.narrow_f64x4(low.1, high.1);
                let by_beta = simd.narrow_f64x4(low.2, high.2);
                let (a, b) = row.divergence_gradient.split_at_mut(sticks);
                a[start..end].copy_from_slice(&by_alpha.as_slice()[..n]);
                b[start..end].copy_from_slice(&by_beta.as_slice()[..n]);
            }
            if !alive {
                // The stick is used up: nothing behind it can change S.
                if row.concentration.is_none() {
                    break;
                }
                continue;
            }
            let logit = match row.source {
                RowSource::Sample {
                    stream,
                    particle,
                    node,
                    graph,
                } => lanes::sample(
                    simd,
                    &stream,
                    particle,
                    [start as u32, node, graph],
                    alpha,
                    beta,
                ),
                RowSource::Mean => (alpha / beta).ln(),
                RowSource::Given(logits) => {
                    let mut v = simd.splat_f32x8(0.0);
                    v.as_mut_slice()[..n].copy_from_slice(&logits[start..end]);
                    v
                }
            };
            row.logits[start..end].copy_from_slice(&logit.as_slice()[..n]);
            let (mut v, mut rest) = ([0.0; 8], [0.0; 8]);
            fractions(simd, logit.as_slice(), &mut v, &mut rest);
            remaining = break_sticks(remaining, &v[..n], &rest[..n], &mut row.lengths[start..end]);
            if need_slopes {
                let (by_alpha, by_beta) = match &gammas {
                    Some(gammas) if sampled => {
                        let logits = simd.widen_f32x8(logit);
                        let low =
                            lanes::logit_derivatives(simd, alphas.0, betas.0, logits.0, &gammas.0);
                        let high =
                            lanes::logit_derivatives(simd, alphas.1, betas.1, logits.1, &gammas.1);
                        (
                            simd.narrow_f64x4(low.0, high.0),
                            simd.narrow_f64x4(low.1, high.1),
                        )
                    }
                    _ => {
                        let one = simd.splat_f32x8(1.0);
                        (one / alpha, -(one / beta))
                    }
                };
                let (a, b) = row.slopes.split_at_mut(sticks);
                a[start..end].copy_from_slice(&by_alpha.as_slice()[..n]);
                b[start..end].copy_from_slice(&by_beta.as_slice()[..n]);
            }
        }
        row.lengths[sticks] = remaining;
        match row.concentration {
            Some(c) => total - sticks as f64 * c.ln(),
            None => 0.0,
        }
    }
}

impl RowKernel for f64 {
    #[inline(always)]
    fn row<S: Simd>(simd: S, row: Row<'_, Self>) -> f64 {
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
