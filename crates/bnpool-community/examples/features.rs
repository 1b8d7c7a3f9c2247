//! Groups the citation graphs by features and structure.
//!
//! ```text
//! BNPOOL_DATA=… features [NAME …]
//! ```

use bnpool_community::Links;
use bnpool_community::starts::{FeatureStart, by_features};
use bnpool_io::dataset::{LoadOptions, load};
use bnpool_math::metrics::{adjusted_rand_index, normalised_mutual_information};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = ["cora", "citeseer", "pubmed", "dblp"]
            .map(String::from)
            .to_vec();
    }
    for name in names {
        let set = load(&name, &LoadOptions::paper())?;
        let graph = &set.graphs[0];
        let links = Links::new(graph.adjacency())?;
        let dense = graph.features().to_dense();
        let clock = Instant::now();
        let config = FeatureStart::default();
        let (found, path) = by_features(&links, dense.as_slice(), dense.columns(), &config)?;
        let truth = graph.node_labels().ok_or("no labels")?;
        println!(
            "{name}: K {} (of {}), NMI {:.3}, ARI {:.3}, {:.2} s",
            found.groups(),
            path.finest(),
            normalised_mutual_information(truth, found.labels()),
            adjusted_rand_index(truth, found.labels()),
            clock.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
