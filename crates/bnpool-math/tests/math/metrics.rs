//! Metrics against scikit-learn and torchmetrics (`metrics.json`), and logistic
//! regression against its own definition.

use crate::matrix::{Random, assert_close};
use bnpool_math::metrics::{
    LogisticConfig, LogisticError, LogisticRegression, accuracy, area_under_roc,
    class_probabilities, cluster_shares, completeness, cosine_agreement, homogeneity,
    logistic_accuracy, macro_area_under_roc, non_empty_clusters, normalised_mutual_information,
    predicted_classes,
};
use serde::Deserialize;
use std::path::PathBuf;

/// Tolerance for values with 13 digits in the file.
const DIGITS: f64 = 1e-11;
/// Tolerance for torchmetrics and the shares, which the file has in `f32`.
const SINGLE: f64 = 1e-6;
/// scikit-learn stops at a gradient of 1e-4 per node, a thousand times ours:
/// the difference is its distance from the optimum (largest for the unpenalised
/// intercepts).
const FIT: f64 = 1e-3;
const INTERCEPT: f64 = 5e-3;

#[derive(Deserialize)]
struct File {
    clustering: Vec<Clustering>,
    classification: Vec<Classification>,
    occupancy: Occupancy,
}

#[derive(Deserialize)]
#[allow(non_snake_case)] // The names of the file.
struct Clustering {
    S: Vec<Vec<f64>>,
    y: Vec<u32>,
    COS: f64,
    ACC: f64,
    logreg_coef: Vec<Vec<f64>>,
    logreg_intercept: Vec<f64>,
    logreg_proba_first5: Vec<Vec<f64>>,
    logreg_pred: Vec<u32>,
    NMI_sklearn: f64,
    completeness: f64,
    homogeneity: f64,
}

#[derive(Deserialize)]
struct Classification {
    logits: Vec<Vec<f64>>,
    y: Vec<u32>,
    acc: f64,
    auroc_macro: f64,
    sklearn_auc: Option<f64>,
}

#[derive(Deserialize)]
#[allow(non_snake_case)] // The names of the file.
struct Occupancy {
    S: Vec<Vec<Vec<f64>>>,
    nonempty_counts_threshold_1_over_k: Vec<f64>,
    occupancy: Vec<f64>,
}

fn fixture() -> File {
    let folder = std::env::var_os("BNPOOL_FIXTURES").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures"),
        PathBuf::from,
    );
    let path = folder.join("metrics.json");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("fixture {} cannot be read: {e}", path.display()));
    serde_json::from_str(&text).expect("a fixture of the expected form")
}

#[test]
fn clusterings_are_judged_as_scikit_learn_does() {
    let cases = fixture().clustering;
    assert!(!cases.is_empty());
    for case in cases {
        let (s, width) = (case.S.concat(), case.S[0].len());
        let found = predicted_classes(&s, width);
        let near = |what: &str, got: f64, want: f64| assert_close(what, &[got], &[want], DIGITS);
        near("COS", cosine_agreement(&s, width, &case.y), case.COS);
        let nmi = normalised_mutual_information(&case.y, &found);
        near("NMI", nmi, case.NMI_sklearn);
        near(
            "completeness",
            completeness(&case.y, &found),
            case.completeness,
        );
        near(
            "homogeneity",
            homogeneity(&case.y, &found),
            case.homogeneity,
        );

        let fit = LogisticRegression::fit(&s, width, &case.y, &LogisticConfig::default()).unwrap();
        assert_eq!(fit.predict(&s).unwrap(), case.logreg_pred);
        assert_eq!(logistic_accuracy(&s, width, &case.y).unwrap(), case.ACC);
        assert_close("W", fit.coefficients(), &case.logreg_coef.concat(), FIT);
        assert_close(
            "intercepts",
            fit.intercepts(),
            &case.logreg_intercept,
            INTERCEPT,
        );
        let first = fit.probabilities(&s[..5 * width]).unwrap();
        assert_close("p", &first, &case.logreg_proba_first5.concat(), FIT);
    }
}

#[test]
fn classifications_are_judged_as_torchmetrics_does() {
    let cases = fixture().classification;
    assert!(!cases.is_empty());
    for case in cases {
        let (logits, width) = (case.logits.concat(), case.logits[0].len());
        let predicted = predicted_classes(&logits, width);
        let near = |what: &str, got: f64, want: f64, t: f64| assert_close(what, &[got], &[want], t);
        near("acc", accuracy(&predicted, &case.y), case.acc, SINGLE);
        let p = class_probabilities(&logits, width);
        let area = macro_area_under_roc(&p, width, &case.y).expect("all classes occur");
        near("AUROC", area, case.auroc_macro, SINGLE);
        if let Some(want) = case.sklearn_auc {
            let second: Vec<f64> = p.iter().skip(1).step_by(2).copied().collect();
            let truth: Vec<bool> = case.y.iter().map(|&y| y == 1).collect();
            let area = area_under_roc(&second, &truth).expect("both classes occur");
            near("AUC", area, want, DIGITS);
            near(
                "macro AUC",
                macro_area_under_roc(&p, 2, &case.y).unwrap(),
                area,
                DIGITS,
            );
        }
    }
}

#[test]
fn clusters_in_use_are_counted_as_in_the_batch_with_padding() {
    let case = fixture().occupancy;
    let clusters = case.occupancy.len();
    // Padded rows are zero in the file; here they do not exist.
    let (mut s, mut offsets) = (Vec::new(), vec![0]);
    for graph in &case.S {
        for row in graph.iter().filter(|row| row.iter().any(|&x| x != 0.0)) {
            s.extend_from_slice(row);
        }
        offsets.push(s.len() / clusters);
    }
    assert_eq!(offsets, [0, 7, 12, 19]);
    let counts = non_empty_clusters(&s, clusters, &offsets);
    let counts: Vec<f64> = counts.into_iter().map(|c| c as f64).collect();
    assert_eq!(counts, case.nonempty_counts_threshold_1_over_k);
    assert_close(
        "shares",
        &cluster_shares(&s, clusters),
        &case.occupancy,
        SINGLE,
    );
}

/// Features and classes of overlapping groups.
fn groups(seed: u64, rows: usize, width: usize, kinds: usize) -> (Vec<f64>, Vec<u32>) {
    let mut random = Random::new(seed);
    let centres = random.vector(kinds * width);
    let classes: Vec<u32> = (0..rows).map(|u| (u % kinds) as u32).collect();
    let features = (0..rows * width)
        .map(|i| centres[i / width % kinds * width + i % width] + 2.0 * random.vector(1)[0])
        .collect();
    (features, classes)
}

/// The gradient of C Σ losses + ½‖W‖² by the definition, for W and intercepts.
fn gradient(fit: &LogisticRegression, features: &[f64], width: usize, classes: &[u32]) -> Vec<f64> {
    let kinds = fit.classes().len();
    let p = fit.probabilities(features).unwrap();
    let rows = fit.intercepts().len();
    let mut sum = fit.coefficients().to_vec();
    sum.extend(vec![0.0; rows]);
    for (u, &class) in classes.iter().enumerate() {
        for r in 0..rows {
            // Two classes have one row, that of the second class.
            let column = if rows == 1 { 1 } else { r };
            let own = f64::from(u8::from(fit.classes()[column] == class));
            let error = p[u * kinds + column] - own;
            for f in 0..width {
                sum[r * width + f] += error * features[u * width + f];
            }
            sum[rows * width + r] += error;
        }
    }
    sum
}

#[test]
fn the_fit_is_the_optimum_for_two_and_more_classes() {
    for kinds in [2, 3, 7] {
        let (features, classes) = groups(kinds as u64, 401, 6, kinds);
        let config = LogisticConfig {
            tolerance: 1e-9,
            iterations: 1000,
            ..LogisticConfig::default()
        };
        let fit = LogisticRegression::fit(&features, 6, &classes, &config).unwrap();
        let rows = if kinds == 2 { 1 } else { kinds };
        assert_eq!(fit.coefficients().len(), rows * 6);
        assert_eq!(fit.intercepts().len(), rows);
        let slope = gradient(&fit, &features, 6, &classes);
        assert!(slope.iter().all(|g| g.abs() < 1e-4), "{slope:?}");
        // 100 iterations and the default tolerance are close enough.
        let usual = LogisticRegression::fit(&features, 6, &classes, &LogisticConfig::default());
        let usual = usual.unwrap();
        assert_close("W", usual.coefficients(), fit.coefficients(), 1e-4);
        assert_eq!(usual.predict(&features), fit.predict(&features));
    }
}

#[test]
fn names_of_classes_and_order_of_rows_do_not_matter() {
    let (features, classes) = groups(11, 90, 4, 3);
    let want = logistic_accuracy(&features, 4, &classes).unwrap();
    let renamed: Vec<u32> = classes.iter().map(|c| 1000 - 10 * c).collect();
    assert_eq!(logistic_accuracy(&features, 4, &renamed).unwrap(), want);
    let reversed: Vec<f64> = features.rchunks(4).flatten().copied().collect();
    let classes: Vec<u32> = classes.into_iter().rev().collect();
    assert_eq!(logistic_accuracy(&reversed, 4, &classes).unwrap(), want);
}

#[test]
fn threads_change_no_byte_of_a_fit() {
    let (features, classes) = groups(4, 5000, 9, 4);
    let run = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a thread pool")
            .install(|| LogisticRegression::fit(&features, 9, &classes, &LogisticConfig::default()))
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let config = LogisticConfig::default();
    let fit = |x: &[f64], y: &[u32]| LogisticRegression::fit(x, 2, y, &config).unwrap_err();
    assert_eq!(fit(&[0.0; 4], &[5, 5]), LogisticError::OneClass { rows: 2 });
    assert_eq!(fit(&[], &[]), LogisticError::OneClass { rows: 0 });
    assert!(matches!(
        fit(&[0.0; 5], &[0, 1]),
        LogisticError::Shape { .. }
    ));
    let bad = [0.0, 1.0, 2.0, f64::NAN];
    assert_eq!(
        fit(&bad, &[0, 1]),
        LogisticError::NotFinite { row: 1, column: 1 }
    );
    let config = LogisticConfig {
        inverse_strength: 0.0,
        ..config
    };
    let error = LogisticRegression::fit(&[0.0; 4], 2, &[0, 1], &config).unwrap_err();
    assert!(matches!(error, LogisticError::Strength { .. }));
    let none = logistic_accuracy::<f64>(&[], 0, &[0, 1]).unwrap_err();
    assert_eq!(none, LogisticError::NoFeatures);
}
