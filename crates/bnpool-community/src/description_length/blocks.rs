//! Search state of the degree-corrected block model.

use super::flow::Flow;
use super::planted::{Around, Group};
use super::scratch::groups_part;
use super::weights::WeightCode;
use super::{Moments, WeightModel, ln_binomial, ln_factorial};
use crate::{CommunityError, Direction, Links, Partition};
use std::f64::consts::LN_2;

/// A partition and its Σ under the block model with uniform degrees. Directions
/// of edges, if any, are modelled: one-way edges are counted for each ordered
/// pair of groups, with out- and in-degrees.
///
/// Memory is quadratic in the number of groups of the initial partition; later
/// ones never have more.
///
/// ```
/// use bnpool_community::description_length::{Blocks, WeightModel};
/// use bnpool_community::{Links, Partition};
/// use bnpool_graph::Csr;
///
/// let square = [(0, 1), (1, 2), (2, 3), (0, 3)];
/// let both = square.into_iter().flat_map(|(u, v)| [(u, v), (v, u)]);
/// let links = Links::new(&Csr::from_edges(4, both)?)?;
/// let mut state = Blocks::new(&links, &Partition::new(&[0, 0, 0, 1]), WeightModel::Ignored)?;
/// let before = state.total();
/// let change = state.move_node(1, 1);
/// assert!((state.total() - before - change).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Blocks<'a> {
    links: &'a Links,
    weights: WeightCode,
    pub(crate) labels: Vec<u32>,
    /// Sizes and volumes; internal edges are in the matrix.
    pub(crate) groups: Vec<Group>,
    /// Edges between groups, [groups, groups]; an internal edge counts once.
    pub(crate) matrix: Vec<Moments>,
    pub(crate) empty: Vec<u32>,
    constant: f64,
    around: Around,
    /// One-way edges. All others are in the fields above.
    flow: Option<Flow>,
    /// Edges that are not one-way.
    edges: u64,
}

impl<'a> Blocks<'a> {
    /// Creates the state of a partition.
    ///
    /// # Errors
    ///
    /// Returns an error if the number of labels is not the number of nodes.
    ///
    /// # Complexity
    ///
    /// O(N + E + B²) time and memory for B groups.
    pub fn new(
        links: &'a Links,
        partition: &Partition,
        model: WeightModel,
    ) -> Result<Self, CommunityError> {
        partition.check(links.nodes())?;
        let weights = WeightCode::new(links, model);
        let labels = partition.labels();
        let count = partition.groups();
        let mut groups = vec![Group::default(); count];
        let mut matrix = vec![Moments::default(); count * count];
        let mut constant = weights.constant();
        let flow = Flow::new(links, labels, count, &weights).map(|(flow, part)| {
            constant += part;
            flow
        });
        let mut ends = 0;
        for u in 0..links.nodes() {
            let degree = without_flow(links, u).count() as u64;
            let own = labels[u] as usize;
            groups[own].size += 1;
            groups[own].volume += degree;
            ends += degree;
            constant -= ln_factorial(degree);
            let start = links.offsets()[u];
            for (i, v) in without_flow(links, u) {
                let other = labels[v as usize] as usize;
                if own != other || (v as usize) < u {
                    let cell = &mut matrix[own * count + other];
                    *cell = cell.plus(weights.moments(start + i));
                }
            }
        }
        Ok(Self {
            links,
            weights,
            labels: labels.to_vec(),
            groups,
            matrix,
            empty: Vec::new(),
            constant,
            around: Around::new(count),
            flow,
            edges: ends / 2,
        })
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

    pub(crate) fn cell(&self, r: usize, s: usize) -> Moments {
        self.matrix[r * self.groups.len() + s]
    }

    #[inline]
    fn length(&self, same: bool, cell: Moments) -> f64 {
        let pairs = if same { cell.count as f64 * LN_2 } else { 0.0 };
        let edges = ln_factorial(cell.count) + pairs;
        match self.weights.model {
            WeightModel::Ignored => -edges,
            _ => self.weights.length(cell) - edges,
        }
    }

    #[inline]
    fn local(size: u64, volume: u64) -> f64 {
        if size == 0 {
            return 0.0;
        }
        ln_factorial(volume + size - 1) - ln_factorial(size - 1) - ln_factorial(size)
    }

    fn global(&self, groups: usize) -> f64 {
        let (b, edges) = (groups as u64, self.edges);
        ln_binomial(b * (b + 1) / 2 + edges - 1, edges)
            + self.flow.as_ref().map_or(0.0, |flow| flow.global(b))
            + groups_part(self.links.nodes() as u64, b)
            + self.constant
    }

    /// Σ, in nats.
    ///
    /// # Complexity
    ///
    /// Quadratic in the number of groups.
    #[must_use]
    pub fn total(&self) -> f64 {
        let b = self.groups.len();
        let mut sum = self.global(self.count());
        for (r, group) in self.groups.iter().enumerate() {
            sum += Self::local(group.size, group.volume);
            for s in 0..=r {
                sum += self.length(r == s, self.matrix[r * b + s]);
            }
        }
        let sizes = self.groups.iter().map(|group| group.size);
        match &self.flow {
            Some(flow) => sum + flow.total(&self.weights, sizes),
            None => sum,
        }
    }

    pub(crate) fn look_around(&mut self, u: usize) -> &[u32] {
        let Self {
            links,
            labels,
            weights,
            around,
            flow,
            ..
        } = self;
        match flow {
            None => {
                around.gather(links, labels, weights, u);
                &self.around.groups
            }
            Some(flow) => {
                let entries = without_flow(links, u);
                around.gather_entries(links, labels, weights, u, entries);
                flow.gather(links, labels, weights, u);
                &flow.near
            }
        }
    }

    /// Degree of the current node, without one-way edges.
    fn degree(&self, u: usize) -> u64 {
        match &self.flow {
            None => self.links.degree(u) as u64,
            Some(_) => {
                let links = &self.around.links;
                let counts = self.around.groups.iter().map(|&g| links[g as usize].count);
                counts.sum()
            }
        }
    }

    /// Change of Σ if the current node moves.
    pub(crate) fn change(&self, u: usize, target: u32) -> f64 {
        let (r, s) = (self.labels[u] as usize, target as usize);
        if r == s {
            return 0.0;
        }
        let degree = self.degree(u);
        let (old, new) = (&self.groups[r], &self.groups[s]);
        let mut sum = Self::local(old.size - 1, old.volume - degree)
            + Self::local(new.size + 1, new.volume + degree)
            - Self::local(old.size, old.volume)
            - Self::local(new.size, new.volume);
        let replace = |same, before: Moments, after: Moments| {
            self.length(same, after) - self.length(same, before)
        };
        for &t in &self.around.groups {
            let t = t as usize;
            let d = self.around.links[t];
            if t != r && t != s {
                let (old, new) = (self.cell(r, t), self.cell(s, t));
                sum += replace(false, old, old.minus(d)) + replace(false, new, new.plus(d));
            }
        }
        let (to_old, to_new) = (self.around.links[r], self.around.links[s]);
        let (rr, ss, rs) = (self.cell(r, r), self.cell(s, s), self.cell(r, s));
        sum += replace(true, rr, rr.minus(to_old)) + replace(true, ss, ss.plus(to_new));
        sum += replace(false, rs, rs.plus(to_old).minus(to_new));
        if let Some(flow) = &self.flow {
            sum += flow.change(&self.weights, (r, s), [old.size, new.size]);
        }
        let count = self.count();
        let later = count - usize::from(old.size == 1) + usize::from(new.size == 0);
        if later != count {
            sum += self.global(later) - self.global(count);
        }
        sum
    }

    /// Moves the current node.
    pub(crate) fn apply(&mut self, u: usize, target: u32) {
        let (r, s) = (self.labels[u] as usize, target as usize);
        if r == s {
            return;
        }
        let b = self.groups.len();
        let degree = self.degree(u);
        if let Some(flow) = &mut self.flow {
            flow.apply(r, s);
        }
        for i in 0..self.around.groups.len() {
            let t = self.around.groups[i] as usize;
            let d = self.around.links[t];
            if t != r && t != s {
                for (x, y) in [(r, t), (t, r)] {
                    self.matrix[x * b + y] = self.matrix[x * b + y].minus(d);
                }
                for (x, y) in [(s, t), (t, s)] {
                    self.matrix[x * b + y] = self.matrix[x * b + y].plus(d);
                }
            }
        }
        let (to_old, to_new) = (self.around.links[r], self.around.links[s]);
        self.matrix[r * b + r] = self.matrix[r * b + r].minus(to_old);
        self.matrix[s * b + s] = self.matrix[s * b + s].plus(to_new);
        let between = self.matrix[r * b + s].plus(to_old).minus(to_new);
        self.matrix[r * b + s] = between;
        self.matrix[s * b + r] = between;
        if self.groups[s].size == 0 {
            self.empty.retain(|&g| g != target);
        }
        self.groups[r].size -= 1;
        self.groups[r].volume -= degree;
        self.groups[s].size += 1;
        self.groups[s].volume += degree;
        if self.groups[r].size == 0 {
            self.empty.push(r as u32);
        }
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

    /// Change of Σ if all nodes of group `s` move to group `r`.
    ///
    /// # Complexity
    ///
    /// Linear in the number of groups.
    #[must_use]
    pub fn merge_change(&self, r: u32, s: u32) -> f64 {
        let (r, s, b) = (r as usize, s as usize, self.groups.len());
        let (a, c) = (&self.groups[r], &self.groups[s]);
        let mut sum = Self::local(a.size + c.size, a.volume + c.volume)
            - Self::local(a.size, a.volume)
            - Self::local(c.size, c.volume);
        let (first, second) = (&self.matrix[r * b..][..b], &self.matrix[s * b..][..b]);
        for (t, (x, y)) in first.iter().zip(second).enumerate() {
            if t != r && t != s && x.count > 0 && y.count > 0 {
                sum += self.length(false, x.plus(*y))
                    - self.length(false, *x)
                    - self.length(false, *y);
            }
        }
        let (rr, ss, rs) = (self.cell(r, r), self.cell(s, s), self.cell(r, s));
        sum += self.length(true, rr.plus(ss).plus(rs))
            - self.length(true, rr)
            - self.length(true, ss)
            - self.length(false, rs);
        if let Some(flow) = &self.flow {
            sum += flow.merge_change(&self.weights, (r, s), [a.size, c.size]);
        }
        sum + self.global(self.count() - 1) - self.global(self.count())
    }

    /// Moves all nodes of group `s` to group `r`, except for their labels, which
    /// the dendrogram tracks.
    pub(crate) fn merge(&mut self, r: u32, s: u32) {
        let (r, s, b) = (r as usize, s as usize, self.groups.len());
        if let Some(flow) = &mut self.flow {
            flow.merge(r, s);
        }
        let inside = self.cell(r, r).plus(self.cell(s, s)).plus(self.cell(r, s));
        for t in (0..b).filter(|&t| t != r && t != s) {
            let sum = self.cell(r, t).plus(self.cell(s, t));
            self.matrix[r * b + t] = sum;
            self.matrix[t * b + r] = sum;
            self.matrix[s * b + t] = Moments::default();
            self.matrix[t * b + s] = Moments::default();
        }
        self.matrix[r * b + s] = Moments::default();
        self.matrix[s * b + r] = Moments::default();
        self.matrix[s * b + s] = Moments::default();
        self.matrix[r * b + r] = inside;
        self.groups[r].size += self.groups[s].size;
        self.groups[r].volume += self.groups[s].volume;
        self.groups[s] = Group::default();
        self.empty.push(s as u32);
    }

    /// The graph.
    pub(crate) fn links(&self) -> &'a Links {
        self.links
    }
}

/// Positions in the row of a node with the neighbours there, without one-way
/// edges.
fn without_flow(links: &Links, u: usize) -> impl Iterator<Item = (usize, u32)> {
    let start = links.offsets()[u];
    let directions = links.directions();
    let entries = links.neighbours(u).iter().copied().enumerate();
    entries.filter(move |(i, _)| directions.is_none_or(|d| d[start + i] == Direction::Both))
}
