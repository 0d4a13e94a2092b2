//! Plans whose causal order is smaller than `po`: every choice is judged by what the axioms mean.
//!
//! Views and orders would change when gaps are filled, so none is kept, and each choice is tried out on the graph.

use crate::consistency::choices::sources::Conditional;
use crate::consistency::plan::layout::Plan;
use crate::consistency::{Late, Workspace};
use crate::graph::{AccessKind, Graph};
use crate::ids::EventId;

impl Plan {
    /// Whether the coherence-latest choice of a new event breaks no axiom: nothing comes after the event then, unless a
    /// read that it has revisited does, after which nothing comes.
    fn is_always_consistent(&self, graph: &Graph, event: EventId) -> bool {
        let is_write = graph.event(event).access_kind() == Some(AccessKind::Write);
        self.checks.extends()
            && graph.is_last(event)
            && (!is_write || graph.readers_of(event).all(|reader| graph.is_last(reader)))
    }

    /// Appends the writes that a read, not linked yet, may see, the coherence-latest first.
    pub fn consistent_sources(
        &self,
        graph: &mut Graph,
        read: EventId,
        conditional: Option<&Conditional>,
        work: &mut Workspace,
        out: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        let mut write = graph.loc(graph.event(read).loc()).last;
        if self.is_always_consistent(graph, read) {
            out.push(write);
            if write.is_none() {
                return Ok(());
            }
            write = graph.co_prev(write);
        }
        loop {
            work.check_time()?;
            if let Some(kinds) = conditional {
                self.upkeep.reclassify(graph, read, kinds.class(graph, write));
            }
            graph.link_read(read, write);
            if self.checks.is_consistent(graph, work) {
                out.push(write);
            }
            graph.unlink_read(read);
            if write.is_none() {
                return Ok(());
            }
            write = graph.co_prev(write);
        }
    }

    /// Appends the writes after which a write, not placed yet, may stand, the coherence-latest first.
    pub fn consistent_places(
        &self,
        graph: &mut Graph,
        write: EventId,
        work: &mut Workspace,
        out: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        let event = *graph.event(write);
        let mut after = graph.loc(event.loc()).last;
        let source = if event.is_exclusive() { Some(graph.rf(event.po_prev)) } else { None };
        if source.is_none_or(|source| source == after) && self.is_always_consistent(graph, write) {
            out.push(after);
            if after.is_none() || source.is_some() {
                return Ok(());
            }
            after = graph.co_prev(after);
        }
        loop {
            work.check_time()?;
            let splits = graph.splits_rmw(after, graph.overwriter(event.loc(), after));
            if !splits && source.is_none_or(|source| source == after) {
                graph.link_write(write, after);
                if self.checks.is_consistent(graph, work) {
                    out.push(after);
                }
                graph.unlink_write(write);
            }
            if after.is_none() {
                return Ok(());
            }
            after = graph.co_prev(after);
        }
    }
}
