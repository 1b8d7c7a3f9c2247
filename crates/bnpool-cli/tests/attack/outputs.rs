//! Uses special files as outputs, and checks that their type and all other
//! files are unchanged.

#![cfg(unix)]

use super::support::{SMALL, bnpool_in, folder, shapes, text, two_cliques};
use super::{Attack, is_decent};
use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;

/// Returns the type of a path, without following links.
fn kind(path: &Path) -> String {
    match fs::symlink_metadata(path) {
        Err(_) => "nothing".into(),
        Ok(m) if m.is_symlink() => format!("a link to {:?}", fs::read_link(path).ok()),
        Ok(m) if m.is_dir() => "a folder".into(),
        Ok(m) if m.file_type().is_char_device() => "a device".into(),
        Ok(m) if m.file_type().is_fifo() => "a pipe".into(),
        Ok(m) => format!("a file of mode {:o}", m.permissions().mode() & 0o777),
    }
}

/// Creates a special file at a path.
fn make(attack: &mut Attack, path: &Path) {
    let _ = fs::remove_dir_all(path);
    let _ = fs::remove_file(path);
    match attack.below(9) {
        0 => fs::create_dir(path).expect("a folder"),
        1 => {
            fs::create_dir(path).expect("a folder");
            fs::write(path.join("labels.csv"), "mine").expect("a file");
        }
        2 => symlink("/dev/null", path).expect("a link"),
        3 => symlink("nowhere", path).expect("a link"),
        4 => symlink("keep", path).expect("a link"),
        5 => symlink(path.file_name().expect("a name"), path).expect("a link"),
        6 => {
            fs::write(path, "mine").expect("a file");
            let mode = [0o600, 0o644, 0o444][attack.below(3)];
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
        }
        7 => symlink("shapes", path).expect("a link"),
        _ => {}
    }
}

/// Returns the files that must not be changed.
fn precious(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for name in ["edges.csv", "keep/labels.csv", "keep/notes.txt"] {
        all.push((name.to_owned(), fs::read(folder.join(name)).expect(name)));
    }
    for entry in fs::read_dir(folder.join("shapes")).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "csv") {
            continue;
        }
        all.push((path.display().to_string(), fs::read(path).expect("bytes")));
    }
    all.sort();
    all
}

#[test]
fn odd_outputs_change_nothing_else() {
    let mut attack = Attack::new("odd outputs", 0.1);
    let folder = folder("attack-outputs");
    let edges = two_cliques(&folder);
    let data = shapes(&folder, 8);
    fs::create_dir(folder.join("keep")).expect("a folder");
    for name in ["labels.csv", "notes.txt"] {
        fs::write(folder.join("keep").join(name), "mine").expect("a file");
    }
    let train = [
        "train", "--data", &data, "--out", "run", "--epochs", "1", "--folds", "0",
    ];
    let out = bnpool_in(&folder, &[&train[..], &SMALL].concat());
    assert!(out.status.success(), "{}", text(&out.stderr));
    let before = precious(&folder);
    while attack.goes_on() {
        let path = folder.join("odd");
        make(&mut attack, &path);
        let was = kind(&path);
        let arguments: &[&str] = match attack.below(5) {
            0 => &["predict", "--run", "run", "shapes/g1.csv", "--out", "odd"],
            1 => &["cluster", &edges, "--epochs", "1", "--out", "odd"],
            2 => &[
                "cluster",
                &edges,
                "--epochs",
                "1",
                "--out",
                "odd",
                "--overwrite",
            ],
            3 => &["data", "generate", "sbm", "--nodes", "20", "--out", "odd"],
            _ => &[
                "predict",
                "--run",
                "run",
                "shapes/g1.csv",
                "--pooled",
                "odd",
            ],
        };
        let out = bnpool_in(&folder, arguments);
        let what = format!("{arguments:?} on {was}");
        is_decent(&out, &what);
        let is = kind(&path);
        assert!(was == is || was == "nothing", "{what}: it became {is}");
        assert!(precious(&folder) == before, "{what}: other files changed");
        let null = fs::metadata("/dev/null").expect("a device").file_type();
        assert!(null.is_char_device(), "{what}");
        if !out.status.success() && was == "nothing" {
            assert_eq!(is, "nothing", "{what}: something was left behind");
        }
        let _ = fs::remove_file(folder.join("nowhere"));
        let _ = fs::remove_dir_all(folder.join("nowhere"));
    }
}
