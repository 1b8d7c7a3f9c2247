//! Tests that signals are handled at any moment and lose nothing.

use crate::run_directory::{metrics, read, run};
use crate::support::{SMALL, command, folder, shapes, text, two_cliques};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ENDLESS: [&str; 5] = [
    "--epochs",
    "10000000",
    "--set",
    "training.patience=10000000",
    "--quiet",
];

/// Settings that also make a clustering from groups endless.
const RESTLESS: [&str; 6] = [
    "--set",
    "search.still=0",
    "--set",
    "search.epochs=10000000",
    "--set",
    "search.patience=10000000",
];

/// A run that is killed at the end of its test, even if the test fails.
pub struct Started(Option<Child>);

impl Started {
    fn of(command: &mut Command) -> Self {
        command.stderr(Stdio::piped()).stdout(Stdio::piped());
        Self(Some(command.spawn().expect("a run")))
    }

    fn child(&mut self) -> &mut Child {
        self.0.as_mut().expect("it was not waited for")
    }

    pub fn id(&self) -> u32 {
        self.0.as_ref().expect("it was not waited for").id()
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Starts a run that does not end by itself.
pub fn start(folder: &Path, arguments: &[&str]) -> Started {
    let arguments = [&["cluster"], arguments, &ENDLESS, &RESTLESS].concat();
    Started::of(&mut command(folder, &arguments))
}

/// Waits until a file exists.
pub fn wait_for(path: &Path) {
    let started = Instant::now();
    while !path.exists() && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(path.exists(), "{} did not appear", path.display());
}

pub fn send(signal: &str, child: &Started) {
    let sent = Command::new("kill")
        .args(["-s", signal, &child.id().to_string()])
        .status();
    assert!(sent.expect("kill").success());
}

/// Stops a run, if it is still running, and returns its messages.
pub fn stopped(mut child: Started) -> (Option<i32>, String) {
    let child = child.0.take().expect("it was not waited for");
    let out = child.wait_with_output().expect("the end");
    (out.status.code(), text(&out.stderr))
}

#[test]
fn an_interrupted_run_leaves_what_it_found_marked_as_unfinished() {
    let folder = folder("unfinished");
    let edges = two_cliques(&folder);
    fs::write(folder.join("known.csv"), "node,class\na1,x\na2,x\nb1,y\n").expect("classes");
    let labelled = ["--labels", "known.csv", "--out", "run"];
    let child = start(&folder, &[&[&*edges], &labelled[..]].concat());
    let run_directory = folder.join("run");
    wait_for(&run_directory.join("history.jsonl"));
    std::thread::sleep(Duration::from_millis(300));
    send("INT", &child);
    let (code, told) = stopped(child);
    assert_eq!(code, Some(130), "{told}");
    assert!(
        told.contains("unfinished") && told.contains("--resume --out run"),
        "{told}"
    );
    assert!(told.contains("another signal ends at once"), "{told}");
    let found = metrics(&run_directory);
    assert_eq!(found["unfinished"], true);
    // The regression for ACC may take minutes, so it is skipped after an interruption.
    assert!(found["acc"].is_null() && found["acc_mean"].is_null());
    assert!(found["nmi"].is_number());
    let labels = text(&read(run_directory.join("labels.csv")));
    assert_eq!(labels.lines().count(), 11);
    let page = text(&read(run_directory.join("report.html")));
    assert!(page.contains("stopped before its end"));
    run(&folder, &["report", "run"]);
    // A smaller number of epochs ends it.
    run(
        &folder,
        &["cluster", "--resume", "--out", "run", "--epochs", "1"],
    );
    let metrics = metrics(&run_directory);
    assert!(metrics["unfinished"].is_null() && metrics["acc"].is_number());
    let settings = text(&read(run_directory.join("run.toml")));
    let done = format!("\nepochs = {}\n", metrics["epochs"]);
    assert!(settings.contains(&done), "{settings}");
}

#[test]
fn an_interrupted_training_can_predict() {
    let folder = folder("unfinished-train");
    let data = shapes(&folder, 8);
    let arguments = [
        &["train", "--data", &data, "--out", "run"][..],
        &SMALL,
        &ENDLESS,
    ]
    .concat();
    let child = Started::of(&mut command(&folder, &arguments));
    wait_for(&folder.join("run/history.fold-0.jsonl"));
    std::thread::sleep(Duration::from_millis(300));
    send("TERM", &child);
    let (code, told) = stopped(child);
    assert_eq!(code, Some(130), "{told}");
    assert!(
        told.contains("marked as unfinished") && told.contains("--resume --out run"),
        "{told}"
    );
    let m = metrics(&folder.join("run"));
    assert_eq!(m["unfinished"], true);
    assert_eq!(m["folds"][0]["unfinished"], true);
    run(&folder, &["predict", "--run", "run", "shapes/g1.csv"]);
    run(&folder, &["report", "run"]);
    let page = text(&read(folder.join("run/report.html")));
    assert!(page.contains("stopped before its end"));
}

#[test]
fn ignored_signals_stay_ignored() {
    let folder = folder("ignored");
    let edges = two_cliques(&folder);
    let bnpool = env!("CARGO_BIN_EXE_bnpool");
    let script = format!(
        "trap '' INT HUP; exec '{bnpool}' cluster {edges} --out run {} {}",
        RESTLESS.join(" "),
        ENDLESS.join(" ")
    );
    let mut shell = Command::new("sh");
    let mut child = Started::of(shell.args(["-c", &script]).current_dir(&folder));
    wait_for(&folder.join("run/history.jsonl"));
    for signal in ["INT", "HUP"] {
        send(signal, &child);
        std::thread::sleep(Duration::from_millis(200));
        assert!(
            child.child().try_wait().expect("a state").is_none(),
            "{signal} ended it"
        );
    }
    send("TERM", &child);
    assert_eq!(stopped(child).0, Some(130));
}

#[test]
fn a_signal_before_the_first_epoch_is_honoured_at_once() {
    let folder = folder("early-signal");
    // A graph that is large enough to take some time.
    let sbm = [
        "data", "generate", "sbm", "--nodes", "30000", "--p-in", "0.002",
    ];
    let files = ["--p-out", "0.0001", "--out", "large.safetensors"];
    run(&folder, &[&sbm[..], &files].concat());
    let child = start(&folder, &["large.safetensors", "--out", "run"]);
    std::thread::sleep(Duration::from_millis(400));
    let sent = Instant::now();
    send("INT", &child);
    let (code, told) = stopped(child);
    assert_eq!(code, Some(130), "{told}");
    assert!(
        sent.elapsed() < Duration::from_secs(2),
        "{:?}",
        sent.elapsed()
    );
    assert!(told.contains("interrupted"), "{told}");
}

/// The first signal takes effect at the end of an epoch, the second one
/// immediately.
#[test]
fn a_second_signal_ends_at_once() {
    let folder = folder("second-signal");
    let sbm = ["data", "generate", "sbm", "--nodes", "30000", "--p-in"];
    let files = ["0.001", "--p-out", "0.0001", "--out", "large.safetensors"];
    run(&folder, &[&sbm[..], &files].concat());
    let slow = ["--preset", "paper", "--loss", "dense", "--max-clusters"];
    let cluster = ["cluster", "large.safetensors", "--out", "run"];
    let more = ["50", "--threads", "1", "--quiet"];
    let all = [&cluster[..], &slow, &more].concat();
    let mut child = Started::of(&mut command(&folder, &all));
    let directory = folder.join("run");
    wait_for(&directory.join("history.jsonl"));
    std::thread::sleep(Duration::from_millis(500));
    send("INT", &child);
    std::thread::sleep(Duration::from_millis(300));
    let state = child.child().try_wait().expect("a state");
    assert!(state.is_none(), "it did not wait for its epoch");
    let sent = Instant::now();
    send("INT", &child);
    let (code, told) = stopped(child);
    let waited = sent.elapsed();
    assert_eq!(code, Some(130), "{told}");
    assert!(waited < Duration::from_secs(1), "{waited:?}");
    assert!(told.contains("--resume --out run"), "{told}");
    assert!(!directory.join("metrics.json").exists());
    assert!(!is_writing(&directory));
    // Following the advice continues the run.
    let resume = ["cluster", "--resume", "--out", "run", "--threads", "1"];
    let child = Started::of(&mut command(&folder, &resume));
    let owner = format!("process {}\n", child.id());
    let started = Instant::now();
    while !text(&read(directory.join(".bnpool-run"))).contains(&owner) {
        assert!(started.elapsed() < Duration::from_secs(60), "no process");
        std::thread::sleep(Duration::from_millis(20));
    }
    send("INT", &child);
    std::thread::sleep(Duration::from_millis(100));
    send("INT", &child);
    assert_eq!(stopped(child).0, Some(130));
}

/// No data have arrived yet that could be read or hashed.
#[test]
fn a_signal_while_a_file_is_read_is_honoured_at_once() {
    let folder = folder("signal-reading");
    let made = Command::new("mkfifo").arg(folder.join("pipe.csv")).status();
    assert!(made.expect("mkfifo").success());
    let child = start(&folder, &["pipe.csv", "--out", "run"]);
    // A pipe can be opened once there is a reader, which then waits for the
    // rest.
    let mut pipe = fs::File::create(folder.join("pipe.csv")).expect("a reader");
    std::io::Write::write_all(&mut pipe, b"a,b\nb,c\n").expect("a reader");
    std::thread::sleep(Duration::from_millis(100));
    let sent = Instant::now();
    send("TERM", &child);
    let (code, told) = stopped(child);
    let waited = sent.elapsed();
    assert_eq!(code, Some(130), "{told}");
    assert!(waited < Duration::from_secs(1), "{waited:?}");
    assert!(!folder.join("run").exists());
}

/// Returns whether a file is being written in a folder.
fn is_writing(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).expect("a folder").flatten();
    entries.any(|entry| entry.file_name().to_string_lossy().ends_with(".part"))
}

#[test]
fn a_signal_while_a_file_is_written_leaves_nothing_behind() {
    let folder = folder("signal-writing");
    let sbm = ["data", "generate", "sbm", "--nodes", "60000"];
    let more = ["--p-in", "0.001", "--p-out", "0.0002", "--out"];
    let to = |path| command(&folder, &[&sbm[..], &more, &[path]].concat());
    assert!(
        to("whole.csv")
            .status()
            .expect("the command runs")
            .success()
    );
    let whole = read(folder.join("whole.csv"));
    // The file may be complete before the signal arrives.
    for _ in 0..10 {
        let mut child = Started::of(&mut to("sbm.csv"));
        while !is_writing(&folder) && child.child().try_wait().expect("a state").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        send("TERM", &child);
        let (code, told) = stopped(child);
        assert!(!is_writing(&folder), "half of a file is left: {told}");
        let made = folder.join("sbm.csv");
        if !made.exists() {
            assert_eq!(code, Some(130), "{told}");
            return;
        }
        assert!(matches!(code, Some(0 | 130)), "{told}");
        assert!(read(&made) == whole, "half of a file has its name");
        fs::remove_file(made).expect("a whole file");
    }
    panic!("no signal came in time");
}

/// Sends a signal while the only, large checkpoint of a run is written.
fn interrupted_in_the_last_checkpoint(folder: &Path, arguments: &[&str], history: &str) -> String {
    let arguments = [arguments, &["--epochs", "1", "--out", "run", "--quiet"]].concat();
    let child = Started::of(&mut command(folder, &arguments));
    let run = folder.join("run");
    wait_for(&run.join(history));
    let started = Instant::now();
    while !is_writing(&run) && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    send("TERM", &child);
    let (code, told) = stopped(child);
    assert_eq!(code, Some(130), "{told}");
    told
}

#[test]
fn a_signal_during_the_last_checkpoint_is_heard() {
    let folder = folder("last-checkpoint");
    let edges = two_cliques(&folder);
    let wide = ["--set", "model.hidden=1500"];
    let cluster = [&["cluster", &edges][..], &wide].concat();
    let told = interrupted_in_the_last_checkpoint(&folder, &cluster, "history.jsonl");
    assert!(told.contains("interrupted"), "{told}");
    // Continuing always completes the run.
    run(&folder, &["cluster", "--resume", "--out", "run"]);
    assert!(metrics(&folder.join("run"))["unfinished"].is_null());
}

#[test]
fn a_signal_during_the_last_checkpoint_of_a_fold_is_heard() {
    let folder = folder("last-checkpoint-fold");
    let data = shapes(&folder, 8);
    let settings = ["--folds", "0", "--max-clusters", "6", "--set"];
    let more = ["model.hidden=1500", "--set", "data.folds=4"];
    let train = [&["train", "--data", &data][..], &settings, &more].concat();
    let told = interrupted_in_the_last_checkpoint(&folder, &train, "history.fold-0.jsonl");
    assert!(told.contains("interrupted"), "{told}");
    run(&folder, &["train", "--resume", "--out", "run"]);
    assert!(metrics(&folder.join("run"))["unfinished"].is_null());
}
