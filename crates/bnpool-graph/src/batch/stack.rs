//! Concatenates the arrays of a batch.

use crate::csr::Csr;
use crate::error::GraphError;
use crate::features::Features;
use crate::graph::Graph;
use crate::matrix::Matrix;

/// First node of each graph, and the end of the last.
pub(super) fn node_offsets(graphs: &[&Graph]) -> Result<Vec<usize>, GraphError> {
    GraphError::check_limit("graphs", graphs.len())?;
    let mut offsets = Vec::with_capacity(graphs.len() + 1);
    let mut nodes = 0_usize;
    offsets.push(nodes);
    for graph in graphs {
        nodes = nodes.saturating_add(graph.nodes());
        offsets.push(nodes);
    }
    GraphError::check_limit("nodes", nodes)?;
    Ok(offsets)
}

/// Places square matrices along a diagonal. The caller has checked that the
/// total number of rows fits 32 bits.
pub(super) fn block_diagonal(blocks: &[&Csr]) -> Csr {
    let nodes = blocks.iter().map(|block| block.rows()).sum();
    let merged = stack_rows(blocks, nodes, |first_row| first_row as u32);
    merged.assume_symmetric(blocks.iter().all(|block| block.is_symmetric()))
}

impl Csr {
    /// Places square matrices along a diagonal, in the given order.
    ///
    /// # Errors
    ///
    /// Returns an error if a matrix is not square or there are more than
    /// `u32::MAX` rows.
    ///
    /// # Complexity
    ///
    /// Time and memory linear in the total number of rows and entries.
    ///
    /// ```
    /// use bnpool_graph::Csr;
    ///
    /// let edge = Csr::from_edges(2, [(0, 1), (1, 0)])?;
    /// let both = Csr::block_diagonal(&[&edge, &edge])?;
    /// assert_eq!(both.columns(), [1, 0, 3, 2]);
    /// # Ok::<(), bnpool_graph::GraphError>(())
    /// ```
    pub fn block_diagonal(blocks: &[&Self]) -> Result<Self, GraphError> {
        for block in blocks {
            GraphError::check_square(block)?;
        }
        GraphError::check_limit("rows", blocks.iter().map(|block| block.rows()).sum())?;
        Ok(block_diagonal(blocks))
    }
}

/// Stacks matrices on top of each other. The columns of each are shifted to the
/// right by `shift` of its first row.
fn stack_rows(blocks: &[&Csr], columns_count: usize, shift: impl Fn(usize) -> u32) -> Csr {
    let rows: usize = blocks.iter().map(|block| block.rows()).sum();
    let entries = blocks.iter().map(|block| block.entries()).sum();
    let weighted = blocks.iter().any(|block| block.weights().is_some());
    let mut offsets = Vec::with_capacity(rows + 1);
    let mut columns = Vec::with_capacity(entries);
    let mut weights = weighted.then(|| Vec::with_capacity(entries));
    offsets.push(0);
    for block in blocks {
        let (first_row, first_entry) = (offsets.len() - 1, columns.len());
        let shift = shift(first_row);
        offsets.extend(block.offsets()[1..].iter().map(|&end| end + first_entry));
        columns.extend(block.columns().iter().map(|&column| column + shift));
        if let Some(weights) = &mut weights {
            match block.weights() {
                Some(values) => weights.extend_from_slice(values),
                None => weights.resize(columns.len(), 1.0),
            }
        }
    }
    Csr::trusted(columns_count, offsets, columns, weights)
}

/// The node features of all graphs: sparse if all are, dense otherwise.
pub(super) fn features(graphs: &[&Graph]) -> Result<Features, GraphError> {
    let width = check_widths("node features", graphs, |graph| graph.features().width())?;
    let sparse: Option<Vec<&Csr>> = graphs
        .iter()
        .map(|graph| match graph.features() {
            Features::Sparse(matrix) => Some(matrix),
            Features::Dense(_) => None,
        })
        .collect();
    if let Some(blocks) = sparse {
        return Ok(Features::Sparse(stack_rows(&blocks, width, |_| 0)));
    }
    let nodes = graphs.iter().map(|graph| graph.nodes()).sum::<usize>();
    let mut values = Vec::with_capacity(nodes.saturating_mul(width));
    for graph in graphs {
        graph.features().append_dense(&mut values);
    }
    Ok(Features::Dense(Matrix::trusted(nodes, width, values)))
}

/// The edge features of all graphs, if they have any.
pub(super) fn edge_features(graphs: &[&Graph]) -> Result<Option<Matrix>, GraphError> {
    let present = |graph: &&Graph| graph.edge_features().is_some();
    let Some(with) = graphs.iter().position(present) else {
        return Ok(None);
    };
    if let Some(without) = graphs.iter().position(|graph| !present(graph)) {
        return Err(GraphError::PartlyMissing {
            what: "edge features",
            with,
            without,
        });
    }
    let width = check_widths("edge features", graphs, |graph| {
        graph.edge_features().map_or(0, Matrix::columns)
    })?;
    let edges = graphs.iter().map(|graph| graph.edges()).sum::<usize>();
    let mut values = Vec::with_capacity(edges * width);
    for rows in graphs.iter().filter_map(|graph| graph.edge_features()) {
        values.extend_from_slice(rows.as_slice());
    }
    Ok(Some(Matrix::trusted(edges, width, values)))
}

/// Returns the common width of all graphs.
fn check_widths(
    what: &'static str,
    graphs: &[&Graph],
    width_of: impl Fn(&Graph) -> usize,
) -> Result<usize, GraphError> {
    let first_width = graphs.first().map_or(0, |graph| width_of(graph));
    match graphs
        .iter()
        .position(|graph| width_of(graph) != first_width)
    {
        Some(graph) => Err(GraphError::WidthMismatch {
            what,
            first: 0,
            first_width,
            graph,
            width: width_of(graphs[graph]),
        }),
        None => Ok(first_width),
    }
}
