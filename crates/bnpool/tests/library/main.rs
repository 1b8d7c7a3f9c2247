//! The library as a caller meets it. One binary, because linking Burn takes seconds.

mod block_matrix;
mod cheat_sheet;
mod cluster;
mod divided;
mod examples;
mod golden;
mod learn;
mod nan;
mod operator;
mod workspace;
