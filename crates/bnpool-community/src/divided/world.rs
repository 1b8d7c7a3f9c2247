//! Part-by-part access to the graph.

use super::DividedError;
use super::ranks::Ranks;
use crate::CommunityError;
use crate::description_length::{Density, PlantedCode, ln_factorial};
use bnpool_graph::divide::{Part, PartSource};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::num::Wrapping;
use std::ops::Range;

/// Largest number of edges of a graph.
const MOST_EDGES: u64 = u32::MAX as u64;

/// A graph in parts, with global statistics that each rank holds.
pub(super) struct World<'a> {
    source: &'a dyn PartSource,
    pub(super) ranks: Ranks<'a>,
    /// Parts of this rank.
    own: Range<usize>,
    pub(super) nodes: usize,
    pub(super) edges: u64,
    /// −Σ ln k! over the degrees k.
    constant: f64,
    /// Nodes without edges.
    pub(super) isolated: Vec<u32>,
}

/// Statistics of one part.
struct Survey {
    degrees: BTreeMap<u32, u64>,
    isolated: Vec<u32>,
    asymmetry: Wrapping<u64>,
}

impl<'a> World<'a> {
    /// Reads each part once and checks that the graph can be searched.
    pub(super) fn new(source: &'a dyn PartSource, ranks: Ranks<'a>) -> Result<Self, DividedError> {
        if source.is_weighted() {
            return Err(CommunityError::Divided { what: "weights" }.into());
        }
        let (rank, size) = ranks.place();
        let mut world = Self {
            source,
            own: source.cuts().owned(rank, size),
            nodes: source.nodes(),
            edges: 0,
            constant: 0.0,
            isolated: Vec::new(),
            ranks,
        };
        let surveys = world.each(survey)?;
        let mut degrees: BTreeMap<u32, u64> = BTreeMap::new();
        let (mut isolated, mut asymmetry) = (Vec::new(), Wrapping(0));
        for survey in surveys {
            for (degree, count) in survey.degrees {
                *degrees.entry(degree).or_default() += count;
            }
            isolated.extend(survey.isolated);
            asymmetry += survey.asymmetry;
        }
        let own: Vec<[u64; 2]> = degrees.iter().map(|(&k, &n)| [u64::from(k), n]).collect();
        let mut degrees: BTreeMap<u64, u64> = BTreeMap::new();
        for [degree, count] in world.ranks.gather(own)? {
            *degrees.entry(degree).or_default() += count;
        }
        if world.ranks.sum(vec![asymmetry.0])? != [0] {
            return Err(CommunityError::Directed.into());
        }
        world.isolated = world.ranks.gather(isolated)?;
        world.edges = degrees.iter().map(|(&k, &n)| k * n).sum::<u64>() / 2;
        world.constant = -degrees
            .iter()
            .map(|(&k, &n)| n as f64 * ln_factorial(k))
            .sum::<f64>();
        // Edges between groups are counted with 32 bits.
        let what = "more than 4 billion edges";
        match world.edges {
            0 => Err(CommunityError::NoEdges.into()),
            1..=MOST_EDGES => Ok(world),
            _ => Err(CommunityError::Divided { what }.into()),
        }
    }

    /// Computes a value for each part of this rank, in their order.
    pub(super) fn each<T: Send>(
        &self,
        compute: impl Fn(&Part) -> T + Sync,
    ) -> Result<Vec<T>, DividedError> {
        let parts = self.own.clone().into_par_iter();
        let source = self.source;
        parts.map(|p| Ok(compute(&*source.part(p)?))).collect()
    }

    /// Visits the parts of this rank one after the other.
    pub(super) fn each_in_turn(&self, mut compute: impl FnMut(&Part)) -> Result<(), DividedError> {
        for p in self.own.clone() {
            compute(&*self.source.part(p)?);
        }
        Ok(())
    }

    /// The terms of Σ.
    pub(super) fn code(&self, density: Density) -> PlantedCode {
        PlantedCode::from_counts(self.nodes as u64, self.edges, density, self.constant)
    }
}

/// Neighbours of the node of a row, without self-loops, which do not depend on
/// groups.
pub(super) fn neighbours(part: &Part, i: usize) -> impl Iterator<Item = usize> {
    let node = part.range().start + i;
    let row = part.row(i).iter().map(|&v| v as usize);
    row.filter(move |&v| v != node)
}

fn survey(part: &Part) -> Survey {
    let mut found = Survey {
        degrees: BTreeMap::new(),
        isolated: Vec::new(),
        asymmetry: part.asymmetry(),
    };
    for (i, u) in part.range().enumerate() {
        let degree = neighbours(part, i).count() as u32;
        *found.degrees.entry(degree).or_default() += 1;
        if degree == 0 {
            found.isolated.push(u as u32);
        }
    }
    found
}
