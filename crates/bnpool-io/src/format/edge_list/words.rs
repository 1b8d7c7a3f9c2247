//! What columns of edge lists are called.

/// What a name says about its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Source,
    Target,
    Weight,
    Time,
}

/// Names of the sources, without separators and the word for a node.
const SOURCE: &[&str] = &[
    "source",
    "src",
    "from",
    "u",
    "start",
    "i",
    "row",
    "citing",
    "origin",
    "sender",
    // German, French, Spanish, Portuguese, Italian, Dutch, Polish, Swedish
    "von",
    "quelle",
    "absender",
    "anfang",
    "de",
    "depuis",
    "origine",
    "origen",
    "desde",
    "origem",
    "da",
    "sorgente",
    "van",
    "bron",
    "od",
    "från",
    "fran",
    // Russian, Chinese, Japanese
    "от",
    "откуда",
    "источник",
    "源",
    "起点",
    "来源",
    "始点",
];

/// Names of the targets.
const TARGET: &[&str] = &[
    "target",
    "tgt",
    "dst",
    "dest",
    "destination",
    "to",
    "v",
    "end",
    "j",
    "col",
    "column",
    "cited",
    "receiver",
    "recipient",
    "nach",
    "zu",
    "ziel",
    "empfänger",
    "empfaenger",
    "ende",
    "vers",
    "à",
    "cible",
    "destino",
    "hasta",
    "hacia",
    "para",
    "destinazione",
    "naar",
    "doel",
    "do",
    "cel",
    "till",
    "к",
    "куда",
    "цель",
    "目标",
    "终点",
    "終点",
];

/// Names of the weights.
const WEIGHT: &[&str] = &[
    "weight",
    "weights",
    "w",
    "value",
    "strength",
    "count",
    "capacity",
    "freq",
    "frequency",
    "anzahl",
    "gewicht",
    "poids",
    "peso",
    "waga",
    "vikt",
    "вес",
    "权重",
    "重み",
];

/// Names of times.
const TIME: &[&str] = &[
    "time",
    "timestamp",
    "timestamps",
    "ts",
    "t",
    "date",
    "datetime",
    "day",
    "month",
    "year",
    "created",
    "createdat",
    "unixtime",
    "epoch",
    "zeit",
    "zeitpunkt",
    "zeitstempel",
    "datum",
    "jahr",
    "heure",
    "temps",
    "année",
    "annee",
    "fecha",
    "tiempo",
    "año",
    "data",
    "ora",
    "anno",
    "ano",
    "tijd",
    "jaar",
    "время",
    "дата",
    "год",
    "时间",
    "日期",
];

/// Names of a column that counts the lines, whatever it holds.
const INDEX: &[&str] = &["", "unnamed0", "index", "idx", "rownames", "rowname"];

/// Names of a column that may count the lines.
const NUMBER: &[&str] = &[
    "id", "nr", "no", "num", "number", "nummer", "numero", "edge", "edgeid", "link", "linkid",
    "key", "row", "rowid", "line", "lfd", "lfdnr", "rank",
];

/// What the two ends of an edge are called.
const ENDS: &[&str] = &[
    "user",
    "item",
    "person",
    "people",
    "author",
    "coauthor",
    "actor",
    "actress",
    "movie",
    "film",
    "player",
    "team",
    "hometeam",
    "awayteam",
    "home",
    "away",
    "customer",
    "client",
    "product",
    "buyer",
    "seller",
    "friend",
    "follower",
    "followee",
    "following",
    "followed",
    "parent",
    "child",
    "father",
    "mother",
    "protein",
    "gene",
    "city",
    "country",
    "town",
    "page",
    "url",
    "site",
    "paper",
    "article",
    "cites",
    "character",
    "name",
    "id",
    "label",
    "node",
    "vertex",
    "nodes",
    "subject",
    "object",
    "predator",
    "prey",
    "species",
    "employee",
    "manager",
    "boss",
    "company",
    "firm",
    "station",
    "stop",
    "airport",
    "departure",
    "arrival",
    "member",
    "group",
    "student",
    "teacher",
    "school",
    "class",
    "tag",
    "word",
    "term",
    "account",
    "entity",
    "individual",
    "host",
    "guest",
    "patient",
    "doctor",
    "drug",
    "disease",
    "event",
    "device",
    "caller",
    "callee",
    "host1",
    "host2",
    "ego",
    "alter",
    "neighbor",
    "neighbour",
    "winner",
    "loser",
    "left",
    "right",
    "first",
    "second",
    "head",
    "tail",
    "x",
    "y",
    "knoten",
    "nutzer",
    "benutzer",
    "kunde",
    "produkt",
    "artikel",
    "autor",
    "freund",
    "stadt",
    "land",
    "firma",
    "spieler",
    "mannschaft",
    "käufer",
    "verkäufer",
    "noeud",
    "nœud",
    "sommet",
    "utilisateur",
    "personne",
    "auteur",
    "ville",
    "pays",
    "ami",
    "nodo",
    "usuario",
    "persona",
    "ciudad",
    "amigo",
    "utente",
    "città",
    "knoop",
    "gebruiker",
    "persoon",
    "узел",
    "человек",
];

/// What may stand around the word that tells.
const AROUND: &[&str] = &[
    "id", "ids", "name", "names", "node", "vertex", "label", "key", "nr", "no", "knoten", "noeud",
    "nodo",
];

/// Ends of two names that are otherwise the same.
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

/// The name, and what is left of it when words that do not tell are taken away.
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

fn is_one_of(words: &[&str], word: &str) -> bool {
    words.contains(&word)
}

/// What a name says about its column.
pub(super) fn role(name: &str) -> Option<Role> {
    let known = |core: &String| {
        [
            (SOURCE, Role::Source),
            (TARGET, Role::Target),
            (WEIGHT, Role::Weight),
            (TIME, Role::Time),
        ]
        .into_iter()
        .find(|(words, _)| is_one_of(words, core))
        .map(|(_, role)| role)
    };
    cores(name).iter().find_map(known)
}

/// Whether a column of this name counts the lines, whatever it holds.
pub(super) fn is_index(name: &str) -> bool {
    name.trim_ascii().is_empty() || is_one_of(INDEX, &plain(name)) && !plain(name).is_empty()
}

/// Whether a column of this name may count the lines.
pub(super) fn is_number(name: &str) -> bool {
    is_one_of(NUMBER, &plain(name)) || name.trim_ascii() == "#"
}

/// Whether two names look like those of the two ends of an edge.
pub(super) fn are_ends(first: &str, second: &str) -> bool {
    let is_end =
        |name: &str| role(name).is_some() || cores(name).iter().any(|core| is_one_of(ENDS, core));
    first != second && (is_end(first) && is_end(second) || stem(first, second).is_some())
}

/// What two names share that differ in a pair of endings or beginnings only.
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
