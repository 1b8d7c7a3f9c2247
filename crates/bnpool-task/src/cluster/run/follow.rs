//! Ranks other than rank 0 on one graph, which follow its instructions.

use super::parts;
use super::source::GraphSource;
use crate::Failure;
use crate::TaskError;
use crate::cluster::{ClusterConfig, Room, Trainer};
use crate::front::Context;
use crate::ranks::Order;
use bnpool_graph::divide::PartSource;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// Follows rank 0 until its end; returns the exit code that it sends.
///
/// # Errors
///
/// Returns an error if only this rank fails.
pub fn follow(data_dir: Option<&Path>, context: Context<'_>) -> Result<u8, Failure> {
    // Signals are handled by rank 0.
    let _training = context.front.training();
    let ranks = context.ranks;
    loop {
        match ranks.next_order()? {
            Order::Cluster {
                config,
                source,
                parts,
                memory,
                folder,
            } => {
                let ready = open(&source, &config, (parts, memory), data_dir, context);
                let found = ready.as_ref().map(|parts| parts::fingerprint(&**parts));
                let agreed = context.agree(&ready, found.unwrap_or_default());
                if let (Ok(parts), Ok(())) = (ready, agreed) {
                    let saved = ranks.engine().broadcast(&[]);
                    let room = Room::new(memory, folder);
                    let go_on = |_| ControlFlow::Continue(());
                    let made = parts::make(parts, &config, &room, &saved, &go_on, ranks);
                    if let Ok((trainer, _)) = parts::settle(made, context) {
                        return train(trainer, context);
                    }
                }
            }
            Order::End { code } => return Ok(code),
            other => return Err(other.unexpected()),
        }
    }
}

/// Opens the graph in parts, with the same settings as rank 0.
fn open(
    source: &GraphSource,
    config: &ClusterConfig,
    (in_parts, memory): (bool, Option<u64>),
    data_dir: Option<&Path>,
    context: Context<'_>,
) -> Result<Arc<dyn PartSource>, Failure> {
    let input = if in_parts {
        source.open_parts(config, memory)?
    } else {
        Some(source.read(data_dir, context.terms)?)
    };
    let parts = input.and_then(|input| input.divided(config));
    parts.ok_or_else(|| {
        Failure::input("the graph is not the one that rank 0 reads in parts".to_owned())
    })
}

/// Runs all epochs.
fn train(mut trainer: Trainer, context: Context<'_>) -> Result<u8, Failure> {
    loop {
        let done = match context.ranks.next_order()? {
            Order::Epoch => trainer.advance().map(|_| ()),
            Order::Test => trainer.finish().map(|_| ()),
            Order::End { code } => return Ok(code),
            other => return Err(other.unexpected()),
        };
        // Rank 0 has the same error and reports it, unless only the owner of a part has
        // it.
        if let Err(error @ TaskError::Read(_)) = done {
            return Err(error.into());
        }
    }
}
