//! Settings with their own name in the front ends: a flag of the command and a
//! keyword of the Python package. All other settings are set by their keys.
//!
//! A new row of the table adds a flag, with its help and its use in error messages, and
//! a keyword, which the estimator only has to list in its signature.

use bnpool::pool::POOLERS;

/// Values of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// An integer not below this one.
    Whole(u64),
    /// Any number.
    Number,
    /// One of these words, with their meanings if not obvious.
    Words(&'static [(&'static str, &'static str)]),
    /// Name of a pooler.
    Pooler,
    /// True or false; the flag means true.
    Switch,
}

/// Tasks that offer a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfferedBy {
    /// Communities of one graph.
    Cluster,
    /// Training on many graphs.
    Train,
    /// Both tasks, and comparisons.
    Both,
}

/// A setting with its own name.
#[derive(Debug, Clone, Copy)]
pub struct Offered {
    /// Key in `run.toml`.
    pub key: &'static str,
    /// Flag without leading dashes; `None` if only available in Python.
    pub flag: Option<&'static str>,
    /// Keyword of the Python package.
    pub keyword: &'static str,
    /// Placeholder for a value in help and messages, a letter or a word.
    pub letter: &'static str,
    /// Allowed values.
    pub values: Values,
    /// Tasks with this setting.
    pub by: OfferedBy,
    /// Meaning in one sentence.
    pub meaning: &'static str,
}

impl Offered {
    /// Returns whether the task `cluster` or `train` has this setting.
    #[must_use]
    pub fn is_of(&self, task: &str) -> bool {
        match self.by {
            OfferedBy::Cluster => task == "cluster",
            OfferedBy::Train => task == "train",
            OfferedBy::Both => true,
        }
    }

    /// Returns the allowed words with their meanings; `None` for numbers.
    #[must_use]
    pub fn words(&self) -> Option<Vec<(&'static str, &'static str)>> {
        match self.values {
            Values::Pooler => Some(POOLERS.iter().map(|p| (p.name, p.summary)).collect()),
            Values::Words(words) => Some(words.to_vec()),
            _ => None,
        }
    }
}

macro_rules! offered {
    ($($(#[$only:meta])* $key:literal: $flag:expr, $keyword:literal, $letter:literal,
        $values:expr, $by:ident, $meaning:literal;)*) => {
        /// All settings with their own name, in the order of the help.
        pub static OFFERED: &[Offered] = &[
            $($(#[$only])* Offered {
                key: $key,
                flag: $flag,
                keyword: $keyword,
                letter: $letter,
                values: $values,
                by: OfferedBy::$by,
                meaning: $meaning,
            }),*
        ];
    };
}

offered! {
    "pooler.name": Some("pooler"), "pooler", "NAME", Values::Pooler, Both,
        "The pooler";
    "search.structure": Some("structure"), "structure", "KIND",
        Values::Words(&[("auto", ""), ("communities", ""), ("blocks", "")]), Cluster,
        "Look for communities, or for blocks of nodes with similar connections; auto takes blocks if there are no communities";
    "clusters": Some("clusters"), "n_clusters", "K", Values::Whole(1), Cluster,
        "Use exactly K communities";
    "evaluation.min_size": Some("min-size"), "min_size", "N", Values::Whole(0), Cluster,
        "Communities with fewer nodes join the neighbour they have most edges to";
    "evaluation.split_disconnected": Some("split-disconnected"), "split_disconnected", "",
        Values::Switch, Cluster,
        "Split communities that are not connected";
    "pooler.loss": Some("loss"), "loss", "LOSS",
        Values::Words(&[
            ("dense", "All pairs of nodes, exactly"),
            ("sparse", "Edges and as many sampled non-edges: for large graphs"),
        ]), Both,
        "The pairs of nodes that the reconstruction covers";
    "pooler.max_clusters": Some("max-clusters"), "max_clusters", "C", Values::Whole(0), Both,
        "C: the largest number of clusters";
    "pooler.alpha_dp": Some("alpha-dp"), "alpha_dp", "X", Values::Number, Both,
        "α_DP: concentration; more allows more clusters";
    "pooler.mu_k": Some("mu-k"), "mu_k", "X", Values::Number, Both,
        "μ_K: prior mean of the block matrix";
    "pooler.sigma_k": Some("sigma-k"), "sigma_k", "X", Values::Number, Both,
        "σ_K: prior variance of the block matrix";
    "pooler.eta_k": Some("eta-k"), "eta_k", "X", Values::Number, Both,
        "η_K: initial value of the block matrix";
    "pooler.particles": Some("particles"), "particles", "T", Values::Whole(0), Both,
        "T: samples that a training step averages over";
    "pooler.ratio": None, "ratio", "X", Values::Number, Both,
        "κ: supernodes as a fraction of the nodes, for poolers that do not infer it";
    "model.hidden": None, "hidden", "N", Values::Whole(0), Both,
        "Width of the network";
    "model.levels": None, "levels", "N", Values::Whole(0), Train,
        "Number of times that a graph is pooled";
    "training.batch_size": None, "batch_size", "N", Values::Whole(0), Train,
        "Graphs in a batch";
    "training.learning_rate": None, "learning_rate", "X", Values::Number, Both,
        "Learning rate";
    "training.epochs": Some("epochs"), "epochs", "N", Values::Whole(0), Both,
        "At most this many epochs";
    "seed": Some("seed"), "random_state", "N", Values::Whole(0), Both,
        "Seed of everything random";
    // A setting of the tests: a row here, and one in the table of ranges.
    #[cfg(test)] "toy.size": Some("toy-size"), "toy_size", "N", Values::Whole(1), Both,
        "Size of the toy";
}

/// Returns the setting of a key; `None` if it has no own name.
#[must_use]
pub fn offered(key: &str) -> Option<&'static Offered> {
    OFFERED.iter().find(|own| own.key == key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;
    use crate::cluster::ClusterConfig;
    use crate::learn::LearnConfig;
    use crate::settings::Settings;
    use bnpool_io::remedy::{Change, Remedied};
    use serde_json::Value;

    #[test]
    fn every_row_is_a_setting_of_its_tasks() {
        let cluster = serde_json::to_value(ClusterConfig::preset(Preset::Paper)).expect("JSON");
        let learn = serde_json::to_value(LearnConfig::preset(Preset::Paper, None)).expect("JSON");
        for own in OFFERED.iter().filter(|own| own.key != "toy.size") {
            let place = format!("/{}", own.key.replace('.', "/"));
            for (task, config) in [("cluster", &cluster), ("train", &learn)] {
                if own.is_of(task) {
                    let value = config.pointer(&place);
                    let fits = match (own.values, value) {
                        (Values::Whole(_), Some(Value::Number(n))) => n.is_u64(),
                        (Values::Number, Some(Value::Number(_))) => true,
                        (Values::Switch, Some(Value::Bool(_))) => true,
                        (Values::Words(_) | Values::Pooler, Some(Value::String(_))) => true,
                        _ => false,
                    };
                    assert!(fits, "{task}: {} is {value:?}", own.key);
                }
            }
        }
    }

    /// As docs/guide/extending.md describes it.
    #[test]
    fn two_rows_add_a_setting() {
        #[derive(serde::Serialize, serde::Deserialize)]
        struct Toy {
            size: u64,
        }
        let own = offered("toy.size").expect("a row");
        assert!(own.is_of("cluster") && own.is_of("train"));
        let mut layers = Settings::new(&serde_json::json!({ "toy": { "size": 3 } })).expect("JSON");
        let mut set = |value| layers.set(&format!("toy.size={value}"), "--toy-size");
        set("5").expect("a known key");
        let problem = set("many").expect_err("a word").to_string();
        assert!(
            problem.contains("toy.size") && problem.contains("whole number"),
            "{problem}"
        );
        crate::bounds::check("toy", &Toy { size: 5 }).expect("in its range");
        let error = crate::bounds::check("toy", &Toy { size: 10 }).expect_err("out of range");
        let change = Change::Setting {
            key: "toy.size",
            value: "X",
        };
        let flag = |asked| (asked == change).then(|| format!("give --{}", own.flag.expect("one")));
        let message = error.in_terms(&flag);
        assert!(
            message.contains("toy.size = 10 is out of range"),
            "{message}"
        );
        assert!(message.ends_with("(give --toy-size)"), "{message}");
    }
}
