//! `bnpool reproduce` as a user meets it.

use crate::support::{command, folder, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The command with no data but those of the folder.
pub fn reproduce(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = command(folder, &[&["reproduce"][..], arguments].concat());
    command
        .env("BNPOOL_DATA", folder.join("data"))
        .env("BNPOOL_CACHE", folder.join("cache"))
        .env("XDG_DATA_HOME", folder.join("nowhere"))
        .env("HOME", folder.join("nowhere"));
    command
}

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    let out = reproduce(folder, arguments).output().expect("it runs");
    let said = text(&out.stderr);
    assert!(out.status.success(), "{arguments:?}: {said}");
    out
}

pub fn refuses(folder: &Path, arguments: &[&str], parts: &[&str]) {
    let out = reproduce(folder, arguments).output().expect("it runs");
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{arguments:?}: {said}");
    let errors: Vec<&str> = said.lines().filter(|l| l.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 1, "{said}");
    for part in parts {
        assert!(errors[0].contains(part), "`{part}` is missing in: {said}");
    }
}

/// Thirty rings and stars under the name of a data set of the paper.
pub fn tiny_set(folder: &Path, name: &str) {
    let data = folder.join("data/tu").join(name);
    fs::create_dir_all(&data).expect("a folder");
    let [mut edges, mut indicator, mut labels, mut classes] = [const { String::new() }; 4];
    let mut first = 1;
    for graph in 0..30 {
        let nodes = 5 + graph % 4;
        for u in 0..nodes {
            indicator += &format!("{}\n", graph + 1);
            labels += &format!("{}\n", u % 2);
            let v = if graph % 2 == 0 { (u + 1) % nodes } else { 0 };
            if u != v {
                let [u, v] = [first + u, first + v];
                edges += &format!("{u}, {v}\n{v}, {u}\n");
            }
        }
        classes += &format!("{}\n", graph % 2);
        first += nodes;
    }
    for (part, content) in [
        ("A", edges),
        ("graph_indicator", indicator),
        ("node_labels", labels),
        ("graph_labels", classes),
    ] {
        fs::write(data.join(format!("{name}_{part}.txt")), content).expect("a file");
    }
}

/// The lines of a file of results by the names of their runs.
pub fn lines(path: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().map(|line| {
        let result: Value = serde_json::from_str(line).expect("JSON");
        let keys = ["dataset", "pooler", "variant", "preset", "fold", "seed"];
        let name: Vec<String> = keys.map(|key| result[key].to_string()).into();
        (name.join(" "), line.to_owned())
    });
    lines.collect()
}

/// The finished runs of a directory by their names. A run that is made again has another
/// time in its line.
pub fn written(directory: &Path) -> BTreeMap<String, String> {
    lines(&directory.join("results.jsonl"))
}

/// The results of a directory by the names of their runs.
pub fn results(directory: &Path) -> BTreeMap<String, Value> {
    let parse = |(name, line): (String, String)| {
        let result = serde_json::from_str(&line).expect("JSON");
        (name, result)
    };
    written(directory).into_iter().map(parse).collect()
}

/// The same without what differs from machine to machine.
pub fn same_everywhere(directory: &Path) -> BTreeMap<String, Value> {
    let mut all = results(directory);
    for result in all.values_mut() {
        let object = result.as_object_mut().expect("an object");
        object.remove("effort");
        // It covers the effort, too.
        object.remove("checksum");
    }
    all
}

const MUTAG: [&str; 4] = [
    "graphs",
    "--quick",
    "--only",
    "dataset=mutag,pooler=none,topk,bn",
];

/// Two runs, to the directory `o`.
pub const FEW: [&str; 6] = [
    "graphs",
    "--quick",
    "--only",
    "dataset=mutag,pooler=none",
    "--out",
    "o",
];

pub fn mutag<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&MUTAG[..], more].concat()
}

#[test]
fn the_list_says_what_there_is_and_what_is_missing() {
    let folder = folder("reproduce-list");
    tiny_set(&folder, "MUTAG");
    let out = run(&folder, &["--list"]);
    insta::assert_snapshot!("list of items", text(&out.stdout));
    let out = run(&folder, &["--list", "--preset", "authors"]);
    assert!(text(&out.stdout).contains("bnpool data get enzymes --cleaned"));
}

#[test]
fn help() {
    let folder = folder("reproduce-help");
    let out = run(&folder, &["--help"]);
    insta::assert_snapshot!("help of reproduce", text(&out.stdout));
}

#[test]
fn two_shards_merged_are_one_process() {
    let folder = folder("reproduce-shards");
    tiny_set(&folder, "MUTAG");
    run(&folder, &mutag(&["--out", "one"]));
    let shards = ["1/2", "2/2"].map(|shard| {
        let out = format!("shard-{}", &shard[..1]);
        reproduce(&folder, &mutag(&["--shard", shard, "--out", &out]))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts")
    });
    for shard in shards {
        let out = shard.wait_with_output().expect("it ends");
        assert!(out.status.success(), "{}", text(&out.stderr));
        assert!(
            text(&out.stderr).contains("--merge"),
            "{}",
            text(&out.stderr)
        );
        assert!(out.stdout.is_empty(), "a shard has no table");
    }
    let [first, second] = ["shard-1", "shard-2"].map(|name| results(&folder.join(name)));
    assert_eq!((first.len(), second.len()), (3, 3));
    assert!(first.keys().all(|name| !second.contains_key(name)));
    let arguments = mutag(&["--merge", "shard-1", "shard-2", "--out", "merged"]);
    run(&folder, &arguments);
    let [one, merged] = ["one", "merged"].map(|name| folder.join(name));
    assert_eq!(same_everywhere(&one), same_everywhere(&merged));
    for file in ["graphs.csv", "graphs.md"] {
        let [a, b] = [&one, &merged].map(|place| fs::read(place.join(file)).expect(file));
        assert!(a == b, "{file} differs");
    }
    // Merging again changes nothing.
    let before = results(&merged);
    run(&folder, &arguments);
    assert_eq!(results(&merged), before);
}

#[test]
fn no_flag_of_output_changes_a_result() {
    let folder = folder("reproduce-flags");
    tiny_set(&folder, "MUTAG");
    run(&folder, &mutag(&["--out", "plain"]));
    let more = [
        "--out",
        "other",
        "--json",
        "--quiet",
        "--keep-runs",
        "--jobs",
        "2",
        "--threads",
        "3",
        "--document",
        "page.md",
    ];
    let out = run(&folder, &mutag(&more));
    let said: Value = serde_json::from_str(&text(&out.stdout)).expect("JSON alone");
    assert_eq!(said["rows"].as_array().map(Vec::len), Some(3));
    assert!(out.stderr.is_empty(), "{}", text(&out.stderr));
    let [plain, other] = ["plain", "other"].map(|name| same_everywhere(&folder.join(name)));
    assert_eq!(plain.len(), 6);
    assert_eq!(plain, other);
    assert_eq!(
        fs::read_dir(folder.join("other/work"))
            .expect("a folder")
            .count(),
        6
    );
    assert_eq!(
        fs::read_dir(folder.join("plain/work"))
            .expect("a folder")
            .count(),
        0
    );
    let page = fs::read_to_string(folder.join("page.md")).expect("a document");
    let table = fs::read_to_string(folder.join("other/graphs.md")).expect("a table");
    assert!(page.contains(table.trim()) && page.contains("made with --quick"));
    // Numbers are those of the runs.
    let csv = fs::read_to_string(folder.join("plain/graphs.csv")).expect("a table");
    let row = csv
        .lines()
        .find(|line| line.starts_with("paper,mutag,bn,,test,"));
    let mean: f64 = row
        .and_then(|row| row.split(',').nth(5)?.parse().ok())
        .expect("a mean");
    let tests = plain.values().filter(|r| r["pooler"] == "bn");
    let tests: Vec<f64> = tests
        .filter_map(|r| r["metrics"]["test"].as_f64())
        .collect();
    assert_eq!(tests.len(), 2);
    assert!((mean - 50.0 * (tests[0] + tests[1])).abs() < 1e-9);
    assert!(row.is_some_and(|row| row.contains(",88,7,")), "{row:?}");
}

#[test]
fn a_killed_reproduction_goes_on() {
    let folder = folder("reproduce-killed");
    tiny_set(&folder, "MUTAG");
    let all = ["graphs", "--quick", "--only", "dataset=mutag", "--out", "o"];
    let mut child = reproduce(&folder, &all)
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let place = folder.join("o");
    let since = Instant::now();
    while written(&place).len() < 3 {
        assert!(
            since.elapsed() < Duration::from_secs(120),
            "no result appears"
        );
        assert!(
            child.try_wait().expect("a child").is_none(),
            "it ended too soon"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    let before = written(&place);
    assert!((3..26).contains(&before.len()), "{}", before.len());
    run(&folder, &all);
    let after = written(&place);
    assert_eq!(after.len(), 26);
    for (name, time) in before {
        assert_eq!(after[&name], time, "{name:?} was made again");
    }
    // All is there, and nothing is run.
    let out = run(&folder, &all);
    assert_eq!(written(&place), after);
    assert!(
        !text(&out.stderr).contains(" of 26: "),
        "{}",
        text(&out.stderr)
    );
    let out = run(&folder, &[&all[..], &["--tables"]].concat());
    assert!(text(&out.stdout).contains("made with --quick"));
}

#[test]
fn a_directory_belongs_to_one_process() {
    let folder = folder("reproduce-shared");
    tiny_set(&folder, "MUTAG");
    let all = ["graphs", "--quick", "--only", "dataset=mutag", "--out", "o"];
    let mut first = reproduce(&folder, &all)
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let since = Instant::now();
    while written(&folder.join("o")).is_empty() {
        assert!(since.elapsed() < Duration::from_secs(120), "no result");
        std::thread::sleep(Duration::from_millis(5));
    }
    refuses(&folder, &all, &["another process", "--out", "--merge"]);
    // A look at what is there does no harm.
    run(&folder, &[&all[..], &["--tables"]].concat());
    assert!(first.try_wait().expect("a child").is_none(), "too soon");
    first.kill().expect("it is killed");
    first.wait().expect("it ends");
}

#[test]
fn what_cannot_be_is_refused_in_one_message() {
    let folder = folder("reproduce-refused");
    tiny_set(&folder, "MUTAG");
    refuses(
        &folder,
        &["table-7"],
        &["no item `table-7`", "clustering", "--list"],
    );
    refuses(
        &folder,
        &["graphs", "--only", "dataset=enzymes"],
        &["enzymes is not here", "bnpool data get enzymes"],
    );
    refuses(
        &folder,
        &[
            "sensitivity",
            "--only",
            "dataset=enzymes",
            "--preset",
            "authors",
        ],
        &["bnpool data get enzymes --cleaned"],
    );
    refuses(
        &folder,
        &["graphs", "--only", "dataset=cora"],
        &["no such dataset", "mutag"],
    );
    refuses(
        &folder,
        &["graphs", "--preset", "best"],
        &["preset `best`", "authors"],
    );
    refuses(&folder, &["graphs", "--folds", "12"], &["no fold 11"]);
    refuses(&folder, &["clustering", "--folds", "3"], &["--seeds"]);
    refuses(
        &folder,
        &["resources-graphs", "--jobs", "2"],
        &["one after another"],
    );
    refuses(
        &folder,
        &["figure-dp", "--merge", "x"],
        &["nothing to merge"],
    );
    refuses(
        &folder,
        &["graphs", "--tables"],
        &["no finished results of `graphs`"],
    );
    assert!(!folder.join("runs").exists(), "nothing was written");
    // Nobody else's files are touched.
    fs::create_dir(folder.join("mine")).expect("a folder");
    fs::write(folder.join("mine/thesis.txt"), "mine").expect("a file");
    refuses(
        &folder,
        &mutag(&["--out", "mine"]),
        &["left alone", "--out"],
    );

    let few = FEW;
    run(&folder, &few);
    // Shards of other settings.
    for item in ["graphs", "epochs"] {
        let merge = [item, "--merge", "o", "--out", "m"];
        refuses(&folder, &merge, &["no finished results of", item]);
    }
    refuses(&folder, &["graphs", "--tables", "--out", "m"], &["--quick"]);
    fs::remove_dir_all(folder.join("m")).expect("a folder");
    // Other data.
    let labels = folder.join("data/tu/MUTAG/MUTAG_node_labels.txt");
    let text = fs::read_to_string(&labels).expect("a file");
    fs::write(&labels, text.replacen('0', "1", 1)).expect("a file");
    refuses(&folder, &few, &["other data", "--out"]);
    fs::write(&labels, text).expect("a file");
    // A damaged result is named by its line; without the line the run is made again.
    let path = folder.join("o/results.jsonl");
    let whole = fs::read_to_string(&path).expect("a file");
    let second = whole.lines().nth(1).expect("two folds");
    for damage in [
        whole.replace(second, &second.replace("\"seed\":0", "\"seed\":1")),
        whole[..whole.len() - 40].to_owned(),
    ] {
        fs::write(&path, &damage).expect("a file");
        let words = ["results.jsonl, line 2", "damaged", "remove the line"];
        refuses(&folder, &few, &words);
        let merge = ["--merge", "o/results.jsonl", "--out", "m"];
        refuses(&folder, &[&few[..4], &merge].concat(), &words);
        assert_eq!(fs::read_to_string(&path).expect("a file"), damage);
    }
    assert!(!folder.join("m/graphs.csv").exists());
    fs::write(&path, whole.replace(&format!("{second}\n"), "")).expect("a file");
    run(&folder, &few);
    let again = fs::read_to_string(&path).expect("a file");
    assert_eq!(again.lines().next(), whole.lines().next());
    let metrics = |line: Option<&str>| {
        let result: Value = serde_json::from_str(line.expect("a line")).expect("JSON");
        result["metrics"].clone()
    };
    assert_eq!(metrics(again.lines().nth(1)), metrics(Some(second)));
    let wrong = mutag(&["--out", "never", "--document", "mine"]);
    refuses(&folder, &wrong, &["mine: cannot read"]);
    assert!(!folder.join("never").exists());
}

#[test]
fn items_share_their_runs() {
    let folder = folder("reproduce-items");
    tiny_set(&folder, "MUTAG");
    let only = ["--quick", "--only", "dataset=mutag", "--out", "o"];
    run(&folder, &[&["clusters"][..], &only].concat());
    let made = written(&folder.join("o"));
    assert_eq!(made.len(), 2);
    let out = run(&folder, &[&["figure-histograms"][..], &only].concat());
    assert_eq!(written(&folder.join("o")), made);
    assert!(
        text(&out.stdout).contains("1 pictures"),
        "{}",
        text(&out.stdout)
    );
    assert!(folder.join("o/figure-histograms/mutag-paper.svg").exists());
    assert!(folder.join("o/clusters/mutag-paper.png").exists());
    let varying = [
        "varying-k",
        "--quick",
        "--only",
        "dataset=mutag,pooler=mincut",
        "--out",
        "o",
    ];
    run(&folder, &varying);
    let ratios: Vec<f64> = results(&folder.join("o"))
        .values()
        .filter(|r| r["pooler"] == "mincut")
        .filter_map(|r| r["config"]["pooler"]["ratio"].as_f64())
        .collect();
    assert_eq!(ratios, [0.1, 0.1, 0.25, 0.25]);
    let choice = "dataset=mutag,variant=mu-1-sigma-1-alpha-1,mu-10-sigma-1-alpha-1";
    let out = run(
        &folder,
        &[
            "hyperparameters",
            "--quick",
            "--folds",
            "1",
            "--only",
            choice,
            "--out",
            "o",
        ],
    );
    assert!(text(&out.stdout).contains("validation graphs only"));
    let csv = fs::read_to_string(folder.join("o/hyperparameters.csv")).expect("a table");
    let row = csv.lines().nth(1).expect("a row");
    assert!(
        row.contains(",mu-10-sigma-1-alpha-1,") && row.ends_with(",2"),
        "{row}"
    );
}

#[test]
fn figures_need_no_data_but_their_own() {
    let folder = folder("reproduce-figures");
    for (item, files) in [
        (
            "figure-dp",
            &["alpha-10.svg", "alpha-100.png", "alpha-1000.svg"][..],
        ),
        ("figure-sticks", &["alpha-1.svg", "alpha-10.png"]),
        ("figure-urn", &["colours.svg"]),
        (
            "figure-communities",
            &["bn-paper-graph.svg", "mincut-paper-graph.png"],
        ),
    ] {
        run(&folder, &[item, "--quick", "--out", "o"]);
        let page = fs::read_to_string(folder.join(format!("o/{item}.md"))).expect("a page");
        assert!(
            page.contains("of the paper") && page.contains("\n- "),
            "{item}"
        );
        for file in files {
            assert!(
                folder.join("o").join(item).join(file).exists(),
                "{item}/{file}"
            );
        }
    }
    // The clusters are those of the runs of the table.
    let before = written(&folder.join("o"));
    let only = "dataset=community,pooler=bn,mincut";
    run(
        &folder,
        &[
            "clustering",
            "--quick",
            "--seeds",
            "1",
            "--only",
            only,
            "--out",
            "o",
        ],
    );
    assert_eq!(written(&folder.join("o")), before);
    let out = run(
        &folder,
        &["datasets", "--only", "dataset=community", "--out", "o"],
    );
    let table = text(&out.stdout);
    assert!(
        table.contains("5904") && table.contains("0.1737"),
        "{table}"
    );
}

#[test]
fn a_search_by_loss_ends_in_the_seeds_of_the_winner() {
    let folder = folder("reproduce-search");
    let choice = "dataset=community,variant=mu-1-sigma-1-alpha-1,mu-30-sigma-0.1-alpha-30";
    let all = ["clustering-search", "--quick", "--only", choice];
    // A shard has not seen all settings, so it ends nothing.
    let shard = [&all[..], &["--shard", "1/2", "--out", "1"]].concat();
    run(&folder, &shard);
    assert_eq!(results(&folder.join("1")).len(), 1);
    let all = [&all[..], &["--seeds", "3", "--out", "o"]].concat();
    let out = run(&folder, &all);
    let made = results(&folder.join("o"));
    let loss = |result: &Value| result["metrics"]["loss_rec"].as_f64().expect("a loss");
    let first = made.values().filter(|result| result["seed"] == 0);
    let first: Vec<&Value> = first.collect();
    assert_eq!((first.len(), made.len()), (2, 4));
    let best = first
        .into_iter()
        .min_by(|a, b| loss(a).total_cmp(&loss(b)))
        .expect("two settings");
    for seed in [1, 2] {
        let last = made.values().find(|result| result["seed"] == seed);
        assert_eq!(
            last.map(|result| &result["variant"]),
            Some(&best["variant"])
        );
    }
    let csv = fs::read_to_string(folder.join("o/clustering-search.csv")).expect("a table");
    let row = csv.lines().nth(1).expect("a row");
    let variant = best["variant"].as_str().expect("a name");
    let start = format!("paper,community,{variant},{},", loss(best));
    assert!(row.starts_with(&start) && row.ends_with(",2"), "{row}");
    let table = text(&out.stdout);
    assert!(
        table.contains("ACC in percent") && table.contains("98.5 ± 0.5"),
        "{table}"
    );
    // All is there, and nothing is run.
    run(&folder, &all);
    assert_eq!(results(&folder.join("o")), made);
}
