//! The penalised likelihood and its gradient.

use crate::Real;
use crate::kernel::product::{Addend, Left, Onto, ProductKernel};
use rayon::prelude::*;

/// Rows whose logits are in the cache at the same time.
const PIECE: usize = 128;
/// Pieces per task.
const PIECES_PER_TASK: usize = 8;
/// Columns are padded to whole registers of `f64`.
const LANES: usize = 4;

/// Mean loss of all rows plus the penalty, both divided by the number of rows,
/// so that the gradient tolerance does not depend on it.
///
/// Parameters are [features + 1, columns]: the last used row holds the
/// intercepts, i.e. a feature that is 1 everywhere. Padding is zero in the
/// features and in the gradient, so it stays zero in the parameters.
pub(super) struct Objective<'a> {
    /// Features followed by the constant 1, padded.
    x: Vec<f64>,
    /// Number of features per row, padded.
    depth: usize,
    features: usize,
    classes: &'a [usize],
    /// Number of rows of coefficients: that of the classes, or 1 for two
    /// classes.
    rows: usize,
    columns: usize,
    penalty: f64,
}

impl<'a> Objective<'a> {
    pub(super) fn new<T: Real>(
        features: &[T],
        width: usize,
        classes: &'a [usize],
        rows: usize,
        inverse_strength: f64,
    ) -> Self {
        let depth = width + 1;
        let mut x = vec![0.0; classes.len() * depth];
        for (u, out) in x.chunks_exact_mut(depth).enumerate() {
            for (x, f) in out.iter_mut().zip(&features[u * width..(u + 1) * width]) {
                *x = f.f64();
            }
            out[width] = 1.0;
        }
        Self {
            x,
            depth,
            features: width,
            classes,
            rows,
            columns: rows.next_multiple_of(LANES),
            penalty: 1.0 / (inverse_strength * classes.len() as f64),
        }
    }

    /// Number of parameters, padding included.
    pub(super) fn parameters(&self) -> usize {
        self.depth * self.columns
    }

    /// W [rows, features] and the intercepts.
    pub(super) fn unpack(&self, parameters: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let at = |f: usize, c: usize| parameters[f * self.columns + c];
        let coefficients = (0..self.rows)
            .flat_map(|c| (0..self.features).map(move |f| at(f, c)))
            .collect();
        let intercepts = (0..self.rows).map(|c| at(self.features, c)).collect();
        (coefficients, intercepts)
    }

    /// Returns the value and writes the gradient to `gradient`.
    pub(super) fn evaluate(&self, parameters: &[f64], gradient: &mut [f64]) -> f64 {
        let task = PIECES_PER_TASK * PIECE;
        let parts: Vec<(f64, Vec<f64>)> = self
            .x
            .par_chunks(task * self.depth)
            .zip(self.classes.par_chunks(task))
            .map(|(x, classes)| self.part(x, classes, parameters))
            .collect();
        gradient.fill(0.0);
        let mut value = 0.0;
        for (part, by_parameters) in &parts {
            value += part;
            gradient
                .iter_mut()
                .zip(by_parameters)
                .for_each(|(g, x)| *g += x);
        }
        let scale = 1.0 / self.classes.len() as f64;
        value *= scale;
        gradient.iter_mut().for_each(|g| *g *= scale);
        let penalised = self.features * self.columns;
        let weights = &parameters[..penalised];
        for (g, w) in gradient.iter_mut().zip(weights) {
            *g += self.penalty * w;
        }
        value + 0.5 * self.penalty * weights.iter().map(|w| w * w).sum::<f64>()
    }

    /// Loss and gradient of some rows, unscaled.
    fn part(&self, x: &[f64], classes: &[usize], parameters: &[f64]) -> (f64, Vec<f64>) {
        let mut gradient = vec![0.0; self.parameters()];
        let mut z = Vec::new();
        let mut loss = 0.0;
        for (x, classes) in x.chunks(PIECE * self.depth).zip(classes.chunks(PIECE)) {
            let rows = x.len() / self.depth;
            z.resize(rows * self.columns, 0.0);
            let shape = (rows, self.depth, self.columns);
            let left = Left::Rows { stride: self.depth };
            f64::multiply(shape, x, left, parameters, Onto::New(Addend::None), &mut z);
            for (z, &class) in z.chunks_exact_mut(self.columns).zip(classes) {
                loss += if self.rows == 1 {
                    binomial(&mut z[0], class)
                } else {
                    multinomial(&mut z[..self.rows], class)
                };
            }
            let shape = (self.depth, rows, self.columns);
            let left = Left::Columns { stride: self.depth };
            f64::multiply(shape, x, left, &z, Onto::Old, &mut gradient);
        }
        (loss, gradient)
    }
}

/// Replaces a logit by the derivative with respect to it and returns the loss.
fn binomial(z: &mut f64, class: usize) -> f64 {
    let (x, y) = (*z, class as f64);
    let e = (-x.abs()).exp();
    let sigmoid = if x >= 0.0 { 1.0 } else { e } / (1.0 + e);
    *z = sigmoid - y;
    x.max(0.0) + e.ln_1p() - y * x
}

/// Replaces the logits of a row by the derivatives with respect to them and
/// returns the loss.
fn multinomial(z: &mut [f64], class: usize) -> f64 {
    let top = z.iter().fold(f64::NEG_INFINITY, |m, x| m.max(*x));
    let own = z[class] - top;
    let mut sum = 0.0;
    for x in z.iter_mut() {
        *x = (*x - top).exp();
        sum += *x;
    }
    let scale = 1.0 / sum;
    z.iter_mut().for_each(|x| *x *= scale);
    z[class] -= 1.0;
    sum.ln() - own
}

/// The logits of one row.
pub(super) fn logits<T: Real>(row: &[T], coefficients: &[f64], intercepts: &[f64]) -> Vec<f64> {
    intercepts
        .iter()
        .enumerate()
        .map(|(c, intercept)| {
            let weights = &coefficients[c * row.len()..(c + 1) * row.len()];
            let terms = row.iter().zip(weights).map(|(x, w)| x.f64() * w);
            intercept + terms.sum::<f64>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Purpose, Stream};

    #[test]
    fn gradient_matches_finite_differences() {
        let mut draws = Stream::new(0, Purpose::Other(0), 0).draws(0);
        for rows in [1, 3, 5] {
            let kinds = rows.max(2);
            let features: Vec<f64> = (0..7 * 300).map(|_| draws.normal()).collect();
            let classes: Vec<usize> = (0..300).map(|u| u % kinds).collect();
            let objective = Objective::new(&features, 7, &classes, rows, 0.01);
            let n = objective.parameters();
            let mut x: Vec<f64> = (0..n).map(|_| draws.normal()).collect();
            for (i, x) in x.iter_mut().enumerate() {
                if i % objective.columns >= rows || i / objective.columns > 7 {
                    *x = 0.0;
                }
            }
            let (mut gradient, mut scratch) = (vec![0.0; n], vec![0.0; n]);
            objective.evaluate(&x, &mut gradient);
            for i in 0..n {
                if i % objective.columns >= rows || i / objective.columns > 7 {
                    assert_eq!(gradient[i], 0.0, "padding");
                    continue;
                }
                let mut at = |h: f64| {
                    let mut x = x.clone();
                    x[i] += h;
                    objective.evaluate(&x, &mut scratch)
                };
                let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                assert!((slope - gradient[i]).abs() < 1e-8, "{i}: {slope}");
            }
        }
    }
}
