//! Small files that promise gigabytes.

use std::path::Path;

use bnpool_io::format::container::parse_container;
use bnpool_io::format::npy::{Npy, encode_f32, encode_i64};
use bnpool_io::format::npz::{Npz, write_npz};
use bnpool_io::format::{Format, Limits, ReadOptions, Source, read_source};

use super::assert_refused;

#[test]
fn headers_that_announce_more_than_the_file_can_hold() {
    assert_refused(
        "a.graph",
        b"9999999 0",
        "a.graph: its announcement of 9999999 nodes in 9 bytes exceeds",
    );
    assert_refused(
        "a.graph",
        b"4294967296 0",
        "announcement of 4294967296 nodes",
    );
    assert_refused(
        "a.graph",
        b"18446744073709551616 0",
        "is not the first line",
    );
    // Seven bytes: five nodes are announced, none follows.
    assert_refused("a.graph", b"5 99999", "are announced, but 0 nodes");
    let banner = "%%MatrixMarket matrix coordinate pattern general\n";
    for sizes in ["4000000000 4000000000 0", "9999999999999 9999999999999 0"] {
        let text = format!("{banner}{sizes}");
        assert_refused("a.mtx", text.as_bytes(), "a.mtx: its announcement of ");
    }
    let text = format!("{banner}9 9 18446744073709551615\n1 1");
    assert_refused(
        "a.mtx",
        text.as_bytes(),
        "18446744073709551615 entries are announced, but 1 follow",
    );
}

#[test]
fn announced_nodes_need_memory() {
    let text = "%%MatrixMarket matrix coordinate pattern general\n4000000 4000000 1\n1 2\n";
    assert!(text.len() < 75);
    let read = |max_memory| {
        let limits = Limits {
            max_memory,
            ..Limits::default()
        };
        let source = Source::from_bytes("a.mtx", text.into(), &limits).unwrap();
        let options = ReadOptions {
            limits,
            ..ReadOptions::default()
        };
        read_source(source, Format::MatrixMarket, &options)
            .map(|(graph, _)| graph.nodes())
            .map_err(|error| error.to_string())
    };
    // Legal where there is memory for it.
    assert_eq!(read(u64::MAX), Ok(4_000_000));
    for (most, what) in [
        (1 << 20, "a matrix of 4000000 rows"),
        (200 << 20, "a graph of 4000000 nodes and 1 edges"),
    ] {
        let error = read(most).unwrap_err();
        assert!(
            error.contains(what) && error.contains("exceeds the limit"),
            "{error}"
        );
    }
}

#[test]
fn edge_lists_with_far_ids_take_no_more_than_their_edges() {
    let (graph, _) = super::read("a.csv", b"0 4294967295").unwrap();
    assert_eq!(graph.nodes(), 2);
    let (graph, _) = super::read("a.csv", b"0 99999999999999999999999").unwrap();
    assert_eq!(graph.node_ids().unwrap(), ["0", "99999999999999999999999"]);
}

#[test]
fn arrays_that_announce_more_than_the_file_can_hold() {
    let path = Path::new("a.npy");
    for shape in [
        "(1000000000000,)",
        "(18446744073709551615, 18446744073709551615)",
        "(4294967296, 4294967296)",
        "(99999999999999999999999,)",
    ] {
        for descr in ["<f8", "|b1", "<U1", "<U0", "<U4294967295"] {
            let mut header =
                format!("{{'descr': '{descr}', 'fortran_order': True, 'shape': {shape}}}");
            header.push('\n');
            let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
            bytes.extend((header.len() as u16).to_le_bytes());
            bytes.extend(header.bytes());
            let error = Npy::parse(path, &bytes).unwrap_err().to_string();
            assert!(
                error.starts_with("a.npy: not a good .npy array: "),
                "{error}"
            );
        }
    }
    // The header itself may lie about its length.
    let error = Npy::parse(path, b"\x93NUMPY\x02\x00\xff\xff\xff\xff{").unwrap_err();
    assert!(
        error.to_string().contains("its header is cut off"),
        "{error}"
    );
}

#[test]
fn bundles_whose_shapes_lie() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npz");
    for (shape, expected) in [
        ([2, 1 << 40], "announcement of 1099511627776 columns"),
        ([1 << 40, 2], "are too many"),
        ([i64::MAX, i64::MAX], "announcement of"),
        ([-1, 2], "holds more than indices"),
        ([3, 3], "offsets hold 3 values"),
    ] {
        let arrays = [
            ("adj_data", encode_f32(&[1], &[1.0])),
            ("adj_indices", encode_i64(&[1], &[1])),
            ("adj_indptr", encode_i64(&[3], &[0, 1, 1])),
            ("adj_shape", encode_i64(&[2], &shape)),
        ];
        write_npz(&path, &arrays).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_refused("a.npz", &bytes, expected);
    }
    let mut npz = Npz::open(&path, &Limits::default()).unwrap();
    assert!(npz.array("../adj_data").unwrap().is_none());
}

#[test]
fn containers_whose_sizes_lie() {
    // A header of 2^63 bytes, and one that claims a tensor beyond the file.
    let path = Path::new("a.safetensors");
    let mut bytes = (1_u64 << 63).to_le_bytes().to_vec();
    assert!(parse_container(path, &bytes, &Limits::default()).is_err());
    let header = br#"{"flags":{"dtype":"U8","shape":[9999999999],"data_offsets":[0,9999999999]}}"#;
    bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    let error = parse_container(path, &bytes, &Limits::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("a.safetensors: this is no good safetensors file"),
        "{error}"
    );
}

#[test]
fn the_size_of_a_file_is_limited() {
    let limits = Limits {
        max_bytes: 10,
        ..Limits::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, "0,1\n1,2\n2,3\n").unwrap();
    let error = Source::open(&path, &limits).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "its size of 12 bytes exceeds the limit of 10 bytes; split the data, or raise `limits.max_bytes`"
        ),
        "{error}"
    );
}
