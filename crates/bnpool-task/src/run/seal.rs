//! Checksums inside the text files of a run.
//!
//! Without them, changed bytes on a disk or edited settings would silently change
//! results.

use super::Checksum;
use crate::Failure;
use bnpool_io::remedy::Change;
use serde::Serialize;
use serde_json::Value as Json;
use std::path::Path;
use toml::{Table, Value};

/// Key of a checksum.
const KEY: &str = "checksum";

fn of_text(text: &str) -> String {
    Checksum::of(text.as_bytes())
}

/// Inserts the checksum of a table into one of its sections.
pub fn seal_table(table: &mut Table, section: &str) {
    let sum = of_text(&table.to_string());
    if let Some(Value::Table(section)) = table.get_mut(section) {
        section.insert(KEY.into(), sum.into());
    }
}

/// Removes the checksum from a section, and returns an error if the table was
/// changed after it was sealed.
pub fn open_table(table: &mut Table, section: &str, path: &Path) -> Result<(), Failure> {
    let written = match table.get_mut(section) {
        Some(Value::Table(section)) => section.remove(KEY),
        _ => None,
    };
    let problem = match written {
        Some(Value::String(sum)) if sum == of_text(&table.to_string()) => return Ok(()),
        Some(_) => "was changed after bnpool wrote it: its checksum does not match",
        None => "has no checksum: it was not written by this version of bnpool",
    };
    Err(Failure::advised(
        format!(
            "{}: it {problem}, and the settings of a run cannot be edited",
            path.display()
        ),
        Change::OwnSettings,
    ))
}

/// An object followed by its checksum.
#[derive(Serialize)]
pub struct Sealed<'a, T> {
    #[serde(flatten)]
    value: &'a T,
    checksum: String,
}

/// Like [`seal_json`], but preserves the order of the keys.
pub fn sealed<T: Serialize>(value: &T) -> serde_json::Result<Sealed<'_, T>> {
    // Numbers as they are read back: single precision has other digits as text.
    let read: Json = serde_json::from_str(&serde_json::to_string(value)?)?;
    Ok(Sealed {
        value,
        checksum: of_text(&read.to_string()),
    })
}

/// Inserts the checksum of an object into it.
pub fn seal_json(value: &mut Json) {
    let sum = of_text(&value.to_string());
    if let Json::Object(object) = value {
        object.insert(KEY.into(), sum.into());
    }
}

/// Removes the checksum from an object; returns a description of the problem if
/// it does not match.
pub fn open_json(value: &mut Json) -> Result<(), &'static str> {
    let written = value.as_object_mut().and_then(|object| object.remove(KEY));
    match written {
        Some(Json::String(sum)) if sum == of_text(&value.to_string()) => Ok(()),
        Some(_) => Err("its checksum does not match"),
        None => Err("it has no checksum"),
    }
}

/// Like [`open_json`], but accepts files of older versions without a checksum.
pub fn open_if_sealed(value: &mut Json) -> Result<(), &'static str> {
    match value.get(KEY) {
        Some(_) => open_json(value),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_changed_value_is_noticed_and_a_changed_layout_is_not() {
        let mut table: Table = "seed = 1\nx = 0.1\n[run]\nname = 'a'"
            .parse()
            .expect("TOML");
        let plain = table.clone();
        seal_table(&mut table, "run");
        let text = table.to_string();
        let path = Path::new("run.toml");
        let mut same: Table = format!("# a note\n{text}").parse().expect("TOML");
        open_table(&mut same, "run", path).expect("the same values");
        assert_eq!(same, plain);
        let mut other: Table = text.replace("seed = 1", "seed = 2").parse().expect("TOML");
        assert!(open_table(&mut other, "run", path).is_err());
        assert!(open_table(&mut plain.clone(), "run", path).is_err());
    }

    #[test]
    fn an_object_comes_back() {
        let plain = json!({ "a": [0.1, 1e300], "b": null });
        let mut value = plain.clone();
        seal_json(&mut value);
        let mut read: Json = serde_json::from_str(&value.to_string()).expect("JSON");
        open_json(&mut read).expect("sealed");
        assert_eq!(read, plain);
        value["b"] = json!(1);
        assert!(open_if_sealed(&mut value.clone()).is_err());
        assert!(open_json(&mut value).is_err());
        assert!(open_if_sealed(&mut plain.clone()).is_ok());
        assert!(open_json(&mut plain.clone()).is_err());
    }

    #[test]
    fn sealed_keys_keep_their_order() {
        #[derive(Serialize)]
        struct Numbers {
            b: f32,
            a: Vec<f64>,
        }
        let numbers = Numbers {
            b: 0.1,
            a: vec![f64::NAN, 1e-300],
        };
        let text = serde_json::to_string(&sealed(&numbers).expect("sealed")).expect("JSON");
        assert!(
            text.starts_with(r#"{"b":0.1,"a":[null,1e-300],"checksum":""#),
            "{text}"
        );
        let mut read: Json = serde_json::from_str(&text).expect("JSON");
        open_json(&mut read).expect("as it was written");
    }
}
