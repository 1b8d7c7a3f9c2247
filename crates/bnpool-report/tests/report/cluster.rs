//! The page and the pictures through the public API.

use crate::synthetic::Run;
use bnpool_graph::generate::Sbm;
use bnpool_graph::{Csr, Graph};
use bnpool_report::ReportError;
use bnpool_report::cluster::{ClusterReport, Picture, Rendering};
use quick_xml::events::Event;

const ALL: [&str; 11] = [
    "graph",
    "adjacency",
    "classes",
    "reconstruction",
    "shared_memberships",
    "block_matrix",
    "assignments",
    "hierarchy",
    "cluster_posterior",
    "losses",
    "active_clusters",
];

fn planted(nodes: usize, blocks: usize) -> Run {
    let graph = Sbm::planted(nodes, blocks, 0.2, 0.01).unwrap();
    Run::around(graph.generate(1).unwrap(), 10, 1)
}

/// Nodes in one community, without any optional data.
fn bare(graph: Graph) -> Run {
    let mut run = Run::around(graph, 2, 0);
    run.cluster_counts.clear();
    run.merges.clear();
    run.history.clear();
    run.losses.clear();
    run.metrics.clear();
    run
}

fn render_html(report: &ClusterReport<'_>) -> Result<String, ReportError> {
    Ok(Rendering::new(report)?.html())
}

fn names(pictures: &[Picture]) -> Vec<&str> {
    pictures.iter().map(|picture| &*picture.name).collect()
}

/// Parses an SVG and counts its elements.
fn elements(svg: &str) -> usize {
    let mut reader = quick_xml::Reader::from_str(svg);
    let mut count = 0;
    loop {
        match reader.read_event().expect("well-formed SVG") {
            Event::Start(_) | Event::Empty(_) => count += 1,
            Event::Eof => return count,
            _ => {}
        }
    }
}

/// Number of pixels of a PNG that are neither white nor grey.
fn coloured(png: &[u8]) -> usize {
    let decoder = png::Decoder::new(std::io::Cursor::new(png));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap();
    let gaudy = |p: &&[u8]| p[..3].iter().max().unwrap() - p[..3].iter().min().unwrap() > 60;
    bytes.chunks(4).filter(gaudy).count()
}

#[test]
fn everything_is_shown_where_there_is_everything() {
    let run = planted(120, 3).with_classes();
    let rendering = Rendering::new(&run.report("A title", "A graph")).unwrap();
    let page = rendering.html();
    for id in [
        "graph",
        "matrices",
        "hierarchy",
        "memberships",
        "number",
        "training",
        "communities",
        "members",
        "metrics",
        "configuration",
    ] {
        assert!(page.contains(&format!(r#"<section id="{id}">"#)), "{id}");
        assert!(page.contains(&format!(r##"<a href="#{id}">"##)), "{id}");
    }
    for chart in ["graph", "adjacency", "classes", "reconstruction", "losses"] {
        assert!(page.contains(&format!(r#"id="{chart}-chart""#)), "{chart}");
    }
    assert_eq!(names(&rendering.pictures().unwrap()), ALL);
}

#[test]
fn what_is_not_known_is_not_shown() {
    let mut run = bare(
        Graph::builder(Csr::from_edges(2, []).unwrap())
            .build()
            .unwrap(),
    );
    run.max_clusters = 2;
    let rendering = Rendering::new(&run.report("Two nodes", "")).unwrap();
    let page = rendering.html();
    for absent in [
        "classes-chart",
        "hierarchy-chart",
        "posterior-chart",
        "losses-chart",
        "active-chart",
    ] {
        assert!(!page.contains(absent), "{absent}");
    }
    for absent in [r#"id="training""#, r#"id="number""#, r#"id="metrics""#] {
        assert!(!page.contains(absent), "{absent}");
    }
    assert!(page.contains("1 community</strong> among the 2 nodes"));
    assert!(!page.contains("NaN"));
    let pictures = rendering.pictures().unwrap();
    assert_eq!(
        names(&pictures),
        [
            "graph",
            "adjacency",
            "reconstruction",
            "shared_memberships",
            "block_matrix",
            "assignments"
        ]
    );
}

#[test]
fn no_nodes_and_very_many_communities() {
    let run = bare(
        Graph::builder(Csr::from_edges(0, []).unwrap())
            .build()
            .unwrap(),
    );
    let rendering = Rendering::new(&run.report("Nothing", "")).unwrap();
    assert!(rendering.html().contains("among the 0 nodes"));
    assert_eq!(rendering.pictures().unwrap().len(), 6);

    let labels: Vec<u32> = (0..1000).collect();
    let graph = Graph::builder(Csr::from_edges(1000, []).unwrap()).node_labels(labels);
    let run = bare(graph.build().unwrap());
    let found = run.columns.len();
    assert!(found > 800, "nearly a community for each node");
    let page = render_html(&run.report("Many", "")).unwrap();
    assert!(page.contains(&format!("and {} smaller ones", found - 60)));
    assert!(page.len() < 8_000_000, "{} bytes", page.len());
}

#[test]
fn pictures_are_well_formed_and_not_empty() {
    let run = planted(120, 3).with_classes();
    for picture in Rendering::new(&run.report("t", "d"))
        .unwrap()
        .pictures()
        .unwrap()
    {
        assert!(elements(&picture.svg) > 10, "{}", picture.name);
        let png = picture
            .png
            .as_ref()
            .expect("the feature `png` is on in tests");
        assert!(coloured(png) > 500, "{} is blank", picture.name);
    }
}

#[test]
fn hostile_names_stay_names() {
    let evil = "</script></title><img src=x onerror=alert(1)>'\"&\u{0}\u{2028}]]>";
    let mut run = planted(60, 3).with_classes();
    let ids = (0..60).map(|i| format!("{evil}{i}")).collect::<Vec<_>>();
    run.graph = run.graph.into_builder().node_ids(ids).build().unwrap();
    run.classes.as_mut().unwrap().1 = vec![evil.to_owned(); 3];
    run.communities[0].majority_class = Some((evil.to_owned(), 0.5));
    run.metrics[0].name = evil.to_owned();
    run.metrics[0].explanation = evil.to_owned();
    run.notes.push(evil.to_owned());
    let mut report = run.report(evil, evil);
    report.config_toml = evil;
    report.version = evil;
    let rendering = Rendering::new(&report).unwrap();
    let page = rendering.html();
    assert!(!page.contains("<img"), "a tag came through");
    assert_eq!(page.matches("<script").count(), 3);
    assert_eq!(page.matches("</script>").count(), 3);
    assert_eq!(page.matches("</title>").count(), 1);
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    let start = page.find(r#"id="data">"#).unwrap() + r#"id="data">"#.len();
    let end = start + page[start..].find("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(&page[start..end]).unwrap();
    let name = data["graph-chart"]["names"][0].as_str().unwrap();
    assert!(name.starts_with("</script></title><img"), "{name}");
    for picture in rendering.pictures().unwrap() {
        assert!(elements(&picture.svg) > 10);
        assert!(!picture.svg.contains("<img"));
    }
}

#[test]
fn names_show_what_they_hide_and_are_bounded() {
    let evil = "\u{202e}fdp.exe\u{1b}[2J\u{200f}\n\u{9b}31m\u{feff}";
    let long = format!("{evil}{}", "x".repeat(100_000));
    let mut run = planted(60, 3).with_classes();
    let ids = (0..60).map(|i| format!("{i}{long}")).collect::<Vec<_>>();
    run.graph = run.graph.into_builder().node_ids(ids).build().unwrap();
    run.classes.as_mut().unwrap().1 = vec![long.clone(); 3];
    run.communities[0].majority_class = Some((long.clone(), 0.5));
    run.notes.push(long.clone());
    let rendering = Rendering::new(&run.report(&long, &long)).unwrap();
    let page = rendering.html();
    let pictures = rendering.pictures().unwrap();
    let hides = |c: char| {
        c.is_control() && !"\n\t".contains(c) || "\u{202e}\u{200f}\u{feff}\u{9b}".contains(c)
    };
    for text in pictures.iter().map(|p| &p.svg).chain([&page]) {
        assert_eq!(text.chars().find(|&c| hides(c)), None);
        assert!(!text.contains(&"x".repeat(700)), "a text without an end");
    }
    assert!(page.contains(r"\u{202e}fdp.exe\u{1b}[2J\u{200f}\n"));
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
}

#[test]
fn the_words_follow_the_pooler() {
    let mut run = planted(60, 3);
    let page = render_html(&run.report("t", "d")).unwrap();
    assert!(page.contains("BN-Pool found") && page.contains("was learned from the graph"));
    run.cluster_counts.clear();
    let mut report = run.report("t", "d");
    report.pooler = "MinCut";
    report.posterior = false;
    let page = render_html(&report).unwrap();
    assert!(page.contains("MinCut found"));
    assert!(page.contains("It was given 10 clusters."));
    for foreign in [
        "BN-Pool",
        "was learned",
        "their prior",
        "samples of the posterior",
        "90 %",
    ] {
        assert!(!page.contains(foreign), "{foreign}");
    }
}

/// The listed members of a page, by community.
fn member_data(page: &str) -> serde_json::Value {
    let mark = r#"id="member-data">"#;
    let start = page.find(mark).expect("member data") + mark.len();
    let end = start + page[start..].find("</script>").unwrap();
    serde_json::from_str(&page[start..end]).unwrap()
}

#[test]
fn every_member_is_in_the_page_the_surest_first() {
    let mut run = planted(60, 3).with_classes();
    let evil = "</script><img src=x>, \"quoted\" ";
    let ids = (0..60).map(|i| format!("{evil}{i}")).collect::<Vec<_>>();
    run.graph = run.graph.into_builder().node_ids(ids).build().unwrap();
    let page = render_html(&run.report("t", "d")).unwrap();
    let data = member_data(&page);
    let mut seen = 0;
    for (k, community) in data.as_array().unwrap().iter().enumerate() {
        assert_eq!(community["size"], run.communities[k].size);
        let names = community["names"].as_array().unwrap();
        let shares = community["confidence"].as_array().unwrap();
        assert_eq!(names.len(), run.communities[k].size);
        let mut before = u64::MAX;
        for (name, share) in names.iter().zip(shares) {
            let number = name.as_str().unwrap().strip_prefix(evil).unwrap();
            let node: usize = number.parse().unwrap();
            assert_eq!(run.labels[node], k);
            let share = share.as_u64().unwrap();
            let digits = format!("{:.6}", run.confidence[node]).replace('.', "");
            assert_eq!(share, digits.parse::<u64>().unwrap());
            // The order is quantised to a hundredth of a percent.
            assert!(share / 100 <= before / 100);
            before = share;
            seen += 1;
        }
    }
    assert_eq!(seen, 60);
    assert_eq!(page.matches("<details data-community=").count(), 3);
    assert!(!page.contains("<img"));
}

#[test]
fn lists_of_members_are_bounded() {
    let graph = Sbm::with_degree(30_000, 3, 2.0, 0.8).unwrap().generate(1);
    let ids = (0..30_000)
        .map(|i| format!("{i:0>590}"))
        .collect::<Vec<_>>();
    let graph = graph.unwrap().into_builder().node_ids(ids).build().unwrap();
    let run = Run::around(graph, 3, 1);
    let page = render_html(&run.report("t", "d")).unwrap();
    assert!(page.len() < 14_000_000, "{} bytes", page.len());
    let data = member_data(&page);
    let first = data[0]["names"].as_array().unwrap().len();
    assert!(first > 1000 && first < run.communities[0].size, "{first}");
    assert!(page.contains("labels.csv of the run has all nodes"));
}

#[test]
fn agreement_and_warnings_are_at_the_top() {
    let mut run = planted(60, 3);
    let page = render_html(&run.report("t", "d")).unwrap();
    assert!(!page.contains("<dt>NMI</dt>") && !page.contains("<h2>Warnings</h2>"));
    run = run.with_classes();
    run.warnings.push("3 of 3 are <odd>".to_owned());
    run.notes.push("dropped 2 self-loops".to_owned());
    let page = render_html(&run.report("t", "edges.csv")).unwrap();
    let top = &page[..page.find("<nav").unwrap()];
    assert!(top.contains("<dt>NMI</dt><dd>0.930<"));
    assert!(top.contains("<dt>ARI</dt><dd>0.910<"));
    assert!(top.contains("<h2>Warnings</h2><ul><li>3 of 3 are &lt;odd&gt;</li>"));
    assert!(top.contains("<h2>Notes on edges.csv</h2><ul><li>Dropped 2 self-loops</li>"));
    assert_eq!(page.matches("<aside").count(), 2);
}

#[test]
fn pieces_of_a_cluster_share_its_column() {
    let mut run = planted(60, 3);
    // Community 2 becomes a component of the cluster of community 0.
    run.columns[2] = run.columns[0];
    let page = render_html(&run.report("t", "d")).unwrap();
    assert!(page.contains("full-block-matrix-chart"));
    assert!(page.contains("community 0, 2"));
}

#[test]
fn same_bytes_on_any_number_of_threads() {
    let graph = Sbm::with_degree(450, 5, 5.0, 0.8).unwrap();
    let run = Run::around(graph.generate(1).unwrap(), 10, 1).with_classes();
    let draw = |threads| {
        let pool = rayon::ThreadPoolBuilder::new();
        let pool = pool.num_threads(threads).build().unwrap();
        pool.install(|| {
            let rendering = Rendering::new(&run.report("t", "d")).unwrap();
            (rendering.html(), rendering.pictures().unwrap())
        })
    };
    let (one, two, again) = (draw(1), draw(2), draw(2));
    assert!(one == two, "threads changed the report");
    assert!(two == again, "a second run changed the report");
}

#[test]
fn large_graphs_stay_small_pages() {
    // As many nodes and links as Cora.
    let graph = Sbm::with_degree(2708, 7, 3.9, 0.8).unwrap();
    let run = Run::around(graph.generate(1).unwrap(), 50, 1).with_classes();
    let page = render_html(&run.report("t", "d")).unwrap();
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    let graph = Sbm::with_degree(20_000, 12, 6.0, 0.8).unwrap();
    let run = Run::around(graph.generate(1).unwrap(), 50, 1);
    let page = render_html(&run.report("t", "d")).unwrap();
    assert!(page.len() < 4_000_000, "{} bytes", page.len());
    assert!(page.contains("of 20,000 nodes, spread evenly"));
}

#[test]
fn odd_numbers_do_no_harm() {
    let mut run = planted(60, 3);
    run.confidence[0] = f32::NAN;
    run.assignments[1] = f32::INFINITY;
    run.block_matrix[0] = f32::NAN;
    run.communities[0].conductance = f64::NAN;
    run.losses[0].values[3] = f64::NAN;
    run.losses[1].values[4] = f64::NEG_INFINITY;
    run.coordinates = Some(vec![[f32::NAN, 1.0]; 60]);
    let rendering = Rendering::new(&run.report("t", "d")).unwrap();
    let page = rendering.html();
    assert!(!page.contains("NaN") && !page.contains("inf\""));
    for picture in rendering.pictures().unwrap() {
        elements(&picture.svg);
    }
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let run = planted(60, 3).with_classes();
    let good = run.report("t", "d");
    let refuse = |change: &dyn Fn(&mut ClusterReport<'_>)| {
        let mut report = good;
        change(&mut report);
        render_html(&report).unwrap_err()
    };
    let error = refuse(&|report| report.labels = &[0]);
    assert_eq!(error.to_string(), "the report got 1 labels, but needs 60");
    let error = refuse(&|report| report.columns = &[0, 1, 99]);
    assert_eq!(
        error,
        ReportError::Index {
            what: "cluster",
            index: 99,
            count: 10
        }
    );
    refuse(&|report| report.assignments = &[0.5]);
    refuse(&|report| report.block_matrix = &[0.5]);
    refuse(&|report| report.coordinates = Some(&[[0.0, 0.0]]));
    refuse(&|report| report.communities = &[]);
    refuse(&|report| report.classes.as_mut().unwrap().labels = &[1]);
}
