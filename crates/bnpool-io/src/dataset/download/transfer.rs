//! One file over HTTPS, resumed where it broke off.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ureq::config::ConfigBuilder;
use ureq::http::{Response, StatusCode, header};
use ureq::typestate::AgentScope;
use ureq::{Agent, Body};

use super::Progress;
use crate::bytes::atomic::{folder_of, sync_folder};
use crate::dataset::error::DatasetError;

/// The number of times a broken transfer is resumed.
const ATTEMPTS: usize = 4;
/// Most bytes of a file whose size is not known: twice the largest of the paper.
const MOST_BYTES: u64 = 2 << 30;
/// Longest time for one file, all attempts together. What has come by then is
/// kept, and the next call goes on from there.
const LONGEST: Duration = Duration::from_secs(2 * 3600);

/// A file to fetch, and its name.
pub(super) struct Order<'a> {
    pub(super) address: &'a str,
    pub(super) path: &'a Path,
    /// Whether the whole file will be checked against a known checksum.
    pub(super) verifiable: bool,
    /// Its size as published.
    pub(super) size: Option<u64>,
}

/// A connection to the world.
pub(super) struct Transfer {
    agent: Agent,
    /// Longest time for one file.
    longest: Duration,
    /// Most bytes of a file whose size is not known.
    most: u64,
}

impl Transfer {
    /// Over HTTPS alone, also where a server points elsewhere.
    pub(super) fn secure() -> Self {
        Self::new(Agent::config_builder().https_only(true))
    }

    /// Also without encryption, for a server of this very machine.
    #[cfg(test)]
    pub(super) fn local() -> Self {
        Self::new(Agent::config_builder().proxy(None))
    }

    /// With another time limit.
    #[cfg(test)]
    pub(super) fn within(self, longest: Duration) -> Self {
        Self { longest, ..self }
    }

    /// With another bound for files whose size is not known.
    #[cfg(test)]
    pub(super) fn at_most(self, most: u64) -> Self {
        Self { most, ..self }
    }

    fn new(config: ConfigBuilder<AgentScope>) -> Self {
        let config = config
            .http_status_as_error(false)
            .user_agent(concat!("bnpool/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(Duration::from_secs(30)))
            .timeout_recv_response(Some(Duration::from_secs(60)))
            .build();
        Self {
            agent: Agent::new_with_config(config),
            longest: LONGEST,
            most: MOST_BYTES,
        }
    }

    /// Most bytes that are taken.
    fn most(&self, order: &Order<'_>) -> u64 {
        order.size.unwrap_or(self.most)
    }

    /// The error of a file that has more bytes than are taken.
    fn too_large(&self, order: &Order<'_>, found: String) -> Failure {
        Failure::TooLarge(match order.size {
            Some(size) => DatasetError::Mismatch {
                path: order.path.to_owned(),
                what: "size",
                found,
                expected: size.to_string(),
            },
            None => {
                let most = self.most;
                let problem = format!("the file has {found} bytes, and {most} at most are taken");
                refuse(order, problem)
            }
        })
    }

    /// Fetches a file next to its final place.
    pub(super) fn run(
        &self,
        order: &Order<'_>,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Part, DatasetError> {
        let end = Instant::now() + self.longest;
        let mut part = Part::open(order)?;
        let mut failure = None;
        for _ in 0..ATTEMPTS {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.too_slow(order));
            }
            match self.attempt(order, &mut part, left, progress) {
                Ok(()) => {
                    // A locked file cannot be read everywhere.
                    part.file.unlock().map_err(part.failed())?;
                    return Ok(part);
                }
                Err(Failure::TooLarge(error)) => {
                    // A wrong file must not be resumed.
                    part.discard();
                    return Err(error);
                }
                Err(Failure::Final(error)) => return Err(error),
                Err(Failure::Broken(problem)) => failure = Some(problem),
            }
        }
        if Instant::now() >= end {
            return Err(self.too_slow(order));
        }
        let problem = failure.unwrap_or_default();
        Err(refuse(order, format!("the transfer broke off ({problem})")))
    }

    fn too_slow(&self, order: &Order<'_>) -> DatasetError {
        let seconds = self.longest.as_secs_f64();
        let problem = format!("it took longer than the time limit of {seconds} seconds");
        let remedy = "try again: what has come is kept, and the transfer goes on from there";
        order.failed(problem, remedy.to_owned())
    }

    /// One request, within a time for all of it, the body included.
    fn attempt(
        &self,
        order: &Order<'_>,
        part: &mut Part,
        left: Duration,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<(), Failure> {
        let most = self.most(order);
        if part.length > most {
            part.restart(None)?;
        }
        let request = self.agent.get(order.address).config();
        let mut request = request.timeout_global(Some(left)).build();
        if part.length > 0 {
            request = request.header(header::RANGE, format!("bytes={}-", part.length));
            if let Some(tag) = &part.tag {
                // Another file by now: then it comes whole.
                request = request.header(header::IF_RANGE, tag);
            }
        }
        let response = request
            .call()
            .map_err(|error| unreachable_server(order, &error))?;
        let resumed =
            response.status() == StatusCode::PARTIAL_CONTENT && resumes_at(&response, part.length);
        match response.status() {
            StatusCode::PARTIAL_CONTENT if resumed => {}
            StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE => {
                // The bytes here fit nothing the server has: start again.
                part.restart(None)?;
                return Err(Failure::Broken("the file has changed".to_owned()));
            }
            StatusCode::OK => part.restart(entity_tag(&response))?,
            status => {
                let problem = format!("the server answers {status}");
                return Err(Failure::Final(refuse(order, problem)));
            }
        }
        let rest = content_length(&response);
        let total = rest.map(|rest| part.length.saturating_add(rest));
        if let Some(total) = total.filter(|total| *total > most) {
            return Err(self.too_large(order, total.to_string()));
        }
        let mut reader = response.into_body().into_reader();
        let mut buffer = vec![0; 1 << 16];
        loop {
            progress(Progress {
                address: order.address,
                received: part.length,
                total,
            });
            let count = match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) => return Err(Failure::Broken(error.to_string())),
            };
            if part.length + count as u64 > most {
                return Err(self.too_large(order, format!("more than {most}")));
            }
            part.append(&buffer[..count])?;
        }
        match total {
            Some(total) if total != part.length => {
                Err(Failure::Broken("it ended too early".to_owned()))
            }
            _ => Ok(()),
        }
    }
}

/// The failure of an attempt.
enum Failure {
    /// Another attempt may.
    Broken(String),
    /// None will, and what has come is of no use.
    TooLarge(DatasetError),
    /// None will.
    Final(DatasetError),
}

impl From<DatasetError> for Failure {
    fn from(error: DatasetError) -> Self {
        Self::Final(error)
    }
}

impl Order<'_> {
    fn failed(&self, problem: String, remedy: String) -> DatasetError {
        DatasetError::Fetch {
            address: self.address.to_owned(),
            problem,
            remedy,
        }
    }

    /// A failure with a remedy that ends in a copy of the file from elsewhere.
    fn unless_copied(&self, problem: String, remedy: &str) -> DatasetError {
        let path = self.path.display();
        self.failed(problem, format!("{remedy} and put it at {path}"))
    }
}

fn refuse(order: &Order<'_>, problem: String) -> DatasetError {
    let remedy = "try again later, or fetch the file by other means";
    order.unless_copied(problem, remedy)
}

/// The error of a server that could not be asked, in words for the user.
fn unreachable_server(order: &Order<'_>, error: &ureq::Error) -> Failure {
    if is_bad_certificate(error) {
        let problem = format!("the certificate of the server is not to be trusted ({error})");
        let remedy = "check the clock of this machine and whether the network intercepts \
                      connections, or fetch the file on another machine";
        return Failure::Final(order.unless_copied(problem, remedy));
    }
    let offline = matches!(
        error,
        ureq::Error::HostNotFound | ureq::Error::ConnectionFailed | ureq::Error::Io(_)
    );
    match (offline, error) {
        (true, _) => {
            let problem = format!("the server cannot be reached ({error})");
            let remedy = "check the network, or fetch the file on another machine";
            Failure::Final(order.unless_copied(problem, remedy))
        }
        (false, ureq::Error::Timeout(_)) => Failure::Broken(error.to_string()),
        (false, _) => Failure::Final(refuse(order, error.to_string())),
    }
}

/// The message about a server that could not be asked.
#[cfg(test)]
pub(super) fn say(order: &Order<'_>, error: &ureq::Error) -> String {
    match unreachable_server(order, error) {
        Failure::Broken(problem) => problem,
        Failure::TooLarge(error) | Failure::Final(error) => error.to_string(),
    }
}

/// Whether the connection failed because of the certificate of the server. The
/// handshake reports it as an error of the stream, with this word in it.
fn is_bad_certificate(error: &ureq::Error) -> bool {
    let may_be = matches!(
        error,
        ureq::Error::Io(_) | ureq::Error::Tls(_) | ureq::Error::Rustls(_)
    );
    may_be && error.to_string().contains("certificate")
}

fn text(response: &Response<Body>, name: header::HeaderName) -> Option<&str> {
    response.headers().get(name)?.to_str().ok()
}

fn content_length(response: &Response<Body>) -> Option<u64> {
    text(response, header::CONTENT_LENGTH)?.parse().ok()
}

/// The mark by which a server knows this very content; weak ones do not count.
fn entity_tag(response: &Response<Body>) -> Option<String> {
    let tag = text(response, header::ETAG)?;
    tag.starts_with('"').then(|| tag.to_owned())
}

/// Whether a partial answer starts where it was asked to.
fn resumes_at(response: &Response<Body>, length: u64) -> bool {
    let range = text(response, header::CONTENT_RANGE);
    let range = range.and_then(|range| range.strip_prefix("bytes "));
    let start = range.and_then(|range| range.split('-').next());
    start.and_then(|start| start.parse().ok()) == Some(length)
}

/// The part of a file that has come, in a file of its own beside it.
pub(super) struct Part {
    path: PathBuf,
    file: File,
    length: u64,
    tag: Option<String>,
}

impl Part {
    fn open(order: &Order<'_>) -> Result<Self, DatasetError> {
        let path = with_suffix(order.path, ".part");
        let failed = |source| DatasetError::Io {
            path: path.clone(),
            source,
        };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut options = OpenOptions::new();
        let file = options
            .create(true)
            .append(true)
            .open(&path)
            .map_err(failed)?;
        if file.try_lock().is_err() {
            return Err(refuse(order, "another process is fetching it".to_owned()));
        }
        let length = file.metadata().map_err(failed)?.len();
        let tag = fs::read_to_string(with_suffix(&path, ".tag")).ok();
        let mut part = Self {
            path,
            file,
            length,
            tag,
        };
        // Without a mark or a checksum nobody could tell two halves apart.
        if part.tag.is_none() && !order.verifiable {
            part.restart(None)?;
        }
        Ok(part)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn failed(&self) -> impl Fn(io::Error) -> DatasetError + use<> {
        let path = self.path.clone();
        move |source| DatasetError::Io {
            path: path.clone(),
            source,
        }
    }

    fn restart(&mut self, tag: Option<String>) -> Result<(), DatasetError> {
        self.file.set_len(0).map_err(self.failed())?;
        self.length = 0;
        let tag_path = with_suffix(&self.path, ".tag");
        match &tag {
            Some(tag) => fs::write(tag_path, tag).map_err(self.failed())?,
            None => drop(fs::remove_file(tag_path)),
        }
        self.tag = tag;
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), DatasetError> {
        self.file.write_all(bytes).map_err(self.failed())?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Moves the whole file to its place.
    pub(super) fn finish(self, path: &Path) -> Result<(), DatasetError> {
        self.file.sync_all().map_err(self.failed())?;
        fs::rename(&self.path, path).map_err(self.failed())?;
        sync_folder(folder_of(path)).map_err(self.failed())?;
        let _ = fs::remove_file(with_suffix(&self.path, ".tag"));
        Ok(())
    }

    pub(super) fn discard(self) {
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(with_suffix(&self.path, ".tag"));
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
