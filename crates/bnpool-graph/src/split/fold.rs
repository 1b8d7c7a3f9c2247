//! Cross-validation with keyed random streams.

use std::collections::BTreeMap;

use bnpool_math::stream::{Purpose, Stream};

use super::{Split, SplitError};

/// Fraction of the examples outside the test fold that is used for training;
/// the rest is used for validation.
pub const TRAIN_SHARE: f64 = 0.85;

/// Splits `examples` examples into `folds` folds of equal size (give or take
/// one) in random order. Each fold is the test part once; the others are split
/// 85 to 15 into training and validation.
///
/// The same seed gives the same folds. The test part is sorted; the other two
/// are in random order.
///
/// # Errors
///
/// Returns an error if there are fewer than two folds, or fewer examples than
/// folds.
///
/// # Complexity
///
/// O(`examples * folds`) time and memory.
///
/// ```
/// let splits = bnpool_graph::split::k_fold(188, 10, 0)?;
/// assert_eq!(splits.len(), 10);
/// assert_eq!((splits[0].train.len(), splits[0].validation.len()), (143, 26));
/// assert!(splits.iter().all(|split| split.check(188).is_ok()));
/// # Ok::<(), bnpool_graph::split::SplitError>(())
/// ```
pub fn k_fold(examples: usize, folds: usize, seed: u64) -> Result<Vec<Split>, SplitError> {
    let mut order: Vec<usize> = (0..examples).collect();
    Stream::new(seed, Purpose::Split, 0)
        .draws(0)
        .shuffle(&mut order);
    let inner = Stream::new(seed, Purpose::Split, 1);
    divide(&order, folds, |fold, rest| {
        inner.draws(fold as u64).shuffle(rest);
    })
}

/// Stratified [`k_fold`]: each part of each fold has its share of the examples
/// of each class, give or take one.
///
/// # Errors
///
/// As [`k_fold`].
///
/// # Complexity
///
/// O(`examples * folds`) time, plus sorting of the examples.
///
/// ```
/// // One example in five is of class 1.
/// let classes: Vec<u32> = (0..50).map(|i| u32::from(i < 10)).collect();
/// let splits = bnpool_graph::split::stratified_k_fold(&classes, 5, 0)?;
/// for split in &splits {
///     assert_eq!(split.test.iter().filter(|&&i| classes[i] == 1).count(), 2);
/// }
/// # Ok::<(), bnpool_graph::split::SplitError>(())
/// ```
pub fn stratified_k_fold(
    classes: &[u32],
    folds: usize,
    seed: u64,
) -> Result<Vec<Split>, SplitError> {
    let mut order: Vec<usize> = (0..classes.len()).collect();
    Stream::new(seed, Purpose::Split, 0)
        .draws(0)
        .shuffle(&mut order);
    interleave(&mut order, classes);
    let inner = Stream::new(seed, Purpose::Split, 1);
    divide(&order, folds, |fold, rest| {
        inner.draws(fold as u64).shuffle(rest);
        interleave(rest, classes);
    })
}

/// Spreads the examples of each class evenly, keeping their relative order, so
/// that any run has its share of each class.
fn interleave(order: &mut [usize], classes: &[u32]) {
    let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
    for &example in &*order {
        *sizes.entry(classes[example]).or_default() += 1;
    }
    let mut seen: BTreeMap<u32, usize> = BTreeMap::new();
    let mut placed: Vec<(f64, u32, usize)> = Vec::with_capacity(order.len());
    for &example in &*order {
        let class = classes[example];
        let rank = seen.entry(class).or_default();
        placed.push(((*rank as f64 + 0.5) / sizes[&class] as f64, class, example));
        *rank += 1;
    }
    placed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (place, (_, _, example)) in order.iter_mut().zip(placed) {
        *place = example;
    }
}

/// Splits an order into folds: consecutive runs, the first ones longer by one
/// if the size is not divisible. `shuffle` orders the sorted rest of a fold, of
/// which the first part is used for training.
pub(super) fn divide(
    order: &[usize],
    folds: usize,
    shuffle: impl Fn(usize, &mut [usize]),
) -> Result<Vec<Split>, SplitError> {
    let examples = order.len();
    if folds < 2 {
        return Err(SplitError::TooFewFolds { folds });
    }
    if examples < folds {
        return Err(SplitError::TooFewExamples { examples, folds });
    }
    let mut start = 0;
    let splits = (0..folds).map(|fold| {
        let end = start + examples / folds + usize::from(fold < examples % folds);
        let mut test = order[start..end].to_vec();
        test.sort_unstable();
        let mut rest: Vec<usize> = [&order[..start], &order[end..]].concat();
        rest.sort_unstable();
        shuffle(fold, &mut rest);
        let validation = rest.split_off(train_size(rest.len()));
        start = end;
        Split {
            train: rest,
            validation,
            test,
        }
    });
    Ok(splits.collect())
}

/// Rounded down, but at least one.
fn train_size(rest: usize) -> usize {
    ((TRAIN_SHARE * rest as f64) as usize).max(1).min(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_tested_once() {
        for examples in [10, 11, 19, 135] {
            let splits = k_fold(examples, 10, 3).unwrap();
            let mut tested: Vec<_> = splits.iter().flat_map(|s| s.test.clone()).collect();
            tested.sort_unstable();
            assert_eq!(tested, (0..examples).collect::<Vec<_>>());
            for split in &splits {
                assert_eq!(split.len(), examples);
                split.check(examples).unwrap();
                assert!(split.test.is_sorted());
            }
        }
    }

    #[test]
    fn classes_are_in_proportion_everywhere() {
        // 60, 25 and 15 percent, in blocks.
        let classes: Vec<u32> = (0..100)
            .map(|i| u32::from(i >= 60) + u32::from(i >= 85))
            .collect();
        let splits = stratified_k_fold(&classes, 10, 7).unwrap();
        assert_ne!(splits, stratified_k_fold(&classes, 10, 8).unwrap());
        let mut tested = Vec::new();
        for split in &splits {
            split.check(100).unwrap();
            assert_eq!(split.len(), 100);
            tested.extend_from_slice(&split.test);
            for (class, share) in [(0, 0.6), (1, 0.25), (2, 0.15)] {
                for part in [&split.train, &split.validation, &split.test] {
                    let found = part.iter().filter(|&&i| classes[i] == class).count();
                    let expected = share * part.len() as f64;
                    assert!(
                        (found as f64 - expected).abs() <= 1.5,
                        "{found} of {expected}"
                    );
                }
            }
        }
        tested.sort_unstable();
        assert_eq!(tested, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(k_fold(50, 5, 1), k_fold(50, 5, 1));
        assert_ne!(k_fold(50, 5, 1), k_fold(50, 5, 2));
        let splits = k_fold(50, 5, 1).unwrap();
        assert_ne!(splits[0].train, splits[1].train);
    }

    #[test]
    fn too_little_is_refused() {
        assert_eq!(k_fold(5, 1, 0), Err(SplitError::TooFewFolds { folds: 1 }));
        assert_eq!(
            k_fold(5, 10, 0).unwrap_err().to_string(),
            "5 examples cannot fill 10 folds: ask for fewer folds"
        );
        let smallest = k_fold(2, 2, 0).unwrap();
        assert_eq!((smallest[0].train.len(), smallest[0].test.len()), (1, 1));
    }
}
