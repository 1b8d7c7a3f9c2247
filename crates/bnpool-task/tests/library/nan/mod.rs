//! Tests that a NaN stops a training with an error that names it.

mod training;
