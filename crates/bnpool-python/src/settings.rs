//! Conversion of Python values to settings.

use crate::error::wrong;
use bnpool_task::offered::OFFERED;
use bnpool_task::settings::Setting;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};
use serde_json::Value;

/// Returns the keywords of the estimators of a task, `cluster` or `train`, with the
/// keys of their settings.
#[pyfunction]
pub fn keywords(task: &str) -> Vec<(&'static str, &'static str)> {
    let own = OFFERED.iter().filter(|own| own.is_of(task));
    // The seed may also be a generator.
    let own = own.filter(|own| own.key != "seed");
    own.map(|own| (own.keyword, own.key)).collect()
}

/// Key, value, and the name given by the user.
pub type Given<'py> = (String, Bound<'py, PyAny>, String);

/// Converts settings to the form of the layers of the command.
pub fn settings(given: Vec<Given<'_>>) -> PyResult<Vec<Setting>> {
    let all = given.into_iter().map(|(key, value, origin)| {
        let value = json(&value, &origin)?;
        Ok(Setting { key, value, origin })
    });
    all.collect()
}

fn json(value: &Bound<'_, PyAny>, origin: &str) -> PyResult<Value> {
    // In Python, a bool is also an int.
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Bool(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        let number: i64 = value
            .extract()
            .map_err(|_| wrong(format!("{origin}: the number is too large")))?;
        return Ok(number.into());
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(value.extract::<f64>()?.into());
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Value::String(value.extract()?));
    }
    let kind = value.get_type().name()?.to_string();
    Err(wrong(format!(
        "{origin}: a number, a word or a truth value is needed, and this is of the type {kind}"
    )))
}
