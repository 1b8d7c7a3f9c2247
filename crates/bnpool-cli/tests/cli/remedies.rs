//! Tests of advice in messages: each remedy is an existing flag, and following it
//! works.

use crate::support::{CLUB, bnpool, files, said, text};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns all substrings of a text that look like flags.
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

/// Returns the flags of a command, as listed in its help.
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

/// A message, its remedy, and the arguments to follow it.
struct Case {
    command: &'static [&'static str],
    names: &'static str,
    follow: &'static [&'static str],
    /// Text that is only printed before, so that following the remedy has an
    /// effect.
    before: &'static str,
}

#[test]
fn every_remedy_is_a_flag_and_works() {
    let folder = files(
        "remedies",
        &[
            ("graph.xyz", "0,1\n\u{0}"),
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
    // Only a binary file gives no hint, and no flag helps in this case.
    let (code, message) = said(&folder, &["data", "info", "graph.xyz"]);
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("give --format FORMAT"), "{message}");
    let cases = [
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
            "1 self-loop was kept",
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
        case(
            &[
                "cluster",
                "loops.csv",
                "--epochs",
                "1",
                "--set",
                "search.divide=1",
                "--memory",
                "1KB",
            ],
            "--memory",
            &["--memory", "1GB"],
            "can be taken",
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
        // A flag that is already given is replaced.
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

/// Returns all source files below a folder.
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

/// Returns the flags in the strings of a file, without its tests and comments.
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
    for name in [
        "bnpool-parallel",
        "bnpool-math",
        "bnpool-graph",
        "bnpool-io",
        "bnpool-community",
        "bnpool",
        "bnpool-task",
    ] {
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
        &["compare"],
        &["reproduce"],
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
    // Flags of `cargo install` with MPI.
    known.extend(["--path", "--features"].map(str::to_owned));
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
