//! Selection of poolers.

use crate::terminal::message::Failure;
use bnpool::pool::{POOLERS, PoolTraits, find_dividing_pooler, find_pooler};

/// Keyword for all poolers.
const ALL: &str = "all";

/// Returns the poolers of a list such as `bn,mincut`. Without a list, or for
/// `all`, returns those that support the task.
pub fn choose(list: Option<&str>, one_graph: bool) -> Result<Vec<&'static PoolTraits>, Failure> {
    let able = || POOLERS.iter().filter(move |p| !one_graph || p.divides());
    let Some(list) = list.filter(|list| list.trim() != ALL) else {
        return Ok(able().collect());
    };
    let mut chosen: Vec<&'static PoolTraits> = Vec::new();
    for name in list.split(',').map(str::trim) {
        if name.is_empty() {
            let names: Vec<&str> = able().map(|pooler| pooler.name).collect();
            return Err(Failure::input(format!(
                "--poolers `{list}`: a name is missing; write `all`, or names separated by commas: {}",
                names.join(",")
            )));
        }
        let pooler = if one_graph {
            find_dividing_pooler(name)
        } else {
            find_pooler(name)
        };
        // The error lists the choices; `--pooler` is a flag of other commands.
        let pooler =
            pooler.map_err(|error| Failure::input(format!("--poolers {list}: {error}")))?;
        if chosen.iter().any(|other| other.name == pooler.name) {
            return Err(Failure::input(format!(
                "--poolers {list}: `{name}` is named twice; name every pooler once"
            )));
        }
        chosen.push(pooler);
    }
    Ok(chosen)
}

/// Returns the names, separated by commas.
pub fn names(poolers: &[&PoolTraits]) -> String {
    let names: Vec<&str> = poolers.iter().map(|pooler| pooler.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(list: Option<&str>, one_graph: bool) -> Result<String, String> {
        match choose(list, one_graph) {
            Ok(poolers) => Ok(names(&poolers)),
            Err(failure) => Err(failure.to_string()),
        }
    }

    #[test]
    fn lists_keep_their_order() {
        assert_eq!(chosen(Some("topk, bn"), false), Ok("topk, bn".into()));
        let all = chosen(None, false).expect("all");
        assert_eq!(Ok(all.clone()), chosen(Some("all"), false));
        assert!(all.starts_with("bn, ") && all.contains("topk") && all.contains("none"));
        let dividing = chosen(None, true).expect("all");
        assert!(!dividing.contains("topk") && !dividing.contains("none"));
    }

    #[test]
    fn bad_lists_are_refused() {
        for (list, one_graph, part) in [
            ("", false, "a name is missing"),
            ("bn,,mincut", false, "a name is missing"),
            ("bn,bn", false, "named twice"),
            ("bn,best", false, "mincut"),
            ("bn,topk", true, "these do: bn"),
            ("none", true, "these do: bn"),
        ] {
            let message = chosen(Some(list), one_graph).expect_err(list);
            assert!(message.contains(part), "{list}: {message}");
        }
    }
}
