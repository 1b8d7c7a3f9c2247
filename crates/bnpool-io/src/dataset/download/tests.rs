//! Downloads from a small server of our own.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use super::*;

/// The behaviour of the server for a request.
#[derive(Clone, Copy)]
enum Manner {
    /// Sends what is asked for.
    Whole,
    /// Sends so many bytes and hangs up.
    HangUp(usize),
    /// Says that there is nothing.
    Missing,
    /// Sends everything, whatever part is asked for.
    IgnoreRange,
    /// Sends bytes without end, and does not say how many.
    Endless,
    /// Sends a byte now and then.
    Slow,
}

/// A server of one file; it treats each request in the next manner and keeps
/// what was asked.
struct Server {
    address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start(content: &'static [u8], tag: &'static str, manners: Vec<Manner>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/file", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&requests);
        std::thread::spawn(move || {
            for manner in manners {
                let Ok((stream, _)) = listener.accept() else {
                    return;
                };
                let request = answer(stream, content, tag, manner);
                kept.lock().unwrap().push(request);
            }
        });
        Self { address, requests }
    }

    fn file(&self, sha256: Option<&'static str>, size: Option<u64>) -> SourceFile {
        SourceFile {
            path: "file",
            address: self.address.clone().leak(),
            sha256,
            size,
        }
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn answer(mut stream: TcpStream, content: &[u8], tag: &str, manner: Manner) -> String {
    let mut request = String::new();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        request += &line.to_lowercase();
    }
    let start = request.split("range: bytes=").nth(1);
    let start = start.and_then(|rest| rest.split('-').next()?.parse::<usize>().ok());
    let same = !request.contains("if-range: ") || request.contains(&format!("if-range: {tag}"));
    let (head, body) = match (manner, start) {
        (Manner::Missing, _) => ("404 Not Found".to_owned(), &b""[..]),
        (Manner::IgnoreRange, _) => ("200 OK".to_owned(), content),
        (_, Some(start)) if same && start < content.len() => {
            let range = format!("bytes {start}-{}/{}", content.len() - 1, content.len());
            let head = format!("206 Partial Content\r\nContent-Range: {range}");
            (head, &content[start..])
        }
        _ => ("200 OK".to_owned(), content),
    };
    let tag = if tag.is_empty() {
        String::new()
    } else {
        format!("ETag: {tag}\r\n")
    };
    let head = format!(
        "HTTP/1.1 {head}\r\n{tag}Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    if matches!(manner, Manner::Endless) {
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
        let _ = stream.write_all(head.as_bytes());
        // Until the other side hangs up.
        while stream.write_all(&[b'x'; 1 << 16]).is_ok() {}
        return request;
    }
    let _ = stream.write_all(head.as_bytes());
    if matches!(manner, Manner::Slow) {
        for byte in body {
            std::thread::sleep(std::time::Duration::from_millis(100));
            if stream.write_all(&[*byte]).is_err() {
                break;
            }
        }
        return request;
    }
    let sent = match manner {
        Manner::HangUp(count) => &body[..count.min(body.len())],
        _ => body,
    };
    let _ = stream.write_all(sent);
    request
}

const CONTENT: &[u8] = b"a file that is worth having";
const SHA256: &str = "cc319ba6d21b8a80d7a2f8e2bb5ec3e2d3d5f7d5f4c53d47a8b2d34db9c55a11";

fn sha256() -> &'static str {
    // Computed, so that the content may be changed.
    crate::dataset::sha256_bytes(CONTENT).leak()
}

fn get(server: &Server, file: &SourceFile, path: &Path) -> Result<Fetched, DatasetError> {
    let transfer = Transfer::local();
    assert!(server.address.starts_with("http://127.0.0.1"));
    fetch_file(&transfer, file, path, false, &mut |_| {})
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_comes_whole_and_its_checksum_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sub/file");
    let server = Server::start(CONTENT, "", vec![Manner::Whole]);
    let file = server.file(None, None);
    let mut seen = Vec::new();
    let transfer = Transfer::local();
    let fetched = fetch_file(&transfer, &file, &path, false, &mut |progress| {
        seen.push((progress.received, progress.total));
    })
    .unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), CONTENT);
    assert_eq!((fetched.published, fetched.already_there), (false, false));
    assert_eq!(names(path.parent().unwrap()), ["file", "file.sha256"]);
    let total = CONTENT.len() as u64;
    assert_eq!(seen.first(), Some(&(0, Some(total))));
    assert_eq!(seen.last(), Some(&(total, Some(total))));
    // The second time nothing is asked of the server.
    let again = get(&server, &file, &path).unwrap();
    assert!(again.already_there);
    std::fs::write(&path, "changed").unwrap();
    let error = get(&server, &file, &path).unwrap_err().to_string();
    assert!(
        error.contains("sha256") && error.contains("fetch it again"),
        "{error}"
    );
}

#[test]
fn broken_transfers_go_on_where_they_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let manners = vec![Manner::HangUp(5), Manner::HangUp(4), Manner::Whole];
    let server = Server::start(CONTENT, "\"v1\"", manners);
    let file = server.file(Some(sha256()), Some(CONTENT.len() as u64));
    let fetched = get(&server, &file, &path).unwrap();
    assert!(fetched.published);
    assert_eq!(std::fs::read(&path).unwrap(), CONTENT);
    assert_eq!(names(folder.path()), ["file"]);
    let requests = server.requests();
    assert!(requests[1].contains("range: bytes=5-"), "{}", requests[1]);
    assert!(requests[2].contains("range: bytes=9-"), "{}", requests[2]);
    assert!(requests[2].contains("if-range: \"v1\""), "{}", requests[2]);
}

#[test]
fn later_runs_go_on_too_unless_the_file_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let broken = Server::start(CONTENT, "\"v1\"", vec![Manner::HangUp(3); 4]);
    let error = get(&broken, &broken.file(None, None), &path).unwrap_err();
    assert!(error.to_string().contains("broke off"), "{error}");
    assert_eq!(names(folder.path()), ["file.part", "file.part.tag"]);
    // Another mark: the server sends all of it again.
    let newer = Server::start(CONTENT, "\"v2\"", vec![Manner::Whole]);
    get(&newer, &newer.file(None, None), &path).unwrap();
    assert!(newer.requests()[0].contains("if-range: \"v1\""));
    assert_eq!(std::fs::read(&path).unwrap(), CONTENT);
}

#[test]
fn servers_that_cannot_resume_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let manners = vec![Manner::HangUp(7), Manner::IgnoreRange];
    let server = Server::start(CONTENT, "\"v1\"", manners);
    get(&server, &server.file(None, None), &path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), CONTENT);
}

#[test]
fn wrong_files_are_refused_and_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let server = Server::start(CONTENT, "", vec![Manner::Whole, Manner::Whole]);
    let error = get(&server, &server.file(Some(SHA256), None), &path).unwrap_err();
    assert!(
        matches!(error, DatasetError::Mismatch { what: "sha256", .. }),
        "{error}"
    );
    let error = get(&server, &server.file(None, Some(3)), &path).unwrap_err();
    assert!(
        matches!(error, DatasetError::Mismatch { what: "size", .. }),
        "{error}"
    );
    assert!(names(folder.path()).is_empty());
}

#[test]
fn no_more_is_taken_than_was_published() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let server = Server::start(CONTENT, "", vec![Manner::Endless, Manner::Whole]);
    let file = server.file(Some(sha256()), Some(1000));
    let mut most = 0;
    let transfer = Transfer::local();
    let error = fetch_file(&transfer, &file, &path, false, &mut |progress| {
        most = most.max(progress.received);
    })
    .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("more than 1000, but should be 1000"),
        "{error}"
    );
    assert!(most <= 1000, "{most}");
    // A server that says so beforehand is not listened to at all.
    let file = server.file(None, Some(3));
    let error = get(&server, &file, &path).unwrap_err().to_string();
    assert!(error.contains("the size is 27, but should be 3"), "{error}");
    assert!(names(folder.path()).is_empty());
}

/// Of many files no size is published.
#[test]
fn no_more_is_taken_than_any_file_has() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let manners = vec![Manner::Endless, Manner::Whole, Manner::Whole];
    let server = Server::start(CONTENT, "", manners);
    let file = server.file(None, None);
    let fetch = |most: u64| {
        let transfer = Transfer::local().at_most(most);
        fetch_file(&transfer, &file, &path, false, &mut |_| {})
    };
    for (most, found) in [(1000, "more than 1000"), (20, "27")] {
        let error = fetch(most).unwrap_err().to_string();
        let words = format!("the file has {found} bytes, and {most} at most are taken");
        assert!(error.contains(&words), "{error}");
        assert!(names(folder.path()).is_empty());
    }
    fetch(CONTENT.len() as u64).unwrap();
}

/// A new name is on the disk only when its folder is. Looked at where `strace` can be
/// used.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_is_brought_to_the_disk_after_a_file_has_come() {
    let folder = tempfile::tempdir().unwrap();
    let calls = folder.path().join("calls");
    let filter = "trace=fsync,rename,renameat,renameat2";
    let mut strace = std::process::Command::new("strace");
    strace.args(["-f", "-y", "-e", filter, "-o"]).arg(&calls);
    let other = "dataset::download::tests::broken_transfers_go_on_where_they_stopped";
    strace.arg(std::env::current_exe().unwrap()).arg(other);
    if !strace.output().is_ok_and(|out| out.status.success()) {
        return;
    }
    let calls = std::fs::read_to_string(calls).unwrap();
    let renamed = |call: &str| call.contains("rename") && call.contains("file.part");
    let mut after = calls.lines().skip_while(|call| !renamed(call));
    let call = after.next().expect("a file was renamed");
    let path = call.split('"').nth(3).expect("its new name");
    // The call may be cut in two by another thread.
    let own = format!("{}>", Path::new(path).parent().unwrap().display());
    assert!(
        after.any(|call| call.contains("fsync(") && call.contains(&own)),
        "{calls}"
    );
}

#[test]
fn slow_transfers_end_in_time_and_can_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let server = Server::start(CONTENT, "\"v1\"", vec![Manner::Slow, Manner::Whole]);
    let file = server.file(Some(sha256()), Some(CONTENT.len() as u64));
    let transfer = Transfer::local().within(std::time::Duration::from_millis(550));
    let start = std::time::Instant::now();
    let error = fetch_file(&transfer, &file, &path, false, &mut |_| {}).unwrap_err();
    // All of it would take almost three seconds.
    assert!(start.elapsed().as_secs_f64() < 2.0);
    let error = error.to_string();
    assert!(error.contains("the time limit of 0.55 seconds"), "{error}");
    assert_eq!(names(folder.path()), ["file.part", "file.part.tag"]);
    assert!(
        std::fs::metadata(folder.path().join("file.part"))
            .unwrap()
            .len()
            > 0
    );
    get(&server, &file, &path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), CONTENT);
    assert!(server.requests()[1].contains("range: bytes="));
}

#[test]
fn a_bad_certificate_is_called_one() {
    let order = |path| Order {
        address: "https://example.org/file",
        path,
        verifiable: false,
        size: None,
    };
    let refused = "invalid peer certificate: UnknownIssuer";
    let error = std::io::Error::new(std::io::ErrorKind::InvalidData, refused);
    let error = transfer::say(&order(Path::new("data/file")), &ureq::Error::Io(error));
    assert_eq!(
        error,
        "https://example.org/file: cannot fetch: the certificate of the server is not to be \
         trusted (io: invalid peer certificate: UnknownIssuer); check the clock of this machine \
         and whether the network intercepts connections, or fetch the file on another machine \
         and put it at data/file"
    );
    let error = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
    let error = transfer::say(&order(Path::new("data/file")), &ureq::Error::Io(error));
    assert!(error.contains("check the network"), "{error}");
}

#[test]
fn missing_files_and_dead_servers_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let server = Server::start(CONTENT, "", vec![Manner::Missing]);
    let error = get(&server, &server.file(None, None), &path)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("404") && error.contains("put it at"),
        "{error}"
    );

    let dead = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/file", dead.local_addr().unwrap()).leak();
    drop(dead);
    let file = SourceFile {
        path: "file",
        address,
        sha256: None,
        size: None,
    };
    let transfer = Transfer::local();
    let error = fetch_file(&transfer, &file, &path, false, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("check the network"), "{error}");
}

#[test]
fn nothing_is_fetched_without_https() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let server = Server::start(CONTENT, "", vec![Manner::Whole]);
    let file = server.file(None, None);
    let refused = fetch_file(&Transfer::secure(), &file, &path, false, &mut |_| {});
    assert!(refused.is_err());
    assert!(server.requests().is_empty());
}

#[test]
fn built_in_and_uncleanable_sets_are_said_to_be() {
    let options = FetchOptions {
        data_dir: Some(PathBuf::from("unused")),
        ..FetchOptions::default()
    };
    let error = fetch("community", &options, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("built in"), "{error}");
    let cleaned = FetchOptions {
        cleaned: true,
        ..options
    };
    let error = fetch("cora", &cleaned, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("no cleaned version"), "{error}");
}
