//! Which column of an edge list is what.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;

use super::header;
use super::values;
use super::words::{self, Role};
use crate::bytes::error::{ReadError, lacks};
use crate::format::options::{ReadOptions, Weights};
use crate::format::report::understood::{Columns, Header};
use crate::format::text::sample::{Fields, Sample};
use crate::format::text::{DataLines, Delimiter, parse_f32};
use crate::remedy::Change;
use crate::shown::quote;

/// The columns of an edge list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) delimiter: Delimiter,
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) weight: Option<usize>,
    /// Columns of every line.
    pub(super) columns: usize,
}

impl Layout {
    /// Columns a line needs at least: those after the last that is used may be
    /// empty.
    pub(super) fn least_columns(&self) -> usize {
        let used = self.source.max(self.target).max(self.weight.unwrap_or(0));
        used + 1
    }

    /// The names of the columns of sources and targets without a header.
    pub(super) fn numbers(&self) -> (String, String) {
        ((self.source + 1).to_string(), (self.target + 1).to_string())
    }

    /// Whether the lines are `source target [weight] …` in this order.
    pub(super) fn is_plain(&self) -> bool {
        (self.source, self.target) == (0, 1) && matches!(self.weight, None | Some(2))
    }
}

/// The result of looking at the first lines of an edge list.
pub(super) struct Sniffed<'a> {
    pub(super) layout: Layout,
    pub(super) columns: Columns,
    /// The lines that hold edges.
    pub(super) lines: DataLines<'a>,
    /// The ends of the edge on the first line, if it was taken for a header but
    /// might be an edge.
    pub(super) doubtful: Option<[String; 2]>,
}

/// Finds out the columns from the first of these lines; `None` if no line holds
/// an edge.
pub(super) fn sniff<'a>(
    path: &Path,
    mut lines: DataLines<'a>,
    options: &ReadOptions,
) -> Result<Option<Sniffed<'a>>, ReadError> {
    let Some(sample) = Sample::of(path, lines.clone())? else {
        return Ok(None);
    };
    let first = sample.first();
    let shifted = header::is_shifted(&sample, options);
    if first.len() < 2 && !shifted {
        return Err(ReadError::at_line(
            path,
            sample.lines[0].0,
            "there is only one column",
            "give two node ids a line, separated by a comma, semicolon, tab or spaces",
        ));
    }
    let header = if shifted {
        options.header.map_or(Header::Found, |_| Header::Asked)
    } else {
        header::find(&sample, options)
    };
    let mut names = Names::of(first, header, shifted);
    if header.is_there() {
        lines.next();
        if lines.clone().next().is_none() {
            return Ok(None);
        }
    }
    let rows: Vec<&Fields> = if header.is_there() {
        sample.rest().collect()
    } else {
        sample.lines.iter().map(|(_, fields)| fields).collect()
    };
    let chosen = Chosen::of(path, &names, &rows, options)?;
    let layout = Layout {
        delimiter: sample.delimiter,
        source: chosen.source,
        target: chosen.target,
        weight: chosen.weight,
        columns: names.count,
    };
    let doubtful = (header::may_be_edge(&sample, header) && chosen.weight.is_none())
        .then(|| [chosen.source, chosen.target].map(|column| first[column].to_string()));
    // Only names can be confused with others that differ in blanks.
    names.blanks_cut = sample.blanks_cut;
    Ok(Some(Sniffed {
        columns: chosen.describe(&layout, &names, header),
        layout,
        lines,
        doubtful,
    }))
}

/// The names of the columns.
struct Names {
    count: usize,
    /// A name for each column, if there is a header.
    names: Option<Vec<String>>,
    blanks_cut: bool,
}

impl Names {
    fn of(first: &Fields, header: Header, shifted: bool) -> Self {
        let count = first.len() + usize::from(shifted);
        let names = header.is_there().then(|| {
            let unnamed = shifted.then(String::new);
            let named = first.iter().map(ToString::to_string);
            unnamed.into_iter().chain(named).collect()
        });
        Self {
            count,
            names,
            blanks_cut: false,
        }
    }

    /// The name of a column: its number if it has none.
    fn call(&self, column: usize) -> String {
        let name = self.names.as_ref().and_then(|names| names.get(column));
        match name {
            Some(name) if !name.is_empty() => name.clone(),
            _ => (column + 1).to_string(),
        }
    }

    /// The column that the user means: by its name, or by its number from 1 on.
    fn find(&self, path: &Path, asked: &str, change: Change) -> Result<usize, ReadError> {
        let names = self.names.as_deref().unwrap_or(&[]);
        let exact = names.iter().position(|name| name == asked);
        let alike = || {
            names
                .iter()
                .position(|name| name.eq_ignore_ascii_case(asked))
        };
        let number = || {
            let number: usize = asked.parse().ok()?;
            (1..=self.count).contains(&number).then(|| number - 1)
        };
        exact.or_else(alike).or_else(number).ok_or_else(|| {
            lacks(
                path,
                "column",
                asked,
                (0..self.count).map(|c| self.call(c)),
                change,
            )
        })
    }

    /// The columns that are the ends of the edges by their names.
    fn ends(&self) -> Option<(usize, usize)> {
        let ([source, target], _) = words::find_ends(self.names.as_ref()?)?;
        Some((source, target))
    }

    /// Whether a column is called something that is no node.
    fn is_no_node(&self, column: usize) -> bool {
        let name = self.names.as_ref().and_then(|names| names.get(column));
        let role = name.and_then(|name| words::role(name));
        matches!(role, Some(Role::Weight | Role::Time))
    }
}

/// The columns that are used, and why others are not.
struct Chosen {
    source: usize,
    target: usize,
    weight: Option<usize>,
    times: Option<usize>,
    index: Option<usize>,
}

impl Chosen {
    fn of(
        path: &Path,
        names: &Names,
        rows: &[&Fields],
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let find = |asked: &Option<String>, change| match asked {
            Some(asked) => names.find(path, asked, change).map(Some),
            None => Ok(None),
        };
        let source = find(&options.source, Change::Source)?;
        let target = find(&options.target, Change::Target)?;
        let weight = match options.weight_name() {
            Some(asked) => Some(names.find(path, asked, Change::Weight)?),
            None => None,
        };
        let (by_name, index) = guess(names, rows, [source, target, weight]);
        let (source, target) = by_name;
        let same = |one: usize, other: usize, change| {
            Err(ReadError::in_file(
                path,
                format!(
                    "column {} cannot be two things at once",
                    quote(names.call(one.max(other)).as_bytes())
                ),
                change,
            ))
        };
        if source == target {
            return same(source, target, Change::Target);
        }
        let mut chosen = Self {
            source,
            target,
            weight,
            times: None,
            index,
        };
        match &options.weights {
            Weights::Column(_) if weight == Some(source) || weight == Some(target) => {
                return same(source, source, Change::Weight);
            }
            Weights::Auto => chosen.find_weight(names, rows),
            Weights::Column(_) | Weights::Ignore => {}
        }
        Ok(chosen)
    }

    fn is_free(&self, column: usize) -> bool {
        column != self.source && column != self.target && Some(column) != self.index
    }

    /// The column of the weights: with a header one that it calls so, else the
    /// one behind the two nodes if it holds numbers.
    fn find_weight(&mut self, names: &Names, rows: &[&Fields]) {
        let numeric = |column: usize| {
            let first = rows.first().and_then(|row| row.get(column));
            first.is_some_and(|field| parse_f32(field).is_some())
        };
        let times = |column: usize| numeric(column) && values::are_times(rows, column);
        if let Some(columns) = &names.names {
            let called = |role| {
                let is = |column: &usize| words::role(&columns[*column]) == Some(role);
                (0..names.count).filter(|&c| self.is_free(c)).find(is)
            };
            let weight = called(Role::Weight);
            let by_name = called(Role::Time).filter(|&column| numeric(column));
            let by_value = || (0..names.count).find(|&c| self.is_free(c) && times(c));
            let times = by_name.or_else(by_value).filter(|_| weight.is_none());
            (self.weight, self.times) = (weight, times);
            return;
        }
        let behind = self.target + 1;
        let in_order = self.source + 1 == self.target;
        if in_order && behind < names.count && numeric(behind) {
            if times(behind) {
                self.times = Some(behind)
            } else {
                self.weight = Some(behind)
            }
        }
    }

    fn describe(&self, layout: &Layout, names: &Names, header: Header) -> Columns {
        let unused = (0..layout.columns)
            .filter(|&column| self.is_free(column) && Some(column) != self.weight);
        Columns {
            delimiter: layout.delimiter,
            header,
            source: names.call(self.source),
            target: names.call(self.target),
            weight: self.weight.map(|column| names.call(column)),
            times: self.times.map(|column| names.call(column)),
            index: self.index.map(|column| names.call(column)),
            unused: unused.map(|column| names.call(column)).collect(),
            blanks_cut: names.blanks_cut,
        }
    }
}

/// The columns of sources and targets, given those that were asked for, and the
/// column that only counts the lines.
fn guess(
    names: &Names,
    rows: &[&Fields],
    [source, target, weight]: [Option<usize>; 3],
) -> ((usize, usize), Option<usize>) {
    if let (Some(source), Some(target)) = (source, target) {
        return ((source, target), None);
    }
    let named = names.ends();
    let taken = |column| [source, target, weight].contains(&Some(column));
    let index = (names.count > 2 && !taken(0) && named.is_none_or(|(s, t)| s != 0 && t != 0))
        .then(|| index_column(names, rows))
        .flatten();
    let mut free: Vec<usize> = (0..names.count)
        .filter(|&column| !taken(column) && Some(column) != index)
        .collect();
    // Nodes before weights and times, wherever they stand.
    free.sort_by_key(|&column| names.is_no_node(column));
    let free_at = |place: usize| free.get(place).copied().unwrap_or(0);
    let by_name = |column: Option<usize>| column.filter(|&column| !taken(column));
    let ends = match (source, target) {
        (Some(source), _) => {
            let named = by_name(named.map(|(_, target)| target));
            (source, named.unwrap_or_else(|| free_at(0)))
        }
        (None, Some(target)) => {
            let named = by_name(named.map(|(source, _)| source));
            (named.unwrap_or_else(|| free_at(0)), target)
        }
        (None, None) => named.unwrap_or_else(|| (free_at(0), free_at(1))),
    };
    (ends, index)
}

/// The first column, if it only counts the lines.
fn index_column(names: &Names, rows: &[&Fields]) -> Option<usize> {
    let counts = values::counts_lines(rows, 0);
    let is_index = match names.names.as_ref().and_then(|names| names.first()) {
        Some(name) => words::is_index(name) || counts && words::is_number(name),
        None => counts && rows.len() > 2 && are_ends(rows),
    };
    is_index.then_some(0)
}

/// Whether the second and the third column look like the two ends of edges:
/// both text, or numbers that are mostly the same.
fn are_ends(rows: &[&Fields]) -> bool {
    let column = |column: usize| rows.iter().map(move |row| row.get(column).map(Cow::as_ref));
    let text = |place| column(place).all(|field| field.is_some_and(|f| parse_f32(f).is_none()));
    if text(1) && text(2) {
        return true;
    }
    let whole =
        |place| column(place).all(|field| field.is_some_and(crate::format::text::is_whole_number));
    if !whole(1) || !whole(2) {
        return false;
    }
    let (sources, targets): (HashSet<_>, HashSet<_>) = (column(1).collect(), column(2).collect());
    let (both, all) = (
        sources.intersection(&targets).count(),
        sources.union(&targets).count(),
    );
    // If every node has one edge, the first column may well be the node.
    2 * both >= all && all < rows.len()
}
