//! Documentation of settings, read from the source of their types.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Attribute, Expr, Fields, Item, Lit, Meta, Type};

/// A field of a section.
#[derive(Debug, Clone)]
pub struct Field {
    pub name: String,
    pub docs: String,
    /// Last segment of the path of its type.
    pub kind: String,
    /// Whether its fields are flattened into its parent.
    pub flat: bool,
}

/// A variant of an enumeration.
#[derive(Debug, Clone)]
pub struct Word {
    pub name: String,
    pub docs: String,
}

/// Structs and enumerations of a crate.
#[derive(Debug, Default)]
pub struct Types {
    /// Structs by name, with their files, because names need not be unique.
    sections: BTreeMap<String, Vec<(PathBuf, Vec<Field>)>>,
    words: BTreeMap<String, Vec<(PathBuf, Vec<Word>)>>,
}

impl Types {
    /// Reads all files below these folders.
    pub fn read<const N: usize>(folders: [PathBuf; N]) -> Self {
        let mut types = Self::default();
        for folder in folders {
            types.read_folder(&folder);
        }
        types
    }

    fn read_folder(&mut self, folder: &Path) {
        let entries = fs::read_dir(folder).expect("a folder of sources");
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                self.read_folder(&path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).expect("a source");
                let file = syn::parse_file(&text).expect("Rust");
                file.items
                    .into_iter()
                    .for_each(|item| self.add(&path, item));
            }
        }
    }

    fn add(&mut self, path: &Path, item: Item) {
        match item {
            Item::Struct(item) => {
                if let Fields::Named(fields) = &item.fields {
                    let fields = fields.named.iter().map(|field| Field {
                        name: field.ident.as_ref().expect("a name").to_string(),
                        docs: docs(&field.attrs),
                        kind: kind(&field.ty),
                        flat: serde_says(&field.attrs, "flatten"),
                    });
                    let section = (path.to_owned(), fields.collect());
                    self.sections
                        .entry(item.ident.to_string())
                        .or_default()
                        .push(section);
                }
            }
            Item::Enum(item) => {
                let kebab = serde_says(&item.attrs, "kebab-case");
                let words = item.variants.iter().map(|variant| Word {
                    name: written(&variant.ident.to_string(), kebab),
                    docs: docs(&variant.attrs),
                });
                self.words
                    .entry(item.ident.to_string())
                    .or_default()
                    .push((path.to_owned(), words.collect()));
            }
            // Two macros generate an enumeration and a section.
            Item::Macro(item) if item.mac.path.is_ident("layers") => {
                let words = entries(&item.mac.tokens.to_string(), |docs, rest| Word {
                    name: rest.split(':').next().unwrap_or("").trim().to_lowercase(),
                    docs,
                });
                let place = (path.to_owned(), words);
                self.words
                    .entry("LayerKind".into())
                    .or_default()
                    .push(place);
            }
            Item::Macro(item) if item.mac.path.is_ident("poolers") => {
                let fields = entries(&item.mac.tokens.to_string(), |docs, rest| {
                    let (name, kind) = rest
                        .split_once(',')
                        .and_then(|(_, field)| field.split_once(':'))
                        .unwrap_or_default();
                    Field {
                        name: name.trim().to_owned(),
                        docs,
                        kind: kind.trim().to_owned(),
                        flat: false,
                    }
                });
                let fields = fields.into_iter().filter(|f| !f.name.is_empty()).collect();
                let place = (path.to_owned(), fields);
                self.sections
                    .entry("RivalConfig".into())
                    .or_default()
                    .push(place);
            }
            _ => {}
        }
    }

    /// Returns the fields of a struct. If several have this name, returns the one
    /// in the file `near`.
    pub fn section(&self, name: &str, near: &Path) -> Option<(&Path, &[Field])> {
        nearest(self.sections.get(name)?, near)
    }

    /// Returns the variants of an enumeration.
    pub fn words(&self, name: &str, near: &Path) -> Option<&[Word]> {
        nearest(self.words.get(name)?, near).map(|(_, words)| words)
    }
}

fn nearest<'a, T>(places: &'a [(PathBuf, Vec<T>)], near: &Path) -> Option<(&'a Path, &'a [T])> {
    let same = places.iter().find(|(path, _)| path == near);
    let only = || (places.len() == 1).then(|| &places[0]);
    let (path, found) = same.or_else(only)?;
    Some((path, found))
}

/// Returns the entries of a macro, each with its documentation:
/// `# [doc = "…"] … ;`.
fn entries<T>(tokens: &str, make: impl Fn(String, &str) -> T) -> Vec<T> {
    let parts = tokens.split(';').map(str::trim).filter(|p| !p.is_empty());
    let entry = |part: &str| {
        let mut docs = Vec::new();
        let mut rest = part;
        loop {
            rest = rest.trim_start();
            if let Some(comment) = rest.strip_prefix("# [doc = \"") {
                let (line, after) = comment.split_once("\"]").unwrap_or((comment, ""));
                docs.push(line.trim().to_owned());
                rest = after;
            } else {
                break make(docs.join(" "), rest);
            }
        }
    };
    parts.map(entry).collect()
}

fn docs(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        let Expr::Lit(value) = &pair.value else {
            return None;
        };
        match &value.lit {
            Lit::Str(text) if pair.path.is_ident("doc") => Some(text.value().trim().to_owned()),
            _ => None,
        }
    });
    // Only the first paragraph is for users.
    let lines: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    lines.join(" ")
}

fn serde_says(attributes: &[Attribute], word: &str) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("serde") && list.tokens.to_string().contains(word),
        _ => false,
    })
}

fn kind(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string())
            .unwrap_or_default(),
        _ => String::new(),
    }
}

/// Returns the serialised name of a variant.
fn written(variant: &str, kebab: bool) -> String {
    let mut name = String::new();
    for (place, letter) in variant.char_indices() {
        if kebab && place > 0 && letter.is_uppercase() {
            name.push('-');
        }
        name.extend(letter.to_lowercase());
    }
    name
}
