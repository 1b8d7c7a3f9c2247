//! Merging of many groups at once.

use super::agglomerate::{Grouped, Until, merge_groups};
use super::between::Neighbours;
use super::{Dendrogram, agglomerate};
use crate::description_length::{Group, Moments, PlantedCode, Whole};
use rayon::prelude::*;

/// Up to this number, groups are merged one by one.
const FEW: usize = 1024;

/// One in this many groups is merged per round.
const SHARE: usize = 4;

/// Edges between two groups, the smaller number first.
pub(crate) type Pair = ((u32, u32), u64);

/// Continues the merges of a dendrogram from the remaining groups down to one. Many
/// groups are merged in rounds, taking the best pairs under Σ, with each group at most
/// once per round; few groups are merged one by one. `groups` and `pairs` describe the
/// remaining groups, and `names` are their numbers in the dendrogram.
///
/// # Complexity
///
/// O(P log P) time per round for P pairs of adjacent groups.
pub(crate) fn contract(
    path: &mut Dendrogram,
    mut names: Vec<u32>,
    mut groups: Vec<Group>,
    mut pairs: Vec<Pair>,
    code: &PlantedCode,
) {
    let mut whole = Whole::of(&groups);
    let mut total = whole.total(code, &groups);
    while groups.len() > FEW && !pairs.is_empty() {
        let lengths: Vec<f64> = groups.par_iter().map(|g| code.local(g)).collect();
        let change = |&((r, s), n): &Pair| {
            let (r, s) = (r as usize, s as usize);
            let union = groups[r].union(groups[s], Moments::edges(n));
            code.local(&union) - lengths[r] - lengths[s]
        };
        let mut order: Vec<(f64, u32)> = pairs
            .par_iter()
            .zip(0..pairs.len() as u32)
            .map(|(pair, i)| (change(pair), i))
            .collect();
        order.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let most = (groups.len() - FEW).min(groups.len() / SHARE).max(1);
        let mut target: Vec<u32> = (0..groups.len() as u32).collect();
        let mut touched = vec![false; groups.len()];
        let mut merged = 0;
        for (local, i) in order {
            let ((r, s), n) = pairs[i as usize];
            let (a, b) = (r as usize, s as usize);
            if touched[a] || touched[b] {
                continue;
            }
            (touched[a], touched[b]) = (true, true);
            let before = code.global(whole.count, whole.inside, whole.squares);
            whole.count -= 1;
            whole.inside = whole.inside.plus(Moments::edges(n));
            whole.squares += agglomerate::twice(&groups[a], &groups[b]);
            let after = code.global(whole.count, whole.inside, whole.squares);
            total += local + after - before;
            path.push(names[a], names[b], total, true);
            groups[a] = groups[a].union(groups[b], Moments::edges(n));
            target[b] = r;
            merged += 1;
            if merged == most {
                break;
            }
        }
        // Renumber without gaps.
        let mut left = 0;
        for g in 0..groups.len() {
            if target[g] as usize == g {
                (groups[left], names[left]) = (groups[g], names[g]);
                target[g] = left as u32;
                left += 1;
            } else {
                // Merged into a group with a smaller number, which already has its new
                // number.
                target[g] = target[target[g] as usize];
            }
        }
        groups.truncate(left);
        names.truncate(left);
        pairs = joined(&pairs, &target);
    }
    let mut around = vec![Neighbours::<Moments>::default(); groups.len()];
    for &((r, s), n) in &pairs {
        around[r as usize].insert(s, Moments::edges(n));
        around[s as usize].insert(r, Moments::edges(n));
    }
    let start = Grouped {
        labels: Vec::new(),
        groups,
        around,
        total,
    };
    let rest = merge_groups(start, code, &whole, Until::One);
    path.append(&names, &rest);
}

/// Returns the pairs after renumbering the groups.
fn joined(pairs: &[Pair], target: &[u32]) -> Vec<Pair> {
    let mut moved: Vec<Pair> = pairs
        .par_iter()
        .map(|&((r, s), n)| {
            let (r, s) = (target[r as usize], target[s as usize]);
            ((r.min(s), r.max(s)), n)
        })
        .filter(|((r, s), _)| r != s)
        .collect();
    moved.par_sort_unstable();
    let runs = moved.chunk_by(|a, b| a.0 == b.0);
    runs.map(|run| (run[0].0, run.iter().map(|pair| pair.1).sum()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description_length::{Density, Planted, WeightModel};
    use crate::{Links, Partition};
    use bnpool_graph::generate::Sbm;

    #[test]
    fn every_cut_has_the_length_that_the_path_says() {
        let graph = Sbm::with_degree(6000, 30, 6.0, 0.8).unwrap();
        let graph = graph.generate(0).unwrap();
        let links = Links::new(graph.adjacency()).unwrap();
        let partition = Partition::new(&(0..6000).map(|u| u / 2).collect::<Vec<u32>>());
        let labels = partition.labels();
        for density in [Density::Relative, Density::RelativeOwn] {
            let state = Planted::new(&links, &partition, density, WeightModel::Ignored).unwrap();
            let mut pairs: Vec<Pair> = Vec::new();
            for (u, v, _) in graph.adjacency().iter() {
                let (r, s) = (labels[u as usize], labels[v as usize]);
                if r < s {
                    pairs.push(((r, s), 1));
                }
            }
            let pairs = joined(&pairs, &(0..3000).collect::<Vec<u32>>());
            let mut path = Dendrogram::new(labels.to_vec(), 3000, state.total());
            let names: Vec<u32> = (0..3000).collect();
            contract(&mut path, names, state.groups.clone(), pairs, &state.code);
            assert_eq!(path.coarsest(), 1);
            for groups in [1, 2, 40, 700, 1023, 1024, 1025, 2000, 2700, 2999] {
                let cut = path.cut(groups).unwrap();
                assert_eq!(cut.groups(), groups);
                let wanted = Planted::new(&links, &cut, density, WeightModel::Ignored).unwrap();
                let (wanted, found) = (wanted.total(), path.total(groups).unwrap());
                assert!(
                    (wanted - found).abs() < 1e-7 * wanted,
                    "{groups}: {found} {wanted}"
                );
            }
        }
    }
}
