//! `bnpool data convert IN OUT`.

use super::Place;
use crate::command::cluster::{notes, stem};
use crate::destination;
use crate::input::{InputFlags, refuse_flags};
use crate::message::Failure;
use crate::remedy::flag;
use bnpool_community::order_by_neighbours;
use bnpool_graph::Graph;
use bnpool_graph::dataset::{find, load};
use bnpool_graph::format::container::write_container;
use bnpool_graph::format::csr_bundle::write_csr_bundle;
use bnpool_graph::format::{ReadOptions, read_graphs, write_edge_list, write_edges};
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

/// Graphs and the names of their classes.
type Named = (Vec<Graph>, Option<Vec<String>>);

impl Arguments {
    /// Reads, then writes to a temporary name and renames.
    pub fn run(self) -> Result<(), Failure> {
        let is_stdout = destination::is_standard_output(&self.output);
        let kind = match self.output.extension() {
            _ if is_stdout => "csv",
            // Pipes and devices have no ending.
            None if self.output.exists() && !self.output.is_file() => "csv",
            ending => ending.and_then(|e| e.to_str()).unwrap_or_default(),
        };
        if !["safetensors", "npz", "csv"].contains(&kind) {
            let kind = match kind {
                "" => "files without an ending".to_owned(),
                kind => format!("`.{kind}` files"),
            };
            return Err(Failure::Input(format!(
                "{}: cannot write {kind}; name the output .safetensors, .npz or .csv",
                self.output.display()
            )));
        }
        let inputs = [
            Some(&self.input),
            self.features.as_ref(),
            self.labels.as_ref(),
        ];
        destination::check(&self.output, inputs.into_iter().flatten())?;
        let (mut graphs, classes) = self.read()?;
        if self.order == Order::Neighbours {
            for graph in &mut graphs {
                *graph = reordered(graph)?;
            }
        }
        if kind == "safetensors" {
            write_container(&self.output, &graphs, classes.as_deref())?;
        } else {
            let [graph] = &graphs[..] else {
                return Err(Failure::Input(format!(
                    "{}: holds {} graphs, and a .{kind} file holds one; write .safetensors instead",
                    self.input.display(),
                    graphs.len()
                )));
            };
            if kind == "npz" {
                write_csr_bundle(&self.output, graph)?;
            } else if is_stdout {
                note_losses(graph);
                let mut text = Vec::new();
                write_edges(&mut text, graph)
                    .map_err(|e| Failure::Input(format!("standard output: cannot write: {e}")))?;
                return destination::write_text(&self.output, &String::from_utf8_lossy(&text));
            } else {
                write_edge_list(&self.output, graph)?;
                note_losses(graph);
            }
        }
        let count = graphs.len();
        let plural = if count == 1 { "" } else { "s" };
        say!("{}: {count} graph{plural} written", self.output.display());
        Ok(())
    }

    fn read(&self) -> Result<Named, Failure> {
        // Only a bare word can be the name of a data set, and a file comes first.
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
            ..self.input_flags.options()
        };
        let (graphs, report) = read_graphs(&self.input, &options)?;
        destination::check(&self.output, destination::files_read(&self.input, &report))?;
        if let [graph] = &graphs[..] {
            tell!("{}: {}", stem(&self.input), report.understood(graph, &flag));
        }
        for note in notes(&report) {
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

/// The graph with neighbours near each other. Nodes are still known by their names.
fn reordered(graph: &Graph) -> Result<Graph, Failure> {
    let order = order_by_neighbours(graph);
    let graph = order.apply(graph);
    if graph.node_ids().is_some() {
        return Ok(graph);
    }
    let names = order.nodes().iter().map(u32::to_string);
    let names: Vec<String> = names.collect();
    let graph = graph.into_builder().node_ids(names).build();
    graph.map_err(|e| Failure::Input(e.to_string()))
}

/// Says what an edge list cannot hold.
fn note_losses(graph: &Graph) {
    let adjacency = graph.adjacency();
    let mut has_edge = vec![false; graph.nodes()];
    for (source, target, _) in adjacency.iter() {
        has_edge[source as usize] = true;
        has_edge[target as usize] = true;
    }
    let lonely = has_edge.iter().filter(|has_edge| !**has_edge).count();
    let mut losses = Vec::new();
    if lonely > 0 {
        losses.push(format!("{lonely} nodes without edges"));
    }
    if graph.features().width() > 0 {
        losses.push("the features".to_owned());
    }
    if graph.node_labels().is_some() {
        losses.push("the labels".to_owned());
    }
    if !losses.is_empty() {
        tell!(
            "note: an edge list does not hold {}; write .safetensors to keep everything",
            losses.join(", ")
        );
    }
    if !adjacency.is_symmetric() {
        tell!("note: the edges go one way; read the file with --directed");
    }
}
