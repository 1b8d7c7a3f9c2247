//! Beta variates in log space.
//!
//! ℓ = ln g₁ − ln g₂ of two gamma variates g₁ ~ Γ(α), g₂ ~ Γ(β). A gamma
//! variate comes from Marsaglia and Tsang's method for shapes of at least one;
//! below, from ln Γ(a) = ln Γ(a+1) + ln(U)/a, which never underflows.
//!
//! Every variate owns a 96-bit index of a keyed stream. Attempt k of the
//! rejection loop reads block k: two words for a pair of normals (one a gamma
//! variate), two for the acceptance tests. The block [`BOOST`] serves the
//! shapes below one. The vectorised form of `lanes` reads the same words.

use crate::stream::Stream;

/// Number of the block behind the power of U for shapes below one; attempts
/// never reach it (each succeeds with probability above 0.95).
pub(super) const BOOST: u32 = 255;
/// Particles are told apart above the bits of the attempt.
pub(super) const PARTICLE_SHIFT: u32 = 8;
/// 2⁻³².
pub(super) const WORD: f64 = 1.0 / 4_294_967_296.0;

/// Uniform in (0, 1), never either end.
fn uniform(word: u32) -> f64 {
    (f64::from(word) + 0.5) * WORD
}

/// One attempt at ln Γ(shape), shape ≥ 1.
fn attempt(shape: f64, normal: f64, word: u32) -> Option<f64> {
    let d = shape - 1.0 / 3.0;
    let t = 1.0 + normal / (9.0 * d).sqrt();
    if t <= 0.0 {
        return None;
    }
    let ln_t = t.ln();
    let bound = 0.5 * normal * normal + d * (1.0 - t * t * t + 3.0 * ln_t);
    (uniform(word).ln() < bound).then(|| d.ln() + 3.0 * ln_t)
}

/// The logit of a variate of Beta(α, β), at the index (particle, position) of a
/// stream. Valid for all α, β > 0; never infinite.
///
/// ```
/// use bnpool_math::{beta::sample_logit, stream::{Purpose, Stream}};
/// let stream = Stream::new(0, Purpose::StickFractions, 0);
/// let logit = sample_logit(1e-3, 1e-3, &stream, 0, [0, 0, 0]);
/// assert!(logit.is_finite() && logit.abs() > 1.0);
/// ```
#[must_use]
pub fn sample_logit(alpha: f64, beta: f64, stream: &Stream, particle: u32, index: [u32; 3]) -> f64 {
    let block =
        |k: u32| stream.block([k | particle << PARTICLE_SHIFT, index[0], index[1], index[2]]);
    let shapes = [alpha, beta].map(|a| if a < 1.0 { a + 1.0 } else { a });
    let mut logs: [Option<f64>; 2] = [None, None];
    for k in 0..BOOST {
        let words = block(k);
        let radius = (-2.0 * uniform(words[0]).ln()).sqrt();
        let (sin, cos) = (std::f64::consts::TAU * f64::from(words[1] as i32) * WORD).sin_cos();
        for (i, normal) in [radius * cos, radius * sin].into_iter().enumerate() {
            if logs[i].is_none() {
                logs[i] = attempt(shapes[i], normal, words[2 + i]);
            }
        }
        if logs.iter().all(Option::is_some) {
            break;
        }
    }
    // 255 rejections in a row have probability below 1e-300; the mode of ln Γ
    // stands in so that the function is total.
    let mut logs = [0, 1].map(|i| logs[i].unwrap_or(shapes[i].ln()));
    if alpha < 1.0 || beta < 1.0 {
        let words = block(BOOST);
        for (i, a) in [alpha, beta].into_iter().enumerate() {
            if a < 1.0 {
                logs[i] += uniform(words[i]).ln() / a;
            }
        }
    }
    logs[0] - logs[1]
}
