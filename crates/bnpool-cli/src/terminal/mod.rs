//! Everything that is printed, and files that the user names.

#[macro_use]
pub mod message;

pub mod destination;
pub mod front;
pub mod progress;
pub mod remedy;
pub mod stage;
