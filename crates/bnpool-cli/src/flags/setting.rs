//! Flags of settings, generated from the table of settings with their own name.

use crate::terminal::message::Failure;
use bnpool_task::offered::{OFFERED, Offered, OfferedBy, Values};
use bnpool_task::settings::Settings;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use serde_json::Value;

/// Settings of both tasks, for a comparison.
pub const SHARED: u8 = 0;
/// Settings of `bnpool cluster`.
pub const CLUSTER: u8 = 1;
/// Settings of `bnpool train`.
pub const TRAIN: u8 = 2;

/// Flags of every run, which are handled separately.
const OF_RUN: [&str; 2] = ["seed", "training.epochs"];

/// Settings that were given by their own flags.
pub struct SettingFlags<const TASK: u8> {
    given: Vec<(&'static Offered, Value)>,
}

/// Returns the settings with a flag of this task, and the flags.
fn flags<const TASK: u8>() -> impl Iterator<Item = (&'static Offered, &'static str)> {
    let here = |own: &&Offered| match own.by {
        OfferedBy::Both => true,
        OfferedBy::Cluster => TASK == CLUSTER,
        OfferedBy::Train => TASK == TRAIN,
    };
    let own = OFFERED.iter().filter(here);
    own.filter(|own| !OF_RUN.contains(&own.key))
        .filter_map(|own| Some((own, own.flag?)))
}

impl<const TASK: u8> SettingFlags<TASK> {
    /// Returns the value of a setting, if given.
    fn get(&self, key: &str) -> Option<&Value> {
        let found = self.given.iter().find(|(own, _)| own.key == key);
        found.map(|(_, value)| value)
    }

    /// Returns the pooler, if given.
    pub fn pooler(&self) -> Option<&str> {
        self.get("pooler.name")?.as_str()
    }

    /// Returns whether the sparse loss was requested.
    pub fn is_sparse(&self) -> bool {
        self.get("pooler.loss").is_some_and(|loss| loss == "sparse")
    }

    /// Merges the flags into the settings.
    pub fn apply(&self, settings: &mut Settings) -> Result<(), Failure> {
        for (own, value) in &self.given {
            let flag = format!("--{}", own.flag.unwrap_or_default());
            settings.flag(own.key, Some(value.clone()), &flag)?;
        }
        Ok(())
    }
}

fn argument(own: &'static Offered, flag: &'static str) -> Arg {
    let arg = Arg::new(flag).long(flag).help(own.meaning);
    let arg = match own.letter {
        "" => arg,
        letter => arg.value_name(letter),
    };
    match own.values {
        Values::Switch => arg.action(ArgAction::SetTrue),
        Values::Whole(least) => arg.value_parser(value_parser!(u64).range(least..=i64::MAX as u64)),
        Values::Number => arg.value_parser(value_parser!(f64)),
        Values::Words(_) | Values::Pooler => {
            let words = own.words().unwrap_or_default().into_iter();
            let words = words.map(|(word, meaning)| match meaning {
                "" => PossibleValue::new(word),
                meaning => PossibleValue::new(word).help(meaning),
            });
            arg.value_parser(PossibleValuesParser::new(words))
        }
    }
}

impl<const TASK: u8> Args for SettingFlags<TASK> {
    fn augment_args(command: Command) -> Command {
        command.args(flags::<TASK>().map(|(own, flag)| argument(own, flag)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const TASK: u8> FromArgMatches for SettingFlags<TASK> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let value = |own: &'static Offered, flag: &str| -> Option<Value> {
            match own.values {
                Values::Switch => matches.get_flag(flag).then_some(Value::Bool(true)),
                Values::Whole(_) => matches.get_one::<u64>(flag).map(|&n| n.into()),
                Values::Number => matches.get_one::<f64>(flag).map(|&x| x.into()),
                Values::Words(_) | Values::Pooler => matches
                    .get_one::<String>(flag)
                    .map(|word| word.clone().into()),
            }
        };
        let given = flags::<TASK>().filter_map(|(own, flag)| Some((own, value(own, flag)?)));
        Ok(Self {
            given: given.collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Converts a count to the type of settings.
pub fn whole(x: Option<usize>) -> Option<i64> {
    x.map(|x| i64::try_from(x).unwrap_or(i64::MAX))
}
