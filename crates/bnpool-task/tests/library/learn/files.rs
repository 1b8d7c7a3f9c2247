//! Tests of files of older versions, which lack keys.

use bnpool::nn::LayerKind;
use bnpool::pool::{PoolSettings, PoolerConfig};
use bnpool_task::Preset;
use bnpool_task::cluster::{ClusterConfig, WarmStart};
use bnpool_task::learn::{LearnConfig, ModelCard, Objective};

/// Settings of `cluster` before the introduction of `clusters`, `search`,
/// `model.layer`, `pooler.degree_correction` and sections of poolers.
const OLDER: &str = r#"
preset = "default"
seed = 7

[features]
source = "both"
spectral = 8
random = 4

[model]
hidden = 16
delta = 0.85
target = "binary"

[pooler]
name = "bn"
ratio = 0.5
max_clusters = 12
alpha_dp = 3
mu_k = 1.0
sigma_k = 1.0
eta_k = 1.0
particles = 1
start = "plain"
train_k = true
loss = "auto"
normalisation = "estimate"

[training]
epochs = 90
learning_rate = 0.002
block_rate = 1.0
clip_norm = 5.0
estimated = 0
annealing = 0
patience = 30
monitor = "rec"
plateau_factor = 1.0
plateau_patience = 200
warm_start = "spectral"
starts = 1

[evaluation]
samples = 20
min_size = 1
split_disconnected = false
"#;

#[test]
fn settings_of_an_older_version_mean_what_they_meant() {
    let config: ClusterConfig = toml::from_str(OLDER).expect("an older file");
    assert_eq!((config.seed, config.training.epochs), (7, 90));
    assert_eq!(config.pooler.alpha_dp, 3.0);
    assert_eq!(config.training.warm_start, WarmStart::Spectral);
    // Later settings are off, whatever the current preset.
    let today = ClusterConfig::preset(Preset::Default);
    assert!(today.pooler.degree_correction);
    assert!(!config.pooler.degree_correction);
    assert_eq!(config.model.layer, LayerKind::Gcn);
    assert_eq!((config.clusters, &config.search), (0, &today.search));
    assert_eq!(config.pooler.rivals, today.pooler.rivals);
}

#[test]
fn missing_keys_are_those_of_the_preset() {
    let written = |text: &str| toml::from_str::<ClusterConfig>(text).expect("a file");
    assert_eq!(written(""), ClusterConfig::default());
    for (name, preset) in [("paper", Preset::Paper), ("authors", Preset::Authors)] {
        let config = written(&format!("preset = \"{name}\"\n[training]\nepochs = 5"));
        let mut want = ClusterConfig::preset(preset);
        want.training.epochs = 5;
        assert_eq!(config, want);
    }
    let text = "preset = \"default\"\n[model]\nhidden = 8\n[pooler.mincut]\ncut = 2";
    let config: LearnConfig = toml::from_str(text).expect("a file");
    let mut want = LearnConfig::default();
    want.model.hidden = 8;
    want.pooler.rivals.mincut.cut = 2.0;
    assert_eq!(config, want);
}

#[test]
fn what_is_written_is_read_back() {
    for preset in [Preset::Default, Preset::Paper, Preset::Authors] {
        let cluster = ClusterConfig::preset(preset).with_seed(u64::MAX >> 1);
        let text = toml::to_string(&cluster).expect("TOML");
        assert_eq!(toml::from_str::<ClusterConfig>(&text).ok(), Some(cluster));
        let learn = LearnConfig::preset(preset, Some("DD")).with_seed(u64::MAX);
        let text = serde_json::to_string(&learn).expect("JSON");
        assert_eq!(serde_json::from_str::<LearnConfig>(&text).ok(), Some(learn));
    }
}

#[test]
fn unknown_keys_and_wrong_kinds_are_refused_by_name() {
    let message = |text: &str| {
        let read = toml::from_str::<LearnConfig>(text);
        read.expect_err("refused").to_string()
    };
    assert!(message("sed = 1").contains("`sed`"));
    assert!(message("[training]\nepoch = 1").contains("`training.epoch`"));
    assert!(message("[pooler.mincut]\nkut = 1").contains("`pooler.mincut.kut`"));
    assert!(message("[pooler]\nratio = \"half\"").contains("`pooler.ratio` should be a number"));
    assert!(message("training = 3").contains("`training` should be a section"));
    assert!(message("preset = \"best\"").contains("`preset`"));
    assert!(message("[training]\nmonitor = \"best\"").contains("`training`"));
    assert!(message("[training]\nepochs = 1.5").contains("`training`"));
    assert!(message("[pooler]\nalpha_dp = nan").contains("`pooler.alpha_dp`"));
}

#[test]
fn the_card_of_an_older_model_is_read() {
    let mut card = serde_json::json!({
        "version": "0.1.0",
        "config": LearnConfig::preset(Preset::Default, None),
        "objective": Objective::Classes { count: 2 },
        "input": { "kind": "numbers", "nodes": 3, "edges": 0 },
        "mean_nodes": 8.0,
        "class_names": ["a", "b"],
    });
    let remove = |card: &mut serde_json::Value, section: &str, key: &str| {
        let section = card["config"][section].as_object_mut().expect("a section");
        section.remove(key).expect("a key");
    };
    for key in ["layer", "standardise", "standardise_targets"] {
        remove(&mut card, "model", key);
    }
    remove(&mut card, "pooler", "degree_correction");
    remove(&mut card, "pooler", "hosc");
    let read: ModelCard = serde_json::from_value(card.clone()).expect("an older card");
    // The model has no layers for standardisation, so its settings must not
    // require them.
    assert!(!read.config.model.standardise && !read.config.model.standardise_targets);
    assert_eq!(read.config.model.layer, LayerKind::Gine);
    remove(&mut card, "evaluation", "samples");
    let read: ModelCard = serde_json::from_value(card.clone()).expect("a shorter card");
    assert_eq!(
        read.config.evaluation.samples,
        LearnConfig::default().evaluation.samples
    );
    card["config"]["model"]["widht"] = 3.into();
    let refused = serde_json::from_value::<ModelCard>(card).expect_err("a misspelt key");
    assert!(refused.to_string().contains("`model.widht`"), "{refused}");
}

#[test]
fn the_pooler_of_another_crate_reads_its_own_section() {
    #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Own {
        inner: PoolerConfig,
        #[serde(default)]
        extra: usize,
    }
    impl PoolSettings for Own {
        type Pool = bnpool::pool::Pooler;
        fn traits(&self) -> bnpool::pool::PoolTraits {
            self.inner.traits()
        }
        fn check(&self) -> Result<(), bnpool::pool::PoolError> {
            self.inner.check()
        }
        fn init(
            &self,
            site: &bnpool::pool::PoolSite,
            init: &mut bnpool::nn::Initialiser,
        ) -> Result<Self::Pool, bnpool::pool::PoolError> {
            self.inner.init(site, init)
        }
    }
    let own = Own {
        inner: PoolerConfig::paper(),
        extra: 3,
    };
    let config = LearnConfig::default().with_pooler(own);
    let text = toml::to_string(&config).expect("TOML");
    let read = toml::from_str::<LearnConfig<Own>>(&text);
    assert_eq!(read.expect("a file"), config);
    let read = toml::from_str::<LearnConfig<Own>>(&text.replace("extra = 3", ""));
    assert_eq!(read.expect("a file").pooler.extra, 0);
}
