//! Representative samples of large graphs.

use std::collections::BTreeMap;

/// Selects about `most` nodes at most, in ascending order. Each group keeps its
/// share (and at least one node); within a group, nodes are selected evenly by
/// degree, hubs first.
#[must_use]
pub fn sample(groups: &[usize], degrees: &[usize], most: usize) -> Vec<usize> {
    let nodes = groups.len().min(degrees.len());
    if nodes <= most {
        return (0..nodes).collect();
    }
    let mut members = BTreeMap::<usize, Vec<usize>>::new();
    for (node, &group) in groups.iter().enumerate().take(nodes) {
        members.entry(group).or_default().push(node);
    }
    let mut chosen = Vec::with_capacity(most + members.len());
    for group in members.values_mut() {
        group.sort_by_key(|&node| (std::cmp::Reverse(degrees[node]), node));
        let share = (group.len() * most / nodes).max(1);
        chosen.extend((0..share).map(|i| group[i * group.len() / share]));
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_keep_their_share() {
        let groups: Vec<usize> = (0..1000).map(|i| usize::from(i >= 900)).collect();
        let degrees: Vec<usize> = (0..1000).collect();
        let chosen = sample(&groups, &degrees, 100);
        assert_eq!(chosen.len(), 100);
        assert_eq!(chosen.iter().filter(|&&u| u >= 900).count(), 10);
        assert!(
            chosen.contains(&999) && chosen.contains(&899),
            "hubs come first"
        );
        assert!(chosen.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn tiny_groups_are_not_lost_and_small_graphs_stay_whole() {
        let mut groups = vec![0; 1000];
        groups[500] = 1;
        assert!(sample(&groups, &[1; 1000], 10).contains(&500));
        assert_eq!(sample(&[0, 1], &[1, 1], 10), [0, 1]);
    }
}
