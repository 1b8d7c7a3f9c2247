//! Text with a node and its neighbours a line, or with sections of such lines.

pub(crate) mod adjacency_list;
pub(crate) mod metis;
pub(crate) mod pajek;
