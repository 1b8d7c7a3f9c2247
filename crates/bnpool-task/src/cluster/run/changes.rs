//! Changes since an older version of the graph, as JSON and as text.

use crate::cluster::Changes;
use serde::Serialize;

/// A community that continues an older one.
#[derive(Debug, Clone, Serialize)]
struct Continued {
    community: u32,
    size: usize,
    previous: u32,
    previous_size: usize,
    shared: usize,
}

/// A born or died community.
#[derive(Debug, Clone, Serialize)]
struct Alone {
    community: u32,
    size: usize,
}

/// An old community that was split into several.
#[derive(Debug, Clone, Serialize)]
struct Split {
    previous: u32,
    size: usize,
    into: Vec<Alone>,
}

/// A new community that was merged from several.
#[derive(Debug, Clone, Serialize)]
struct Merged {
    community: u32,
    size: usize,
    from: Vec<Alone>,
}

/// The key `changes` of `metrics.json`.
#[derive(Debug, Clone, Serialize)]
pub struct ChangeMetrics {
    shared_nodes: usize,
    new_nodes: usize,
    gone_nodes: usize,
    previous_communities: usize,
    continued: Vec<Continued>,
    born: Vec<Alone>,
    died: Vec<Alone>,
    split: Vec<Split>,
    merged: Vec<Merged>,
}

impl ChangeMetrics {
    /// Adds the sizes of all listed communities.
    #[must_use]
    pub fn of(changes: &Changes) -> Self {
        let size = |i: u32| changes.sizes[i as usize];
        let old_size = |i: u32| changes.previous_sizes[i as usize];
        let new = |&community: &u32| Alone {
            community,
            size: size(community),
        };
        let old = |&community: &u32| Alone {
            community,
            size: old_size(community),
        };
        Self {
            shared_nodes: changes.shared_nodes,
            new_nodes: changes.new_nodes,
            gone_nodes: changes.gone_nodes,
            previous_communities: changes.previous_sizes.len(),
            continued: changes
                .continued
                .iter()
                .map(|c| Continued {
                    community: c.community,
                    size: size(c.community),
                    previous: c.previous,
                    previous_size: old_size(c.previous),
                    shared: c.shared,
                })
                .collect(),
            born: changes.born.iter().map(new).collect(),
            died: changes.died.iter().map(old).collect(),
            split: changes
                .split
                .iter()
                .map(|(previous, into)| Split {
                    previous: *previous,
                    size: old_size(*previous),
                    into: into.iter().map(new).collect(),
                })
                .collect(),
            merged: changes
                .merged
                .iter()
                .map(|(community, from)| Merged {
                    community: *community,
                    size: size(*community),
                    from: from.iter().map(old).collect(),
                })
                .collect(),
        }
    }

    /// Returns a description with one line per change, at most ten lines of
    /// each kind.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "{} of {} communities go on; {} known nodes, {} new, {} gone",
            self.continued.len(),
            self.previous_communities,
            self.shared_nodes,
            self.new_nodes,
            self.gone_nodes
        )];
        let list = |all: &[Alone]| {
            let named = all.iter().map(|a| format!("{} ({})", a.community, a.size));
            named.collect::<Vec<_>>().join(", ")
        };
        push(&mut lines, &self.born, |born| {
            format!("born: {} with {}", born.community, nodes(born.size))
        });
        push(&mut lines, &self.died, |died| {
            format!(
                "died: previous {} with {}",
                died.community,
                nodes(died.size)
            )
        });
        push(&mut lines, &self.split, |split| {
            format!(
                "split: previous {} ({}) into {}",
                split.previous,
                nodes(split.size),
                list(&split.into)
            )
        });
        push(&mut lines, &self.merged, |merged| {
            format!(
                "merged: previous {} into {} ({})",
                list(&merged.from),
                merged.community,
                nodes(merged.size)
            )
        });
        lines
    }
}

/// Largest number of lines of one kind.
const LISTED: usize = 10;

fn push<T>(lines: &mut Vec<String>, all: &[T], line: impl Fn(&T) -> String) {
    lines.extend(all.iter().take(LISTED).map(line));
    if all.len() > LISTED {
        lines.push(format!("and {} more, in metrics.json", all.len() - LISTED));
    }
}

fn nodes(count: usize) -> String {
    match count {
        1 => "1 node".to_owned(),
        count => format!("{count} nodes"),
    }
}
