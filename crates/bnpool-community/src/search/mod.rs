//! The search for communities, and what it found.
//!
//! [`find`] starts from many divisions, lowers the description length Σ of
//! each by several models, and compares the results with Σ of the graph without
//! any groups.
//!
//! *Communities* are judged by the models of the planted partition, and by the
//! block model when its groups turn out to be communities. A division counts as
//! one into communities when nearly every group prefers itself: has more edges
//! inside, for the degrees of its nodes, than to any other group. Of those
//! divisions the one with the lowest Σ is the answer. *Blocks* (groups that
//! behave alike, whoever they are joined to) are judged by the block model
//! alone. Under [`Structure::Auto`] blocks are the answer when there are no
//! communities to be found.
//!
//! Directions of edges are explained by the block model, when that has a lower Σ
//! than one which takes them for independent of the groups. Without groups both
//! have the same Σ, so that they can be compared.
//!
//! If hardly a node has edges (fewer than one of 16), the others are left out of the
//! search and of Σ.
//!
//! When Σ of every division is about that of no groups at all, evidence is
//! weak. Then the graph is compared with graphs of the same degrees whose edges
//! are drawn anew: a division that those do not have is shown as weak, else
//! there is none.

mod candidate;
mod conditional;
mod config;
mod core;
mod evidence;
mod interval;
mod null;
mod progress;
mod run;

pub(crate) use candidate::preference_of;
pub use candidate::{Candidate, Judge, Origin};
pub use conditional::own_probability;
pub(crate) use conditional::probability;
pub(crate) use config::Plan;
pub use config::{SearchConfig, Structure};
pub use evidence::{Evidence, NullTest, Verdict};
pub use interval::CountInterval;
pub use progress::{Progress, Stage};
pub use run::find;
pub(crate) use run::{STRONG, is_community};
