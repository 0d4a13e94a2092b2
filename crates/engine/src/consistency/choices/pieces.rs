//! Choices of accesses of several sizes where the causal order is smaller than `po`: a source, or a place, for each
//! cell at once, each tried out on the graph and judged by what the axioms mean for pieces of accesses.
//!
//! A choice is a number, as in `cells`. The one of the newest writes comes first.

use crate::consistency::choices::cells::{each_combination, number_of, write_at};
use crate::consistency::plan::layout::Plan;
use crate::consistency::{Late, Workspace};
use crate::graph::Graph;
use crate::ids::{EventId, LocId};
use std::ops::ControlFlow;

impl Plan {
    /// Whether a graph, whose newest choice was just made, satisfies every axiom.
    pub fn is_consistent_in_pieces(&self, graph: &Graph, work: &mut Workspace) -> bool {
        let broken = self.checks.broken_in_pieces(graph, &mut work.pieces);
        if let Some(axiom) = broken {
            work.forbid(axiom);
        }
        broken.is_none()
    }

    /// Calls back with the consistent choices of sources for a read that is not linked, and their writes, until it has
    /// enough. `classify` gives the read the class that it has with some sources.
    pub fn each_source_in_pieces(
        &self,
        graph: &mut Graph,
        read: EventId,
        classify: &dyn Fn(&Graph, &[EventId]) -> Option<u8>,
        work: &mut Workspace,
        mut found: impl FnMut(&mut Graph, &mut Workspace, EventId, &[EventId]) -> ControlFlow<()>,
    ) -> Result<(), Late> {
        each_choice(graph, read, work, |graph, work, cells, sources| {
            if let Some(class) = classify(graph, sources) {
                self.upkeep.reclassify(graph, read, class);
            }
            graph.cells.link_read(read, sources.iter().copied());
            let fits = self.is_consistent_in_pieces(graph, work);
            graph.cells.unlink(read);
            match fits {
                true => found(graph, work, number_of(graph, cells, sources.iter().copied()), sources),
                false => ControlFlow::Continue(()),
            }
        })
    }

    /// The same for the places of a write that has none.
    pub fn each_place_in_pieces(
        &self,
        graph: &mut Graph,
        write: EventId,
        work: &mut Workspace,
        mut found: impl FnMut(&Graph, EventId, &[EventId]) -> ControlFlow<()>,
    ) -> Result<(), Late> {
        each_choice(graph, write, work, |graph, work, cells, after| {
            if !may_stand(graph, write, after) {
                return ControlFlow::Continue(());
            }
            graph.cells.link_write(write, after.iter().copied());
            let fits = self.is_consistent_in_pieces(graph, work);
            graph.cells.unlink(write);
            match fits {
                true => found(graph, number_of(graph, cells, after.iter().copied()), after),
                false => ControlFlow::Continue(()),
            }
        })
    }
}

/// Whether a write directly after these separates no read-modify-write, its own included.
pub fn may_stand(graph: &Graph, write: EventId, after: &[EventId]) -> bool {
    let event = graph.event(write);
    let is_own = !event.is_exclusive() || graph.cells.sources(event.po_prev) == after;
    is_own && graph.cells.of(write).iter().zip(after).all(|(cell, after)| !graph.splits_rmw_in(*cell, *after))
}

/// Calls back with every choice of a write per cell, the newest first, until it has enough.
fn each_choice(
    graph: &mut Graph,
    event: EventId,
    work: &mut Workspace,
    mut tried: impl FnMut(&mut Graph, &mut Workspace, &[LocId], &[EventId]) -> ControlFlow<()>,
) -> Result<(), Late> {
    let cells = graph.cells.of(event).to_vec();
    let limits: Vec<usize> = cells.iter().map(|cell| graph.cells.cell(*cell).writes.len()).collect();
    let mut writes = vec![EventId::NONE; cells.len()];
    let mut is_enough = false;
    each_combination(&limits, |digits| {
        if is_enough {
            return Ok(());
        }
        work.check_time_now_and_then()?;
        for (at, cell) in cells.iter().enumerate() {
            writes[at] = write_at(graph.cells.cell(*cell), digits[at]);
        }
        is_enough = tried(graph, work, &cells, &writes).is_break();
        Ok(())
    })
}
