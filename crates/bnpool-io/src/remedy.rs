//! Remedies of a problem, independent of the caller's interface.
//!
//! A library user sets a field, a user of the command gives a flag. So an error
//! carries its remedy as data: words that are the same for both, and the
//! [`Change`]s that would help. [`Display`](fmt::Display) names the fields;
//! [`Remedied::in_terms`] writes the same message in the words of the caller.

use std::borrow::Cow;
use std::fmt;

use crate::format::Format;

/// Something that the caller can change about how data are read or used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// Name the format of the file.
    Format,
    /// Read the file in this format.
    ReadAs(Format),
    /// Name the column of the sources.
    Source,
    /// Name the column of the targets.
    Target,
    /// Name the column, or the attribute, of the edge weights.
    Weight,
    /// Read no edge weights.
    NoWeights,
    /// Say that the two columns of an edge list hold two kinds of nodes, or that they
    /// do not.
    Bipartite(bool),
    /// Name the encoding of the text.
    Encoding,
    /// Leave out lines that cannot be read.
    SkipBad,
    /// Say that the first line holds column names, or that it does not.
    Header(bool),
    /// Keep the directions of the edges.
    Directed,
    /// Drop edges from a node to itself.
    DropSelfLoops,
    /// Add nodes that only the features or labels name.
    AddIsolated,
    /// Name the node attributes that are features.
    NodeAttributes,
    /// Name the node attribute or column that holds the label.
    LabelAttribute,
    /// Give a file of node features.
    Features,
    /// Allow larger files.
    MaxBytes,
    /// Allow more that a file only announces.
    MaxAnnounced,
    /// Allow a better packed file.
    MaxExpansion,
    /// Allow more columns of one-hot features.
    MaxOneHot,
    /// Allow more memory.
    Memory,
    /// Name the folder of the data sets.
    DataDir,
    /// Fetch a data set.
    Fetch(&'static str),
    /// Take the data set as it is.
    NotCleaned,
    /// Name another directory for the results.
    Out,
    /// Continue the run in the directory.
    Resume,
    /// Replace the run in the directory.
    Overwrite,
    /// Run the task again from the start.
    Restart,
    /// Run the task again with other settings.
    OwnSettings,
    /// Change a setting of a task.
    Setting {
        /// Its dotted key.
        key: &'static str,
        /// The value to give, or a letter that stands for one.
        value: &'static str,
    },
}

impl Change {
    /// The change in the terms of this library.
    #[must_use]
    pub fn field(self) -> String {
        match self {
            Self::Format => "set `format`".into(),
            Self::ReadAs(format) => format!("set `format` to `Format::{format:?}`"),
            Self::Source => "set `source`".into(),
            Self::Target => "set `target`".into(),
            Self::Weight => "set `weights` to `Weights::Column`".into(),
            Self::NoWeights => "set `weights` to `Weights::Ignore`".into(),
            Self::Bipartite(two) => format!("set `bipartite` to `Some({two})`"),
            Self::Encoding => "set `encoding`".into(),
            Self::SkipBad => "set `skip_bad`".into(),
            Self::Header(header) => format!("set `header` to `Some({header})`"),
            Self::Directed => "set `directed`".into(),
            Self::DropSelfLoops => "set `drop_self_loops`".into(),
            Self::AddIsolated => "set `add_isolated`".into(),
            Self::NodeAttributes => "set `node_attributes`".into(),
            Self::LabelAttribute => "set `label_attribute`".into(),
            Self::Features => "set `features`".into(),
            Self::MaxBytes => "raise `limits.max_bytes`".into(),
            Self::MaxAnnounced => "raise `limits.max_announced`".into(),
            Self::MaxExpansion => "raise `limits.max_expansion`".into(),
            Self::MaxOneHot => "raise `limits.max_one_hot`".into(),
            Self::Memory => "raise `memory`".into(),
            Self::DataDir => "set `data_dir`".into(),
            Self::Fetch(name) => format!("call `dataset::fetch` for `{name}`"),
            Self::NotCleaned => "do not set `cleaned`".into(),
            Self::Out => "choose another directory".into(),
            Self::Resume => "resume it".into(),
            Self::Overwrite => "overwrite it".into(),
            Self::Restart => "start the run again".into(),
            Self::OwnSettings => "start a new run with other settings".into(),
            Self::Setting { key, value } => format!("set `{key}` to {value}"),
        }
    }
}

/// A remedy: words, and changes that would help too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remedy {
    words: Cow<'static, str>,
    changes: Cow<'static, [Change]>,
}

impl Remedy {
    /// Words, or any of the changes.
    #[must_use]
    pub const fn new(words: &'static str, changes: &'static [Change]) -> Self {
        Self {
            words: Cow::Borrowed(words),
            changes: Cow::Borrowed(changes),
        }
    }

    /// The changes that would help.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The remedy with the changes as `term` puts them; one that it has no words
    /// for is left out.
    #[must_use]
    pub fn in_terms(&self, term: &dyn Fn(Change) -> Option<String>) -> String {
        let words = (!self.words.is_empty()).then(|| self.words.to_string());
        let changes = self.changes.iter().filter_map(|&change| term(change));
        let parts: Vec<String> = words.into_iter().chain(changes).collect();
        parts.join(", or ")
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_terms(&|change| Some(change.field())))
    }
}

impl From<&'static str> for Remedy {
    fn from(words: &'static str) -> Self {
        Self::new(words, &[])
    }
}

impl From<String> for Remedy {
    fn from(words: String) -> Self {
        Self {
            words: words.into(),
            changes: Cow::Borrowed(&[]),
        }
    }
}

impl From<Change> for Remedy {
    fn from(change: Change) -> Self {
        ("", change).into()
    }
}

impl FromIterator<Change> for Remedy {
    fn from_iter<I: IntoIterator<Item = Change>>(changes: I) -> Self {
        Self {
            words: Cow::Borrowed(""),
            changes: changes.into_iter().collect(),
        }
    }
}

impl<W: Into<Cow<'static, str>>> From<(W, Change)> for Remedy {
    fn from((words, change): (W, Change)) -> Self {
        Self {
            words: words.into(),
            changes: vec![change].into(),
        }
    }
}

/// An error that ends with what to do about it.
pub trait Remedied: fmt::Display {
    /// The remedy, if it names changes. A message that does not end with it
    /// gets it in parentheses.
    fn remedy(&self) -> Option<Remedy>;

    /// The message with the changes as `term` puts them.
    fn in_terms(&self, term: &dyn Fn(Change) -> Option<String>) -> String {
        let message = self.to_string();
        let Some(remedy) = self.remedy() else {
            return message;
        };
        let terms = remedy.in_terms(term);
        let Some(problem) = message.strip_suffix(&remedy.to_string()) else {
            // The message names the field already.
            return if terms.is_empty() {
                message
            } else {
                format!("{message} ({terms})")
            };
        };
        match terms {
            words if words.is_empty() => problem.trim_end_matches(['.', ';', ':', ' ']).to_owned(),
            words => format!("{problem}{words}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Problem(Option<Remedy>);

    impl fmt::Display for Problem {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match &self.0 {
                Some(remedy) => write!(f, "it is broken; {remedy}"),
                None => f.write_str("it is broken"),
            }
        }
    }

    impl Remedied for Problem {
        fn remedy(&self) -> Option<Remedy> {
            self.0.clone()
        }
    }

    #[test]
    fn a_message_is_in_the_terms_of_the_caller() {
        let flags = |change| match change {
            Change::Directed => Some("give --directed".to_owned()),
            _ => None,
        };
        for (remedy, library, command) in [
            (None, "it is broken", "it is broken"),
            (
                Some(Remedy::from("fix it")),
                "it is broken; fix it",
                "it is broken; fix it",
            ),
            (
                Some(Remedy::new(
                    "fix it",
                    &[Change::Directed, Change::MaxOneHot],
                )),
                "it is broken; fix it, or set `directed`, or raise `limits.max_one_hot`",
                "it is broken; fix it, or give --directed",
            ),
            (
                Some(Change::MaxOneHot.into()),
                "it is broken; raise `limits.max_one_hot`",
                "it is broken",
            ),
        ] {
            let problem = Problem(remedy);
            assert_eq!(problem.to_string(), library);
            assert_eq!(problem.in_terms(&flags), command);
        }
    }
}
