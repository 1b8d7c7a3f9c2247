//! Names of the columns of edge lists, in English, German, French and Spanish.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The role of a column by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Source,
    Target,
    Weight,
    Time,
}

/// The lists that each word stands in.
static LISTS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut lists: HashMap<&str, Vec<&str>> = HashMap::new();
    for line in include_str!("words.txt").lines() {
        let mut words = line.split_ascii_whitespace();
        // The second word is the language.
        if let (Some(list), Some(_)) = (words.next().filter(|&list| list != "#"), words.next()) {
            for word in words {
                lists.entry(word).or_default().push(list);
            }
        }
    }
    lists
});

/// The lists of kinds of nodes.
const KINDS: &[&str] = &[
    "people", "item", "work", "page", "place", "firm", "group", "word", "gene", "illness", "event",
    "device",
];

/// Words that may stand around the word of a role.
const AROUND: &[&str] = &[
    "id", "ids", "name", "names", "node", "vertex", "label", "key", "nr", "no", "knoten", "noeud",
    "nodo",
];

/// Ends of two names that are otherwise equal.
const TWINS: &[(&str, &str)] = &[
    ("1", "2"),
    ("0", "1"),
    ("a", "b"),
    ("i", "j"),
    ("u", "v"),
    ("x", "y"),
    ("s", "t"),
    ("from", "to"),
    ("src", "dst"),
    ("source", "target"),
    ("left", "right"),
    ("one", "two"),
    ("first", "second"),
    ("in", "out"),
    ("von", "nach"),
];

/// A name without case and separators.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The name, and the rests of it without the words around.
fn cores(name: &str) -> Vec<String> {
    let mut cores = vec![plain(name)];
    let mut next = 0;
    while let Some(core) = cores.get(next).cloned() {
        for around in AROUND {
            for rest in [core.strip_suffix(around), core.strip_prefix(around)] {
                if let Some(rest) = rest
                    && !rest.is_empty()
                    && cores.len() < 16
                    && !cores.iter().any(|core| core == rest)
                {
                    cores.push(rest.to_owned());
                }
            }
        }
        next += 1;
    }
    cores
}

fn is_one_of(list: &str, word: &str) -> bool {
    LISTS.get(word).is_some_and(|lists| lists.contains(&list))
}

/// The role of a column of this name.
pub(super) fn role(name: &str) -> Option<Role> {
    let known = |core: &String| {
        [
            ("source", Role::Source),
            ("target", Role::Target),
            ("weight", Role::Weight),
            ("time", Role::Time),
        ]
        .into_iter()
        .find(|(words, _)| is_one_of(words, core))
        .map(|(_, role)| role)
    };
    cores(name).iter().find_map(known)
}

/// The kind of the nodes in a column of this name.
fn kind(name: &str) -> Option<&'static str> {
    let cores = cores(name);
    let mut kinds = KINDS.iter().copied();
    kinds.find(|kind| cores.iter().any(|core| is_one_of(kind, core)))
}

/// Whether two names are those of two kinds of nodes.
pub(super) fn are_two_kinds(first: &str, second: &str) -> bool {
    matches!((kind(first), kind(second)), (Some(first), Some(second)) if first != second)
}

/// The name of a column without the words around it, such as `user` of `user_id`.
pub(crate) fn side(name: &str) -> &str {
    let is_mark = |c: char| matches!(c, '_' | '-' | '.' | ' ');
    let mut side = name;
    for around in AROUND {
        let cut = side.len().saturating_sub(around.len());
        if let Some((start, end)) = side.split_at_checked(cut)
            && end.eq_ignore_ascii_case(around)
            && (start.ends_with(is_mark) || end.starts_with(char::is_uppercase))
        {
            side = start.trim_end_matches(is_mark);
        }
    }
    if side.is_empty() { name } else { side }
}

/// Whether a column of this name counts the lines, whatever it holds.
pub(super) fn is_index(name: &str) -> bool {
    name.trim_ascii().is_empty() || is_one_of("index", &plain(name))
}

/// Whether a column of this name may count the lines.
pub(super) fn is_number(name: &str) -> bool {
    is_one_of("number", &plain(name)) || name.trim_ascii() == "#"
}

/// Whether two names look like those of the two ends of an edge.
pub(super) fn are_ends(first: &str, second: &str) -> bool {
    let is_end = |name: &str| {
        let end = || cores(name).iter().any(|core| is_one_of("end", core));
        role(name).is_some() || kind(name).is_some() || end()
    };
    first != second && (is_end(first) && is_end(second) || stem(first, second).is_some())
}

/// The common part of two names that differ in a pair of endings or beginnings only.
pub(super) fn stem(first: &str, second: &str) -> Option<String> {
    let (first, second) = (plain(first), plain(second));
    TWINS.iter().find_map(|(one, two)| {
        let ends = (first.strip_suffix(one), second.strip_suffix(two));
        let starts = (first.strip_prefix(one), second.strip_prefix(two));
        [ends, starts].into_iter().find_map(|pair| match pair {
            (Some(a), Some(b)) if a == b && a.chars().count() > 1 => Some(a.to_owned()),
            _ => None,
        })
    })
}

/// Whether a name is a stem with a number or a letter before or behind it.
pub(super) fn has_stem(name: &str, stem: &str) -> bool {
    let name = plain(name);
    let mark = |rest: &str| rest.chars().count() < 2 || rest.bytes().all(|b| b.is_ascii_digit());
    [name.strip_prefix(stem), name.strip_suffix(stem)]
        .into_iter()
        .flatten()
        .any(mark)
}

/// The columns of sources and targets by their names: words for them, or two
/// names that differ in a pair of endings only.
pub(super) fn find_ends<S: AsRef<str>>(names: &[S]) -> Option<([usize; 2], bool)> {
    let find = |wanted| {
        names
            .iter()
            .position(|name| role(name.as_ref()) == Some(wanted))
    };
    if let (Some(source), Some(target)) = (find(Role::Source), find(Role::Target)) {
        return Some(([source, target], true));
    }
    // Wide tables have other things to compare.
    let few = &names[..names.len().min(16)];
    for (one, first) in few.iter().enumerate() {
        for (other, second) in few.iter().enumerate().skip(one + 1) {
            if stem(first.as_ref(), second.as_ref()).is_some() {
                return Some(([one, other], false));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_their_role() {
        for (name, expected) in [
            ("Source", Some(Role::Source)),
            ("FromNodeId", Some(Role::Source)),
            ("source_name", Some(Role::Source)),
            ("node_from", Some(Role::Source)),
            ("Nach", Some(Role::Target)),
            ("target id", Some(Role::Target)),
            ("Gewicht", Some(Role::Weight)),
            ("Timestamp", Some(Role::Time)),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(role(name), expected, "{name}");
        }
        assert!(is_index("") && is_index("Unnamed: 0") && !is_index("source"));
        assert!(is_number("Nr.") && is_number("#") && !is_number("b"));
    }

    #[test]
    fn kinds_of_nodes_are_told_apart() {
        for (first, second, expected) in [
            ("user_id", "item_id", true),
            ("UserID", "MovieID", true),
            ("Kunde", "Produkt", true),
            ("author", "paper", true),
            ("source_user", "target_item", false),
            ("user_id", "customer_id", false),
            ("follower_id", "followee_id", false),
            ("sender", "recipient", false),
            ("gene_a", "gene_b", false),
        ] {
            assert_eq!(are_two_kinds(first, second), expected, "{first} {second}");
        }
        for (name, expected) in [
            ("user_id", "user"),
            ("userId", "user"),
            ("MovieID", "Movie"),
            ("Kunde", "Kunde"),
            ("covid", "covid"),
            ("id", "id"),
            ("item nr", "item"),
        ] {
            assert_eq!(side(name), expected);
        }
    }

    #[test]
    fn ends_of_edges_are_known() {
        for (first, second) in [
            ("person_a", "person_b"),
            ("user", "item"),
            ("von", "nach"),
            ("friend1", "friend2"),
            ("Kunde", "Produkt"),
            ("bank left", "bank right"),
        ] {
            assert!(are_ends(first, second), "{first} {second}");
        }
        for (first, second) in [
            ("ann", "bob"),
            ("p", "q"),
            ("user", "bob"),
            ("item", "item"),
        ] {
            assert!(!are_ends(first, second), "{first} {second}");
        }
    }
}
