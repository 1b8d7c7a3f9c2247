//! From changes that the library advises to flags of the command.
//!
//! Errors of the library name fields of a configuration; users of the command
//! set them by flags.

use bnpool_io::remedy::Change;
use std::sync::{PoisonError, RwLock};

/// Puts a change into words; `None` if the user cannot make it.
pub type Terms = fn(Change) -> Option<String>;

/// The words of another front end than the command.
static TERMS: RwLock<Option<Terms>> = RwLock::new(None);

/// Messages name changes in these words from now on, or by flags of the command
/// again.
pub fn speak_in(terms: Option<Terms>) {
    *TERMS.write().unwrap_or_else(PoisonError::into_inner) = terms;
}

/// Fields with a flag of their own in every command that trains. All others are
/// set by `--set`.
const FLAGS: [(&str, &str); 9] = [
    ("pooler.name", "--pooler NAME"),
    ("pooler.max_clusters", "--max-clusters C"),
    ("pooler.particles", "--particles T"),
    ("pooler.alpha_dp", "--alpha-dp X"),
    ("pooler.mu_k", "--mu-k X"),
    ("pooler.sigma_k", "--sigma-k X"),
    ("pooler.eta_k", "--eta-k X"),
    ("training.epochs", "--epochs N"),
    ("seed", "--seed N"),
];

/// Settings of `bnpool cluster` with a flag of their own for a value.
const CLUSTER_FLAGS: [(&str, &str, &str); 2] = [
    ("clusters", "K", "--clusters K"),
    (
        "evaluation.split_disconnected",
        "true",
        "--split-disconnected",
    ),
];

/// The setting `key` with this value as advice: `give --clusters K`.
pub fn advice(key: &'static str, value: &'static str) -> String {
    flag(Change::Setting { key, value }).unwrap_or_default()
}

/// Words with flags for users of the command, and others for those of another front
/// end.
pub fn words<'a>(command: &'a str, other: &'a str) -> &'a str {
    match *TERMS.read().unwrap_or_else(PoisonError::into_inner) {
        Some(_) => other,
        None => command,
    }
}

/// What the user can do about a problem, in flags (or in the words of another front
/// end); `None` if nothing.
pub fn flag(change: Change) -> Option<String> {
    let terms = *TERMS.read().unwrap_or_else(PoisonError::into_inner);
    match terms {
        Some(terms) => terms(change),
        None => as_flag(change),
    }
}

fn as_flag(change: Change) -> Option<String> {
    let words = match change {
        Change::Format => "give --format FORMAT",
        Change::ReadAs(format) => return Some(format!("give --format {format}")),
        Change::Source => "give --source COLUMN",
        Change::Target => "give --target COLUMN",
        Change::Weight => "give --weight COLUMN",
        Change::NoWeights => "give --weight none",
        Change::Header(true) => "give --header yes",
        Change::Header(false) => "give --header no",
        Change::Directed => "give --directed",
        Change::DropSelfLoops => "give --drop-self-loops",
        Change::AddIsolated => "give --keep-isolated",
        Change::NodeAttributes => "give --node-attributes NAME",
        Change::LabelAttribute => "give --label-attribute NAME",
        Change::Features => "give --features FILE",
        Change::MaxBytes => "give --max-bytes N",
        Change::Memory => "give a larger --memory SIZE",
        Change::DataDir => "name the folder that holds them with --data-dir or BNPOOL_DATA",
        Change::NotCleaned => "leave out --cleaned",
        Change::Fetch(name) if cfg!(feature = "download") => {
            return Some(format!("fetch them with `bnpool data get {name}`"));
        }
        Change::Fetch(_) => "build bnpool with the feature `download` to fetch them",
        Change::Setting { key, value } => {
            let of_all = FLAGS.iter().find(|own| own.0 == key && value == "X");
            let of_cluster = CLUSTER_FLAGS
                .iter()
                .find(|own| (own.0, own.1) == (key, value));
            let own = of_all.map(|own| own.1).or(of_cluster.map(|own| own.2));
            return Some(match own {
                Some(flag) => format!("give {flag}"),
                None => format!("give --set {key}={value}"),
            });
        }
        _ => return None,
    };
    Some(words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_io::remedy::Remedied;
    use bnpool_task::cluster::ClusterConfig;
    use bnpool_task::learn::LearnConfig;
    use bnpool_task::{Preset, TaskError};
    use clap::CommandFactory;
    use toml::Table;

    /// Whether a configuration has a field.
    fn has(table: &Table, field: &str) -> bool {
        let mut parts = field.split('.');
        let first = parts.next().and_then(|part| table.get(part));
        parts.fold(first, |value, part| value?.get(part)).is_some()
    }

    #[test]
    fn every_flag_exists_and_sets_a_field_that_exists() {
        let cluster = Table::try_from(ClusterConfig::preset(Preset::Paper)).expect("a table");
        let learn = Table::try_from(LearnConfig::preset(Preset::Paper, None)).expect("a table");
        let commands = crate::Arguments::command();
        let is_known = |command: &str, flag: &str| {
            let command = commands.find_subcommand(command).expect("a command");
            let name = flag.split(' ').next().and_then(|f| f.strip_prefix("--"));
            command.get_arguments().any(|a| a.get_long() == name)
        };
        for (field, flag) in FLAGS {
            assert!(has(&cluster, field) && has(&learn, field), "{field}");
            assert!(
                is_known("cluster", flag) && is_known("train", flag),
                "{flag}"
            );
        }
        for (field, value, flag) in CLUSTER_FLAGS {
            assert!(has(&cluster, field) && is_known("cluster", flag), "{flag}");
            assert_eq!(advice(field, value), format!("give {flag}"));
        }
    }

    #[test]
    fn errors_of_the_library_come_with_a_flag() {
        let mut config = ClusterConfig::preset(Preset::Paper);
        config.pooler.max_clusters = 1;
        let error = config.check().expect_err("out of range");
        assert_eq!(
            error.in_terms(&flag),
            "pooler.max_clusters = 1 is out of range: it must be at least 2 (give --max-clusters C)"
        );
        config.pooler.max_clusters = 2;
        config.model.hidden = 0;
        let error = config.check().expect_err("out of range");
        assert!(
            error
                .in_terms(&flag)
                .ends_with("(give --set model.hidden=X)"),
            "{error}"
        );
        assert_eq!(
            TaskError::NoOfficialSplit.in_terms(&flag),
            "the data have no split of their own; give --set data.split=folds"
        );
    }
}
