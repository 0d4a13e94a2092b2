//! Choices in graphs with cells where every access has one cell: what `sources` and `places` ask about links in
//! events, asked about the lists of a cell.
//!
//! In such a graph `rf ∪ co ∪ fr` stays within a cell. What was there before a new event has been checked, so a
//! contradiction is between the event and what comes after it.
//!
//! I1: a choice is the digit of its write, which counts from the newest one (0) to the initial one.

use crate::consistency::choices::cells::write_at;
use crate::consistency::plan::layout::Plan;
use crate::consistency::rows::orders::Order;
use crate::consistency::{Conditional, Late, Workspace};
use crate::graph::Graph;
use crate::ids::{EventId, LocId};
use std::iter::once;

impl Plan {
    /// The choices of a source for a new read, the newest first. The read's class is left as the last one tried if it
    /// depends on the value.
    pub fn readable_in_cell(
        &self,
        graph: &mut Graph,
        read: EventId,
        conditional: Option<&Conditional>,
        work: &mut Workspace,
        out: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        let conditional = conditional.filter(|kinds| kinds.writing != kinds.failing);
        let first = out.len();
        let place = graph.cells.only(read).0;
        for digit in 0..=graph.cells.cell(place).writes.len() {
            work.check_time_now_and_then()?;
            if digit > 0 {
                let newer = write_at(graph.cells.cell(place), digit - 1);
                if let Some(axiom) = self.hides_older_in_cell(graph, read, conditional, newer, place) {
                    work.forbid(axiom);
                    break;
                }
            }
            let source = write_at(graph.cells.cell(place), digit);
            if let Some(kinds) = conditional {
                self.upkeep.reclassify(graph, read, kinds.class(graph, source));
            }
            match self.forbids_source_in_cell(graph, read, source, (place, digit), work) {
                Some(axiom) => work.forbid(axiom),
                None => out.push(EventId::from_usize(digit)),
            }
        }
        if work.audits {
            self.audit_sources_in_cell(graph, read, conditional, work, &out[first..]);
        }
        Ok(())
    }

    /// The axiom by which an event sees or passes nothing that is older than a write, whichever class it has.
    #[inline]
    fn hides_older_in_cell(
        &self,
        graph: &mut Graph,
        event: EventId,
        conditional: Option<&Conditional>,
        write: EventId,
        place: LocId,
    ) -> Option<usize> {
        let Some(kinds) = conditional else { return self.knows_in_cell(graph, event, write, place) };
        let mut axiom = None;
        for class in [kinds.writing, kinds.failing] {
            self.upkeep.reclassify(graph, event, class);
            axiom = Some(self.knows_in_cell(graph, event, write, place)?);
        }
        axiom
    }

    /// The same for the class that it has.
    #[inline]
    fn knows_in_cell(&self, graph: &Graph, event: EventId, write: EventId, place: LocId) -> Option<usize> {
        let knows = |order: &&Order| order.co && order.fr && order.has(graph, write, event);
        let by_order = self.upkeep.orders().iter().find(knows).map(|order| order.axiom);
        by_order.or_else(|| self.checks.hides_in_cell(graph, event, &[write], place))
    }

    /// The axiom that forbids a new read to see the write of a digit.
    fn forbids_source_in_cell(
        &self,
        graph: &mut Graph,
        read: EventId,
        source: EventId,
        (place, digit): (LocId, usize),
        work: &mut Workspace,
    ) -> Option<usize> {
        if digit == 0 && !self.checks.has_matrices() {
            return None;
        }
        let forbids = self.forbids_seeing(graph, read, source, (place, digit));
        if forbids.is_some() || !self.checks.has_searches() {
            return forbids;
        }
        graph.cells.link_read(read, once(source));
        let broken = if digit == 0 {
            self.checks.broken_matrix(graph, work)
        } else {
            self.upkeep.see(graph, read, source);
            self.checks.broken_search(graph, &[read], work)
        };
        graph.cells.unlink(read);
        if digit > 0 {
            self.upkeep.reenter(graph, read);
        }
        broken
    }

    /// The axiom, other than those that are searched, that forbids a read to see a write and come before the last
    /// `newer` ones of a cell.
    fn forbids_seeing(
        &self,
        graph: &Graph,
        read: EventId,
        source: EventId,
        (place, newer): (LocId, usize),
    ) -> Option<usize> {
        let writes = &graph.cells.cell(place).writes;
        let later = &writes[writes.len() - newer..];
        let closes = |order: &&Order| {
            let follows = source.is_some() && order.reads(graph, source, read);
            let mut later = later.iter().take(if order.co { 1 } else { usize::MAX });
            order.fr
                && later.any(|write| {
                    order.has(graph, *write, read) || (follows && order.has(graph, *write, source))
                })
        };
        if let Some(order) = self.upkeep.orders().iter().find(closes) {
            return Some(order.axiom);
        }
        self.checks
            .hides_in_cell(graph, read, later, place)
            .or_else(|| self.checks.learns_in_cell(graph, (read, source), later, place))
    }

    /// The choices of a place for a new write, the newest first.
    pub(in crate::consistency) fn placeable_in_cell(
        &self,
        graph: &mut Graph,
        write: EventId,
        work: &mut Workspace,
        out: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        let first = out.len();
        let place = graph.cells.only(write).0;
        for digit in 0..=graph.cells.cell(place).writes.len() {
            work.check_time_now_and_then()?;
            if digit > 0 {
                let newer = write_at(graph.cells.cell(place), digit - 1);
                if let Some(axiom) = self.knows_in_cell(graph, write, newer, place) {
                    work.forbid(axiom);
                    break;
                }
                if graph.splits_rmw_in(place, write_at(graph.cells.cell(place), digit)) {
                    continue;
                }
            }
            match self.forbids_place_in_cell(graph, write, place, digit, work) {
                Some(axiom) => work.forbid(axiom),
                None => out.push(EventId::from_usize(digit)),
            }
        }
        if work.audits {
            self.audit_places_in_cell(graph, write, work, &out[first..]);
        }
        Ok(())
    }

    /// The axiom that forbids a new write that knows of none of the last `newer` writes of its cell to stand before
    /// them.
    fn forbids_place_in_cell(
        &self,
        graph: &mut Graph,
        write: EventId,
        place: LocId,
        newer: usize,
        work: &mut Workspace,
    ) -> Option<usize> {
        if newer == 0 && !self.checks.has_matrices() {
            return None;
        }
        if newer > 0 {
            let next = write_at(graph.cells.cell(place), newer - 1);
            let precedes = |order: &&Order| order.co && order.has(graph, next, write);
            if let Some(order) = self.upkeep.orders().iter().find(precedes) {
                return Some(order.axiom);
            }
        }
        if !self.checks.has_searches() {
            return None;
        }
        let after = write_at(graph.cells.cell(place), newer);
        graph.cells.link_write(write, once(after));
        let broken = match newer {
            0 => self.checks.broken_matrix(graph, work),
            _ => self.checks.broken_search(graph, &[write], work),
        };
        graph.cells.unlink(write);
        broken
    }

    /// The place of the write half of a read-modify-write; none if another one stands there.
    pub(in crate::consistency) fn place_exclusive_in_cell(
        &self,
        graph: &mut Graph,
        write: EventId,
        work: &mut Workspace,
    ) -> Option<EventId> {
        let place = graph.cells.only(write).0;
        let source = graph.cells.only(graph.event(write).po_prev).1;
        let later = graph.cells.cell(place).after(source);
        if later.first().is_some_and(|next| graph.is_update_of(*next, place, source)) {
            return None;
        }
        let hides = self.checks.hides_in_cell(graph, write, later, place);
        let newer = later.len();
        let forbids = hides.or_else(|| self.forbids_place_in_cell(graph, write, place, newer, work));
        if let Some(axiom) = forbids {
            work.forbid(axiom);
        }
        if work.audits {
            let found = forbids.is_none().then_some(EventId::from_usize(newer));
            self.audit_places_in_cell(graph, write, work, found.as_slice());
        }
        forbids.is_none().then_some(EventId::from_usize(newer))
    }

    /// Whether a read may see the write of a revisit in one of its places. Neither is linked.
    pub fn may_revisit_in_cell(
        &self,
        graph: &mut Graph,
        read: EventId,
        write: EventId,
        choice: EventId,
        work: &mut Workspace,
    ) -> bool {
        let forbids = self.forbids_revisit_in_cell(graph, read, write, choice.at(), work);
        if work.audits {
            let after = write_at(graph.cells.cell(graph.cells.only(write).0), choice.at());
            graph.cells.link_write(write, once(after));
            self.audit_linked(graph, read, write, forbids.is_none(), work);
            graph.cells.unlink(write);
        }
        forbids.is_none()
    }

    fn forbids_revisit_in_cell(
        &self,
        graph: &mut Graph,
        read: EventId,
        write: EventId,
        newer: usize,
        work: &mut Workspace,
    ) -> Option<usize> {
        if newer == 0 && !self.checks.has_matrices() {
            return None; // Both are last.
        }
        let place = graph.cells.only(write).0;
        let forbids = self.forbids_seeing(graph, read, write, (place, newer));
        if forbids.is_some() || !self.checks.has_searches() {
            return forbids;
        }
        let after = write_at(graph.cells.cell(place), newer);
        graph.cells.link_write(write, once(after));
        graph.cells.link_read(read, once(write));
        self.upkeep.see(graph, read, write);
        let broken = self.checks.broken_search(graph, &[read, write], work);
        graph.cells.unlink(read);
        graph.cells.unlink(write);
        self.upkeep.reenter(graph, read);
        broken
    }
}

/// Comparisons with what the axioms mean.
impl Plan {
    fn audit_sources_in_cell(
        &self,
        graph: &mut Graph,
        read: EventId,
        conditional: Option<&Conditional>,
        work: &mut Workspace,
        allowed: &[EventId],
    ) {
        let place = graph.cells.only(read).0;
        for digit in 0..=graph.cells.cell(place).writes.len() {
            let source = write_at(graph.cells.cell(place), digit);
            if let Some(kinds) = conditional {
                self.upkeep.reclassify(graph, read, kinds.class(graph, source));
            }
            self.audit_linked(graph, read, source, allowed.contains(&EventId::from_usize(digit)), work);
        }
    }

    /// Compares whether a read may see a write.
    fn audit_linked(
        &self,
        graph: &mut Graph,
        read: EventId,
        source: EventId,
        is_allowed: bool,
        work: &mut Workspace,
    ) {
        graph.cells.link_read(read, once(source));
        self.upkeep.see(graph, read, source);
        let is_right = self.checks.is_consistent(graph, work);
        graph.cells.unlink(read);
        self.upkeep.reenter(graph, read);
        assert_eq!(is_allowed, is_right, "{:?} sees {source:?}", graph.event(read));
    }

    fn audit_places_in_cell(
        &self,
        graph: &mut Graph,
        write: EventId,
        work: &mut Workspace,
        allowed: &[EventId],
    ) {
        let place = graph.cells.only(write).0;
        let event = *graph.event(write);
        let source = event.is_exclusive().then(|| graph.cells.only(event.po_prev).1);
        for digit in 0..=graph.cells.cell(place).writes.len() {
            let after = write_at(graph.cells.cell(place), digit);
            if graph.splits_rmw_in(place, after) || source.is_some_and(|source| source != after) {
                continue;
            }
            graph.cells.link_write(write, once(after));
            let is_right = self.checks.is_consistent(graph, work);
            graph.cells.unlink(write);
            let is_allowed = allowed.contains(&EventId::from_usize(digit));
            assert_eq!(is_allowed, is_right, "{event:?} after {after:?}");
        }
    }
}
