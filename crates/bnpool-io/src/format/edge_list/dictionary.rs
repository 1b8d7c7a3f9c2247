//! Dictionaries at the ends of lines, as networkx's `write_edgelist` writes them:
//! `a b {'weight': 4}`.

use std::collections::BTreeSet;

use crate::format::options::{ReadOptions, Weights};
use crate::format::text::sample::{Fields, LINES, Sample, delimiter};
use crate::format::text::{DataLines, split_fields};

/// The key of the weights unless the options name another.
const WEIGHT: &str = "weight";

/// The dictionaries of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dictionaries {
    /// The key of the weights.
    pub(super) weight: Option<String>,
    /// All keys of the first lines.
    pub(super) keys: Vec<String>,
}

impl Dictionaries {
    /// The first lines without their dictionaries, if every line has one.
    pub(super) fn find<'a>(
        lines: DataLines<'a>,
        options: &ReadOptions,
    ) -> Option<(Sample<'a>, Self)> {
        let cut: Option<Vec<(usize, &str, &str)>> = lines
            .take(LINES)
            .map(|(number, line)| split(line).map(|(head, rest)| (number, head, rest)))
            .collect();
        let cut = cut.filter(|cut| !cut.is_empty())?;
        let heads: Vec<(usize, &str)> = cut
            .iter()
            .map(|&(number, head, _)| (number, head))
            .collect();
        let delimiter = delimiter(&heads);
        let mut sample = Sample {
            delimiter,
            lines: Vec::with_capacity(heads.len()),
            blanks_cut: false,
        };
        for (number, head) in heads {
            let mut fields = Fields::new();
            split_fields(head, delimiter, &mut fields).ok()?;
            sample.lines.push((number, fields));
        }
        let all: BTreeSet<&str> = cut
            .iter()
            .flat_map(|(_, _, rest)| entries(rest))
            .map(|e| e.0)
            .collect();
        let asked = match &options.weights {
            Weights::Auto => Some(WEIGHT),
            Weights::Column(name) => Some(name.as_str()),
            Weights::Ignore | Weights::Count => None,
        };
        let weight = asked.filter(|asked| all.contains(asked));
        let found = Self {
            weight: weight.map(str::to_owned),
            keys: all.into_iter().map(str::to_owned).collect(),
        };
        Some((sample, found))
    }

    /// The field of the weight, if the dictionary of a line has it.
    pub(super) fn weight_of<'a>(&self, dictionary: &'a str) -> Option<&'a str> {
        let key = self.weight.as_deref()?;
        entries(dictionary)
            .find(|entry| entry.0 == key)
            .map(|entry| entry.1)
    }
}

/// What stands before the dictionary at the end of a line, and what is in it.
pub(super) fn split(line: &str) -> Option<(&str, &str)> {
    let open = line.strip_suffix('}')?;
    let place = open.find('{').filter(|&place| place > 0)?;
    Some((open[..place].trim_ascii_end(), &open[place + 1..]))
}

/// The keys and values of a dictionary, without quotes around them.
fn entries(dictionary: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = dictionary;
    std::iter::from_fn(move || {
        let (key, after) = until(rest, ':')?;
        let (value, after) = until(after, ',').unwrap_or((after, ""));
        rest = after;
        Some((unquoted(key), unquoted(value)))
    })
}

/// Cuts at the first mark outside of quotes.
fn until(text: &str, mark: char) -> Option<(&str, &str)> {
    let mut quote = None;
    let mut escaped = false;
    for (place, character) in text.char_indices() {
        match quote {
            _ if escaped => escaped = false,
            Some(_) if character == '\\' => escaped = true,
            Some(open) if character == open => quote = None,
            Some(_) => {}
            None if matches!(character, '\'' | '"') => quote = Some(character),
            None if character == mark => {
                return Some((&text[..place], &text[place + mark.len_utf8()..]));
            }
            None => {}
        }
    }
    None
}

fn unquoted(text: &str) -> &str {
    text.trim_ascii().trim_matches(['\'', '"'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionaries_are_cut_off() {
        assert_eq!(split("a b {'weight': 4}"), Some(("a b", "'weight': 4")));
        assert_eq!(split("a,b,{}"), Some(("a,b,", "")));
        assert_eq!(split("{a} b"), None);
        assert_eq!(split("{}"), None);
        let found: Vec<_> = entries("'kind': 'a, b: c', 'weight': 0.5, \"it's\": None").collect();
        assert_eq!(
            found,
            [("kind", "a, b: c"), ("weight", "0.5"), ("it's", "None")]
        );
        assert_eq!(entries("").count(), 0);
    }
}
