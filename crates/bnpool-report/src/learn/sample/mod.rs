//! A graph of the test set, from its features to the graph it is pooled to.

mod assignments;
pub(crate) mod features;
mod members;
mod pooled;
pub(crate) mod reduced;
mod section;

pub(crate) use section::legend;
pub(super) use section::section;

use super::SampleGraph;
use crate::chart::{Chart, Sketch, SketchGroup, SketchNode, categorical};
use crate::layout::{Bounds, Frame, Sheet, node_name};
use crate::number::{counted, percent};
use bnpool_graph::Graph;
use features::Painted;
use members::Members;
use reduced::Reduced;
use std::collections::BTreeMap;

/// Largest number of nodes for the stress layout.
pub(crate) const SMALL: usize = 400;
/// Size of the drawings.
const SHEET: Sheet = Sheet {
    width: 400.0,
    height: [260.0, 400.0],
    margin: 16.0,
};

/// Layout of a sample, shared by all its drawings. Graphs of more than `small` nodes use the
/// force-directed layout, which keeps `groups` together, if given.
pub(crate) fn frame(graph: &Graph, groups: Option<&[usize]>, small: usize) -> Frame {
    let bounds = Bounds {
        nodes: 2000,
        edges: 8000,
        pulling: 160_000,
        stressed: small,
    };
    Frame::new(graph, groups, None, &bounds, &SHEET)
}

/// Groups of a drawing, with the number of drawn nodes of each.
pub(crate) type Groups = Vec<(SketchGroup, usize)>;

/// A drawing with its groups, which a page lists next to it.
#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    pub(crate) chart: Chart,
    pub(crate) groups: Groups,
}

/// All drawings of a sample.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    /// Number of drawn nodes.
    nodes: usize,
    /// Number of drawn edges, and of edges between the drawn nodes.
    edges: [usize; 2],
    /// Meaning of the colours of the first drawing.
    painted_by: &'static str,
    pub(super) features: Drawn,
    pub(super) clusters: Option<Drawn>,
    pub(super) assignments: Option<Chart>,
    /// Number of shown clusters.
    shown: usize,
    pub(super) pooled: Option<Chart>,
    pub(super) reduced: Option<Reduced>,
}

/// Draws a sample. Colours of features and clusters depend on their numbers and
/// are the same in all samples.
pub(super) fn draw(sample: &SampleGraph<'_>) -> Sample {
    let members = Members::of(sample);
    let members = members.as_ref();
    let groups = members.map(|m| m.label.as_slice());
    let frame = frame(sample.graph, groups, SMALL);
    let painted = features::paint(sample.graph);
    Sample {
        nodes: frame.chosen.len(),
        edges: [frame.edges.len(), frame.all_edges],
        painted_by: painted.by,
        features: by_features(sample.graph, &frame, &painted, members),
        clusters: members.map(|members| by_clusters(sample.graph, &frame, &painted, members)),
        assignments: members.map(|members| assignments::chart(sample, members)),
        shown: members.map_or(0, |members| members.shown.len()),
        pooled: pooled::draw(sample, members, cluster_group),
        reduced: members.and_then(|m| reduced::draw(sample, &m.shown, "cluster", cluster_group)),
    }
}

/// A graph pooled by one of several poolers, with a common layout for all of
/// them.
#[derive(Debug, Clone)]
pub(crate) struct Panel {
    /// The nodes in the colours of their clusters, or the kept nodes.
    pub(crate) nodes: Option<Chart>,
    /// S.
    pub(crate) assignments: Option<Chart>,
    /// The pooled graph, with supernodes in the most frequent colours of their
    /// nodes.
    pub(crate) pooled: Option<Chart>,
    /// X_pool.
    pub(crate) features: Option<Reduced>,
    /// Number of clusters that are the first choice of some node, and of
    /// non-empty clusters.
    pub(crate) clusters: [usize; 2],
}

/// Draws a panel; `kept` are the remaining nodes if the pooler drops others.
pub(crate) fn panel(
    sample: &SampleGraph<'_>,
    kept: &[usize],
    frame: &Frame,
    painted: &Painted,
) -> Panel {
    let members = Members::of(sample);
    if let Some(members) = &members {
        let colours = majority_groups(sample, members, painted);
        // A single colour for all nodes would be uninformative.
        let paint = |cluster: usize| match painted.groups.len() {
            1 => cluster_group(cluster),
            _ => colours[&cluster].clone(),
        };
        return Panel {
            nodes: Some(by_clusters(sample.graph, frame, painted, members).chart),
            assignments: Some(assignments::chart(sample, members)),
            pooled: pooled::draw(sample, Some(members), paint),
            features: reduced::draw(sample, &members.shown, "cluster", cluster_group),
            clusters: [members.preferred().len(), members.shown.len()],
        };
    }
    // Supernodes are nodes: the kept ones, or all of them.
    let same = kept.is_empty() && sample.clusters == sample.graph.nodes();
    let own = |supernode: usize| {
        let node = if same { supernode } else { kept[supernode] };
        painted.groups[painted.group[node]].clone()
    };
    let left: Vec<usize> = if same || kept.len() == sample.clusters {
        (0..sample.clusters).collect()
    } else {
        Vec::new()
    };
    Panel {
        nodes: (!kept.is_empty()).then(|| by_kept(sample, kept, frame, painted)),
        assignments: (!kept.is_empty()).then(|| assignments::kept_chart(sample, kept)),
        pooled: if left.is_empty() || (same && left.len() > pooled::NODES) {
            None
        } else {
            pooled::draw(sample, None, own)
        },
        features: reduced::draw(sample, &left, "supernode", own),
        clusters: [left.len(); 2],
    }
}

/// Most frequent colour of the nodes of each cluster.
fn majority_groups(
    sample: &SampleGraph<'_>,
    members: &Members,
    painted: &Painted,
) -> BTreeMap<usize, SketchGroup> {
    let of = |&cluster: &usize| {
        let mut mass = vec![0.0_f64; painted.groups.len()];
        for (node, &group) in painted.group.iter().enumerate() {
            let share = sample.assignments[node * sample.clusters + cluster];
            if share.is_finite() {
                mass[group] += f64::from(share);
            }
        }
        let most = (0..mass.len()).fold(0, |best, group| {
            if mass[group] > mass[best] {
                group
            } else {
                best
            }
        });
        (cluster, painted.groups[most].clone())
    };
    members.shown.iter().map(of).collect()
}

/// Draws kept nodes in their colours and the others pale.
fn by_kept(sample: &SampleGraph<'_>, kept: &[usize], frame: &Frame, painted: &Painted) -> Chart {
    let mut groups = painted.groups.clone();
    groups.push(SketchGroup {
        name: "dropped".to_owned(),
        colour: features::DROPPED,
    });
    let alt = format!(
        "Drawing of the graph: {} of {} are kept.",
        kept.len(),
        counted(sample.graph.nodes(), "node", "nodes")
    );
    sketch(frame, alt, &groups, |node| {
        if kept.contains(&node) {
            (
                painted.group[node],
                texts(sample.graph, painted, None, node),
            )
        } else {
            (
                groups.len() - 1,
                vec![node_name(sample.graph, node), "dropped".to_owned()],
            )
        }
    })
    .chart
}

/// Hover text of a node in either drawing.
fn texts(graph: &Graph, painted: &Painted, members: Option<&Members>, node: usize) -> Vec<String> {
    let group = painted.group[node];
    let mut texts = vec![node_name(graph, node), painted.groups[group].name.clone()];
    if let Some(members) = members {
        texts.push(format!(
            "cluster {} ({})",
            members.label[node],
            percent(f64::from(members.confidence[node]))
        ));
    }
    texts
}

pub(crate) fn by_features(
    graph: &Graph,
    frame: &Frame,
    painted: &Painted,
    members: Option<&Members>,
) -> Drawn {
    let alt = format!(
        "Drawing of the graph: {}. {}",
        counted(frame.chosen.len(), "node", "nodes"),
        painted.by
    );
    sketch(frame, alt, &painted.groups, |node| {
        let texts = texts(graph, painted, members, node);
        (painted.group[node], texts)
    })
}

fn by_clusters(graph: &Graph, frame: &Frame, painted: &Painted, members: &Members) -> Drawn {
    let used = members.preferred();
    let groups: Vec<SketchGroup> = used.iter().map(|&cluster| cluster_group(cluster)).collect();
    let alt = format!(
        "Drawing of the graph: {} in {}.",
        counted(frame.chosen.len(), "node", "nodes"),
        counted(groups.len(), "cluster", "clusters")
    );
    sketch(frame, alt, &groups, |node| {
        let group = used.binary_search(&members.label[node]).unwrap_or(0);
        (group, texts(graph, painted, Some(members), node))
    })
}

fn cluster_group(cluster: usize) -> SketchGroup {
    SketchGroup {
        name: format!("cluster {cluster}"),
        colour: categorical(cluster),
    }
}

/// Sketch of the frame with nodes in groups; `of` returns group and text of a
/// node.
fn sketch(
    frame: &Frame,
    alt: String,
    groups: &[SketchGroup],
    of: impl Fn(usize) -> (usize, Vec<String>),
) -> Drawn {
    let mut sizes = vec![0_usize; groups.len()];
    let room = frame.size[0] * frame.size[1] / frame.chosen.len().max(1) as f64;
    let radius = (room.sqrt() * 0.16).clamp(1.8, 9.0);
    let node = |(&node, &place): (&usize, &[f64; 2])| {
        let (group, texts) = of(node);
        if let Some(size) = sizes.get_mut(group) {
            *size += 1;
        }
        SketchNode {
            place,
            radius,
            group,
            label: String::new(),
            texts,
        }
    };
    let nodes = frame.chosen.iter().zip(&frame.places).map(node).collect();
    let width = if frame.edges.len() > 2000 { 0.6 } else { 1.2 };
    let edges = frame.edges.iter().map(|&(u, v)| (u, v, width));
    let chart = Sketch {
        alt,
        size: frame.size,
        nodes,
        edges: edges.collect(),
        groups: groups.to_vec(),
    };
    Drawn {
        chart: chart.draw(),
        groups: groups.iter().cloned().zip(sizes).collect(),
    }
}
