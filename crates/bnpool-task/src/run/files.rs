//! Names of the files in a run directory.

/// Files with a fixed name.
const SINGLE: [&str; 18] = [
    "run.toml",
    "checksums.txt",
    "graph.safetensors",
    "nodes.json",
    "history.jsonl",
    "metrics.json",
    "model.safetensors",
    "checkpoint.safetensors",
    "search.json",
    "report.html",
    "labels.csv",
    "previous.csv",
    "predictions.csv",
    "assignments.npy",
    "block_matrix.npy",
    "assignments_raw.npy",
    "block_matrix_raw.npy",
    "result.safetensors",
];

/// Files of each fold: prefix and suffix of its number.
const OF_FOLD: [(&str, &str); 4] = [
    ("checkpoint.fold-", ".safetensors"),
    ("history.fold-", ".jsonl"),
    ("model.fold-", ".safetensors"),
    ("fold-", ".json"),
];

/// Returns whether a run writes a file with this name. These files are removed
/// before a run is replaced, so old and new results are never mixed. All other
/// files are kept.
pub(super) fn is_of_run(name: &str) -> bool {
    let numbered = |(before, behind): &(&str, &str)| {
        name.strip_prefix(before)
            .and_then(|rest| rest.strip_suffix(behind))
            .is_some_and(|number| {
                !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
            })
    };
    SINGLE.contains(&name) || OF_FOLD.iter().any(numbered)
}

/// Returns whether the list of checksums contains files with this name. Checkpoints have
/// their own checksum, and histories grow with each epoch.
pub(super) fn is_listed(name: &str) -> bool {
    let grows = name.starts_with("checkpoint.") || name.starts_with("history.");
    is_of_run(name) && !grows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_names_are_known() {
        for name in ["labels.csv", "fold-0.json", "model.fold-12.safetensors"] {
            assert!(is_of_run(name), "{name}");
        }
        for name in [
            "fold-1.csv",
            "fold-.json",
            "fold-1a.json",
            "graphs.csv",
            "Labels.csv",
        ] {
            assert!(!is_of_run(name), "{name}");
        }
    }
}
