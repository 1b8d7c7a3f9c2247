//! Whether the first line of an edge list names its columns.

use std::borrow::Cow;
use std::collections::HashMap;

use super::values;
use super::words::{self, Role};
use crate::format::options::ReadOptions;
use crate::format::report::understood::Header;
use crate::format::text::sample::{Fields, Sample};
use crate::format::text::{is_whole_number, parse_f32};

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
        && first.iter().all(|name| parse_f32(name).is_none())
        && values::counts_lines(&rest, 0)
}

/// Looks at the first line and compares it with the others.
pub(super) fn find(sample: &Sample, options: &ReadOptions) -> Header {
    let first = sample.first();
    match options.header {
        Some(true) => return Header::Asked,
        Some(false) => return Header::Denied,
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
        return Header::Asked;
    }
    let rest: Vec<&Fields> = sample.rest().collect();
    // A table whose first name is blank, as pandas writes it.
    let filled = |row: &&Fields| row.first().is_some_and(|field| !field.is_empty());
    if first.len() > 2 && first[0].is_empty() && !rest.is_empty() && rest.iter().all(filled) {
        return Header::Found;
    }
    let ends = ends(first, &rest);
    let by_role = ends.by_role && ends.names(first).all(is_word);
    if sample.lines.len() < 2 {
        return if by_role { Header::Found } else { Header::None };
    }
    if turns_numeric(sample, &ends) {
        return Header::Found;
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for row in sample.rest() {
        for name in ends.names(row) {
            *counts.entry(name).or_default() += 1;
        }
    }
    let rare = ends.names(first).all(|name| !counts.contains_key(name));
    if by_role {
        return if rare { Header::Found } else { Header::Guessed };
    }
    if ends
        .names(first)
        .any(|name| !is_word(name) || parse_f32(name).is_some())
        || !rare
    {
        return Header::None;
    }
    let names: Vec<&str> = ends.names(first).collect();
    if let [source, target] = names[..]
        && words::are_ends(source, target)
    {
        let stem = words::stem(source, target);
        let shared = |stem: &String| counts.keys().any(|name| words::has_stem(name, stem));
        if !stem.as_ref().is_some_and(shared) {
            return Header::Guessed;
        }
    }
    // The only line whose names occur once is an odd one.
    let lonely = |row: &Fields| ends.names(row).all(|name| counts.get(name) == Some(&1));
    if sample.lines.len() > ENOUGH && !sample.rest().any(lonely) {
        return Header::Doubted;
    }
    Header::None
}

/// Whether a line names the columns of an edge list in words for them.
pub(crate) fn names_columns(first: &Fields) -> bool {
    let known = first
        .iter()
        .filter(|name| words::role(name).is_some() && is_word(name));
    ends(first, &[]).by_role || known.count() > 1
}

/// Whether the names of the first line may still be those of nodes, if they
/// turn up on a later line.
pub(super) fn may_be_edge(sample: &Sample, header: Header) -> bool {
    header == Header::Guessed && !ends(sample.first(), &[]).by_role
}

/// A single letter is as good a node as a name.
fn is_word(name: &str) -> bool {
    name.chars().filter(|c| c.is_alphanumeric()).count() > 1
}

/// The columns that a first line would name as the ends of the edges.
struct Ends {
    columns: [usize; 2],
    /// Whether it names them in words for source and target.
    by_role: bool,
}

impl Ends {
    fn names<'a>(&self, row: &'a Fields) -> impl Iterator<Item = &'a str> {
        self.columns
            .into_iter()
            .filter_map(|column| row.get(column).map(Cow::as_ref))
    }
}

/// The ends by their names, else the first two columns that are called nothing
/// else; the first of three does not count if it counts the lines.
fn ends(first: &Fields, rest: &[&Fields]) -> Ends {
    if let Some((columns, by_role)) = words::find_ends(first) {
        return Ends { columns, by_role };
    }
    let is_index = |name: &str| {
        words::is_index(name) || words::is_number(name) && values::counts_lines(rest, 0)
    };
    let index = first.len() > 2 && first.first().is_some_and(|name| is_index(name));
    let is_other = |column: usize| {
        let role = first.get(column).and_then(|name| words::role(name));
        matches!(role, Some(Role::Weight | Role::Time))
    };
    let mut columns: Vec<usize> = (usize::from(index)..first.len()).collect();
    columns.sort_by_key(|&column| is_other(column));
    Ends {
        columns: match columns[..] {
            [source, target, ..] => [source, target],
            _ => [0, 1],
        },
        by_role: false,
    }
}

/// Whether the first line has words where all others have numbers.
fn turns_numeric(sample: &Sample, ends: &Ends) -> bool {
    let first = sample.first();
    let lines = sample.lines.len() - 1;
    let all = |column: usize, is: fn(&str) -> bool| {
        let mut rows = sample.rest();
        rows.all(|row| row.get(column).is_some_and(|field| is(field)))
    };
    let words = ends.names(first).all(|name| !is_whole_number(name));
    let numeric = ends
        .columns
        .into_iter()
        .filter(|&column| all(column, is_whole_number));
    match numeric.count() {
        2 if words => return true,
        1 if words && lines >= ENOUGH => return true,
        _ => {}
    }
    let is_number: fn(&str) -> bool = |field| parse_f32(field).is_some();
    first.iter().enumerate().any(|(column, name)| {
        !ends.columns.contains(&column)
            && !name.is_empty()
            && !is_number(name)
            && all(column, is_number)
    })
}
