//! Tests of the documentation.

mod pages;
mod reference;
mod source;
