//! A report of a planted block model, without training:
//! `cargo run --example planted -- FOLDER [NODES] [BLOCKS]`.

mod synthetic;

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use bnpool_graph::generate::Sbm;
use bnpool_report::cluster::Rendering;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| "planted".to_owned()));
    let nodes = arguments.next().map_or(Ok(2708), |n| n.parse())?;
    let blocks = arguments.next().map_or(Ok(7), |n| n.parse())?;
    // Few links, most of them inside blocks, as in a citation network.
    let share = blocks as f64 / nodes as f64;
    let graph =
        Sbm::planted(nodes, blocks, (3.2 * share).min(1.0), 0.7 / nodes as f64)?.generate(1)?;
    let run = synthetic::Run::around(graph, 50, 1).with_classes();
    let started = Instant::now();
    let rendering =
        Rendering::new(&run.report("Communities of a planted graph", "A planted block model"))?;
    let page = rendering.html();
    println!(
        "page: {} kB after {:.1?}",
        page.len() / 1000,
        started.elapsed()
    );
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("report.html"), page)?;
    for picture in rendering.pictures()? {
        for (name, bytes) in picture.files() {
            std::fs::write(folder.join(name), bytes)?;
        }
    }
    println!("pictures after {:.1?}", started.elapsed());
    Ok(())
}
