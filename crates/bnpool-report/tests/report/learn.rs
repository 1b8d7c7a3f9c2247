//! The report of a classification or regression through the public API.

use crate::learned::{Pooled, Run};
use bnpool_graph::generate::Sbm;
use bnpool_graph::{Csr, Graph, Matrix};
use bnpool_report::ReportError;
use bnpool_report::learn::{LearnReport, Picture, Rendering, SampleGraph};
use quick_xml::events::Event;

/// Renders a modified run.
fn rendered(
    run: &Run,
    change: impl Fn(&mut LearnReport<'_>),
) -> Result<(String, Vec<Picture>), ReportError> {
    let (folds, samples) = (run.folds(), run.samples());
    let mut report = run.report(&folds, &samples);
    change(&mut report);
    let rendering = Rendering::new(&report)?;
    Ok((rendering.html(), rendering.pictures()?))
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

fn edgeless(nodes: usize) -> Graph {
    let adjacency = Csr::from_edges(nodes, []).unwrap();
    Graph::builder(adjacency).build().unwrap()
}

#[test]
fn everything_is_shown_where_there_is_everything() {
    let (page, pictures) = rendered(&Run::binary(3), |_| {}).unwrap();
    for id in [
        "predictions",
        "samples",
        "clusters",
        "training",
        "folds",
        "metrics",
        "configuration",
    ] {
        assert!(page.contains(&format!(r#"<section id="{id}">"#)), "{id}");
        assert!(page.contains(&format!(r##"<a href="#{id}">"##)), "{id}");
    }
    assert!(page.contains("AUC 0.8") && page.contains("3 folds"));
    assert!(page.contains("1,643 of 1,964 graphs (84 %)"));
    let mut expected: Vec<String> = [
        "confusion",
        "roc",
        "cluster_histogram",
        "train_loss",
        "validation_loss",
        "validation_metric",
        "auxiliary_loss",
        "active_clusters",
        "learning_rate",
    ]
    .map(str::to_owned)
    .into();
    for sample in 1..=2 {
        let parts = ["features", "clusters", "assignments", "pooled"];
        expected.extend(parts.map(|part| format!("sample_{sample}_{part}")));
    }
    assert_eq!(names(&pictures), expected);
    for picture in &pictures {
        assert!(elements(&picture.svg) > 8, "{}", picture.name);
        let png = picture
            .png
            .as_ref()
            .expect("the feature `png` is on in tests");
        assert_eq!(&png[..4], b"\x89PNG", "{}", picture.name);
    }
}

#[test]
fn the_headline_is_the_mean_over_folds() {
    let mut run = Run::binary(2);
    run.tests = vec![0.8, 0.9];
    let (page, _) = rendered(&run, |_| {}).unwrap();
    assert!(page.contains("<strong>85.0 ± 5.0 %</strong>"));
    run.tests[1] = f64::NAN;
    let (page, _) = rendered(&run, |_| {}).unwrap();
    assert!(page.contains("<strong>80.0 %</strong>"));
    assert!(page.contains("1 fold without a test result is left out"));
    let (page, _) = rendered(&run, |report| report.metric = "f1").unwrap();
    assert!(page.contains("f1 is <strong>0.8</strong>"));
}

#[test]
fn what_is_not_known_is_not_shown() {
    let mut run = Run::binary(0);
    (run.classes, run.clusters, run.pooled) = Default::default();
    (run.metrics, run.notes) = Default::default();
    let (page, pictures) = rendered(&run, |report| report.config_toml = "").unwrap();
    assert!(page.contains("No fold has a test result."));
    assert!(!page.contains("<section") && pictures.is_empty());
}

#[test]
fn one_fold_and_more_folds_than_lines() {
    let (page, pictures) = rendered(&Run::binary(1), |_| {}).unwrap();
    let names = names(&pictures);
    assert!(names.contains(&"losses") && !names.contains(&"train_loss"));
    assert!(!page.contains(" ± "));
    let (page, _) = rendered(&Run::binary(13), |_| {}).unwrap();
    assert!(page.contains("One line for each of the first 10 folds"));
    assert!(page.contains("13 folds"));
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
}

#[test]
fn regression_has_dots_and_no_classes() {
    let mut run = Run::binary(2);
    run.classes.clear();
    run.roc.clear();
    let value = |i: u32| (f64::from(i), f64::from(i % 97));
    run.values = (0..7000).map(value).collect();
    run.values.push((f64::NAN, 1.0));
    let (page, pictures) = rendered(&run, |report| {
        report.task = "regression";
        report.metric = "mae";
    })
    .unwrap();
    assert!(page.contains("an even sample of 5,000 of 7,000 graphs"));
    assert!(!page.contains("confusion-chart") && !page.contains(r#"class="right""#));
    let scatter = pictures
        .iter()
        .find(|picture| picture.name == "predictions");
    assert_eq!(scatter.unwrap().svg.matches("<circle").count(), 5000);
}

#[test]
fn odd_samples_are_drawn_too() {
    let mut run = Run::binary(1);
    let big = Sbm::with_degree(2500, 5, 4.0, 0.8).unwrap();
    let big = big.generate(1).unwrap();
    let ramp = Matrix::new(30, 1, (0..30).map(|i| i as f32).collect()).unwrap();
    let graded = Graph::builder(Csr::from_edges(30, [(0, 0)]).unwrap()).features(ramp);
    run.pooled = vec![
        Pooled::around(edgeless(0), 4, |_| 0),
        Pooled::around(edgeless(5), 1, |_| 0),
        Pooled::around(big, 8, |node| node % 5),
        Pooled::around(graded.build().unwrap(), 300, |node| node * 9),
    ];
    run.pooled[0].adjacency.clear();
    let (page, pictures) = rendered(&run, |_| {}).unwrap();
    assert!(page.contains("The graph has no nodes."));
    assert!(page.contains("2,500 nodes, of which"));
    assert!(page.contains("5 nodes, 0 links. The nodes have no features."));
    assert!(page.contains("Colours show the value of the only feature."));
    assert!(!names(&pictures).contains(&"sample_1_pooled"));
    for picture in &pictures {
        elements(&picture.svg);
    }
    // A pooler without memberships shows its graph and possibly the pooled one.
    run.pooled.truncate(2);
    run.pooled[1].assignments.clear();
    let (_, pictures) = rendered(&run, |_| {}).unwrap();
    let names = names(&pictures);
    assert!(names.contains(&"sample_2_pooled") && !names.contains(&"sample_2_assignments"));
}

#[test]
fn hostile_names_stay_names() {
    let evil = "</script></title><img src=x onerror=alert(1)>'\"&\u{0}\u{2028}]]>";
    let mut run = Run::binary(2);
    run.classes = vec![evil.to_owned(); 2];
    run.metrics[0].name = evil.to_owned();
    run.notes.push(evil.to_owned());
    let graph = run.pooled.remove(0).graph;
    let ids: Vec<String> = (0..graph.nodes()).map(|i| format!("{evil}{i}")).collect();
    let graph = graph.into_builder().node_ids(ids).build().unwrap();
    run.pooled.push(Pooled::around(graph, 3, |node| node % 3));
    let (folds, mut samples) = (run.folds(), run.samples());
    for sample in &mut samples {
        for text in [&mut sample.name, &mut sample.truth, &mut sample.prediction] {
            *text = evil.to_owned();
        }
    }
    let report = LearnReport {
        title: evil,
        dataset: evil,
        pooler: evil,
        task: evil,
        metric: evil,
        config_toml: evil,
        version: evil,
        ..run.report(&folds, &samples)
    };
    let rendering = Rendering::new(&report).unwrap();
    let page = rendering.html();
    assert!(!page.contains("<img"), "a tag came through");
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(page.matches("</title>").count(), 1);
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    let start = page.find(r#"id="data">"#).unwrap() + r#"id="data">"#.len();
    let end = start + page[start..].find("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(&page[start..end]).unwrap();
    let name = data["sample-2-features"]["texts"][0][0].as_str().unwrap();
    assert!(name.starts_with("</script></title><img"), "{name}");
    for picture in rendering.pictures().unwrap() {
        assert!(elements(&picture.svg) > 8);
        assert!(!picture.svg.contains("<img"));
    }
}

#[test]
fn odd_numbers_do_no_harm() {
    let mut run = Run::binary(2);
    let odd = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1e308,
        -1e308,
        1e-320,
    ];
    for (i, point) in run.histories[0].iter_mut().enumerate() {
        point.validation = f64::NAN;
        point.validation_loss = odd[i % 6];
        point.train_loss = odd[(i + 1) % 6];
        point.gamma = odd[i % 3];
        point.clusters = Some(odd[i % 6]);
    }
    run.histories[1][3].epoch = usize::MAX;
    run.tests[0] = f64::NEG_INFINITY;
    run.roc[0].area = f64::NAN;
    run.roc[0].points[1] = (f64::NAN, f64::INFINITY);
    run.counts = vec![0, 0, usize::MAX, usize::MAX];
    run.clusters.extend([0, usize::MAX]);
    run.values = odd.iter().flat_map(|&a| odd.map(|b| (a, b))).collect();
    let pooled = &mut run.pooled[0];
    pooled.assignments[..3].copy_from_slice(&[f32::NAN, f32::INFINITY, -1.0]);
    pooled.adjacency[..3].copy_from_slice(&[f32::NAN, f32::INFINITY, -1.0]);
    for metric in ["acc", "auroc", "mae", ""] {
        let (page, pictures) = rendered(&run, |report| report.metric = metric).unwrap();
        assert!(!page.contains("NaN") && !page.contains("inf\"") && !page.contains(">inf"));
        for picture in pictures {
            elements(&picture.svg);
        }
    }
}

#[test]
fn one_class_and_fifty() {
    let mut run = Run::binary(1);
    for classes in [1, 50] {
        run.classes = (0..classes)
            .map(|i| format!("a long class name {i}"))
            .collect();
        run.counts = (0..classes * classes).collect();
        let (page, _) = rendered(&run, |_| {}).unwrap();
        assert!(page.contains(r#"id="confusion-chart""#));
        assert!(page.len() < 1_000_000, "{} bytes", page.len());
    }
}

#[test]
fn same_bytes_on_any_number_of_threads() {
    let mut run = Run::binary(3);
    let graph = Sbm::with_degree(500, 4, 4.0, 0.8).unwrap();
    let graph = graph.generate(2).unwrap();
    run.pooled.push(Pooled::around(graph, 6, |node| node % 4));
    let draw = |threads| {
        let pool = rayon::ThreadPoolBuilder::new();
        let pool = pool.num_threads(threads).build().unwrap();
        pool.install(|| rendered(&run, |_| {}).unwrap())
    };
    let (one, two, again) = (draw(1), draw(2), draw(2));
    assert!(one == two, "threads changed the report");
    assert!(two == again, "a second run changed the report");
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let run = Run::binary(1);
    let error = rendered(&run, |report| {
        report.confusion.as_mut().unwrap().counts = &[1, 2, 3];
    });
    assert_eq!(
        error.unwrap_err().to_string(),
        "the report got 3 entries of the confusion matrix, but needs 4"
    );
    let refuse = |change: &dyn Fn(&mut SampleGraph<'_>)| {
        let (folds, mut samples) = (run.folds(), run.samples());
        change(&mut samples[1]);
        Rendering::new(&run.report(&folds, &samples)).unwrap_err()
    };
    let error = refuse(&|sample| sample.assignments = &[0.5]);
    assert_eq!(
        error,
        ReportError::Length {
            what: "memberships of a sample graph",
            found: 1,
            expected: 450
        }
    );
    refuse(&|sample| sample.pooled_adjacency = &[0.5]);
    refuse(&|sample| sample.clusters = 0);
    refuse(&|sample| sample.clusters = usize::MAX);
}
