//! `predictions.csv`: the prediction for each test graph, by the fold that was
//! not trained on it.

use super::Plan;
use super::fold::FinishedFold;
use super::source::Input;
use crate::Failure;
use crate::learn::Objective;
use crate::run::csv_field;
use bnpool_graph::Targets;
use bnpool_math::metrics::predicted_classes;

/// Writes one line per test graph, in the order of the data.
pub(super) fn write(plan: &Plan, input: &Input, folds: &[FinishedFold]) -> Result<(), Failure> {
    let mut lines: Vec<(usize, usize, String)> = Vec::new();
    let width = input.data.objective.outputs();
    for fold in folds {
        let result = &fold.result;
        let targets = input.data.targets(&result.test_graphs)?;
        let predictions = result.predictions.chunks_exact(width);
        for ((place, &graph), values) in result.test_graphs.iter().enumerate().zip(predictions) {
            let mut fields = vec![csv_field(&input.graph_name(graph)), result.fold.to_string()];
            fields.extend(targets_of(input, &targets, place, width));
            fields.extend(answer(input, values));
            lines.push((graph, result.fold, fields.join(",")));
        }
    }
    lines.sort();
    let mut text = header(input).join(",") + "\n";
    for (_, _, line) in lines {
        text += &line;
        text.push('\n');
    }
    Ok(plan
        .directory
        .write_bytes("predictions.csv", text.as_bytes())?)
}

fn header(input: &Input) -> Vec<String> {
    let mut header = vec!["graph".to_owned(), "fold".to_owned()];
    let numbered = |name: &str, count: usize| -> Vec<String> {
        match count {
            1 => vec![name.to_owned()],
            _ => (0..count).map(|i| format!("{name}_{i}")).collect(),
        }
    };
    match input.data.objective {
        Objective::Classes { count } => {
            header.extend(["target", "prediction"].map(str::to_owned));
            let name = |class| csv_field(&format!("probability_{}", input.class_name(class)));
            header.extend((0..count).map(name));
        }
        Objective::Labels { count } => {
            for name in ["target", "prediction", "probability"] {
                header.extend(numbered(name, count));
            }
        }
        Objective::Numbers { count } => {
            header.extend(numbered("target", count));
            header.extend(numbered("prediction", count));
        }
    }
    header
}

/// Returns the targets of a graph; missing ones are empty fields.
fn targets_of(input: &Input, targets: &Targets, place: usize, width: usize) -> Vec<String> {
    match targets {
        Targets::Classes(classes) => vec![csv_field(&input.class_name(classes[place] as usize))],
        Targets::Values { values, .. } => values[place * width..(place + 1) * width]
            .iter()
            .map(|value| {
                if value.is_nan() {
                    String::new()
                } else {
                    value.to_string()
                }
            })
            .collect(),
    }
}

fn answer(input: &Input, values: &[f64]) -> Vec<String> {
    let number = |value: &f64| format!("{value:.6}");
    let mut fields = match input.data.objective {
        Objective::Classes { count } => {
            let class = predicted_classes(values, count)[0] as usize;
            vec![csv_field(&input.class_name(class))]
        }
        Objective::Labels { .. } => {
            let yes = |&value: &f64| u8::from(value > 0.5).to_string();
            values.iter().map(yes).collect()
        }
        Objective::Numbers { .. } => Vec::new(),
    };
    fields.extend(values.iter().map(number));
    fields
}
