//! Agreement of assignments with known classes.

use bnpool_graph::UNLABELLED;
use bnpool_math::metrics::{
    LogisticError, adjusted_mutual_information, adjusted_rand_index, completeness,
    cosine_agreement, homogeneity, logistic_accuracy, normalised_mutual_information,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashMap;

/// Products of one iteration of the logistic regression that somebody would wait for:
/// a fit takes some hundred of them, and so some ten seconds.
const MOST_PRODUCTS: usize = 200_000_000;

/// How much time an evaluation may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// All that there is to measure.
    Thorough,
    /// Without measures that take far longer than one look at the graph.
    Brief,
}

/// A measure of agreement with known classes.
pub struct Measure {
    /// Its key in `metrics.json`, for one posterior sample of S.
    pub key: &'static str,
    /// Its key for the posterior mean of S, which determines the communities.
    pub mean_key: &'static str,
    /// Its name in tables.
    pub title: &'static str,
    /// Its meaning; higher is better in every measure.
    pub meaning: &'static str,
    /// Whether tables and pages for people show it.
    pub shown: bool,
    of: fn(&Compared<'_>) -> Result<Option<f64>, LogisticError>,
}

/// Assignments beside classes; every node has a class.
struct Compared<'a> {
    /// S, [nodes, C].
    s: &'a [f32],
    /// C.
    clusters: usize,
    labels: &'a [u32],
    classes: &'a [u32],
    effort: Effort,
}

/// The table of the measures: `metrics.json`, the terminal, the report and comparisons
/// follow it.
macro_rules! measures {
    ($($(#[$only:meta])* $key:literal, $title:literal, $shown:literal, $meaning:literal,
        $of:expr;)*) => {
        /// The measures, in the order of the files.
        pub static AGREEMENT: [Measure; MEASURES] = [
            $($(#[$only])* Measure {
                key: $key,
                mean_key: concat!($key, "_mean"),
                title: $title,
                meaning: $meaning,
                shown: $shown,
                of: $of,
            }),*
        ];

        const MEASURES: usize = [$($(#[$only])* $key),*].len();
    };
}

measures! {
    "nmi", "NMI", true,
        "normalised mutual information (NMI) of communities and classes, 0 to 1",
        |c| Ok(Some(normalised_mutual_information(c.labels, c.classes)));
    "ari", "ARI", true,
        "adjusted Rand index (ARI): 0 for chance, 1 for identical groups",
        |c| Ok(Some(adjusted_rand_index(c.labels, c.classes)));
    "cos", "COS", true,
        "cosine of S Sᵀ and Y Yᵀ",
        |c| Ok(Some(cosine_agreement(c.s, c.clusters, c.classes)));
    "acc", "ACC", true,
        "accuracy of a logistic regression from S to the classes",
        accuracy;
    "homogeneity", "homogeneity", false,
        "1 if every community holds a single class",
        |c| Ok(Some(homogeneity(c.classes, c.labels)));
    "completeness", "completeness", false,
        "1 if every class lies in a single community",
        |c| Ok(Some(completeness(c.classes, c.labels)));
    "ami", "AMI", false,
        "adjusted mutual information (AMI): 0 for chance, 1 for identical groups",
        |c| Ok(Some(adjusted_mutual_information(c.labels, c.classes)));
    // A measure of the tests: one line is all that it takes.
    #[cfg(test)] "toy", "TOY", true,
        "share of nodes whose community has the number of their class",
        |c| {
            let same = c.labels.iter().zip(c.classes).filter(|(label, class)| label == class);
            Ok(Some(same.count() as f64 / c.labels.len() as f64))
        };
}

/// None if the training was stopped, or nodes times columns of S times classes are more
/// than 2·10⁸.
fn accuracy(compared: &Compared<'_>) -> Result<Option<f64>, LogisticError> {
    let Compared {
        s,
        clusters,
        classes,
        effort,
        ..
    } = *compared;
    let numbers = classes.iter().max().map_or(0, |&class| class as usize + 1);
    if effort == Effort::Brief || s.len().saturating_mul(numbers) > MOST_PRODUCTS {
        return Ok(None);
    }
    match logistic_accuracy(s, clusters, classes) {
        // With one class there is nothing to get wrong.
        Err(LogisticError::OneClass { .. }) => Ok(Some(1.0)),
        fitted => fitted.map(Some),
    }
}

/// How well assignments agree with classes, by every measure of [`AGREEMENT`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement([Option<f64>; MEASURES]);

impl Agreement {
    /// The value of a measure; none if it was left out.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<f64> {
        let place = AGREEMENT.iter().position(|measure| measure.key == key)?;
        self.0[place]
    }

    /// Every measure with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Measure, Option<f64>)> {
        AGREEMENT.iter().zip(self.0)
    }

    /// Compares memberships s, [nodes, C], and their labels with classes. Nodes
    /// without a class ([`UNLABELLED`]) are left out.
    ///
    /// # Errors
    ///
    /// When there is not a class for every row of s.
    ///
    /// # Complexity
    ///
    /// O(N C) time, and some hundred times O(N · C · classes) for the logistic
    /// regression of a thorough comparison.
    pub(super) fn of(
        s: &[f32],
        clusters: usize,
        labels: &[u32],
        classes: &[u32],
        effort: Effort,
    ) -> Result<Self, LogisticError> {
        let known: Vec<usize> = (0..classes.len())
            .filter(|&node| classes[node] != UNLABELLED)
            .collect();
        if known.len() < classes.len() {
            let rows = |node: &usize| s.chunks_exact(clusters).nth(*node).unwrap_or_default();
            let s: Vec<f32> = known.iter().flat_map(rows).copied().collect();
            let of = |all: &[u32]| known.iter().map(|&node| all[node]).collect::<Vec<u32>>();
            return Self::of(&s, clusters, &of(labels), &of(classes), effort);
        }
        let compared = Compared {
            s,
            clusters,
            labels,
            classes,
            effort,
        };
        let mut values = [None; MEASURES];
        for (value, measure) in values.iter_mut().zip(&AGREEMENT) {
            *value = (measure.of)(&compared)?;
        }
        Ok(Self(values))
    }
}

impl Serialize for Agreement {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.iter().map(|(measure, value)| (measure.key, value)))
    }
}

impl<'de> Deserialize<'de> for Agreement {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let values = HashMap::<String, Option<f64>>::deserialize(from)?;
        let value = |key: &str| values.get(key).copied().flatten();
        Ok(Self(std::array::from_fn(|i| value(AGREEMENT[i].key))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_without_a_class_do_not_count() {
        let s = [0.9, 0.1, 0.2, 0.8, 0.6, 0.4, 0.3, 0.7];
        let (known, partly) = ([0, 1, 1], [0, 1, 1, UNLABELLED]);
        let whole = Agreement::of(&s[..6], 2, &[0, 1, 0], &known, Effort::Thorough);
        let partial = Agreement::of(&s, 2, &[0, 1, 0, 1], &partly, Effort::Thorough);
        assert_eq!(partial, whole);
    }

    #[test]
    fn nobody_waits_for_the_regression_of_a_huge_graph() {
        let nodes = 15_000;
        let classes: Vec<u32> = (0..nodes).map(|u| u % 7_000).collect();
        let s = vec![0.5; 2 * nodes as usize];
        let found = Agreement::of(&s, 2, &classes, &classes, Effort::Thorough);
        let found = found.expect("a class each");
        assert!(found.get("acc").is_none() && found.get("nmi") > Some(0.999));
    }

    #[test]
    fn a_brief_comparison_lacks_only_the_regression() {
        let (s, labels, classes) = ([0.9, 0.1, 0.2, 0.8, 0.6, 0.4], [0, 1, 0], [0, 1, 1]);
        let of = |effort| Agreement::of(&s, 2, &labels, &classes, effort).expect("a class each");
        let (brief, thorough) = (of(Effort::Brief), of(Effort::Thorough));
        assert!(brief.get("acc").is_none() && thorough.get("acc").is_some());
        for ((measure, brief), (_, thorough)) in brief.iter().zip(thorough.iter()) {
            assert!(measure.key == "acc" || brief == thorough, "{}", measure.key);
        }
    }

    #[test]
    fn agreement_is_read_as_it_was_written() {
        let (s, labels, classes) = ([0.9, 0.1, 0.2, 0.8], [0, 1], [0, 1]);
        let found = Agreement::of(&s, 2, &labels, &classes, Effort::Brief).expect("a class each");
        let text = serde_json::to_string(&found).expect("JSON");
        assert!(text.contains(r#""acc":null"#), "{text}");
        assert_eq!(
            serde_json::from_str::<Agreement>(&text).expect("read"),
            found
        );
    }

    #[test]
    fn the_page_on_json_lists_every_measure() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/JSON.md");
        let page = std::fs::read_to_string(page).expect("docs/JSON.md");
        for measure in AGREEMENT.iter().filter(|measure| measure.key != "toy") {
            let row = format!("| `{}`, `{}` |", measure.key, measure.mean_key);
            assert!(page.contains(&row), "docs/JSON.md lacks {row}");
        }
    }

    /// As docs/guide/extending.md describes it.
    #[test]
    fn a_line_of_the_table_adds_a_measure() {
        let (s, labels, classes) = ([0.9, 0.1, 0.2, 0.8], [0, 1], [0, 0]);
        let found = Agreement::of(&s, 2, &labels, &classes, Effort::Brief).expect("a class each");
        assert_eq!(found.get("toy"), Some(0.5));
        let text = serde_json::to_string(&found).expect("JSON");
        assert!(text.contains(r#""toy":0.5"#), "{text}");
        let measure = AGREEMENT.iter().find(|measure| measure.key == "toy");
        assert_eq!(measure.map(|measure| measure.mean_key), Some("toy_mean"));
    }
}
