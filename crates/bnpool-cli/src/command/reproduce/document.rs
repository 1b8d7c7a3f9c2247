//! A section of a document that the command keeps up to date.

use crate::terminal::destination::write_text;
use crate::terminal::message::Failure;
use std::path::Path;

fn markers(item: &str) -> [String; 2] {
    [
        format!("<!-- bnpool reproduce {item}: begin -->"),
        format!("<!-- bnpool reproduce {item}: end -->"),
    ]
}

/// Replaces what stands between the markers of an item in a document, or adds them at
/// its end.
pub fn update(path: &Path, item: &str, section: &str) -> Result<(), Failure> {
    write_text(path, &with_section(path, item, section)?)
}

/// Refuses a document that could not be updated, before the work begins.
pub fn check(path: &Path, item: &str) -> Result<(), Failure> {
    with_section(path, item, "").map(drop)
}

fn with_section(path: &Path, item: &str, section: &str) -> Result<String, Failure> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(e) => {
            return Err(Failure::input(format!(
                "{}: cannot read: {e}; check the name given to --document",
                path.display()
            )));
        }
    };
    replaced(&text, item, section).map_err(|problem| {
        Failure::input(format!(
            "{}: {problem}; nothing was changed",
            path.display()
        ))
    })
}

fn replaced(text: &str, item: &str, section: &str) -> Result<String, String> {
    let [begin, end] = markers(item);
    let section = format!("{begin}\n\n{}\n\n{end}", section.trim());
    match (text.find(&begin), text.find(&end)) {
        (Some(first), Some(last)) if first < last => Ok(format!(
            "{}{section}{}",
            &text[..first],
            &text[last + end.len()..]
        )),
        (None, None) if text.trim().is_empty() => Ok(format!("{section}\n")),
        (None, None) => Ok(format!("{}\n\n{section}\n", text.trim_end())),
        _ => Err(format!(
            "it has only one of the lines `{begin}` and `{end}`, or in the wrong order"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_section_changes() {
        let first = replaced("# Title\n\ntext\n", "graphs", "one\n").expect("a document");
        assert!(
            first.starts_with("# Title\n\ntext\n\n<!-- bnpool reproduce graphs: begin -->\n\none")
        );
        let more = format!("{first}\ntail\n");
        let second = replaced(&more, "graphs", "two").expect("a document");
        assert_eq!(second, more.replace("one", "two"));
        assert_eq!(replaced(&second, "graphs", "two"), Ok(second.clone()));
        let broken = second.replace(": end -->", "");
        assert!(replaced(&broken, "graphs", "x").is_err());
        assert!(replaced(&second, "epochs", "x").is_ok_and(|text| text.contains("tail")));
    }
}
