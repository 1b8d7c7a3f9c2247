//! metrics.json: agreement with classes, classification, number of clusters in
//! use.

use super::fixture::{Number, Rows, flat, read};
use super::tolerance::{CHAIN, SINGLE_ROUNDING, assert_all_close, assert_close};
use bnpool_math::metrics::{
    LogisticConfig, LogisticRegression, accuracy, area_under_roc, class_probabilities,
    cluster_shares, completeness, cosine_agreement, homogeneity, logistic_accuracy,
    macro_area_under_roc, non_empty_clusters, normalised_mutual_information, predicted_classes,
};
use serde::Deserialize;

/// Tolerance of coefficients against scikit-learn, which stops at a gradient of
/// 1e-4 per node (7.5e-5 in the fixtures), at some distance from the optimum.
const LOGISTIC: f64 = 5e-3;

#[derive(Deserialize)]
struct File {
    clustering: Vec<Clustering>,
    classification: Vec<Classification>,
    occupancy: Occupancy,
}

#[derive(Deserialize)]
#[allow(non_snake_case)] // The names of the files.
struct Clustering {
    S: Rows,
    y: Vec<u32>,
    COS: f64,
    ACC: f64,
    logreg_coef: Rows,
    logreg_intercept: Vec<Number>,
    logreg_proba_first5: Rows,
    logreg_pred: Vec<u32>,
    NMI_sklearn: f64,
    NMI_torchmetrics: f64,
    completeness: f64,
    homogeneity: f64,
}

#[derive(Deserialize)]
struct Classification {
    logits: Rows,
    y: Vec<u32>,
    acc: f64,
    auroc_macro: f64,
    sklearn_auc: Option<f64>,
}

#[derive(Deserialize)]
#[allow(non_snake_case)] // The names of the files.
struct Occupancy {
    S: Vec<Rows>,
    nonempty_counts_threshold_1_over_k: Vec<f64>,
    occupancy: Vec<f64>,
}

#[test]
fn clusterings_match_scikit_learn() {
    let file: File = read("metrics.json");
    assert!(!file.clustering.is_empty());
    for (i, case) in file.clustering.iter().enumerate() {
        let (s, width) = (flat(&case.S), case.S[0].len());
        let found = predicted_classes(&s, width);
        let nmi = normalised_mutual_information(&case.y, &found);
        for (what, got, want) in [
            ("COS", cosine_agreement(&s, width, &case.y), case.COS),
            ("NMI", nmi, case.NMI_sklearn),
            ("NMI of torchmetrics", nmi, case.NMI_torchmetrics),
            (
                "completeness",
                completeness(&case.y, &found),
                case.completeness,
            ),
            (
                "homogeneity",
                homogeneity(&case.y, &found),
                case.homogeneity,
            ),
        ] {
            assert_close(&format!("{what} of case {i}"), got, want, CHAIN, 0.0);
        }
    }
}

#[test]
fn logistic_regression_matches_scikit_learn() {
    let file: File = read("metrics.json");
    for (i, case) in file.clustering.iter().enumerate() {
        let (s, width) = (flat(&case.S), case.S[0].len());
        let fit = LogisticRegression::fit(&s, width, &case.y, &LogisticConfig::default())
            .expect("a case that can be fitted");
        assert_eq!(
            fit.predict(&s).as_ref(),
            Ok(&case.logreg_pred),
            "predictions of case {i}"
        );
        assert_eq!(
            logistic_accuracy(&s, width, &case.y),
            Ok(case.ACC),
            "ACC of case {i}"
        );
        let intercepts: Vec<f64> = case.logreg_intercept.iter().map(|x| x.0).collect();
        let first = fit
            .probabilities(&s[..5 * width])
            .expect("rows of the width of the fit");
        for (what, got, want) in [
            ("W", fit.coefficients(), flat(&case.logreg_coef)),
            ("intercepts", fit.intercepts(), intercepts),
            ("p", &first, flat(&case.logreg_proba_first5)),
        ] {
            // Relative to the largest coefficient, whose error affects the
            // small ones.
            let largest = want.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            for (j, (&got, &want)) in got.iter().zip(&want).enumerate() {
                let name = format!("{what}[{j}] of case {i}");
                assert_close(&name, got, want, LOGISTIC, largest);
            }
        }
    }
}

#[test]
fn classifications_match_torchmetrics() {
    let file: File = read("metrics.json");
    assert!(!file.classification.is_empty());
    for (i, case) in file.classification.iter().enumerate() {
        let (logits, width) = (flat(&case.logits), case.logits[0].len());
        let predicted = predicted_classes(&logits, width);
        let p = class_probabilities(&logits, width);
        let area = macro_area_under_roc(&p, width, &case.y).expect("all classes occur");
        // torchmetrics computes in single precision.
        for (what, got, want) in [
            ("accuracy", accuracy(&predicted, &case.y), case.acc),
            ("AUROC", area, case.auroc_macro),
        ] {
            assert_close(
                &format!("{what} of case {i}"),
                got,
                want,
                SINGLE_ROUNDING,
                0.0,
            );
        }
        if let Some(want) = case.sklearn_auc {
            let second: Vec<f64> = p.iter().skip(1).step_by(2).copied().collect();
            let truth: Vec<bool> = case.y.iter().map(|&y| y == 1).collect();
            let got = area_under_roc(&second, &truth).expect("both classes occur");
            assert_close(&format!("AUC of case {i}"), got, want, CHAIN, 0.0);
        }
    }
}

#[test]
fn clusters_in_use_match() {
    let case = read::<File>("metrics.json").occupancy;
    let clusters = case.occupancy.len();
    // The file pads with zero rows; there is no padding here.
    let (mut s, mut offsets) = (Vec::new(), vec![0]);
    for graph in &case.S {
        let real = graph.iter().filter(|row| row.iter().any(|x| x.0 != 0.0));
        s.extend(real.flatten().map(|x| x.0));
        offsets.push(s.len() / clusters);
    }
    let counts = non_empty_clusters(&s, clusters, &offsets);
    let counts: Vec<f64> = counts.into_iter().map(|c| c as f64).collect();
    assert_eq!(counts, case.nonempty_counts_threshold_1_over_k);
    // The reference is computed in single precision.
    assert_all_close(
        "shares",
        cluster_shares(&s, clusters),
        &case.occupancy,
        SINGLE_ROUNDING,
    );
}
