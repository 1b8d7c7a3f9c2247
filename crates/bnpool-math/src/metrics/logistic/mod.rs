//! Logistic regression, as fitted by scikit-learn's `LogisticRegression`. The
//! paper measures ACC with it.

mod objective;

use super::agreement::compact;
use super::classification::accuracy;
use crate::Real;
use crate::optimise::Lbfgs;
use objective::{Objective, logits};
use thiserror::Error;

/// Parameters of the fit of a logistic regression. The defaults are those of
/// scikit-learn, except for a tighter tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogisticConfig {
    /// C: weight of the losses relative to ½‖W‖².
    pub inverse_strength: f64,
    /// Largest gradient entry, per node, at which to stop.
    pub tolerance: f64,
    /// Largest number of L-BFGS iterations.
    pub iterations: usize,
}

impl Default for LogisticConfig {
    fn default() -> Self {
        Self {
            inverse_strength: 1.0,
            tolerance: 1e-7,
            iterations: 100,
        }
    }
}

/// Error of a logistic regression.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum LogisticError {
    /// The features do not have one row per class label.
    #[error("{values} features are not {rows} rows of {width}")]
    Shape {
        /// Number of values.
        values: usize,
        /// Number of labels.
        rows: usize,
        /// Values per row.
        width: usize,
    },
    /// The rows have no features.
    #[error("there are no features: rows must have at least one")]
    NoFeatures,
    /// All rows belong to one class.
    #[error("all {rows} rows are of one class: there must be at least two")]
    OneClass {
        /// Number of labels.
        rows: usize,
    },
    /// A feature is infinite or NaN.
    #[error("feature {column} of row {row} is not finite")]
    NotFinite {
        /// Row of the value.
        row: usize,
        /// Column of the value.
        column: usize,
    },
    /// An invalid penalty.
    #[error("inverse strength {value} of the penalty must be positive and finite")]
    Strength {
        /// Its value.
        value: f64,
    },
}

/// A fitted logistic regression: multinomial, or binomial for two classes.
///
/// Minimises C Σ −ln p(class of node) + ½‖W‖²; intercepts are not penalised.
///
/// ```
/// use bnpool_math::metrics::{LogisticConfig, LogisticRegression};
///
/// let features = [0.0, 1.0, 4.0, 5.0];
/// let fit = LogisticRegression::fit(&features, 1, &[7, 7, 9, 9], &LogisticConfig::default())?;
/// assert_eq!(fit.predict(&[0.5, 4.5])?, [7, 9]);
/// # Ok::<(), bnpool_math::metrics::LogisticError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LogisticRegression {
    classes: Vec<u32>,
    width: usize,
    coefficients: Vec<f64>,
    intercepts: Vec<f64>,
    iterations: usize,
}

impl LogisticRegression {
    /// Fits a regression of the class of each row on `features` [N, width].
    ///
    /// # Errors
    ///
    /// Returns an error if the shapes do not match, all rows are of one class,
    /// a feature is not finite or the penalty is invalid.
    ///
    /// # Complexity
    ///
    /// O(N · width · classes) per iteration, parallel over rows; the features
    /// are copied once in `f64`.
    pub fn fit<T: Real>(
        features: &[T],
        width: usize,
        classes: &[u32],
        config: &LogisticConfig,
    ) -> Result<Self, LogisticError> {
        check(features, width, classes.len())?;
        let (places, values) = compact(classes);
        if values.len() < 2 {
            return Err(LogisticError::OneClass {
                rows: classes.len(),
            });
        }
        let strength = config.inverse_strength;
        if !(strength > 0.0 && strength.is_finite()) {
            return Err(LogisticError::Strength { value: strength });
        }
        // Two classes share one row of coefficients: that of the second class.
        let rows = if values.len() == 2 { 1 } else { values.len() };
        let objective = Objective::new(features, width, &places, rows, strength);
        let method = Lbfgs {
            iterations: config.iterations,
            gradient_tolerance: config.tolerance,
            ..Lbfgs::default()
        };
        let start = vec![0.0; objective.parameters()];
        let minimum = method.minimise(start, |x, gradient| objective.evaluate(x, gradient));
        let (coefficients, intercepts) = objective.unpack(&minimum.point);
        Ok(Self {
            classes: values,
            width,
            coefficients,
            intercepts,
            iterations: minimum.iterations,
        })
    }

    /// The class labels, in ascending order.
    #[must_use]
    pub fn classes(&self) -> &[u32] {
        &self.classes
    }

    /// W, [classes, width] by rows; [1, width] for two classes.
    #[must_use]
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// Intercept of each row of W.
    #[must_use]
    pub fn intercepts(&self) -> &[f64] {
        &self.intercepts
    }

    /// Number of iterations of the fit.
    #[must_use]
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// Returns the most probable class of each row of `features` [N, width];
    /// ties go to the first class.
    ///
    /// # Errors
    ///
    /// Returns an error if the width differs from that of the fit, or a feature
    /// is not finite.
    pub fn predict<T: Real>(&self, features: &[T]) -> Result<Vec<u32>, LogisticError> {
        self.by_row(features, |logits| {
            let best = match logits {
                [one] => usize::from(*one > 0.0),
                many => (1..many.len()).fold(0, |b, c| if many[c] > many[b] { c } else { b }),
            };
            [self.classes[best]]
        })
    }

    /// Returns the probability of each class, [N, classes].
    ///
    /// # Errors
    ///
    /// As [`predict`](Self::predict).
    pub fn probabilities<T: Real>(&self, features: &[T]) -> Result<Vec<f64>, LogisticError> {
        self.by_row(features, |logits| match logits {
            [one] => super::class_probabilities(&[0.0, *one], 2),
            many => super::class_probabilities(many, many.len()),
        })
    }

    fn by_row<T: Real, R, I: IntoIterator<Item = R>>(
        &self,
        features: &[T],
        answer: impl Fn(&[f64]) -> I,
    ) -> Result<Vec<R>, LogisticError> {
        let rows = features.len() / self.width;
        check(features, self.width, rows)?;
        Ok((0..rows)
            .flat_map(|u| {
                let row = &features[u * self.width..(u + 1) * self.width];
                answer(&logits(row, &self.coefficients, &self.intercepts))
            })
            .collect())
    }
}

/// ACC of the paper: the fraction of the rows of `features` [N, width]
/// classified correctly by a logistic regression that is fitted to all of them.
///
/// # Errors
///
/// As [`LogisticRegression::fit`].
///
/// ```
/// use bnpool_math::metrics::logistic_accuracy;
/// // The third row looks like the first two and is of another class.
/// let s = [0.9, 0.1, 0.8, 0.2, 0.9, 0.1, 0.1, 0.9];
/// assert_eq!(logistic_accuracy(&s, 2, &[0, 0, 1, 1])?, 0.75);
/// # Ok::<(), bnpool_math::metrics::LogisticError>(())
/// ```
pub fn logistic_accuracy<T: Real>(
    features: &[T],
    width: usize,
    classes: &[u32],
) -> Result<f64, LogisticError> {
    let fit = LogisticRegression::fit(features, width, classes, &LogisticConfig::default())?;
    Ok(accuracy(&fit.predict(features)?, classes))
}

fn check<T: Real>(features: &[T], width: usize, rows: usize) -> Result<(), LogisticError> {
    if width == 0 {
        return Err(LogisticError::NoFeatures);
    }
    if features.len() != rows * width {
        return Err(LogisticError::Shape {
            values: features.len(),
            rows,
            width,
        });
    }
    match features.iter().position(|x| !x.finite()) {
        Some(place) => Err(LogisticError::NotFinite {
            row: place / width,
            column: place % width,
        }),
        None => Ok(()),
    }
}
