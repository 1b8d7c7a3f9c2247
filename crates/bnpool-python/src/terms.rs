//! From changes that the library advises to keyword arguments.

use bnpool_graph::remedy::Change;

/// Settings with a keyword of their own; all others go into `settings`.
const KEYWORDS: [(&str, &str); 8] = [
    ("pooler.name", "pooler=NAME"),
    ("pooler.max_clusters", "max_clusters=C"),
    ("pooler.particles", "particles=T"),
    ("pooler.alpha_dp", "alpha_dp=X"),
    ("pooler.mu_k", "mu_k=X"),
    ("pooler.sigma_k", "sigma_k=X"),
    ("training.epochs", "epochs=N"),
    ("seed", "random_state=N"),
];

/// What the user can do about a problem, as a keyword argument.
pub fn keyword(change: Change) -> Option<String> {
    let words = match change {
        Change::Format => "give format=FORMAT",
        Change::EdgeList => "give format=\"edge-list\"",
        Change::Matrix => "give format=\"matrix\"",
        Change::AdjacencyList => "give format=\"adjlist\"",
        Change::Source => "give source=COLUMN",
        Change::Target => "give target=COLUMN",
        Change::Weight => "give weight=COLUMN",
        Change::NoWeights => "give weight=None",
        Change::Header(true) => "give header=True",
        Change::Header(false) => "give header=False",
        Change::Directed => "give directed=True",
        Change::DropSelfLoops => "give drop_self_loops=True",
        Change::AddIsolated => "give keep_isolated=True",
        Change::NodeAttributes => "give node_attributes=[NAME]",
        Change::LabelAttribute => "give label_attribute=NAME",
        Change::Features => "give features=FILE",
        Change::DataDir => "name the folder that holds them with data_dir=DIR or BNPOOL_DATA",
        Change::Fetch(name) => {
            return Some(format!(
                "fetch them with `python -m bnpool data get {name}`"
            ));
        }
        Change::Setting { key, value } => {
            let own = KEYWORDS.iter().find(|own| own.0 == key && value == "X");
            return Some(match own {
                Some((_, keyword)) => format!("give {keyword}"),
                None => format!("give settings={{\"{key}\": {value}}}"),
            });
        }
        _ => return None,
    };
    Some(words.to_owned())
}
