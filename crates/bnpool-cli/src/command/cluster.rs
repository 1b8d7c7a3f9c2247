//! `bnpool cluster`: communities of one graph.

use crate::message::Failure;
use bnpool::Device;
use bnpool::pool::{BnPoolConfig, LossPreset, Reconstruction};
use bnpool::task::{ClusterConfig, ClusterResult, Progress, cluster};
use bnpool_graph::Graph;
use bnpool_graph::dataset::builtin_community;
use bnpool_graph::format::{ReadOptions, read_graph};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Which text the settings follow.
#[derive(Clone, Copy, ValueEnum)]
enum Preset {
    /// The paper.
    Paper,
    /// The authors' code.
    Authors,
}

#[derive(Clone, Copy, ValueEnum)]
enum Loss {
    /// All pairs of nodes, exactly.
    Dense,
    /// Edges and as many sampled non-edges: for large graphs.
    Sparse,
}

/// Flags of `bnpool cluster`.
#[derive(Args)]
#[command(after_help = "Examples:
  bnpool cluster                                     the built-in Community graph
  bnpool cluster edges.csv --features features.csv   your own graph
  bnpool cluster edges.csv --features x.npy --labels classes.csv --seed 1")]
pub struct Arguments {
    /// A graph file (edge list, Matrix Market, METIS, GraphML, GML, npz);
    /// without one, the built-in Community graph.
    graph: Option<PathBuf>,
    /// Node features: csv, .npy or .npz.
    #[arg(long, value_name = "FILE", requires = "graph")]
    features: Option<PathBuf>,
    /// Known classes of the nodes, to compare with.
    #[arg(long, value_name = "FILE", requires = "graph")]
    labels: Option<PathBuf>,
    /// Seed of everything random.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Threads to use; all cores by default.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Settings of the paper or of the authors' code.
    #[arg(long, value_enum, default_value = "paper")]
    preset: Preset,
    /// Training epochs.
    #[arg(long, default_value_t = 1500)]
    epochs: usize,
    /// Which pairs of nodes the reconstruction looks at.
    #[arg(long, value_enum, default_value = "dense")]
    loss: Loss,
    /// C: the largest number of communities.
    #[arg(long, value_name = "C", default_value_t = 50)]
    max_clusters: usize,
    /// α_DP: concentration; more allows more communities.
    #[arg(long, value_name = "X")]
    alpha_dp: Option<f64>,
    /// μ_K: prior mean of the block matrix.
    #[arg(long, value_name = "X")]
    mu_k: Option<f64>,
    /// σ_K: prior variance of the block matrix.
    #[arg(long, value_name = "X")]
    sigma_k: Option<f64>,
    /// η_K: initial value of the block matrix.
    #[arg(long, value_name = "X")]
    eta_k: Option<f64>,
    /// T: samples a training step averages over.
    #[arg(long, value_name = "T", default_value_t = 1)]
    particles: usize,
    /// No progress, only the result.
    #[arg(long)]
    quiet: bool,
}

impl Arguments {
    /// Reads the graph, trains, prints what was found.
    pub fn run(self) -> Result<(), Failure> {
        if let Some(threads) = self.threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build_global()
                .map_err(|e| Failure::Running(format!("threads could not be started: {e}")))?;
        }
        let (graph, name) = self.read()?;
        let config = self.config();
        if !self.quiet {
            eprintln!(
                "{name}: {} nodes, {} directed edges, {} features",
                graph.nodes(),
                graph.edges(),
                graph.features().width()
            );
        }
        let mut display = Display::new(config.epochs, self.quiet);
        let result = cluster(&graph, &config, &Device::flex(), |p| display.show(p))?;
        display.finish();
        print(&result);
        Ok(())
    }

    fn read(&self) -> Result<(Graph, String), Failure> {
        let Some(path) = &self.graph else {
            return Ok((builtin_community()?, "Community graph".into()));
        };
        let options = ReadOptions {
            features: self.features.clone(),
            labels: self.labels.clone(),
            ..ReadOptions::default()
        };
        let (graph, report) = read_graph(path, &options)?;
        if !self.quiet {
            for note in &report.notes {
                eprintln!("note: {note}");
            }
        }
        Ok((graph, path.display().to_string()))
    }

    fn config(&self) -> ClusterConfig {
        let mut pool = BnPoolConfig::new(1)
            .with_max_clusters(self.max_clusters)
            .with_particles(self.particles);
        if matches!(self.preset, Preset::Authors) {
            // Sparse runs of the authors use a concentration of 1.
            let concentration = if matches!(self.loss, Loss::Sparse) {
                1.0
            } else {
                10.0
            };
            pool = pool
                .with_losses(LossPreset::Authors)
                .with_block_mean(10.0)
                .with_concentration(concentration);
        }
        if matches!(self.loss, Loss::Sparse) {
            pool = pool.with_reconstruction(Reconstruction::Sparse);
        }
        for (value, slot) in [
            (self.alpha_dp, &mut pool.concentration),
            (self.mu_k, &mut pool.block_mean),
            (self.sigma_k, &mut pool.block_variance),
            (self.eta_k, &mut pool.block_init),
        ] {
            if let Some(value) = value {
                *slot = value;
            }
        }
        ClusterConfig {
            pool,
            epochs: self.epochs,
            seed: self.seed,
            ..ClusterConfig::default()
        }
    }
}

/// Progress on standard error: a bar on a terminal, sparse lines elsewhere.
struct Display {
    bar: Option<ProgressBar>,
    plain: bool,
    next_line: Instant,
}

impl Display {
    fn new(epochs: usize, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = (terminal && !quiet).then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {per_sec} {eta}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(epochs as u64).with_style(style)
        });
        Self {
            bar,
            plain: !terminal && !quiet,
            next_line: Instant::now() + Duration::from_secs(2),
        }
    }

    fn show(&mut self, p: Progress) {
        let losses = || {
            format!(
                "L_rec {:.4}  γL_π {:.4}  L_K {:.4}  γ {:.2}",
                p.reconstruction, p.divergence, p.block_prior, p.kl_weight
            )
        };
        if let Some(bar) = &self.bar {
            bar.set_position(p.epoch as u64);
            bar.set_message(losses());
        } else if self.plain && Instant::now() >= self.next_line {
            eprintln!("epoch {}/{}  {}", p.epoch, p.epochs, losses());
            self.next_line = Instant::now() + Duration::from_secs(5);
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The result, for people.
fn print(result: &ClusterResult) {
    let ClusterResult {
        sizes,
        confidence,
        last,
        truth,
        ..
    } = result;
    let mean: f32 = confidence.iter().sum::<f32>() / confidence.len().max(1) as f32;
    println!("{} communities", sizes.len());
    let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    println!("  sizes            {}", sizes.join(" "));
    println!("  mean confidence  {:.1} %", 100.0 * mean);
    println!(
        "  losses           L_rec {:.4}, γL_π {:.4}, L_K {:.4}",
        last.reconstruction, last.divergence, last.block_prior
    );
    let seconds = last.elapsed.as_secs_f64();
    println!(
        "  training         {} epochs in {seconds:.1} s ({:.2} ms an epoch)",
        last.epochs,
        1e3 * seconds / last.epochs as f64
    );
    if let Some(truth) = truth {
        println!(
            "  known classes    {} (NMI {:.3}, COS {:.1} %)",
            truth.classes,
            truth.nmi,
            100.0 * truth.cos
        );
    }
}
