//! Conversion of changes advised by the library to flags of the command.
//!
//! Errors of the library refer to fields of a configuration, which users of the command
//! set by flags.

use bnpool_io::remedy::Change;
use bnpool_task::offered::{Values, offered};

/// Returns the flag of the command for a change; `None` if there is no such
/// flag.
#[must_use]
pub fn flag(change: Change) -> Option<String> {
    let words = match change {
        Change::Format => "give --format FORMAT",
        Change::ReadAs(format) => return Some(format!("give --format {format}")),
        Change::Source => "give --source COLUMN",
        Change::Target => "give --target COLUMN",
        Change::Weight => "give --weight COLUMN",
        Change::NoWeights => "give --weight none",
        Change::Bipartite(true) => "give --bipartite",
        Change::Bipartite(false) => "give --bipartite=no",
        Change::Encoding => "give --encoding NAME",
        Change::SkipBad => "give --skip-bad",
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
            let flag = offered(key).and_then(|own| Some((own, own.flag?)));
            return Some(match flag {
                Some((own, flag)) if own.values == Values::Switch => format!("give --{flag}"),
                // A capital letter is a placeholder for any value.
                Some((own, flag)) if is_letter(value) => {
                    format!("give --{flag} {}", own.letter)
                }
                Some((_, flag)) => format!("give --{flag} {value}"),
                None => format!("give --set {key}={value}"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_io::remedy::Remedied;
    use bnpool_task::cluster::ClusterConfig;
    use bnpool_task::offered::OFFERED;
    use bnpool_task::{Preset, TaskError};
    use clap::CommandFactory;

    #[test]
    fn every_flag_of_the_table_exists() {
        let commands = crate::Arguments::command();
        for own in OFFERED {
            let Some(flag) = own.flag else {
                continue;
            };
            for task in ["cluster", "train"] {
                let command = commands.find_subcommand(task).expect("a command");
                let known = command.get_arguments().any(|a| a.get_long() == Some(flag));
                assert_eq!(known, own.is_of(task), "{task} --{flag}");
            }
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
