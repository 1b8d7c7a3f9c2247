//! Communities of a finished run on an older version of a graph.

use super::Plan;
use crate::Failure;
use crate::run::RunDirectory;
use bnpool_graph::Graph;
use bnpool_io::remedy::Change;
use std::collections::HashMap;
use std::path::Path;

/// File with the communities that a run started from.
pub(super) const PREVIOUS: &str = "previous.csv";

/// The nodes of a run with their communities, as in `labels.csv`.
pub struct Previous {
    /// Text of the file.
    pub(super) text: String,
    /// Name of the file in messages.
    name: String,
    /// Community and confidence of each node.
    nodes: HashMap<String, (u32, f32)>,
    /// Number of nodes of each community.
    pub(super) sizes: Vec<usize>,
}

impl Previous {
    /// Reads the communities of a finished run.
    ///
    /// # Errors
    ///
    /// Returns an error if the run is not finished, or its files were changed.
    pub fn of_run(run: &Path) -> Result<Self, Failure> {
        let plan = Plan::read(RunDirectory::at(run))?;
        let (labels, metrics) = ("labels.csv", "metrics.json");
        if let Some(absent) = [labels, metrics]
            .iter()
            .find(|name| !plan.directory.file(name).exists())
        {
            return Err(Failure::advised(
                format!(
                    "{}: {absent} is not there, so the run has not come to its end",
                    run.display()
                ),
                Change::Resume,
            ));
        }
        let name = run.display().to_string();
        Self::read(&plan.directory, labels, &name, Change::Resume)
    }

    /// Reads the communities that the run of a plan started from, if any.
    pub(super) fn of_plan(plan: &Plan) -> Result<Option<Self>, Failure> {
        if !plan.directory.has_written(PREVIOUS) {
            return Ok(None);
        }
        let name = plan.directory.file(PREVIOUS).display().to_string();
        Self::read(&plan.directory, PREVIOUS, &name, Change::Restart).map(Some)
    }

    /// Reads a file of a run, such as `labels.csv`.
    fn read(
        directory: &RunDirectory,
        file: &str,
        name: &str,
        remedy: Change,
    ) -> Result<Self, Failure> {
        let path = directory.file(file);
        let wrong =
            |problem: &str| Failure::advised(format!("{}: {problem}", path.display()), remedy);
        let bytes = std::fs::read(&path).map_err(|e| wrong(&format!("cannot read: {e}")))?;
        if let Some(problem) = directory.problem(file, &bytes) {
            return Err(wrong(problem));
        }
        let text = String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8"))?;
        Self::parse(text, name).map_err(|problem| wrong(&problem))
    }

    /// Parses the text of such a file.
    pub(super) fn parse(text: String, name: &str) -> Result<Self, String> {
        let mut nodes = HashMap::new();
        let mut sizes: Vec<usize> = Vec::new();
        let mut rest = text.split_once('\n').map_or("", |(_, rest)| rest);
        while !rest.is_empty() {
            let (node, behind) = first_field(rest);
            let (line, next) = behind.split_once('\n').unwrap_or((behind, ""));
            let mut fields = line.trim_end_matches('\r').split(',');
            let community = fields.next().and_then(|field| field.parse::<u32>().ok());
            let confidence = fields.next().and_then(|field| field.parse::<f32>().ok());
            let (Some(community), Some(confidence)) = (community, confidence) else {
                return Err(format!(
                    "the line of node {node} is not `node,cluster,confidence,…`"
                ));
            };
            // Bounds the number of communities by the number of bytes.
            if community as usize >= text.len() {
                return Err(format!("there is no community {community}"));
            }
            if sizes.len() <= community as usize {
                sizes.resize(community as usize + 1, 0);
            }
            sizes[community as usize] += 1;
            nodes.insert(node, (community, confidence));
            rest = next;
        }
        Ok(Self {
            name: name.to_owned(),
            nodes,
            sizes,
            text,
        })
    }

    /// Returns the community and the confidence of each node of a graph, if any.
    /// Nodes are matched by their ids.
    ///
    /// # Errors
    ///
    /// Returns an error if the run shares no node with the graph.
    pub fn on(&self, graph: &Graph) -> Result<Vec<Option<(u32, f32)>>, Failure> {
        let found: Vec<Option<(u32, f32)>> = match graph.node_ids() {
            Some(ids) => ids.iter().map(|id| self.nodes.get(id).copied()).collect(),
            None => (0..graph.nodes())
                .map(|u| self.nodes.get(&u.to_string()).copied())
                .collect(),
        };
        if found.iter().all(Option::is_none) {
            return Err(Failure::input(format!(
                "{}: the run shares no node with this graph; nodes are matched by their ids, so name a run on an older version of the same graph",
                self.name
            )));
        }
        Ok(found)
    }
}

/// Splits off the first field of a line, which may be quoted. Returns it and
/// the text after its comma.
fn first_field(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', '\n']).unwrap_or(text.len());
        let rest = &text[end..];
        return (
            text[..end].to_owned(),
            rest.strip_prefix(',').unwrap_or(rest),
        );
    };
    let mut field = String::new();
    let mut rest = quoted;
    while let Some((part, behind)) = rest.split_once('"') {
        field.push_str(part);
        rest = behind;
        match rest.strip_prefix('"') {
            // A quotation mark inside an id is doubled.
            Some(behind) => {
                field.push('"');
                rest = behind;
            }
            None => break,
        }
    }
    (field, rest.strip_prefix(',').unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::csv_field;

    #[test]
    fn ids_come_back_as_they_were_written() {
        for id in ["a", "a,b", "say \"so\"", "two\nlines", "\"", ""] {
            let line = format!("{},3,0.5,0.1\nnext", csv_field(id));
            assert_eq!(first_field(&line), (id.to_owned(), "3,0.5,0.1\nnext"));
        }
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let parse = |text: &str| Previous::parse(text.to_owned(), "run");
        for bad in [
            "node,cluster\na,x,0.5\n",
            "node\na\n",
            "n,c,c\na,4000000000,1\n",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        let read = parse("n,c,c\na,1,0.5\n\"b,\",0,1").expect("read");
        assert_eq!(read.sizes, [1, 1]);
        assert_eq!(read.nodes["b,"], (0, 1.0));
    }
}
