//! `bnpool data generate NAME`.

use super::output;
use crate::terminal::destination;
use crate::terminal::message::Failure;
use bnpool_graph::Graph;
use bnpool_graph::generate::{Colors3, Community, GcbHard, Multipartite, Sbm};
use bnpool_io::format::Format;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// One graph of spatial communities (`--nodes`, `--blocks`).
    Community,
    /// One planted block model (`--nodes`, `--blocks`, `--p-in`, `--p-out`).
    Sbm,
    /// COLORS-3: count the green nodes.
    #[value(name = "colors-3")]
    Colors3,
    /// GCB-H: three clouds in three arrangements.
    #[value(name = "gcb-h")]
    GcbH,
    /// Multipartite: ten parts on a rotated decagon.
    Multipartite,
}

/// Flags of `bnpool data generate`.
#[derive(Args)]
#[command(after_help = "Examples:
  bnpool data generate sbm --nodes 600 --blocks 6 --p-in 0.12 --p-out 0.004 --out planted.safetensors
  bnpool data generate colors-3 --seed 1 --out colors.safetensors")]
pub struct Arguments {
    /// What to make.
    kind: Kind,
    /// The file to write: a safetensors container, or one graph as .npz or .csv.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Seed of the generator.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Nodes of a community graph or block model.
    #[arg(long, default_value_t = 400)]
    nodes: usize,
    /// Communities of a community graph or block model.
    #[arg(long, default_value_t = 5)]
    blocks: usize,
    /// Probability of an edge inside a block.
    #[arg(long, default_value_t = 0.1)]
    p_in: f64,
    /// Probability of an edge between blocks; above --p-in the blocks repel.
    #[arg(long, default_value_t = 0.01)]
    p_out: f64,
}

impl Arguments {
    /// Generates and writes the graphs.
    pub fn run(self) -> Result<(), Failure> {
        let graphs: Vec<Graph> = match self.kind {
            Kind::Community => {
                let community = Community {
                    nodes: self.nodes,
                    communities: self.blocks,
                };
                vec![community.generate(self.seed)?]
            }
            Kind::Sbm => {
                let model = Sbm::planted(self.nodes, self.blocks, self.p_in, self.p_out)?;
                vec![model.generate(self.seed)?]
            }
            Kind::Colors3 => Colors3::default().generate(self.seed)?,
            Kind::GcbH => GcbHard::default().generate(self.seed)?,
            Kind::Multipartite => Multipartite::default().generate(self.seed)?,
        };
        let format = match self.out.extension() {
            // Pipes and devices have no extension.
            None => Format::Container,
            Some(_) => output::format_of(&self.out)?,
        };
        destination::check::<PathBuf>(&self.out, [])?;
        output::write(format, &self.out, &graphs, None, &self.out.display())?;
        let (nodes, edges) = graphs
            .iter()
            .fold((0, 0), |(n, e), g| (n + g.nodes(), e + g.edges()));
        say!(
            "{}: {} graph{}, {nodes} nodes, {edges} directed edges",
            self.out.display(),
            graphs.len(),
            if graphs.len() == 1 { "" } else { "s" }
        );
        Ok(())
    }
}
