//! Tests of the public API. One binary, because linking Burn takes seconds.

mod block_matrix;
mod cheat_sheet;
mod examples;
mod golden;
mod nan;
mod operator;
