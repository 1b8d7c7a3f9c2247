//! From the nodes, edges and attributes of a file to a graph.

pub(crate) mod attributed;
pub(crate) mod attributes;
pub(crate) mod classes;
pub(crate) mod edge_table;
pub(crate) mod join;
pub(crate) mod memory;
