//! Packed files: bombs, paths that lead outside, files that are cut off.

use std::io::{Cursor, Write};

use bnpool_graph::format::tu::{TuOptions, read_tu_archive};
use bnpool_graph::format::{Archive, Limits, Source};
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
