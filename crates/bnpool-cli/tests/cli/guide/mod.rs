//! The documentation is true.

mod pages;
mod reference;
mod source;
