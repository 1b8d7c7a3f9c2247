//! Conversion of changes advised by the library to keyword arguments.

use bnpool_io::remedy::Change;
use bnpool_task::offered::offered;

/// Keyword of the estimators that is not a setting.
const VALIDATION: &str = "validation_fraction";

/// Returns the keyword argument for a change.
pub fn keyword(change: Change) -> Option<String> {
    let words = match change {
        Change::Format => "give format=FORMAT to bnpool.read",
        Change::ReadAs(format) => {
            return Some(format!("give format=\"{format}\" to bnpool.read"));
        }
        Change::Source => "give source=COLUMN",
        Change::Target => "give target=COLUMN",
        Change::Weight => "give weight=COLUMN",
        Change::NoWeights => "give weight=None",
        Change::Bipartite(true) => "give bipartite=True",
        Change::Bipartite(false) => "give bipartite=False",
        Change::Encoding => "give encoding=NAME to bnpool.read",
        Change::SkipBad => "give skip_bad=True to bnpool.read",
        Change::Header(true) => "give header=True to bnpool.read",
        Change::Header(false) => "give header=False to bnpool.read",
        Change::Directed => "give directed=True",
        Change::DropSelfLoops => "give drop_self_loops=True to bnpool.read",
        Change::AddIsolated => "give keep_isolated=True to bnpool.read",
        Change::NodeAttributes => "give node_attributes=[NAME]",
        Change::LabelAttribute => "give label_attribute=NAME to bnpool.read",
        Change::Features => "give X",
        Change::DataDir => "name the folder that holds them with data_dir=DIR or BNPOOL_DATA",
        Change::Fetch(name) => {
            return Some(format!(
                "fetch them with `python -m bnpool data get {name}`"
            ));
        }
        Change::Out => "name another directory",
        Change::Resume => "run the command with --resume",
        Change::Overwrite => "give overwrite=True",
        Change::Restart => "fit the graph again",
        Change::OwnSettings => "fit the graph again with other settings",
        Change::Setting { key, value } => {
            return Some(match (offered(key), is_letter(value)) {
                (Some(own), true) => format!("give {}={}", own.keyword, own.letter),
                (Some(own), false) => format!("give {}={}", own.keyword, literal(value)),
                (None, true) if key == VALIDATION => format!("give {key}={value}"),
                (None, _) => format!("give settings={{\"{key}\": {}}}", literal(value)),
            });
        }
        _ => return None,
    };
    Some(words.to_owned())
}

/// Returns whether a value is a placeholder.
fn is_letter(value: &str) -> bool {
    matches!(value.as_bytes(), [letter] if letter.is_ascii_uppercase())
}

/// Formats a value as a Python literal.
fn literal(value: &str) -> String {
    match value {
        "true" => "True".into(),
        "false" => "False".into(),
        value if is_letter(value) || value.parse::<f64>().is_ok() => value.into(),
        word => format!("\"{word}\""),
    }
}
