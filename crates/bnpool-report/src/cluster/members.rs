//! The members of each community: lists to search, copy and download.
//!
//! Names and confidences are stored as one text in the page. The script builds
//! a list from it when a community is opened, so that a page with many nodes
//! opens fast.

use serde::Serialize;
use std::borrow::Cow;

use super::ClusterReport;
use crate::binned::Binned;
use crate::chart::categorical;
use crate::escape::{name, sentence};
use crate::number::{count, counted, percent};
use crate::page::{Markup, Page};

/// Largest number of members in a page.
const MOST: usize = 200_000;
/// Approximate largest number of bytes of names in a page.
const BYTES: usize = 8_000_000;

/// The listed members of a community, highest confidence first.
#[derive(Serialize)]
struct Members<'a> {
    size: usize,
    names: Names<'a>,
    /// In millionths, with the digits of `labels.csv`; `None` for non-finite
    /// values.
    confidence: Vec<Option<u32>>,
}

/// Ids, or numbers if nodes have no ids.
#[derive(Serialize)]
#[serde(untagged)]
enum Names<'a> {
    Ids(Vec<Cow<'a, str>>),
    Numbers(Vec<usize>),
}

/// Rounds as in `labels.csv`, so that both files have the same digits.
fn millionths(confidence: f32) -> Option<u32> {
    let digits = format!("{:.6}", confidence.max(0.0)).replace('.', "");
    if confidence.is_finite() {
        digits.parse().ok()
    } else {
        None
    }
}

/// Number of members listed per community, if at most `most` are listed in
/// total.
fn listed(sizes: &[usize], most: usize) -> usize {
    let total = |each: usize| sizes.iter().map(|&size| size.min(each)).sum::<usize>();
    let (mut low, mut high) = (0, sizes.iter().copied().max().unwrap_or(0));
    while low < high {
        let middle = high - (high - low) / 2;
        if total(middle) <= most {
            low = middle
        } else {
            high = middle - 1
        }
    }
    low
}

/// Number of members that fit into the page, given the length of their names.
fn affordable(report: &ClusterReport<'_>) -> usize {
    let Some(ids) = report.graph.node_ids() else {
        return MOST;
    };
    // A name is truncated, and a hidden character is escaped with up to eight
    // characters.
    let bytes: usize = ids.iter().map(|id| id.len().min(600) + 3).sum();
    let mean = bytes.div_ceil(ids.len().max(1)).max(1);
    (BYTES / mean).min(MOST)
}

fn members<'a>(report: &ClusterReport<'a>, order: &Binned, each: usize) -> Vec<Members<'a>> {
    let mut nodes: Vec<Vec<usize>> = vec![Vec::new(); report.communities.len()];
    for &node in &order.nodes {
        let list = &mut nodes[report.labels[node]];
        if list.len() < each {
            list.push(node);
        }
    }
    let rows = report.communities.iter().zip(nodes);
    rows.map(|(row, nodes)| Members {
        size: row.size,
        confidence: nodes
            .iter()
            .map(|&node| millionths(report.confidence[node]))
            .collect(),
        names: match report.graph.node_ids() {
            Some(ids) => Names::Ids(nodes.iter().map(|&u| shown(&ids[u])).collect()),
            None => Names::Numbers(nodes),
        },
    })
    .collect()
}

/// The full name if possible, as needed for downloads.
fn shown(id: &str) -> Cow<'_, str> {
    match sentence(id) {
        same if same == id => Cow::Borrowed(id),
        changed => Cow::Owned(changed),
    }
}

/// Text on omissions and changes in the lists.
fn limits(report: &ClusterReport<'_>, each: usize) -> String {
    let mut out = String::new();
    if report.communities.iter().any(|row| row.size > each) {
        out.push_str(&format!(
            " The graph is too large for complete lists, so this page holds {} of each community. The file labels.csv of the run has all nodes.",
            match each {
                0 => "no members".to_owned(),
                1 => "the most confident member".to_owned(),
                more => format!("up to {} of the most confident members", count(more)),
            }
        ));
    }
    let ids = report.graph.node_ids().unwrap_or(&[]);
    if ids.iter().any(|id| sentence(id) != *id) {
        out.push_str(" Some names hold invisible characters, which are shown as escapes, or are very long and cut off; labels.csv has them unchanged.");
    }
    out
}

/// One line per community, which opens its list.
fn entry(report: &ClusterReport<'_>, community: usize) -> String {
    let row = &report.communities[community];
    let mut about = format!(
        "{}, mean confidence {}",
        counted(row.size, "node", "nodes"),
        percent(row.mean_confidence)
    );
    if let Some((class, share)) = &row.majority_class {
        about.push_str(&format!(", {} of class {}", percent(*share), name(class)));
    }
    format!(
        r#"<details data-community="{community}"><summary><i class="dot" style="background:{}"></i>Community {community}<small>{}</small></summary><div class="list"></div></details>"#,
        categorical(community),
        Markup::text(&about)
    )
}

/// Adds the section and its data to the page.
pub(super) fn add(page: &mut Page, report: &ClusterReport<'_>, order: &Binned) {
    let sizes: Vec<usize> = report.communities.iter().map(|row| row.size).collect();
    let each = listed(&sizes, affordable(report));
    // Plain numbers and strings always become JSON.
    let data = serde_json::to_string(&members(report, order, each));
    page.set_members(data.unwrap_or_else(|_| "[]".to_owned()));
    let entries: String = (0..sizes.len()).map(|k| entry(report, k)).collect();
    let content = format!(
        r#"<p>Find a node by its name, or open a community to see its members, the most confident first. The confidence is the membership of a node in its community.{}</p><noscript><p>The lists need JavaScript. The file labels.csv of the run has the same data.</p></noscript><div class="tools"><input id="find" type="search" placeholder="Find a node" aria-label="Find a node by name" autocomplete="off" spellcheck="false"><button id="download-members" type="button">Download csv</button></div><p id="found" role="status"></p><ol id="hits" class="members" hidden></ol><div id="member-lists">{entries}</div>"#,
        limits(report, each)
    );
    page.add_section("members", "Members", Markup::trusted(content));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_share_the_room() {
        assert_eq!(listed(&[5, 3, 1], 9), 5);
        assert_eq!(listed(&[5, 3, 1], 8), 4);
        assert_eq!(listed(&[5, 3, 1], 3), 1);
        assert_eq!(listed(&[5, 3, 1], 2), 0);
        assert_eq!(listed(&[], 2), 0);
    }

    #[test]
    fn digits_are_those_of_the_csv_file() {
        for confidence in [0.0_f32, 1.0, 0.007_812_5, 0.333_333_34, 0.999_999_9] {
            let parts = millionths(confidence).unwrap();
            let text = format!("{}.{:06}", parts / 1_000_000, parts % 1_000_000);
            assert_eq!(text, format!("{confidence:.6}"));
        }
        assert_eq!(millionths(f32::NAN), None);
    }
}
