//! The memberships S of all nodes, by class where classes are known.

use super::ClusterReport;
use super::block_matrix::{all_columns, side};
use super::order::Order;
use crate::chart::{Chart, HeatMap, Ramp, Scale};

pub(super) fn chart(report: &ClusterReport<'_>, by_community: &Order) -> Chart {
    let by_class;
    let (order, rows) = match &report.classes {
        Some(classes) => {
            by_class = Order::by_class(report, classes.labels);
            let mut rows = by_class.side(report, |class| classes.name(class), |_| None);
            rows.name = "nodes by class".to_owned();
            (&by_class, rows)
        }
        None => (by_community, by_community.community_side(report)),
    };
    let columns = all_columns(report);
    let clusters = report.max_clusters;
    let mut values = Vec::with_capacity(order.bins.len() * columns.len());
    for bin in &order.bins {
        let members = &order.nodes[bin.clone()];
        for &column in &columns {
            let sum: f32 = members
                .iter()
                .map(|node| report.assignments[node * clusters + column])
                .sum();
            values.push(sum / members.len() as f32);
        }
    }
    HeatMap {
        alt: format!(
            "Membership of every node in each of {} clusters, nodes sorted by {}.",
            columns.len(),
            if report.classes.is_some() {
                "class"
            } else {
                "community"
            }
        ),
        rows,
        columns: side(report, columns.len()),
        values: &values,
        scale: Scale {
            low: 0.0,
            high: 1.0,
            root: false,
        },
        ramp: Ramp::Sequential,
        value_name: "membership".to_owned(),
        written: false,
    }
    .draw()
}
