//! The tasks as a caller meets them. One binary, because linking Burn takes seconds.

mod cluster;
mod divided;
mod examples;
mod golden;
mod learn;
mod nan;
mod workspace;
