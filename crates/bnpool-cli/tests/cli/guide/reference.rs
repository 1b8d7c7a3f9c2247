//! Generates `docs/guide/configuration.md` and `docs/run.schema.json` from the types and
//! tables of the settings.

use super::source::{Field, Types};
use bnpool_task::Preset;
use bnpool_task::bounds::RANGES;
use bnpool_task::cluster::ClusterConfig;
use bnpool_task::learn::LearnConfig;
use bnpool_task::offered::offered;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

const PAGE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/guide/configuration.md"
);
const SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/run.schema.json");
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
reports for each of its data sets and a patience of 200. This page is made from the types of the settings, as is
[run.schema.json](../run.schema.json), a JSON schema for editors;
`BNPOOL_WRITE_DOCS=1 cargo test --workspace --test cli guide` writes both again.

With a TOML language server such as Taplo, the first line `#:schema PATH/run.schema.json` of a file gives completion,
descriptions, and the ranges of numbers while you type.
";

/// One task: its types, and the values of the presets.
struct Task<'a> {
    types: &'a Types,
    presets: [Value; 3],
    page: String,
    schema: Value,
}

/// An object of a schema without any keys yet.
fn section_schema() -> Value {
    json!({ "type": "object", "additionalProperties": false, "properties": {} })
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
                self.property(key, field, path);
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

    /// Adds a setting to the schema.
    fn property(&mut self, section: &str, field: &Field, near: &Path) {
        let key = joined(section, &field.name);
        let default = self.presets[0].pointer(&format!("/{}", key.replace('.', "/")));
        let default = default.expect("a value of the preset").clone();
        let kind = match &default {
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            other => panic!("`{key}` is {other}, which the schema has no type for"),
        };
        let mut schema =
            json!({ "description": plain(&field.docs), "type": kind, "default": default });
        if let Some((_, low, high, _)) = RANGES.iter().find(|range| range.0 == key) {
            let whole = kind == "integer";
            let number = |bound: f64| {
                if whole {
                    json!(bound as u64)
                } else {
                    json!(bound)
                }
            };
            if *low == f64::MIN_POSITIVE {
                schema["exclusiveMinimum"] = json!(0);
            } else {
                schema["minimum"] = number(*low);
            }
            if *high < 1.0 {
                schema["exclusiveMaximum"] = json!(1);
            } else if *high < f64::MAX {
                schema["maximum"] = number(*high);
            }
        } else if kind == "integer" {
            schema["minimum"] = json!(0);
        }
        let words = self.types.words(&field.kind, near);
        let words = words.map(|words| words.iter().map(|word| word.name.clone()).collect());
        let own = || {
            let words = offered(&key)?.words()?;
            Some(words.iter().map(|(word, _)| (*word).to_owned()).collect())
        };
        if let Some(words) = words.or_else(own) {
            let words: Vec<String> = words;
            schema["enum"] = json!(words);
        }
        let mut place = &mut self.schema;
        for part in section.split('.').filter(|part| !part.is_empty()) {
            place = &mut place["properties"][part];
            if place.is_null() {
                *place = section_schema();
            }
        }
        place["properties"][&field.name] = schema;
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

/// Returns the page, and the schema.
fn made() -> (String, String) {
    let types =
        Types::read(["bnpool", "bnpool-task"].map(|name| Path::new(CRATES).join(name).join("src")));
    let task = |name: &str, type_name: &str, file: &str, presets: [Value; 3]| {
        let mut task = Task {
            types: &types,
            presets,
            page: format!("\n## `bnpool {name}`\n"),
            schema: section_schema(),
        };
        let near = Path::new(CRATES).join("bnpool-task/src").join(file);
        task.section(type_name, &near, "");
        let run = json!({ "type": "object", "description": "Facts of a run, ignored as a configuration." });
        task.schema["properties"]["run"] = run;
        task
    };
    let cluster = task(
        "cluster",
        "ClusterConfig",
        "cluster/config.rs",
        PRESETS.map(|preset| json(&ClusterConfig::preset(preset))),
    );
    let train = task(
        "train",
        "LearnConfig",
        "learn/config.rs",
        PRESETS.map(|preset| json(&LearnConfig::preset(preset, None))),
    );
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Settings of bnpool: run.toml, or the file of --config",
        "anyOf": [{ "$ref": "#/definitions/cluster" }, { "$ref": "#/definitions/train" }],
        "definitions": { "cluster": cluster.schema, "train": train.schema },
    });
    let schema = serde_json::to_string_pretty(&schema).expect("JSON") + "\n";
    (HEAD.to_owned() + &cluster.page + &train.page, schema)
}

#[test]
fn the_configuration_page_and_the_schema_are_those_of_the_types() {
    let (page, schema) = made();
    for (path, made) in [(PAGE, page), (SCHEMA, schema)] {
        if std::env::var_os(REWRITE).is_some() {
            std::fs::write(path, &made).expect("a writable file");
        }
        let written = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            written.replace("\r\n", "\n") == made,
            "{path} is not that of the types; write it with {REWRITE}=1"
        );
    }
}

/// Returns the first problem of settings by the keywords of the schema that are used.
fn problem(schema: &Value, value: &Value, key: &str) -> Option<String> {
    if let Some(object) = value.as_object() {
        return object.iter().find_map(|(name, value)| {
            let key = joined(key, name);
            match schema["properties"].get(name) {
                None if schema["additionalProperties"] == false => Some(format!("no key {key}")),
                None => None,
                Some(schema) => problem(schema, value, &key),
            }
        });
    }
    let of_kind = match schema["type"].as_str().expect("a type") {
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        other => panic!("{other}"),
    };
    let listed = schema["enum"]
        .as_array()
        .is_none_or(|words| words.contains(value));
    let number = value.as_f64().unwrap_or(0.0);
    let bound = |name: &str, fits: fn(f64, f64) -> bool| {
        let bound = schema[name].as_f64();
        bound.is_none_or(|bound| fits(number, bound))
    };
    let fits = bound("minimum", |x, bound| x >= bound)
        && bound("maximum", |x, bound| x <= bound)
        && bound("exclusiveMinimum", |x, bound| x > bound)
        && bound("exclusiveMaximum", |x, bound| x < bound);
    (!(of_kind && listed && fits)).then(|| format!("{key} = {value}"))
}

#[test]
fn the_schema_accepts_presets_and_refuses_the_refused() {
    let schema: Value = serde_json::from_str(&made().1).expect("JSON");
    let [cluster, train] = ["cluster", "train"].map(|task| &schema["definitions"][task]);
    for preset in Preset::ALL {
        let settings = json(&ClusterConfig::preset(preset));
        assert_eq!(problem(cluster, &settings, ""), None);
        let settings = json(&LearnConfig::preset(preset, Some("mutag")));
        assert_eq!(problem(train, &settings, ""), None);
    }
    for (settings, part) in [
        (json!({ "training": { "epochs": 0 } }), "training.epochs"),
        (
            json!({ "training": { "learning_rate": 0.0 } }),
            "learning_rate",
        ),
        (json!({ "pooler": { "name": "best" } }), "pooler.name"),
        (json!({ "pooler": { "loss": "quick" } }), "pooler.loss"),
        (json!({ "pooler": { "alpha": 1.0 } }), "no key pooler.alpha"),
        (json!({ "seed": "one" }), "seed"),
    ] {
        for schema in [cluster, train] {
            let found = problem(schema, &settings, "").expect(part);
            assert!(found.contains(part), "{found}");
        }
    }
    // Every range of the table is in the schema of a task that has its key.
    for &(key, low, _, _) in RANGES {
        let place = key
            .split('.')
            .fold(String::new(), |at, part| at + "/properties/" + part);
        let found = [cluster, train].map(|schema| schema.pointer(&place));
        assert!(found.iter().flatten().count() > 0, "{key}");
        for schema in found.into_iter().flatten() {
            let bound = schema.get("minimum").or(schema.get("exclusiveMinimum"));
            assert!(bound.and_then(Value::as_f64) <= Some(low), "{key}");
        }
    }
}
