//! Damages run files, and checks that they cause an error message or no effect.

use super::support::{SMALL, bnpool_in, folder, shapes, text, two_cliques};
use super::{Attack, copy, is_decent};
use std::fs;
use std::path::Path;

/// Damages one file of a folder; returns a description.
fn damage(attack: &mut Attack, folder: &Path) -> String {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let path = files[attack.below(files.len())].clone();
    let name = path
        .file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    let mut bytes = fs::read(&path).expect("bytes");
    let place = attack.below(bytes.len());
    let what = match attack.below(8) {
        0..=2 if !bytes.is_empty() => {
            let bit = attack.below(8);
            bytes[place] ^= 1 << bit;
            format!("bit {bit} of byte {place}")
        }
        3 => {
            bytes.truncate(place);
            format!("cut after {place} bytes")
        }
        4 if !bytes.is_empty() => {
            let end = (place + 1 + attack.below(64)).min(bytes.len());
            bytes[place..end].fill(0);
            format!("zeros from {place} to {end}")
        }
        5 => {
            let end = (place + attack.below(200)).min(bytes.len());
            let piece = bytes[place..end].to_vec();
            bytes.splice(place..place, piece);
            format!("bytes {place} to {end} twice")
        }
        6 => {
            // The model of another fold is a valid model, not damage.
            let is_model = |path: &Path| path.to_string_lossy().contains("/model.");
            let others = files
                .iter()
                .filter(|other| !is_model(other) || !is_model(&path));
            let others: Vec<_> = others.collect();
            let other = others[attack.below(others.len())];
            bytes = fs::read(other).expect("bytes");
            format!("the content of {}", other.display())
        }
        _ => {
            fs::remove_file(&path).expect("removed");
            return format!("{name}: removed");
        }
    };
    fs::write(&path, bytes).expect("written");
    format!("{name}: {what}")
}

#[test]
fn damaged_training_runs_never_predict_otherwise() {
    let mut attack = Attack::new("damaged training runs", 0.3);
    let folder = folder("attack-train");
    let data = shapes(&folder, 8);
    let settings = ["train", "--data", &data, "--out", "run", "--epochs", "2"];
    let out = bnpool_in(
        &folder,
        &[&settings[..], &["--folds", "0,1"], &SMALL].concat(),
    );
    assert!(out.status.success(), "{}", text(&out.stderr));
    let predict = ["predict", "--run", "hurt", "shapes/g1.csv", "shapes/g2.csv"];
    copy(&folder.join("run"), &folder.join("hurt"));
    let truth = bnpool_in(&folder, &predict);
    assert!(truth.status.success(), "{}", text(&truth.stderr));
    while attack.goes_on() {
        copy(&folder.join("run"), &folder.join("hurt"));
        let what = damage(&mut attack, &folder.join("hurt"));
        let out = bnpool_in(&folder, &predict);
        is_decent(&out, &what);
        if out.status.success() {
            assert_eq!(text(&out.stdout), text(&truth.stdout), "{what}");
        }
        if attack.tried().is_multiple_of(4) {
            is_decent(&bnpool_in(&folder, &["report", "hurt"]), &what);
            let resume = ["train", "--resume", "--out", "hurt", "--quiet"];
            is_decent(&bnpool_in(&folder, &resume), &what);
        }
    }
}

#[test]
fn damaged_clustering_runs_never_answer_otherwise() {
    let mut attack = Attack::new("damaged clustering runs", 0.2);
    let folder = folder("attack-cluster");
    let edges = two_cliques(&folder);
    let settings = ["cluster", &edges, "--out", "run", "--epochs", "20"];
    let out = bnpool_in(&folder, &[&settings[..], &["--quiet"]].concat());
    assert!(out.status.success(), "{}", text(&out.stderr));
    let labels = fs::read(folder.join("run/labels.csv")).expect("labels");
    let predict = ["predict", "--run", "hurt", &edges];
    copy(&folder.join("run"), &folder.join("hurt"));
    let truth = bnpool_in(&folder, &predict);
    assert!(truth.status.success(), "{}", text(&truth.stderr));
    while attack.goes_on() {
        copy(&folder.join("run"), &folder.join("hurt"));
        let what = damage(&mut attack, &folder.join("hurt"));
        let out = bnpool_in(&folder, &predict);
        is_decent(&out, &what);
        if out.status.success() {
            assert_eq!(text(&out.stdout), text(&truth.stdout), "{what}");
        }
        let resume = ["cluster", "--resume", "--out", "hurt", "--quiet"];
        let out = bnpool_in(&folder, &resume);
        is_decent(&out, &what);
        if out.status.success() {
            let found = fs::read(folder.join("hurt/labels.csv")).expect("labels");
            assert!(found == labels, "{what}: other labels");
        }
    }
}
