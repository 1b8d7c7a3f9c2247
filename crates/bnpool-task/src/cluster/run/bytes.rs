//! Serialisation of the communities of a graph as bytes, with checksums and
//! without code.

use super::kept::fits;
use super::{Before, Found, Given, Input, Plan, Previous};
use crate::Failure;
use crate::TaskError;
use crate::cluster::Communities;
use crate::run::{Checkpoint, Checksum, RunDirectory};
use bnpool_io::format::Limits;
use bnpool_io::format::container::{encode_container, parse_container};
use std::path::Path;
use std::sync::Arc;

/// First bytes, with the version of the format.
const MAGIC: &[u8] = b"bnpool found 1\n";

/// Name of the bytes in messages.
const NAME: &str = "the saved result";

fn damaged(problem: &str) -> Failure {
    Failure::input(format!(
        "{NAME}: {problem}; it is damaged or was not written by bnpool: fit again"
    ))
}

/// Consecutive parts, each preceded by its length.
struct Parts<'a>(&'a [u8]);

impl<'a> Parts<'a> {
    fn next(&mut self) -> Result<&'a [u8], Failure> {
        let cut = |bytes: &'a [u8], at: usize| bytes.split_at_checked(at);
        let short = || damaged("it is too short");
        let (length, rest) = cut(self.0, 8).ok_or_else(short)?;
        let length = length.try_into().map_or(0, u64::from_le_bytes);
        let length = usize::try_from(length).map_err(|_| short())?;
        let (part, rest) = cut(rest, length).ok_or_else(short)?;
        self.0 = rest;
        Ok(part)
    }

    fn text(&mut self) -> Result<&'a str, Failure> {
        std::str::from_utf8(self.next()?).map_err(|_| damaged("a text is not UTF-8"))
    }
}

impl Found {
    /// Serialises the result as bytes, which contain data and no code.
    ///
    /// # Errors
    ///
    /// Returns an error if the memory is insufficient.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Failure> {
        let cannot =
            |e: std::io::Error| Failure::running(format!("the result cannot be written: {e}"));
        let input = &self.given.input;
        let names = Some(&*input.class_names).filter(|names| !names.is_empty());
        let graph = encode_container(std::slice::from_ref(&input.graph), names).map_err(cannot)?;
        let lines = [
            self.seconds.to_string(),
            self.epochs.to_string(),
            u8::from(self.given.in_memory).to_string(),
            input.sha256.clone().unwrap_or_default(),
            input.name.clone(),
        ];
        let notes = [input.understood.clone().unwrap_or_default()];
        let notes: Vec<&String> = notes.iter().chain(&input.notes).collect();
        let notes = serde_json::to_vec(&notes).map_err(|e| cannot(e.into()))?;
        let before = self.before.as_ref().map(|before| before.run.text.clone());
        let parts = [
            self.plan(RunDirectory::at("")).to_toml(None)?.into_bytes(),
            lines.join("\n").into_bytes(),
            notes,
            graph,
            self.result.file().to_bytes().map_err(cannot)?,
            self.checkpoint.to_bytes().map_err(cannot)?,
            self.history_lines(),
            before.unwrap_or_default().into_bytes(),
        ];
        let mut bytes = MAGIC.to_vec();
        for part in &parts {
            bytes.extend((part.len() as u64).to_le_bytes());
            bytes.extend(part);
        }
        let sum = Checksum::of(&bytes);
        bytes.extend(sum.into_bytes());
        Ok(bytes)
    }

    /// Reads the result from the bytes of [`Found::to_bytes`].
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are damaged or have another format.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, Failure> {
        let end = bytes.len().saturating_sub(Checksum::of(&[]).len());
        let (bytes, sum) = bytes.split_at(end);
        if Checksum::of(bytes).as_bytes() != sum {
            return Err(damaged("its checksum does not match"));
        }
        let rest = bytes.strip_prefix(MAGIC);
        let mut parts = Parts(rest.ok_or_else(|| damaged("it begins with other words"))?);
        let path = Path::new(NAME);
        let plan = Plan::parse(parts.text()?, RunDirectory::at(""))?;
        let mut lines = parts.text()?.splitn(5, '\n');
        let mut line = || lines.next().ok_or_else(|| damaged("a line is missing"));
        let seconds = line()?.parse().map_err(|_| damaged("no seconds"))?;
        let epochs = line()?.parse().map_err(|_| damaged("no epochs"))?;
        let in_memory = line()? == "1";
        let sha256 = Some(line()?.to_owned()).filter(|sum| !sum.is_empty());
        let name = line()?.to_owned();
        let mut notes: Vec<String> =
            serde_json::from_slice(parts.next()?).map_err(|e| damaged(&e.to_string()))?;
        let understood = (!notes.is_empty()).then(|| notes.remove(0));
        let (mut graphs, names) = parse_container(path, parts.next()?, &Limits::default())?;
        let graph = graphs.pop().ok_or_else(|| damaged("it has no graph"))?;
        let result = Checkpoint::of_bytes(parts.next()?, path).map_err(TaskError::from)?;
        let result = Communities::of_file(result);
        if !fits(&result, graph.nodes()) {
            return Err(damaged("it has other nodes than its graph"));
        }
        let checkpoint = Checkpoint::of_bytes(parts.next()?, path).map_err(TaskError::from)?;
        let history = parts.text()?.lines().map(serde_json::from_str);
        let history = history.collect::<Result<Vec<_>, _>>();
        let history = history.map_err(|e| damaged(&e.to_string()))?;
        let input = Input {
            parts: None,
            graph,
            name,
            class_names: names.unwrap_or_default(),
            sha256,
            understood: understood.filter(|words| !words.is_empty()),
            notes,
        };
        let before = match parts.text()? {
            "" => None,
            text => {
                let run = Previous::parse(text.to_owned(), NAME).map_err(|e| damaged(&e))?;
                Some(Before::new(run, &input)?)
            }
        };
        Ok(Self {
            given: Given {
                source: plan.source,
                input: Arc::new(input),
                in_memory,
            },
            config: plan.config,
            result,
            history,
            checkpoint,
            epochs,
            seconds,
            before,
        })
    }
}
