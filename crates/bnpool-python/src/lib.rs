//! Engine of the Python package `bnpool`.
//!
//! All computations use the library of the command. This module converts Python
//! values to graphs and settings, runs the engine without the global interpreter
//! lock, and returns results as arrays. The user interface of the package is written
//! in Python, in `python/bnpool`.

mod arrays;
mod data;
mod error;
mod fit;
mod found;
mod graph;
mod learn;
mod settings;
mod terms;
mod threads;
mod watch;

pub use terms::keyword;

use pyo3::prelude::*;

/// Adds everything except the command to the module of the wheel.
///
/// # Errors
///
/// Returns an error if the interpreter rejects a name.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<graph::Graph>()?;
    module.add_class::<found::Found>()?;
    module.add_class::<learn::Model>()?;
    module.add_class::<data::Set>()?;
    module.add_function(wrap_pyfunction!(graph::choose_columns, module)?)?;
    module.add_function(wrap_pyfunction!(fit::fit, module)?)?;
    module.add_function(wrap_pyfunction!(learn::learn, module)?)?;
    module.add_function(wrap_pyfunction!(data::load_set, module)?)?;
    module.add_function(wrap_pyfunction!(data::read_set, module)?)?;
    module.add_function(wrap_pyfunction!(data::list_sets, module)?)?;
    module.add_function(wrap_pyfunction!(data::write_graphs, module)?)?;
    module.add_function(wrap_pyfunction!(data::poolers, module)?)?;
    module.add_function(wrap_pyfunction!(settings::keywords, module)?)?;
    Ok(())
}
