//! `bnpool data verify [NAME]`.

use super::Place;
use crate::terminal::message::Failure;
use bnpool_io::dataset::{Verdict, registry, verify, whereabouts};
use clap::Args;

/// Flags of `bnpool data verify`.
#[derive(Args)]
pub struct Arguments {
    /// Name of the data set; without one, every set that is here.
    name: Option<String>,
    #[command(flatten)]
    place: Place,
}

impl Arguments {
    /// Prints one line per file; returns an error if a file differs.
    pub fn run(self) -> Result<(), Failure> {
        let folder = self.place.data_dir.as_deref();
        let names: Vec<String> = match self.name {
            Some(name) => vec![name],
            None => {
                let mut here = Vec::new();
                for entry in registry() {
                    if whereabouts(entry.name, folder, self.place.cleaned)?.is_some() {
                        here.push(entry.name.to_owned());
                    }
                }
                here
            }
        };
        let mut wrong = 0;
        for name in &names {
            for file in verify(name, folder, self.place.cleaned)? {
                let verdict = match &file.verdict {
                    Verdict::Published => "as published".into(),
                    Verdict::Recorded => "as recorded when fetched".into(),
                    Verdict::KnownCopy => "a known good copy".into(),
                    Verdict::Unknown => "nothing to compare with".into(),
                    Verdict::Differs { expected } => {
                        wrong += 1;
                        format!("DIFFERS, should be {expected}")
                    }
                };
                say!("{}  {}  {verdict}", file.path.display(), file.sha256);
            }
        }
        if wrong > 0 {
            return Err(Failure::running(format!(
                "{wrong} files differ from their checksums: fetch them again with `bnpool data get NAME --force`"
            )));
        }
        Ok(())
    }
}
