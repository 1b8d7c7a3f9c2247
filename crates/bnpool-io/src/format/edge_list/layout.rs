//! Which column of an edge list is what.

use std::borrow::Cow;
use std::path::Path;

use super::dictionary::Dictionaries;
use super::ends;
use super::header;
use super::values;
use super::words::{self, Role};
use crate::bytes::error::{ReadError, lacks};
use crate::format::options::{ReadOptions, Weights};
use crate::format::report::understood::{Columns, Header, Kinds, Sides};
use crate::format::text::sample::{Fields, Sample};
use crate::format::text::{DataLines, Delimiter, NumberStyle};
use crate::remedy::{Change, Remedy};
use crate::shown::quote;

/// The columns of an edge list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) delimiter: Delimiter,
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) weight: Option<usize>,
    /// The way in which the weights are written.
    pub(super) style: NumberStyle,
    /// Columns of every line.
    pub(super) columns: usize,
    /// The dictionaries at the ends of the lines.
    pub(super) dictionaries: Option<Dictionaries>,
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

    /// Whether every line has a weight.
    pub(super) fn is_weighted(&self) -> bool {
        let key = self.dictionaries.as_ref().and_then(|d| d.weight.as_ref());
        self.weight.is_some() || key.is_some()
    }

    /// Whether the lines are `source target [weight] …` in this order.
    pub(super) fn is_plain(&self) -> bool {
        (self.source, self.target) == (0, 1)
            && matches!(self.weight, None | Some(2))
            && self.style == NumberStyle::Point
            && self.dictionaries.is_none()
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
    let (sample, dictionaries) = match Dictionaries::find(lines.clone(), options) {
        Some((sample, found)) => (sample, Some(found)),
        None => match Sample::of(path, lines.clone())? {
            Some(sample) => (sample, None),
            None => return Ok(None),
        },
    };
    if let (Some(found), Some(asked)) = (&dictionaries, options.weight_name())
        && found.weight.is_none()
    {
        return Err(lacks(path, "key", asked, &found.keys, Change::Weight));
    }
    let first = sample.first();
    let shifted = header::is_shifted(&sample, options);
    // The first line may name a node without edges.
    let widest = sample.lines.iter().map(|(_, fields)| fields.len()).max();
    if widest.unwrap_or(0) < 2 && !shifted {
        return Err(ReadError::at_line(
            path,
            sample.lines[0].0,
            "there is only one column",
            "give two node ids a line, separated by a comma, semicolon, tab, pipe or spaces",
        ));
    }
    let (header, doubtful) = if shifted {
        let header = options.header.map_or(Header::Found, |_| Header::Asked);
        (header, false)
    } else if dictionaries.is_some() {
        // No header has a dictionary.
        (Header::None, false)
    } else {
        header::find(&sample, options)
    };
    let names = if header.is_there() {
        lines.next();
        if lines.clone().next().is_none() {
            return Ok(None);
        }
        let unnamed = shifted.then(String::new);
        let named = first.iter().map(ToString::to_string);
        Some(unnamed.into_iter().chain(named).collect())
    } else {
        None
    };
    let rows: Vec<&Fields> = if header.is_there() {
        sample.rest().collect()
    } else {
        sample.lines.iter().map(|(_, fields)| fields).collect()
    };
    let count = match names {
        Some(_) => first.len() + usize::from(shifted),
        None if first.len() > 1 => first.len(),
        None => widest.unwrap_or(0),
    };
    let names = Names { count, names };
    let weights = match dictionaries {
        Some(_) => &Weights::Ignore,
        None => &options.weights,
    };
    let chosen = Chosen::of(path, &names, &rows, sample.delimiter, weights, options)?;
    let doubtful = (doubtful && chosen.weight.is_none())
        .then(|| [chosen.source, chosen.target].map(|column| first[column].to_string()));
    let mut columns = chosen.describe(&names, header);
    columns.delimiter = Some(sample.delimiter);
    // Only names can be confused with others that differ in blanks.
    columns.blanks_cut = sample.blanks_cut;
    if let Some(found) = &dictionaries {
        columns.weight.clone_from(&found.weight);
        let unused = found
            .keys
            .iter()
            .filter(|key| Some(*key) != found.weight.as_ref());
        columns.unused.extend(unused.cloned());
    }
    Ok(Some(Sniffed {
        layout: Layout {
            dictionaries,
            ..chosen.layout(sample.delimiter, names.count)
        },
        columns,
        lines,
        doubtful,
    }))
}

/// The names of the columns.
pub(super) struct Names {
    pub(super) count: usize,
    /// A name for each column, if there is a header.
    pub(super) names: Option<Vec<String>>,
}

impl Names {
    /// The name of a column: its number if it has none.
    fn call(&self, column: usize) -> String {
        let name = self.names.as_ref().and_then(|names| names.get(column));
        match name {
            Some(name) if !name.is_empty() => name.clone(),
            _ => (column + 1).to_string(),
        }
    }

    fn list(&self) -> &[String] {
        self.names.as_deref().unwrap_or(&[])
    }

    /// The column that the user means: by its name, or by its number from 1 on.
    fn find(&self, path: &Path, asked: &str, change: Change) -> Result<usize, ReadError> {
        let names = self.list();
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
}

/// The columns that are used, and why others are not.
pub(super) struct Chosen {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) weight: Option<usize>,
    pub(super) style: NumberStyle,
    times: Option<usize>,
    index: Option<usize>,
    sides: Option<Sides>,
}

impl Chosen {
    /// Chooses by the options, the names and the first rows of a table.
    pub(super) fn of(
        path: &Path,
        names: &Names,
        rows: &[&Fields],
        delimiter: Delimiter,
        weights: &Weights,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let find = |asked: &Option<String>, change| match asked {
            Some(asked) => names.find(path, asked, change).map(Some),
            None => Ok(None),
        };
        let source = find(&options.source, Change::Source)?;
        let target = find(&options.target, Change::Target)?;
        let weight = match weights {
            Weights::Column(asked) => Some(names.find(path, asked, Change::Weight)?),
            _ => None,
        };
        let ((source, target), index) = guess(names, rows, [source, target, weight]);
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
        if options.source.is_none() && options.target.is_none() {
            check_nodes(path, names, rows, [source, target])?;
        }
        let mut chosen = Self {
            source,
            target,
            weight,
            style: NumberStyle::Point,
            times: None,
            index,
            sides: None,
        };
        match weights {
            Weights::Column(_) if weight == Some(source) || weight == Some(target) => {
                return same(source, source, Change::Weight);
            }
            Weights::Auto => chosen.find_weight(names, rows, delimiter),
            Weights::Column(_) | Weights::Ignore | Weights::Count => {}
        }
        if let Some(weight) = chosen.weight {
            chosen.style = style(rows, weight, delimiter).unwrap_or_default();
        }
        chosen.sides = chosen.sides(names, rows, options);
        Ok(chosen)
    }

    fn is_free(&self, column: usize) -> bool {
        column != self.source && column != self.target && Some(column) != self.index
    }

    /// The column of the weights: with a header one that it calls so, else the
    /// one behind the two nodes if it holds numbers.
    fn find_weight(&mut self, names: &Names, rows: &[&Fields], delimiter: Delimiter) {
        let numeric = |column: usize| style(rows, column, delimiter).is_some();
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

    /// The two kinds of nodes, if the options or the names of the columns say that
    /// there are two. The same text in both columns says that there is one.
    fn sides(&self, names: &Names, rows: &[&Fields], options: &ReadOptions) -> Option<Sides> {
        let columns = [self.source, self.target];
        let called = columns.map(|column| names.call(column));
        let two_kinds = || {
            names.names.is_some()
                && words::are_two_kinds(&called[0], &called[1])
                && !ends::share_text(rows, columns)
        };
        let reason = match options.bipartite {
            Some(true) => Kinds::Asked,
            None if two_kinds() => Kinds::Names,
            Some(false) | None => return None,
        };
        Some(Sides::new(names.names.is_some().then_some(called), reason))
    }

    /// The layout of lines of as many columns.
    pub(super) fn layout(&self, delimiter: Delimiter, columns: usize) -> Layout {
        Layout {
            delimiter,
            source: self.source,
            target: self.target,
            weight: self.weight,
            style: self.style,
            columns,
            dictionaries: None,
        }
    }

    pub(super) fn describe(&self, names: &Names, header: Header) -> Columns {
        let unused =
            (0..names.count).filter(|&column| self.is_free(column) && Some(column) != self.weight);
        let times = self.times.map(|column| names.call(column));
        Columns {
            delimiter: None,
            header,
            source: names.call(self.source),
            target: names.call(self.target),
            weight: self.weight.map(|column| names.call(column)),
            style: self.style,
            index: self.index.map(|column| names.call(column)),
            unused: unused.map(|column| names.call(column)).collect(),
            times,
            sides: self.sides.clone(),
            blanks_cut: false,
        }
    }
}

/// Refuses columns that nobody asked for and that hold no nodes.
fn check_nodes(
    path: &Path,
    names: &Names,
    rows: &[&Fields],
    ends: [usize; 2],
) -> Result<(), ReadError> {
    let remedy = || {
        Remedy::new(
            "give a column of sources and one of targets",
            &[Change::Source, Change::Target],
        )
    };
    if ends::is_incidence(rows, names.count) {
        let problem =
            "this is a table of zeros and ones with a name on every row, and no list of edges";
        return Err(ReadError::in_file(path, problem, remedy()));
    }
    match ends
        .into_iter()
        .find(|&column| ends::is_measure(rows, column))
    {
        None => Ok(()),
        Some(column) => {
            let name = quote(names.call(column).as_bytes());
            let problem =
                format!("the column {name} holds times or numbers with fractions, and no nodes");
            Err(ReadError::in_file(path, problem, remedy()))
        }
    }
}

/// The way in which the numbers of a column are written, if it holds numbers. A
/// column that starts with one holds numbers; a cell that is none is an error of its
/// line.
fn style(rows: &[&Fields], column: usize, delimiter: Delimiter) -> Option<NumberStyle> {
    let cells = rows.iter().filter_map(|row| row.get(column));
    let cells = cells.map(Cow::as_ref).filter(|cell| !cell.is_empty());
    let first = || NumberStyle::of(cells.clone().take(1), delimiter);
    cells.clone().next()?;
    NumberStyle::of(cells.clone(), delimiter).or_else(first)
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
    let taken = |column| [source, target, weight].contains(&Some(column));
    let index = (names.count > 2 && !taken(0) && counts_lines(names, rows)).then_some(0);
    let free: Vec<usize> = (0..names.count)
        .filter(|&column| weight != Some(column) && Some(column) != index)
        .collect();
    let found = ends::find(names.list(), rows, &free, source.or(target));
    let [one, other] = found.map_or([0, 0], |ends| ends.columns);
    let ends = match (source, target) {
        (Some(source), _) => (source, if one == source { other } else { one }),
        (None, Some(target)) => (if one == target { other } else { one }, target),
        (None, None) => (one, other),
    };
    (ends, index)
}

/// Whether the first column only counts the lines.
fn counts_lines(names: &Names, rows: &[&Fields]) -> bool {
    let counts = || values::counts_lines(rows, 0);
    let is_end = || words::find_ends(names.list()).is_some_and(|(ends, _)| ends.contains(&0));
    match names.list().first() {
        Some(_) if is_end() => false,
        Some(name) => words::is_index(name) || words::is_number(name) && counts(),
        None => rows.len() > 2 && counts() && ends::are_beside_first(rows, names.count),
    }
}
