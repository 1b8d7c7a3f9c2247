//! Which examples to learn from, to tune on and to test with.
//!
//! [`k_fold`] divides with our own keyed streams, so a seed gives the same folds
//! on any machine; [`stratified_k_fold`] keeps classes in proportion. [`authors_folds`] gives the very folds of the authors' code,
//! which come from three Mersenne Twisters (see [`authors_order`]). Sets with a
//! split of their own carry it as
//! `official_split` of `bnpool_io::dataset::Dataset`.

mod authors;
mod fold;
mod twister;

pub use authors::{AUTHORS_FOLDS, AUTHORS_SEED, authors_folds, authors_order};
pub use fold::{TRAIN_SHARE, k_fold, stratified_k_fold};

use thiserror::Error;

/// A division of examples, by their numbers: no example stands in two parts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Split {
    /// To learn from.
    pub train: Vec<usize>,
    /// To tune and to stop with.
    pub validation: Vec<usize>,
    /// To test with, once.
    pub test: Vec<usize>,
}

impl Split {
    /// Number of examples in all three parts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.train.len() + self.validation.len() + self.test.len()
    }

    /// Whether all three parts are empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Refuses numbers of examples that do not exist or stand twice.
    ///
    /// # Errors
    ///
    /// Naming the first such number.
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

/// Why a division was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SplitError {
    /// Fewer than two folds leave nothing to learn from.
    #[error("{folds} folds: cross-validation needs at least 2")]
    TooFewFolds {
        /// Folds asked for.
        folds: usize,
    },

    /// Some fold would have nothing to test with.
    #[error("{examples} examples cannot fill {folds} folds: ask for fewer folds")]
    TooFewExamples {
        /// Examples there are.
        examples: usize,
        /// Folds asked for.
        folds: usize,
    },

    /// An example that does not exist.
    #[error("example {example} of the split does not exist: there are {examples}, counted from 0")]
    OutOfRange {
        /// Its number.
        example: usize,
        /// Examples there are.
        examples: usize,
    },

    /// An example in two places.
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
