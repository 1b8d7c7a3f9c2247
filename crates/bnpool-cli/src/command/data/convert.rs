//! `bnpool data convert IN OUT`.

use crate::message::Failure;
use bnpool_graph::format::container::write_container;
use bnpool_graph::format::csr_bundle::write_csr_bundle;
use bnpool_graph::format::{Format, ReadOptions, read_graphs};
use clap::Args;
use std::path::PathBuf;

/// Flags of `bnpool data convert`.
#[derive(Args)]
#[command(after_help = "Examples:
  bnpool data convert edges.csv graph.safetensors --features x.npy --labels classes.csv
  bnpool data convert graph.gml graph.npz
  bnpool data convert MUTAG.zip mutag.safetensors --format tu")]
pub struct Arguments {
    /// The graph file, folder or archive to read.
    input: PathBuf,
    /// The file to write: .safetensors (everything) or .npz (one graph: edges,
    /// features, labels).
    output: PathBuf,
    /// Format of the input, where its name does not tell.
    #[arg(long)]
    format: Option<Format>,
    /// Node features: csv, .npy or .npz.
    #[arg(long, value_name = "FILE")]
    features: Option<PathBuf>,
    /// Node labels: csv or .npy.
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
    /// Keep the directions of the edges.
    #[arg(long)]
    directed: bool,
}

impl Arguments {
    /// Reads, then writes to a temporary name and renames.
    pub fn run(self) -> Result<(), Failure> {
        let options = ReadOptions {
            format: self.format,
            features: self.features,
            labels: self.labels,
            directed: self.directed,
            ..ReadOptions::default()
        };
        let kind = self
            .output
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or_default()
            .to_owned();
        if !["safetensors", "npz"].contains(&kind.as_str()) {
            return Err(Failure::Input(format!(
                "{}: cannot write `.{kind}` files; name the output .safetensors or .npz",
                self.output.display()
            )));
        }
        let (graphs, report) = read_graphs(&self.input, &options)?;
        for note in &report.notes {
            eprintln!("note: {note}");
        }
        if kind == "npz" {
            let [graph] = &graphs[..] else {
                return Err(Failure::Input(format!(
                    "{}: holds {} graphs, and an .npz bundle holds one; write .safetensors instead",
                    self.input.display(),
                    graphs.len()
                )));
            };
            write_csr_bundle(&self.output, graph)?;
        } else {
            write_container(&self.output, &graphs, report.classes.as_deref())?;
        }
        let count = graphs.len();
        let plural = if count == 1 { "" } else { "s" };
        println!("{}: {count} graph{plural} written", self.output.display());
        Ok(())
    }
}
