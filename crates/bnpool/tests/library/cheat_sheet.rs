//! `docs/POOLERS.md` is generated from the registry of poolers.

use bnpool::pool::{Assigns, POOLERS, PoolTraits};
use std::fmt::Write as _;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/POOLERS.md");
/// Environment variable; if set, the test writes the page.
const REWRITE: &str = "BNPOOL_WRITE_DOCS";

fn family(pooler: &PoolTraits) -> &'static str {
    match pooler.assigns {
        Assigns::Softly => "soft clusters",
        Assigns::Firmly => "one supernode each",
        Assigns::Some => "keeps some nodes",
        Assigns::None => "none",
    }
}

fn yes_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

fn page() -> String {
    let mut page = String::from(
        "# Poolers

All poolers of `--pooler` and `--poolers`. `bnpool compare` runs them under one protocol. This page is made from the
registry (`bnpool::pool::POOLERS`); a test compares the two, and `BNPOOL_WRITE_DOCS=1 cargo test --workspace --test
library cheat_sheet` writes it again.

| Name | Pooler | Assigns nodes | Adaptive size | Trainable | Losses | Prepared | Time of a pass |
|---|---|---|---|---|---|---|---|
",
    );
    for pooler in POOLERS {
        let losses: Vec<String> = pooler
            .losses
            .iter()
            .map(|loss| format!("`{loss}`"))
            .collect();
        let losses = if losses.is_empty() {
            "–".to_owned()
        } else {
            losses.join(", ")
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} | {losses} | {} | {} |",
            pooler.name,
            pooler.title,
            family(pooler),
            yes_no(pooler.adaptive),
            yes_no(pooler.trainable),
            yes_no(pooler.prepared),
            pooler.complexity,
        );
    }
    page += "
- **Assigns nodes**: soft clusters give every node a share of all supernodes; others give it to one; top-k keeps some
  nodes and drops the rest. Only the first two find communities, so only they serve `bnpool cluster` and
  `bnpool compare GRAPH`.
- **Adaptive size**: the number of supernodes follows from the graph. The others have κ·N of them
  (`--set pooler.ratio=0.5`), or on one graph as many as there are known classes; `none` keeps all nodes.
- **Losses**: added to the loss of the task, `loss_NAME` in `history.jsonl`. A pooler without one learns from the task
  alone, and is not trained on one graph.
- **Prepared**: computed once for every graph before training.

";
    for pooler in POOLERS {
        // The summary follows the name.
        let summary = pooler.summary;
        let words = summary.split_once(": ").map_or(summary, |parts| parts.1);
        let _ = writeln!(page, "- `{}`: {words}.", pooler.name);
    }
    page
}

#[test]
fn the_cheat_sheet_is_that_of_the_registry() {
    let made = page();
    if std::env::var_os(REWRITE).is_some() {
        std::fs::write(PAGE, &made).expect("docs/POOLERS.md");
    }
    let written = std::fs::read_to_string(PAGE).unwrap_or_default();
    assert!(
        written.replace("\r\n", "\n") == made,
        "docs/POOLERS.md is not that of the registry; write it with {REWRITE}=1"
    );
}
