//! `bnpool data get NAME`.

use super::Place;
use crate::terminal::message::Failure;
use bnpool_io::dataset::{FetchOptions, fetch};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

/// Flags of `bnpool data get`.
#[derive(Args)]
pub struct Arguments {
    /// Name of the data set, as in `bnpool data list`.
    name: String,
    #[command(flatten)]
    place: Place,
    /// Fetch again what is already there.
    #[arg(long)]
    force: bool,
}

impl Arguments {
    /// Downloads and verifies the data set, and moves it to its folder.
    pub fn run(self) -> Result<(), Failure> {
        let options = FetchOptions {
            data_dir: self.place.data_dir,
            cleaned: self.place.cleaned,
            force: self.force,
        };
        // Hidden automatically if standard error is not a terminal.
        let style =
            ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {bytes_per_sec} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(0).with_style(style);
        let fetched = fetch(&self.name, &options, &mut |p| {
            if let Some(total) = p.total {
                bar.set_length(total);
            }
            bar.set_position(p.received);
            bar.set_message(p.address.to_owned());
        });
        bar.finish_and_clear();
        let fetched = fetched?;
        if fetched.is_empty() {
            say!("{} is built in: there is nothing to fetch", self.name);
        }
        for file in fetched {
            let state = match (file.already_there, file.published) {
                (true, _) => "was there",
                (false, true) => "fetched, checksum as published",
                (false, false) => "fetched, checksum recorded",
            };
            say!("{}  {} bytes, {state}", file.path.display(), file.size);
        }
        Ok(())
    }
}
