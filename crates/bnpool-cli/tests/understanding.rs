//! What the command understands of a file, what it says about it, and whether
//! its advice can be followed.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use support::{bnpool, bnpool_in, folder, text};

/// Writes files into a folder of their own.
fn files(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = folder(name);
    for (name, content) in files {
        fs::write(folder.join(name), content).expect("a file");
    }
    folder
}

/// Exit code, and everything that was said.
fn said(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let out = bnpool_in(folder, arguments);
    (out.status.code(), text(&out.stderr) + &text(&out.stdout))
}

/// Everything in a text that looks like a flag.
fn flags(text: &str) -> BTreeSet<String> {
    let mut flags = BTreeSet::new();
    for (place, _) in text.match_indices("--") {
        let before = text[..place].chars().next_back();
        let name: String = text[place + 2..]
            .chars()
            .take_while(|c| c.is_ascii_lowercase() || *c == '-')
            .collect();
        let own = before.is_none_or(|c| !c.is_alphanumeric() && c != '-');
        if own && name.starts_with(|c: char| c.is_ascii_lowercase()) {
            flags.insert(format!("--{}", name.trim_end_matches('-')));
        }
    }
    flags
}

/// The flags of a command, as its help lists them.
fn known_flags(command: &[&str]) -> BTreeSet<String> {
    let out = bnpool(&[command, &["--help"]].concat());
    assert!(out.status.success(), "{command:?}");
    let help = text(&out.stdout);
    let options = help.split("Examples:").next().unwrap_or_default();
    let lines = options
        .lines()
        .filter(|line| line.trim_start().starts_with('-'));
    lines.flat_map(flags).collect()
}

const CLUB: &str = "graph [ directed 0
  node [ id 0 label \"a\" value 1 age 3.5 club \"x\" ]
  node [ id 1 label \"b\" value 1 age 4.5 club \"y\" ]
  node [ id 2 label \"c\" value 2 age 5.5 club \"x\" ]
  edge [ source 0 target 1 ] edge [ source 1 target 2 value -3 ] ]";

/// A message, the remedy it names, and what is given to follow it.
struct Case {
    command: &'static [&'static str],
    names: &'static str,
    follow: &'static [&'static str],
    /// What is said only before, so that following made a difference.
    before: &'static str,
}

#[test]
fn every_remedy_is_a_flag_and_works() {
    let folder = files(
        "remedies",
        &[
            ("graph.xyz", "0,1\n1,2\n"),
            ("bad-weight.csv", "a,b,1\nb,c,x\n"),
            ("one-way.csv", "0,1\n1,2\n"),
            ("loops.csv", "0,1\n1,1\n"),
            ("guess.csv", "user,item\nann,tea\nbob,tea\n"),
            (
                "doubt.csv",
                "Lieferant,Abnehmer\nann,bob\nbob,cy\ncy,ann\nann,di\ndi,bob\n",
            ),
            ("times.csv", "0,1,1082040961\n1,2,1082155839\n"),
            ("index.csv", "0,ann,bob\n1,bob,cy\n2,cy,ann\n"),
            ("matrix.csv", "0,1,0,0\n1,0,1,0\n0,1,0,1\n0,0,1,0\n"),
            ("club.gml", CLUB),
            ("x.csv", "id,height\n0,1\n1,2\n2,3\n9,4\n"),
            ("cells.csv", "0,1\n1,2,3\n"),
        ],
    );
    let case = |command, names, follow, before| Case {
        command,
        names,
        follow,
        before,
    };
    let cases = [
        case(
            &["data", "info", "graph.xyz"],
            "--format",
            &["--format", "edge-list"],
            "does not tell the format",
        ),
        case(
            &["data", "info", "bad-weight.csv"],
            "--weight",
            &["--weight", "none"],
            "not a number",
        ),
        case(
            &["data", "info", "one-way.csv"],
            "--directed",
            &["--directed"],
            "edges back were added",
        ),
        case(
            &["data", "info", "loops.csv"],
            "--drop-self-loops",
            &["--drop-self-loops"],
            "self-loops were kept",
        ),
        case(
            &["data", "info", "guess.csv"],
            "--header",
            &["--header", "no"],
            "taken for a header",
        ),
        case(
            &["data", "info", "doubt.csv"],
            "--header",
            &["--header", "yes"],
            "occur on no other",
        ),
        case(
            &["data", "info", "times.csv"],
            "--weight",
            &["--weight", "3"],
            "looks like times",
        ),
        case(
            &["data", "info", "index.csv"],
            "--source",
            &["--source", "1", "--target", "2"],
            "counts the lines",
        ),
        case(
            &["data", "info", "matrix.csv"],
            "--format",
            &["--format", "edge-list"],
            "adjacency matrix",
        ),
        case(
            &["data", "info", "club.gml"],
            "--weight",
            &["--weight", "none"],
            "weight `-3`",
        ),
        case(
            &["data", "info", "club.gml", "--weight", "none"],
            "--node-attributes",
            &["--node-attributes", "value,age"],
            "attributes not used: value",
        ),
        case(
            &[
                "data",
                "convert",
                "club.gml",
                "o.npz",
                "--weight",
                "none",
                "--label-attribute",
                "team",
            ],
            "--label-attribute",
            &["--label-attribute", "club"],
            "there is no node attribute `team`; there are: value, age, club",
        ),
        case(
            &[
                "data",
                "info",
                "club.gml",
                "--weight",
                "none",
                "--node-attributes",
                "team",
            ],
            "--node-attributes",
            &["--node-attributes", "age"],
            "there is no node attribute `team`; there are: value, age, club",
        ),
        case(
            &[
                "data",
                "info",
                "club.gml",
                "--weight",
                "none",
                "--node-attributes",
                "club",
            ],
            "--node-attributes",
            &["--node-attributes", "age"],
            "cannot be a feature: `x` is no finite number",
        ),
        case(
            &["data", "info", "club.gml", "--weight", "miles"],
            "--weight",
            &["--weight", "none"],
            "no edge has the attribute `miles`",
        ),
        case(
            &["data", "info", "one-way.csv", "--source", "von"],
            "--source",
            &["--source", "2"],
            "there is no column `von`; there are: 1, 2",
        ),
        case(
            &[
                "data",
                "convert",
                "one-way.csv",
                "o.npz",
                "--features",
                "x.csv",
            ],
            "--keep-isolated",
            &["--keep-isolated"],
            "no node of the graph is called `9`",
        ),
        case(
            &["data", "info", "one-way.csv", "--max-bytes", "3"],
            "--max-bytes",
            &["--max-bytes", "3000"],
            "exceeds the limit of 3 bytes",
        ),
        case(
            &[
                "data",
                "info",
                "matrix.csv",
                "--format",
                "matrix",
                "--header",
                "yes",
            ],
            "--format",
            &["--format", "edge-list"],
            "rows and 4 columns",
        ),
        case(
            &[
                "cluster",
                "one-way.csv",
                "--epochs",
                "2",
                "--out",
                "run",
                "--set",
                "features.source=given",
            ],
            "--set",
            &["--set", "features.source=structure"],
            "no node features",
        ),
    ];
    for Case {
        command,
        names,
        follow,
        before,
    } in cases
    {
        let (_, message) = said(&folder, command);
        assert!(message.contains(before), "{command:?}: {message}");
        let found = flags(&message);
        assert!(
            found.contains(names),
            "{command:?}: {names} is not named: {message}"
        );
        let words: Vec<&str> = command
            .iter()
            .copied()
            .take(1 + usize::from(command[0] == "data"))
            .collect();
        let known = known_flags(&words);
        for flag in found {
            assert!(
                known.contains(&flag),
                "{command:?}: there is no {flag}: {message}"
            );
        }
        // A flag that is given already is given anew.
        let mut arguments: Vec<&str> = Vec::new();
        let mut words = command.iter().peekable();
        while let Some(word) = words.next() {
            if follow.contains(word) && word.starts_with("--") {
                words.next();
            } else {
                arguments.push(word);
            }
        }
        arguments.extend(follow);
        let (code, after) = said(&folder, &arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {after}");
        assert!(
            !after.contains(before),
            "{arguments:?} changes nothing: {after}"
        );
    }
}

#[test]
fn advice_about_data_sets_can_be_followed() {
    let folder = files("no-data", &[]);
    for (command, names) in [
        (
            &["cluster", "--dataset", "cora", "--data-dir", "none"][..],
            "--data-dir",
        ),
        (
            &["data", "get", "cora", "--data-dir", "none", "--cleaned"],
            "--cleaned",
        ),
        (
            &["cluster", "--dataset", "cora", "--directed"],
            "--directed",
        ),
        (
            &["cluster", "--dataset", "cora", "--header", "no"],
            "--header",
        ),
    ] {
        let (code, message) = said(&folder, command);
        assert_eq!(code, Some(2), "{command:?}: {message}");
        let words = if command[0] == "data" {
            &command[..2]
        } else {
            &command[..1]
        };
        let known = known_flags(words);
        let found = flags(&message);
        assert!(found.contains(names), "{command:?}: {message}");
        assert!(
            found.iter().all(|flag| known.contains(flag)),
            "{command:?}: {message}"
        );
    }
}

/// All source files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

/// The flags in the strings of a file, without its tests and comments.
fn flags_in_strings(path: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(path).expect("a source file");
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines
        .flat_map(|line| {
            let strings = line.split('"').skip(1).step_by(2);
            let whole = (line.matches('"').count() % 2 == 1).then_some(line);
            strings.chain(whole).flat_map(flags).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn libraries_name_no_flags_and_the_command_only_its_own() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in ["bnpool-math", "bnpool-graph", "bnpool"] {
        for path in sources(&crates.join(name).join("src")) {
            let found = flags_in_strings(&path);
            assert!(found.is_empty(), "{} names {found:?}", path.display());
        }
    }
    let mut known = BTreeSet::new();
    for command in [
        &["cluster"][..],
        &["train"],
        &["predict"],
        &["report"],
        &["data", "list"],
        &["data", "info"],
        &["data", "get"],
        &["data", "verify"],
        &["data", "generate"],
        &["data", "convert"],
    ] {
        known.extend(known_flags(command));
    }
    for path in sources(&crates.join("bnpool-cli/src")) {
        for flag in flags_in_strings(&path) {
            assert!(
                known.contains(&flag),
                "{}: there is no {flag}",
                path.display()
            );
        }
    }
}

/// Escapes and marks in names, in file names and in wrong fields.
#[test]
fn foreign_text_does_not_act_on_the_terminal() {
    let evil = "\u{1b}]0;x\u{7}\u{202e}\u{9b}2J\u{200b}";
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
        let bad = message.chars().find(|&c| {
            c.is_control() && c != '\n' && c != '\t'
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}' | '\u{feff}')
        });
        assert_eq!(bad, None, "{arguments:?}: {message:?}");
    }
    // What is JSON stays JSON.
    let arguments = [
        "cluster", &named, "--epochs", "2", "--json", "--quiet", "--out", "run3",
    ];
    let out = bnpool_in(&folder, &arguments);
    let metrics: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(metrics["dataset"], format!("f{evil}"));
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
    let (code, message) = said(&folder, &["data", "info", &format!("{long}.csv")]);
    assert_eq!(code, Some(2));
    assert!(message.len() < 2100, "{} bytes", message.len());
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
            ("club.gml", CLUB),
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
    assert!(message.contains("1 features: age"), "{message}");
    assert!(!metrics["nmi"].is_null());
}

/// The features of training graphs are those that were named, and new graphs
/// are described alike.
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
    assert!(message.contains("1 features: mass"), "{message}");
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
