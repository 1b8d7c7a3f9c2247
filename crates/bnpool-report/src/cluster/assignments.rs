//! The memberships S of all nodes, by class if classes are known.

use super::ClusterReport;
use super::block_matrix::{has_unused_clusters, side};
use super::order::Order;
use crate::chart::{Chart, HeatMap, Ramp, Scale};

pub(super) fn chart(report: &ClusterReport<'_>, by_community: &Order) -> Chart {
    let by_class;
    let (order, rows) = match &report.classes {
        Some(classes) => {
            by_class = Order::by_class(report, classes);
            let name = |class| {
                if class < classes.count() {
                    classes.name(class)
                } else {
                    "no label".to_owned()
                }
            };
            let mut rows = by_class.side(report, name, |_| None);
            rows.name = "nodes by class".to_owned();
            (&by_class, rows)
        }
        None => (by_community, by_community.community_side(report)),
    };
    let found = report.communities.len();
    // Clusters that no node prefers share one column, as separate empty columns
    // would waste space.
    let columns = found + usize::from(has_unused_clusters(report));
    let mut values = Vec::with_capacity(order.bins.len() * columns);
    for bin in &order.bins {
        let mut row = vec![0.0_f32; columns];
        for &node in &order.nodes[bin.clone()] {
            let mut rest = 1.0_f32;
            if report.assignments.is_empty() {
                // For huge graphs, only the membership in the own community is
                // known.

                row[report.labels[node]] += report.confidence[node];
                rest -= report.confidence[node];
            } else {
                let own = &report.assignments[node * found..(node + 1) * found];
                for (sum, &membership) in row.iter_mut().zip(own) {
                    *sum += membership;
                    rest -= membership;
                }
            }
            if let Some(sum) = row.get_mut(found) {
                *sum += rest.max(0.0);
            }
        }
        values.extend(row.iter().map(|sum| sum / bin.len() as f32));
    }
    HeatMap {
        alt: format!(
            "Membership of every node in each of {} communities, nodes sorted by {}.",
            found,
            if report.classes.is_some() {
                "class"
            } else {
                "community"
            }
        ),
        rows,
        columns: side(report, columns),
        values: &values,
        scale: Scale {
            low: 0.0,
            high: 1.0,
            root: false,
        },
        ramp: Ramp::Sequential,
        value_name: "membership".to_owned(),
        written: false,
        texts: None,
    }
    .draw()
}
