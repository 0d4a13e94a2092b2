//! Exploration where events may be missing in the middle of threads (thesis §5.7; HMC).
//!
//! A revisit keeps what the write depends on, which may come after events of the same thread that are removed.
//! The thread then runs again from the first missing event, and passes over what was kept (`passing`).
//!
//! Departs 1: an event counts as added maximally if it took the latest choice that is consistent with what was
//! there (the thesis leaves the oracle of extensibility to each model).

use crate::consistency::{Conditional, Late};
use crate::explore::choices::read::Condition;
use crate::explore::choices::write::{exclusive_write, write_half};
use crate::explore::regimes::{Passed, Regime};
use crate::explore::{Explorer, Stop};
use crate::graph::{Access, AccessKind, Event, Graph, Label};
use crate::ids::{EventId, ThreadId};
use crate::vm::{Request, Snapshot};

/// Every `rf` and `co`; events may be added in any order that the causal order allows.
#[derive(Default)]
pub(in crate::explore) struct Gaps {
    /// What became of each event of a graph in a part of it.
    map: Vec<EventId>,
}

impl Regime for Gaps {
    const RENEWS_READS: bool = true;
    const MAY_LEAVE_OUT_JOINS: bool = false;

    // What a revisit keeps after a gap may be a round that the thread would no longer make.
    const STOPS_SPINS: bool = false;

    const TRACKS: bool = true;

    fn stage(explorer: &mut Explorer<'_, Self>, at: Snapshot) {
        let depends = explorer.states.dependencies(at);
        explorer.graph_mut().dependencies.stage(depends);
    }

    fn find_sources(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        conditional: Option<&Conditional>,
    ) -> Result<(), Late> {
        let graph = explorer.graphs.current_mut();
        let (work, options) = (&mut explorer.work, explorer.choices.options());
        explorer.plan.consistent_sources(graph, read, conditional, work, options)
    }

    fn link_read(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        source: EventId,
        is_stale: bool,
    ) -> Result<(), Late> {
        explorer.graphs.link_read(read, source, is_stale);
        Ok(())
    }

    fn find_places(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Late> {
        let graph = explorer.graphs.current_mut();
        explorer.plan.consistent_places(graph, write, &mut explorer.work, explorer.choices.options())
    }

    fn settle_for_write_half(explorer: &mut Explorer<'_, Self>, _read: EventId) {
        explorer.graphs.settle();
    }

    fn find_exclusive_place(
        explorer: &mut Explorer<'_, Self>,
        write: EventId,
        _source: EventId,
    ) -> Result<(), Late> {
        Self::find_places(explorer, write)
    }

    fn link_write(explorer: &mut Explorer<'_, Self>, write: EventId, after: EventId) -> Result<(), Late> {
        explorer.graphs.link_write(write, after);
        Ok(())
    }

    /// Those before the write in its thread included.
    fn find_revisits(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Stop> {
        let mut read = explorer.graph().loc(explorer.graph().event(write).loc()).last_read;
        let mut part = explorer.graphs.empty();
        while read.is_some() {
            let previous = explorer.graph().earlier_read(read);
            if !explorer.plan.upkeep().causes(explorer.graph(), read, write)
                && explorer.is_maximal_with_gaps(read, write, &mut part)?
            {
                explorer.choices.options().push(read);
            }
            read = previous;
        }
        Ok(())
    }

    /// Kept are the events added before the read, the read, and the causal past of the write with the write.
    fn enter_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> (EventId, EventId) {
        let plan = explorer.plan;
        let keeps = |graph: &Graph, id| id <= read || plan.upkeep().causes(graph, id, write);
        explorer.graphs.enter_part(keeps, read, write)
    }

    fn take_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> Result<bool, Stop> {
        let first = explorer.choices.end();
        explorer.graphs.renew(read);
        Self::find_places(explorer, write)?;
        explorer.take_first_place(read, write, first)
    }

    /// The thread goes on from the read unless an earlier event is missing.
    fn deliver_revisit(explorer: &mut Explorer<'_, Self>, read: EventId) -> Result<(), Stop> {
        if explorer.graph_mut().go_back_to(read) {
            return explorer.deliver(read);
        }
        let graph = explorer.graph();
        let value = explorer.value_of(graph.event(read).loc(), graph.rf(read));
        explorer.graph_mut().event_mut(read).access_mut().value = value;
        Ok(())
    }

    fn return_to(graph: &mut Graph, read: EventId) {
        graph.go_back_to(read);
    }

    fn pass_over(
        explorer: &mut Explorer<'_, Self>,
        thread: ThreadId,
        at: Snapshot,
        request: Request,
    ) -> Passed {
        if request.is_unseen() {
            return Passed::Missing;
        }
        explorer.pass_over_kept(thread, at, request)
    }
}

impl Explorer<'_, Gaps> {
    /// Whether the read and all that its revisit removes were added maximally (Algorithm 6.1).
    fn is_maximal_with_gaps(
        &mut self,
        read: EventId,
        write: EventId,
        part: &mut Graph,
    ) -> Result<bool, Late> {
        let empty = self.graphs.empty();
        let graph = std::mem::replace(self.graphs.current_mut(), empty);
        let is_maximal = self.is_maximal_in(&graph, read, write, part);
        *self.graphs.current_mut() = graph;
        is_maximal
    }

    fn is_maximal_in(
        &mut self,
        graph: &Graph,
        read: EventId,
        write: EventId,
        part: &mut Graph,
    ) -> Result<bool, Late> {
        let plan = self.plan;
        let stays = |id: EventId| id != write && plan.upkeep().causes(graph, id, write);
        let removed = || (read.at()..write.at()).map(EventId::from_usize).filter(|id| !stays(*id));
        let revisits = |id: EventId| graph.readers_of(id).any(|reader| reader < id || stays(reader));
        if removed().any(|id| graph.event(id).label() == Label::Write && revisits(id)) {
            return Ok(false);
        }
        if removed().any(|id| !graph.event(id).chose_first()) {
            return Ok(false);
        }
        for id in removed() {
            let event = graph.event(id);
            let chosen = match event.access_kind() {
                Some(AccessKind::Read) => graph.rf(id),
                Some(AccessKind::Write) if !event.is_exclusive() => graph.co_prev(id),
                Some(AccessKind::Write) | None => continue,
            };
            graph.part_into(&|other| other <= id || stays(other), None, part, &mut self.regime.map);
            let new = self.regime.map[id.at()];
            // Its predecessor in the part is the nearest that is there.
            let chosen = nearest(graph, event, chosen, &self.regime.map);
            let latest = if event.label() == Label::Read {
                self.latest_source(event, new, part)?
            } else {
                self.latest_place(new, part)?
            };
            if latest != Some(chosen) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The latest write after which a write of a part of the graph may stand.
    fn latest_place(&mut self, write: EventId, part: &mut Graph) -> Result<Option<EventId>, Late> {
        part.unlink_write(write);
        let first = self.choices.end();
        self.plan.consistent_places(part, write, &mut self.work, self.choices.options())?;
        let latest = self.choices.option(first);
        self.choices.forget_from(first);
        Ok(latest)
    }

    /// The latest write that a read of a part of the graph can see, so that its write half has a place, too.
    fn latest_source(
        &mut self,
        event: &Event,
        read: EventId,
        part: &mut Graph,
    ) -> Result<Option<EventId>, Late> {
        let condition = Condition::of(self.program, &self.states, event);
        let initial = self.locations.get(event.loc()).initial;
        let writes = |value| condition.is_some_and(|condition| condition.holds(value));
        let conditional = condition.map(|condition| condition.classes(event, initial, &writes));
        part.unlink_any_read(read);
        let mut write = part.loc(event.loc()).last;
        loop {
            self.work.check_time_now_and_then()?;
            let value = if write.is_some() { part.event(write).access().value } else { initial };
            let writes = match &conditional {
                Some(kinds) => (kinds.writes)(value),
                None => event.is_exclusive(),
            };
            if let Some(kinds) = &conditional {
                self.plan.upkeep().reclassify(part, read, kinds.class(part, write));
            }
            part.link_read(read, write);
            let mut fits = self.plan.checks().is_consistent(part, &mut self.work);
            if fits && writes {
                let mut event = *event;
                event.access_mut().value = value;
                fits = self.write_half_fits(&event, write, part);
            }
            part.unlink_read(read);
            if fits {
                return Ok(Some(write));
            }
            if write.is_none() {
                return Ok(None);
            }
            write = part.co_prev(write);
        }
    }

    fn write_half_fits(&mut self, read: &Event, source: EventId, part: &mut Graph) -> bool {
        if part.splits_rmw(source, part.overwriter(read.loc(), source)) {
            return false;
        }
        let (value, mode, _) = write_half(self.program, &self.states, read, read.snapshot);
        let access = Access { value, ..*read.access() };
        part.dependencies.stage(self.states.dependencies(read.snapshot));
        let write = self.plan.upkeep().push(part, exclusive_write(read.thread, mode, read.snapshot, access));
        part.link_write(write, source);
        let fits = self.plan.checks().is_consistent(part, &mut self.work);
        part.pop();
        fits
    }
}

/// The choice of an event in a part of its graph: the same write, or the nearest older one that is there.
fn nearest(graph: &Graph, event: &Event, mut write: EventId, map: &[EventId]) -> EventId {
    if event.label() == Label::Write {
        while write.is_some() && map[write.at()].is_none() {
            write = graph.co_prev(write);
        }
    }
    if write.is_some() {
        map[write.at()]
    } else {
        write
    }
}
