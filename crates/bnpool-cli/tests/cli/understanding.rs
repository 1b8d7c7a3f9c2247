//! Tests of the interpretation of files, and of messages about it.

use crate::support::{CLUB, bnpool_in, files, folder, said};
use std::fs;

/// Escape sequences and marks that affect a terminal.
const EVIL: &str = "\u{1b}]0;x\u{7}\u{202e}\u{9b}2J\u{200b}";

/// Returns the first character that affects a terminal.
fn acting(text: &str) -> Option<char> {
    text.chars().find(|&c| {
        c.is_control() && c != '\n' && c != '\t'
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}' | '\u{feff}')
    })
}

/// Uses escape sequences and marks in names, in file names and in invalid
/// fields.
#[test]
fn foreign_text_does_not_act_on_the_terminal() {
    let evil = EVIL;
    let folder = files(
        "evil",
        &[
            (
                "names.csv",
                &format!("a{evil},b\nb,c{evil}\na{evil},c{evil}\n"),
            ),
            ("weights.csv", &format!("a,b,1\nb,c,{evil}\n")),
            (
                "evil.gml",
                &format!(
                    "graph [ node [ id 0 x{evil} 1 label \"{evil}\" ] node [ id 1 ] edge [ source 0 target 1 ] ]"
                ),
            ),
        ],
    );
    let named = format!("f{evil}.csv");
    fs::write(folder.join(&named), format!("a{evil},b\nb,c\n")).expect("a file");
    let label = format!("--label-attribute={evil}");
    let wrong = format!("no{evil}.csv");
    let flag = format!("--{evil}");
    for arguments in [
        &["cluster", "names.csv", "--epochs", "2", "--out", "run"][..],
        &["report", "run"],
        &["data", "info", "names.csv"],
        &["data", "info", &named],
        &["data", "info", &wrong],
        &["data", "info", "weights.csv"],
        &["data", "info", "evil.gml"],
        &["data", "convert", "evil.gml", "o.npz", &label],
        &[
            "cluster", &named, "--epochs", "2", "--json", "--out", "run2",
        ],
        &["cluster", &flag],
    ] {
        let (_, message) = said(&folder, arguments);
        assert_eq!(acting(&message), None, "{arguments:?}: {message:?}");
    }
    // A line break in a name does not start a line that looks like another
    // message.
    let two = "no\nerror: all is well";
    for arguments in [&["data", "info", two][..], &["report", two]] {
        let (code, message) = said(&folder, arguments);
        assert_eq!((code, message.lines().count()), (Some(2), 1), "{message}");
    }
    // JSON output stays valid.
    let arguments = [
        "cluster", &named, "--epochs", "2", "--json", "--quiet", "--out", "run3",
    ];
    let out = bnpool_in(&folder, &arguments);
    let metrics: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(metrics["dataset"], format!("f{evil}"));
}

/// Returns the output of the command on a terminal by `script`; `None` if there
/// is no such program.
#[cfg(target_os = "linux")]
fn on_a_terminal(folder: &std::path::Path, arguments: &str) -> Option<String> {
    use crate::support::text;
    let bnpool = env!("CARGO_BIN_EXE_bnpool");
    // Progress, which contains control characters, is on standard error.
    let line = format!("'{bnpool}' {arguments} 2>/dev/null");
    let mut script = std::process::Command::new("script");
    script
        .args(["-qec", &line, "/dev/null"])
        .current_dir(folder);
    let out = script.stdin(std::process::Stdio::null()).output().ok()?;
    assert!(out.status.success(), "{arguments}: {}", text(&out.stdout));
    // The terminal itself ends lines with two characters.
    Some(text(&out.stdout).replace("\r\n", "\n"))
}

#[cfg(target_os = "linux")]
#[test]
fn tables_are_harmless_on_a_terminal_and_as_they_are_elsewhere() {
    use crate::support::text;
    // Without the column separator.
    let evil = EVIL.replace(';', "");
    let mut edges = String::new();
    for side in ["a", "b"] {
        for u in 0..6 {
            for v in u + 1..6 {
                edges += &format!("{side}{u}{evil},{side}{v}{evil}\n");
            }
        }
    }
    edges += &format!("a0{evil},b0{evil}\n");
    let folder = files("terminal", &[("names.csv", &edges)]);
    let cluster = ["cluster", "names.csv", "--epochs", "2", "--out", "run"];
    let (code, message) = said(&folder, &cluster);
    assert_eq!(code, Some(0), "{message}");
    for arguments in ["predict --run run names.csv", "data convert names.csv -"] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let elsewhere = text(&bnpool_in(&folder, &words).stdout);
        assert!(elsewhere.contains(&evil), "{arguments}: {elsewhere:?}");
        let Some(shown) = on_a_terminal(&folder, arguments) else {
            return;
        };
        assert!(shown.contains("\\u001b]0x"), "{arguments}: {shown:?}");
        assert_eq!(acting(&shown), None, "{arguments}: {shown:?}");
        assert_eq!(shown.lines().count(), elsewhere.lines().count());
    }
}

#[test]
fn messages_are_bounded_and_keep_the_remedy() {
    let mut attributes = String::new();
    for k in 0..3000 {
        attributes += &format!(" attribute_with_a_long_name_{k} 1");
    }
    let gml = format!(
        "graph [ node [ id 0 {attributes} ] node [ id 1 {attributes} ] edge [ source 0 target 1 ] ]"
    );
    let long = "y".repeat(70_000);
    let folder = files(
        "long",
        &[("g.gml", &gml), ("w.csv", &format!("a,b,1\nb,c,{long}\n"))],
    );
    for (arguments, end) in [
        (
            &["data", "info", "g.gml", "--node-attributes", "z"][..],
            "--node-attributes NAME",
        ),
        (&["data", "info", "w.csv"], "--weight none"),
        (
            &["data", "info", "g.gml", "--node-attributes", &long],
            "--node-attributes NAME",
        ),
    ] {
        let (code, message) = said(&folder, arguments);
        assert_eq!(code, Some(2), "{message}");
        assert!(message.trim_end().ends_with(end), "{message}");
        assert!(message.len() < 2100, "{} bytes", message.len());
    }
    let (_, message) = said(&folder, &["data", "info", "g.gml"]);
    let longest = message.lines().map(str::len).max();
    assert!(longest < Some(1000), "{longest:?}");
    let (file, key) = (format!("{long}.csv"), format!("{long}=1"));
    for arguments in [
        &["data", "info", &file][..],
        &["cluster", "--set", &key],
        &["cluster", "--preset", &long],
    ] {
        let (code, message) = said(&folder, arguments);
        assert_eq!(code, Some(2));
        assert!(message.len() < 2100, "{} bytes", message.len());
    }
}

#[test]
fn the_way_a_file_is_read_is_kept_with_the_run() {
    let folder = files(
        "kept",
        &[
            (
                "e.csv",
                "when,who,whom\n3,ann,bob\n4,bob,cy\n5,cy,ann\n6,ann,di\n",
            ),
            ("apart.csv", "a,b,c\nann,bob,x\nbob,cy,y\ncy,ann,x\n"),
        ],
    );
    let read = [
        "--source",
        "who",
        "--target",
        "whom",
        "--weight",
        "when",
        "--directed",
    ];
    let arguments = [
        &["cluster", "e.csv", "--epochs", "3", "--out", "run"][..],
        &read,
    ]
    .concat();
    let (code, message) = said(&folder, &arguments);
    assert_eq!(code, Some(0), "{message}");
    assert!(
        message.contains("edges from `who` to `whom`; weights in `when`"),
        "{message}"
    );
    let kept = fs::read_to_string(folder.join("run/run.toml")).expect("run.toml");
    for line in [
        "source = \"who\"",
        "target = \"whom\"",
        "weight = \"when\"",
        "directed = true",
    ] {
        assert!(kept.contains(line), "{line} is not in {kept}");
    }
    let (code, message) = said(&folder, &["report", "run"]);
    assert_eq!(code, Some(0), "{message}");
    let (code, message) = said(
        &folder,
        &["cluster", "--resume", "--out", "run", "--epochs", "5"],
    );
    assert_eq!(code, Some(0), "{message}");
    assert!(message.contains("4 nodes, 4 directed edges"), "{message}");
    // A column that would not be selected automatically.
    let apart = ["data", "info", "apart.csv", "--source", "a"];
    for (target, words) in [
        (&[][..], "edges from `a` to `b`"),
        (&["--target", "c"], "edges from `a` to `c`"),
    ] {
        let (code, message) = said(&folder, &[&apart[..], target].concat());
        assert_eq!(code, Some(0), "{message}");
        assert!(message.contains(words), "{message}");
    }
    let other = [
        "cluster", "e.csv", "--resume", "--out", "run", "--source", "whom",
    ];
    let (code, message) = said(&folder, &other);
    assert_eq!(code, Some(2), "{message}");
}

#[test]
fn attributes_are_features_only_if_they_are_named() {
    let folder = files("attributes", &[("club.gml", CLUB)]);
    let run = |out: &str, more: &[&str]| {
        let arguments = [
            &[
                "cluster", "club.gml", "--weight", "none", "--epochs", "2", "--out", out,
            ][..],
            more,
        ]
        .concat();
        let (code, message) = said(&folder, &arguments);
        assert_eq!(code, Some(0), "{message}");
        let metrics = fs::read_to_string(folder.join(out).join("metrics.json")).expect("metrics");
        (
            message,
            serde_json::from_str::<serde_json::Value>(&metrics).expect("JSON"),
        )
    };
    let (message, metrics) = run("bare", &[]);
    assert!(message.contains("no features"), "{message}");
    assert!(
        message.contains("node attributes not used: value, age, club"),
        "{message}"
    );
    assert!(metrics["nmi"].is_null());
    let (message, metrics) = run(
        "named",
        &["--node-attributes", "age", "--label-attribute", "value"],
    );
    assert!(message.contains("1 feature: age"), "{message}");
    assert!(!metrics["nmi"].is_null());
}

/// The features of training graphs are the named ones, and new graphs get the
/// same features.
#[test]
fn predict_reads_graphs_as_they_were_trained() {
    let folder = folder("like-trained");
    let data = folder.join("graphs");
    fs::create_dir_all(&data).expect("a folder");
    let mut table = String::from("file,target\n");
    for k in 0..16 {
        let mass = if k % 2 == 0 { 1.0 } else { 9.0 };
        let mut graph = String::from("graph [\n");
        for node in 0..4 + k % 3 {
            graph += &format!("node [ id {node} mass {mass} noise {} ]\n", node * k);
        }
        for node in 1..4 + k % 3 {
            graph += &format!("edge [ source {node} target 0 ]\n");
        }
        fs::write(data.join(format!("g{k}.gml")), graph + "]\n").expect("a graph");
        table += &format!("g{k}.gml,{}\n", if k % 2 == 0 { "light" } else { "heavy" });
    }
    fs::write(data.join("graphs.csv"), table).expect("a table");
    let small = [
        "--epochs",
        "30",
        "--folds",
        "0",
        "--max-clusters",
        "4",
        "--set",
        "model.hidden=8",
        "--set",
        "data.folds=4",
        "--quiet",
    ];
    let train = |out: &str, more: &[&str]| {
        let arguments = [
            &["train", "--data", "graphs", "--out", out][..],
            &small,
            more,
        ]
        .concat();
        let (code, message) = said(&folder, &arguments);
        assert_eq!(code, Some(0), "{message}");
    };
    train("named", &["--node-attributes", "mass"]);
    let (code, message) = said(
        &folder,
        &[
            "predict",
            "--run",
            "named",
            "graphs/g0.gml",
            "graphs/g1.gml",
        ],
    );
    assert_eq!(code, Some(0), "{message}");
    assert!(message.contains("1 feature: mass"), "{message}");
    let other = [
        "predict",
        "--run",
        "named",
        "graphs/g0.gml",
        "--node-attributes",
        "mass,noise",
    ];
    let (code, message) = said(&folder, &other);
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("trained on 1"), "{message}");
}

#[test]
fn shuffled_lines_give_the_same_communities() {
    let folder = folder("shuffled");
    let mut lines = Vec::new();
    for side in ["x", "left side", "a rather long name of a side"] {
        for u in 0..6 {
            for v in u + 1..6 {
                lines.push(format!("{side} {u},{side} {v}"));
            }
        }
        lines.push(format!("{side} 0,x 1"));
    }
    let run = |out: &str, lines: &[String]| {
        fs::write(folder.join("e.csv"), lines.join("\n")).expect("a file");
        let (code, message) = said(
            &folder,
            &[
                "cluster", "e.csv", "--epochs", "40", "--out", out, "--quiet",
            ],
        );
        assert_eq!(code, Some(0), "{message}");
        fs::read_to_string(folder.join(out).join("labels.csv")).expect("labels")
    };
    let one = run("one", &lines);
    let count = lines.len();
    let shuffled: Vec<String> = (0..count)
        .map(|k| lines[(k * 31 + 5) % count].clone())
        .collect();
    assert_eq!(one, run("two", &shuffled));
    lines.reverse();
    assert_eq!(one, run("three", &lines));
}
