//! Tests of `bnpool compare`.

use crate::support::{SMALL, bnpool_in, folder, refuses, shapes, text, two_cliques};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn compare(folder: &Path, arguments: &[&str]) -> (String, String) {
    let all = [&["compare"][..], arguments].concat();
    let out = bnpool_in(folder, &all);
    assert!(out.status.success(), "{all:?}: {}", text(&out.stderr));
    (text(&out.stdout), text(&out.stderr))
}

fn json(path: &Path) -> Value {
    let file = fs::read_to_string(path).expect("a file");
    serde_json::from_str(&file).expect("JSON")
}

/// Reads the rows of a csv file by their first field, with columns by name.
fn csv(path: &Path) -> BTreeMap<String, BTreeMap<String, String>> {
    let file = fs::read_to_string(path).expect("a file");
    let mut lines = file.lines().map(|line| line.split(',').map(str::to_owned));
    let heading: Vec<String> = lines.next().expect("a heading").collect();
    lines
        .map(|line| {
            let row: BTreeMap<String, String> = heading.iter().cloned().zip(line).collect();
            (row["pooler"].clone(), row)
        })
        .collect()
}

/// Reads all files below a folder, with their bytes and modification times.
fn files(folder: &Path) -> BTreeMap<String, (Vec<u8>, std::time::SystemTime)> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let written = fs::metadata(&path).and_then(|m| m.modified());
            let bytes = fs::read(&path).expect("a file");
            found.insert(
                path.display().to_string(),
                (bytes, written.expect("a time")),
            );
        }
    }
    found
}

const SOME: [&str; 3] = ["bn", "mincut", "topk"];

fn some(folder: &Path, more: &[&str]) -> (String, String) {
    let data = shapes(folder, 24);
    let settings = [
        &["--data", &data, "--poolers", "bn,mincut,topk"][..],
        &["--folds", "0,2,3", "--epochs", "3", "--out", "c"],
        &SMALL,
        more,
    ];
    compare(folder, &settings.concat())
}

#[test]
fn all_poolers_are_compared_on_the_same_folds() {
    let folder = folder("compare-all");
    let data = shapes(&folder, 24);
    let settings = [
        &["--data", &data, "--epochs", "1", "--folds", "0,1"][..],
        &SMALL,
    ];
    let (printed, said) = compare(&folder, &settings.concat());
    let run = folder.join("runs/compare-shapes-0");
    let result = json(&run.join("compare.json"));
    let rows = result["poolers"].as_array().expect("rows");
    let names: Vec<&str> = rows
        .iter()
        .filter_map(|row| row["pooler"].as_str())
        .collect();
    let known: Vec<&str> = bnpool::pool::POOLERS.iter().map(|p| p.name).collect();
    assert_eq!(names, known);
    let all = format!("{} poolers (all there are)", known.len());
    assert!(said.contains(&all), "{said}");
    let page = fs::read_to_string(run.join("compare.html")).expect("a page");
    for pooler in bnpool::pool::POOLERS {
        let line = printed.lines().find(|line| {
            let mut words = line.split_whitespace();
            words.next() == Some(pooler.name)
                && words.next().is_some_and(|w| w.parse::<f64>().is_ok())
        });
        assert!(line.is_some(), "{} is missing in: {printed}", pooler.name);
        assert!(
            page.contains(&format!("<td>{}</td>", pooler.name)),
            "{}",
            pooler.name
        );
    }
    assert!(page.contains("</html>") && !page.contains("src=\"http"));
    // There is a plot of S for each pooler that partitions nodes, one of the kept
    // nodes of top-k, and plots of A_pool and X_pool for all poolers.
    let dividing = bnpool::pool::POOLERS.iter().filter(|p| p.divides()).count();
    let all = bnpool::pool::POOLERS.len();
    for (heading, count) in [
        ("Memberships S", dividing + 1),
        ("Pooled graph", all),
        ("Pooled features X_pool", all),
    ] {
        let found = page.matches(&format!("<h3>{heading}</h3>")).count();
        assert_eq!(found, count, "{heading}");
    }
    assert_eq!(page.matches("<h3>Kept nodes</h3>").count(), 1);
}

#[test]
fn the_table_says_what_the_runs_say() {
    let folder = folder("compare-table");
    some(&folder, &[]);
    let run = folder.join("c");
    let result = json(&run.join("compare.json"));
    let rows = csv(&run.join("compare.csv"));
    assert_eq!(result["folds"], serde_json::json!([0, 2, 3]));
    let first = json(&run.join("bn/metrics.json"));
    for (place, name) in SOME.into_iter().enumerate() {
        let own = json(&run.join(name).join("metrics.json"));
        let row = &result["poolers"][place];
        assert_eq!(row["pooler"], name);
        for key in [
            "test_mean",
            "test_std",
            "clusters_mean",
            "parameters",
            "seconds",
            "peak_rss_mb",
        ] {
            assert_eq!(row[key], own[key], "{name}: {key}");
            let field = rows[name][key].parse::<f64>().ok();
            assert_eq!(field, own[key].as_f64(), "{name}: {key}");
        }
        // Computed separately for each fold.
        let folds = |m: &Value| -> Vec<f64> {
            let folds = m["folds"].as_array().expect("folds").iter();
            folds.filter_map(|fold| fold["test"].as_f64()).collect()
        };
        let differences: Vec<f64> = folds(&own)
            .iter()
            .zip(folds(&first))
            .map(|(a, b)| a - b)
            .collect();
        let mean = differences.iter().sum::<f64>() / 3.0;
        let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
        let half = 4.302_652_729_7 * (squares / 2.0 / 3.0).sqrt();
        if name == "bn" {
            assert!(row["difference"].is_null() && rows[name]["difference"].is_empty());
            continue;
        }
        let near = |value: &Value, expected: f64| {
            let value = value.as_f64().expect("a number");
            assert!(
                (value - expected).abs() < 1e-9,
                "{name}: {value} {expected}"
            );
        };
        near(&row["difference"], mean);
        near(&row["difference_interval"][0], mean - half);
        near(&row["difference_interval"][1], mean + half);
        let low: f64 = rows[name]["difference_low"].parse().expect("a number");
        assert_eq!(Some(low), row["difference_interval"][0].as_f64());
    }
    // Top-k keeps half of the nodes and has no clusters.
    let topk = &result["poolers"][2];
    assert!(topk["clusters_mean"].is_null());
    let size = topk["supernodes_mean"].as_f64().expect("a size");
    assert!((2.0..6.0).contains(&size), "{size}");
}

#[test]
fn finished_runs_are_not_repeated() {
    let folder = folder("compare-resume");
    let (before, _) = some(&folder, &[]);
    let runs = |name: &str| files(&folder.join("c").join(name));
    let first = SOME.map(runs);
    let table = fs::read(folder.join("c/compare.json")).expect("a file");
    // Repeated with identical arguments and with --resume alone: all bytes are
    // equal.
    let (again, said) = some(&folder, &[]);
    assert_eq!(said.matches("done before").count(), 3, "{said}");
    let (resumed, _) = compare(&folder, &["--resume", "--out", "c", "--quiet"]);
    assert!(before == again && before == resumed);
    assert_eq!(first, SOME.map(runs));
    assert!(table == fs::read(folder.join("c/compare.json")).expect("a file"));
    // If one run is lost, only this run is repeated.
    fs::remove_dir_all(folder.join("c/mincut")).expect("removed");
    let (_, said) = compare(&folder, &["--resume", "--out", "c"]);
    assert_eq!(said.matches("done before").count(), 2, "{said}");
    assert_eq!((&first[0], &first[2]), (&runs("bn"), &runs("topk")));
    let model = |f: &BTreeMap<String, (Vec<u8>, _)>| {
        let file = f.iter().find(|f| f.0.ends_with("mincut/model.safetensors"));
        file.map(|f| f.1.0.clone()).expect("a model")
    };
    assert!(model(&first[1]) == model(&runs("mincut")));
    // Poolers and folds can be added.
    let (_, said) = compare(&folder, &["--resume", "--out", "c", "--poolers", "bn,none"]);
    assert_eq!(said.matches("done before").count(), 1, "{said}");
    let (_, said) = compare(&folder, &["--resume", "--out", "c", "--folds", "0,1,2,3"]);
    assert!(said.contains("bn (1 of 2): goes on"), "{said}");
    assert!(said.contains("fold 0: done before"), "{said}");
    // Other settings are rejected, unless the runs may be overwritten.
    let data = folder.join("shapes").display().to_string();
    let other = [
        &[
            "compare",
            "--data",
            &data,
            "--poolers",
            "bn",
            "--epochs",
            "4",
            "--out",
            "c",
        ][..],
        &SMALL,
    ]
    .concat();
    let out = bnpool_in(&folder, &other);
    let message = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{message}");
    assert!(
        message.contains("training.epochs is 3 there and 4 here"),
        "{message}"
    );
    assert!(message.contains("--overwrite"), "{message}");
    let out = bnpool_in(&folder, &[&other[..], &["--overwrite"]].concat());
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert_eq!(
        json(&folder.join("c/bn/metrics.json"))["folds"][0]["epochs"],
        4
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_finished() {
    use std::time::{Duration, Instant};
    let folder = folder("compare-interrupt");
    let data = shapes(&folder, 24);
    let settings = [
        &[
            "compare",
            "--data",
            &data,
            "--poolers",
            "sep,bn",
            "--folds",
            "0",
        ][..],
        &[
            "--epochs",
            "200000",
            "--set",
            "training.patience=200000",
            "--out",
            "c",
        ],
        &SMALL,
    ]
    .concat();
    // The process that uses the directory of a run writes its number there.
    let owner = || fs::read_to_string(folder.join("c/sep/.bnpool-run")).unwrap_or_default();
    let checkpoint = folder.join("c/sep/checkpoint.fold-0.safetensors");
    // A killed run can be continued, because no process uses its directory any
    // more.
    for _ in 0..2 {
        let before = owner();
        let mut child = crate::support::command(&folder, &settings)
            .spawn()
            .expect("a process");
        let started = Instant::now();
        while (owner() == before || !checkpoint.exists()) && started.elapsed().as_secs() < 60 {
            std::thread::sleep(Duration::from_millis(50));
        }
        let asked = Instant::now();
        let killed = std::process::Command::new("kill")
            .args(["-s", "INT", &child.id().to_string()])
            .status();
        assert!(killed.expect("kill").success());
        assert_eq!(child.wait().expect("the end").code(), Some(130));
        assert!(asked.elapsed() < Duration::from_secs(5));
        assert!(!folder.join("c/compare.json").exists());
    }
    assert!(!folder.join("c/bn").exists());
}

#[test]
fn the_failure_of_a_pooler_is_said_once_with_its_name() {
    let folder = folder("compare-failure");
    let data = shapes(&folder, 24);
    // The number of clusters exceeds any memory, which only affects bn.
    let large = [
        &[
            "compare",
            "--data",
            &data,
            "--poolers",
            "none,bn",
            "--out",
            "d",
            "--folds",
            "0",
        ][..],
        &[
            "--epochs",
            "1",
            "--set",
            "data.folds=4",
            "--max-clusters",
            "60000",
        ],
    ]
    .concat();
    let out = bnpool_in(&folder, &large);
    let message = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{message}");
    assert_eq!(message.matches("error: ").count(), 1, "{message}");
    assert!(message.contains("error: bn: "), "{message}");
    assert!(folder.join("d/none/metrics.json").exists());
    assert!(!folder.join("d/compare.json").exists());
}

#[test]
fn one_graph_is_divided_by_soft_and_hard_poolers() {
    let folder = folder("compare-one");
    let graph = two_cliques(&folder);
    let labels: String = (0..10)
        .map(|i| format!("{}{},{}\n", if i < 5 { "a" } else { "b" }, i % 5, i / 5))
        .collect();
    fs::write(folder.join("classes.csv"), format!("node,class\n{labels}")).expect("a file");
    let arguments = [
        &graph,
        "--labels",
        "classes.csv",
        "--epochs",
        "30",
        "--out",
        "c",
        "--poolers",
        "bn,mincut,graclus,sep",
    ];
    let (printed, _) = compare(&folder, &arguments);
    assert!(
        printed.contains("NMI") && printed.contains("modularity"),
        "{printed}"
    );
    let result = json(&folder.join("c/compare.json"));
    let rows = csv(&folder.join("c/compare.csv"));
    for (place, name) in ["bn", "mincut", "graclus", "sep"].into_iter().enumerate() {
        let own = json(&folder.join("c").join(name).join("metrics.json"));
        let row = &result["poolers"][place];
        for key in [
            "communities",
            "nmi_mean",
            "ari_mean",
            "cos_mean",
            "modularity",
            "seconds",
        ] {
            assert_eq!(row[key], own[key], "{name}: {key}");
            assert_eq!(
                rows[name][key].parse::<f64>().ok(),
                own[key].as_f64(),
                "{name}: {key}"
            );
        }
    }
    assert_eq!(result["classes"], 2);
    let page = fs::read_to_string(folder.join("c/compare.html")).expect("a page");
    assert_eq!(page.matches("<h3>Pooled graph</h3>").count(), 4);
    assert!(page.contains("Colours show the known class"));
    // The number of clusters can be given without other changes.
    let (_, said) = compare(
        &folder,
        &[
            &graph,
            "--clusters",
            "3",
            "--poolers",
            "mincut,jb",
            "--epochs",
            "5",
            "--out",
            "d",
        ],
    );
    assert!(said.contains("2 poolers: mincut, jb"), "{said}");
    let plan = fs::read_to_string(folder.join("d/jb/run.toml")).expect("a plan");
    assert!(plan.contains("clusters = 3"), "{plan}");
    assert!(rows["bn"].contains_key("peak_rss_mb"));
    // `all` means all poolers that support the task.
    let (printed, said) = compare(&folder, &[&graph, "--epochs", "2", "--out", "e", "--json"]);
    assert!(said.contains("all that divide the nodes"), "{said}");
    let all: Value = serde_json::from_str(&printed).expect("JSON alone");
    let dividing = bnpool::pool::POOLERS.iter().filter(|p| p.divides()).count();
    assert_eq!(all["poolers"].as_array().map(Vec::len), Some(dividing));
    assert!(all["classes"].is_null() && all["poolers"][0]["nmi"].is_null());
}

#[test]
fn seeds_are_averaged_and_compared_pair_by_pair() {
    let folder = folder("compare-seeds");
    let graph = two_cliques(&folder);
    let labels: String = (0..10)
        .map(|i| format!("{}{},{}\n", if i < 5 { "a" } else { "b" }, i % 5, i / 5))
        .collect();
    fs::write(folder.join("classes.csv"), format!("node,class\n{labels}")).expect("a file");
    let base = [
        &graph,
        "--labels",
        "classes.csv",
        "--epochs",
        "3",
        "--out",
        "c",
        "--poolers",
        "mincut,jb",
    ];
    compare(&folder, &base);
    let single = files(&folder.join("c/mincut"));
    // Seeds can be added.
    let (printed, said) = compare(&folder, &[&base[..], &["--seeds", "0-2"]].concat());
    assert!(
        said.contains("mincut, seed 0 (1 of 6): done before"),
        "{said}"
    );
    assert!(said.contains("jb, seed 2 (6 of 6): done"), "{said}");
    assert!(printed.contains("over 3 seeds (0,1,2)"), "{printed}");
    assert_eq!(single, files(&folder.join("c/mincut")));
    let result = json(&folder.join("c/compare.json"));
    let rows = csv(&folder.join("c/compare.csv"));
    assert_eq!(result["seeds"], serde_json::json!([0, 1, 2]));
    let of = |pooler: &str, key: &str| -> Vec<f64> {
        ["", "-seed-1", "-seed-2"]
            .map(|seed| {
                let metrics = format!("c/{pooler}{seed}/metrics.json");
                json(&folder.join(metrics))[key].as_f64().expect("a number")
            })
            .into()
    };
    for (place, name) in ["mincut", "jb"].into_iter().enumerate() {
        let row = &result["poolers"][place];
        for key in ["nmi_mean", "acc", "modularity", "seconds"] {
            let own = of(name, key);
            let mean = own.iter().sum::<f64>() / 3.0;
            let found = row[key].as_f64().expect("a mean");
            assert!((found - mean).abs() < 1e-12, "{name}: {key}");
            assert_eq!(rows[name][key].parse::<f64>().ok(), Some(found));
            let deviation = row["std"][key].as_f64();
            let field = rows[name][&format!("{key}_std")].parse::<f64>().ok();
            assert_eq!(field, deviation);
            assert_eq!(row["runs"][1][key].as_f64(), Some(own[1]));
        }
    }
    assert_eq!(result["poolers"][0]["differences"], serde_json::json!({}));
    let differences: Vec<f64> = of("jb", "modularity")
        .iter()
        .zip(of("mincut", "modularity"))
        .map(|(own, first)| own - first)
        .collect();
    let mean = differences.iter().sum::<f64>() / 3.0;
    let found = &result["poolers"][1]["differences"]["modularity"];
    assert!((found["mean"].as_f64().expect("a mean") - mean).abs() < 1e-12);
    assert!(found["interval"][0].as_f64() <= found["mean"].as_f64());
    // The seeds are stored, and can be changed.
    let (again, said) = compare(&folder, &["--resume", "--out", "c"]);
    assert_eq!((again, said.matches("done before").count()), (printed, 6));
    let (_, said) = compare(&folder, &["--resume", "--out", "c", "--seeds", "0,3"]);
    assert_eq!(said.matches("done before").count(), 2, "{said}");
    // The seed of a run matches its directory.
    let plan = fs::read_to_string(folder.join("c/jb-seed-3/run.toml")).expect("a plan");
    assert!(plan.contains("seed = 3"), "{plan}");
}

#[test]
fn one_fold_has_no_interval_and_that_is_said() {
    let folder = folder("compare-fold");
    let data = shapes(&folder, 24);
    let settings = [
        &[
            "--data",
            &data,
            "--poolers",
            "none,topk",
            "--folds",
            "1",
            "--epochs",
            "1",
        ][..],
        &["--jobs", "2", "--threads", "2"],
        &SMALL,
    ];
    let (printed, _) = compare(&folder, &settings.concat());
    assert!(
        printed.contains("a single fold gives no interval"),
        "{printed}"
    );
    let result = json(&folder.join("runs/compare-shapes-0/compare.json"));
    assert!(result["poolers"][1]["difference"].is_number());
    assert!(result["poolers"][1]["difference_interval"].is_null());
}

#[test]
fn what_cannot_be_is_refused_in_words() {
    let folder = folder("compare-refused");
    let data = shapes(&folder, 12);
    let graph = folder.join(two_cliques(&folder)).display().to_string();
    let all = "bn, diff, mincut, dmon, jb, hosc, eigen, topk, ec, kmis, graclus, leiden, sep, none";
    let many = |more: &[&str], parts: &[&str]| {
        refuses(
            &[&["compare", "--data", &data, "--out", "never"][..], more].concat(),
            parts,
        );
    };
    let one = |more: &[&str], parts: &[&str]| {
        refuses(
            &[&["compare", &graph, "--out", "never"][..], more].concat(),
            parts,
        );
    };
    refuses(&["compare"], &["--dataset NAME", "--data PATH"]);
    refuses(&["compare", "-"], &["standard input", "save"]);
    many(&["--poolers", "bn,best"], &["no pooler `best`", all]);
    many(&["--poolers", ""], &["a name is missing", "bn,diff"]);
    many(&["--poolers", "bn,mincut,bn"], &["`bn` is named twice"]);
    many(&["--pooler", "bn"], &["--poolers NAME,NAME"]);
    many(&["--set", "pooler.name=bn"], &["--poolers"]);
    many(&["--set", "pooler.ratio=nan"], &["pooler.ratio", "finite"]);
    for ratio in ["0", "-0.5", "1.5"] {
        let set = format!("pooler.ratio={ratio}");
        many(&["--set", &set], &["pooler.ratio", "above 0 and at most 1"]);
    }
    many(
        &["--clusters", "3"],
        &["--clusters is for one graph", "pooler.ratio"],
    );
    many(&["--folds", "99"], &["no fold 99"]);
    many(&["--jobs", "0"], &["--jobs 0"]);
    many(
        &["--seeds", "0-2"],
        &["--seeds is for one graph", "--folds"],
    );
    one(&["--seeds", "4-0"], &["--seeds", "smaller end"]);
    one(&["--seeds", "some"], &["--seeds", "0-4"]);
    one(
        &["--seeds", "0-2", "--set", "seed=4"],
        &["--set seed=4", "--seeds"],
    );
    one(&["--seeds", "0-2", "--seed", "1"], &["--seeds", "--seed"]);
    many(&["--resume"], &["no comparison to resume"]);
    one(&["--clusters", "0"], &["--clusters 0", "at least one"]);
    one(&["--folds", "0"], &["--folds is for many graphs"]);
    one(&["--jobs", "2"], &["--jobs", "one graph"]);
    for pooler in ["topk", "none"] {
        one(
            &["--poolers", pooler],
            &[pooler, "these do: bn, diff, mincut", "sep"],
        );
    }
    refuses(&["compare", "--dataset", "nothing"], &["nothing"]);
    refuses(&["compare", "--resume"], &["--out DIR"]);
    refuses(
        &["compare", "--resume", "--out", "nowhere"],
        &["no comparison to resume"],
    );
    refuses(
        &["compare", "--data", &data, "--out", &data],
        &["left alone", "--out"],
    );
    assert!(!folder.join("never").exists());
    // Other commands detect the directory of a comparison.
    let made = ["--poolers", "sep", "--epochs", "1", "--out", "made"];
    compare(&folder, &[&[graph.as_str()][..], &made].concat());
    let made = folder.join("made").display().to_string();
    refuses(&["report", &made], &["bnpool compare --resume --out"]);
    refuses(
        &["compare", "--data", &data, "--out", &made],
        &["made", "compare-graph"],
    );
}

#[test]
fn help_stays_as_it_is() {
    let out = bnpool_in(&folder("compare-help"), &["compare", "--help"]);
    insta::assert_snapshot!("help of compare", text(&out.stdout));
}
