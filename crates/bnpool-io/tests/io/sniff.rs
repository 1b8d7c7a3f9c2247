//! The interpretation of small files: columns, header, weights, matrices.

use std::path::Path;

use bnpool_graph::Graph;
use bnpool_io::format::{
    Format, Header, Limits, Note, ReadError, ReadOptions, ReadReport, Source, Weights, read_source,
};
use bnpool_io::remedy::Remedied;

fn read(text: &str, options: &ReadOptions) -> Result<(Graph, ReadReport), ReadError> {
    let source = Source::from_bytes("e.csv", text.into(), &Limits::default())?;
    let format = options.format.unwrap_or(Format::EdgeList);
    read_source(source, format, options)
}

/// The interpretation in short: the header, the ends, weights, times, index,
/// and the sizes.
fn understood(text: &str, options: &ReadOptions) -> String {
    let (graph, report) = read(text, options).unwrap_or_else(|error| panic!("{text}: {error}"));
    let sizes = format!("{} nodes {} edges", graph.nodes(), graph.edges());
    let Some(columns) = report.columns else {
        let weights = graph.adjacency().weights().map_or("", |_| " weights");
        return format!("{}{weights}: {sizes}", report.format.unwrap());
    };
    let header = match columns.header {
        Header::None => "",
        Header::Found => "header ",
        Header::Guessed => "header? ",
        Header::Doubted => "no header? ",
        Header::Asked => "header! ",
        Header::Denied => "no header! ",
    };
    let extra = |what: &str, column: Option<String>| {
        column.map_or(String::new(), |column| format!(" {what} {column}"))
    };
    format!(
        "{header}{} -> {}{}{}{}: {sizes}",
        columns.source,
        columns.target,
        extra("weight", columns.weight),
        extra("times", columns.times),
        extra("index", columns.index),
    )
}

#[test]
fn files_are_taken_for_what_they_are() {
    for (text, expected) in [
        // Numbers, and words above them.
        ("0,1\n1,2\n", "1 -> 2: 3 nodes 4 edges"),
        ("x y\n0 1\n1 2\n", "header x -> y: 3 nodes 4 edges"),
        ("0 1 0.5\n1 2 3\n", "1 -> 2 weight 3: 3 nodes 4 edges"),
        // Names of nodes above a matrix, which may be words for columns too.
        (
            "g,h,i,j,k,l\n0,1,0,0,0,1\n1,0,1,0,0,0\n0,1,0,1,0,0\n0,0,1,0,1,0\n0,0,0,1,0,1\n1,0,0,0,1,0\n",
            "matrix: 6 nodes 12 edges",
        ),
        // Words above text.
        (
            "source,target\nann,bob\nbob,cy\n",
            "header source -> target: 3 nodes 4 edges",
        ),
        (
            "person_a,person_b\nann,bob\nbob,cy\n",
            "header? person_a -> person_b: 3 nodes 4 edges",
        ),
        (
            "\"person_a\",\"person_b\"\n\"ann\",\"bob\"\n",
            "header? person_a -> person_b: 2 nodes 2 edges",
        ),
        (
            "von;nach\nBonn;Köln\nKöln;Ulm\n",
            "header von -> nach: 3 nodes 4 edges",
        ),
        (
            "de\tvers\nLyon\tNice\n",
            "header de -> vers: 2 nodes 2 edges",
        ),
        (
            "user,item\nann,tea\nbob,tea\n",
            "header? user -> item: 3 nodes 4 edges",
        ),
        (
            "id1 id2\nann bob\nidaho bob\n",
            "header? id1 -> id2: 3 nodes 4 edges",
        ),
        (
            "Kunde;Produkt;Anzahl\nann;tee;3\nbob;tee;1\n",
            "header Kunde -> Produkt weight Anzahl: 3 nodes 4 edges",
        ),
        (
            "name,friend,weight\nann,bob,2\n",
            "header name -> friend weight weight: 2 nodes 2 edges",
        ),
        (
            "weight,node1,node2\n2,0,1\n3,1,2\n",
            "header node1 -> node2 weight weight: 3 nodes 4 edges",
        ),
        (
            "date,who,whom\n1999,ann,bob\n2001,bob,cy\n",
            "header who -> whom times date: 3 nodes 4 edges",
        ),
        // Nodes that look like columns.
        ("u v\nv w\nw u\n", "1 -> 2: 3 nodes 6 edges"),
        ("a,b\nc,d\n", "1 -> 2: 4 nodes 4 edges"),
        (
            "node1,node2\nnode2,node3\nnode3,node1\n",
            "1 -> 2: 3 nodes 6 edges",
        ),
        ("user1,user2\nuser3,user4\n", "1 -> 2: 4 nodes 4 edges"),
        (
            "user,item\nitem,cart\ncart,user\n",
            "1 -> 2: 3 nodes 6 edges",
        ),
        (
            "Lieferant,Abnehmer\nann,bob\nbob,cy\ncy,ann\nann,di\ndi,bob\n",
            "no header? 1 -> 2: 6 nodes 12 edges",
        ),
        // A column that counts the lines.
        (
            ",source,target\n0,ann,bob\n1,bob,cy\n",
            "header source -> target index 1: 3 nodes 4 edges",
        ),
        (
            ",who,whom\n0,ann,bob\n1,bob,cy\n2,cy,di\n",
            "header who -> whom index 1: 4 nodes 6 edges",
        ),
        (
            "\tsource\ttarget\n0\tann\tbob\n1\tbob\tcy\n",
            "header source -> target index 1: 3 nodes 4 edges",
        ),
        (
            "\"from\" \"to\"\n\"1\" \"ann\" \"bob\"\n\"2\" \"bob\" \"cy\"\n",
            "header from -> to index 1: 3 nodes 4 edges",
        ),
        (
            "0,ann,bob\n1,bob,cy\n2,cy,ann\n",
            "2 -> 3 index 1: 3 nodes 6 edges",
        ),
        (
            "0,5,6\n1,6,7\n2,7,5\n3,5,7\n4,6,5\n",
            "2 -> 3 index 1: 3 nodes 6 edges",
        ),
        ("0,1,4\n1,2,5\n2,3,6\n", "1 -> 2 weight 3: 4 nodes 6 edges"),
        (
            "nr,a,b\n1,ann,bob\n2,bob,cy\n",
            "header a -> b index nr: 3 nodes 4 edges",
        ),
        // Times are no weights.
        (
            "0 1 1082040961\n1 2 1082155839\n",
            "1 -> 2 times 3: 3 nodes 4 edges",
        ),
        (
            "0,1,1082040961000\n1,2,1082155839000\n",
            "1 -> 2 times 3: 3 nodes 4 edges",
        ),
        (
            "source,target,time\n0,1,5\n1,2,9\n",
            "header source -> target times time: 3 nodes 4 edges",
        ),
        (
            "from,to,year,weight\n0,1,1999,2\n",
            "header from -> to weight weight: 2 nodes 2 edges",
        ),
        // Delimiters.
        (
            "Smith, J\tDoe, A\nDoe, A\tRoe, B\n",
            "1 -> 2: 3 nodes 4 edges",
        ),
        (
            "New York,Los Angeles\nLos Angeles,Rome\n",
            "1 -> 2: 3 nodes 4 edges",
        ),
        // Matrices.
        (
            "0,1,0,0\n1,0,1,0\n0,1,0,1\n0,0,1,0\n",
            "matrix: 4 nodes 6 edges",
        ),
        (
            "0 2 0 0\n2 0 1 0\n0 1 0 1\n0 0 1 0\n",
            "matrix weights: 4 nodes 6 edges",
        ),
        (
            ",a,b,c\na,0,1,1\nb,1,0,0\nc,1,0,0\n",
            "matrix: 3 nodes 4 edges",
        ),
        (
            "a,b,c,d\n0,1,0,0\n1,0,1,0\n0,1,0,1\n0,0,1,0\n",
            "matrix: 4 nodes 6 edges",
        ),
        (
            "a;0;1;0;0\nb;1;0;1;0\nc;0;1;0;1\nd;0;0;1;0\n",
            "matrix: 4 nodes 6 edges",
        ),
        (
            "\ta\tb\tc\na\t0\t1\t1\nb\t1\t0\t0\nc\t1\t0\t0\n",
            "matrix: 3 nodes 4 edges",
        ),
        (
            ",0,1,2\n0,0,1,1\n1,1,0,0\n2,1,0,0\n",
            "matrix: 3 nodes 4 edges",
        ),
        // Four edges with four columns are none.
        (
            "0,1,3,7\n1,2,4,8\n2,3,5,9\n3,4,6,1\n",
            "1 -> 2 weight 3: 5 nodes 8 edges",
        ),
        (
            "source,target,weight,time\n0,1,3,7\n1,2,4,8\n2,3,5,9\n3,4,6,1\n",
            "header source -> target weight weight: 5 nodes 8 edges",
        ),
    ] {
        assert_eq!(
            understood(text, &ReadOptions::default()),
            expected,
            "{text}"
        );
    }
}

#[test]
fn the_options_decide() {
    let base = ReadOptions::default;
    let column = |name: &str| Some(name.to_owned());
    for (text, options, expected) in [
        (
            "ann,bob\nbob,cy\n",
            ReadOptions {
                header: Some(true),
                ..base()
            },
            "header! ann -> bob: 2 nodes 2 edges",
        ),
        (
            "source,target\nann,bob\n",
            ReadOptions {
                header: Some(false),
                ..base()
            },
            "no header! 1 -> 2: 4 nodes 4 edges",
        ),
        (
            "x,y,z\n1,2,3\n4,5,6\n",
            ReadOptions {
                source: column("z"),
                target: column("1"),
                ..base()
            },
            "header! z -> x: 4 nodes 4 edges",
        ),
        (
            "1,2,3\n4,5,6\n",
            ReadOptions {
                source: column("3"),
                target: column("2"),
                ..base()
            },
            "3 -> 2: 4 nodes 4 edges",
        ),
        (
            "0 1 1082040961\n1 2 1082155839\n",
            ReadOptions {
                weights: Weights::Column("3".into()),
                ..base()
            },
            "1 -> 2 weight 3: 3 nodes 4 edges",
        ),
        (
            "0 1 5\n1 2 6\n",
            ReadOptions {
                weights: Weights::Ignore,
                ..base()
            },
            "1 -> 2: 3 nodes 4 edges",
        ),
        (
            "0,1,1,0\n1,0,0,1\n1,0,0,1\n0,1,1,0\n",
            ReadOptions {
                format: Some(Format::EdgeList),
                ..base()
            },
            "1 -> 2 weight 3: 2 nodes 2 edges",
        ),
        (
            "0,1\n1,0\n",
            ReadOptions {
                format: Some(Format::Matrix),
                ..base()
            },
            "matrix: 2 nodes 2 edges",
        ),
        (
            "a,b\n0,1\n1,0\n",
            ReadOptions {
                format: Some(Format::Matrix),
                ..base()
            },
            "matrix: 2 nodes 2 edges",
        ),
    ] {
        assert_eq!(understood(text, &options), expected, "{text}");
    }
    for (text, options, message) in [
        (
            "source,target,miles\n0,1,2\n",
            ReadOptions {
                weights: Weights::Column("km".into()),
                ..base()
            },
            "e.csv: there is no column `km`; there are: source, target, miles; name one of them, \
             or set `weights` to `Weights::Column`",
        ),
        (
            "0,1\n",
            ReadOptions {
                source: column("3"),
                ..base()
            },
            "e.csv: there is no column `3`; there are: 1, 2; name one of them, or set `source`",
        ),
        (
            "0,1\n",
            ReadOptions {
                source: column("2"),
                target: column("2"),
                ..base()
            },
            "e.csv: column `2` cannot be two things at once; set `target`",
        ),
        (
            "0,1,2\n1,0,1\n",
            ReadOptions {
                format: Some(Format::Matrix),
                ..base()
            },
            "e.csv: the matrix has 2 rows and 3 columns; give a matrix as many rows as columns, \
             or set `format` to `Format::EdgeList`",
        ),
        (
            "0,1\n-1,0\n",
            ReadOptions {
                format: Some(Format::Matrix),
                ..base()
            },
            "e.csv, line 2: the cell `-1` is negative, and signed weights are not supported; give \
             numbers of at least 0, and 0 or nothing for no edge, or set `format` to `Format::EdgeList`",
        ),
    ] {
        assert_eq!(read(text, &options).unwrap_err().to_string(), message);
    }
}

#[test]
fn one_line_says_what_was_understood() {
    let flags = |_| Some("give --x".to_owned());
    let line = |text: &str| {
        let (graph, report) = read(text, &ReadOptions::default()).unwrap();
        report.understood(&graph, &flags)
    };
    assert_eq!(
        line("person_a, person_b, when, who\nann, bob, 1082040961, x\n"),
        "an edge list, separated by commas; the first line is a header; edges from `person_a` to \
         `person_b`; no weights: `when` looks like times (if it holds weights, give --x); columns \
         not used: who; spaces around names are removed (quotes keep them); such as `ann` → `bob`; \
         2 nodes, 1 edge, no features"
    );
    assert_eq!(
        line("user\titem\nann\ttea\n"),
        "an edge list, separated by tabs; the first line was taken for a header (if it is \
         an edge, give --x); edges from `user` to `item`; no weights; two kinds of nodes by the \
         names of `user` and `item` (if there is one kind, give --x); such as `ann` → `tea`; 2 \
         nodes, 1 edge, no features"
    );
    assert_eq!(
        line("0,1,0,0\n1,0,1,0\n0,1,0,1\n0,0,1,0\n"),
        "matrix; no weights; such as `0` → `1` and `1` → `2` and `2` → `3`; 4 nodes, 3 edges, no \
         features"
    );
}

/// A name that looks like a column turns up as a node far behind the lines that
/// are looked at.
#[test]
fn a_header_that_is_a_node_is_an_edge_after_all() {
    let mut text = "user,item\n".to_owned();
    for node in 0..5000 {
        text.push_str(&format!("n{node},n{}\n", node / 2));
    }
    let (graph, report) = read(&text, &ReadOptions::default()).unwrap();
    assert_eq!(graph.nodes(), 5000);
    assert!(report.columns.unwrap().header.is_there());
    text.push_str("item,n7\n");
    let (graph, report) = read(&text, &ReadOptions::default()).unwrap();
    assert_eq!(graph.nodes(), 5002);
    assert_eq!(report.columns.unwrap().header, Header::None);
    let note = Note::NoHeader {
        node: "item".into(),
    };
    assert!(report.notes.contains(&note), "{:?}", report.notes);
    let words = note.in_terms(&|_| Some("give --header yes".into()));
    assert!(
        words.ends_with("if it is a header, give --header yes"),
        "{words}"
    );
}

#[test]
fn blanks_in_names_are_kept() {
    let ids = |text: &str| {
        let (graph, _) = read(text, &ReadOptions::default()).unwrap();
        graph.node_ids().unwrap().to_vec()
    };
    assert_eq!(ids("New York,San José\n"), ["New York", "San José"]);
    assert_eq!(ids("a b\tc d\n"), ["a b", "c d"]);
    assert_eq!(ids(" a b \t c d \nc d\te\n"), ["a b", "c d", "e"]);
    assert_eq!(ids("\" a\",b \n\" a\", c\n"), [" a", "b", "c"]);
}

#[test]
fn the_order_of_the_lines_does_not_matter() {
    let name = |k: u32| match k % 3 {
        0 => format!("node {k}"),
        1 => format!("a long name that is not short: number {k}"),
        _ => format!("{k}"),
    };
    for weighted in [false, true] {
        let lines: Vec<String> = (0..3000_u32)
            .map(|k| {
                let (u, v) = (name(k % 701), name(k * k % 701));
                if weighted {
                    format!("{u},{v},{}", (k % 7) as f32 / 4.0)
                } else {
                    format!("{u},{v}")
                }
            })
            .collect();
        let shuffled: Vec<_> = (0..lines.len())
            .map(|k| lines[(k * 1009 + 7) % lines.len()].clone())
            .collect();
        let whole = read(&lines.join("\n"), &ReadOptions::default()).unwrap().0;
        let other = read(&shuffled.join("\n"), &ReadOptions::default())
            .unwrap()
            .0;
        assert!(whole.node_ids().unwrap().is_sorted());
        assert_eq!(whole, other);
    }
}

/// Rows without ids would be given to the wrong nodes.
#[test]
fn rows_without_ids_need_nodes_without_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("x.csv"), "1,2\n3,4\n5,6\n").unwrap();
    let read = |edges: &str| {
        std::fs::write(path("e.csv"), edges).unwrap();
        let options = ReadOptions {
            features: Some(path("x.csv")),
            ..ReadOptions::default()
        };
        bnpool_io::format::read_graph(&path("e.csv"), &options)
    };
    assert!(read("0,1\n1,2\n").is_ok());
    let message = read("bob,ann\nann,cy\n").unwrap_err().to_string();
    assert!(
        message.contains("nothing tells which row is whose"),
        "{message}"
    );
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.gml");
    std::fs::write(
        &path,
        "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]",
    )
    .unwrap();
    let options = ReadOptions {
        source: Some("a".into()),
        ..ReadOptions::default()
    };
    let message = bnpool_io::format::read_graph(Path::new(&path), &options)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("gml has no columns to choose from"),
        "{message}"
    );
}
