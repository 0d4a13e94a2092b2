//! Where a write may stand, and whether it may be what an earlier read reads: the explorer's other questions.

use crate::consistency::choices::audit;
use crate::consistency::plan::layout::Plan;
use crate::consistency::rows::orders::Order;
use crate::consistency::{Late, Workspace};
use crate::graph::Graph;
use crate::ids::{EventId, LocId};

impl Plan {
    /// Whether no axiom that nothing is known of forbids a write to stand last.
    fn matrix_allows_place(
        &self,
        graph: &mut Graph,
        write: EventId,
        last: EventId,
        work: &mut Workspace,
    ) -> bool {
        graph.link_write(write, last);
        let broken = self.checks.broken_matrix(graph, work);
        graph.unlink_write(write);
        if let Some(axiom) = broken {
            work.forbid(axiom);
        }
        broken.is_none()
    }

    /// The writes after which a new write may stand, the coherence-latest first.
    pub fn placeable(
        &self,
        graph: &mut Graph,
        write: EventId,
        work: &mut Workspace,
        out: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        let start = out.len();
        self.find_places(graph, write, work, out)?;
        if work.audits {
            audit::check_places(self, graph, write, work, &out[start..]);
        }
        Ok(())
    }

    #[inline]
    fn find_places(
        &self,
        graph: &mut Graph,
        write: EventId,
        work: &mut Workspace,
        out: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        let loc = graph.event(write).loc();
        let mut after = graph.loc(loc).last;
        if !self.checks.evaluates_latest() || self.matrix_allows_place(graph, write, after, work) {
            out.push(after);
        }
        while after.is_some() {
            if let Some(axiom) = self.hides_older(graph, write, after) {
                work.forbid(axiom);
                return Ok(());
            }
            work.check_time_now_and_then()?;
            after = graph.co_prev(after);
            if graph.splits_rmw(after, graph.overwriter(loc, after)) {
                continue;
            }
            // It knows of none of the later writes, or the walk would have ended.
            let forbids = self.unordered_place(graph, write, after, loc);
            match forbids.or_else(|| self.broken_place(graph, write, after, work)) {
                Some(axiom) => work.forbid(axiom),
                None => out.push(after),
            }
        }
        Ok(())
    }

    /// The axiom that forbids a new write to stand directly after another.
    fn forbids_place(
        &self,
        graph: &mut Graph,
        write: EventId,
        after: EventId,
        loc: LocId,
        work: &mut Workspace,
    ) -> Option<usize> {
        self.unordered_place(graph, write, after, loc)
            .or_else(|| self.checks.incoherent_place(graph, write, after, loc))
            .or_else(|| self.broken_place(graph, write, after, work))
    }

    /// The axiom whose order has a write that a new one would come before, before it.
    fn unordered_place(&self, graph: &Graph, write: EventId, after: EventId, loc: LocId) -> Option<usize> {
        let next = graph.overwriter(loc, after);
        let precedes = |order: &&Order| order.co && next.is_some() && order.has(graph, next, write);
        self.upkeep.orders().iter().find(precedes).map(|order| order.axiom)
    }

    /// The axiom that is searched or evaluated, and broken with the write in its place.
    fn broken_place(
        &self,
        graph: &mut Graph,
        write: EventId,
        after: EventId,
        work: &mut Workspace,
    ) -> Option<usize> {
        let local = self.upkeep.local();
        if !self.checks.has_searches() && local.is_none() {
            return None;
        }
        graph.link_write(write, after);
        let unordered = local.and_then(|local| local.forbids(graph, write));
        let broken = unordered.or_else(|| self.checks.broken_search(graph, &[write], work));
        graph.unlink_write(write);
        broken
    }

    /// The place of an exclusive write is directly after what its read half read; none if another RMW's
    /// write already stands there.
    pub fn place_exclusive(
        &self,
        graph: &mut Graph,
        write: EventId,
        work: &mut Workspace,
    ) -> Option<EventId> {
        let event = graph.event(write);
        let (source, loc) = (graph.rf(event.po_prev), event.loc());
        let next = graph.overwriter(loc, source);
        if next.is_none() && !self.checks.evaluates_latest() {
            return Some(source);
        }
        if graph.splits_rmw(source, next) {
            return None;
        }
        match self.forbids_place(graph, write, source, loc, work) {
            Some(axiom) => work.forbid(axiom),
            None => return Some(source),
        }
        None
    }

    /// As `placeable`, for a write that a revisited read of the graph reads from.
    pub fn placeable_revisit(
        &self,
        graph: &mut Graph,
        write: EventId,
        read: EventId,
        work: &mut Workspace,
        out: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        let start = out.len();
        if graph.event(write).is_exclusive() {
            out.extend(self.place_exclusive(graph, write, work));
        } else {
            self.find_places(graph, write, work, out)?;
        }
        let mut kept = start;
        for i in start..out.len() {
            work.check_time_now_and_then()?;
            match self.forbids_revisit(graph, read, write, out[i], work) {
                Some(axiom) => work.forbid(axiom),
                None => {
                    out[kept] = out[i];
                    kept += 1;
                }
            }
        }
        out.truncate(kept);
        if work.audits {
            audit::check_revisits(self, graph, read, write, work, &out[start..]);
        }
        Ok(())
    }

    /// The axiom that forbids `read` to read from `write` standing directly after `after`.
    fn forbids_revisit(
        &self,
        graph: &mut Graph,
        read: EventId,
        write: EventId,
        after: EventId,
        work: &mut Workspace,
    ) -> Option<usize> {
        let loc = graph.event(write).loc();
        if graph.overwriter(loc, after).is_none() && !self.checks.evaluates_latest() {
            return None; // Both are last in every order.
        }
        for order in self.upkeep.orders().iter().filter(|order| order.fr) {
            let follows = order.reads(graph, write, read);
            if order.closes(graph, loc, after, read, if follows { write } else { EventId::NONE }) {
                return Some(order.axiom);
            }
        }
        let incoherent = self.checks.incoherent_read(graph, read, write, after, loc);
        let local = self.upkeep.local();
        if incoherent.is_some() || !(self.checks.has_searches() || local.is_some()) {
            return incoherent;
        }
        graph.link_write(write, after);
        let unordered = local.and_then(|local| local.forbids_revisit(graph, read, write));
        if unordered.is_some() || !self.checks.has_searches() {
            graph.unlink_write(write);
            return unordered;
        }
        self.upkeep.see(graph, read, write);
        let broken = self.checks.broken_search(graph, &[read, write], work);
        graph.unlink_write(write);
        self.upkeep.reenter(graph, read);
        broken
    }
}
