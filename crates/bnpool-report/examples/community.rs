//! A report of the paper's Community graph, with its labels as communities:
//! `cargo run --example community -- FOLDER`.

mod synthetic;

use std::error::Error;
use std::path::PathBuf;

use bnpool_graph::generate::builtin_community;
use bnpool_report::cluster::Rendering;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "community".to_owned());
    let folder = PathBuf::from(folder);
    let graph = builtin_community()?;
    // Its features are the positions of the nodes.
    let places = graph.features().to_dense();
    let places = (0..places.rows()).map(|u| [places.row(u)[0], places.row(u)[1]]);
    let places = places.collect();
    let mut run = synthetic::Run::around(graph, 10, 2).with_classes();
    run.coordinates = Some(places);
    let rendering =
        Rendering::new(&run.report("Communities of the Community graph", "Community graph"))?;
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("report.html"), rendering.html())?;
    for picture in rendering.pictures()? {
        for (name, bytes) in picture.files() {
            std::fs::write(folder.join(name), bytes)?;
        }
    }
    Ok(())
}
