//! Labels turned into class numbers.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use bnpool_graph::UNLABELLED;

/// The class of every label, and the labels themselves as class names.
///
/// Classes are numbered in the sorted order of their labels: by value where all
/// labels are numbers, else as text.
///
/// # Complexity
///
/// Time linear in the labels, and the sorting of the distinct ones.
pub(crate) fn number_classes<'a>(
    labels: impl IntoIterator<Item = Cow<'a, str>>,
) -> (Vec<u32>, Vec<String>) {
    let mut numbers: HashMap<Cow<'a, str>, u32, RandomState> = HashMap::default();
    let mut found = Vec::new();
    for label in labels {
        let next = numbers.len() as u32;
        found.push(*numbers.entry(label).or_insert(next));
    }
    let mut names: Vec<_> = numbers.into_iter().collect();
    // All names differ, so the order does not depend on the hashing.
    let values: Option<HashMap<u32, f64>> = names
        .iter()
        .map(|(name, number)| {
            let value: f64 = fast_float2::parse(name.as_bytes()).ok()?;
            value.is_finite().then_some((*number, value))
        })
        .collect();
    names.sort_unstable_by(|a, b| {
        let by_value = match &values {
            Some(values) => values[&a.1].total_cmp(&values[&b.1]),
            None => std::cmp::Ordering::Equal,
        };
        by_value.then_with(|| a.0.cmp(&b.0))
    });
    let mut classes = vec![0; names.len()];
    for (class, (_, number)) in (0_u32..).zip(&names) {
        classes[*number as usize] = class;
    }
    for label in &mut found {
        *label = classes[*label as usize];
    }
    let names = names.into_iter().map(|(name, _)| name.into_owned());
    (found, names.collect())
}

/// As [`number_classes`], for labels of which some are missing: those are
/// [`UNLABELLED`].
pub(crate) fn number_known_classes<'a>(
    labels: impl IntoIterator<Item = Option<Cow<'a, str>>>,
) -> (Vec<u32>, Vec<String>) {
    let mut known = Vec::new();
    let mut is_known = Vec::new();
    for label in labels {
        is_known.push(label.is_some());
        known.extend(label);
    }
    let (classes, names) = number_classes(known);
    let mut classes = classes.into_iter();
    let of_all = is_known.into_iter().map(|is_known| {
        if is_known {
            classes.next().unwrap_or(UNLABELLED)
        } else {
            UNLABELLED
        }
    });
    (of_all.collect(), names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(labels: &[&'static str]) -> (Vec<u32>, Vec<String>) {
        number_classes(labels.iter().map(|&label| Cow::Borrowed(label)))
    }

    #[test]
    fn numbers_by_value_and_text_by_letters() {
        let (found, names) = classes(&["10", "-1", "2", "10"]);
        assert_eq!(found, [2, 0, 1, 2]);
        assert_eq!(names, ["-1", "2", "10"]);
        let (found, names) = classes(&["b", "10", "a", "2"]);
        assert_eq!(found, [3, 0, 2, 1]);
        assert_eq!(names, ["10", "2", "a", "b"]);
        assert_eq!(classes(&[]), (vec![], vec![]));
        assert_eq!(classes(&["1.0", "1", "1.0"]).0, [1, 0, 1]);
        let some = [Some("b"), None, Some("a")].map(|label| label.map(Cow::Borrowed));
        let (found, names) = number_known_classes(some);
        assert_eq!(found, [1, UNLABELLED, 0]);
        assert_eq!(names, ["a", "b"]);
    }
}
