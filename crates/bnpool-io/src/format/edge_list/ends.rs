//! The two columns that are the ends of the edges, by their values and names.
//!
//! The two ends of an edge are nodes of one kind, so their columns share values.
//! Names and places decide where several pairs of columns do, or none.

use std::borrow::Cow;
use std::collections::HashSet;

use super::values;
use super::words::{self, Role};
use crate::format::text::parse_any;
use crate::format::text::sample::Fields;

/// Wide tables have other things to compare.
const WIDE: usize = 24;

/// Fewer rows tell little about a column.
const FEW: usize = 10;

/// The kind of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Whole numbers, which may be nodes.
    Whole,
    /// Times, numbers with a fraction, arrows, or nothing: no nodes.
    Measure,
    /// Anything else.
    Text,
}

/// The values of a column.
struct Values<'a> {
    distinct: HashSet<&'a str>,
    kind: Kind,
    /// Whether every row has a value of its own.
    unique: bool,
}

impl<'a> Values<'a> {
    fn of(rows: &[&'a Fields], column: usize) -> Self {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let cells = || {
            cells
                .clone()
                .map(Cow::as_ref)
                .filter(|cell| !cell.is_empty())
        };
        let numbers = cells().filter_map(parse_any);
        let (mut count, mut whole) = (0, true);
        for number in numbers {
            count += 1;
            whole &= number.fract() == 0.0;
        }
        let filled = cells().count();
        let has_word = |cell: &str| cell.contains(char::is_alphanumeric);
        let kind = if !cells().any(has_word) || values::are_dates(rows, column) {
            Kind::Measure
        } else if count < filled {
            Kind::Text
        } else if whole && !values::are_times(rows, column) {
            Kind::Whole
        } else {
            Kind::Measure
        };
        let distinct: HashSet<&str> = cells().collect();
        Self {
            unique: rows.len() >= FEW && distinct.len() == rows.len(),
            distinct,
            kind,
        }
    }

    fn shared(&self, other: &Self) -> usize {
        self.distinct.intersection(&other.distinct).count()
    }

    /// Whether two columns have so many values in common that both hold nodes of
    /// one kind.
    fn shares(&self, other: &Self, rows: usize) -> bool {
        let shared = self.shared(other);
        let (few, many) = (self.distinct.len(), other.distinct.len());
        let (few, many) = (few.min(many), few.max(many));
        // Yes and no are values of any column.
        if shared == 0 || rows >= FEW && few < 3 {
            return false;
        }
        match (self.kind, other.kind) {
            (Kind::Measure, _) | (_, Kind::Measure) => false,
            // Small numbers are values of many columns.
            (Kind::Whole, Kind::Whole) => 10 * shared >= 3 * few && 10 * few >= many,
            _ => 5 * shared >= few,
        }
    }
}

/// Whether two columns that share values are the ends of the edges although others
/// stand before them: small numbers and single words may be in any two columns.
fn are_evident(one: &Values, other: &Values, rows: usize) -> bool {
    let shared = one.shared(other);
    let (few, many) = (one.distinct.len(), other.distinct.len());
    let (few, many) = (few.min(many), few.max(many));
    match (one.kind, other.kind) {
        (Kind::Text, Kind::Text) => shared > 1,
        (Kind::Whole, Kind::Whole) => {
            rows >= FEW && few >= FEW && 2 * shared >= few && 3 * few >= many
        }
        _ => rows >= FEW && shared > 2,
    }
}

/// Two columns, source and target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) columns: [usize; 2],
    /// Whether their names are words for source and target.
    pub(super) by_role: bool,
}

impl Ends {
    /// The fields of a row in these columns.
    pub(super) fn of<'a>(&self, row: &'a Fields) -> impl Iterator<Item = &'a str> {
        let columns = self.columns.into_iter();
        columns.filter_map(|column| row.get(column).map(Cow::as_ref))
    }
}

/// Finds the ends among the columns `free` of the rows; `given` is one of them if it
/// is known. `names` are those of all columns, or what stands on the first line.
pub(super) fn find<S: AsRef<str>>(
    names: &[S],
    rows: &[&Fields],
    free: &[usize],
    given: Option<usize>,
) -> Option<Ends> {
    let fits = |columns: &[usize; 2]| given.is_none_or(|given| columns.contains(&given));
    let values: Vec<(usize, Values)> = free
        .iter()
        .take(WIDE)
        .map(|&column| (column, Values::of(rows, column)))
        .collect();
    let at = |column: usize| values.iter().find(|(place, _)| *place == column);
    let pair = |one: usize, other: usize| Some((&at(one)?.1, &at(other)?.1));
    let shares = |[one, other]: [usize; 2]| {
        pair(one, other).is_some_and(|(one, other)| one.shares(other, rows.len()))
    };
    let mut sharing: Vec<([usize; 2], usize)> = Vec::new();
    for (place, (one, first)) in values.iter().enumerate() {
        for (other, second) in &values[place + 1..] {
            let count = rows.len();
            if fits(&[*one, *other])
                && first.shares(second, count)
                && are_evident(first, second, count)
            {
                sharing.push(([*one, *other], first.shared(second)));
            }
        }
    }
    let is_measure = |column: usize| at(column).is_some_and(|(_, v)| v.kind == Kind::Measure);
    let is_text = |column: usize| at(column).is_some_and(|(_, v)| v.kind == Kind::Text);
    let named = words::find_ends(names)
        .filter(|(ends, _)| fits(ends) && ends.iter().all(|column| free.contains(column)));
    if let Some((columns, by_role)) = named {
        let measures = columns.iter().any(|&column| is_measure(column));
        // Numbers may be anything; text in common is no accident.
        let other = |[one, other]: [usize; 2]| !by_role || is_text(one) && is_text(other);
        let strangers = pair(columns[0], columns[1]).is_some_and(|(a, b)| a.shared(b) == 0);
        let nodes = values.iter().filter(|(_, v)| v.kind != Kind::Measure);
        let contradicted = measures && nodes.count() > 1
            || strangers && sharing.iter().any(|(pair, _)| other(*pair));
        if !contradicted {
            return Some(Ends { columns, by_role });
        }
    }
    let by_role = false;
    let by_place = by_place(names, &values, free, given)?;
    if shares(by_place) {
        let columns = by_place;
        return Some(Ends { columns, by_role });
    }
    // In a star one end is always the same.
    let is_star = by_place
        .iter()
        .any(|&column| at(column).is_some_and(|(_, v)| v.distinct.len() < 3));
    let most = sharing
        .into_iter()
        .filter(|(pair, _)| !is_star || pair.iter().all(|&column| is_text(column)))
        .filter(|(pair, _)| !is_crowded(rows, *pair))
        // The first of several.
        .reduce(|best, next| if next.1 > best.1 { next } else { best });
    let columns = most.map_or(by_place, |(columns, _)| columns);
    Some(Ends { columns, by_role })
}

/// The first two columns that look like nodes.
fn by_place<S: AsRef<str>>(
    names: &[S],
    values: &[(usize, Values)],
    free: &[usize],
    given: Option<usize>,
) -> Option<[usize; 2]> {
    let mut columns = free.to_vec();
    columns.sort_by_key(|&column| {
        let role = names
            .get(column)
            .and_then(|name| words::role(name.as_ref()));
        let called = matches!(role, Some(Role::Weight | Role::Time));
        let values = values.iter().find(|(place, _)| *place == column);
        let measure = values.is_some_and(|(_, values)| values.kind == Kind::Measure);
        // A first word that is on no other row is that of the row.
        let is_key = values.is_some_and(|(_, values)| values.unique && values.kind == Kind::Text)
            && free.len() > 2
            && free.first() == Some(&column);
        let is_other = Some(column) != given;
        (is_other, called || measure, is_key)
    });
    match columns[..] {
        [one, other, ..] => Some([one.min(other), one.max(other)]),
        _ => None,
    }
}

/// Whether most pairs of the values of two columns occur: so do pairs of
/// categories, but not those of nodes.
fn is_crowded(rows: &[&Fields], [one, other]: [usize; 2]) -> bool {
    let cell = |row: &&Fields, column: usize| row.get(column).map(|cell| cell.to_string());
    let pairs: HashSet<_> = rows
        .iter()
        .map(|row| (cell(row, one), cell(row, other)))
        .collect();
    let count = |column| {
        let cells: HashSet<_> = rows.iter().map(|row| cell(row, column)).collect();
        cells.len()
    };
    rows.len() >= FEW && 2 * pairs.len() > count(one) * count(other)
}

/// Whether a column holds measures or times and no nodes.
pub(super) fn is_measure(rows: &[&Fields], column: usize) -> bool {
    let values = Values::of(rows, column);
    values.kind == Kind::Measure && !values.distinct.is_empty()
}

/// Whether rows are those of a table of zeros and ones with a name each, of nodes and
/// the things that they have.
pub(super) fn is_incidence(rows: &[&Fields], columns: usize) -> bool {
    let names = Values::of(rows, 0);
    let flag = |cell: &Cow<str>| matches!(&**cell, "0" | "1" | "");
    columns > 3
        && rows.len() > 2
        && names.kind == Kind::Text
        && names.distinct.len() == rows.len()
        && rows.iter().all(|row| row.iter().skip(1).all(flag))
}

/// Whether two columns hold the same text, which only nodes of one kind do.
pub(super) fn share_text(rows: &[&Fields], columns: [usize; 2]) -> bool {
    let [one, other] = columns.map(|column| Values::of(rows, column));
    one.kind == Kind::Text && other.kind == Kind::Text && one.shares(&other, rows.len())
}

/// Whether the columns other than the first hold the ends of edges, so that a
/// first column that counts the lines is no node.
pub(super) fn are_beside_first(rows: &[&Fields], columns: usize) -> bool {
    let free: Vec<usize> = (1..columns).collect();
    let Some(ends) = find::<&str>(&[], rows, &free, None) else {
        return false;
    };
    let [one, other] = ends.columns.map(|column| Values::of(rows, column));
    match (one.kind, other.kind) {
        (Kind::Text, Kind::Text) => true,
        // If every node has one edge, the first column may well be the node.
        (Kind::Whole, Kind::Whole) => {
            one.shares(&other, rows.len())
                && one.distinct.union(&other.distinct).count() < rows.len()
        }
        _ => false,
    }
}
