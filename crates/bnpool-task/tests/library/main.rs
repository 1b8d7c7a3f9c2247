//! Tests of the public API of the tasks, in one binary because linking Burn takes
//! seconds.

mod cluster;
mod divided;
mod examples;
mod golden;
mod learn;
mod nan;
mod workspace;
