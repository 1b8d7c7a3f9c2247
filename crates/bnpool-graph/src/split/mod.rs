//! Splits of data sets into training, validation and test parts.
//!
//! [`k_fold`] uses keyed streams, so a seed gives the same folds on any machine;
//! [`stratified_k_fold`] keeps classes in proportion. [`authors_folds`] reproduces the
//! folds of the authors' code, which come from three Mersenne Twisters (see
//! [`authors_order`]). Data sets with an official split provide it as
//! `official_split` of `bnpool_io::dataset::Dataset`.

mod authors;
mod fold;
mod twister;

pub use authors::{AUTHORS_FOLDS, AUTHORS_SEED, authors_folds, authors_order};
pub use fold::{TRAIN_SHARE, k_fold, stratified_k_fold};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A split of examples, by number; no example is in two parts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Split {
    /// Training examples.
    pub train: Vec<usize>,
    /// Validation examples, for tuning and early stopping.
    pub validation: Vec<usize>,
    /// Test examples.
    pub test: Vec<usize>,
}

impl Split {
    /// Number of examples in all three parts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.train.len() + self.validation.len() + self.test.len()
    }

    /// Returns whether all three parts are empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks that all examples exist and none is listed twice.
    ///
    /// # Errors
    ///
    /// Returns an error that names the first invalid number.
    ///
    /// # Complexity
    ///
    /// Time linear in the examples, memory of one byte each.
    pub fn check(&self, examples: usize) -> Result<(), SplitError> {
        let mut seen = vec![false; examples];
        for &example in self.train.iter().chain(&self.validation).chain(&self.test) {
            match seen.get_mut(example) {
                None => return Err(SplitError::OutOfRange { example, examples }),
                Some(true) => return Err(SplitError::Twice { example }),
                Some(unseen) => *unseen = true,
            }
        }
        Ok(())
    }
}

/// Error of a split.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SplitError {
    /// Fewer than two folds, which leaves no training examples.
    #[error("{folds} folds: cross-validation needs at least 2")]
    TooFewFolds {
        /// Requested number of folds.
        folds: usize,
    },

    /// Some fold would have no test examples.
    #[error("{examples} examples cannot fill {folds} folds: ask for fewer folds")]
    TooFewExamples {
        /// Number of examples.
        examples: usize,
        /// Requested number of folds.
        folds: usize,
    },

    /// An example that does not exist.
    #[error("example {example} of the split does not exist: there are {examples}, counted from 0")]
    OutOfRange {
        /// Its number.
        example: usize,
        /// Number of examples.
        examples: usize,
    },

    /// An example that is listed twice.
    #[error("example {example} stands twice in the split")]
    Twice {
        /// Its number.
        example: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_names_each_example_once() {
        let mut split = Split {
            train: vec![2, 0],
            validation: vec![3],
            test: vec![1],
        };
        assert_eq!((split.len(), split.is_empty()), (4, false));
        assert_eq!(split.check(4), Ok(()));
        assert_eq!(
            split.check(3),
            Err(SplitError::OutOfRange {
                example: 3,
                examples: 3
            })
        );
        split.test.push(0);
        assert_eq!(split.check(4), Err(SplitError::Twice { example: 0 }));
        assert!(Split::default().is_empty());
    }
}
