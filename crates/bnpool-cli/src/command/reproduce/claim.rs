//! Claims of runs in a directory that several workers share.
//!
//! A claim is a file that only one worker can create. Its owner touches it while it
//! works. A claim that was not touched for a while belongs to a dead worker, and the
//! next worker creates the next generation of it: also that can be done only once,
//! so nothing is ever removed that another worker could rely on. Two workers on one
//! run would do no harm but waste: the result is the same, and written atomically.

use crate::message::Failure;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

/// Time between two touches.
const BEAT: Duration = Duration::from_secs(10);
/// A claim that is older belongs to a dead worker.
const EXPIRY: Duration = Duration::from_secs(90);

/// A run that belongs to this worker until it is dropped.
pub struct Claim {
    /// Its file without the generation.
    stem: PathBuf,
    generation: u32,
    beat: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Claim {
    /// Claims a run; none if another worker has it.
    pub fn take(folder: &Path, id: &str) -> Result<Option<Self>, Failure> {
        let stem = folder.join(id);
        let mut generation = 0;
        loop {
            let path = file_of(&stem, generation);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Some(Self::hold(stem, generation, file))),
                Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
                Err(e) => {
                    return Err(Failure::running(format!(
                        "{}: the run cannot be claimed: {e}; name a directory that can be written to with --out",
                        path.display()
                    )));
                }
            }
            if !is_dead(folder, &path) {
                return Ok(None);
            }
            generation += 1;
        }
    }

    fn hold(stem: PathBuf, generation: u32, mut file: File) -> Self {
        // Who reads a claim can see whose it is. The claim holds without it.
        let _ = writeln!(file, "{} {}", std::process::id(), host());
        let (end, ended) = mpsc::channel::<()>();
        let watch = std::thread::Builder::new()
            .name("claim".into())
            .spawn(move || {
                while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(BEAT) {
                    // A claim that cannot be touched expires, which costs work alone.
                    let _ = file.set_modified(SystemTime::now());
                }
            });
        Self {
            stem,
            generation,
            beat: watch.ok().map(|thread| (end, thread)),
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.beat.take() {
            drop(end);
            let _ = thread.join();
        }
        // Older generations first: a gap before this one would let it be overlooked.
        for generation in 0..=self.generation {
            let _ = std::fs::remove_file(file_of(&self.stem, generation));
        }
    }
}

/// The file of a generation of a claim.
fn file_of(stem: &Path, generation: u32) -> PathBuf {
    let mut path = stem.as_os_str().to_owned();
    path.push(format!(".{generation}"));
    path.into()
}

/// Whether the worker of a claim is gone: its process on this machine, or its
/// touches for too long.
fn is_dead(folder: &Path, claim: &Path) -> bool {
    let Ok(touched) = std::fs::metadata(claim).and_then(|m| m.modified()) else {
        // It was given back just now; the next look will tell.
        return false;
    };
    if let Ok(text) = std::fs::read_to_string(claim)
        && let Some((pid, name)) = text.trim_end().split_once(' ')
        && name == host()
        && Path::new("/proc/self").exists()
        && pid.parse::<u32>().is_ok()
        && !Path::new("/proc").join(pid).exists()
    {
        return true;
    }
    // A young claim needs no second look.
    if touched.elapsed().is_ok_and(|age| age < EXPIRY / 2) {
        return false;
    }
    // The clock of the disk, which may be another machine's.
    let now = disk_time(folder).unwrap_or_else(SystemTime::now);
    now.duration_since(touched).is_ok_and(|age| age > EXPIRY)
}

fn disk_time(folder: &Path) -> Option<SystemTime> {
    let probe = folder.join(format!(".time-{}-{}", host(), std::process::id()));
    std::fs::write(&probe, b"").ok()?;
    let time = std::fs::metadata(&probe).and_then(|m| m.modified()).ok();
    let _ = std::fs::remove_file(&probe);
    time
}

fn host() -> String {
    let kernel = std::fs::read_to_string("/proc/sys/kernel/hostname");
    let name = kernel.ok().or_else(|| std::env::var("HOSTNAME").ok());
    let name = name.or_else(|| std::env::var("COMPUTERNAME").ok());
    let name = name.as_deref().map_or("", str::trim);
    // It becomes part of a file name.
    let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
    name.chars().map(plain).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("bnpool-claim-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        path
    }

    #[test]
    fn a_run_has_one_owner() {
        let folder = folder("one");
        let first = Claim::take(&folder, "a").expect("a folder");
        assert!(first.is_some());
        assert!(Claim::take(&folder, "a").expect("a folder").is_none());
        assert!(Claim::take(&folder, "b").expect("a folder").is_some());
        drop(first);
        assert!(Claim::take(&folder, "a").expect("a folder").is_some());
        let _ = std::fs::remove_dir_all(&folder);
    }

    #[test]
    fn claims_of_dead_workers_expire() {
        let folder = folder("dead");
        let old = SystemTime::now() - EXPIRY - BEAT;
        let stale = folder.join("a.0");
        let file = File::create(&stale).expect("a file");
        file.set_modified(old).expect("a time");
        let taken = Claim::take(&folder, "a").expect("a folder");
        assert!(taken.is_some(), "an old claim is taken over");
        // By one worker only.
        assert!(Claim::take(&folder, "a").expect("a folder").is_none());
        drop(taken);
        assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 0);
        // A process of this machine that is gone.
        std::fs::write(&stale, format!("4294967294 {}\n", host())).expect("a file");
        let taken = Claim::take(&folder, "a").expect("a folder");
        assert_eq!(taken.is_some(), Path::new("/proc/self").exists());
        drop(taken);
        // One of another machine may live.
        std::fs::write(&stale, "4294967294 elsewhere-else\n").expect("a file");
        assert!(Claim::take(&folder, "a").expect("a folder").is_none());
        let _ = std::fs::remove_dir_all(&folder);
    }

    #[test]
    fn many_threads_share_the_runs() {
        let folder = folder("threads");
        let taken: Vec<usize> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        let claims = (0..50).map(|i| Claim::take(&folder, &format!("run-{i}")));
                        let claims: Vec<Option<Claim>> =
                            claims.map(|claim| claim.expect("a folder")).collect();
                        let count = claims.iter().flatten().count();
                        // Held until all have tried.
                        (count, claims)
                    })
                })
                .collect();
            let held: Vec<_> = workers
                .into_iter()
                .map(|w| w.join().expect("a worker"))
                .collect();
            held.iter().map(|worker| worker.0).collect()
        });
        assert_eq!(taken.iter().sum::<usize>(), 50);
        let _ = std::fs::remove_dir_all(&folder);
    }
}
