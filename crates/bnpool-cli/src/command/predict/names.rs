//! Unique names of graphs for tables and files.

use bnpool_task::cluster::run::stem;
use bnpool_task::run::path_part;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Returns the shortest unique name of each path: the stem, the file name, or
/// the file name preceded by folders.
pub fn distinct(paths: &[PathBuf]) -> Vec<String> {
    let deepest = paths.iter().map(|p| p.components().count()).max();
    let mut taken = HashSet::new();
    paths
        .iter()
        .enumerate()
        .map(|(i, path)| {
            let alone = |depth: &usize| {
                let own = path_part(&name(path, *depth));
                let others = paths.iter().enumerate().filter(|other| other.0 != i);
                others
                    .into_iter()
                    .all(|(_, other)| path_part(&name(other, *depth)) != own)
            };
            let depths = 0..=deepest.unwrap_or(0);
            let depth = depths.clone().find(alone).unwrap_or(*depths.end());
            // For example, the same path is given twice.
            let wanted = name(path, depth);
            let numbered = (2..).map(|number| format!("{wanted}-{number}"));
            let mut free = std::iter::once(wanted.clone())
                .chain(numbered)
                .filter(|name| !taken.contains(&path_part(name)));
            let name = free.next().unwrap_or(wanted.clone());
            taken.insert(path_part(&name));
            name
        })
        .collect()
}

/// Returns the stem for depth 0, or the last `depth` components.
fn name(path: &Path, depth: usize) -> String {
    if depth == 0 {
        return stem(path);
    }
    let all: Vec<_> = path.components().collect();
    let last = all[all.len().saturating_sub(depth)..].iter();
    last.map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_tell_apart() {
        let names = |paths: &[&str]| distinct(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names(&["a/x.zip", "b/y.zip"]), ["x", "y"]);
        assert_eq!(
            names(&["a/x.zip", "b/x.zip", "z.csv"]),
            ["a/x.zip", "b/x.zip", "z"]
        );
        assert_eq!(names(&["x.csv", "x.gml"]), ["x.csv", "x.gml"]);
        assert_eq!(names(&["x.csv", "x.csv"]), ["x.csv", "x.csv-2"]);
        assert_eq!(names(&["a b.csv", "a-b.csv", "a-b"]).len(), 3);
        let parts: HashSet<String> = names(&["a b.csv", "a-b.csv"])
            .iter()
            .map(|n| path_part(n))
            .collect();
        assert_eq!(parts.len(), 2);
    }
}
