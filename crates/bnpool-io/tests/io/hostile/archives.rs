//! Packed files: bombs, paths that lead outside, files that are cut off.

use std::io::{Cursor, Write};

use bnpool_graph::Features;
use bnpool_io::format::tu::{TuOptions, read_tu_archive};
use bnpool_io::format::{Archive, Limits, Source};
use flate2::Compression;
use flate2::write::GzEncoder;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{assert_refused, read};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn open(bytes: Vec<u8>) -> Result<Archive, String> {
    Archive::from_bytes("a.zip", bytes, &Limits::default()).map_err(|error| error.to_string())
}

/// A TU set of one graph of `nodes` nodes whose labels are 0 and 65535, and as
/// many edges with such labels.
fn far_labels(nodes: usize, part: &str) -> Vec<u8> {
    let labels = "0\n".repeat(nodes - 1) + "65535\n";
    let edges: String = (1..=nodes).map(|_| "1, 2\n").collect();
    zip(&[
        ("T/T_A.txt", edges.as_bytes()),
        ("T/T_graph_indicator.txt", "1\n".repeat(nodes).as_bytes()),
        ("T/T_graph_labels.txt", b"1\n"),
        (&format!("T/T_{part}_labels.txt"), labels.as_bytes()),
    ])
}

#[test]
fn labels_that_lie_far_apart_take_no_gigabytes() {
    let read = |nodes, part| {
        let archive = open(far_labels(nodes, part)).unwrap();
        read_tu_archive(archive, &TuOptions::default()).map_err(|error| error.to_string())
    };
    let bytes = far_labels(20_000, "node");
    assert!(bytes.len() < 2000, "{} bytes", bytes.len());
    for (part, owners) in [("node", "nodes"), ("edge", "edges")] {
        let error = read(20_000, part).unwrap_err();
        assert_eq!(
            error,
            format!(
                "a.zip/T/T_{part}_labels.txt: one-hot coding of a graph of 20000 {owners} in \
                 65536 columns exceeds the limit of 268435456 cells; number the labels from 0 \
                 without gaps, or leave them out"
            )
        );
    }
    // Sparse, so that a small graph takes little.
    let set = read(1000, "node").unwrap();
    let features = set.graphs[0].features();
    assert!(matches!(features, Features::Sparse(matrix) if matrix.entries() == 1000));
    assert_eq!(features.width(), 65_536);
}

#[test]
fn wide_labels_beside_attributes_are_sparse_and_narrow_ones_dense() {
    let read = |last: &str| {
        let bytes = zip(&[
            ("T/T_A.txt", b"1, 2\n2, 1\n"),
            ("T/T_graph_indicator.txt", b"1\n1\n"),
            ("T/T_graph_labels.txt", b"1\n"),
            ("T/T_node_attributes.txt", b"0.5, 0\n0, -2\n"),
            ("T/T_node_labels.txt", format!("0\n{last}\n").as_bytes()),
        ]);
        let options = TuOptions {
            node_attributes: true,
            ..TuOptions::default()
        };
        let mut set = read_tu_archive(open(bytes).unwrap(), &options).unwrap();
        set.graphs.remove(0).features().clone()
    };
    assert!(matches!(read("2"), Features::Dense(_)));
    let wide = read("99");
    assert!(matches!(&wide, Features::Sparse(matrix) if matrix.entries() == 4));
    let dense = wide.to_dense();
    assert_eq!(dense.columns(), 102);
    assert_eq!(dense.row(0)[..4], [0.5, 0.0, 1.0, 0.0]);
    assert_eq!((dense.row(1)[1], dense.row(1)[101]), (-2.0, 1.0));
}

#[test]
fn packed_edge_lists_are_read() {
    let (graph, _) = read("a.csv.gz", &gzip(b"0,1\n")).unwrap();
    assert_eq!(graph.nodes(), 2);
    // Packed or not is told by the content, not by the name.
    assert_eq!(read("a.csv", &gzip(b"0,1\n")).unwrap().0.nodes(), 2);
    assert_eq!(read("a.csv.gz", b"0,1\n").unwrap().0.nodes(), 2);
}

#[test]
fn gzip_that_is_cut_off_or_damaged() {
    let whole = gzip(b"0,1\n1,2\n2,3\n3,4\n4,5\n");
    for end in [2, 5, 11, whole.len() / 2, whole.len() - 1] {
        assert_refused("a.csv.gz", &whole[..end], "a.csv.gz: cannot read: ");
    }
    let mut damaged = whole.clone();
    let checksum = whole.len() - 6;
    damaged[checksum] ^= 1;
    assert_refused(
        "a.csv.gz",
        &damaged,
        "the file is cut off or damaged: fetch or write it again",
    );
    assert_refused("a.csv.gz", b"\x1f\x8b", "cut off or damaged");
}

#[test]
fn bombs_are_stopped_early() {
    // 100 MB of zeros pack into 100 kB.
    let zeros = vec![0; 100_000_000];
    let bomb = gzip(&zeros);
    assert!(bomb.len() < 200_000);
    let error = Source::from_bytes("a.gz", bomb, &Limits::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.gz: its unpacked content exceeds the limit of 67108864 bytes; if the file is to be \
         trusted, unpack it yourself, or raise `limits.max_bytes`, or raise `limits.max_expansion`"
    );
    let mut archive = open(zip(&[("T_A.txt", &zeros)])).unwrap();
    let error = archive.read("T_A.txt").unwrap_err().to_string();
    assert!(
        error.starts_with("a.zip/T_A.txt: its unpacked content exceeds the limit"),
        "{error}"
    );
    // Many harmless members are a bomb together.
    let part = vec![0; 30_000_000];
    let mut archive = open(zip(&[("a", &part), ("b", &part), ("c", &part)])).unwrap();
    assert!(archive.read("a").is_ok() && archive.read("b").is_ok());
    let error = archive.read("c").unwrap_err().to_string();
    assert!(
        error.starts_with("a.zip/c: its unpacked content exceeds the limit"),
        "{error}"
    );
}

#[test]
fn a_bomb_in_a_data_set_is_named() {
    let zeros = vec![b'\n'; 100_000_000];
    let archive = open(zip(&[
        ("T/T_A.txt", b"1, 2\n"),
        ("T/T_graph_indicator.txt", &zeros),
    ]))
    .unwrap();
    let error = read_tu_archive(archive, &TuOptions::default())
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("a.zip/T/T_graph_indicator.txt: its unpacked"),
        "{error}"
    );
}

#[test]
fn names_that_leave_the_archive_are_refused() {
    for name in [
        "../T_A.txt",
        "T/../../x",
        "/etc/passwd",
        "..\\x",
        "a/..",
        "C:\\x",
    ] {
        let message = open(zip(&[(name, b"")])).unwrap_err();
        assert!(
            message.contains("leaves the archive; do not trust this archive"),
            "{name}: {message}"
        );
    }
    let good = open(zip(&[("T/T_A.txt", b""), ("T/..x/y", b"")])).unwrap();
    assert_eq!(good.names().collect::<Vec<_>>(), ["T/..x/y", "T/T_A.txt"]);
}

#[test]
fn archives_that_are_none() {
    let whole = zip(&[("T_A.txt", b"1, 2\n")]);
    for end in [0, 3, 10, whole.len() / 2, whole.len() - 1] {
        let message = open(whole[..end].to_vec()).unwrap_err();
        assert!(message.starts_with("a.zip: "), "{message}");
    }
    let mut damaged = whole.clone();
    // The first byte of the packed text: the checksum fails.
    damaged[40] ^= 0xff;
    if let Ok(mut archive) = open(damaged) {
        assert!(archive.read("T_A.txt").is_err());
    }
}

#[test]
fn several_or_no_sets_in_an_archive() {
    let refusal = |members: &[(&str, &[u8])]| {
        let archive = open(zip(members)).unwrap();
        read_tu_archive(archive, &TuOptions::default())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refusal(&[("A/A_A.txt", b""), ("B/B_A.txt", b"")]),
        "a.zip: there are several data sets: A/A, B/B; keep one data set a folder or archive"
    );
    assert_eq!(
        refusal(&[("readme", b"")]),
        "a.zip: there is no file `…_A.txt`; name a folder or zip of a TU data set"
    );
    // The shadows that a Mac packs along are passed over.
    let archive = open(zip(&[
        ("__MACOSX/T/._T_A.txt", b"\0"),
        ("T/._T_A.txt", b"\0"),
        ("T/T_A.txt", b""),
        ("T/T_graph_indicator.txt", b"1\n"),
    ]));
    let set = read_tu_archive(archive.unwrap(), &TuOptions::default()).unwrap();
    assert_eq!(set.graphs.len(), 1);
}
