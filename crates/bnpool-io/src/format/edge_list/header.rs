//! Whether the first line of an edge list names its columns.

use std::collections::HashMap;

use super::ends::{self, Ends};
use super::values::{self, is_date};
use super::words;
use crate::format::options::ReadOptions;
use crate::format::report::understood::Header;
use crate::format::text::sample::{Fields, Sample};
use crate::format::text::{parse_any, parse_number};

/// Fewer lines do not show that the names of the first are rare.
const ENOUGH: usize = 4;

/// Whether the first line names all columns but the first, which counts the
/// lines: as R writes tables, and as a table looks whose first name is blank.
pub(super) fn is_shifted(sample: &Sample, options: &ReadOptions) -> bool {
    let first = sample.first();
    let rest: Vec<&Fields> = sample.rest().collect();
    options.header != Some(false)
        && first.len() > 1
        && !rest.is_empty()
        && rest.iter().all(|row| row.len() == first.len() + 1)
        && first.iter().all(|name| parse_number(name).is_none())
        && values::counts_lines(&rest, 0)
}

/// Looks at the first line and compares it with the others. The flag says that a
/// header might still be an edge.
pub(super) fn find(sample: &Sample, options: &ReadOptions) -> (Header, bool) {
    let header = find_sure(sample, options);
    let first = sample.first();
    let rest: Vec<&Fields> = sample.rest().collect();
    match header {
        Some(header) => (header, false),
        None => compare(first, &rest),
    }
}

/// A header by the options or by its form.
fn find_sure(sample: &Sample, options: &ReadOptions) -> Option<Header> {
    let first = sample.first();
    match options.header {
        Some(true) => return Some(Header::Asked),
        Some(false) => return Some(Header::Denied),
        None => {}
    }
    let asked = [&options.source, &options.target]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .chain(options.weight_name());
    // A name for a column implies a header.
    let mut names = asked.filter(|name| name.parse::<usize>().is_err());
    if names.any(|name| first.iter().any(|field| field.eq_ignore_ascii_case(name))) {
        return Some(Header::Asked);
    }
    // A table whose first name is blank, as pandas writes it.
    let filled = |row: &Fields| row.first().is_some_and(|field| !field.is_empty());
    let unnamed = first.len() > 2 && first[0].is_empty() && sample.lines.len() > 1;
    (unnamed && sample.rest().all(filled)).then_some(Header::Found)
}

/// Compares the names of the ends on the first line with those on the others.
fn compare(first: &Fields, rest: &[&Fields]) -> (Header, bool) {
    let Some(ends) = ends(first, rest) else {
        return (Header::None, false);
    };
    let by_role = ends.by_role && ends.of(first).all(is_word);
    if rest.is_empty() {
        let header = if by_role { Header::Found } else { Header::None };
        return (header, false);
    }
    if turns_numeric(first, rest, &ends) {
        return (Header::Found, false);
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for row in rest {
        for name in ends.of(row) {
            *counts.entry(name).or_default() += 1;
        }
    }
    let rare = ends.of(first).all(|name| !counts.contains_key(name));
    if by_role {
        let header = if rare { Header::Found } else { Header::Guessed };
        return (header, false);
    }
    let is_name = |name: &str| is_word(name) && parse_number(name).is_none();
    if !ends.of(first).all(is_name) || !rare {
        return (Header::None, false);
    }
    if names_category(first, rest, &ends) {
        return (Header::Guessed, true);
    }
    let names: Vec<&str> = ends.of(first).collect();
    if let [source, target] = names[..]
        && words::are_ends(source, target)
    {
        let stem = words::stem(source, target);
        let shared = |stem: &String| counts.keys().any(|name| words::has_stem(name, stem));
        if !stem.as_ref().is_some_and(shared) {
            return (Header::Guessed, true);
        }
    }
    // The only line whose names occur once is an odd one.
    let lonely = |row: &&Fields| ends.of(row).all(|name| counts.get(name) == Some(&1));
    if rest.len() >= ENOUGH && !rest.iter().any(lonely) {
        return (Header::Doubted, false);
    }
    (Header::None, false)
}

/// Whether a line names the columns of an edge list in words for them.
pub(crate) fn names_columns(first: &Fields) -> bool {
    let known = first
        .iter()
        .filter(|name| words::role(name).is_some() && is_word(name));
    words::find_ends(first).is_some_and(|(_, by_role)| by_role) || known.count() > 1
}

/// A single letter is as good a node as a name.
fn is_word(name: &str) -> bool {
    name.chars().filter(|c| c.is_alphanumeric()).count() > 1
}

/// The ends of the edges; the first of three columns does not count if it counts
/// the lines.
fn ends(first: &Fields, rest: &[&Fields]) -> Option<Ends> {
    let is_index = |name: &str| {
        words::is_index(name) || words::is_number(name) && values::counts_lines(rest, 0)
    };
    let is_end = words::find_ends(first).is_some_and(|(ends, _)| ends.contains(&0));
    let index = first.len() > 2 && !is_end && first.first().is_some_and(|name| is_index(name));
    let free: Vec<usize> = (usize::from(index)..first.len()).collect();
    ends::find(first, rest, &free, None)
}

/// Whether the first line has words where all others have numbers or dates.
fn turns_numeric(first: &Fields, rest: &[&Fields], ends: &Ends) -> bool {
    let all = |column: usize, is: fn(&str) -> bool| {
        let mut rows = rest.iter();
        rows.all(|row| row.get(column).is_some_and(|field| is(field)))
    };
    let is_value: fn(&str) -> bool = |field| parse_any(field).is_some() || is_date(field);
    let words = ends.of(first).all(|name| !is_value(name));
    let numeric = ends
        .columns
        .into_iter()
        .filter(|&column| all(column, is_value));
    match numeric.count() {
        2 if words => return true,
        1 if words && rest.len() >= ENOUGH => return true,
        _ => {}
    }
    first.iter().enumerate().any(|(column, name)| {
        !ends.columns.contains(&column)
            && !name.is_empty()
            && !is_value(name)
            && all(column, is_value)
    })
}

/// Whether the first line names a column of categories, each of which is on
/// several of the other lines.
fn names_category(first: &Fields, rest: &[&Fields], ends: &Ends) -> bool {
    let repeated = |column: usize| {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for field in rest.iter().filter_map(|row| row.get(column)) {
            *counts.entry(field).or_default() += 1;
        }
        let name = &*first[column];
        rest.len() >= 2 * ENOUGH
            && is_word(name)
            && !counts.contains_key(name)
            && counts.values().all(|&count| count > 1)
    };
    (0..first.len()).any(|column| !ends.columns.contains(&column) && repeated(column))
}
