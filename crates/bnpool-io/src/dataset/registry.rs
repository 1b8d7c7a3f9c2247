//! Data sets by name.

use super::entry::Entry;
use super::error::DatasetError;
use super::table::ENTRIES;

/// All data sets, node clustering first, in the paper's order.
///
/// ```
/// use bnpool_io::dataset;
///
/// assert!(dataset::registry().iter().any(|entry| entry.name == "mutag"));
/// ```
#[must_use]
pub fn registry() -> &'static [Entry] {
    ENTRIES
}

/// The data set of a name; case does not matter.
///
/// # Errors
///
/// When there is none; the message lists all names.
///
/// ```
/// let entry = bnpool_io::dataset::find("RedditB")?;
/// assert_eq!(entry.name, "reddit-binary");
/// # Ok::<(), bnpool_io::dataset::DatasetError>(())
/// ```
pub fn find(name: &str) -> Result<&'static Entry, DatasetError> {
    let found = ENTRIES.iter().find(|entry| entry.is_called(name.trim()));
    found.ok_or_else(|| DatasetError::Unknown {
        name: name.to_owned(),
        known: ENTRIES.iter().map(|entry| entry.name).collect(),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::dataset::{Reader, Task};

    #[test]
    fn names_are_unique_and_in_small_letters() {
        let mut names = HashSet::new();
        for entry in registry() {
            for name in entry.aliases.iter().chain([&entry.name]) {
                assert!(names.insert(*name), "{name} stands twice");
                assert_eq!(*name, name.to_lowercase());
                assert_eq!(find(&name.to_uppercase()).unwrap().name, entry.name);
            }
        }
        let promised = "community cora citeseer pubmed dblp gcb-h collab colors-3 imdb-binary \
                        mutagenicity nci1 reddit-binary dd mutag proteins enzymes ogbg-molhiv \
                        peptides-struct multipartite";
        for name in promised.split_whitespace() {
            assert_eq!(find(name).unwrap().name, name);
        }
        let error = find("nowhere").unwrap_err().to_string();
        assert!(
            error.contains("`nowhere`") && error.contains("cora"),
            "{error}"
        );
    }

    #[test]
    fn every_set_has_a_source_over_https() {
        for entry in registry() {
            let built_in = entry.reader == Reader::BuiltIn;
            assert_eq!(entry.sources.is_empty(), built_in);
            assert_eq!(entry.places.is_empty(), built_in);
            for file in entry.sources.iter().chain(&entry.cleaned) {
                assert!(file.address.starts_with("https://"), "{}", file.address);
                assert!(!file.path.starts_with('/') && !file.path.contains(".."));
                if let Some(sha256) = file.sha256 {
                    assert_eq!(sha256.len(), 64);
                    assert!(sha256.bytes().all(|c| c.is_ascii_hexdigit()));
                }
            }
            assert_eq!(entry.task == Task::Cluster, entry.published.graphs == 1);
        }
    }
}
