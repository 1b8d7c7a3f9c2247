//! Tests of files that lack keys.

use bnpool::pool::{PoolSettings, PoolerConfig};
use bnpool_task::Preset;
use bnpool_task::cluster::ClusterConfig;
use bnpool_task::learn::{LearnConfig, ModelCard, Objective};

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
    assert!(message("[training]\nepochs = 1.5").contains("`training.epochs`"));
    assert!(message("[pooler]\nalpha_dp = nan").contains("`pooler.alpha_dp`"));
}

#[test]
fn a_card_takes_missing_settings_from_its_preset() {
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
