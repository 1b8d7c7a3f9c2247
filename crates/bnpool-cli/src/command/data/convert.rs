//! `bnpool data convert IN OUT`.

use super::Place;
use super::output;
use crate::flags::input::{InputFlags, refuse_flags};
use crate::terminal::destination;
use crate::terminal::message::Failure;
use bnpool_community::order_by_neighbours;
use bnpool_graph::Graph;
use bnpool_io::dataset::{find, load};
use bnpool_io::format::{Format, ReadOptions, read_graphs};
use bnpool_task::Terms;
use bnpool_task::cluster::run::{notes, stem};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Flags of `bnpool data convert`.
#[derive(Args)]
#[command(after_help = "Examples:
  bnpool data convert edges.csv graph.safetensors --features x.npy --labels classes.csv
  bnpool data convert graph.gml graph.npz
  bnpool data convert graph.gexf edges.csv
  bnpool data convert graph.gexf - | head
  bnpool data convert cora cora.npz
  bnpool data convert MUTAG.zip mutag.safetensors --format tu
  bnpool data convert huge.csv huge.safetensors --order neighbours")]
pub struct Arguments {
    /// The graph file, folder or archive to read, or the name of a data set.
    input: PathBuf,
    /// The file to write: .safetensors (everything), .npz (one graph: edges,
    /// features, labels) or .csv (one graph: an edge list with names); `-` for
    /// an edge list on standard output.
    output: PathBuf,
    /// Node features: csv, .npy or .npz.
    #[arg(long, value_name = "FILE")]
    features: Option<PathBuf>,
    /// Node labels: csv or .npy.
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
    /// Node attribute (GML, GraphML) or column of the labels that holds the
    /// label.
    #[arg(long, value_name = "NAME")]
    label_attribute: Option<String>,
    /// The order of the nodes: that of the file, or neighbours near each other, so
    /// that parts of a large graph have few edges between them. Nodes keep their
    /// names; those without get the number that they had.
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = Order::File)]
    order: Order,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    input_flags: InputFlags,
}

/// How nodes are numbered.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    /// As they are.
    File,
    /// Neighbours near each other.
    Neighbours,
}

/// Graphs, with the names of their classes.
type Named = (Vec<Graph>, Option<Vec<String>>);

impl Arguments {
    /// Reads the graphs and writes them atomically.
    pub fn run(self, terms: Terms) -> Result<(), Failure> {
        let is_stdout = destination::is_standard_output(&self.output);
        let format = match self.output.extension() {
            _ if is_stdout => Format::EdgeList,
            // Pipes and devices have no extension.
            None if self.output.exists() && !self.output.is_file() => Format::EdgeList,
            _ => output::format_of(&self.output)?,
        };
        let inputs = [
            Some(&self.input),
            self.features.as_ref(),
            self.labels.as_ref(),
        ];
        destination::check(&self.output, inputs.into_iter().flatten())?;
        let (mut graphs, classes) = self.read(terms)?;
        if self.order == Order::Neighbours {
            for graph in &mut graphs {
                *graph = reordered(graph)?;
            }
        }
        output::write(
            format,
            &self.output,
            &graphs,
            classes.as_deref(),
            &self.input.display(),
        )?;
        if is_stdout {
            return Ok(());
        }
        let count = graphs.len();
        let plural = if count == 1 { "" } else { "s" };
        say!("{}: {count} graph{plural} written", self.output.display());
        Ok(())
    }

    fn read(&self, terms: Terms) -> Result<Named, Failure> {
        // Only a single word can be the name of a data set, and files have
        // precedence.
        let name = self.input.to_str().unwrap_or_default();
        if !name.contains(['.', '/', '\\']) && name != "-" {
            match (find(name), self.input.exists()) {
                (entry, false) => return self.read_dataset(entry?.name),
                (Ok(_), true) => tell!(
                    "note: `{name}` is read from this directory; from another one it is the data set"
                ),
                (Err(_), true) => {}
            }
        }
        let options = ReadOptions {
            features: self.features.clone(),
            labels: self.labels.clone(),
            label_attribute: self.label_attribute.clone(),
            ..self.input_flags.reading().options()
        };
        let (graphs, report) = read_graphs(&self.input, &options)?;
        destination::check(&self.output, destination::files_read(&self.input, &report))?;
        if let [graph] = &graphs[..] {
            tell!(
                "{}: {}",
                stem(&self.input),
                report.understood(graph, &terms)
            );
        }
        for note in notes(&report, terms) {
            tell!("note: {note}");
        }
        Ok((graphs, report.classes))
    }

    fn read_dataset(&self, name: &str) -> Result<Named, Failure> {
        let flags = [
            ("--features", self.features.is_some()),
            ("--labels", self.labels.is_some()),
            ("--label-attribute", self.label_attribute.is_some()),
        ];
        refuse_flags(&flags, name)?;
        self.input_flags.check_unused(name)?;
        let set = load(name, &self.place.load_options())?;
        let classes = (!set.class_names.is_empty()).then_some(set.class_names);
        Ok((set.graphs, classes))
    }
}

/// Reorders the graph so that neighbours are close to each other. Nodes keep their
/// names.
fn reordered(graph: &Graph) -> Result<Graph, Failure> {
    let order = order_by_neighbours(graph);
    let graph = order.apply(graph);
    if graph.node_ids().is_some() {
        return Ok(graph);
    }
    let names = order.nodes().iter().map(u32::to_string);
    let names: Vec<String> = names.collect();
    let graph = graph.into_builder().node_ids(names).build();
    graph.map_err(|e| Failure::input(e.to_string()))
}
