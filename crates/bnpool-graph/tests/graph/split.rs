//! The authors' folds against the recorded output of their code.

use crate::fixtures;
use bnpool_graph::split::{authors_folds, authors_order};
use serde_json::Value;

fn numbers(value: &Value) -> Vec<usize> {
    let list = value.as_array().expect("a list");
    let number = |value: &Value| value.as_u64().expect("a number") as usize;
    list.iter().map(number).collect()
}

#[test]
fn authors_folds_equal_the_record() {
    let path = fixtures().join("splits.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: {} is not there", path.display());
        return;
    };
    let record: Value = serde_json::from_str(&text).expect("the record is JSON");
    let sets = record["data"].as_object().expect("sets by name");
    assert!(!sets.is_empty());
    for (name, set) in sets {
        let examples = set["N"].as_u64().expect("a size") as usize;
        let order = numbers(&set["dataset_shuffle_perm"]);
        assert_eq!(authors_order(examples), order, "{name}");
        let splits = authors_folds(examples).expect("ten folds");
        // The record keeps only three folds of the larger sets.
        let folds = set["folds"].as_array().expect("folds");
        for (fold, (split, recorded)) in splits.iter().zip(folds).enumerate() {
            let published = |part: &str| -> Vec<usize> {
                numbers(&recorded[part]).iter().map(|&i| order[i]).collect()
            };
            assert_eq!(split.train, published("train"), "{name}, fold {fold}");
            assert_eq!(split.validation, published("val"), "{name}, fold {fold}");
            assert_eq!(split.test, published("test"), "{name}, fold {fold}");
        }
    }
}
