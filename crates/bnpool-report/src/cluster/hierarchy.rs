//! The hierarchy of merged communities, with costs.

use super::{ClusterReport, Merge};
use crate::chart::{Chart, TreeChart, TreeJoin, TreeLeaf, categorical};
use crate::number::{count, counted, significant};

/// Largest number of leaves of the tree. For more communities, only the last
/// merges are shown.
pub(super) const MOST_LEAVES: usize = 60;

/// A merged set of communities: a leaf, or all leaves below a join.
#[derive(Debug, Clone)]
struct Branch {
    /// Its communities, in ascending order.
    members: Vec<usize>,
    /// The joined branches; `None` for a leaf.
    parts: Option<[usize; 2]>,
    /// Cost of the join in nats, but at least that of all earlier merges.
    height: f64,
    /// Nats in excess of the communities that were found.
    nats: f64,
}

/// Draws the tree; `None` if there is nothing to merge.
pub(super) fn chart(report: &ClusterReport<'_>) -> Option<Chart> {
    let found = report.communities.len();
    if report.merges.is_empty() || found < 2 {
        return None;
    }
    let (branches, leaves) = grow(found, report.merges);
    let order = order(&branches);
    // Indices in the chart: leaves from top to bottom, then joins.
    let mut place: Vec<usize> = (0..branches.len()).collect();
    for (at, &leaf) in order.iter().enumerate() {
        place[leaf] = at;
    }
    let join = |branch: &Branch| {
        let parts = branch.parts?;
        Some(TreeJoin {
            branches: parts.map(|part| place[part]),
            height: branch.height,
            text: words(report, branch, parts.map(|part| &branches[part])),
        })
    };
    let joins = branches[leaves..].iter().filter_map(join).collect();
    let leaf = |&leaf: &usize| {
        let members = &branches[leaf].members;
        TreeLeaf {
            name: name(members),
            remark: counted(size(report, members), "node", "nodes"),
            colour: categorical(members[0]),
        }
    };
    let shown = if found > MOST_LEAVES {
        format!("The last {} merges", leaves - 1)
    } else {
        "The merges".to_owned()
    };
    Some(
        TreeChart {
            alt: format!("{shown} of the {found} communities, down to one, as a tree."),
            x_name: "longer description than that of the communities found (nats)".to_owned(),
            leaves: order.iter().map(leaf).collect(),
            joins,
            cuts: cuts(report),
        }
        .draw(),
    )
}

/// All branches, leaves first. Leaves are communities, or the results of the
/// first merges if there are many.
fn grow(found: usize, merges: &[Merge]) -> (Vec<Branch>, usize) {
    let (hidden, shown) = merges.split_at(found.saturating_sub(MOST_LEAVES).min(merges.len()));
    let mut groups: Vec<Vec<usize>> = (0..found).map(|community| vec![community]).collect();
    let mut height = 0.0_f64;
    for merge in hidden {
        let gone = std::mem::take(&mut groups[merge.gone]);
        groups[merge.kept].extend(gone);
        height = height.max(merge.nats);
    }
    // Current branch with the number of each community.
    let mut current: Vec<Option<usize>> = vec![None; found];
    let mut branches = Vec::with_capacity(2 * MOST_LEAVES);
    for (community, mut members) in groups.into_iter().enumerate() {
        if !members.is_empty() {
            members.sort_unstable();
            current[community] = Some(branches.len());
            branches.push(Branch {
                members,
                parts: None,
                height: 0.0,
                nats: 0.0,
            });
        }
    }
    let leaves = branches.len();
    for merge in shown {
        let (Some(a), Some(b)) = (current[merge.kept], current[merge.gone].take()) else {
            continue;
        };
        height = height.max(merge.nats);
        let mut members = [&*branches[a].members, &*branches[b].members].concat();
        members.sort_unstable();
        // The branch with the largest community comes first.
        let mut parts = [a, b];
        parts.sort_by_key(|&part| branches[part].members[0]);
        current[merge.kept] = Some(branches.len());
        branches.push(Branch {
            members,
            parts: Some(parts),
            height,
            nats: merge.nats,
        });
    }
    (branches, leaves)
}

/// The leaves from top to bottom, so that branches do not cross.
fn order(branches: &[Branch]) -> Vec<usize> {
    let mut is_part = vec![false; branches.len()];
    for parts in branches.iter().filter_map(|branch| branch.parts) {
        parts.iter().for_each(|&part| is_part[part] = true);
    }
    let mut roots: Vec<usize> = (0..branches.len()).filter(|&i| !is_part[i]).collect();
    roots.sort_by_key(|&root| std::cmp::Reverse(branches[root].members[0]));
    let mut order = Vec::new();
    while let Some(branch) = roots.pop() {
        match branches[branch].parts {
            Some([first, second]) => roots.extend([second, first]),
            None => order.push(branch),
        }
    }
    order
}

/// Lines between the merges at the levels of `labels.csv`.
fn cuts(report: &ClusterReport<'_>) -> Vec<(f64, String)> {
    let found = report.communities.len();
    let heights: Vec<f64> = report
        .merges
        .iter()
        .scan(0.0_f64, |height, merge| {
            *height = height.max(merge.nats);
            Some(*height)
        })
        .collect();
    let level = |(i, &groups): (usize, &usize)| {
        let next = found.checked_sub(groups)?;
        let (before, after) = (*heights.get(next.checked_sub(1)?)?, *heights.get(next)?);
        let name = format!("level_{}: {groups}", i + 1);
        (after > before).then(|| ((before + after) / 2.0, name))
    };
    report.levels.iter().enumerate().filter_map(level).collect()
}

fn size(report: &ClusterReport<'_>, members: &[usize]) -> usize {
    let sizes = members.iter().map(|&i| report.communities[i].size);
    sizes.sum()
}

/// Name of a branch: the number of its largest community.
fn name(members: &[usize]) -> String {
    match members {
        [] => String::new(),
        [only] => only.to_string(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

/// Hover text of a join.
fn words(report: &ClusterReport<'_>, branch: &Branch, parts: [&Branch; 2]) -> Vec<String> {
    let [a, b] = parts.map(|part| listed(&part.members));
    let sign = if branch.nats < 0.0 { "" } else { "+" };
    vec![
        format!("{a} joins {b}"),
        format!("{} nodes", count(size(report, &branch.members))),
        format!(
            "{sign}{} nats",
            significant(branch.nats, 3).replace('-', "−")
        ),
    ]
}

/// Lists the first few communities by number.
fn listed(members: &[usize]) -> String {
    let first: Vec<String> = members.iter().take(6).map(usize::to_string).collect();
    match members.len().saturating_sub(6) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merge(kept: usize, gone: usize, nats: f64) -> Merge {
        Merge { kept, gone, nats }
    }

    #[test]
    fn branches_do_not_cross() {
        let merges = [
            merge(3, 1, 2.0),
            merge(0, 2, 1.0),
            merge(3, 0, 9.0),
            merge(4, 3, 12.0),
        ];
        let (branches, _) = grow(5, &merges);
        assert_eq!(order(&branches), [0, 2, 1, 3, 4]);
        let heights: Vec<f64> = branches.iter().map(|b| b.height).collect();
        // The second merge is cheaper than the first, but comes later.
        assert_eq!(heights[5..], [2.0, 2.0, 9.0, 12.0]);
        assert_eq!(branches[8].members, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn of_many_communities_the_top_is_shown() {
        let found = 100;
        let merges: Vec<Merge> = (1..found)
            .rev()
            .map(|gone| merge(gone - 1, gone, (found - gone) as f64))
            .collect();
        let (branches, leaves) = grow(found, &merges);
        assert_eq!(leaves, MOST_LEAVES);
        let order = order(&branches);
        assert_eq!(order.len(), MOST_LEAVES);
        assert_eq!(
            name(&branches[*order.last().unwrap()].members),
            "59 and 40 more"
        );
    }
}
