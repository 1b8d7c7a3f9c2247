//! What a front end in another language shares with the command.
//!
//! A [`Given`] is a graph and where it came from, a [`Found`] what was found in it:
//! its report, its metrics and its run directory are those of `bnpool cluster`.
//! Settings come in the same layers as flags do ([`Setting`]).

mod found;
mod given;
mod learn;
mod pack;
mod setting;

pub use found::{Found, Pictures};
pub use given::{Given, Reading};
pub use learn::{learn_config, read_many};
pub use setting::{Setting, cluster_config};

pub use crate::command::cluster::{headline, warnings};
