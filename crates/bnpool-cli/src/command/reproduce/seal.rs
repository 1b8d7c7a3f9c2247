//! Checksums inside JSON objects.

use bnpool_task::run::Checksum;
use serde_json::Value as Json;

/// The key of a checksum.
const KEY: &str = "checksum";

fn of_text(text: &str) -> String {
    Checksum::of(text.as_bytes())
}

/// Puts its checksum into an object.
pub fn seal_json(value: &mut Json) {
    let sum = of_text(&value.to_string());
    if let Json::Object(object) = value {
        object.insert(KEY.into(), sum.into());
    }
}

/// Takes the checksum out of an object again; says what is wrong where it does
/// not match.
pub fn open_json(value: &mut Json) -> Result<(), &'static str> {
    let written = value.as_object_mut().and_then(|object| object.remove(KEY));
    match written {
        Some(Json::String(sum)) if sum == of_text(&value.to_string()) => Ok(()),
        Some(_) => Err("its checksum does not match"),
        None => Err("it has no checksum"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_object_comes_back() {
        let plain = json!({ "a": [0.1, 1e300], "b": null });
        let mut value = plain.clone();
        seal_json(&mut value);
        let mut read: Json = serde_json::from_str(&value.to_string()).expect("JSON");
        open_json(&mut read).expect("sealed");
        assert_eq!(read, plain);
        value["b"] = json!(1);
        assert!(open_json(&mut value).is_err());
        assert!(open_json(&mut plain.clone()).is_err());
    }
}
