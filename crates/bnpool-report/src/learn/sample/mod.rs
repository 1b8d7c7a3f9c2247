//! A graph of the test set, from its features to the graph it is pooled to.

mod assignments;
mod features;
mod frame;
mod members;
mod pooled;
mod section;

pub(super) use section::section;

use super::SampleGraph;
use crate::chart::{Chart, Sketch, SketchGroup, SketchNode, categorical};
use crate::layout::node_name;
use crate::number::{counted, percent};
use features::Painted;
use frame::Frame;
use members::Members;

/// Groups of a drawing and how many nodes of each are drawn.
type Groups = Vec<(SketchGroup, usize)>;

/// A drawing with its groups, which a page lists beside it.
#[derive(Debug, Clone)]
pub(super) struct Drawn {
    pub(super) chart: Chart,
    groups: Groups,
}

/// Everything that is shown of a sample.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    /// Nodes that are drawn.
    nodes: usize,
    /// Edges that are drawn, and those between the drawn nodes.
    edges: [usize; 2],
    /// What the colours of the first drawing mean.
    painted_by: &'static str,
    pub(super) features: Drawn,
    pub(super) clusters: Option<Drawn>,
    pub(super) assignments: Option<Chart>,
    /// Clusters that are shown.
    shown: usize,
    pub(super) pooled: Option<Chart>,
}

/// Draws a sample. Colours of features and clusters are those of their numbers,
/// alike in all samples.
pub(super) fn draw(sample: &SampleGraph<'_>) -> Sample {
    let members = Members::of(sample);
    let frame = Frame::new(sample.graph, members.as_ref());
    let painted = features::paint(sample.graph);
    Sample {
        nodes: frame.chosen.len(),
        edges: [frame.edges.len(), frame.all_edges],
        painted_by: painted.by,
        features: by_features(sample, &frame, &painted, members.as_ref()),
        clusters: members
            .as_ref()
            .map(|members| by_clusters(sample, &frame, &painted, members)),
        assignments: members
            .as_ref()
            .map(|members| assignments::chart(sample, members)),
        shown: members.as_ref().map_or(0, |members| members.shown.len()),
        pooled: pooled::draw(sample, members.as_ref()),
    }
}

/// What the pointer shows on a node of either drawing.
fn texts(
    sample: &SampleGraph<'_>,
    painted: &Painted,
    members: Option<&Members>,
    node: usize,
) -> Vec<String> {
    let group = painted.group[node];
    let mut texts = vec![
        node_name(sample.graph, node),
        painted.groups[group].name.clone(),
    ];
    if let Some(members) = members {
        texts.push(format!(
            "cluster {} ({})",
            members.label[node],
            percent(f64::from(members.confidence[node]))
        ));
    }
    texts
}

fn by_features(
    sample: &SampleGraph<'_>,
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
        let texts = texts(sample, painted, members, node);
        (painted.group[node], texts)
    })
}

fn by_clusters(
    sample: &SampleGraph<'_>,
    frame: &Frame,
    painted: &Painted,
    members: &Members,
) -> Drawn {
    let used = members.preferred();
    let groups: Vec<SketchGroup> = used.iter().map(|&cluster| cluster_group(cluster)).collect();
    let alt = format!(
        "Drawing of the graph: {} in {}.",
        counted(frame.chosen.len(), "node", "nodes"),
        counted(groups.len(), "cluster", "clusters")
    );
    sketch(frame, alt, &groups, |node| {
        let group = used.binary_search(&members.label[node]).unwrap_or(0);
        (group, texts(sample, painted, Some(members), node))
    })
}

fn cluster_group(cluster: usize) -> SketchGroup {
    SketchGroup {
        name: format!("cluster {cluster}"),
        colour: categorical(cluster),
    }
}

/// The frame with nodes in groups; `of` gives group and words of a node.
fn sketch(
    frame: &Frame,
    alt: String,
    groups: &[SketchGroup],
    of: impl Fn(usize) -> (usize, Vec<String>),
) -> Drawn {
    let mut sizes = vec![0_usize; groups.len()];
    let node = |(&node, &place): (&usize, &[f64; 2])| {
        let (group, texts) = of(node);
        if let Some(size) = sizes.get_mut(group) {
            *size += 1;
        }
        SketchNode {
            place,
            radius: frame.radius,
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
