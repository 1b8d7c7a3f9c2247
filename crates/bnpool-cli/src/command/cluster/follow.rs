//! What the ranks other than the first do on one graph: as they are told.

use super::parts;
use super::source::Source;
use crate::interrupt;
use crate::message::Failure;
use crate::ranks::{Order, agree, engine, next_order};
use crate::run::RunFlags;
use bnpool_graph::divide::PartSource;
use bnpool_task::TaskError;
use bnpool_task::cluster::{ClusterConfig, Room, Trainer};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// Follows rank 0 to the end; gives the exit code that it says.
pub fn follow(flags: &RunFlags) -> Result<u8, Failure> {
    // It is for rank 0 to react to a signal.
    let _training = interrupt::Training::begin();
    loop {
        match next_order()? {
            Order::Cluster {
                config,
                source,
                parts,
                memory,
                folder,
            } => {
                let ready = open(&source, &config, parts, memory, flags.data_dir.as_deref());
                let agreed = agree(match &ready {
                    Ok(parts) => Ok(parts::fingerprint(&**parts)),
                    Err(failure) => Err(failure.problem()),
                });
                if let (Ok(parts), Ok(())) = (ready, agreed) {
                    let saved = engine().broadcast(&[]);
                    let room = Room::new(memory, folder);
                    let go_on = |_| ControlFlow::Continue(());
                    let made = parts::make(parts, &config, &room, &saved, &go_on);
                    if let Ok((trainer, _)) = parts::settle(made) {
                        return train(trainer);
                    }
                }
            }
            Order::End { code } => return Ok(code),
            other => return Err(other.unexpected()),
        }
    }
}

/// The graph in parts, read as rank 0 reads it.
fn open(
    source: &Source,
    config: &ClusterConfig,
    in_parts: bool,
    memory: Option<u64>,
    data_dir: Option<&Path>,
) -> Result<Arc<dyn PartSource>, Failure> {
    let input = if in_parts {
        source.open_parts(config, memory)?
    } else {
        Some(source.read(data_dir)?)
    };
    let parts = input.and_then(|input| input.divided(config));
    parts.ok_or_else(|| {
        Failure::Input("the graph is not the one that rank 0 reads in parts".to_owned())
    })
}

/// Epoch after epoch.
fn train(mut trainer: Trainer) -> Result<u8, Failure> {
    loop {
        let done = match next_order()? {
            Order::Epoch => trainer.advance().map(|_| ()),
            Order::Test => trainer.finish().map(|_| ()),
            Order::End { code } => return Ok(code),
            other => return Err(other.unexpected()),
        };
        // Rank 0 has found the same and says it, unless only the owner of a part knows.
        if let Err(error @ TaskError::Read(_)) = done {
            return Err(error.into());
        }
    }
}
