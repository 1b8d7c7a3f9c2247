//! `bnpool data info NAME`, or a file.

use super::Place;
use super::list::count;
use crate::flags::input::InputFlags;
use crate::terminal::message::Failure;
use bnpool_io::dataset::{Dataset, Origin, Summary, find, load};
use bnpool_task::Terms;
use bnpool_task::cluster::run::notes;
use bnpool_task::learn::run::read_set;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Largest number of bars of the degree histogram.
const BARS: usize = 12;
/// Length of the longest bar.
const BAR_LENGTH: usize = 40;

/// Flags of `bnpool data info`.
#[derive(Args)]
#[command(after_help = "Examples:
  bnpool data info cora
  bnpool data info mutag --cleaned --json
  bnpool data info edges.csv                    what a file is taken for
  bnpool data info edges.csv --header no --weight 3")]
pub struct Arguments {
    /// Name of the data set, as in `bnpool data list`, or a graph file, folder
    /// or archive.
    name: PathBuf,
    #[command(flatten)]
    place: Place,
    /// The counts as JSON, and nothing else.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    input: InputFlags,
}

impl Arguments {
    /// Loads the data set and prints its properties.
    pub fn run(self, terms: Terms) -> Result<(), Failure> {
        let set = self.load(terms)?;
        let summary = set.summary();
        if self.json {
            say!("{}", as_json(&set, &summary));
        } else {
            print(&set, &summary);
        }
        Ok(())
    }
}

impl Arguments {
    fn load(&self, terms: Terms) -> Result<Dataset, Failure> {
        // Only a single word can be the name of a data set.
        let word = self
            .name
            .to_str()
            .filter(|name| !name.contains(['.', '/', '\\']) && *name != "-");
        if let Some(name) = word
            && (find(name).is_ok() || !self.name.exists())
        {
            self.input.check_unused(name)?;
            return Ok(load(name, &self.place.load_options())?);
        }
        let (set, report) = read_set(&self.name, &self.input.reading().options())?;
        if let [graph] = &set.graphs[..] {
            tell!("{}: {}", set.name, report.understood(graph, &terms));
        }
        for note in notes(&report, terms) {
            tell!("note: {note}");
        }
        Ok(set)
    }
}

fn as_json(set: &Dataset, s: &Summary) -> serde_json::Value {
    json!({
        "name": set.name,
        "task": set.task.name(),
        "graphs": s.graphs,
        "nodes": s.nodes,
        "edges": s.edges,
        "total_nodes": s.total_nodes,
        "total_edges": s.total_edges,
        "features": s.features,
        "edge_features": s.edge_features,
        "classes": s.classes,
        "class_sizes": s.class_sizes,
        "intra_class_density": s.density.map(|d| d.intra),
        "inter_class_density": s.density.map(|d| d.inter),
        "cleaned": set.cleaned,
        "source": set.origin.to_string(),
        "sha256": set.origin.sha256(),
    })
}

fn print(set: &Dataset, s: &Summary) {
    let version = if set.cleaned {
        ", without isomorphic graphs"
    } else {
        ""
    };
    say!("{} ({}{version})", set.name, set.task.name());
    say!("  source         {}", set.origin);
    if let Origin::Generated { .. } = set.origin {
        say!("                 its files are not here, so it was generated");
    }
    if let Some(sha256) = set.origin.sha256() {
        say!("  sha256         {sha256}");
    }
    say!("  graphs         {}", s.graphs);
    let mean = if s.graphs == 1 { "" } else { " on average" };
    say!("  nodes          {}{mean}", count(s.nodes));
    say!(
        "  edges          {}{mean} (an undirected edge counts twice)",
        count(s.edges)
    );
    say!(
        "  features       {} of a node, {} of an edge",
        s.features,
        s.edge_features
    );
    say!("  classes        {}", s.classes);
    if !s.class_sizes.is_empty() {
        let sizes: Vec<String> = s.class_sizes.iter().map(ToString::to_string).collect();
        say!("  class sizes    {}", sizes.join(" "));
    }
    if let Some(d) = s.density {
        say!(
            "  density        {:.5} inside classes, {:.5} between them",
            d.intra,
            d.inter
        );
    }
    say!("  degrees");
    for (label, nodes, bar) in histogram(&s.degrees) {
        say!("  {label:>13}  {bar:<BAR_LENGTH$} {nodes}");
    }
}

/// Returns (range of degrees, nodes, bar): one bar per degree if there are few,
/// otherwise ranges of doubling width.
fn histogram(degrees: &[usize]) -> Vec<(String, usize, String)> {
    let mut rows: Vec<(String, usize)> = Vec::new();
    if degrees.len() <= BARS {
        rows.extend(degrees.iter().enumerate().map(|(d, &n)| (d.to_string(), n)));
    } else {
        rows.push(("0".into(), degrees[0]));
        let mut first = 1;
        while first < degrees.len() {
            let end = (2 * first).min(degrees.len());
            let label = if end == first + 1 {
                first.to_string()
            } else {
                format!("{first}-{}", end - 1)
            };
            rows.push((label, degrees[first..end].iter().sum()));
            first = end;
        }
    }
    let largest = rows.iter().map(|r| r.1).max().unwrap_or(0).max(1);
    rows.into_iter()
        .map(|(label, n)| (label, n, "#".repeat((n * BAR_LENGTH).div_ceil(largest))))
        .collect()
}
