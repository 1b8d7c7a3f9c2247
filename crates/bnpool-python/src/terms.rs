//! Conversion of changes advised by the library to keyword arguments.

use bnpool_io::remedy::Change;

/// Settings with their own keyword; all others are in `settings`.
const KEYWORDS: [(&str, &str); 19] = [
    ("clusters", "n_clusters=K"),
    ("pooler.name", "pooler=NAME"),
    ("pooler.loss", "loss=NAME"),
    ("pooler.max_clusters", "max_clusters=C"),
    ("pooler.particles", "particles=T"),
    ("pooler.alpha_dp", "alpha_dp=X"),
    ("pooler.mu_k", "mu_k=X"),
    ("pooler.sigma_k", "sigma_k=X"),
    ("pooler.eta_k", "eta_k=X"),
    ("pooler.ratio", "ratio=X"),
    ("search.structure", "structure=NAME"),
    ("evaluation.min_size", "min_size=N"),
    ("model.hidden", "hidden=N"),
    ("model.levels", "levels=N"),
    ("training.batch_size", "batch_size=N"),
    ("training.learning_rate", "learning_rate=X"),
    ("training.epochs", "epochs=N"),
    ("validation_fraction", "validation_fraction=X"),
    ("seed", "random_state=N"),
];

/// Returns the keyword argument for a change.
pub fn keyword(change: Change) -> Option<String> {
    let words = match change {
        Change::Format => "give format=FORMAT to bnpool.read",
        Change::EdgeList => "give format=\"edge-list\" to bnpool.read",
        Change::Matrix => "give format=\"matrix\" to bnpool.read",
        Change::AdjacencyList => "give format=\"adjlist\" to bnpool.read",
        Change::Source => "give source=COLUMN to bnpool.read",
        Change::Target => "give target=COLUMN to bnpool.read",
        Change::Weight => "give weight=COLUMN",
        Change::NoWeights => "give weight=None",
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
        Change::Setting {
            key: "evaluation.split_disconnected",
            value: "true",
        } => "give split_disconnected=True",
        Change::Setting { key, value } => {
            let own = KEYWORDS.iter().find(|own| own.0 == key && is_letter(value));
            return Some(match own {
                Some((_, keyword)) => format!("give {keyword}"),
                None => format!("give settings={{\"{key}\": {}}}", literal(value)),
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
