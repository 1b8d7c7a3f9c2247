//! Pipes, devices and folders with odd things in them.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

use bnpool_io::dataset::sha256_file;
use bnpool_io::format::csr_bundle::write_csr_bundle;
use bnpool_io::format::npy::encode_f32;
use bnpool_io::format::{Limits, ReadOptions, ReadReport, Source, read_graph, read_graphs};
use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

/// A graph of two edges in every format of text.
const TEXTS: [(&str, &str); 10] = [
    ("a.csv", "0,1\n1,2\n"),
    (
        "a.mtx",
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n",
    ),
    ("a.graph", "3 2\n2\n1 3\n2\n"),
    (
        "a.gml",
        "graph [ node [ id 0 ] node [ id 1 ] node [ id 2 ]\n\
         edge [ source 0 target 1 ] edge [ source 1 target 2 ] ]",
    ),
    (
        "a.graphml",
        "<?xml version=\"1.0\"?><graphml><graph edgedefault=\"undirected\"><node id=\"0\"/>\
         <node id=\"1\"/><node id=\"2\"/><edge source=\"0\" target=\"1\"/>\
         <edge source=\"1\" target=\"2\"/></graph></graphml>",
    ),
    (
        "a.gexf",
        "<?xml version=\"1.0\"?>\n<gexf version=\"1.2\"><graph defaultedgetype=\"undirected\">\
         <nodes><node id=\"0\"/><node id=\"1\"/><node id=\"2\"/></nodes><edges>\
         <edge source=\"0\" target=\"1\"/><edge source=\"1\" target=\"2\"/></edges></graph></gexf>",
    ),
    (
        "a.json",
        "{\"nodes\": [{\"id\": 0}, {\"id\": 1}, {\"id\": 2}], \"links\": \
         [{\"source\": 0, \"target\": 1}, {\"source\": 1, \"target\": 2}]}",
    ),
    ("a.net", "*Vertices 3\n*Edges\n1 2\n2 3\n"),
    ("a.dot", "graph g {\n  0 -- 1 -- 2\n}\n"),
    ("a.adjlist", "0 1\n1 2\n2\n"),
];

/// Files that cannot be told from an edge list.
const LIKE_EDGE_LISTS: [&str; 2] = ["a.graph", "a.adjlist"];

/// A pipe with a name, into which a thread writes.
fn fifo(path: &Path, bytes: &[u8]) -> JoinHandle<()> {
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
    let (path, bytes) = (path.to_owned(), bytes.to_vec());
    spawn(move || {
        let mut pipe = fs::OpenOptions::new().write(true).open(path).unwrap();
        // The reader may have seen enough.
        let _ = pipe.write_all(&bytes);
    })
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Reads bytes from a file and from a pipe of this name.
fn read_both(name: &str, pipe: &str, bytes: &[u8]) -> [ReadReport; 2] {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    fs::write(&file, bytes).unwrap();
    let options = ReadOptions::default();
    let (expected, file_report) = read_graph(&file, &options).unwrap();
    let pipe = folder.path().join("pipes").join(pipe);
    fs::create_dir(pipe.parent().unwrap()).unwrap();
    let writer = fifo(&pipe, bytes);
    let (graph, report) = read_graph(&pipe, &options).unwrap();
    writer.join().unwrap();
    assert_eq!(graph, expected, "{name}");
    let (sha256, size) = sha256_file(&file).unwrap();
    assert_eq!(report.sha256().as_ref(), Some(&sha256));
    assert_eq!(
        (&*report.files[0].name, report.files[0].size),
        ("graph", size)
    );
    [file_report, report]
}

#[test]
fn pipes_are_read_like_files() {
    for (name, text) in TEXTS {
        let [file, pipe] = read_both(name, name, text.as_bytes());
        assert_eq!(file, pipe);
        read_both(name, name, &gzip(text.as_bytes()));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    fs::write(&path, TEXTS[0].1).unwrap();
    let (graph, _) = read_graph(&path, &ReadOptions::default()).unwrap();
    let bundle = folder.path().join("a.npz");
    write_csr_bundle(&bundle, &graph).unwrap();
    read_both("a.npz", "a.npz", &fs::read(bundle).unwrap());
    let dense = encode_f32(&[2, 2], &[0.0, 1.0, 1.0, 0.0]);
    read_both("a.npy", "a.npy", &dense);
    read_both("a.npy", "63", &dense);
}

#[test]
fn a_pipe_without_a_name_tells_its_format_by_its_start() {
    for (name, text) in TEXTS {
        if !LIKE_EDGE_LISTS.contains(&name) {
            read_both(name, "63", text.as_bytes());
            read_both(name, "63", &gzip(text.as_bytes()));
        }
    }
}

#[test]
fn large_pipes_are_hashed_whole() {
    let mut text = String::new();
    for k in 0..900_000 {
        text.push_str(&format!("{},{}\n", k % 1009, k % 997));
    }
    assert!(text.len() > 6 << 20);
    read_both("a.csv", "a.csv", text.as_bytes());
    read_both("a.csv", "a.csv", &gzip(text.as_bytes()));
}

#[test]
fn features_and_labels_may_be_pipes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.csv"), "0,1\n1,2\n").unwrap();
    let writers = [
        fifo(&path("x"), b"1,2\r3,4\r5,6\r"),
        fifo(&path("y"), b"p\rq\rp\r"),
    ];
    let options = ReadOptions {
        features: Some(path("x")),
        labels: Some(path("y")),
        ..ReadOptions::default()
    };
    let (graph, report) = read_graph(&path("a.csv"), &options).unwrap();
    for writer in writers {
        writer.join().unwrap();
    }
    assert_eq!(graph.features().to_dense().row(2), [5.0, 6.0]);
    assert_eq!(graph.node_labels(), Some(&[0, 1, 0][..]));
    let names: Vec<_> = report.files.iter().map(|file| &*file.name).collect();
    assert_eq!(names, ["features", "graph", "labels"]);
}

#[test]
fn devices_that_never_end_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let names = TEXTS.map(|(name, _)| name);
    let arrays = ["a.npz", "a.safetensors", "a.zip"];
    for name in names
        .into_iter()
        .chain(["unnamed", "a.csv.gz"])
        .chain(arrays)
    {
        let path = folder.path().join(name);
        symlink("/dev/zero", &path).unwrap();
        let start = Instant::now();
        let error = read_graph(&path, &ReadOptions::default()).unwrap_err();
        assert!(start.elapsed() < Duration::from_secs(5), "{name}");
        let error = error.to_string();
        assert!(
            [
                "not a text",
                "does not tell the format",
                "nothing but bytes"
            ]
            .iter()
            .any(|part| error.contains(part)),
            "{name}: {error}"
        );
    }
    let error = Source::open("/dev/zero", &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("nothing but bytes"), "{error}");
    // Other bytes go on to the bound on bytes, or on memory.
    for limits in [
        Limits {
            max_bytes: 1 << 20,
            ..Limits::default()
        },
        Limits {
            max_memory: 1 << 20,
            ..Limits::default()
        },
    ] {
        let path = folder.path().join("pipe");
        let writer = fifo(&path, &[b'x'; 3 << 20]);
        let error = Source::open(&path, &limits).unwrap_err().to_string();
        assert!(
            error.contains("exceeds the limit of 1048576 bytes"),
            "{error}"
        );
        writer.join().unwrap();
        fs::remove_file(path).unwrap();
    }
}

/// A folder of two graphs.
fn set() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let table = "file,target,features\na.csv,0,\nsub/b.csv,1,\n";
    fs::write(folder.path().join("graphs.csv"), table).unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("a.csv"), "0,1\n").unwrap();
    fs::write(folder.path().join("sub/b.csv"), "0,1\n1,2\n").unwrap();
    folder
}

fn checksum(folder: &Path) -> String {
    let (_, report) = read_graphs(folder, &ReadOptions::default()).unwrap();
    report.sha256().unwrap()
}

#[test]
fn a_folder_is_what_its_table_names() {
    let folder = set();
    let (_, report) = read_graphs(folder.path(), &ReadOptions::default()).unwrap();
    let names: Vec<_> = report.files.iter().map(|file| &*file.name).collect();
    assert_eq!(names, ["a.csv", "graphs.csv", "sub/b.csv"]);
    let before = checksum(folder.path());
    assert_eq!(
        checksum(set().path()),
        before,
        "another place changes nothing"
    );

    // Nothing else in the folder is looked at.
    let inside = |name: &str| -> PathBuf { folder.path().join(name) };
    fs::create_dir_all(inside("runs/train-x")).unwrap();
    fs::write(inside("runs/train-x/run.toml"), "x").unwrap();
    symlink("/dev/zero", inside("zero.csv")).unwrap();
    symlink(folder.path(), inside("cycle")).unwrap();
    let made = Command::new("mkfifo").arg(inside("pipe.csv")).status();
    assert!(made.unwrap().success());
    assert_eq!(checksum(folder.path()), before);

    fs::write(inside("sub/b.csv"), "0,1\n1,3\n").unwrap();
    assert_ne!(checksum(folder.path()), before);
}

#[test]
fn a_graph_of_a_folder_may_be_a_pipe() {
    let folder = set();
    let before = checksum(folder.path());
    let path = folder.path().join("sub/b.csv");
    fs::remove_file(&path).unwrap();
    let writer = fifo(&path, b"0,1\n1,2\n");
    assert_eq!(checksum(folder.path()), before);
    writer.join().unwrap();
}

#[test]
fn files_of_tu_sets_are_listed_too() {
    let folder = tempfile::tempdir().unwrap();
    for (part, text) in [
        ("A", "1, 2\r2, 1\r3, 4\r4, 3\r"),
        ("graph_indicator", "1\r1\r2\r2\r"),
        ("graph_labels", "x\ry\r"),
        ("node_labels", "0\r1\r0\r1"),
        ("unused", "nothing"),
    ] {
        fs::write(folder.path().join(format!("T_{part}.txt")), text).unwrap();
    }
    let (graphs, report) = read_graphs(folder.path(), &ReadOptions::default()).unwrap();
    assert_eq!((graphs.len(), graphs[1].edges()), (2, 2));
    assert_eq!(report.classes.unwrap(), ["x", "y"]);
    let names: Vec<_> = report.files.iter().map(|file| &*file.name).collect();
    let expected = ["A", "graph_indicator", "graph_labels", "node_labels"];
    assert_eq!(names, expected.map(|part| format!("T_{part}.txt")));
}
