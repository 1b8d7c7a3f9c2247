//! Exact reproduction of the folds of the authors' code.

use super::fold::divide;
use super::twister::Twister;
use super::{Split, SplitError};

/// Seed of all splits in the authors' code.
pub const AUTHORS_SEED: u32 = 777;

/// Number of folds in the authors' code.
pub const AUTHORS_FOLDS: usize = 10;

/// Order into which the authors' code shuffles a data set before splitting it:
/// the example at position `i` is number `order[i]` of the published data set.
///
/// This is `torch.randperm` after `torch.manual_seed(777)`, as the loader's
/// `dataset.shuffle()` draws it.
#[must_use]
pub fn authors_order(examples: usize) -> Vec<usize> {
    let mut twister = Twister::new(AUTHORS_SEED);
    let mut order: Vec<usize> = (0..examples).collect();
    for i in 0..examples.saturating_sub(1) {
        // The remainder is slightly biased, but matches PyTorch.
        let step = twister.next_u32() as usize % (examples - i);
        order.swap(i, i + step);
    }
    order
}

/// The ten folds of the authors' code, as example numbers of the published data
/// set ([`authors_order`] is already applied).
///
/// The folds are those of scikit-learn's
/// `KFold(10, shuffle=True, random_state=777)`; within the rest, Python's
/// `random.seed(777)` and `shuffle` choose the 85 % for training.
///
/// # Errors
///
/// Returns an error if there are fewer than ten examples.
///
/// # Complexity
///
/// Time and memory linear in the examples.
pub fn authors_folds(examples: usize) -> Result<Vec<Split>, SplitError> {
    let mut order: Vec<usize> = (0..examples).collect();
    numpy_shuffle(&mut order);
    let mut splits = divide(&order, AUTHORS_FOLDS, |_, rest| python_shuffle(rest))?;
    let published = authors_order(examples);
    for split in &mut splits {
        for part in [&mut split.train, &mut split.validation, &mut split.test] {
            for place in part {
                *place = published[*place];
            }
        }
    }
    Ok(splits)
}

/// `numpy.random.RandomState(777).shuffle`.
fn numpy_shuffle(items: &mut [usize]) {
    let mut twister = Twister::new(AUTHORS_SEED);
    for i in (1..items.len()).rev() {
        // The smallest bit mask that covers i, then rejection.
        let mask = u32::MAX >> (i as u32).leading_zeros();
        let j = loop {
            let j = (twister.next_u32() & mask) as usize;
            if j <= i {
                break j;
            }
        };
        items.swap(i, j);
    }
}

/// Python's `random.seed(777); random.shuffle`.
fn python_shuffle(items: &mut [usize]) {
    let mut twister = Twister::from_key(AUTHORS_SEED);
    for i in (1..items.len()).rev() {
        // As many high bits as the bound has, then rejection.
        let shift = (i as u32 + 1).leading_zeros();
        let j = loop {
            let j = (twister.next_u32() >> shift) as usize;
            if j <= i {
                break j;
            }
        };
        items.swap(i, j);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_cover_the_data_set_as_published() {
        let splits = authors_folds(135).unwrap();
        let sizes = |s: &Split| (s.train.len(), s.validation.len(), s.test.len());
        assert_eq!(sizes(&splits[0]), (102, 19, 14));
        for split in &splits {
            split.check(135).unwrap();
            assert_eq!(split.len(), 135);
        }
        assert_eq!(authors_order(135)[..3], [50, 24, 39]);
        assert!(authors_folds(9).is_err());
        assert_eq!(authors_order(0), [0; 0]);
    }
}
