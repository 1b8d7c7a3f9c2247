//! Beta variates in log space.
//!
//! ℓ = ln g₁ − ln g₂ of two gamma variates g₁ ~ Γ(α), g₂ ~ Γ(β). Gamma variates
//! with shapes of at least one come from Marsaglia and Tsang's method; smaller
//! shapes use ln Γ(a) = ln Γ(a+1) + ln(U)/a, which never underflows.
//!
//! Every variate owns a 96-bit index of a keyed stream. Attempt k of the
//! rejection loop reads block k: two words for a pair of normals (one per gamma
//! variate) and two for the acceptance tests. A uniform V that passed the test
//! V < p is uniform below p, so V/p is uniform and independent of the variate
//! and serves as the U of shapes below one. The vectorised form in `lanes`
//! reads the same words.

use crate::stream::Stream;

/// Largest number of attempts; each succeeds with probability above 0.95.
pub(super) const ATTEMPTS: u32 = 256;
/// The particle index occupies the bits above those of the attempt.
pub(super) const PARTICLE_SHIFT: u32 = 8;
/// 2⁻³².
pub(super) const WORD: f64 = 1.0 / 4_294_967_296.0;

/// Uniform in the open interval (0, 1).
fn uniform(word: u32) -> f64 {
    (f64::from(word) + 0.5) * WORD
}

/// Logarithms of a gamma variate with shape of at least one and of an
/// independent uniform.
#[derive(Clone, Copy)]
struct Accepted {
    ln_gamma: f64,
    ln_uniform: f64,
}

/// One attempt at a variate of Γ(shape), shape ≥ 1.
fn attempt(shape: f64, normal: f64, word: u32) -> Option<Accepted> {
    let d = shape - 1.0 / 3.0;
    let t = 1.0 + normal / (9.0 * d).sqrt();
    if t <= 0.0 {
        return None;
    }
    let ln_t = t.ln();
    let bound = 0.5 * normal * normal + d * (1.0 - t * t * t + 3.0 * ln_t);
    let ln_v = uniform(word).ln();
    (ln_v < bound).then(|| Accepted {
        ln_gamma: d.ln() + 3.0 * ln_t,
        ln_uniform: ln_v - bound.min(0.0),
    })
}

/// Returns the logit of a variate of Beta(α, β) at the index (particle,
/// position) of a stream. Valid for all α, β > 0; never infinite.
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
    let mut accepted: [Option<Accepted>; 2] = [None, None];
    for k in 0..ATTEMPTS {
        let words = block(k);
        let radius = (-2.0 * uniform(words[0]).ln()).sqrt();
        let (sin, cos) = (std::f64::consts::TAU * f64::from(words[1] as i32) * WORD).sin_cos();
        for (i, normal) in [radius * cos, radius * sin].into_iter().enumerate() {
            if accepted[i].is_none() {
                accepted[i] = attempt(shapes[i], normal, words[2 + i]);
            }
        }
        if accepted.iter().all(Option::is_some) {
            break;
        }
    }
    // This many rejections in a row have probability below 1e-300; the mode of
    // ln Γ makes the function total.
    let ln_gamma = |i: usize, shape: f64| match accepted[i] {
        Some(x) if shape < 1.0 => x.ln_gamma + x.ln_uniform / shape,
        Some(x) => x.ln_gamma,
        None => shapes[i].ln(),
    };
    ln_gamma(0, alpha) - ln_gamma(1, beta)
}
