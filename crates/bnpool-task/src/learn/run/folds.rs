//! Selection of folds.

use crate::{Failure, TaskError};
use std::str::FromStr;

/// Folds to train.
#[derive(Clone, Debug)]
pub enum Folds {
    /// All folds.
    All,
    /// These folds.
    Some(Vec<usize>),
}

impl FromStr for Folds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "all" {
            return Ok(Self::All);
        }
        let folds = text
            .split(',')
            .map(|part| part.trim().parse::<usize>())
            .collect::<Result<Vec<_>, _>>()
            .map_err(|_| "write `all`, or numbers like 0,1,2".to_owned())?;
        Ok(Self::of(folds))
    }
}

impl Folds {
    /// Selects folds, each once.
    #[must_use]
    pub fn of(folds: impl IntoIterator<Item = usize>) -> Self {
        let once: std::collections::BTreeSet<usize> = folds.into_iter().collect();
        Self::Some(once.into_iter().collect())
    }

    /// Returns the selected ones of `count` folds.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such fold.
    pub fn choose(&self, count: usize) -> Result<Vec<usize>, Failure> {
        match self {
            Self::All => Ok((0..count).collect()),
            Self::Some(folds) => match folds.iter().find(|&&fold| fold >= count) {
                Some(&fold) => Err(TaskError::NoFold { fold, folds: count }.into()),
                None => Ok(folds.clone()),
            },
        }
    }
}
