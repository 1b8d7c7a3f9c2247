//! Tests of the command: data sets and help.

use crate::support::{bnpool, bnpool_in, command, folder, refuses, text};
use std::process::Stdio;

#[test]
fn data_sets_are_listed_and_described() {
    let out = bnpool(&["data", "list"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    for name in [
        "community",
        "cora",
        "reddit-binary",
        "ogbg-molhiv",
        "multipartite",
    ] {
        assert!(text(&out.stdout).contains(name), "{name}");
    }
    let out = bnpool(&["data", "info", "Community", "--json"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let info: serde_json::Value =
        serde_json::from_slice(&out.stdout).expect("JSON and nothing else");
    assert_eq!(info["nodes"], 400.0);
    assert_eq!(info["edges"], 5904.0);
    assert_eq!(info["classes"], 5);
    assert!(text(&bnpool(&["data", "info", "community"]).stdout).contains("degrees"));
}

#[test]
fn graphs_are_generated_and_converted() {
    let folder = folder("generate");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let sbm = path("sbm.safetensors");
    let out = bnpool(&[
        "data", "generate", "sbm", "--nodes", "60", "--blocks", "3", "--out", &sbm,
    ]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let npz = path("sbm.npz");
    let out = bnpool(&["data", "convert", &sbm, &npz]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let back = path("back.safetensors");
    assert!(bnpool(&["data", "convert", &npz, &back]).status.success());
    refuses(
        &["data", "convert", &sbm, &path("sbm.xlsx")],
        &[".xlsx", ".safetensors"],
    );
    assert!(!folder.join("sbm.xlsx").exists());
    // Standard output contains nothing else.
    let out = bnpool(&["data", "convert", &sbm, "-"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let csv = path("sbm.csv");
    assert!(bnpool(&["data", "convert", &sbm, &csv]).status.success());
    assert_eq!(out.stdout, std::fs::read(csv).expect("a file"));
    assert!(out.stdout.starts_with(b"source,target\n"));
    // The format of generated files also depends on the extension.
    let sbm = ["data", "generate", "sbm", "--nodes", "60", "--blocks", "3"];
    for (name, same) in [("own.csv", "sbm.csv"), ("own.npz", "sbm.npz")] {
        let own = path(name);
        let out = bnpool(&[&sbm[..], &["--out", &own]].concat());
        assert!(out.status.success(), "{}", text(&out.stderr));
        let read = |name: &str| std::fs::read(folder.join(name)).expect("a file");
        assert!(
            read(name) == read(same),
            "{name} is another file than {same}"
        );
    }
    let gml = path("own.gml");
    refuses(
        &[&sbm[..], &["--out", &gml]].concat(),
        &[".gml", ".safetensors"],
    );
    refuses(
        &["data", "generate", "gcb-h", "--out", &path("many.csv")],
        &["1800 graphs", ".safetensors"],
    );
    for name in ["own.gml", "many.csv"] {
        assert!(!folder.join(name).exists(), "{name}");
    }
}

#[test]
fn nodes_in_another_order_keep_their_names() {
    let folder = folder("order");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (sbm, near) = (path("sbm.safetensors"), path("near.safetensors"));
    let nodes = ["--nodes", "90", "--blocks", "3", "--p-in", "0.3"];
    let generate = ["data", "generate", "sbm", "--out", &sbm];
    let out = bnpool(&[&generate[..], &nodes].concat());
    assert!(out.status.success(), "{}", text(&out.stderr));
    let out = bnpool(&["data", "convert", &sbm, &near, "--order", "neighbours"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let edges = |file: &str| {
        let out = bnpool(&["data", "convert", file, "-"]);
        let mut edges: Vec<Vec<String>> = text(&out.stdout)
            .lines()
            .skip(1)
            .map(|line| {
                let mut ends: Vec<String> = line.split(',').map(str::to_owned).collect();
                ends.sort();
                ends
            })
            .collect();
        edges.sort();
        edges
    };
    assert!(edges(&sbm).len() > 300);
    assert_eq!(edges(&sbm), edges(&near));
    assert_ne!(std::fs::read(&sbm).ok(), std::fs::read(&near).ok());
}

#[test]
fn data_sets_are_converted_by_name() {
    let folder = folder("convert-set");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let npz = path("community.npz");
    let out = bnpool(&["data", "convert", "community", &npz]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let out = bnpool(&["data", "convert", &npz, &path("again.safetensors")]);
    assert!(text(&out.stdout).contains("1 graph written"));
    refuses(&["data", "convert", "comunity", &npz], &["comunity"]);
    // A folder with this name has precedence, and a note is printed.
    std::fs::create_dir_all(folder.join("cora")).expect("a folder");
    let out = bnpool_in(&folder, &["data", "convert", "cora", "cora.npz"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("from another one it is the data set"));
    refuses(
        &["data", "convert", "community", &npz, "--directed"],
        &["--directed", "data set"],
    );
    refuses(&["data", "convert", &path("none.csv"), &npz], &["none.csv"]);
}

#[test]
fn help_has_examples_for_every_command() {
    for arguments in [
        &["cluster", "--help"][..],
        &["compare", "--help"],
        &["report", "--help"],
        &["data", "info", "--help"],
        &["data", "generate", "--help"],
        &["data", "convert", "--help"],
    ] {
        let out = bnpool(arguments);
        assert!(out.status.success());
        assert!(text(&out.stdout).contains("Examples:"), "{arguments:?}");
    }
    refuses(&["data", "info", "koora"], &["koora"]);
    assert_eq!(bnpool(&["nonsense"]).status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn nobody_has_to_read_to_the_end() {
    let folder = folder("pipe");
    std::fs::write(folder.join("e.csv"), "0,1\n1,2\n2,0\n2,3\n").expect("a graph");
    for arguments in [
        &["data", "list"][..],
        &["data", "info", "community"],
        &[
            "cluster",
            "e.csv",
            "--epochs",
            "3",
            "--out",
            "run",
            "--overwrite",
        ],
    ] {
        let mut child = command(&folder, arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command runs");
        // Like `| head` after its lines.
        drop(child.stdout.take());
        drop(child.stderr.take());
        let status = child.wait().expect("the end");
        assert_eq!(status.code(), Some(0), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_said() {
    let full = std::fs::File::create("/dev/full").expect("a device");
    let out = command(&folder("full"), &["data", "list"])
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .expect("the command runs");
    let message = text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{message}");
    assert!(
        message.contains("standard output: cannot write"),
        "{message}"
    );
}
