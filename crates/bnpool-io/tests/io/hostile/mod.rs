//! Hostile files: each has a defined result, and none takes memory or time that
//! its own size does not justify.

mod arbitrary;
mod archives;
mod promises;
#[cfg(unix)]
mod streams;
mod text;

use bnpool_graph::Graph;
use bnpool_io::format::{Format, Limits, ReadError, ReadOptions, ReadReport, Source, read_source};

/// Reads a graph from bytes as if they were a file of this name.
fn read(name: &str, bytes: &[u8]) -> Result<(Graph, ReadReport), ReadError> {
    let source = Source::from_bytes(name, bytes.to_vec(), &Limits::default())?;
    let format = Format::detect(name.as_ref())?;
    read_source(source, format, &ReadOptions::default())
}

/// The message of a refusal.
fn refusal(name: &str, bytes: &[u8]) -> String {
    match read(name, bytes) {
        Ok((graph, _)) => panic!("{name} gave {} nodes", graph.nodes()),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn assert_refused(name: &str, bytes: &[u8], expected: &str) {
    let message = refusal(name, bytes);
    assert!(message.contains(expected), "{message}");
    assert!(message.starts_with(name), "{message}");
    // Errors of the graph itself say what is needed after a colon or a comma.
    let rest = &message[name.len() + 2..];
    assert!(rest.contains([';', ':', ',']), "no remedy: {message}");
}
