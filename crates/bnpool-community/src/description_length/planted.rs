//! Search state of the planted partition.

use super::scratch::groups_part;
use super::weights::WeightCode;
use super::{Moments, WeightModel, ln_factorial};
use crate::{CommunityError, Links, Partition};
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_2;
use std::sync::Arc;

/// Model of the expected number of edges inside a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Density {
    /// The same number in each group.
    Uniform,
    /// A separate number for each group.
    Own,
    /// The number expected from the degrees, times one factor inside groups and
    /// another one between groups. This is the model behind modularity (Newman,
    /// 2016): a pair of nodes with degrees k and l in a graph of E edges has ω
    /// k l / 2E expected edges, with two values of ω, which are set to their
    /// maximum-likelihood estimates. Groups may differ in size.
    Relative,
    /// As [`Relative`](Self::Relative), but with a separate factor inside each
    /// group.
    RelativeOwn,
}

/// Statistics of a group.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Group {
    /// Number of nodes.
    pub(crate) size: u64,
    /// Sum of their degrees.
    pub(crate) volume: u64,
    /// Internal edges.
    pub(crate) inside: Moments,
}

impl Group {
    /// Merges two groups, given the edges between them.
    pub(crate) fn union(self, other: Self, between: Moments) -> Self {
        Self {
            size: self.size + other.size,
            volume: self.volume + other.volume,
            inside: self.inside.plus(other.inside).plus(between),
        }
    }

    /// Takes a part out of the group, given the edges between it and the rest.
    pub(crate) fn without(self, part: Self, between: Moments) -> Self {
        Self {
            size: self.size - part.size,
            volume: self.volume - part.volume,
            inside: self.inside.minus(part.inside).minus(between),
        }
    }

    /// A single node.
    pub(crate) fn node(degree: u64) -> Self {
        Self {
            size: 1,
            volume: degree,
            inside: Moments::default(),
        }
    }
}

/// The terms of Σ of one graph.
#[derive(Debug, Clone)]
pub(crate) struct PlantedCode {
    pub(crate) weights: WeightCode,
    density: Density,
    edges: u64,
    all: Moments,
    /// Terms that do not depend on the partition.
    constant: f64,
    /// Length of edges and degrees without groups.
    no_groups: f64,
    nodes: u64,
    /// For each number of groups up to [`TABLE`]: ln of the number of pairs of
    /// groups, and the terms that depend only on the number of groups.
    by_count: Arc<[(f64, f64)]>,
}

/// Terms for more groups than this are computed on demand.
const TABLE: u64 = 1 << 16;

impl PlantedCode {
    pub(crate) fn new(links: &Links, density: Density, model: WeightModel) -> Self {
        let weights = WeightCode::new(links, model);
        let nodes = links.nodes() as u64;
        let edges = links.edges() as u64;
        let mut all = Moments::default();
        let mut constant = weights.constant();
        for u in 0..links.nodes() {
            constant -= ln_factorial(links.degree(u) as u64);
            if weights.model != WeightModel::Ignored {
                for (&v, entry) in links.neighbours(u).iter().zip(links.offsets()[u]..) {
                    if (v as usize) < u {
                        all = all.plus(weights.moments(entry));
                    }
                }
            }
        }
        all.count = edges;
        Self {
            weights,
            all,
            ..Self::from_counts(nodes, edges, density, constant)
        }
    }

    /// The terms of an unweighted graph from its counts; `constant` is −Σ ln k!
    /// over the degrees k.
    pub(crate) fn from_counts(nodes: u64, edges: u64, density: Density, constant: f64) -> Self {
        let by_count = (0..=nodes.min(TABLE)).map(|b| by_count(nodes, edges, b));
        Self {
            weights: WeightCode::ignored(),
            density,
            edges,
            all: Moments::edges(edges),
            constant,
            no_groups: ln_factorial(2 * edges + nodes - 1)
                - ln_factorial(nodes - 1)
                - ln_factorial(edges)
                - edges as f64 * LN_2,
            nodes,
            by_count: by_count.collect(),
        }
    }

    /// Number of edges of the graph.
    pub(crate) fn edges(&self) -> u64 {
        self.edges
    }

    /// Terms of the weights of a class of edges.
    #[inline]
    fn of_weights(&self, class: Moments) -> f64 {
        match self.weights.model {
            WeightModel::Ignored => 0.0,
            _ => self.weights.length(class),
        }
    }

    /// Terms of one group.
    #[inline]
    pub(crate) fn local(&self, group: &Group) -> f64 {
        if group.size == 0 {
            return 0.0;
        }
        let n = group.size;
        match self.density {
            Density::Relative => return self.of_weights(group.inside) - ln_factorial(n),
            Density::RelativeOwn => {
                let expected = square(group.volume) / (4.0 * self.edges as f64);
                return self.of_weights(group.inside)
                    - ln_factorial(n)
                    - gain(group.inside.count as f64, expected);
            }
            Density::Own | Density::Uniform => {}
        }
        let ends = ln_factorial(group.volume + n - 1) - ln_factorial(n - 1) - ln_factorial(n);
        let inside = match self.density {
            Density::Own => ln_factorial(group.inside.count),
            _ => 0.0,
        };
        ends - inside + self.of_weights(group.inside)
    }

    /// Terms of all groups together, given the sums of their internal edges and
    /// of their squared volumes.
    #[inline]
    pub(crate) fn global(&self, groups: usize, inside: Moments, squares: f64) -> f64 {
        let (ln_pairs, alone) = match self.by_count.get(groups) {
            Some(&terms) => terms,
            None => by_count(self.nodes, self.edges, groups as u64),
        };
        let m = inside.count;
        let out = self.edges - m;
        let b = groups as u64;
        let within = match self.density {
            Density::Own => shares(b, m),
            Density::Uniform => m as f64 * (b as f64).ln() - ln_factorial(m),
            Density::Relative | Density::RelativeOwn => {
                let edges = self.edges as f64;
                let expected = squares / (4.0 * edges);
                let within = match self.density {
                    Density::Relative => -gain(m as f64, expected),
                    _ => shares(b, m),
                };
                return alone + self.no_groups + within - gain(out as f64, edges - expected)
                    + self.of_weights(self.all.minus(inside))
                    + self.constant;
            }
        };
        alone + out as f64 * ln_pairs - ln_factorial(out) + within - m as f64 * LN_2
            + self.of_weights(self.all.minus(inside))
            + self.constant
    }
}

/// For `b` groups: ln of the number of pairs of groups, and the terms that depend
/// only on `b`.
fn by_count(nodes: u64, edges: u64, b: u64) -> (f64, f64) {
    match b {
        0 => (0.0, 0.0),
        1 => (0.0, groups_part(nodes, 1)),
        _ => {
            let alone = groups_part(nodes, b) + (edges as f64 + 1.0).ln();
            let pairs = b as f64 * (b as f64 - 1.0) * 0.5;
            (pairs.ln(), alone)
        }
    }
}

/// Term of the distribution of `m` internal edges over `b` groups.
fn shares(b: u64, m: u64) -> f64 {
    ln_factorial(b + m - 1) - ln_factorial(m) - ln_factorial(b - 1)
}

/// Gain of expecting exactly the observed number of edges.
fn gain(edges: f64, expected: f64) -> f64 {
    if edges == 0.0 {
        0.0
    } else {
        // Rounding may make the expectation zero.
        edges * (edges / expected.max(f64::MIN_POSITIVE)).ln()
    }
}

/// The square of a volume.
#[inline]
pub(crate) fn square(volume: u64) -> f64 {
    volume as f64 * volume as f64
}

/// Sums over all groups that enter Σ.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Whole {
    /// Number of groups with nodes.
    pub(crate) count: usize,
    /// Internal edges of all groups.
    pub(crate) inside: Moments,
    /// Sum of the squared volumes.
    pub(crate) squares: f64,
}

impl Whole {
    /// Computes the sums over the groups, in order.
    pub(crate) fn of(groups: &[Group]) -> Self {
        let mut whole = Self {
            count: 0,
            inside: Moments::default(),
            squares: 0.0,
        };
        for group in groups {
            whole.count += usize::from(group.size > 0);
            whole.inside = whole.inside.plus(group.inside);
            whole.squares += square(group.volume);
        }
        whole
    }

    /// Σ of these groups.
    pub(crate) fn total(&self, code: &PlantedCode, groups: &[Group]) -> f64 {
        let local: f64 = groups.iter().map(|g| code.local(g)).sum();
        local + code.global(self.count, self.inside, self.squares)
    }
}

/// A node that is taken out of its group to be put into another one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Taken {
    item: Group,
    /// Rest of its group.
    rest: Group,
    rest_length: f64,
    /// Sums over all groups without it.
    whole: Whole,
    /// Σ of all groups without it, except for the terms of `whole`, minus Σ before.
    change: f64,
}

impl Taken {
    /// Takes an item out of a group of this length, given its edges to the rest. `shared`
    /// are the terms of all groups together before.
    #[inline]
    pub(crate) fn new(
        code: &PlantedCode,
        (whole, shared): (&Whole, f64),
        (group, length): (Group, f64),
        (item, edges): (Group, Moments),
    ) -> Self {
        let rest = group.without(item, edges);
        let rest_length = code.local(&rest);
        Self {
            item,
            rest,
            rest_length,
            whole: Whole {
                count: whole.count - usize::from(rest.size == 0),
                inside: whole.inside.minus(item.inside).minus(edges),
                squares: whole.squares + square(rest.volume) - square(group.volume),
            },
            change: rest_length - length - shared,
        }
    }

    /// The group after the item was put into it, given the edges between them, and the sums
    /// over all groups.
    #[inline]
    pub(crate) fn put(&self, group: Group, edges: Moments) -> (Group, Whole) {
        let entered = group.union(self.item, edges);
        let whole = Whole {
            count: self.whole.count + usize::from(group.size == 0),
            inside: self.whole.inside.plus(self.item.inside).plus(edges),
            squares: self.whole.squares + square(entered.volume) - square(group.volume),
        };
        (entered, whole)
    }

    /// Change of Σ if the item is put into a group of this length.
    #[inline]
    pub(crate) fn change(
        &self,
        code: &PlantedCode,
        (group, length): (Group, f64),
        edges: Moments,
    ) -> f64 {
        let (entered, whole) = self.put(group, edges);
        self.change + code.local(&entered) - length
            + code.global(whole.count, whole.inside, whole.squares)
    }
}

/// Edges of the current node to adjacent groups.
#[derive(Debug, Clone)]
pub(crate) struct Around {
    pub(crate) links: Vec<Moments>,
    pub(crate) groups: Vec<u32>,
}

impl Around {
    pub(crate) fn new(groups: usize) -> Self {
        Self {
            links: vec![Moments::default(); groups],
            groups: Vec::new(),
        }
    }

    /// Makes `u` the current node and counts its edges.
    #[inline]
    pub(crate) fn gather(&mut self, links: &Links, labels: &[u32], weights: &WeightCode, u: usize) {
        let entries = links.neighbours(u).iter().copied().enumerate();
        self.gather_entries(links, labels, weights, u, entries);
    }

    /// Like [`gather`](Self::gather), for some of the edges, given by positions
    /// in the row of `u` and neighbours.
    #[inline]
    pub(crate) fn gather_entries(
        &mut self,
        links: &Links,
        labels: &[u32],
        weights: &WeightCode,
        u: usize,
        entries: impl Iterator<Item = (usize, u32)>,
    ) {
        for g in self.groups.drain(..) {
            self.links[g as usize] = Moments::default();
        }
        let ignored = weights.model == WeightModel::Ignored;
        let start = links.offsets()[u];
        for (i, v) in entries {
            let group = labels[v as usize];
            let link = &mut self.links[group as usize];
            if link.count == 0 {
                self.groups.push(group);
            }
            if ignored {
                link.count += 1;
            } else {
                *link = link.plus(weights.moments(start + i));
            }
        }
    }
}

/// A partition and its Σ under the planted partition model with uniform
/// degrees.
///
/// ```
/// use bnpool_community::description_length::{Density, Planted, WeightModel};
/// use bnpool_community::{Links, Partition};
/// use bnpool_graph::Csr;
///
/// let pairs = [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)];
/// let both = pairs.into_iter().flat_map(|(u, v)| [(u, v), (v, u)]);
/// let links = Links::new(&Csr::from_edges(6, both)?)?;
/// let partition = Partition::new(&[0, 0, 1, 1, 1, 1]);
/// let mut state = Planted::new(&links, &partition, Density::Own, WeightModel::Ignored)?;
/// let before = state.total();
/// // Group 1, the smaller one, is that of nodes 0 and 1.
/// let change = state.move_node(2, 1);
/// assert!(change < 0.0 && (state.total() - before - change).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Planted<'a> {
    links: &'a Links,
    pub(crate) code: PlantedCode,
    pub(crate) labels: Vec<u32>,
    pub(crate) groups: Vec<Group>,
    /// Terms of each group.
    lengths: Vec<f64>,
    /// Groups without nodes.
    pub(crate) empty: Vec<u32>,
    whole: Whole,
    /// Terms of all groups together.
    shared: f64,
    around: Around,
    /// The current node, taken out of its group.
    taken: Taken,
}

impl<'a> Planted<'a> {
    /// Creates the state of a partition.
    ///
    /// # Errors
    ///
    /// Returns an error if the number of labels is not the number of nodes.
    ///
    /// # Complexity
    ///
    /// O(N + E) time and memory.
    pub fn new(
        links: &'a Links,
        partition: &Partition,
        density: Density,
        model: WeightModel,
    ) -> Result<Self, CommunityError> {
        partition.check(links.nodes())?;
        let code = PlantedCode::new(links, density, model);
        Ok(Self::with_code(links, partition.labels(), code))
    }

    /// Creates the state of labels that are below the number of nodes.
    pub(crate) fn with_code(links: &'a Links, labels: &[u32], code: PlantedCode) -> Self {
        let count = labels.iter().max().map_or(0, |&g| g as usize + 1);
        let mut groups = vec![Group::default(); count];
        for u in 0..links.nodes() {
            let group = &mut groups[labels[u] as usize];
            group.size += 1;
            group.volume += links.degree(u) as u64;
            let start = links.offsets()[u];
            for (i, &v) in links.neighbours(u).iter().enumerate() {
                if (v as usize) < u && labels[v as usize] == labels[u] {
                    group.inside = group.inside.plus(code.weights.moments(start + i));
                }
            }
        }
        let whole = Whole::of(&groups);
        let empty = (0..count as u32)
            .rev()
            .filter(|&g| groups[g as usize].size == 0)
            .collect();
        Self {
            links,
            labels: labels.to_vec(),
            around: Around::new(count),
            lengths: groups.iter().map(|g| code.local(g)).collect(),
            shared: code.global(whole.count, whole.inside, whole.squares),
            groups,
            empty,
            whole,
            code,
            taken: Taken::default(),
        }
    }

    /// Number of groups with nodes.
    #[must_use]
    pub fn count(&self) -> usize {
        self.groups.len() - self.empty.len()
    }

    /// Group of each node.
    #[must_use]
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// Number of edges inside groups in excess of that expected from the
    /// degrees, as a fraction of all edges: the unweighted modularity. Negative
    /// for disassortative groups.
    #[must_use]
    pub fn assortativity(&self) -> f64 {
        let edges = self.code.edges as f64;
        let expected: f64 = self
            .groups
            .iter()
            .map(|g| (g.volume as f64 / (2.0 * edges)).powi(2))
            .sum();
        self.whole.inside.count as f64 / edges - expected
    }

    /// Σ, in nats.
    ///
    /// # Complexity
    ///
    /// Linear in the number of groups.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.whole.total(&self.code, &self.groups)
    }

    /// Returns an empty group, which is created if there is none.
    pub(crate) fn spare(&mut self) -> u32 {
        if let Some(&g) = self.empty.last() {
            return g;
        }
        let g = self.groups.len() as u32;
        self.groups.push(Group::default());
        self.lengths.push(0.0);
        self.around.links.push(Moments::default());
        self.empty.push(g);
        g
    }

    /// Makes a node the current node and counts its edges for
    /// [`change`](Self::change).
    pub(crate) fn look_around(&mut self, u: usize) -> &[u32] {
        let Self {
            links,
            labels,
            code,
            around,
            ..
        } = self;
        around.gather(links, labels, &code.weights, u);
        let own = self.labels[u] as usize;
        self.taken = Taken::new(
            &self.code,
            (&self.whole, self.shared),
            (self.groups[own], self.lengths[own]),
            (
                Group::node(self.links.degree(u) as u64),
                self.around.links[own],
            ),
        );
        &self.around.groups
    }

    /// Returns whether the current node is the only one of its group.
    pub(crate) fn is_alone(&self) -> bool {
        self.taken.rest.size == 0
    }

    /// Groups adjacent to the current node.
    pub(crate) fn groups_around(&self) -> &[u32] {
        &self.around.groups
    }

    /// Change of Σ if the current node moves to another group.
    pub(crate) fn change(&self, u: usize, target: u32) -> f64 {
        if self.labels[u] == target {
            return 0.0;
        }
        let new = target as usize;
        let group = (self.groups[new], self.lengths[new]);
        self.taken.change(&self.code, group, self.around.links[new])
    }

    /// Moves the current node.
    pub(crate) fn apply(&mut self, u: usize, target: u32) {
        let own = self.labels[u];
        if own == target {
            return;
        }
        let (own_place, place) = (own as usize, target as usize);
        let links = self.around.links[place];
        let (entered, whole) = self.taken.put(self.groups[place], links);
        if self.groups[place].size == 0 {
            let place = self.empty.iter().rposition(|&g| g == target);
            self.empty.remove(place.expect("an empty group is listed"));
        }
        if self.taken.rest.size == 0 {
            self.empty.push(own);
        }
        self.groups[own_place] = self.taken.rest;
        self.lengths[own_place] = self.taken.rest_length;
        self.groups[place] = entered;
        self.lengths[place] = self.code.local(&entered);
        self.shared = self.code.global(whole.count, whole.inside, whole.squares);
        self.whole = whole;
        self.labels[u] = target;
    }

    /// Moves a node to a group (numbered as in [`labels`](Self::labels)) and
    /// returns the change of Σ.
    ///
    /// # Panics
    ///
    /// Panics if the node or the group is out of range.
    ///
    /// # Complexity
    ///
    /// Linear in the degree of the node.
    pub fn move_node(&mut self, u: usize, group: u32) -> f64 {
        self.look_around(u);
        let change = self.change(u, group);
        self.apply(u, group);
        change
    }

    /// The graph.
    pub(crate) fn links(&self) -> &'a Links {
        self.links
    }
}
