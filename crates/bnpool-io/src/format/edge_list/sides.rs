//! Two kinds of nodes, one in each column of an edge list.

use super::words;
use crate::format::build::edge_table::{EdgeTable, NodeIds};
use crate::format::report::understood::{Columns, Kinds, Sides};

/// Fewer edges tell nothing.
const FEW: usize = 10;

/// The two kinds of nodes by the ids of all edges: no id is in both columns, or the
/// ranges of the numbers say so.
pub(super) fn find(table: &EdgeTable, columns: &Columns) -> Option<Sides> {
    if table.edges.len() < FEW {
        return None;
    }
    let called = [&columns.source, &columns.target].map(String::clone);
    let called = columns.header.is_there().then_some(called);
    if !has_common(table) {
        return Some(Sides::new(called, Kinds::Strangers));
    }
    let one_kind = called
        .as_ref()
        .is_some_and(|called| words::find_ends(called).is_some());
    (!one_kind && ranges_differ(table)).then(|| Sides::new(called, Kinds::Ranges))
}

/// The nodes that are in a column, by their places.
fn in_column(table: &EdgeTable, end: fn(&(u32, u32)) -> u32) -> Vec<bool> {
    let mut seen = vec![false; table.ids.len()];
    for edge in &table.edges {
        seen[end(edge) as usize] = true;
    }
    seen
}

/// Whether some id is in both columns; most lists tell by their first edges.
fn has_common(table: &EdgeTable) -> bool {
    let mut seen = [0, 1].map(|_| vec![false; table.ids.len()]);
    table.edges.iter().any(|&(source, target)| {
        seen[0][source as usize] = true;
        seen[1][target as usize] = true;
        seen[1][source as usize] || seen[0][target as usize]
    })
}

/// Whether both columns count from 0 or 1 on, but to different ends, and as many edges
/// join equal numbers as if the two had nothing to do with each other. Edges between
/// nodes of one kind join no node with itself, or more often than by chance.
fn ranges_differ(table: &EdgeTable) -> bool {
    let number = |place: usize| match &table.ids {
        NodeIds::Range(_) => Some(place as u64),
        NodeIds::Numbers(numbers) => Some(numbers[place]),
        NodeIds::Names(_) => None,
    };
    // The last number of a column that counts from 0 or 1 on.
    let last = |end: fn(&(u32, u32)) -> u32| {
        let ends = || table.edges.iter().map(end);
        let (first, last) = (ends().min()?, ends().max()?);
        number(last as usize).filter(|_| number(first as usize).is_some_and(|first| first < 2))
    };
    let (Some(one), Some(other)) = (last(|edge| edge.0), last(|edge| edge.1)) else {
        return false;
    };
    if 5 * one.max(other) <= 6 * one.min(other) {
        return false;
    }
    let count = |end: fn(&(u32, u32)) -> u32| {
        let mut degrees = vec![0_u64; table.ids.len()];
        for edge in &table.edges {
            degrees[end(edge) as usize] += 1;
        }
        degrees
    };
    let (sources, targets) = (count(|edge| edge.0), count(|edge| edge.1));
    let is_dense = |degrees: &[u64], last: u64| {
        let there = degrees.iter().filter(|&&degree| degree > 0).count() as u64;
        20 * there >= 19 * last
    };
    let edges = table.edges.len() as f64;
    let by_chance = sources
        .iter()
        .zip(&targets)
        .map(|(s, t)| (s * t) as f64 / edges);
    let by_chance: f64 = by_chance.sum();
    let loops = table.edges.iter().filter(|(u, v)| u == v).count() as f64;
    is_dense(&sources, one)
        && is_dense(&targets, other)
        && by_chance > 7.0
        && (0.5..2.0).contains(&(loops / by_chance))
}

/// Makes two nodes of every id that is in both columns, and puts the words of the
/// sides before all ids; returns false if no id is in both.
pub(super) fn keep_apart(table: &mut EdgeTable, sides: &Sides) -> bool {
    if !has_common(table) {
        return false;
    }
    let (sources, targets) = (
        in_column(table, |edge| edge.0),
        in_column(table, |edge| edge.1),
    );
    let id = |place: usize| match &table.ids {
        NodeIds::Range(_) => place.to_string(),
        NodeIds::Numbers(numbers) => numbers[place].to_string(),
        NodeIds::Names(names) => names[place].clone(),
    };
    let mut names = Vec::new();
    let mut number = |seen: &[bool], side: &str| -> Vec<u32> {
        let mut places = vec![0; seen.len()];
        for (place, _) in seen.iter().enumerate().filter(|(_, seen)| **seen) {
            places[place] = names.len() as u32;
            names.push(format!("{side} {}", id(place)));
        }
        places
    };
    let sources = number(&sources, &sides.source);
    let targets = number(&targets, &sides.target);
    table.ids = NodeIds::Names(names);
    for (source, target) in &mut table.edges {
        *source = sources[*source as usize];
        *target = targets[*target as usize];
    }
    true
}
