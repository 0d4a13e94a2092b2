//! Coherence by view: no event sees past a write that it knows of, or that an event it knows of has read.
//!
//! Implements "Enhancing GenMC" §4.1 for `irreflexive (view ; eco)`. A new event has no successor in the view,
//! so only cycles through its own `fr` and `co` are possible, and these end in the view of the event itself.

use crate::consistency::checks::Checks;
use crate::consistency::rows::view_steps::ClockStep;
use crate::graph::Graph;
use crate::ids::{EventId, LocId};

/// A view that must agree with coherence: no event reads or overwrites a value older than one that it knows of.
#[derive(Clone, Debug)]
pub(in crate::consistency) struct Coherence {
    pub axiom: usize,
    pub rows: Vec<usize>,
    /// The steps into these rows along `rf`.
    pub rf_steps: Vec<ClockStep>,
}

impl Coherence {
    /// Whether the event knows of the write, or of a reader of it.
    #[inline]
    pub(in crate::consistency) fn knows(&self, graph: &Graph, event: EventId, write: EventId) -> bool {
        for row in &self.rows {
            let knows = |other: EventId| graph.precedes(*row, other, event);
            if knows(write) || graph.readers_of(write).any(|reader| reader != event && knows(reader)) {
                return true;
            }
        }
        false
    }

    /// Whether the read, if it saw `write`, would know through it of a write after `after`, or of its reader.
    fn learns(&self, graph: &Graph, read: EventId, write: EventId, after: EventId) -> bool {
        if write.is_none() {
            return false;
        }
        self.steps_of_reading(graph, read, write).any(|step| {
            let knows = |event: EventId| event != read && graph.precedes(step.source, event, write);
            let loc = graph.event(read).loc();
            graph.co_after(loc, after).any(|later| knows(later) || graph.readers_of(later).any(knows))
        })
    }

    /// As `knows`, of any of some writes of a cell that has all accesses of their locations.
    fn knows_in_cell(&self, graph: &Graph, event: EventId, writes: &[EventId], cell: LocId) -> bool {
        self.rows.iter().any(|row| {
            let knows = |other: EventId| graph.precedes(*row, other, event);
            writes.iter().any(|write| knows(*write))
                || graph.has_reader_in(cell, writes, |reader| reader != event && knows(reader))
        })
    }

    /// As `learns`, where `later` are the writes of a cell after what the read sees.
    fn learns_in_cell(
        &self,
        graph: &Graph,
        (read, write): (EventId, EventId),
        later: &[EventId],
        cell: LocId,
    ) -> bool {
        if write.is_none() {
            return false;
        }
        self.steps_of_reading(graph, read, write).any(|step| {
            let knows = |event: EventId| event != read && graph.precedes(step.source, event, write);
            later.iter().any(|write| knows(*write)) || graph.has_reader_in(cell, later, knows)
        })
    }

    /// The steps that a read takes if it sees a write.
    #[inline(always)]
    fn steps_of_reading<'a>(
        &'a self,
        graph: &Graph,
        read: EventId,
        write: EventId,
    ) -> impl Iterator<Item = &'a ClockStep> {
        let (source, target) = (graph.event(write), graph.event(read));
        let (from, to, internal) = (source.class, target.class, source.thread == target.thread);
        let leads =
            move |step: &&ClockStep| step.before.has(from) && step.after.has(to) && step.scope.has(internal);
        self.rf_steps.iter().filter(leads)
    }
}

impl Checks {
    /// The axiom by which an event sees nothing older than a write: it knows of the write, or of its reader.
    #[inline(always)]
    pub(in crate::consistency) fn hides_older(
        &self,
        graph: &Graph,
        event: EventId,
        write: EventId,
    ) -> Option<usize> {
        let by_view = self.coherences.iter().find(|coherence| coherence.knows(graph, event, write));
        by_view.map(|coherence| coherence.axiom)
    }

    /// Whether a view that must agree with coherence has an event before another.
    pub(in crate::consistency) fn knows_by_view(
        &self,
        graph: &Graph,
        event: EventId,
        other: EventId,
    ) -> bool {
        let mut rows = self.coherences.iter().flat_map(|coherence| &coherence.rows);
        rows.any(|row| graph.precedes(*row, other, event))
    }

    /// Whether no view must agree with coherence.
    pub(in crate::consistency) fn has_no_coherence(&self) -> bool {
        self.coherences.is_empty()
    }

    /// The axiom by which nothing in `before` may come before anything in `after`: a view orders two of them the other
    /// way round.
    pub(in crate::consistency) fn contradicted(
        &self,
        graph: &Graph,
        before: &[EventId],
        after: &[EventId],
    ) -> Option<usize> {
        let is_broken = |coherence: &&Coherence| {
            let knows = |x: EventId, y: EventId| coherence.rows.iter().any(|row| graph.precedes(*row, y, x));
            before.iter().any(|x| after.iter().any(|y| knows(*x, *y)))
        };
        self.coherences.iter().find(is_broken).map(|coherence| coherence.axiom)
    }

    /// Whether an event knows of another, or is it, whatever the coherence order.
    #[inline]
    pub(in crate::consistency) fn knows(&self, graph: &Graph, event: EventId, other: EventId) -> bool {
        self.settled.iter().any(|row| graph.precedes(*row, other, event))
    }

    /// The axiom by which a read cannot see a write: it knows of a later one, or would know by seeing it.
    /// `after` is where the write stands, or will stand, in coherence order.
    pub(in crate::consistency) fn incoherent_read(
        &self,
        graph: &Graph,
        read: EventId,
        write: EventId,
        after: EventId,
        loc: LocId,
    ) -> Option<usize> {
        self.coherences.iter().find_map(|coherence| {
            let hidden = graph.co_after(loc, after).any(|later| coherence.knows(graph, read, later))
                || coherence.learns(graph, read, write, after);
            hidden.then_some(coherence.axiom)
        })
    }

    /// As `incoherent_read`, when the read is known to know of no later write by itself.
    pub(in crate::consistency) fn incoherent_source(
        &self,
        graph: &Graph,
        read: EventId,
        write: EventId,
    ) -> Option<usize> {
        let learns = |coherence: &&Coherence| coherence.learns(graph, read, write, write);
        self.coherences.iter().find(learns).map(|coherence| coherence.axiom)
    }

    /// The axiom by which a write cannot stand directly after another: it knows of a later one.
    pub(in crate::consistency) fn incoherent_place(
        &self,
        graph: &Graph,
        write: EventId,
        after: EventId,
        loc: LocId,
    ) -> Option<usize> {
        self.coherences.iter().find_map(|coherence| {
            let hidden = graph.co_after(loc, after).any(|later| coherence.knows(graph, write, later));
            hidden.then_some(coherence.axiom)
        })
    }

    /// The axiom by which an event cannot come before some writes of its cell: it knows of one, or of its reader.
    pub(in crate::consistency) fn hides_in_cell(
        &self,
        graph: &Graph,
        event: EventId,
        writes: &[EventId],
        cell: LocId,
    ) -> Option<usize> {
        let knows = |coherence: &&Coherence| coherence.knows_in_cell(graph, event, writes, cell);
        self.coherences.iter().find(knows).map(|coherence| coherence.axiom)
    }

    /// The axiom by which a read cannot see a write: it would know by that of a later write of the cell.
    pub(in crate::consistency) fn learns_in_cell(
        &self,
        graph: &Graph,
        link: (EventId, EventId),
        later: &[EventId],
        cell: LocId,
    ) -> Option<usize> {
        let learns = |coherence: &&Coherence| coherence.learns_in_cell(graph, link, later, cell);
        self.coherences.iter().find(learns).map(|coherence| coherence.axiom)
    }
}
