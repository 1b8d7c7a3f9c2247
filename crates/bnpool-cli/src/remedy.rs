//! From settings of the library to flags of the command.
//!
//! Errors of the library name fields of a configuration; whoever uses the command
//! sets them by flags.

use bnpool::task::{Remedy, TaskError};

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

/// The error with the flag that mends it, where one does.
pub fn in_words(error: &TaskError) -> String {
    match error.remedy() {
        Some(remedy) => format!("{error} ({})", flag(remedy)),
        None => error.to_string(),
    }
}

/// The flag that sets a field.
fn flag(Remedy { field, value }: Remedy) -> String {
    let own = FLAGS.iter().find(|flag| flag.0 == field);
    match (own, value) {
        (Some((_, flag)), None) => (*flag).to_owned(),
        (_, value) => format!("--set {field}={}", value.unwrap_or("X")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool::task::Preset;
    use bnpool::task::cluster::ClusterConfig;
    use bnpool::task::learn::LearnConfig;
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
        for (field, flag) in FLAGS {
            assert!(has(&cluster, field) && has(&learn, field), "{field}");
            let name = flag.split(' ').next().and_then(|f| f.strip_prefix("--"));
            for command in ["cluster", "train"] {
                let command = commands.find_subcommand(command).expect("a command");
                let known = command.get_arguments().any(|a| a.get_long() == name);
                assert!(known, "{flag}");
            }
        }
    }

    #[test]
    fn errors_of_the_library_come_with_a_flag() {
        let mut config = ClusterConfig::preset(Preset::Paper);
        config.pooler.max_clusters = 1;
        let error = config.check().expect_err("out of range");
        assert_eq!(
            in_words(&error),
            "pooler.max_clusters = 1 is out of range: it must be at least 2 (--max-clusters C)"
        );
        config.pooler.max_clusters = 2;
        config.model.hidden = 0;
        let error = config.check().expect_err("out of range");
        assert!(
            in_words(&error).ends_with("(--set model.hidden=X)"),
            "{error}"
        );
        assert_eq!(
            in_words(&TaskError::NoOfficialSplit),
            "the data have no split of their own: set data.split to `folds` (--set data.split=folds)"
        );
    }
}
