//! The connected components of a graph, and the union of their results.

use super::candidate::preference;
use super::{Candidate, CountInterval, Evidence, Judge, Origin, Verdict};
use crate::description_length::{
    Density, Group, Moments, PlantedCode, WeightModel, Whole, ln_factorial,
};
use crate::leiden::members;
use crate::merge::{Dendrogram, Grouped, Until, merge_groups};
use crate::{Links, Partition};
use bnpool_math::kernel::connected_components;

/// The components of a graph that have edges, by their first nodes.
pub(super) struct Pieces {
    /// Start of the nodes of each piece.
    starts: Vec<usize>,
    /// Nodes of all pieces, one piece after the other.
    nodes: Vec<u32>,
    /// Number of each node in the graph of its piece; 0 for nodes without edges.
    names: Vec<u32>,
}

/// A piece as a graph of its own.
pub(super) struct Part {
    pub(super) links: Links,
    /// Its nodes in the whole graph, in ascending order.
    pub(super) nodes: Vec<u32>,
}

impl Part {
    /// Restricts a partition of all nodes to the piece.
    pub(super) fn restrict(&self, partition: &Partition) -> Partition {
        let labels = partition.labels();
        let own: Vec<u32> = self.nodes.iter().map(|&u| labels[u as usize]).collect();
        Partition::new(&own)
    }
}

impl Pieces {
    pub(super) fn new(links: &Links) -> Self {
        let components = connected_components(links.view(), |_, _, _| true);
        let (starts, nodes) = members(&components.of_node, components.count);
        let kept = starts
            .windows(2)
            .map(|w| &nodes[w[0]..w[1]])
            .filter(|own| links.degree(own[0] as usize) > 0);
        Self::of(links.nodes(), kept)
    }

    /// All nodes with edges as one piece.
    pub(super) fn together(links: &Links) -> Self {
        let nodes = 0..links.nodes() as u32;
        let nodes: Vec<u32> = nodes.filter(|&u| links.degree(u as usize) > 0).collect();
        Self::of(links.nodes(), std::iter::once(nodes.as_slice()))
    }

    fn of<'a>(all: usize, pieces: impl Iterator<Item = &'a [u32]>) -> Self {
        let (mut starts, mut nodes, mut names) = (vec![0], Vec::new(), vec![0; all]);
        for piece in pieces {
            for (&u, name) in piece.iter().zip(0..) {
                names[u as usize] = name;
            }
            nodes.extend_from_slice(piece);
            starts.push(nodes.len());
        }
        Self {
            starts,
            nodes,
            names,
        }
    }

    /// Returns whether there is one piece with all nodes.
    pub(super) fn is_whole(&self) -> bool {
        self.starts.len() == 2 && self.nodes.len() == self.names.len()
    }

    fn of_piece(&self, piece: usize) -> &[u32] {
        &self.nodes[self.starts[piece]..self.starts[piece + 1]]
    }

    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The piece with most nodes, the first of several.
    pub(super) fn lead(&self) -> usize {
        let pieces = (0..self.count()).rev();
        pieces.max_by_key(|&p| self.of_piece(p).len()).unwrap_or(0)
    }

    /// Each piece as a graph.
    pub(super) fn graphs<'a>(&'a self, links: &'a Links) -> impl Iterator<Item = Part> + 'a {
        (0..self.count()).map(|piece| {
            let nodes = self.of_piece(piece).to_vec();
            Part {
                links: links.only(&nodes, &self.names),
                nodes,
            }
        })
    }

    /// The union of the results of the pieces. A piece without a result is one group.
    pub(super) fn combined(
        &self,
        links: &Links,
        parts: &[Part],
        mut found: Vec<Option<Evidence>>,
    ) -> Evidence {
        let searched = found.iter().flatten().count();
        for evidence in found.iter_mut().flatten() {
            evidence.be_one_of(searched);
        }
        let lead = self.lead();
        let verdict = verdict(&found);
        // Without groups, the best partition is that of the largest piece.
        let answer = |p: usize| {
            let evidence = found[p].as_ref()?;
            let shown = evidence.verdict != Verdict::None;
            (shown || (verdict == Verdict::None && p == lead)).then_some(evidence)
        };
        let kind = |e: &&Evidence| e.verdict == verdict || verdict == Verdict::None;
        let answers: Vec<Option<&Evidence>> = (0..self.count()).map(answer).collect();
        let shown = || answers.iter().copied().flatten();
        let nats: f64 = shown().map(|e| e.nats).sum();
        let (one, groups, code) = self.lengths(links, parts);
        let whole = Whole::of(&groups);
        let trivial = one.max(whole.total(&code, &groups));
        let chief = shown()
            .filter(kind)
            .max_by(|a, b| a.nats.total_cmp(&b.nats));
        let (judge, weights, origin) =
            chief.map_or(NO_MODEL, |e| (e.best.judge, e.best.weights, e.best.origin));
        let labels = self.labels(|p| answers[p].map(|e| e.best.partition.labels()));
        let best = Partition::new(&labels);
        let path = self.path(&answers, trivial - nats, (&groups, &whole, &code));
        let is_weighted = weights != WeightModel::Ignored;
        let (preference, assortativity) = preference(links, &best, is_weighted);
        let null = found[lead].as_ref().and_then(|e| e.null);
        let null = null.or_else(|| found.iter().flatten().find_map(|e| e.null));
        let interval = match verdict {
            Verdict::None => CountInterval::exactly(1),
            _ => {
                let of_pieces = found.iter().map(|e| e.as_ref().map(|e| &e.interval));
                CountInterval::of_pieces(of_pieces, best.groups())
            }
        };
        let sizes = parts.iter().map(|part| part.nodes.len());
        let agreements = found.iter().zip(sizes).filter_map(|(evidence, size)| {
            let grouped = evidence.as_ref().filter(|e| e.verdict != Verdict::None);
            let agreement = grouped?.agreement?;
            Some((agreement * size as f64, size as f64))
        });
        let sums = agreements.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        let model = |e: &Option<Evidence>| {
            let own = e.as_ref().map(|e| (e.best.judge, e.best.weights));
            own.unwrap_or((NO_MODEL.0, NO_MODEL.1))
        };
        Evidence {
            verdict,
            partition: match verdict {
                Verdict::None => Partition::trivial(links.nodes()),
                _ => best.clone(),
            },
            nats,
            trivial,
            one,
            best: Candidate {
                partition: best,
                total: trivial - nats,
                judge,
                weights,
                origin,
                preference,
                assortativity,
                path,
            },
            candidates: Vec::new(),
            interval,
            null,
            weights: chief.or(found[lead].as_ref()).and_then(|e| e.weights),
            agreement: (sums.1 > 0.0).then(|| sums.0 / sums.1),
            isolated: links.nodes() - self.nodes.len(),
            pieces: found.iter().map(model).collect(),
        }
    }

    /// Labels of all nodes from those of the pieces; `None` means one group. Nodes without
    /// edges are in the largest group.
    fn labels<'a>(&self, of_piece: impl Fn(usize) -> Option<&'a [u32]>) -> Vec<u32> {
        let mut labels = vec![0; self.names.len()];
        let mut first = 0;
        let mut sizes: Vec<usize> = Vec::new();
        let mut alone = vec![true; labels.len()];
        for piece in 0..self.count() {
            let own = of_piece(piece);
            let mut groups = 1;
            for (i, &u) in self.of_piece(piece).iter().enumerate() {
                let label = own.map_or(0, |own| own[i]);
                groups = groups.max(label + 1);
                labels[u as usize] = first + label;
                alone[u as usize] = false;
            }
            sizes.resize((first + groups) as usize, 0);
            for &u in self.of_piece(piece) {
                sizes[labels[u as usize] as usize] += 1;
            }
            first += groups;
        }
        let largest = (0..sizes.len())
            .rev()
            .max_by_key(|&g| sizes[g])
            .unwrap_or(0);
        for (label, alone) in labels.iter_mut().zip(alone) {
            if alone {
                *label = largest as u32;
            }
        }
        labels
    }

    /// Σ of one group, and the statistics of the pieces with the terms of Σ.
    fn lengths(&self, links: &Links, parts: &[Part]) -> (f64, Vec<Group>, PlantedCode) {
        let groups: Vec<Group> = parts
            .iter()
            .map(|part| Group {
                size: part.nodes.len() as u64,
                volume: 2 * part.links.edges() as u64,
                inside: Moments::edges(part.links.edges() as u64),
            })
            .collect();
        let degrees = self.nodes.iter().map(|&u| links.degree(u as usize) as u64);
        let constant = -degrees.map(ln_factorial).sum::<f64>();
        let (nodes, edges) = (self.nodes.len() as u64, links.edges() as u64);
        let code = PlantedCode::from_counts(nodes, edges, Density::Own, constant);
        let all = [Group {
            size: nodes,
            volume: 2 * edges,
            inside: Moments::edges(edges),
        }];
        (Whole::of(&all).total(&code, &all), groups, code)
    }

    /// Merges in all pieces: first down to the answers, then on to one group for each
    /// piece, always the merge that costs least, and then of the pieces. Σ of the answers
    /// is `total`.
    fn path(
        &self,
        answers: &[Option<&Evidence>],
        total: f64,
        (groups, whole, code): (&[Group], &Whole, &PlantedCode),
    ) -> Dendrogram {
        let mut walks: Vec<Walk<'_>> = Vec::with_capacity(self.count());
        let mut first = 0;
        for answer in answers {
            let path = answer.map(|e| &e.best.path);
            walks.push(Walk {
                path,
                done: 0,
                first,
            });
            first += path.map_or(1, |path| path.finest() as u32);
        }
        let labels = self.labels(|p| answers[p].map(|e| e.best.path.labels()));
        let before: f64 = answers
            .iter()
            .flatten()
            .map(|e| {
                let path = &e.best.path;
                let length = |groups| path.total(groups).unwrap_or(0.0);
                length(e.best.partition.groups()) - length(path.finest())
            })
            .sum();
        let mut sum = total - before;
        let mut joined = Dendrogram::new(labels, first as usize, sum);
        for (walk, answer) in walks.iter_mut().zip(answers) {
            let found = answer.map_or(1, |e| e.best.partition.groups());
            while walk.left() > found {
                walk.step(&mut joined, &mut sum);
            }
        }
        let mut next: std::collections::BTreeSet<Next> = walks
            .iter()
            .enumerate()
            .filter_map(|(p, walk)| walk.next(p))
            .collect();
        while let Some(Next(_, p)) = next.pop_first() {
            walks[p].step(&mut joined, &mut sum);
            next.extend(walks[p].next(p));
        }
        let start = Grouped::<u32> {
            labels: Vec::new(),
            groups: groups.to_vec(),
            around: groups.iter().map(|_| Default::default()).collect(),
            total: sum,
        };
        let names: Vec<u32> = walks.iter().map(Walk::last).collect();
        joined.append(&names, &merge_groups(start, code, whole, Until::One));
        joined
    }
}

/// Model of a piece that was not searched.
const NO_MODEL: (Judge, WeightModel, Origin) = (
    Judge::Planted(Density::RelativeOwn),
    WeightModel::Ignored,
    Origin::OtherModel,
);

/// Verdict on all pieces: that with most evidence, or weak if no evidence is strong.
fn verdict(found: &[Option<Evidence>]) -> Verdict {
    let nats = |verdict| {
        let alike = found.iter().flatten().filter(|e| e.verdict == verdict);
        alike.map(|e| e.nats).fold(f64::NEG_INFINITY, f64::max)
    };
    let (communities, blocks) = (nats(Verdict::Communities), nats(Verdict::Blocks));
    if communities.max(blocks) > f64::NEG_INFINITY {
        if blocks > communities {
            Verdict::Blocks
        } else {
            Verdict::Communities
        }
    } else if nats(Verdict::Weak) > f64::NEG_INFINITY {
        Verdict::Weak
    } else {
        Verdict::None
    }
}

/// The merges of a piece that are left.
struct Walk<'a> {
    path: Option<&'a Dendrogram>,
    done: usize,
    /// Number of its first group in the joined dendrogram.
    first: u32,
}

/// The next merge of a piece, by its cost.
struct Next(f64, usize);

impl PartialEq for Next {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Next {}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

impl Walk<'_> {
    fn left(&self) -> usize {
        self.path.map_or(1, |path| path.finest() - self.done)
    }

    /// Cost of the next merge.
    fn cost(&self) -> Option<f64> {
        let (path, left) = (self.path?, self.left());
        Some(path.total(left.checked_sub(1)?)? - path.total(left)?)
    }

    fn next(&self, piece: usize) -> Option<Next> {
        (self.left() > 1).then_some(Next(self.cost()?, piece))
    }

    fn step(&mut self, joined: &mut Dendrogram, sum: &mut f64) {
        if let (Some(path), Some(cost)) = (self.path, self.cost()) {
            let (kept, gone) = path.merges()[self.done];
            *sum += cost;
            joined.push(kept + self.first, gone + self.first, *sum, true);
            self.done += 1;
        }
    }

    /// The last group.
    fn last(&self) -> u32 {
        let last = self.path.and_then(|path| path.merges().last());
        self.first + last.map_or(0, |merge| merge.0)
    }
}
