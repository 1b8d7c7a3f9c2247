//! Flags that several subcommands share, and the settings that they stand for.

pub mod input;
pub mod layers;
pub mod run;
pub mod setting;
