//! Training curves of the folds, over common epochs.

use std::collections::BTreeSet;

use super::score::Score;
use super::{EpochPoint, FoldReport, LearnReport};
use crate::chart::{Chart, LineChart, Rgb, Series, Span, Which, categorical};
use crate::number::{count, counted, evenly};

/// Largest number of lines of a chart; more cannot be distinguished.
pub(super) const MOST_FOLDS: usize = 10;
/// Largest total number of points of a chart, which bounds the size of the
/// page.
const POINTS: usize = 5000;
/// Smallest and largest number of points of a line: about two per pixel.
const A_LINE: [usize; 2] = [250, 1000];

/// Histories over a common axis.
#[derive(Debug, Clone)]
pub(super) struct Timeline {
    /// Drawn epochs, in ascending order.
    epochs: Vec<usize>,
    /// Folds with a history.
    folds: Vec<Fold>,
}

#[derive(Debug, Clone)]
struct Fold {
    name: String,
    best: usize,
    /// In ascending order of the epochs.
    history: Vec<EpochPoint>,
}

impl Fold {
    fn new(fold: &FoldReport<'_>) -> Self {
        let mut history = fold.history.to_vec();
        history.sort_by_key(|point| point.epoch);
        Self {
            name: format!("fold {}", fold.fold),
            best: fold.best_epoch,
            history,
        }
    }

    /// Latest point at an epoch; `None` before the first and after the last
    /// one.
    fn at(&self, epoch: usize) -> Option<&EpochPoint> {
        let after = self.history.partition_point(|point| point.epoch <= epoch);
        let last = self.history.last()?.epoch;
        if epoch <= last {
            self.history.get(after.checked_sub(1)?)
        } else {
            None
        }
    }

    fn has(&self, epoch: usize) -> bool {
        let epochs = self.history.iter();
        epochs.map(|point| point.epoch).any(|own| own == epoch)
    }
}

impl Timeline {
    /// Builds the timeline of the first folds with a history; `None` if there
    /// are none.
    pub(super) fn new(report: &LearnReport<'_>) -> Option<Self> {
        let folds = report.folds.iter().filter(|fold| !fold.history.is_empty());
        let folds: Vec<Fold> = folds.take(MOST_FOLDS).map(Fold::new).collect();
        let points = folds.iter().flat_map(|fold| &fold.history);
        let all: BTreeSet<usize> = points.map(|point| point.epoch).collect();
        let all: Vec<usize> = all.into_iter().collect();
        if all.is_empty() {
            return None;
        }
        let most = (POINTS / folds.len().max(1)).clamp(A_LINE[0], A_LINE[1]);
        let mut epochs: BTreeSet<usize> = evenly(all.len(), most).map(|i| all[i]).collect();
        // Best epochs are marked, so they must be kept.
        epochs.extend(folds.iter().filter(|f| f.has(f.best)).map(|f| f.best));
        Some(Self {
            epochs: epochs.into_iter().collect(),
            folds,
        })
    }

    /// Number of drawn folds.
    pub(super) fn folds(&self) -> usize {
        self.folds.len()
    }

    /// The epochs as horizontal coordinates.
    pub(super) fn x(&self) -> Vec<f64> {
        self.epochs.iter().map(|&epoch| epoch as f64).collect()
    }

    /// Last epoch of any fold.
    pub(super) fn last(&self) -> usize {
        self.epochs.last().copied().unwrap_or(0)
    }

    /// Returns whether any fold has such a point at any epoch.
    pub(super) fn any(&self, is: impl Fn(&EpochPoint) -> bool) -> bool {
        self.folds.iter().any(|fold| fold.history.iter().any(&is))
    }

    fn line(&self, fold: &Fold, value: impl Fn(&EpochPoint) -> f64) -> Vec<f64> {
        let at = |&epoch: &usize| fold.at(epoch).map_or(f64::NAN, &value);
        self.epochs.iter().map(at).collect()
    }

    /// One line per fold, with a dot at its best epoch.
    pub(super) fn lines(&self, value: impl Fn(&EpochPoint) -> f64) -> Vec<Series> {
        let folds = self.folds.iter().enumerate();
        folds
            .map(|(i, fold)| Series {
                mark: self.epochs.binary_search(&fold.best).ok(),
                ..Series::new(&fold.name, categorical(i), self.line(fold, &value))
            })
            .collect()
    }

    /// The line of the fold that was trained longest.
    pub(super) fn longest(&self, value: impl Fn(&EpochPoint) -> f64) -> Vec<f64> {
        let folds = self.folds.iter().rev();
        let longest = folds.max_by_key(|fold| fold.history.last().map(|point| point.epoch));
        longest.map_or(Vec::new(), |fold| self.line(fold, value))
    }
}

/// Colour of γ, which belongs to all folds.
const NEUTRAL: Rgb = Rgb(0x7d, 0x87, 0x93);

/// The charts of training, if they have data.
#[derive(Debug, Clone, Default)]
pub(super) struct Curves {
    /// Number of drawn folds.
    pub(super) folds: usize,
    /// Both losses in one chart, for a single fold.
    pub(super) losses: Option<Chart>,
    pub(super) train_loss: Option<Chart>,
    pub(super) validation_loss: Option<Chart>,
    pub(super) metric: Option<Chart>,
    pub(super) auxiliary: Option<Chart>,
    pub(super) clusters: Option<Chart>,
    pub(super) rate: Option<Chart>,
}

impl Curves {
    pub(super) fn draw(report: &LearnReport<'_>) -> Self {
        let Some(timeline) = Timeline::new(report) else {
            return Self::default();
        };
        let score = Score::of(report.metric);
        let marked = |name: &str, span, of: &dyn Fn(&EpochPoint) -> f64| {
            let any = timeline.any(|point| of(point).is_finite());
            any.then(|| lines(&timeline, name, span, timeline.lines(of)))
        };
        let plain = |name: &str, span, of: &dyn Fn(&EpochPoint) -> f64| {
            let any = timeline.any(|point| of(point).is_finite());
            any.then(|| lines(&timeline, name, span, unmarked(timeline.lines(of))))
        };
        let (losses, train_loss, validation_loss) = match timeline.folds() {
            1 => (both_losses(&timeline), None, None),
            _ => (
                None,
                marked("training loss", Span::FromZero, &|p| p.train_loss),
                marked("validation loss", Span::FromZero, &|p| p.validation_loss),
            ),
        };
        Self {
            folds: timeline.folds(),
            losses,
            train_loss,
            validation_loss,
            metric: marked(&score.axis(), Span::Close, &|p| score.scaled(p.validation)),
            auxiliary: auxiliary(&timeline),
            clusters: plain("non-empty clusters", Span::Whole, &|p| {
                p.clusters.unwrap_or(f64::NAN)
            }),
            rate: plain("learning rate", Span::FromZero, &|p| p.learning_rate),
        }
    }
}

fn lines(timeline: &Timeline, name: &str, left: Span, series: Vec<Series>) -> Chart {
    LineChart {
        alt: format!(
            "{name} of {} over {} epochs.",
            counted(timeline.folds(), "fold", "folds"),
            count(timeline.last())
        ),
        x_name: "epoch".to_owned(),
        left_name: name.to_owned(),
        right_name: "γ".to_owned(),
        x: timeline.x(),
        series,
        left,
    }
    .draw()
}

/// Removes the dots of best epochs, which are only relevant for the validation
/// of the task.
fn unmarked(mut series: Vec<Series>) -> Vec<Series> {
    for line in &mut series {
        line.mark = None;
    }
    series
}

/// Training and validation loss of the only fold.
fn both_losses(timeline: &Timeline) -> Option<Chart> {
    let both = [
        ("training", timeline.lines(|p| p.train_loss)),
        ("validation", timeline.lines(|p| p.validation_loss)),
    ];
    let series: Vec<Series> = both
        .into_iter()
        .flat_map(|(name, lines)| lines.into_iter().map(move |line| (name, line)))
        .filter(|(_, line)| line.values.iter().any(|value| value.is_finite()))
        .enumerate()
        .map(|(i, (name, line))| Series {
            name: name.to_owned(),
            colour: categorical(i),
            ..line
        })
        .collect();
    (!series.is_empty()).then(|| lines(timeline, "loss", Span::FromZero, series))
}

/// Draws the auxiliary loss; `None` if the pooler has none.
fn auxiliary(timeline: &Timeline) -> Option<Chart> {
    let used = |value: f64| value.is_finite() && value != 0.0;
    if !timeline.any(|point| used(point.auxiliary)) {
        return None;
    }
    let mut series = unmarked(timeline.lines(|point| point.auxiliary));
    if timeline.any(|point| used(point.gamma)) {
        series.push(Series {
            axis: Which::Right,
            ..Series::new("γ", NEUTRAL, timeline.longest(|point| point.gamma))
        });
    }
    Some(lines(timeline, "auxiliary loss", Span::FromZero, series))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(epoch: usize) -> EpochPoint {
        EpochPoint {
            epoch,
            train_loss: epoch as f64,
            auxiliary: 0.0,
            validation_loss: 0.0,
            validation: 0.0,
            learning_rate: 0.1,
            gamma: 1.0,
            clusters: None,
        }
    }

    fn timeline(histories: &[Vec<EpochPoint>], best: usize) -> Option<Timeline> {
        let fold = |(fold, history)| FoldReport {
            fold,
            history,
            best_epoch: best,
            validation: 0.0,
            test: 0.0,
            graphs: [1; 3],
            clusters_mean: None,
        };
        let histories = histories.iter().map(Vec::as_slice);
        let folds: Vec<FoldReport<'_>> = histories.enumerate().map(fold).collect();
        Timeline::new(&LearnReport {
            title: "",
            dataset: "",
            pooler: "",
            task: "",
            metric: "acc",
            folds: &folds,
            confusion: None,
            roc: &[],
            values: &[],
            clusters: &[],
            samples: &[],
            metrics: &[],
            notes: &[],
            config_toml: "",
            version: "",
        })
    }

    #[test]
    fn long_histories_are_thinned_but_keep_ends_and_best_epochs() {
        let long: Vec<EpochPoint> = (1..=12_345).map(point).collect();
        let timeline = timeline(&[long], 7777).unwrap();
        assert!(timeline.epochs.len() <= A_LINE[1] + 1);
        assert_eq!((timeline.epochs[0], timeline.last()), (1, 12_345));
        let line = &timeline.lines(|p| p.train_loss)[0];
        assert_eq!(line.values[line.mark.unwrap()], 7777.0);
    }

    #[test]
    fn folds_end_where_they_end() {
        let [short, long] = [3, 5].map(|n| (1..=n).rev().map(point).collect::<Vec<_>>());
        let timeline = timeline(&[vec![], short, long], 99).unwrap();
        let lines = timeline.lines(|p| p.train_loss);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].values[..3], [1.0, 2.0, 3.0]);
        assert!(lines[0].values[3].is_nan() && lines[0].mark.is_none());
        assert_eq!(timeline.longest(|p| p.train_loss)[4], 5.0);
    }

    #[test]
    fn no_history_is_no_timeline() {
        assert!(timeline(&[], 1).is_none());
        assert!(timeline(&[vec![]], 1).is_none());
    }
}
