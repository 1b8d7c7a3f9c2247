//! Training curves of the folds.

use super::epochs::Timeline;
use super::score::Score;
use super::{EpochPoint, LearnReport};
use crate::chart::{Chart, LineChart, Rgb, Series, Span, Which, categorical};
use crate::number::{count, counted};

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
