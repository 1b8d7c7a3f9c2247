//! The command as a user meets it: results, messages, exit codes.

use std::path::PathBuf;
use std::process::{Command, Output};

fn bnpool(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bnpool"))
        .args(arguments)
        .output()
        .expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder of its own for a test, empty at the start.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// Fails with code 2 and a message that has all the parts.
fn refuses(arguments: &[&str], parts: &[&str]) {
    let out = bnpool(arguments);
    let message = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{arguments:?}: {message}");
    for part in parts {
        assert!(
            message.contains(part),
            "{arguments:?}: `{part}` is missing in: {message}"
        );
    }
    assert!(out.stdout.is_empty(), "{arguments:?} printed a result");
}

#[test]
fn built_in_graph_is_clustered() {
    let out = bnpool(&["cluster", "--epochs", "20", "--seed", "3"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let result = text(&out.stdout);
    assert!(
        result.contains("communities") && result.contains("known classes    5"),
        "{result}"
    );
    // The same seed gives the same result on one thread; only the time differs.
    let again = bnpool(&[
        "cluster",
        "--epochs",
        "20",
        "--seed",
        "3",
        "--threads",
        "1",
        "--quiet",
    ]);
    let strip = |s: &str| {
        s.lines()
            .filter(|l| !l.contains("training"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(strip(&result), strip(&text(&again.stdout)));
    assert!(again.stderr.is_empty(), "--quiet is quiet");
}

#[test]
fn own_graph_is_clustered_with_either_loss() {
    let folder = folder("own-graph");
    let (edges, features) = (folder.join("edges.csv"), folder.join("features.csv"));
    std::fs::write(&edges, "a,b\nb,c\na,c\nc,d\nd,e\ne,f\nd,f\n").expect("a file");
    std::fs::write(&features, "a,1,0\nb,1,0\nc,1,0.2\nd,0,1\ne,0,1\nf,0.1,1\n").expect("a file");
    for loss in ["dense", "sparse"] {
        let out = bnpool(&[
            "cluster",
            &edges.to_string_lossy(),
            "--features",
            &features.to_string_lossy(),
            "--epochs",
            "5",
            "--loss",
            loss,
            "--preset",
            "authors",
        ]);
        assert!(out.status.success(), "{}", text(&out.stderr));
        assert!(text(&out.stdout).contains("communities"));
    }
}

#[test]
fn wrong_settings_and_files_are_named() {
    refuses(
        &["cluster", "--max-clusters", "1"],
        &["max_clusters (C) = 1", "at least 2"],
    );
    refuses(
        &["cluster", "--alpha-dp", "0"],
        &["concentration (α_DP) = 0", "positive"],
    );
    refuses(
        &["cluster", "--sigma-k=-1"],
        &["block_variance (σ_K) = -1", "positive"],
    );
    refuses(&["cluster", "--epochs", "0"], &["epochs = 0", "at least 1"]);
    refuses(
        &["cluster", "--loss", "dence"],
        &["dence", "dense", "sparse"],
    );
    refuses(&["cluster", "no-such-file.csv"], &["no-such-file.csv"]);
    refuses(&["cluster", "--features", "x.csv"], &["<GRAPH>"]);
    let folder = folder("wrong-files");
    let bare = folder.join("bare.csv");
    std::fs::write(&bare, "0,1\n1,2\n").expect("a file");
    refuses(
        &["cluster", &bare.to_string_lossy()],
        &["no node features", "--features"],
    );
    let broken = folder.join("broken.csv");
    std::fs::write(&broken, "0,1\n1\n").expect("a file");
    refuses(&["cluster", &broken.to_string_lossy()], &["broken.csv"]);
    refuses(&["data", "info", "koora"], &["koora"]);
}

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
}

#[test]
fn help_has_examples_for_every_command() {
    for arguments in [
        &["cluster", "--help"][..],
        &["data", "info", "--help"],
        &["data", "generate", "--help"],
        &["data", "convert", "--help"],
    ] {
        let out = bnpool(arguments);
        assert!(out.status.success());
        assert!(text(&out.stdout).contains("Examples:"), "{arguments:?}");
    }
    assert_eq!(bnpool(&["nonsense"]).status.code(), Some(2));
}
