//! Generates `docs/guide/configuration.md` from the types of the settings.

use super::source::{Field, Types};
use bnpool_task::Preset;
use bnpool_task::cluster::ClusterConfig;
use bnpool_task::learn::LearnConfig;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

const PAGE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/guide/configuration.md"
);
const CRATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// Environment variable that makes the test write the page.
const REWRITE: &str = "BNPOOL_WRITE_DOCS";
const PRESETS: [Preset; 3] = [Preset::Default, Preset::Paper, Preset::Authors];

const HEAD: &str = "# Configuration

Every value of a run is a setting. They come in layers, and later ones win: the preset, a file (`--config FILE`), single
values (`--set KEY=VALUE`), and flags. `run.toml` of every run holds all of them and can be the `--config` of another
run. A key that does not exist is an error.

```sh
bnpool cluster --preset paper --set pooler.alpha_dp=1 --set training.epochs=500
```

```toml
# my.toml, for `bnpool cluster --config my.toml`
preset = \"paper\"

[pooler]
alpha_dp = 1.0
```

The columns hold the values of the presets. A fourth preset, `paper-code`, is `authors` with the priors that the paper
reports for each of its data sets and a patience of 200. This page is made from the types of the settings;
`BNPOOL_WRITE_DOCS=1 cargo test --workspace --test cli guide` writes it again.
";

/// One task: its types, and the values of the presets.
struct Task<'a> {
    types: &'a Types,
    presets: [Value; 3],
    page: String,
}

impl Task<'_> {
    /// Writes the tables of a section and of nested sections.
    fn section(&mut self, type_name: &str, near: &Path, key: &str) {
        let types = self.types;
        let Some((path, fields)) = types.section(type_name, near) else {
            panic!("there is no section {type_name}");
        };
        let (flat, own): (Vec<&Field>, Vec<&Field>) = fields.iter().partition(|f| f.flat);
        // The type of the pooler settings is a parameter of the task.
        let kind = |field: &Field| match field.kind.as_str() {
            "C" => "PoolerConfig".to_owned(),
            kind => kind.to_owned(),
        };
        let is_section = |field: &&Field| types.section(&kind(field), path).is_some();
        let (inner, plain): (Vec<&Field>, Vec<&Field>) = own.into_iter().partition(is_section);
        if !plain.is_empty() {
            let title = if key.is_empty() { "The top" } else { key };
            let _ = if key.is_empty() {
                write!(self.page, "\n### {title}\n")
            } else {
                write!(self.page, "\n### `[{title}]`\n")
            };
            self.page += "\n| key | default | paper | authors | meaning |\n|---|---|---|---|---|\n";
            for field in &plain {
                self.row(key, field);
            }
            for field in &plain {
                self.words(field, path);
            }
        }
        for field in flat {
            let (path, fields) = types.section(&field.kind, path).expect("a flat section");
            for inner in fields {
                self.section(&inner.kind, path, &joined(key, &inner.name));
            }
        }
        for field in inner {
            self.section(&kind(field), path, &joined(key, &field.name));
        }
    }

    fn row(&mut self, section: &str, field: &Field) {
        let key = joined(section, &field.name);
        let pointer = format!("/{}", key.replace('.', "/"));
        let values = self.presets.each_ref().map(|preset| {
            let value = preset.pointer(&pointer);
            match value.unwrap_or_else(|| panic!("`{key}` is not a setting")) {
                Value::String(word) => format!("`{word}`"),
                value => format!("`{value}`"),
            }
        });
        assert!(!field.docs.is_empty(), "`{key}` is not documented");
        let docs = plain(&field.docs);
        let _ = writeln!(
            self.page,
            "| `{}` | {} | {docs} |",
            field.name,
            values.join(" | ")
        );
    }

    fn words(&mut self, field: &Field, near: &Path) {
        let Some(words) = self.types.words(&field.kind, near) else {
            return;
        };
        if field.name == "preset" {
            return;
        }
        let _ = writeln!(self.page, "\nValues of `{}`:\n", field.name);
        for word in words {
            let _ = writeln!(self.page, "- `{}`: {}", word.name, plain(&word.docs));
        }
    }
}

fn joined(section: &str, name: &str) -> String {
    if section.is_empty() {
        name.to_owned()
    } else {
        format!("{section}.{name}")
    }
}

/// Removes links to types from documentation.
fn plain(docs: &str) -> String {
    let docs = docs.replace("[`", "`").replace("`]", "`");
    let docs = docs.replace("super::", "").replace("Self::", "");
    // An unescaped bar would end the cell.
    docs.replace('|', "\\|")
}

fn json(config: &impl serde::Serialize) -> Value {
    serde_json::to_value(config).expect("settings can be written")
}

fn page() -> String {
    let types =
        Types::read(["bnpool", "bnpool-task"].map(|name| Path::new(CRATES).join(name).join("src")));
    let mut page = HEAD.to_owned();
    let task = |name: &str, type_name: &str, file: &str, presets: [Value; 3]| {
        let mut task = Task {
            types: &types,
            presets,
            page: format!("\n## `bnpool {name}`\n"),
        };
        task.section(
            type_name,
            &Path::new(CRATES).join("bnpool-task/src").join(file),
            "",
        );
        task.page
    };
    page += &task(
        "cluster",
        "ClusterConfig",
        "cluster/config.rs",
        PRESETS.map(|preset| json(&ClusterConfig::preset(preset))),
    );
    page += &task(
        "train",
        "LearnConfig",
        "learn/config.rs",
        PRESETS.map(|preset| json(&LearnConfig::preset(preset, None))),
    );
    page
}

#[test]
fn the_configuration_page_is_that_of_the_types() {
    let made = page();
    if std::env::var_os(REWRITE).is_some() {
        std::fs::write(PAGE, &made).expect("docs/guide/configuration.md");
    }
    let written = std::fs::read_to_string(PAGE).unwrap_or_default();
    assert!(
        written.replace("\r\n", "\n") == made,
        "docs/guide/configuration.md is not that of the types; write it with {REWRITE}=1"
    );
}
