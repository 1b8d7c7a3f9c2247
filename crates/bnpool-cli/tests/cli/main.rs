//! Tests of the command, in one binary because each binary must be linked.

#[path = "../support/mod.rs"]
mod support;

mod answer;
mod cluster;
mod command;
mod compare;
mod damage;
mod guide;
#[cfg(unix)]
mod input;
mod outputs;
mod recorded;
mod remedies;
mod reproduce;
mod run_directory;
mod sealed;
#[cfg(unix)]
mod signals;
mod train;
mod understanding;
mod versions;
