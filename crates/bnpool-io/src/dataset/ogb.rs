//! Molecules of the Open Graph Benchmark: gzipped csv tables without headers.
//!
//! All molecules stand one after the other; two lists say how many atoms and
//! bonds each has. A bond is listed once and goes both ways.

use std::path::Path;

use super::files::read_numbers;
use super::files::{Files, damaged};
use crate::format::{Limits, ReadError};
use bnpool_graph::split::Split;
use bnpool_graph::{Csr, Graph, GraphError, Matrix, Target};

const ATOM_FEATURES: usize = 9;
const BOND_FEATURES: usize = 3;

/// The molecules, and the official split by their scaffolds.
pub(super) fn read_molecules(
    path: &Path,
    limits: &Limits,
) -> Result<(Vec<Graph>, Split), ReadError> {
    let mut files = Files::open(path, limits)?;
    let mut numbers = |name: &str, columns: usize| {
        let source = files.read(&format!("{name}.csv.gz"))?;
        read_numbers(&source, columns)
    };
    let atoms = numbers("raw/num-node-list", 1)?;
    let bonds = numbers("raw/num-edge-list", 1)?;
    let labels = numbers("raw/graph-label", 1)?;
    let atom_features = numbers("raw/node-feat", ATOM_FEATURES)?;
    let ends = numbers("raw/edge", 2)?;
    let bond_features = numbers("raw/edge-feat", BOND_FEATURES)?;
    let mut part = |name: &str| -> Result<Vec<usize>, ReadError> {
        let list = numbers(&format!("split/scaffold/{name}"), 1)?;
        Ok(list.into_iter().map(|graph| graph as usize).collect())
    };
    let split = Split {
        train: part("train")?,
        validation: part("valid")?,
        test: part("test")?,
    };

    let total = |counts: &[u32]| counts.iter().map(|&count| count as usize).sum::<usize>();
    let consistent = labels.len() == atoms.len()
        && bonds.len() == atoms.len()
        && total(&atoms) * ATOM_FEATURES == atom_features.len()
        && total(&bonds) * 2 == ends.len()
        && total(&bonds) * BOND_FEATURES == bond_features.len();
    if !consistent {
        let problem = "the tables of atoms, bonds and molecules contradict each other";
        return Err(damaged(path, problem));
    }
    let mut graphs = Vec::with_capacity(atoms.len());
    let (mut atom, mut bond) = (0, 0);
    for ((&nodes, &edges), &label) in atoms.iter().zip(&bonds).zip(&labels) {
        let (next_atom, next_bond) = (atom + nodes as usize, bond + edges as usize);
        let molecule = Molecule {
            atoms: &atom_features[atom * ATOM_FEATURES..next_atom * ATOM_FEATURES],
            ends: &ends[bond * 2..next_bond * 2],
            bonds: &bond_features[bond * BOND_FEATURES..next_bond * BOND_FEATURES],
            label,
        };
        let graph = molecule.build();
        graphs.push(graph.map_err(|error| ReadError::graph(path, error))?);
        (atom, bond) = (next_atom, next_bond);
    }
    Ok((graphs, split))
}

/// The rows of the tables that belong to one molecule.
struct Molecule<'t> {
    atoms: &'t [u32],
    ends: &'t [u32],
    bonds: &'t [u32],
    label: u32,
}

impl Molecule<'_> {
    fn build(&self) -> Result<Graph, GraphError> {
        let nodes = self.atoms.len() / ATOM_FEATURES;
        let both_ways = self
            .ends
            .chunks_exact(2)
            .flat_map(|bond| [(bond[0], bond[1]), (bond[1], bond[0])]);
        let (adjacency, origins) = Csr::from_edges_with_origins(nodes, both_ways)?;
        let row = |origin: usize| {
            // Each bond gave two edges.
            let start = origin / 2 * BOND_FEATURES;
            &self.bonds[start..start + BOND_FEATURES]
        };
        let bonds = origins.iter().flat_map(|&origin| row(origin));
        let bonds: Vec<f32> = bonds.map(|&value| value as f32).collect();
        let atoms: Vec<f32> = self.atoms.iter().map(|&value| value as f32).collect();
        let edges = adjacency.entries();
        Graph::builder(adjacency.assume_symmetric(true))
            .features(Matrix::new(nodes, ATOM_FEATURES, atoms)?)
            .edge_features(Matrix::new(edges, BOND_FEATURES, bonds)?)
            .target(Target::Class(self.label))
            .build()
    }
}
