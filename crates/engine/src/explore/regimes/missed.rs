//! Choices of a read in a gap that other revisits lead to.
//!
//! What is kept behind a gap is kept with all that is ordered before it. What a read is ordered before may depend on what
//! it sees: a compare-exchange orders more with one outcome than with the other, and some machines order two reads of a
//! location if they see different writes. An execution in which a read comes before what was kept without it is found by a
//! revisit that keeps the read, so the choice is not made here.
//!
//! I1: a read that is kept is kept with all that is ordered before it. A store may have been kept alone (`choices::kept`).
//! I2: what follows an access is kept with what the address of the access depends on, even if the model does not order
//! them (`choices::kept`). Where the access was left out (`open_outcomes`), this is checked when it is added.

use crate::consistency::{Conditional, Kept};
use crate::explore::choices::read::Condition;
use crate::explore::choices::write::{exclusive_write, write_half};
use crate::explore::regimes::WithGaps;
use crate::explore::Explorer;
use crate::graph::{Access, AccessKind, Dependency, Event, Graph, Label, CONDITIONAL};
use crate::ids::EventId;

impl<R: WithGaps> Explorer<'_, R> {
    /// As `is_missed`, for a read that is about to see the write of a revisit.
    pub(super) fn is_missed_by_revisit(&mut self, read: EventId, write: EventId, kept: &Kept) -> bool {
        let event = *self.graph().event(read);
        let keeps = |id: EventId| id <= read || kept.has(id);
        if !may_order_anew(self.graph(), read, &keeps) {
            return false;
        }
        let condition = Condition::of(self.program, &self.states, &event);
        let mut wider = Wider::of(self.graphs.empty());
        self.graph().part_into(&keeps, None, &mut wider.graph, &mut wider.map);
        let (read, write) = (wider.map[read.at()], wider.map[write.at()]);
        let value = wider.graph.event(write).access().value;
        let initial = self.locations.get(event.loc()).initial;
        let holds = |value| condition.is_some_and(|condition| condition.holds(value));
        let kinds = condition.map(|condition| condition.classes(&event, initial, &holds));
        let class = kinds.as_ref().map_or(event.class, |kinds| kinds.class(&wider.graph, write));
        let writes = kinds.as_ref().map_or(event.is_exclusive(), |kinds| (kinds.writes)(value));
        let mut event = Event { class, ..event };
        event.access_mut().value = value;
        wider.graph.unlink_any_read(read);
        let graph = &mut wider.graph;
        graph.go_back_to(read) && self.is_missed(graph, (read, write), &event, writes, kinds.as_ref())
    }

    /// As `is_missed`, for a read of a part of the graph and the write of the revisit.
    pub(super) fn is_missed_in(
        &mut self,
        wider: &mut Wider,
        event: &Event,
        source: EventId,
        writes: bool,
        kinds: Option<&Conditional>,
    ) -> bool {
        let source = if source.is_some() { wider.map[wider.back[source.at()]] } else { source };
        wider.graph.unlink_any_read(wider.read);
        wider.graph.stand_at(wider.read);
        self.is_missed(&mut wider.graph, (wider.read, source), event, writes, kinds)
    }

    /// Whether a read, or its write half, would come before an event that is there already, in the preserved part of
    /// `po`, if the read saw a write. That event was kept without the read, so executions with this are found elsewhere.
    ///
    /// A store that is ordered after the read anyway may have been kept alone, because it was forwarded. A `kinds`
    /// that is given says which classes the read may have; another read has the same order with stores whatever it sees.
    fn is_missed(
        &mut self,
        graph: &mut Graph,
        (read, source): (EventId, EventId),
        event: &Event,
        writes: bool,
        kinds: Option<&Conditional>,
    ) -> bool {
        graph.link_read(read, source);
        let anyway = kinds.map(|kinds| {
            let other = if event.class == kinds.writing { kinds.failing } else { kinds.writing };
            self.plan.upkeep().reclassify(graph, read, other);
            self.plan.ordered_after(graph, read, None, &mut self.work)
        });
        self.plan.upkeep().reclassify(graph, read, event.class);
        let kept_half = graph.write_half_of(read);
        let new_half = (writes && kept_half.is_none()).then(|| {
            let (value, mode, _) = write_half(self.program, &self.states, event, event.snapshot);
            let access = Access { value, ..*event.access() };
            graph.dependencies.stage(self.states.dependencies(event.snapshot));
            self.plan.upkeep().push(graph, exclusive_write(event.thread, mode, event.snapshot, access))
        });
        let may_be_alone = |later: &EventId| {
            graph.event(*later).access_kind() == Some(AccessKind::Write)
                && anyway.as_ref().is_none_or(|anyway| anyway.contains(later))
        };
        let after = self.plan.ordered_after(graph, read, kept_half.or(new_half), &mut self.work);
        let comes_first = after.iter().any(|later| !may_be_alone(later));
        if new_half.is_some() {
            graph.pop();
        }
        graph.unlink_read(read);
        comes_first
    }

    /// Drops the sources of a read by which it would come before what was kept without it; all of them if its address
    /// comes late.
    pub(super) fn drop_missed(&mut self, read: EventId, kinds: Option<&Conditional>, first: usize) {
        let event = *self.graph().event(read);
        if !self.graph().has_kept_after(read) || !may_order_anew(self.graph(), read, &|_| true) {
            return;
        }
        if self.has_late_address(read) {
            self.choices.options().truncate(first);
            self.regime.room().drops_missed = true;
            return;
        }
        let mut graph = self.graphs.take_current();
        let found: Vec<EventId> = self.choices.options().drain(first..).collect();
        for source in found {
            let value = self.locations.value_of(&graph, event.loc(), source);
            let class = kinds.map_or(event.class, |kinds| kinds.class(&graph, source));
            let writes = kinds.map_or(event.is_exclusive(), |kinds| (kinds.writes)(value));
            let mut event = Event { class, ..event };
            event.access_mut().value = value;
            match self.is_missed(&mut graph, (read, source), &event, writes, kinds) {
                true => self.regime.room().drops_missed = true,
                false => self.choices.options().push(source),
            }
        }
        *self.graphs.current_mut() = graph;
    }

    /// Whether the address of a read in a gap depends on what follows it in its thread (I2).
    fn has_late_address(&mut self, read: EventId) -> bool {
        let graph = self.graphs.current();
        let sources: Vec<EventId> = graph.dependencies(read, Dependency::Addr).collect();
        let tail = graph.tail(graph.event(read).thread);
        sources.into_iter().any(|source| {
            let past = self.plan.past(graph, source, &mut self.work);
            let later = std::iter::once(tail).chain(graph.earlier_in_thread(tail));
            later.take_while(|id| *id != read).any(|id| past.has(id))
        })
    }
}

/// A part of a graph together with the write of a revisit.
pub(super) struct Wider {
    pub(super) graph: Graph,
    /// What became of each event of the whole graph, and what each event of the part was there.
    pub(super) map: Vec<EventId>,
    pub(super) back: Vec<usize>,
    pub(super) read: EventId,
}

impl Wider {
    pub(super) fn of(graph: Graph) -> Wider {
        Wider { graph, map: Vec::new(), back: Vec::new(), read: EventId::NONE }
    }
}

/// Whether what a read comes before, in the preserved part of `po`, may depend on what it sees: it may write or not, or
/// a later read of its thread, in a part of the graph, may see the same write or another one.
pub(super) fn may_order_anew(graph: &Graph, read: EventId, is_there: &dyn Fn(EventId) -> bool) -> bool {
    let event = graph.event(read);
    if event.access_kind() != Some(AccessKind::Read) {
        return false;
    }
    let sees_too = |id: EventId| {
        let later = graph.event(id);
        later.label() == Label::Read && later.loc() == event.loc() && is_there(id)
    };
    let mut later = graph.tail(event.thread);
    while later != read {
        if sees_too(later) {
            return true;
        }
        later = graph.event(later).po_prev;
    }
    event.flags & CONDITIONAL != 0
}
