//! The pages that list the formats follow from their table.

use std::path::{Path, PathBuf};

use bnpool_io::format::Format;

/// Set to anything, it makes the test write the page.
const REWRITE: &str = "BNPOOL_WRITE_DOCS";
const HEAD: &str = "| format | `--format` | ends with | weights | directions | node attributes |
|---|---|---|---|---|---|
";

fn page(path: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path);
    let text = std::fs::read_to_string(&path).unwrap();
    (path, text)
}

fn table() -> String {
    let mut table = HEAD.to_owned();
    for &format in Format::ALL {
        let holds = format.holds();
        let endings = format.endings().iter().map(|ending| format!("`.{ending}`"));
        let endings: Vec<_> = endings.collect();
        let cells = if holds.header && holds.attributes {
            "those of its files | those of its files | those of its files".to_owned()
        } else {
            let weights = match (holds.weights, holds.named_weights) {
                (_, true) => "`--weight` names them",
                (true, false) => "yes",
                (false, false) => "no",
            };
            let directions = if holds.directions {
                "marked"
            } else {
                "as listed"
            };
            let attributes = if holds.attributes { "yes" } else { "no" };
            format!("{weights} | {directions} | {attributes}")
        };
        table += &format!(
            "| {} | `{format}` | {} | {cells} |\n",
            format.title(),
            endings.join(", "),
        );
    }
    table
}

#[test]
fn the_guide_has_the_table_of_formats() {
    let (path, text) = page("docs/guide/formats.md");
    let start = text
        .find(HEAD.lines().next().unwrap())
        .expect("a table of formats");
    let end = text[start..].find("\n\n").expect("text after the table") + start + 1;
    let expected = table();
    if std::env::var_os(REWRITE).is_some() {
        let rewritten = [&text[..start], &expected, &text[end..]].concat();
        std::fs::write(path, rewritten).unwrap();
        return;
    }
    let remedy = "write it with `BNPOOL_WRITE_DOCS=1 cargo test --workspace --test io guide`";
    assert_eq!(text[start..end], expected, "{remedy}");
}

#[test]
fn the_readme_names_every_format_of_a_file() {
    let (_, text) = page("README.md");
    let text = text.replace('\n', " ");
    for &format in Format::ALL {
        let is_file = !format.endings().is_empty();
        assert!(
            !is_file || text.contains(format.title()),
            "{}",
            format.title()
        );
    }
}
