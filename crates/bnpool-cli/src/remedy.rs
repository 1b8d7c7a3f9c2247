//! Conversion of changes advised by the library to flags of the command.
//!
//! Errors of the library refer to fields of a configuration, which users of the command
//! set by flags.

use bnpool_io::remedy::Change;

/// Fields with their own flag in all commands that train. All others are set by
/// `--set`.
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

/// Settings of `bnpool cluster` with a flag for one value.
const CLUSTER_FLAGS: [(&str, &str, &str); 3] = [
    ("clusters", "K", "--clusters K"),
    ("pooler.loss", "dense", "--loss dense"),
    (
        "evaluation.split_disconnected",
        "true",
        "--split-disconnected",
    ),
];

/// Returns the flag of the command for a change; `None` if there is no such
/// flag.
#[must_use]
pub fn flag(change: Change) -> Option<String> {
    let words = match change {
        Change::Format => "give --format FORMAT",
        Change::EdgeList => "give --format edge-list",
        Change::Matrix => "give --format matrix",
        Change::AdjacencyList => "give --format adjlist",
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
        Change::Out => "name another directory with --out",
        Change::Resume => "continue the run with --resume",
        Change::Overwrite => "replace the run with --overwrite",
        Change::Restart => "start again with --overwrite",
        Change::OwnSettings => "start a new run, with --config FILE for other settings",
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

    /// Returns whether a configuration has a field.
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
            let change = Change::Setting { key: field, value };
            assert_eq!(super::flag(change), Some(format!("give {flag}")));
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
