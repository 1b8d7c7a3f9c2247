//! Text files that are empty, foreign or wrong.

use bnpool_io::format::{Note, ReadOptions, read_graph};

use super::{assert_refused, read, refusal};

const TEXT_NAMES: [&str; 5] = ["a.csv", "a.mtx", "a.graph", "a.gml", "a.graphml"];

#[test]
fn empty_files() {
    for name in TEXT_NAMES.into_iter().chain(["a.npz"]) {
        for bytes in [&b""[..], b"\n\n\r\n", b" "] {
            let message = refusal(name, bytes);
            assert!(
                message.starts_with(name) && message.contains("; "),
                "{message}"
            );
        }
    }
}

#[test]
fn text_that_is_not_utf_8() {
    // An edge list may be in other encodings, but not in two.
    let mixed = ["1,ü\n".as_bytes(), b"1,\xfc\n"].concat();
    assert_refused("a.csv", &mixed, "line 2: the text is not UTF-8");
    for name in &TEXT_NAMES[1..] {
        assert_refused(
            name,
            b"1,2\n\xff\xfe\n",
            "line 2: the text is not UTF-8; save the file as UTF-8, or check that it is a text file",
        );
        assert_refused(
            name,
            b"\xff\xfe1\0,\0",
            "the text is UTF-16; save the file as UTF-8",
        );
    }
    assert_refused("a.csv", b"\x00\x01\x02\x03", "this is not a text");
}

#[test]
fn carriage_returns_end_lines_in_every_format() {
    for (name, text) in [
        ("a.csv", "# c\nfrom,to,w\n0,1,0.5\n1,2,1\n\n2,3,4\n"),
        ("a.csv", "ann bob\nbob cy\n"),
        ("a.csv", "0,1,x,y\n1,2,x,y\n"),
        (
            "a.mtx",
            "%%MatrixMarket matrix coordinate real general\n% c\n3 3 2\n1 2 0.5\n2 3 1\n",
        ),
        ("a.graph", "% c\n3 2\n2\n1 3\n2\n"),
        ("a.graph", "2 0\n\n\n"),
        (
            "a.gml",
            "graph [\n# c ]\nnode [ id 0 ]\nnode [ id 1 ]\nedge [ source 0\ntarget 1 ]\n]\n",
        ),
    ] {
        let (graph, report) = read(name, text.as_bytes()).unwrap();
        let mixed = text.replacen('\n', "\r\n", 1).replacen("\n", "\r", 3);
        for other in [text.replace('\n', "\r"), text.replace('\n', "\r\n"), mixed] {
            let (found, other_report) = read(name, other.as_bytes()).unwrap();
            assert_eq!(found, graph, "{other:?}");
            assert_eq!(other_report, report, "{other:?}");
        }
    }
    for (name, text, line) in [
        ("a.csv", "0,1\n1,2\n\n2\n", "line 4: "),
        ("a.csv", "0,1\n1,2\n\nx,\u{81}\n", "line 4: "),
        (
            "a.mtx",
            "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n",
            "line 3: ",
        ),
        ("a.graph", "2 1\n2\nx\n", "line 3: "),
        (
            "a.gml",
            "graph [\nnode [ id 0 ]\nnode [ id 0 ]\n]",
            "line 3: ",
        ),
        (
            "a.graphml",
            "<graphml>\n<graph>\n<node/>\n</graph></graphml>",
            "line 3: ",
        ),
    ] {
        let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
        for end in [&b"\n"[..], b"\r", b"\r\n"] {
            let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
            assert_refused(name, &lines.join(end), line);
        }
    }
}

#[test]
fn windows_line_ends_marks_and_missing_ends_change_nothing() {
    let (expected, _) = read("a.csv", b"a,b,1\nb,c,2\n").unwrap();
    for bytes in [
        &b"a,b,1\r\nb,c,2\r\n"[..],
        b"a,b,1\r\nb,c,2",
        b"\xef\xbb\xbfa,b,1\nb,c,2\n",
        b"\r\na,b,1\r\n\r\nb,c,2\r\n\r\n",
        b"a , b , 1 \nb,c,2,\n",
    ] {
        assert_eq!(read("a.csv", bytes).unwrap().0, expected);
    }
}

#[test]
fn ids_out_of_range() {
    assert_refused(
        "a.csv",
        b"0,1\n-1,2\n",
        "a.csv, line 2: node id `-1` is negative",
    );
    assert_refused(
        "a.csv",
        b"a,b\nb,-7\n",
        "a.csv, line 2: node id `-7` is negative",
    );
    assert_refused(
        "a.graph",
        b"2 1\n2\n-1\n",
        "a.graph, line 3: neighbour `-1` is not a number",
    );
    let banner = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n";
    for entry in ["0 1", "1 3", "-1 1", "1 4294967297", "1.5 1"] {
        let text = format!("{banner}{entry}\n");
        assert_refused("a.mtx", text.as_bytes(), "a.mtx, line 3: ");
    }
}

#[test]
fn weights_that_are_no_weights() {
    for weight in ["-1", "nan", "inf", "-inf", "1e39", "x", ""] {
        let text = format!("0;1;1\n1;2;{weight}\n");
        let message = refusal("a.csv", text.as_bytes());
        assert!(
            message.starts_with("a.csv, line 2: "),
            "{weight}: {message}"
        );
    }
    // Zero is a weight, and what 32 bits make of it is none.
    let (graph, _) = read("a.csv", b"0 1 0\n1 2 0e-99\n").unwrap();
    assert_eq!(graph.adjacency().weights(), Some(&[0.0; 4][..]));
    assert_refused("a.csv", b"0 1 0\n1 2 1e-99\n", "too small");
    // Weights that are finite may add up to one that is not.
    assert_refused(
        "a.csv",
        b"0 1 3e38\n0 1 3e38\n",
        "is not a finite 32-bit number",
    );
}

#[test]
fn duplicate_edges_and_loops_are_repaired_and_reported() {
    let (graph, report) = read("a.csv", b"0,1\n0,1\n1,0\n1,1\n1,1\n").unwrap();
    assert_eq!((graph.nodes(), graph.edges()), (2, 3));
    assert!(report.notes.contains(&Note::RepeatsCounted {
        repeats: 2,
        asked: false
    }));
    assert!(report.notes.contains(&Note::SelfLoops {
        count: 2,
        dropped: false
    }));
}

#[test]
fn a_file_of_another_kind() {
    let html = b"<!DOCTYPE html><html><body>404</body></html>";
    for name in ["a.mtx", "a.graph", "a.gml", "a.graphml", "a.npz"] {
        let message = refusal(name, html);
        assert!(message.starts_with(name), "{message}");
    }
    assert_refused("a.npz", b"0,1\n", "this is no good zip archive");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let message = refusal("a.csv", b"0 1 1\n0 1 \x1b[2Jx\n");
    assert!(message.contains("`\\u001b[2Jx`"), "{message}");
    assert!(!message.contains('\x1b'));
}

#[test]
fn a_folder_where_a_file_should_be_and_no_file_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let error = read_graph(&path, &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().ends_with("; check the path"), "{error}");
    std::fs::create_dir(&path).unwrap();
    let error = read_graph(&path, &ReadOptions::default()).unwrap_err();
    assert!(
        error.to_string().contains("neither `graphs.csv` nor"),
        "{error}"
    );
}

#[test]
fn wrong_features_in_arrays() {
    use bnpool_io::format::npy::write_f32;

    let folder = tempfile::tempdir().unwrap();
    let (edges, features) = (folder.path().join("e.csv"), folder.path().join("x.npy"));
    std::fs::write(&edges, "5,9\n").unwrap();
    let options = ReadOptions {
        features: Some(features.clone()),
        ..ReadOptions::default()
    };
    let cases: [(&[usize], &[f32], &str); 4] = [
        (
            &[2, 1],
            &[0.0, f32::NAN],
            "value NaN at row 1, column 0 is not finite",
        ),
        (&[3, 1], &[0.0; 3], "3 rows for 2 nodes"),
        (
            &[1, 2, 1],
            &[0.0; 2],
            "an array of 3 dimensions is no matrix",
        ),
        (&[], &[0.0], "an array of 0 dimensions is no matrix"),
    ];
    for (shape, values, expected) in cases {
        write_f32(&features, shape, values).unwrap();
        let error = read_graph(&edges, &options).unwrap_err().to_string();
        assert!(
            error.contains("x.npy: ") && error.contains(expected),
            "{error}"
        );
    }
}
