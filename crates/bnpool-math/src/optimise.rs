//! Limited-memory BFGS (Nocedal, 1980) with a line search for the weak Wolfe
//! conditions.

use std::collections::VecDeque;

/// Settings of the limited-memory BFGS method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lbfgs {
    /// Number of (step, gradient change) pairs that approximate the Hessian.
    pub memory: usize,
    /// Largest number of iterations.
    pub iterations: usize,
    /// Largest |∂f/∂x_i| at which x counts as a minimum.
    pub gradient_tolerance: f64,
    /// Relative decrease of f below which the search stops.
    pub value_tolerance: f64,
}

impl Default for Lbfgs {
    fn default() -> Self {
        Self {
            memory: 10,
            iterations: 100,
            gradient_tolerance: 1e-8,
            value_tolerance: 64.0 * f64::EPSILON,
        }
    }
}

/// Result of a minimisation.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimum {
    /// Final point.
    pub point: Vec<f64>,
    /// Value of f at the point.
    pub value: f64,
    /// Largest |∂f/∂x_i| at the point.
    pub gradient: f64,
    /// Number of iterations.
    pub iterations: usize,
}

/// Sufficient decrease, as a fraction of that predicted by the slope.
const DECREASE: f64 = 1e-4;
/// Largest remaining slope, as a fraction of that at the start.
const CURVATURE: f64 = 0.9;
/// Largest number of trial points per line search.
const TRIALS: usize = 50;

/// A point with its value and gradient.
#[derive(Clone)]
struct Place {
    x: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
}

/// A step and the change of the gradient along it.
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    /// 1 / (step · change), positive.
    inverse: f64,
}

impl Lbfgs {
    /// Searches for a minimum of f, starting at `start`. `f(x, gradient)`
    /// returns the value and fills the gradient.
    ///
    /// # Complexity
    ///
    /// Usually one evaluation of f and 4 · memory · n multiplications per
    /// iteration; 2 · memory · n numbers are kept.
    ///
    /// ```
    /// use bnpool_math::optimise::Lbfgs;
    ///
    /// let minimum = Lbfgs::default().minimise(vec![0.0], |x, gradient| {
    ///     gradient[0] = 2.0 * (x[0] - 3.0);
    ///     (x[0] - 3.0).powi(2)
    /// });
    /// assert!((minimum.point[0] - 3.0).abs() < 1e-8);
    /// ```
    #[must_use]
    pub fn minimise(
        &self,
        start: Vec<f64>,
        mut f: impl FnMut(&[f64], &mut [f64]) -> f64,
    ) -> Minimum {
        let mut evaluate = |x: Vec<f64>| {
            let mut gradient = vec![0.0; x.len()];
            let value = f(&x, &mut gradient);
            Place { x, value, gradient }
        };
        let mut here = evaluate(start);
        let mut pairs: VecDeque<Pair> = VecDeque::with_capacity(self.memory);
        let mut iterations = 0;
        while iterations < self.iterations && largest(&here.gradient) > self.gradient_tolerance {
            let direction = descent(&here.gradient, &pairs);
            // Without curvature the scale is unknown: take a short step.
            let first = if pairs.is_empty() {
                (1.0 / norm(&here.gradient)).min(1.0)
            } else {
                1.0
            };
            let Some(next) = search(&here, &direction, first, &mut evaluate) else {
                if pairs.is_empty() {
                    break;
                }
                // Rounding has spoilt the stored pairs: restart from the
                // gradient.
                pairs.clear();
                continue;
            };
            iterations += 1;
            remember(&mut pairs, self.memory, &here, &next);
            let gain = here.value - next.value;
            let scale = here.value.abs().max(next.value.abs()).max(1.0);
            here = next;
            if gain <= self.value_tolerance * scale {
                break;
            }
        }
        Minimum {
            gradient: largest(&here.gradient),
            point: here.x,
            value: here.value,
            iterations,
        }
    }
}

/// −H g by the two-loop recursion.
fn descent(gradient: &[f64], pairs: &VecDeque<Pair>) -> Vec<f64> {
    let mut d: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut along = Vec::with_capacity(pairs.len());
    for pair in pairs.iter().rev() {
        let a = pair.inverse * dot(&pair.step, &d);
        add(-a, &pair.change, &mut d);
        along.push(a);
    }
    if let Some(last) = pairs.back() {
        let scale = 1.0 / (last.inverse * dot(&last.change, &last.change));
        d.iter_mut().for_each(|x| *x *= scale);
    }
    for (pair, a) in pairs.iter().zip(along.into_iter().rev()) {
        let b = pair.inverse * dot(&pair.change, &d);
        add(a - b, &pair.step, &mut d);
    }
    d
}

/// Finds a point along the direction that satisfies the weak Wolfe conditions,
/// by bisection between a step that is too short and one that is too long.
/// `None` if rounding leaves no decrease.
fn search(
    here: &Place,
    direction: &[f64],
    first: f64,
    evaluate: &mut impl FnMut(Vec<f64>) -> Place,
) -> Option<Place> {
    let slope = dot(&here.gradient, direction);
    // A NaN slope is not a descent direction either.
    if slope.is_nan() || slope >= 0.0 {
        return None;
    }
    let (mut short, mut long) = (0.0, f64::INFINITY);
    let mut step = first;
    // The lowest point so far with sufficient decrease, used when trials run
    // out.
    let mut best: Option<Place> = None;
    for _ in 0..TRIALS {
        let mut x = here.x.clone();
        add(step, direction, &mut x);
        let there = evaluate(x);
        // A NaN value means that the step is too long, like a value that is too
        // high.
        let low_enough = there.value <= here.value + DECREASE * step * slope;
        if !low_enough {
            long = step;
        } else if dot(&there.gradient, direction) < CURVATURE * slope {
            short = step;
            best = Some(there);
        } else {
            return Some(there);
        }
        step = if long.is_finite() {
            0.5 * (short + long)
        } else {
            2.0 * short
        };
    }
    best
}

/// Keeps the newest pairs; those without positive curvature would spoil the
/// approximation.
fn remember(pairs: &mut VecDeque<Pair>, memory: usize, here: &Place, next: &Place) {
    let difference = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect();
    let step: Vec<f64> = difference(&next.x, &here.x);
    let change: Vec<f64> = difference(&next.gradient, &here.gradient);
    let curvature = dot(&step, &change);
    if curvature <= f64::EPSILON * dot(&change, &change) || memory == 0 {
        return;
    }
    if pairs.len() == memory {
        pairs.pop_front();
    }
    pairs.push_back(Pair {
        step,
        change,
        inverse: 1.0 / curvature,
    });
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// y += a x.
fn add(a: f64, x: &[f64], y: &mut [f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_bottom_of_a_bent_valley() {
        // Rosenbrock's function in 20 dimensions.
        let method = Lbfgs {
            iterations: 500,
            value_tolerance: 0.0,
            ..Lbfgs::default()
        };
        let minimum = method.minimise(vec![-1.2; 20], |x, g| {
            g.fill(0.0);
            let mut value = 0.0;
            for i in 0..x.len() - 1 {
                let (a, b) = (1.0 - x[i], x[i + 1] - x[i] * x[i]);
                value += a * a + 100.0 * b * b;
                g[i] += -2.0 * a - 400.0 * b * x[i];
                g[i + 1] += 200.0 * b;
            }
            value
        });
        assert!(minimum.gradient <= 1e-8, "{minimum:?}");
        assert!(minimum.iterations < 500);
        // There is a local minimum beside that of all ones.
        assert!(minimum.value < 5.0);
    }

    #[test]
    fn quadratics_of_any_scale() {
        for scale in [1e-6, 1.0, 1e8] {
            let method = Lbfgs {
                gradient_tolerance: 1e-10 * scale,
                value_tolerance: 0.0,
                ..Lbfgs::default()
            };
            let minimum = method.minimise(vec![0.0; 8], |x, g| {
                let mut value = 0.0;
                for i in 0..8 {
                    let (weight, e) = (scale * (1 + i) as f64, x[i] - i as f64);
                    value += 0.5 * weight * e * e;
                    g[i] = weight * e;
                }
                value
            });
            for (i, x) in minimum.point.iter().enumerate() {
                assert!((x - i as f64).abs() < 1e-8, "{scale}: {minimum:?}");
            }
        }
    }

    #[test]
    fn a_minimum_is_left_alone_and_nonsense_ends() {
        let method = Lbfgs::default();
        let still = method.minimise(vec![1.0], |_, g| {
            g[0] = 0.0;
            7.0
        });
        assert_eq!((still.iterations, still.value), (0, 7.0));
        // A gradient that points the wrong way never decreases anything.
        let wrong = method.minimise(vec![1.0], |x, g| {
            g[0] = -1.0;
            x[0]
        });
        assert_eq!((wrong.iterations, wrong.point[0]), (0, 1.0));
        let nothing = method.minimise(vec![0.0], |_, g| {
            g[0] = f64::NAN;
            f64::NAN
        });
        assert_eq!(nothing.iterations, 0);
    }

    #[test]
    fn walls_of_infinity_are_not_crossed() {
        // x − ln x, defined for x > 0 only.
        let minimum = Lbfgs::default().minimise(vec![1e-3], |x, g| {
            if x[0] <= 0.0 {
                g[0] = f64::NAN;
                return f64::NAN;
            }
            g[0] = 1.0 - 1.0 / x[0];
            x[0] - x[0].ln()
        });
        assert!((minimum.point[0] - 1.0).abs() < 1e-6, "{minimum:?}");
    }
}
