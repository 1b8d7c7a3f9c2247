//! Objectives for graphs: losses, predictions and metrics.

use crate::TaskError;
use bnpool_graph::{Graph, Target, Targets};
use bnpool_io::dataset::Metric;
use bnpool_math::metrics::{
    accuracy, area_under_roc, class_probabilities, macro_area_under_roc, predicted_classes,
};
use burn::tensor::{Device, Int, Tensor, TensorData, activation};
use serde::{Deserialize, Serialize};

/// Kind of prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum Objective {
    /// One of several classes; trained by cross-entropy.
    Classes {
        /// Number of classes.
        count: usize,
    },
    /// Several yes-or-no labels, some of which may be missing; trained by binary
    /// cross-entropy.
    Labels {
        /// Number of labels.
        count: usize,
    },
    /// Numbers, some of which may be missing; trained by squared error.
    Numbers {
        /// Number of values.
        count: usize,
    },
}

/// Metric of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Fraction of correct predictions.
    Acc,
    /// Area under the receiver operating characteristic.
    Auroc,
    /// Mean absolute error.
    Mae,
}

impl Score {
    /// Returns the name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Acc => "acc",
            Self::Auroc => "auroc",
            Self::Mae => "mae",
        }
    }

    /// Returns the full name.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Acc => "accuracy",
            Self::Auroc => "area under the ROC curve",
            Self::Mae => "mean absolute error",
        }
    }

    /// Returns whether lower values are better.
    #[must_use]
    pub fn is_error(self) -> bool {
        self == Self::Mae
    }

    /// Formats fractions in percent, and errors unchanged.
    #[must_use]
    pub fn shown(self, value: Option<f64>) -> String {
        match value {
            None => "–".into(),
            Some(x) if self.is_error() => format!("{x:.4}"),
            Some(x) => format!("{:.1} %", 100.0 * x),
        }
    }
}

impl From<Metric> for Score {
    fn from(metric: Metric) -> Self {
        match metric {
            Metric::Accuracy => Self::Acc,
            Metric::Auroc => Self::Auroc,
            Metric::Mae => Self::Mae,
        }
    }
}

impl Objective {
    /// Determines the objective from the targets of graphs. Numbers that are
    /// all 0, 1 or missing are labels unless `numbers` is true.
    ///
    /// # Errors
    ///
    /// Returns an error if a graph has no target, targets are of different
    /// kinds, or there is only one class or number.
    pub fn of(graphs: &[Graph], classes: usize, numbers: bool) -> Result<Self, TaskError> {
        let first = graphs.first().ok_or(TaskError::NoGraphs)?;
        match first.target() {
            None => Err(TaskError::NoTarget { graph: 0 }),
            Some(Target::Class(_)) => {
                let mut most = classes;
                for (graph, g) in graphs.iter().enumerate() {
                    match g.target() {
                        Some(Target::Class(class)) => most = most.max(*class as usize + 1),
                        Some(Target::Values(_)) => return Err(TaskError::MixedTargets { graph }),
                        None => return Err(TaskError::NoTarget { graph }),
                    }
                }
                let distinct = graphs.iter().any(|g| g.target() != first.target());
                if most < 2 || !distinct {
                    return Err(TaskError::OneClass);
                }
                Ok(Self::Classes { count: most })
            }
            Some(Target::Values(values)) => {
                let count = values.len();
                let mut binary = !numbers;
                let mut known: Vec<Option<f32>> = vec![None; count];
                let mut varied = false;
                for (graph, g) in graphs.iter().enumerate() {
                    match g.target() {
                        Some(Target::Values(v)) if v.len() == count => {
                            binary &= v.iter().all(|x| x.is_nan() || *x == 0.0 || *x == 1.0);
                            for (known, &x) in known.iter_mut().zip(v).filter(|p| !p.1.is_nan()) {
                                varied |= *known.get_or_insert(x) != x;
                            }
                        }
                        Some(_) => return Err(TaskError::MixedTargets { graph }),
                        None => return Err(TaskError::NoTarget { graph }),
                    }
                }
                if !varied {
                    return Err(TaskError::OneValue);
                }
                Ok(if binary {
                    Self::Labels { count }
                } else {
                    Self::Numbers { count }
                })
            }
        }
    }

    /// Returns the default metric.
    #[must_use]
    pub fn usual_score(self) -> Score {
        match self {
            Self::Classes { .. } => Score::Acc,
            Self::Labels { .. } => Score::Auroc,
            Self::Numbers { .. } => Score::Mae,
        }
    }

    /// Returns the number of outputs of a network.
    #[must_use]
    pub fn outputs(self) -> usize {
        match self {
            Self::Classes { count } | Self::Labels { count } | Self::Numbers { count } => count,
        }
    }

    /// Computes the task loss of a batch, one value: the mean over graphs, or
    /// over the present labels. Differences of numbers are divided by `unit`,
    /// if given.
    ///
    /// # Shapes
    ///
    /// - outputs: [graphs, count]
    /// - unit: one number per output
    ///
    /// # Panics
    ///
    /// Panics if the targets are of another kind.
    #[must_use]
    pub fn loss(self, outputs: Tensor<2>, targets: &Targets, unit: Option<Tensor<1>>) -> Tensor<1> {
        let device = outputs.device();
        match (self, targets) {
            (Self::Classes { .. }, Targets::Classes(classes)) => {
                let rows = classes.len();
                let classes: Vec<i64> = classes.iter().map(|&c| i64::from(c)).collect();
                let data = TensorData::new(classes, [rows, 1]);
                let index = Tensor::<2, Int>::from_data(data, &device);
                let likelihood = activation::log_softmax(outputs, 1).gather(1, index);
                likelihood.mean().neg()
            }
            (Self::Labels { .. }, Targets::Values { width, values }) => {
                let (wanted, there, share) = masked(values, *width, &outputs, &device);
                // ln(1 + eˣ) − x y, stable on both sides.
                let softplus = activation::softplus(outputs.clone(), 1.0);
                ((softplus - outputs * wanted) * there).sum() * share
            }
            (Self::Numbers { .. }, Targets::Values { width, values }) => {
                let (wanted, there, share) = masked(values, *width, &outputs, &device);
                let mut difference = (outputs - wanted) * there;
                if let Some(unit) = unit {
                    difference = difference / unit.unsqueeze();
                }
                (difference.clone() * difference).sum() * share
            }
            _ => panic!("the targets are of another kind than the objective"),
        }
    }

    /// Returns the predictions for graphs: probabilities of classes or labels, or
    /// numbers; `count` values per graph.
    #[must_use]
    pub fn predictions(self, outputs: &[f32]) -> Vec<f64> {
        match self {
            Self::Classes { count } => class_probabilities(outputs, count),
            Self::Labels { .. } => outputs
                .iter()
                .map(|&x| 1.0 / (1.0 + (-f64::from(x)).exp()))
                .collect(),
            Self::Numbers { .. } => outputs.iter().map(|&x| f64::from(x)).collect(),
        }
    }

    /// Computes the metric of predictions. It is NaN if undefined, such as the
    /// area under the curve if all graphs have the same class.
    #[must_use]
    pub fn score(self, score: Score, predictions: &[f64], targets: &Targets) -> f64 {
        match (self, targets) {
            (Self::Classes { count }, Targets::Classes(classes)) => match score {
                Score::Auroc => {
                    macro_area_under_roc(predictions, count, classes).unwrap_or(f64::NAN)
                }
                _ => accuracy(&predicted_classes(predictions, count), classes),
            },
            (Self::Labels { count }, Targets::Values { values, .. }) => {
                label_score(score, count, predictions, values)
            }
            (_, Targets::Values { values, .. }) => mean(
                predictions
                    .iter()
                    .zip(values)
                    .filter(|(_, v)| !v.is_nan())
                    .map(|(p, &v)| (p - f64::from(v)).abs()),
            ),
            (_, Targets::Classes(_)) => f64::NAN,
        }
    }
}

/// Returns targets with zeros for missing values, a mask, and 1 / number of
/// present values.
fn masked(
    values: &[f32],
    width: usize,
    like: &Tensor<2>,
    device: &Device,
) -> (Tensor<2>, Tensor<2>, f64) {
    let rows = values.len() / width.max(1);
    let tensor = |values: Vec<f32>| {
        Tensor::<2>::from_data(
            TensorData::new(values, [rows, width]),
            (device, like.dtype()),
        )
    };
    let there: Vec<f32> = values.iter().map(|v| f32::from(!v.is_nan())).collect();
    let wanted = values.iter().map(|&v| if v.is_nan() { 0.0 } else { v });
    let count = there.iter().filter(|&&t| t > 0.0).count();
    let wanted = tensor(wanted.collect());
    (wanted, tensor(there), 1.0 / count.max(1) as f64)
}

/// Computes the mean of the metric over the labels for which it is defined.
fn label_score(score: Score, count: usize, predictions: &[f64], values: &[f32]) -> f64 {
    mean((0..count).filter_map(|label| {
        let pairs: Vec<(f64, bool)> = predictions
            .iter()
            .zip(values)
            .skip(label)
            .step_by(count)
            .filter(|(_, v)| !v.is_nan())
            .map(|(&p, &v)| (p, v > 0.5))
            .collect();
        let (scores, positive): (Vec<f64>, Vec<bool>) = pairs.into_iter().unzip();
        match score {
            Score::Auroc => area_under_roc(&scores, &positive),
            _ => (!scores.is_empty()).then(|| {
                let right = scores
                    .iter()
                    .zip(&positive)
                    .filter(|(p, y)| (**p > 0.5) == **y);
                right.count() as f64 / scores.len() as f64
            }),
        }
    }))
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), x| (sum + x, count + 1));
    if count == 0 {
        f64::NAN
    } else {
        sum / f64::from(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outputs(values: &[f32], width: usize) -> Tensor<2> {
        let shape = [values.len() / width, width];
        Tensor::from_data(TensorData::new(values.to_vec(), shape), &Device::flex())
    }

    fn value(x: Tensor<1>) -> f64 {
        x.into_scalar::<f64>()
    }

    #[test]
    fn losses_match_their_definitions() {
        let classes = Objective::Classes { count: 2 };
        let loss = classes.loss(
            outputs(&[0.0, 0.0, 1.0, -1.0], 2),
            &Targets::Classes(vec![1, 0]),
            None,
        );
        let want = (2.0_f64.ln() + (1.0 + (-2.0_f64).exp()).ln()) / 2.0;
        assert!((value(loss) - want).abs() < 1e-6);
        let targets = Targets::Values {
            width: 2,
            values: vec![1.0, f32::NAN, 0.0, 1.0],
        };
        let labels = Objective::Labels { count: 2 };
        let loss = value(labels.loss(outputs(&[0.0, 9.0, 0.0, 100.0], 2), &targets, None));
        assert!(
            (loss - 2.0 * 2.0_f64.ln() / 3.0).abs() < 1e-6,
            "missing labels do not count"
        );
        let numbers = Objective::Numbers { count: 2 };
        let loss = |unit| {
            let outputs = outputs(&[2.0, 9.0, 0.0, 3.0], 2);
            value(numbers.loss(outputs, &targets, unit))
        };
        assert!((loss(None) - (1.0 + 4.0) / 3.0).abs() < 1e-6);
        let unit = Tensor::from_data([0.5, 4.0], &Device::flex());
        assert!((loss(Some(unit)) - (4.0 + 0.25) / 3.0).abs() < 1e-6);
    }

    #[test]
    fn metrics_skip_what_is_missing() {
        let targets = Targets::Values {
            width: 2,
            values: vec![1.0, f32::NAN, 0.0, 1.0],
        };
        let labels = Objective::Labels { count: 2 };
        // The second label has only one class, so the area is undefined.
        assert_eq!(
            labels.score(Score::Auroc, &[0.9, 0.1, 0.2, 0.3], &targets),
            1.0
        );
        let numbers = Objective::Numbers { count: 2 };
        assert_eq!(
            numbers.score(Score::Mae, &[0.0, 9.0, 0.0, 3.0], &targets),
            1.0
        );
        let nothing = Targets::Values {
            width: 1,
            values: vec![f32::NAN],
        };
        assert!(numbers.score(Score::Mae, &[1.0], &nothing).is_nan());
    }
}
