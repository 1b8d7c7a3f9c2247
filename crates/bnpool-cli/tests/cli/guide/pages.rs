//! Tests of links and commands in the documentation.

use crate::support::{bnpool_in, folder, text, two_cliques};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Returns all pages of the documentation.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(ROOT);
    let mut pages: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
        .map(|name| root.join(name))
        .into();
    for folder in ["docs", "docs/guide", "docs/records"] {
        let Ok(entries) = fs::read_dir(root.join(folder)) else {
            continue;
        };
        pages.extend(
            entries
                .map(|entry| entry.expect("an entry").path())
                .filter(|path| path.extension().is_some_and(|e| e == "md")),
        );
    }
    pages
}

/// Returns the targets of Markdown links, `[text](target)`, outside of code.
fn links(page: &str) -> Vec<&str> {
    let texts = page.split("\n```").step_by(2);
    texts
        .flat_map(|text| text.split("](").skip(1))
        .filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
        .collect()
}

/// Returns the lines of shell blocks, with continued lines joined.
fn commands(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut inside = false;
    let mut continued = String::new();
    for line in page.lines() {
        if line.starts_with("```") {
            inside = !inside && line.trim() == "```sh";
            continue;
        }
        if !inside {
            continue;
        }
        if let Some(start) = line.strip_suffix('\\') {
            continued += start;
            continue;
        }
        commands.push(std::mem::take(&mut continued) + line);
    }
    commands
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut followed = 0;
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page");
        for link in links(&page) {
            if link.contains("://") || link.starts_with('#') {
                continue;
            }
            let target = link.split('#').next().unwrap_or(link);
            let found = path.parent().expect("a folder").join(target);
            assert!(found.exists(), "{}: {link} leads nowhere", path.display());
            followed += 1;
        }
    }
    assert!(followed > 20, "only {followed} links were found");
}

/// Returns the words of a `bnpool` command without redirections and comments,
/// if any.
fn words(line: &str) -> Option<Vec<String>> {
    let line = line.split(" #").next()?.trim();
    // A pipe may contain other programs.
    let line = line.split('|').find(|part| {
        let part = part.trim_start();
        part.starts_with("bnpool ") || part.starts_with("cargo run --release -- ")
    })?;
    let line = line.trim().replace("cargo run --release -- ", "bnpool ");
    let words: Vec<String> = line
        .split_whitespace()
        .skip(1)
        .take_while(|word| !word.starts_with('>'))
        .map(|word| word.trim_matches(['\'', '"']).to_owned())
        .collect();
    Some(words)
}

#[test]
fn commands_of_the_pages_are_understood() {
    let mut tried = 0;
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page");
        for line in commands(&page) {
            let Some(words) = words(&line) else { continue };
            // With `--help` at the end, the flags are checked but nothing runs.
            let out = Command::new(env!("CARGO_BIN_EXE_bnpool"))
                .args(&words)
                .arg("--help")
                .output()
                .expect("the command runs");
            assert!(
                out.status.success(),
                "{}: `{line}`: {}",
                path.display(),
                text(&out.stderr)
            );
            tried += 1;
        }
    }
    assert!(tried > 20, "only {tried} commands were found");
}

#[test]
fn completions_and_manual_cover_every_subcommand() {
    let folder = folder("completions");
    let help = text(&bnpool_in(&folder, &["--help"]).stdout);
    let subcommands: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(subcommands.len() >= 8, "{subcommands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let out = bnpool_in(&folder, &["completions", shell]);
        let script = text(&out.stdout);
        assert!(out.status.success());
        for name in &subcommands {
            assert!(script.contains(name), "{shell}: {name} is missing");
        }
        assert!(script.contains("max-clusters"), "{shell} lacks flags");
    }
    let out = bnpool_in(&folder, &["man", "--out", "man1"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    for name in &subcommands {
        let page = fs::read_to_string(folder.join(format!("man1/bnpool-{name}.1")));
        assert!(page.expect("a page").contains(".SH"), "{name}");
    }
    let page = text(&bnpool_in(&folder, &["man", "data", "convert"]).stdout);
    assert!(page.contains("convert"), "{page}");
    crate::support::refuses(&["man", "clutser"], &["clutser", "cluster", "train"]);
}

#[test]
fn a_setting_of_the_page_can_be_set() {
    let folder = folder("guide-settings");
    let edges = two_cliques(&folder);
    fs::write(
        folder.join("my.toml"),
        "preset = \"paper\"\n\n[pooler]\nalpha_dp = 1.0\n",
    )
    .expect("a file");
    let out = bnpool_in(
        &folder,
        &[
            "cluster", &edges, "--config", "my.toml", "--epochs", "2", "--quiet",
        ],
    );
    assert!(out.status.success(), "{}", text(&out.stderr));
}
