//! Tests that no user files are lost: run directories, locks, resuming.

#[cfg(unix)]
use crate::signals::{send, start, stopped, wait_for};
use crate::support::{SMALL, bnpool_in, folder, shapes, text, two_cliques};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Runs the command, which must succeed; returns standard output and error.
pub fn run(folder: &Path, arguments: &[&str]) -> (String, String) {
    let out = bnpool_in(folder, arguments);
    let (said, told) = (text(&out.stdout), text(&out.stderr));
    assert!(out.status.success(), "{arguments:?}: {told}");
    (said, told)
}

/// Runs the command, and expects exit code 2 and this message.
pub fn refused(folder: &Path, arguments: &[&str], parts: &[&str]) {
    let out = bnpool_in(folder, arguments);
    let told = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{arguments:?}: {told}");
    for part in parts {
        assert!(told.contains(part), "{arguments:?}: no `{part}` in: {told}");
    }
}

pub fn metrics(run: &Path) -> Value {
    let file = fs::read_to_string(run.join("metrics.json")).expect("metrics");
    serde_json::from_str(&file).expect("JSON")
}

pub fn read(path: impl AsRef<Path>) -> Vec<u8> {
    fs::read(path.as_ref()).unwrap_or_else(|e| panic!("{}: {e}", path.as_ref().display()))
}

/// Reads the number of epochs in the settings of a run.
fn epochs_asked(run: &Path) -> i64 {
    let settings: toml::Table = text(&read(run.join("run.toml"))).parse().expect("TOML");
    settings["training"]["epochs"].as_integer().expect("epochs")
}

pub const QUICK: [&str; 3] = ["--epochs", "3", "--quiet"];
#[test]
fn files_of_the_user_are_never_replaced() {
    let folder = folder("foreign");
    let edges = two_cliques(&folder);
    fs::write(folder.join("labels.csv"), "node,label\na0,x\nb0,y\n").expect("a truth");
    let before = read(folder.join("labels.csv"));
    let arguments = ["cluster", &edges, "--out", "."];
    refused(
        &folder,
        &[&arguments[..], &QUICK].concat(),
        &["not a run of bnpool", "--out"],
    );
    let overwrite = [&arguments[..], &["--overwrite"], &QUICK].concat();
    refused(&folder, &overwrite, &["not a run of bnpool"]);
    assert_eq!(read(folder.join("labels.csv")), before);
    assert!(!folder.join("run.toml").exists());

    let data = PathBuf::from(shapes(&folder, 8));
    fs::write(data.join("fold-1.csv"), "0,1\n").expect("a graph");
    let train = ["train", "--data", ".", "--out", ".", "--overwrite"];
    let out = bnpool_in(&data, &[&train[..], &SMALL, &QUICK].concat());
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stderr));
    assert!(data.join("fold-1.csv").exists());

    // An empty folder may be used, and the user's files in a run directory are
    // kept.
    fs::create_dir(folder.join("empty")).expect("a folder");
    run(
        &folder,
        &[&["cluster", &edges, "--out", "empty"][..], &QUICK].concat(),
    );
    fs::write(folder.join("empty/fold-1.csv"), "mine").expect("a file");
    let again = ["cluster", &edges, "--out", "empty", "--overwrite"];
    run(&folder, &[&again[..], &QUICK].concat());
    assert_eq!(read(folder.join("empty/fold-1.csv")), b"mine");
}

#[test]
fn inputs_are_never_outputs() {
    let folder = folder("input-output");
    let edges = two_cliques(&folder);
    run(
        &folder,
        &[&["cluster", &edges, "--out", "run"][..], &QUICK].concat(),
    );
    let labels = read(folder.join("run/labels.csv"));
    refused(
        &folder,
        &[
            "cluster",
            &edges,
            "--labels",
            "run/labels.csv",
            "--out",
            "run",
            "--overwrite",
        ],
        &["labels.csv", "would replace this input", "--out"],
    );
    assert_eq!(read(folder.join("run/labels.csv")), labels);
    // Settings are also an input.
    let settings = read(folder.join("run/run.toml"));
    let again = [
        "cluster",
        &edges,
        "--config",
        "run/run.toml",
        "--out",
        "run",
    ];
    refused(
        &folder,
        &[&again[..], &["--overwrite"]].concat(),
        &["run.toml", "would replace this input", "--out"],
    );
    assert_eq!(read(folder.join("run/run.toml")), settings);
    // The table of a folder is an input like the folder.
    shapes(&folder, 8);
    let train = ["train", "--data", "shapes", "--out", "trained"];
    run(&folder, &[&train[..], &SMALL, &QUICK].concat());
    let table = read(folder.join("shapes/graphs.csv"));
    refused(
        &folder,
        &[
            "predict",
            "--run",
            "trained",
            "shapes",
            "--out",
            "shapes/graphs.csv",
        ],
        &["graphs.csv", "also an input"],
    );
    assert_eq!(read(folder.join("shapes/graphs.csv")), table);
    let sbm = ["data", "generate", "sbm", "--out", "sbm.safetensors"];
    run(&folder, &sbm);
    let before = read(folder.join("sbm.safetensors"));
    refused(
        &folder,
        &["data", "convert", "sbm.safetensors", "./sbm.safetensors"],
        &["also an input"],
    );
    assert_eq!(read(folder.join("sbm.safetensors")), before);
}

#[test]
fn finished_runs_are_kept_and_the_next_gets_a_number() {
    let folder = folder("numbered");
    for name in ["a", "b"] {
        fs::create_dir(folder.join(name)).expect("a folder");
        two_cliques(&folder.join(name));
    }
    run(&folder, &[&["cluster", "a/edges.csv"][..], &QUICK].concat());
    let first = folder.join("runs/cluster-edges-bn-0");
    let before = read(first.join("run.toml"));
    let (_, told) = run(&folder, &["cluster", "b/edges.csv", "--epochs", "4"]);
    assert!(
        told.contains("runs/cluster-edges-bn-0 holds a finished run")
            && told.contains("runs/cluster-edges-bn-0-2"),
        "{told}"
    );
    assert_eq!(read(first.join("run.toml")), before);
    let second = folder.join("runs/cluster-edges-bn-0-2");
    assert_eq!(metrics(&second)["epochs"], 4);
    // With --overwrite it is replaced.
    run(
        &folder,
        &["cluster", "b/edges.csv", "--epochs", "5", "--overwrite"],
    );
    assert_eq!(metrics(&first)["epochs"], 5);
    assert!(!folder.join("runs/cluster-edges-bn-0-3").exists());

    let data = shapes(&folder, 8);
    let all = [&["train", "--data", &data][..], &SMALL, &QUICK].concat();
    run(&folder, &all);
    let (said, _) = run(&folder, &[&all[..], &["--folds", "0"]].concat());
    assert!(said.contains("runs/train-shapes-bn-0-2"), "{said}");
    for fold in 0..4 {
        let model = format!("runs/train-shapes-bn-0/model.fold-{fold}.safetensors");
        assert!(folder.join(model).exists(), "fold {fold} is gone");
    }
}

#[test]
fn graphs_of_the_same_name_are_kept_apart() {
    let folder = folder("same-names");
    let data = shapes(&folder, 8);
    let settings = [
        &["train", "--data", &data, "--out", "run", "--folds", "0"][..],
        &SMALL,
        &QUICK,
    ];
    run(&folder, &settings.concat());
    for name in ["a", "b"] {
        fs::create_dir(folder.join(name)).expect("a folder");
        fs::copy(
            folder.join("shapes/g1.csv"),
            folder.join(name).join("x.csv"),
        )
        .expect("copied");
    }
    let predict = ["predict", "--run", "run", "a/x.csv", "b/x.csv"];
    let (said, _) = run(&folder, &[&predict[..], &["--pooled", "pooled"]].concat());
    assert!(
        said.contains("\na/x.csv,") && said.contains("\nb/x.csv,"),
        "{said}"
    );
    assert_eq!(
        fs::read_dir(folder.join("pooled")).expect("files").count(),
        6
    );
    // The table of a folder is not a graph.
    let (said, told) = run(
        &folder,
        &[
            "predict",
            "--run",
            "run",
            "shapes/g0.csv",
            "shapes/graphs.csv",
        ],
    );
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(told.contains("table of a folder"), "{told}");
    let (said, _) = run(&folder, &["predict", "--run", "run", "shapes/graphs.csv"]);
    assert_eq!(said.lines().count(), 9, "{said}");
}

#[cfg(unix)]
#[test]
fn odd_outputs_stay_what_they_are() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = folder("odd-outputs");
    let data = shapes(&folder, 8);
    let settings = [
        &["train", "--data", &data, "--out", "run", "--folds", "0"][..],
        &SMALL,
        &QUICK,
    ];
    run(&folder, &settings.concat());
    let graph = "shapes/g1.csv";
    let predict = |out: &str| bnpool_in(&folder, &["predict", "--run", "run", graph, "--out", out]);
    let expected = run(&folder, &["predict", "--run", "run", graph]).0;
    assert!(predict("/dev/null").status.success());
    let kind = fs::metadata("/dev/null").expect("a device").file_type();
    assert!(kind.is_char_device());
    assert_eq!(text(&predict("-").stdout), expected);
    symlink("target.csv", folder.join("link.csv")).expect("a link");
    assert!(predict("link.csv").status.success());
    let link = fs::symlink_metadata(folder.join("link.csv")).expect("a link");
    assert!(link.is_symlink());
    assert_eq!(text(&read(folder.join("target.csv"))), expected);
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(folder.join("target.csv"), private).expect("a mode");
    assert!(predict("link.csv").status.success());
    let mode = fs::metadata(folder.join("target.csv")).expect("a file");
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    let fifo = folder.join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo").success());
    let reader = {
        let fifo = fifo.clone();
        std::thread::spawn(move || text(&read(fifo)))
    };
    assert!(predict("fifo").status.success());
    // Checked first, because a replaced pipe has no writer.
    let kind = fs::metadata(&fifo).expect("a pipe").file_type();
    assert!(kind.is_fifo());
    assert_eq!(reader.join().expect("read"), expected);
    let out = predict(graph);
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stderr));
    assert!(read(folder.join(graph)).starts_with(b"1,0"));
    assert_ne!(predict("run").status.code(), Some(0));
    assert_eq!(predict("/dev/full").status.code(), Some(1));
}

/// A new name is only on the disk after its folder is synchronised. Checked if
/// `strace` is available.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_is_brought_to_the_disk_after_a_rename() {
    let folder = folder("synced");
    let trace = |arguments: &[&str]| {
        let calls = "trace=fsync,fdatasync,rename,renameat,renameat2";
        let mut strace = std::process::Command::new("strace");
        strace.args(["-f", "-y", "-o", "calls", "-e", calls]);
        strace.args(arguments).current_dir(&folder).output()
    };
    if !trace(&["true"]).is_ok_and(|out| out.status.success()) {
        return;
    }
    let bnpool = env!("CARGO_BIN_EXE_bnpool");
    let generate = [bnpool, "data", "generate", "sbm", "--nodes", "20"];
    let out = trace(&[&generate[..], &["--out", "sbm.safetensors"]].concat());
    assert!(out.is_ok_and(|out| out.status.success()));
    let calls = text(&read(folder.join("calls")));
    let mut after = calls
        .lines()
        .skip_while(|call| !(call.contains("rename") && call.contains("sbm.safetensors")));
    assert!(after.next().is_some(), "nothing was renamed: {calls}");
    let own = format!("{}>)", folder.canonicalize().expect("a path").display());
    assert!(
        after.any(|call| call.contains("fsync(") && call.contains(&own)),
        "{calls}"
    );
}

#[cfg(unix)]
#[test]
fn two_processes_never_share_a_directory() {
    let folder = folder("two-processes");
    let edges = two_cliques(&folder);
    let child = start(&folder, &[&edges, "--out", "run"]);
    wait_for(&folder.join("run/history.jsonl"));
    let pid = format!("process {}", child.id());
    for arguments in [
        &["cluster", &edges, "--out", "run", "--overwrite"][..],
        &["cluster", "--resume", "--out", "run"],
        &["report", "run"],
    ] {
        refused(&folder, arguments, &["another bnpool", &pid, "--out"]);
    }
    // Without --out, another directory is used.
    let other = start(&folder, &[&edges]);
    wait_for(&folder.join("runs/cluster-edges-bn-0/history.jsonl"));
    run(&folder, &[&["cluster", &edges][..], &QUICK].concat());
    assert!(
        folder
            .join("runs/cluster-edges-bn-0-2/metrics.json")
            .exists()
    );
    for child in [child, other] {
        send("INT", &child);
        assert_eq!(stopped(child).0, Some(130));
    }
}

#[test]
fn more_epochs_are_written_down_and_end_as_if_asked_for_at_once() {
    let folder = folder("extended");
    let edges = two_cliques(&folder);
    let patience = ["--set", "search.patience=500"];
    let settings = [&patience[..], &["--set", "search.still=0", "--quiet"]].concat();
    let cluster = |out: &str, epochs: &str| {
        let arguments = ["cluster", &edges, "--out", out, "--epochs", epochs];
        run(&folder, &[&arguments[..], &settings].concat());
    };
    cluster("whole", "60");
    cluster("longer", "20");
    run(
        &folder,
        &["cluster", "--resume", "--out", "longer", "--epochs", "60"],
    );
    assert_eq!(epochs_asked(&folder.join("longer")), 60);
    assert_eq!(metrics(&folder.join("longer"))["epochs"], 60);
    for name in [
        "history.jsonl",
        "model.safetensors",
        "labels.csv",
        "assignments.npy",
    ] {
        let same = read(folder.join("whole").join(name)) == read(folder.join("longer").join(name));
        assert!(same, "{name} differs");
    }
    // A note is printed if there is nothing to add.
    let (_, told) = run(
        &folder,
        &["cluster", "--resume", "--out", "longer", "--epochs", "60"],
    );
    assert!(told.contains("adds none"), "{told}");
    // A smaller number of epochs does not undo finished ones.
    let (_, told) = run(
        &folder,
        &["cluster", "--resume", "--out", "longer", "--epochs", "5"],
    );
    assert!(told.contains("60 epochs are done already"), "{told}");
    assert_eq!(epochs_asked(&folder.join("longer")), 60);

    let data = shapes(&folder, 12);
    let train = |out: &str, epochs: &str| {
        let arguments = ["train", "--data", &data, "--out", out, "--epochs", epochs];
        let more = ["--folds", "0", "--set", "training.patience=500", "--quiet"];
        run(&folder, &[&arguments[..], &more, &SMALL].concat());
    };
    train("train-whole", "12");
    train("train-longer", "5");
    run(
        &folder,
        &[
            "train",
            "--resume",
            "--out",
            "train-longer",
            "--epochs",
            "12",
        ],
    );
    for name in ["history.jsonl", "model.safetensors"] {
        let (one, two) = (folder.join("train-whole"), folder.join("train-longer"));
        assert!(
            read(one.join(name)) == read(two.join(name)),
            "{name} differs"
        );
    }
    assert_eq!(epochs_asked(&folder.join("train-longer")), 12);
    assert_eq!(
        metrics(&folder.join("train-longer"))["folds"][0]["epochs"],
        12
    );
}

#[test]
fn a_run_can_be_used_from_another_directory() {
    let folder = folder("elsewhere");
    let edges = two_cliques(&folder);
    fs::create_dir(folder.join("inner")).expect("a folder");
    run(&folder, &[&["cluster", &edges][..], &QUICK].concat());
    let inner = folder.join("inner");
    let path = "../runs/cluster-edges-bn-0";
    run(&inner, &["report", path]);
    run(&inner, &["cluster", "--resume", "--out", path]);
    // Another path to the same graph.
    let again = ["cluster", "../edges.csv", "--resume", "--out", path];
    run(&inner, &again);
    let other = ["cluster", "../other.csv", "--resume", "--out", path];
    refused(
        &inner,
        &other,
        &["a resumed run keeps its data", "--overwrite"],
    );
}

#[test]
fn a_damaged_history_does_not_block() {
    let folder = folder("history");
    let edges = two_cliques(&folder);
    let arguments = ["cluster", &edges, "--out", "run", "--epochs", "10"];
    run(&folder, &arguments);
    let path = folder.join("run/history.jsonl");
    let whole = read(&path);
    for damaged in [&whole[..whole.len() / 2], b"\xff\xfe\n", b""] {
        fs::write(&path, damaged).expect("damaged");
        let more = ["cluster", "--resume", "--out", "run", "--epochs", "12"];
        let (_, told) = run(&folder, &more);
        assert!(told.contains("have a gap"), "{told}");
        run(&folder, &["report", "run"]);
    }
}

#[test]
fn leftovers_of_killed_processes_are_cleaned() {
    let folder = folder("leftovers");
    let edges = two_cliques(&folder);
    run(
        &folder,
        &[&["cluster", &edges, "--out", "run"][..], &QUICK].concat(),
    );
    let part = folder.join("run/.bnpool-abc.part");
    fs::write(&part, "half").expect("a file");
    run(&folder, &["cluster", "--resume", "--out", "run"]);
    assert!(!part.exists());
    fs::write(&part, "half").expect("a file");
    let again = ["cluster", &edges, "--out", "run", "--overwrite"];
    run(&folder, &[&again[..], &QUICK].concat());
    assert!(!part.exists());
}

#[cfg(unix)]
#[test]
fn a_run_directory_that_vanishes_is_an_error() {
    let folder = folder("vanished");
    let edges = two_cliques(&folder);
    let child = start(&folder, &[&edges, "--out", "run"]);
    wait_for(&folder.join("run/history.jsonl"));
    fs::remove_dir_all(folder.join("run")).expect("removed");
    send("INT", &child);
    let (code, told) = stopped(child);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("does not exist (any more)"), "{told}");
    assert!(!folder.join("run").exists());
}
