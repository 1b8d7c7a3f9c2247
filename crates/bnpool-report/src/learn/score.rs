//! The metric of a run: its meaning and formatting.

use crate::number::significant;

/// Kind of metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Score<'a> {
    Accuracy,
    Area,
    Error,
    Other(&'a str),
}

impl<'a> Score<'a> {
    pub(super) fn of(metric: &'a str) -> Self {
        match metric {
            "acc" => Self::Accuracy,
            "auroc" => Self::Area,
            "mae" => Self::Error,
            other => Self::Other(other),
        }
    }

    /// Name for headings and axes.
    pub(super) fn name(self) -> &'a str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Area => "area under the ROC curve",
            Self::Error => "mean absolute error",
            Self::Other(name) => name,
        }
    }

    /// Name with the unit.
    pub(super) fn axis(self) -> String {
        if self.is_share() {
            format!("{} (%)", self.name())
        } else {
            self.name().to_owned()
        }
    }

    /// Returns whether it is a fraction, which is written in percent.
    pub(super) fn is_share(self) -> bool {
        matches!(self, Self::Accuracy | Self::Area)
    }

    /// A value as drawn in charts.
    pub(super) fn scaled(self, value: f64) -> f64 {
        if self.is_share() {
            100.0 * value
        } else {
            value
        }
    }

    /// A value as text.
    pub(super) fn text(self, value: f64) -> String {
        match (value.is_finite(), self.is_share()) {
            (false, _) => "–".to_owned(),
            (true, true) => format!("{:.1} %", 100.0 * value),
            (true, false) => significant(value, 3),
        }
    }

    /// A mean as text, with the standard deviation if there are several values.
    pub(super) fn spread_text(self, spread: &Spread) -> String {
        if spread.count < 2 {
            return self.text(spread.mean);
        }
        if self.is_share() {
            let [mean, deviation] = [spread.mean, spread.deviation].map(|x| 100.0 * x);
            return format!("{mean:.1} ± {deviation:.1} %");
        }
        let plain = (1e-4..1e6).contains(&spread.mean.abs());
        if !plain || spread.deviation < 1e-6 {
            let mean = significant(spread.mean, 3);
            return format!("{mean} ± {}", significant(spread.deviation, 2));
        }
        // Both with as many decimals as two digits of the deviation need.
        let decimals = (1.0 - spread.deviation.log10().floor()).clamp(0.0, 8.0) as usize;
        let text = format!(
            "{:.*} ± {:.*}",
            decimals, spread.mean, decimals, spread.deviation
        );
        text.replace('-', "−")
    }
}

/// Mean and standard deviation of some values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    /// Number of finite values; the others are ignored.
    pub(super) count: usize,
    pub(super) mean: f64,
    /// Population standard deviation, as the folds are the whole population.
    pub(super) deviation: f64,
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Spread {
    /// Computes the spread; `None` if no value is finite.
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        if values.is_empty() {
            return None;
        }
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares = values.iter().map(|value| (value - mean) * (value - mean));
        Some(Self {
            count: values.len(),
            mean,
            deviation: (squares.sum::<f64>() / count).sqrt(),
            least: values.iter().copied().fold(f64::INFINITY, f64::min),
            most: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_leave_out_what_is_not_finite() {
        let spread = Spread::of([0.8, f64::NAN, 0.9, f64::INFINITY].into_iter()).unwrap();
        assert_eq!(spread.count, 2);
        assert_eq!((spread.least, spread.most), (0.8, 0.9));
        assert_eq!(Score::Accuracy.spread_text(&spread), "85.0 ± 5.0 %");
        assert_eq!(Spread::of([f64::NAN].into_iter()), None);
    }

    #[test]
    fn values_for_people() {
        assert_eq!(Score::Area.text(0.98765), "98.8 %");
        assert_eq!(Score::Error.text(0.098765), "0.0988");
        assert_eq!(Score::Error.text(f64::NAN), "–");
        let text = |values: [f64; 2]| {
            let spread = Spread::of(values.into_iter()).unwrap();
            Score::Error.spread_text(&spread)
        };
        assert_eq!(text([0.612, 0.588]), "0.600 ± 0.012");
        assert_eq!(text([1.5, 1.5]), "1.5 ± 0");
        assert_eq!(text([1234.5, 1250.0]), "1242.2 ± 7.8");
        assert_eq!(text([2e-7, 4e-7]), "3.00e−7 ± 1.0e−7");
    }
}
