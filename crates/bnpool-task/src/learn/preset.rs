//! Presets of trainings.

use super::{
    DataConfig, Encoder, EvaluationConfig, LearnConfig, ModelConfig, Monitor, SplitKind,
    TrainingConfig,
};
use crate::Preset;
use bnpool::model::Norm;
use bnpool::nn::{LayerKind, Readout};
use bnpool::pool::{PoolerConfig, Reconstruction, RivalConfig};

/// Best α_DP, μ_K and σ_K in the paper (`tab:optimal-hyperparams`), by data set.
const BEST_PRIORS: [(&str, [f64; 3]); 14] = [
    ("gcb-h", [10.0, 30.0, 1.0]),
    ("collab", [1.0, 10.0, 0.1]),
    ("colors-3", [10.0, 30.0, 1.0]),
    ("imdb-binary", [10.0, 10.0, 0.1]),
    ("mutagenicity", [10.0, 30.0, 1.0]),
    ("nci1", [10.0, 1.0, 0.1]),
    ("reddit-binary", [1.0, 1.0, 1.0]),
    ("dd", [30.0, 1.0, 1.0]),
    ("mutag", [1.0, 10.0, 1.0]),
    ("proteins", [1.0, 1.0, 0.1]),
    ("enzymes", [1.0, 30.0, 0.1]),
    ("ogbg-molhiv", [10.0, 1.0, 0.1]),
    ("peptides-struct", [1.0, 0.1, 0.1]),
    ("multipartite", [1.0, 10.0, 1.0]),
];

/// Patience of [`Preset::PaperCode`] in epochs. The code uses 500, which takes
/// too long for all runs of a table.
const CODE_PATIENCE: usize = 200;

/// Sets for which the authors' code selects the best epoch by the validation
/// loss.
const AUTHORS_BY_LOSS: [&str; 6] = [
    "mutag",
    "proteins",
    "dd",
    "imdb-binary",
    "gcb-h",
    "multipartite",
];

/// Sets whose node features are measured quantities of very different scales.
/// Without standardisation, almost nothing is learned from them (Multipartite
/// stays at chance level, ENZYMES far below the paper). With it, the accuracy of
/// the paper is reached.
const MEASURED: [&str; 3] = ["enzymes", "multipartite", "proteins"];

/// Sets of molecules with the features of the Open Graph Benchmark.
const MOLECULES: [&str; 2] = ["ogbg-molhiv", "peptides-struct"];

impl LearnConfig {
    /// Returns the values of a preset, for a data set of the paper or for other
    /// data.
    #[must_use]
    pub fn preset(preset: Preset, dataset: Option<&str>) -> Self {
        let name = dataset.unwrap_or_default().to_lowercase();
        let mut config = match preset {
            Preset::Paper => Self::paper(),
            Preset::Authors | Preset::PaperCode => Self::authors(),
            Preset::Default => Self::best(),
        };
        config.preset = preset;
        let molecules = MOLECULES.contains(&name.as_str());
        if molecules {
            config.model.encoder = Encoder::Molecule;
        }
        // User data may have features and targets of any scale.
        let own = dataset.is_none();
        config.model.standardise_targets = own;
        config.model.standardise = match preset {
            Preset::Paper => own || MEASURED.contains(&name.as_str()),
            // The code does not use attributes of the other sets.
            Preset::Authors | Preset::PaperCode => name == "multipartite",
            Preset::Default => true,
        };
        if !preset.follows_code() && !own && !molecules {
            // Some sets have an official split: that of COLORS-3 trains on 500
            // small graphs and tests on large ones. The text of the paper uses
            // folds.
            config.data.split = SplitKind::Folds;
        }
        if preset == Preset::Default && own {
            // The few graphs of a rare class must not all be in one fold.
            config.data.split = SplitKind::Stratified;
        }
        if matches!(preset, Preset::Paper | Preset::PaperCode)
            && let Some((_, [alpha, mu, sigma])) = BEST_PRIORS.iter().find(|p| p.0 == name)
        {
            config.pooler.alpha_dp = *alpha;
            config.pooler.mu_k = *mu;
            config.pooler.sigma_k = *sigma;
        }
        if preset == Preset::PaperCode {
            config.training.patience = CODE_PATIENCE;
        }
        match preset {
            Preset::Paper => {
                if molecules {
                    config.model.hidden = 64;
                    config.model.before = 2;
                    config.model.after = 2;
                    config.model.norm = Norm::All;
                    config.model.dropout = 0.1;
                }
            }
            Preset::Authors | Preset::PaperCode => {
                if molecules {
                    config.model.norm = Norm::Layer;
                }
                if AUTHORS_BY_LOSS.contains(&name.as_str()) {
                    config.training.monitor = Monitor::Loss;
                }
                if matches!(name.as_str(), "colors-3" | "ogbg-molhiv") {
                    config.training.batch_size = 64;
                }
            }
            Preset::Default => {}
        }
        config
    }

    fn paper() -> Self {
        Self {
            preset: Preset::Paper,
            seed: 0,
            data: DataConfig {
                cleaned: false,
                node_attributes: true,
                attention_column: false,
                split: SplitKind::Auto,
                folds: 10,
                split_seed: 0,
            },
            model: ModelConfig {
                layer: LayerKind::Gine,
                hidden: 32,
                before: 1,
                after: 1,
                levels: 1,
                norm: Norm::None,
                dropout: 0.5,
                readout: Readout::Sum,
                delta: 0.85,
                standardise: false,
                standardise_targets: false,
                encoder: Encoder::None,
                encoder_width: 100,
            },
            pooler: PoolerConfig::paper(),
            training: TrainingConfig {
                epochs: 10_000,
                batch_size: 16,
                learning_rate: 5e-4,
                clip_norm: 0.0,
                annealing: 50,
                patience: 100,
                monitor: Monitor::Metric,
                plateau_factor: 0.5,
                plateau_patience: 30,
            },
            evaluation: EvaluationConfig {
                samples: 1,
                mean: false,
            },
        }
    }

    fn authors() -> Self {
        let paper = Self::paper();
        Self {
            preset: Preset::Authors,
            data: DataConfig {
                cleaned: true,
                node_attributes: false,
                attention_column: true,
                split: SplitKind::Authors,
                ..paper.data
            },
            model: ModelConfig {
                layer: LayerKind::Gine,
                hidden: 64,
                before: 2,
                norm: Norm::Mlp,
                delta: 0.0,
                ..paper.model
            },
            pooler: PoolerConfig::authors(),
            training: TrainingConfig {
                epochs: 100_000,
                batch_size: 32,
                learning_rate: 1e-3,
                clip_norm: 5.0,
                annealing: 300,
                patience: 500,
                monitor: Monitor::Metric,
                plateau_factor: 0.8,
                plateau_patience: 150,
            },
            ..paper
        }
    }

    /// User data differ from the data sets of the paper, whose schedule counts epochs.
    /// With forty graphs an epoch has two steps, so the rate would be almost zero after a
    /// few hundred epochs, and six validation graphs are often all correct by chance in
    /// one of the first epochs. Therefore the rate is constant, and the task loss decides
    /// among epochs of equal accuracy. Message passing uses A instead of I − δL, so that
    /// sums over neighbours count them.
    fn best() -> Self {
        let (paper, authors) = (Self::paper(), Self::authors());
        Self {
            preset: Preset::Default,
            data: paper.data,
            model: authors.model,
            pooler: PoolerConfig {
                alpha_dp: 1.0,
                rivals: RivalConfig::default(),
                loss: Reconstruction::Auto,
                ..PoolerConfig::paper()
            },
            training: TrainingConfig {
                epochs: 1000,
                annealing: 50,
                patience: 100,
                monitor: Monitor::MetricThenLoss,
                plateau_factor: 1.0,
                ..authors.training
            },
            evaluation: EvaluationConfig {
                samples: 10,
                ..paper.evaluation
            },
            ..authors
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_their_own_defaults() {
        let paper = LearnConfig::preset(Preset::Paper, Some("DD"));
        assert_eq!(paper.pooler.alpha_dp, 30.0);
        let molecules = LearnConfig::preset(Preset::Paper, Some("ogbg-molhiv"));
        assert_eq!((molecules.model.hidden, molecules.model.after), (64, 2));
        let authors = LearnConfig::preset(Preset::Authors, Some("MUTAG"));
        assert_eq!(authors.training.monitor, Monitor::Loss);
        // Only priors and patience differ from the code.
        let mut code = LearnConfig::preset(Preset::PaperCode, Some("MUTAG"));
        assert_eq!((code.pooler.alpha_dp, code.pooler.mu_k), (1.0, 10.0));
        assert!(code.data.cleaned && !code.data.node_attributes);
        code.check().expect("presets are in range");
        code.preset = Preset::Authors;
        code.pooler = authors.pooler.clone();
        code.training.patience = authors.training.patience;
        assert_eq!(code, authors);
        // Folds as in the text, instead of the official split.
        let split = |name| LearnConfig::preset(Preset::Paper, name).data.split;
        assert_eq!(split(Some("COLORS-3")), SplitKind::Folds);
        assert_eq!(split(Some("gcb-h")), SplitKind::Folds);
        for name in [None, Some("ogbg-molhiv")] {
            assert_eq!(split(name), SplitKind::Auto);
        }
        let own = LearnConfig::preset(Preset::Default, None);
        assert!(own.model.standardise && own.model.standardise_targets);
        assert_eq!(own.data.split, SplitKind::Stratified);
        for config in [paper, molecules, authors, own] {
            config.check().expect("presets are in range");
        }
        for (name, _) in BEST_PRIORS {
            bnpool_io::dataset::find(name).expect("a data set of the registry");
        }
    }
}
