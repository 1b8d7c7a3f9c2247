//! The dense loss stays within its documented memory. Reads the peak memory of
//! the process on Linux; on other systems the test is skipped with a message.

use bnpool_math::kernel::{Assignments, PairWeights, SparseRows, Targets, dense_loss};

/// Peak resident memory in bytes since the last [`reset`].
#[cfg(target_os = "linux")]
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Resets the peak to the current resident size.
#[cfg(target_os = "linux")]
fn reset() -> bool {
    std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

#[cfg(not(target_os = "linux"))]
fn peak() -> Option<usize> {
    None
}

#[cfg(not(target_os = "linux"))]
fn reset() -> bool {
    false
}

/// Extra bytes of a forward and backward pass, besides inputs and outputs.
fn extra(nodes: usize, clusters: usize) -> Option<usize> {
    let s: Vec<f32> = (0..nodes * clusters)
        .map(|i| ((i * 7919 % 101) as f32 + 1.0) / 101.0 / clusters as f32)
        .collect();
    let k = vec![0.5_f32; clusters * clusters];
    // A ring, so that there are edges to correct.
    let offsets: Vec<usize> = (0..=nodes).map(|u| 2 * u).collect();
    let columns: Vec<u32> = (0..nodes)
        .flat_map(|u| {
            let (a, b) = ((u + nodes - 1) % nodes, (u + 1) % nodes);
            [a.min(b) as u32, a.max(b) as u32]
        })
        .collect();
    let rows = SparseRows {
        offsets: &offsets,
        columns: &columns,
        weights: None,
        columns_count: nodes,
    };
    let weights = [PairWeights {
        positive: 1.0,
        negative: 1e-6,
    }];
    // Starts the threads before the count.
    rayon::join(|| (), || ());
    if !reset() {
        return None;
    }
    let before = peak()?;
    let assignments = Assignments {
        values: &s,
        clusters,
        offsets: &[0, nodes],
    };
    let loss = dense_loss(
        assignments,
        &k,
        Targets {
            rows,
            columns: None,
        },
        &weights,
        true,
    );
    let after = peak()?;
    let output = 4 * (loss.by_assignments.len() + loss.by_block_matrix.len());
    Some((after - before).saturating_sub(output))
}

#[test]
fn dense_loss_takes_memory_in_proportion_to_nodes() {
    const MEGABYTE: usize = 1_000_000;
    for (nodes, bound) in [(2708, 5 * MEGABYTE), (19_717, 20 * MEGABYTE)] {
        match extra(nodes, 50) {
            Some(bytes) => {
                println!("{nodes} nodes: {:.1} MB", bytes as f64 / 1e6);
                assert!(
                    bytes <= bound,
                    "{nodes} nodes took {bytes} bytes, {bound} are allowed"
                );
            }
            None => println!("skipped: the peak memory of a process cannot be read here"),
        }
    }
}
