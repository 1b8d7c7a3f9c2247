//! Conversion of Python values to settings.

use crate::error::wrong;
use bnpool_task::settings::Setting;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};
use toml::Value;

/// Key, value, and the name given by the user.
pub type Given<'py> = (String, Bound<'py, PyAny>, String);

/// Converts settings to the form of the layers of the command.
pub fn settings(given: Vec<Given<'_>>) -> PyResult<Vec<Setting>> {
    let all = given.into_iter().map(|(key, value, origin)| {
        let value = toml_value(&value, &origin)?;
        Ok(Setting { key, value, origin })
    });
    all.collect()
}

fn toml_value(value: &Bound<'_, PyAny>, origin: &str) -> PyResult<Value> {
    // In Python, a bool is also an int.
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        let number: i64 = value
            .extract()
            .map_err(|_| wrong(format!("{origin}: the number is too large")))?;
        return Ok(Value::Integer(number));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Value::String(value.extract()?));
    }
    let kind = value.get_type().name()?.to_string();
    Err(wrong(format!(
        "{origin}: a number, a word or a truth value is needed, and this is of the type {kind}"
    )))
}
