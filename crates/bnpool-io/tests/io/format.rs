//! Graph files read the way a user reads them: by path, with features and
//! labels in files of their own.

use std::path::{Path, PathBuf};

use bnpool_graph::{Csr, Features, Graph, Matrix, Target, UNLABELLED};
use bnpool_io::format::container::{read_container, write_container};
use bnpool_io::format::{
    Format, Limits, Note, ReadError, ReadOptions, ReadReport, Writer, npy, npz, read_graph,
    read_graphs,
};

/// A folder of files for one test.
struct Files(tempfile::TempDir);

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str, options: &ReadOptions) -> Result<(Graph, ReadReport), ReadError> {
        read_graph(&self.path(name), options)
    }

    /// The message of a refusal, without the name of the folder.
    fn refusal(&self, name: &str, options: &ReadOptions) -> String {
        let message = self.read(name, options).unwrap_err().to_string();
        message.replace(&format!("{}/", self.0.path().display()), "")
    }

    fn with(&self, features: Option<&str>, labels: Option<&str>) -> ReadOptions {
        ReadOptions {
            features: features.map(|name| self.path(name)),
            labels: labels.map(|name| self.path(name)),
            ..ReadOptions::default()
        }
    }
}

fn rows(graph: &Graph) -> Vec<f32> {
    graph.features().to_dense().as_slice().to_vec()
}

#[test]
fn features_and_labels_are_matched_by_id() {
    let files = Files::new(&[
        ("e.csv", "bob,ann\nann,cy\n"),
        ("x.csv", "id,height,mood\nann,1,2\nbob,3,4\ncy,5,6\n"),
        ("bare.csv", "ann,1,2\ncy,5,6\nbob,3,4\n"),
        ("y.csv", "cy,red\nbob,blue\nann,red\n"),
        ("named.csv", "who,team\ncy,red\nbob,blue\nann,red\n"),
    ]);
    for (features, labels) in [("x.csv", "y.csv"), ("bare.csv", "named.csv")] {
        let options = files.with(Some(features), Some(labels));
        let (graph, report) = files.read("e.csv", &options).unwrap();
        assert_eq!(graph.node_ids().unwrap(), ["ann", "bob", "cy"]);
        assert_eq!(rows(&graph), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(graph.node_labels(), Some(&[1, 0, 1][..]));
        assert_eq!(report.classes.unwrap(), ["blue", "red"]);
    }
}

#[test]
fn a_list_without_edges_needs_features() {
    let files = Files::new(&[
        ("e.csv", ""),
        ("comment.csv", "# only\n"),
        ("header.csv", "source,target\n"),
        ("x.csv", "1,2\n3,4\n"),
        ("named.csv", "id,x\nann,1\nbob,2\n"),
    ]);
    for name in ["e.csv", "comment.csv", "header.csv"] {
        assert_eq!(
            files.refusal(name, &ReadOptions::default()),
            format!(
                "{name}: there is no edge in the file; give at least one line with two node ids, or features of the nodes beside it"
            )
        );
        let (graph, _) = files.read(name, &files.with(Some("x.csv"), None)).unwrap();
        assert_eq!((graph.nodes(), graph.edges()), (2, 0));
        let (graph, _) = files
            .read(name, &files.with(Some("named.csv"), None))
            .unwrap();
        assert_eq!(graph.node_ids().unwrap(), ["ann", "bob"]);
    }
}

#[test]
fn features_and_labels_are_matched_by_row() {
    let files = Files::new(&[
        ("e.csv", "0,1\n1,3\n"),
        ("nodes.csv", "x,y,label\n1,2,7\n3,4,7\n5,6,3\n7,8,7\n"),
        ("plain.txt", "1 2\n3 4\n5 6\n7 8\n"),
        ("y.txt", "b\nb\na\nb\n"),
    ]);
    let options = files.with(Some("nodes.csv"), Some("nodes.csv"));
    let (graph, report) = files.read("e.csv", &options).unwrap();
    // Node 2 has no edge, but a row.
    assert_eq!(
        (graph.nodes(), graph.edges(), graph.node_ids()),
        (4, 4, None)
    );
    assert_eq!(graph.adjacency().row(3), [1]);
    assert_eq!(rows(&graph), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    assert_eq!(graph.node_labels(), Some(&[1, 1, 0, 1][..]));
    assert_eq!(report.classes.as_ref().unwrap(), &["3", "7"]);
    assert_eq!(report.feature_names.as_ref().unwrap(), &["x", "y"]);
    assert!(report.notes.contains(&Note::IsolatedNodes { added: 1 }));
    assert!(report.notes.contains(&Note::FeatureLeftOut {
        name: "label".into(),
        why: "it is the label"
    }));
    let options = files.with(Some("plain.txt"), Some("y.txt"));
    let (again, report) = files.read("e.csv", &options).unwrap();
    assert_eq!(again, graph);
    assert_eq!(report.classes.unwrap(), ["a", "b"]);
}

#[test]
fn features_come_as_arrays_too() {
    let files = Files::new(&[("e.csv", "0,1\n")]);
    npy::write_f32(&files.path("x.npy"), &[2, 2], &[1.0, 2.0, 3.0, 4.0]).unwrap();
    npy::write_i64(&files.path("y.npy"), &[2], &[5, -5]).unwrap();
    let options = files.with(Some("x.npy"), Some("y.npy"));
    let (graph, report) = files.read("e.csv", &options).unwrap();
    assert_eq!(rows(&graph), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(graph.node_labels(), Some(&[1, 0][..]));
    assert_eq!(report.classes.unwrap(), ["-5", "5"]);

    let sparse = [
        ("data", npy::encode_f32(&[1], &[2.0])),
        ("indices", npy::encode_i64(&[1], &[3])),
        ("indptr", npy::encode_i64(&[3], &[0, 0, 1])),
        ("shape", npy::encode_i64(&[2], &[2, 4])),
    ];
    npz::write_npz(&files.path("x.npz"), &sparse).unwrap();
    let (graph, _) = files
        .read("e.csv", &files.with(Some("x.npz"), None))
        .unwrap();
    let expected = Csr::from_entries(2, 4, [(1, 3, 2.0)]).unwrap();
    assert_eq!(graph.features(), &Features::Sparse(expected));

    let dense = [("anything", npy::encode_f32(&[2, 1], &[7.0, 8.0]))];
    npz::write_npz(&files.path("x.npz"), &dense).unwrap();
    let (graph, _) = files
        .read("e.csv", &files.with(Some("x.npz"), None))
        .unwrap();
    assert_eq!(rows(&graph), [7.0, 8.0]);
}

#[test]
fn wrong_features_and_labels_are_refused() {
    let files = Files::new(&[
        ("e.csv", "a,b\n"),
        ("n.csv", "0,1\n"),
        ("unknown.csv", "id,x\na,1\nb,2\nc,3\n"),
        ("twice.csv", "id,x\na,1\na,2\n"),
        ("missing.csv", "id,x\na,1\n"),
        ("short.csv", "x\n1\n"),
        ("nan.csv", "x\n1\nnan\n"),
        ("words.csv", "x,y\n1,2\n1,red\n"),
        ("ragged.csv", "1,2\n1\n"),
        ("empty.csv", "\n"),
        ("three.csv", "1,2,3\n"),
    ]);
    let refusal = |graph: &str, features: Option<&str>, labels: Option<&str>| {
        files.refusal(graph, &files.with(features, labels))
    };
    for (message, expected) in [
        (
            refusal("e.csv", Some("unknown.csv"), None),
            "unknown.csv, line 4: no node of the graph is called `c`; drop the line or add an edge of the node, or set `add_isolated`",
        ),
        (
            refusal("e.csv", None, Some("unknown.csv")),
            "unknown.csv, line 4: no node of the graph is called `c`; drop the line or add an edge of the node, or set `add_isolated`",
        ),
        (
            refusal("e.csv", Some("twice.csv"), None),
            "twice.csv, line 3: node `a` stood on line 2 already; give one line a node",
        ),
        (
            refusal("e.csv", Some("missing.csv"), None),
            "missing.csv: 1 nodes have no line, the first of them `b`; give one line a node",
        ),
        (
            refusal("n.csv", Some("short.csv"), None),
            "short.csv: 1 rows for 2 nodes; give one row a node in the order of the nodes, or a first column `id` with their ids",
        ),
        (
            refusal("n.csv", Some("nan.csv"), None),
            "nan.csv, line 3: feature `nan` in column 1 is not finite; give a finite number, or drop the row or the column",
        ),
        (
            refusal("n.csv", Some("words.csv"), None),
            "words.csv, line 3: feature `red` in column 2 is not a number; give a finite number, or drop the row or the column",
        ),
        (
            refusal("n.csv", Some("ragged.csv"), None),
            "ragged.csv, line 2: 1 columns where the first line has 2; give every line the same columns, separated alike",
        ),
        (
            refusal("n.csv", Some("empty.csv"), None),
            "empty.csv: there are no features in the file; give one line of numbers a node",
        ),
        (
            refusal("n.csv", None, Some("empty.csv")),
            "empty.csv: there are no labels in the file; give one label a line, or `id,label`",
        ),
        (
            refusal("n.csv", None, Some("three.csv")),
            "three.csv, line 1: which of the 3 columns is the label?; name it `label` in a first line, or keep only `id,label`",
        ),
    ] {
        assert_eq!(message, expected);
    }
}

#[test]
fn labels_may_be_partial() {
    let files = Files::new(&[
        ("e.csv", "ann,bob\nbob,cy\ncy,dan\n"),
        ("some.csv", "node,class\nann,red\ndan,blue\n"),
        ("empty.csv", "node,class\nann,red\nbob,\ncy,\ndan,blue\n"),
        ("none.csv", "node,class\nann,\n"),
        (
            "g.gml",
            "graph [ node [ id 0 team \"red\" ] node [ id 1 ] edge [ source 0 target 1 ] ]",
        ),
    ]);
    for name in ["some.csv", "empty.csv"] {
        let (graph, report) = files.read("e.csv", &files.with(None, Some(name))).unwrap();
        let expected = [1, UNLABELLED, UNLABELLED, 0];
        assert_eq!(graph.node_labels().unwrap(), expected, "{name}");
        assert_eq!(report.classes.as_deref().unwrap(), ["blue", "red"]);
        let note = Note::PartialLabels {
            labelled: 2,
            nodes: 4,
        };
        assert!(report.notes.contains(&note), "{:?}", report.notes);
    }
    assert_eq!(
        files.refusal("e.csv", &files.with(None, Some("none.csv"))),
        "none.csv: no node has a label; give at least one node its class"
    );
    let options = ReadOptions {
        label_attribute: Some("team".into()),
        ..ReadOptions::default()
    };
    let (graph, _) = files.read("g.gml", &options).unwrap();
    assert_eq!(graph.node_labels().unwrap(), [0, UNLABELLED]);
    // A written file is read again, the gaps included.
    let path = files.path("g.safetensors");
    write_container(&path, &[graph], None).unwrap();
    let again = read_container(&path, &Limits::default()).unwrap().0;
    assert_eq!(again[0].node_labels().unwrap(), [0, UNLABELLED]);
}

#[test]
fn features_that_are_text_become_columns() {
    let files = Files::new(&[
        ("e.csv", "0,1\n1,2\n"),
        ("ids.csv", "node,element,charge\n2,N,3\n0,C,1\n1,C,2\n"),
        ("rows.csv", "element,charge\nC,1\nC,2\nN,3\n"),
        ("words.csv", "element\nC\nC\nN\n"),
        ("gap.csv", "node,element\n0,C\n1,\n2,N\n"),
    ]);
    for name in ["ids.csv", "rows.csv"] {
        let (graph, report) = files.read("e.csv", &files.with(Some(name), None)).unwrap();
        let expected = [1.0, 1.0, 0.0, 2.0, 1.0, 0.0, 3.0, 0.0, 1.0];
        assert_eq!(rows(&graph), expected, "{name}");
        let names = report.feature_names.unwrap();
        assert_eq!(names, ["charge", "element=C", "element=N"], "{name}");
    }
    let (graph, _) = files
        .read("e.csv", &files.with(Some("words.csv"), None))
        .unwrap();
    assert_eq!(rows(&graph), [1.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let (graph, _) = files
        .read("e.csv", &files.with(Some("gap.csv"), None))
        .unwrap();
    assert_eq!(rows(&graph), [1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    // A text that differs from node to node is a name.
    let mut people = String::from("id,name\n");
    let mut edges = String::new();
    for person in 0..30 {
        people += &format!("{person},n{person}\n");
        edges += &format!("{person},{}\n", (person + 1) % 30);
    }
    let files = Files::new(&[("e.csv", &edges), ("people.csv", &people)]);
    let refusal = files.refusal("e.csv", &files.with(Some("people.csv"), None));
    assert!(
        refusal.contains("names nodes and describes none"),
        "{refusal}"
    );
}

#[test]
fn the_columns_of_texts_are_those_of_the_training_graphs() {
    let gml = |kinds: [&str; 2]| {
        format!(
            "graph [ node [ id 0 kind \"{}\" ] node [ id 1 kind \"{}\" ] edge [ source 0 target 1 ] ]",
            kinds[0], kinds[1]
        )
    };
    let files = Files::new(&[
        ("set/graphs.csv", "file,target\na.gml,0\nb.gml,1\n"),
        ("set/a.gml", &gml(["C", "N"])),
        ("set/b.gml", &gml(["O", "C"])),
        ("new.gml", &gml(["O", "O"])),
        ("odd.gml", &gml(["O", "Xe"])),
    ]);
    let options = ReadOptions {
        node_attributes: vec!["kind".into()],
        ..ReadOptions::default()
    };
    let (graphs, report) = read_graphs(&files.path("set"), &options).unwrap();
    assert_eq!(rows(&graphs[0]), [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(rows(&graphs[1]), [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    let coding = report.coding.unwrap();
    assert_eq!(coding.text[0].values, ["C", "N", "O"]);
    let like = ReadOptions {
        coding: Some(coding),
        ..options
    };
    let (graph, _) = files.read("new.gml", &like).unwrap();
    assert_eq!(rows(&graph), [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    assert_eq!(
        files.refusal("odd.gml", &like),
        "odd.gml: `Xe` of the feature `kind` was in no training graph; known are: C, N, O; use a known value, or leave the field empty"
    );
    let bare = ReadOptions {
        node_attributes: Vec::new(),
        ..like
    };
    let refusal = files.refusal("new.gml", &bare);
    assert!(
        refusal.contains("`kind` of the training graphs is missing"),
        "{refusal}"
    );
}

#[test]
fn a_header_over_labels_is_never_guessed_at_the_cost_of_a_shift() {
    let files = Files::new(&[
        ("e.csv", "0,1\n1,2\n"),
        ("numbers.csv", "team\n5\n7\n5\n"),
        ("words.csv", "team\nred\nblue\nred\n"),
        ("lonely.csv", "a\nb\nb\nc\n"),
        ("sure.csv", "label\na\nb\nb\nc\n"),
        ("columns.csv", "who,team\n0,red\n1,blue\n2,red\n"),
    ]);
    let labels = |name: &str| {
        files
            .read("e.csv", &files.with(None, Some(name)))
            .unwrap()
            .0
    };
    assert_eq!(labels("numbers.csv").node_labels(), Some(&[0, 1, 0][..]));
    assert_eq!(labels("columns.csv").node_labels(), Some(&[1, 0, 1][..]));
    for (name, first) in [("words.csv", "team"), ("lonely.csv", "a")] {
        assert_eq!(
            files.refusal("e.csv", &files.with(None, Some(name))),
            format!(
                "{name}: 4 rows for 3 nodes with edges; is the first row, `{first}`, a header?; call \
                 the header `label` if it is one, or add such a line above if it is not"
            )
        );
    }
    let graph = labels("sure.csv");
    assert_eq!(
        (graph.nodes(), graph.node_labels()),
        (4, Some(&[0, 1, 1, 2][..]))
    );
}

#[test]
fn nodes_without_edges_are_added_when_asked_for() {
    let files = Files::new(&[
        ("e.csv", "a,b\n"),
        ("x.csv", "id,x\nz,1\nb,2\na,3\n"),
        ("n.csv", "5,3\n"),
        ("m.csv", "id,x\n4,1\n5,2\n3,3\n"),
    ]);
    for (graph, features, ids) in [
        ("e.csv", "x.csv", ["a", "b", "z"]),
        ("n.csv", "m.csv", ["3", "4", "5"]),
    ] {
        let options = ReadOptions {
            add_isolated: true,
            ..files.with(Some(features), None)
        };
        let (graph, report) = files.read(graph, &options).unwrap();
        assert_eq!(graph.node_ids().unwrap(), ids);
        assert!(report.notes.contains(&Note::IsolatedNodes { added: 1 }));
    }
}

#[test]
fn every_format_gives_the_same_graph() {
    let (path, _) = read_graph(&seed(Format::EdgeList), &ReadOptions::default()).unwrap();
    let bare = path.adjacency().without_weights();
    for &format in Format::ALL {
        let file = seed(format);
        let options = ReadOptions {
            format: Some(format),
            ..ReadOptions::default()
        };
        let (graph, report) = read_graph(&file, &options).unwrap();
        assert_eq!(report.format, Some(format));
        let expected = if format.holds().weights {
            path.adjacency()
        } else {
            &bare
        };
        assert_eq!(graph.adjacency(), expected, "{format}");
        let (many, _) = read_graphs(&file, &options).unwrap();
        assert_eq!(many, std::slice::from_ref(&graph));
        // The name gives the format, or the files of a folder do.
        if file.is_dir() || Format::of_name(&file) == Some(format) {
            let (_, report) = read_graph(&file, &ReadOptions::default()).unwrap();
            assert_eq!(report.format, Some(format));
        }
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join(format!(
            "copy.{}",
            file.extension().map_or("", |e| e.to_str().unwrap())
        ));
        match format.writer() {
            Some(Writer::One(write)) => write(&copy, &graph).unwrap(),
            Some(Writer::Many(write)) => write(&copy, &many, None).unwrap(),
            None => continue,
        }
        let (back, _) = read_graph(&copy, &options).unwrap();
        assert_eq!(back, graph, "{format}");
    }
}

/// A path of three nodes with the weights 2 and 3 in this format.
fn seed(format: Format) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let folder = folder.join(format.name());
    let files = std::fs::read_dir(&folder).unwrap_or_else(|_| panic!("no {}", folder.display()));
    let mut files = files.map(|file| file.unwrap().path());
    let seed = files.find(|file| file.file_stem().unwrap() == "path");
    seed.unwrap_or_else(|| panic!("no file `path` in {}", folder.display()))
}

#[test]
fn what_starts_like_nothing_known_is_refused() {
    let files = Files::new(&[]);
    std::fs::write(files.path("unnamed"), b"\x89PNG\r\n\x1a\n").unwrap();
    let refusal = files.refusal("unnamed", &ReadOptions::default());
    let expected = "unnamed: the name does not tell the format; there are: edge-list, matrix, npz";
    assert!(refusal.starts_with(expected), "{refusal}");
}

#[test]
fn many_graphs_come_from_folders() {
    let files = Files::new(&[
        ("T/T_A.txt", "1, 2\n2, 1\n"),
        ("T/T_graph_indicator.txt", "1\n1\n2\n"),
        ("T/T_graph_labels.txt", "a\nb\n"),
        ("raw/raw/R_A.txt", "1, 2\n"),
        ("raw/raw/R_graph_indicator.txt", "1\n1\n"),
        ("F/graphs.csv", "file,target\na.csv,0.5\n"),
        ("F/a.csv", "0,1\n"),
        ("other/readme", ""),
    ]);
    let read = |name: &str| read_graphs(&files.path(name), &ReadOptions::default());
    let (graphs, report) = read("T").unwrap();
    assert_eq!(graphs.len(), 2);
    assert_eq!(report.classes.unwrap(), ["a", "b"]);
    assert_eq!(rows(&graphs[0]), [1.0, 1.0]);
    let (graphs, _) = read("raw").unwrap();
    assert_eq!(graphs[0].edges(), 2);
    let (graphs, report) = read("F").unwrap();
    assert_eq!(graphs[0].target(), Some(&Target::Values(vec![0.5])));
    assert_eq!(report.format, Some(Format::Folder));
    assert!(read("other").is_err());
    assert_eq!(
        files.refusal("T", &ReadOptions::default()),
        "T: it holds 2 graphs; give a file of one graph"
    );
    let (graph, _) = files.read("raw", &ReadOptions::default()).unwrap();
    assert_eq!(graph.nodes(), 2);
}

#[test]
fn containers_keep_everything() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sub/g.safetensors");
    let graph = Graph::builder(Csr::from_weighted_edges(2, [(0, 1, 0.5), (1, 0, 0.5)]).unwrap())
        .features(Matrix::from_rows([[1.0], [2.0]]).unwrap())
        .edge_features(Matrix::from_rows([[3.0], [4.0]]).unwrap())
        .target(Target::Class(1))
        .node_labels(vec![0, 1])
        .node_ids(vec!["a".to_owned(), "b".to_owned()])
        .build()
        .unwrap();
    let classes = ["x".to_owned(), "y".to_owned()];
    std::fs::create_dir(path.parent().unwrap()).unwrap();
    write_container(&path, &[graph.clone(), graph.clone()], Some(&classes)).unwrap();
    let (graphs, read_classes) = read_container(&path, &Limits::default()).unwrap();
    assert_eq!(graphs, [graph.clone(), graph]);
    assert_eq!(read_classes.unwrap(), classes);
    let (_, report) = read_graphs(Path::new(&path), &ReadOptions::default()).unwrap();
    assert_eq!(report.classes.unwrap(), classes);
}
