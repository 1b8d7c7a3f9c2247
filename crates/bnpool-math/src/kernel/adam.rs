//! Adam (Kingma and Ba, 2015), fused into one pass over the parameters.

use crate::Real;

/// Parameters of one Adam step that all weights share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdamStep {
    /// Learning rate.
    pub rate: f64,
    /// β₁: decay rate of the mean of the gradients.
    pub beta_1: f64,
    /// β₂: decay rate of the mean of the squared gradients.
    pub beta_2: f64,
    /// ε: added to the denominator.
    pub epsilon: f64,
    /// Number of the step, from 1; corrects the bias of means that start at
    /// zero.
    pub step: u64,
    /// Factor applied to every gradient; below 1 if the norm is clipped.
    pub gradient_scale: f64,
}

impl AdamStep {
    /// Updates the parameters in place.
    ///
    /// m ← β₁ m + (1−β₁) g, v ← β₂ v + (1−β₂) g²,
    /// x ← x − rate · m̂ / (√v̂ + ε) with m̂ = m/(1−β₁ᵗ), v̂ = v/(1−β₂ᵗ).
    ///
    /// # Complexity
    ///
    /// O(parameters) time, no allocation.
    ///
    /// # Panics
    ///
    /// Panics if the slices differ in length.
    ///
    /// ```
    /// use bnpool_math::kernel::AdamStep;
    ///
    /// let step = AdamStep {
    ///     rate: 0.1,
    ///     beta_1: 0.9,
    ///     beta_2: 0.999,
    ///     epsilon: 1e-8,
    ///     step: 1,
    ///     gradient_scale: 1.0,
    /// };
    /// let (mut x, mut m, mut v) = ([1.0_f64], [0.0], [0.0]);
    /// step.apply(&mut x, &mut m, &mut v, &[5.0]);
    /// // The first step has the length of the rate whatever the gradient.
    /// assert!((x[0] - 0.9).abs() < 1e-8);
    /// ```
    pub fn apply<T: Real>(&self, x: &mut [T], mean: &mut [T], square: &mut [T], gradient: &[T]) {
        let n = x.len();
        assert!(
            mean.len() == n && square.len() == n && gradient.len() == n,
            "a gradient and two moments for every parameter"
        );
        // Beyond 2³¹ steps, the corrections are 1.
        let t = i32::try_from(self.step).unwrap_or(i32::MAX);
        let size = T::of(self.rate / (1.0 - self.beta_1.powi(t)));
        let root = T::of(1.0 / (1.0 - self.beta_2.powi(t)).sqrt());
        let (keep_1, add_1) = (T::of(self.beta_1), T::of(1.0 - self.beta_1));
        let (keep_2, add_2) = (T::of(self.beta_2), T::of(1.0 - self.beta_2));
        let (epsilon, scale) = (T::of(self.epsilon), T::of(self.gradient_scale));
        for (((x, m), v), &g) in x.iter_mut().zip(mean).zip(square).zip(gradient) {
            let g = g * scale;
            *m = *m * keep_1 + g * add_1;
            *v = *v * keep_2 + g * g * add_2;
            *x -= size * *m / (v.square_root() * root + epsilon);
        }
    }
}

/// Factor that scales gradients of this global norm down to `bound`: 1 if they are
/// within it or if the bound is 0 (no clipping), NaN if the norm is NaN.
///
/// Matches PyTorch's `clip_grad_norm_`: the divisor is the norm plus 1e-6.
#[must_use]
pub fn clip_factor(norm: f64, bound: f64) -> f64 {
    if bound > 0.0 {
        let factor = bound / (norm + 1e-6);
        if factor > 1.0 { 1.0 } else { factor }
    } else {
        1.0
    }
}

/// Sum of squares of a slice, accumulated in double precision.
#[must_use]
pub fn squared_norm<T: Real>(x: &[T]) -> f64 {
    x.iter().map(|&x| x.f64() * x.f64()).sum()
}
