//! Graphs written in small languages of their own.

pub(crate) mod dot;
pub(crate) mod gml;
