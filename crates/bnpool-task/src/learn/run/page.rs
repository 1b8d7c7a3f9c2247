//! Report of a run.

use super::Plan;
use super::facts::Facts;
use super::fold::{FinishedFold, FoldFiles};
use super::metrics::Metrics;
use super::output::read_model;
use super::source::Input;
use crate::Failure;
use crate::TaskError;
use crate::failure::Terms;
use crate::learn::{LearnEpoch, ModelCard, Objective, Prediction, TrainedModel};
use crate::run::page::{Page, cannot_draw, metric_rows, with_state, write_page};
use crate::run::read_history;
use bnpool::parallel::Alone;
use bnpool::pool::find_pooler;
use bnpool_graph::{Graph, Target, Targets};
use bnpool_io::remedy::Change;
use bnpool_math::metrics::{area_under_roc, predicted_classes, roc_curve};
use bnpool_report::learn::{
    Confusion, EpochPoint, FoldReport, LearnReport, Rendering, RocCurve, SampleGraph,
};
use std::path::Path;

/// Number of graphs that are shown with their clusters.
const SAMPLES: usize = 4;

/// Explanations of the metrics.
const EXPLANATIONS: [(&str, &str); 7] = [
    ("test_mean", "metric on the test graphs, mean over folds"),
    ("test_std", "its standard deviation over folds"),
    (
        "clusters_mean",
        "clusters that hold some node with a membership above 1/C, mean over the test graphs",
    ),
    (
        "clusters_std",
        "its standard deviation over the test graphs",
    ),
    ("parameters", "number of trainable parameters"),
    ("seconds", "training time in seconds"),
    ("threads", "number of threads"),
];

/// Writes `report.html`, and the plots if requested.
pub(super) fn write(
    plan: &Plan,
    input: &Input,
    folds: &[FinishedFold],
    metrics: &Metrics,
    plots: Option<&Path>,
    terms: Terms,
) -> Result<(), Failure> {
    let page = render(plan, input, folds, metrics, plots.is_some(), terms)?;
    write_page(&plan.directory, &page, plots)
}

/// Writes the report of a run again. An unfinished fold is shown at its best
/// epoch so far.
///
/// # Errors
///
/// Returns an error if no fold has a finished epoch, the data have changed, or the
/// report cannot be written.
pub fn remake_report(
    plan: &Plan,
    data_dir: Option<&Path>,
    plots: Option<&Path>,
    terms: Terms,
) -> Result<(), Failure> {
    plan.check_plots(plots, &[])?;
    let input = plan.source.read(&plan.config, data_dir, terms)?;
    plan.check_data(input.sha256.as_deref())?;
    let input = input.prepared(&plan.config, &Alone)?;
    let splits = input.data.splits(&plan.config)?;
    let chosen = Facts::read(plan.facts.as_ref())?.folds;
    let mut folds = Vec::new();
    for &fold in &chosen {
        let Some(split) = splits.get(fold) else {
            continue;
        };
        folds.extend(FinishedFold::so_far(plan, &input, fold, split)?);
    }
    if folds.is_empty() {
        return Err(Failure::advised(
            format!(
                "{}: no fold has a finished epoch to report yet",
                plan.directory.path().display()
            ),
            Change::Resume,
        ));
    }
    let unfinished = folds.len() < chosen.len() || folds.iter().any(|fold| fold.unfinished);
    let metrics = Metrics::new(plan, &input, &folds).with_unfinished(unfinished);
    write(plan, &input, &folds, &metrics, plots, terms)
}

fn render(
    plan: &Plan,
    input: &Input,
    folds: &[FinishedFold],
    metrics: &Metrics,
    pictures: bool,
    terms: Terms,
) -> Result<Page, Failure> {
    let mut histories = Vec::new();
    for fold in folds {
        let history = read_history(&FoldFiles::of(plan, fold.result.fold).history)?;
        histories.push(history.iter().map(point).collect::<Vec<_>>());
    }
    let fold_reports: Vec<FoldReport> = folds
        .iter()
        .zip(&histories)
        .zip(&metrics.folds)
        .map(|((fold, history), numbers)| FoldReport {
            fold: fold.result.fold,
            history,
            best_epoch: fold.result.best_epoch,
            validation: fold.result.val.unwrap_or(f64::NAN),
            test: fold.result.test.unwrap_or(f64::NAN),
            graphs: fold.result.graphs,
            clusters_mean: numbers.clusters_mean,
        })
        .collect();
    let answers = Answers::collect(input, folds)?;
    let clusters: Vec<usize> = folds
        .iter()
        .flat_map(|fold| fold.result.clusters.iter().copied())
        .collect();
    let shown = shown_graphs(plan, input, folds)?;
    let samples: Vec<SampleGraph> = shown.iter().map(Shown::sample).collect();
    let task = match input.data.objective {
        Objective::Classes { .. } => "classification",
        Objective::Labels { .. } => "multi-label classification",
        Objective::Numbers { .. } => "regression",
    };
    let (title, config_toml) = (
        format!("Graph-level results on {}", input.name),
        plan.settings_toml()?,
    );
    let rows = metric_rows(metrics, &EXPLANATIONS)?;
    let notes = with_state(&input.notes, metrics.is_unfinished(), terms);
    let source = plan.source.data.as_deref().and_then(Path::file_name);
    let source = source.map_or(input.name.clone(), |name| name.to_string_lossy().into());
    let report = LearnReport {
        title: &title,
        dataset: &source,
        pooler: find_pooler(&plan.config.pooler.name)
            .map_err(TaskError::from)?
            .title,
        task,
        metric: input.data.score.name(),
        folds: &fold_reports,
        confusion: (!answers.confusion.is_empty()).then_some(Confusion {
            classes: &answers.classes,
            counts: &answers.confusion,
        }),
        roc: &answers.roc,
        values: &answers.values,
        clusters: &clusters,
        samples: &samples,
        metrics: &rows,
        notes: &notes,
        config_toml: &config_toml,
        version: env!("CARGO_PKG_VERSION"),
    };
    let rendering = Rendering::new(&report).map_err(|e| cannot_draw(&e))?;
    Ok(Page {
        html: rendering.html(),
        pictures: if pictures {
            rendering.pictures().map_err(|e| cannot_draw(&e))?
        } else {
            Vec::new()
        },
    })
}

fn point(e: &LearnEpoch) -> EpochPoint {
    EpochPoint {
        epoch: e.epoch,
        train_loss: e.train_loss,
        auxiliary: e.auxiliary(),
        validation_loss: e.val_loss,
        validation: e.val.unwrap_or(f64::NAN),
        learning_rate: e.learning_rate,
        // γ is the weight of the divergence.
        gamma: if e.losses.contains_key("loss_kl") {
            e.gamma
        } else {
            f64::NAN
        },
        clusters: e.clusters,
    }
}

/// Predictions for the test graphs, with the truth.
#[derive(Default)]
struct Answers {
    classes: Vec<String>,
    /// Confusion matrix, true classes in rows, predictions in columns; empty
    /// unless there are classes.
    confusion: Vec<usize>,
    roc: Vec<RocCurve>,
    /// Values of a regression.
    values: Vec<(f64, f64)>,
}

impl Answers {
    fn collect(input: &Input, folds: &[FinishedFold]) -> Result<Self, Failure> {
        let data = &input.data;
        let mut answers = Self::default();
        if let Objective::Classes { count } = data.objective {
            answers.classes = (0..count).map(|c| input.class_name(c)).collect();
            answers.confusion = vec![0; count * count];
        }
        for fold in folds {
            let result = &fold.result;
            let targets = data.targets(&result.test_graphs)?;
            let said = &result.predictions;
            match (data.objective, &targets) {
                (Objective::Classes { count }, Targets::Classes(classes)) => {
                    for (p, &c) in predicted_classes(said, count).iter().zip(classes) {
                        answers.confusion[c as usize * count + *p as usize] += 1;
                    }
                    if count == 2 {
                        let scores: Vec<f64> = said.iter().skip(1).step_by(2).copied().collect();
                        let positive: Vec<bool> = classes.iter().map(|&c| c == 1).collect();
                        answers.add_roc(result.fold, &scores, &positive);
                    }
                }
                (Objective::Labels { count: 1 }, Targets::Values { values, .. }) => {
                    let known = |v: &f32| !v.is_nan();
                    let pairs = said.iter().zip(values).filter(|pair| known(pair.1));
                    let (scores, positive): (Vec<f64>, Vec<bool>) =
                        pairs.map(|(&p, &v)| (p, v > 0.5)).unzip();
                    answers.add_roc(result.fold, &scores, &positive);
                }
                (Objective::Numbers { .. }, Targets::Values { values, .. }) => {
                    let pairs = values.iter().zip(said).filter(|pair| !pair.0.is_nan());
                    answers
                        .values
                        .extend(pairs.map(|(&v, &p)| (f64::from(v), p)));
                }
                _ => {}
            }
        }
        Ok(answers)
    }

    fn add_roc(&mut self, fold: usize, scores: &[f64], positive: &[bool]) {
        if let Some(area) = area_under_roc(scores, positive) {
            self.roc.push(RocCurve {
                fold,
                points: roc_curve(scores, positive),
                area,
            });
        }
    }
}

/// A graph to be drawn.
struct Shown<'a> {
    name: String,
    graph: &'a Graph,
    truth: String,
    said: String,
    /// Largest probability of a class.
    surest: Option<f64>,
    prediction: Prediction,
}

impl Shown<'_> {
    /// Returns the name, and the probability of the predicted class.
    fn name(&self) -> String {
        let surest = self.surest.map_or(String::new(), |p| {
            format!(", probability {:.0} %", 100.0 * p)
        });
        format!("graph {}{surest}", self.name)
    }

    fn sample(&self) -> SampleGraph<'_> {
        let divided = self
            .prediction
            .pooled
            .as_ref()
            .filter(|p| !p.assignments.is_empty());
        SampleGraph {
            name: self.name(),
            graph: self.graph,
            truth: self.truth.clone(),
            prediction: self.said.clone(),
            assignments: divided.map_or(&[], |p| &p.assignments),
            clusters: divided.map_or(0, |p| p.supernodes),
            pooled_adjacency: divided.map_or(&[], |p| &p.adjacency),
            pooled_features: divided.map_or(&[], |p| &p.features),
            feature_maps: divided.map_or(1, |p| p.maps),
        }
    }
}

/// Selects test graphs of the first fold: one of each class, then others.
fn shown_graphs<'a>(
    plan: &Plan,
    input: &'a Input,
    folds: &[FinishedFold],
) -> Result<Vec<Shown<'a>>, Failure> {
    let Some(fold) = folds.first() else {
        return Ok(Vec::new());
    };
    let data = &input.data;
    let model = match &fold.result.model {
        // The model is only in its file.
        model if model.is_empty() => read_model(plan, fold.result.fold)?,
        model => TrainedModel {
            card: ModelCard::new(data, &plan.config),
            parameters: model.clone(),
        },
    };
    let predictor = model.predictor()?.with_pooled_graphs();
    let mut chosen: Vec<usize> = Vec::new();
    let target = |place: usize| input.originals[fold.result.test_graphs[place]].target();
    for place in 0..fold.result.test_graphs.len() {
        let new = chosen.iter().all(|&other| target(other) != target(place));
        if new && chosen.len() < SAMPLES {
            chosen.push(place);
        }
    }
    for place in 0..fold.result.test_graphs.len() {
        if chosen.len() < SAMPLES && !chosen.contains(&place) {
            chosen.push(place);
        }
    }
    let graphs: Vec<&Graph> = chosen
        .iter()
        .map(|&place| &input.originals[fold.result.test_graphs[place]])
        .collect();
    let predictions = predictor.predict(graphs.iter().map(|g| (*g).clone()).collect())?;
    let width = data.objective.outputs();
    Ok(chosen
        .iter()
        .zip(graphs)
        .zip(predictions)
        .map(|((&place, graph), prediction)| {
            let values = &fold.result.predictions[place * width..(place + 1) * width];
            let classes = matches!(data.objective, Objective::Classes { .. });
            Shown {
                name: input.graph_name(fold.result.test_graphs[place]),
                graph,
                truth: truth(input, graph.target()),
                said: said(input, values),
                surest: classes.then(|| values.iter().copied().fold(0.0, f64::max)),
                prediction,
            }
        })
        .collect())
}

fn truth(input: &Input, target: Option<&Target>) -> String {
    match target {
        Some(Target::Class(class)) => input.class_name(*class as usize),
        Some(Target::Values(values)) => short_list(values.iter().map(|&v| f64::from(v))),
        None => "unknown".into(),
    }
}

fn said(input: &Input, values: &[f64]) -> String {
    match input.data.objective {
        Objective::Classes { count } => {
            input.class_name(predicted_classes(values, count)[0] as usize)
        }
        _ => short_list(values.iter().copied()),
    }
}

/// Formats a few numbers.
fn short_list(values: impl Iterator<Item = f64>) -> String {
    let word = |v: f64| {
        if v.is_finite() {
            format!("{v:.3}")
        } else {
            // A missing label.
            "unknown".to_owned()
        }
    };
    let words: Vec<String> = values.take(4).map(word).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_labels_are_called_unknown() {
        let list = short_list([0.5, f64::NAN, 1.0].into_iter());
        assert_eq!(list, "0.500, unknown, 1.000");
    }
}
