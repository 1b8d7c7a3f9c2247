//! A value that is not a number stops a training by name.

mod training;
