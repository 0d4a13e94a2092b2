//! Exploration where events may be missing in the middle of threads (thesis §5.7; HMC).
//!
//! A revisit keeps what the write depends on, which may come after events of the same thread that are removed.
//! The thread then runs again from the first missing event, and passes over what was kept (`passing`).
//!
//! Where a revisit keeps one half of a read-modify-write, or what a read depends on changes with what it sees, an execution
//! may be found more than once (no oracle of extensibility is known for these models). So those that were found are
//! remembered, and counted once.
//!
//! Departs 1: an event counts as added maximally if it took the latest choice that is consistent with what was
//! there (the thesis leaves the oracle of extensibility to each model).

use crate::consistency::{Conditional, Kept, Late};
use crate::detect::{Finding, Refusal};
use crate::explore::choices::read::Condition;
use crate::explore::choices::write::{exclusive_write, write_half};
use crate::explore::regimes::missed::{may_order_anew, Wider};
use crate::explore::regimes::sweep::{chose_last, comes_before_some};
use crate::explore::regimes::with_gaps::{choices_of, Room};
use crate::explore::regimes::{Regime, WithGaps};
use crate::explore::{Explorer, Stop};
use crate::graph::{Access, AccessKind, Event, Graph, Label, CONDITIONAL};
use crate::ids::EventId;

/// Every `rf` and `co`; events may be added in any order that the causal order allows.
#[derive(Default)]
pub(in crate::explore) struct Gaps {
    room: Room,
}

impl WithGaps for Gaps {
    fn room(&mut self) -> &mut Room {
        &mut self.room
    }

    fn allows(explorer: &mut Explorer<'_, Self>, part: &mut Graph) -> Result<bool, Late> {
        Ok(explorer.plan.checks().is_consistent(part, &mut explorer.work))
    }

    fn allows_half(
        explorer: &mut Explorer<'_, Self>,
        part: &mut Graph,
        half: EventId,
        source: EventId,
    ) -> Result<bool, Late> {
        if part.splits_rmw(source, part.overwriter(part.event(half).loc(), source)) {
            return Ok(false);
        }
        part.link_write(half, source);
        Self::allows(explorer, part)
    }

    fn rank(
        _explorer: &Explorer<'_, Self>,
        graph: &Graph,
        part: &Graph,
        read: EventId,
        _stays: &dyn Fn(EventId) -> bool,
    ) -> Vec<EventId> {
        let mut writes: Vec<EventId> = part.co_after(graph.event(read).loc(), EventId::NONE).collect();
        writes.reverse();
        writes.push(EventId::NONE);
        writes
    }
}

impl Regime for Gaps {
    const RENEWS_READS: bool = true;

    // What a revisit keeps after a gap may be a round that the thread would no longer make.
    const STOPS_SPINS: bool = false;

    const HAS_GAPS: bool = true;
    const TRACKS: bool = true;

    fn find_sources(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        conditional: Option<&Conditional>,
    ) -> Result<(), Late> {
        let first = explorer.choices.end();
        explorer.regime.room.drops_missed = false;
        let graph = explorer.graphs.current_mut();
        let (work, options) = (&mut explorer.work, explorer.choices.options());
        if explorer.plan.has_rows_for(graph, read) {
            return explorer.plan.readable(graph, read, conditional, work, options);
        }
        explorer.plan.consistent_sources(graph, read, conditional, work, options)?;
        explorer.drop_missed(read, conditional, first);
        Ok(())
    }

    fn find_places(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Late> {
        explorer.regime.room.drops_missed = false;
        explorer.find_places_by_rows(write)
    }

    /// The graph is consistent, but no execution has it, unless other choices are found elsewhere. So it is not known what
    /// is found from others.
    #[cold]
    fn give_up(explorer: &mut Explorer<'_, Self>) -> Result<(), Stop> {
        if explorer.plan.upkeep().may_be_stuck() && !explorer.regime.room.drops_missed {
            return Err(Finding::refusal(Refusal::Stuck, "cannot be added").into());
        }
        Ok(())
    }

    /// Those before the write in its thread included.
    fn find_revisits(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Stop> {
        explorer.find_revisits_with_gaps(write)
    }

    fn enter_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> (EventId, EventId) {
        explorer.enter_revisit_with_gaps(read, write)
    }

    fn open_outcome(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> Result<bool, Stop> {
        explorer.open_outcome_with_gaps(read, write)
    }

    fn take_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> Result<bool, Stop> {
        let first = explorer.choices.end();
        explorer.graphs.renew(read);
        if let Some(half) = explorer.moved_half(read) {
            explorer.find_places_before(half, write)?;
            return explorer.take_first_place(read, write, first);
        }
        let graph = explorer.graphs.current_mut();
        let (work, options) = (&mut explorer.work, explorer.choices.options());
        if graph.has_fresh_rows() && graph.bits.fit_sets() && explorer.plan.upkeep().keeps_rows_of_gaps() {
            explorer.plan.placeable_revisit(graph, write, read, work, options)?;
        } else {
            explorer.plan.consistent_places(graph, write, work, options)?;
        }
        explorer.take_first_place(read, write, first)
    }

    fn place_revisit(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        write: EventId,
        after: EventId,
    ) -> Result<(), Stop> {
        explorer.take_out_half(read);
        explorer.place(write, after)?;
        explorer.put_half_after(read, write);
        let graph = explorer.graphs.current_mut();
        explorer.plan.upkeep().order_read(graph, read);
        Self::deliver_revisit(explorer, read)
    }

    fn unlink(graph: &mut Graph, event: EventId) {
        graph.note_change_of(event);
        graph.unlink(event);
    }

    fn deliver_revisit(explorer: &mut Explorer<'_, Self>, read: EventId) -> Result<(), Stop> {
        explorer.deliver_revisit_with_gaps(read)
    }

    fn forget_opened(explorer: &mut Explorer<'_, Self>) {
        explorer.regime.room.opened.clear();
    }

    fn is_known(explorer: &mut Explorer<'_, Self>) -> bool {
        let execution = choices_of(explorer.graph(), true);
        !explorer.regime.room.known.insert(execution)
    }

    fn return_to(graph: &mut Graph, read: EventId) {
        graph.note_change_of(read);
        graph.go_back_to(read);
    }
}

impl<R: WithGaps> Explorer<'_, R> {
    /// Whether the read and all that its revisit removes were added maximally (Algorithm 6.1), in the order in which they
    /// were added or after some of them (`weak_successes`).
    pub(super) fn is_maximal_with_gaps(
        &mut self,
        read: EventId,
        write: EventId,
        kept: &Kept,
        part: &mut Graph,
    ) -> Result<bool, Late> {
        let graph = self.graphs.take_current();
        let mut is_maximal = self.is_maximal_in(&graph, read, write, kept, &[], part);
        // Where coherence orders are searched for, writes are ranked by when they were added.
        if R::COUNTS_COHERENCE && matches!(is_maximal, Ok(false)) {
            let first = self.weak_successes(&graph, &|id| id < read || kept.has(id));
            if !first.is_empty() {
                is_maximal = self.is_maximal_in(&graph, read, write, kept, &first, part);
            }
        }
        *self.graphs.current_mut() = graph;
        is_maximal
    }

    /// The compare-exchanges that a revisit removes, that succeed, and that would order more if they failed; with what it
    /// removes before them in their threads.
    ///
    /// If such a one leaves a gap in which it may only succeed, it may be impossible to add it after what was added
    /// latest: a read-modify-write of another thread keeps it from succeeding. So a revisit is also made if it was added
    /// first. Executions that are found twice by that are known.
    pub(super) fn weak_successes(&self, graph: &Graph, stays: &dyn Fn(EventId) -> bool) -> Vec<EventId> {
        let is_weak = |id: EventId| {
            let event = graph.event(id);
            event.flags & CONDITIONAL != 0 && self.states.request(event.snapshot).orders_more_if_it_fails()
        };
        let removed = || (0..graph.len()).map(EventId::from_usize).filter(|id| !stays(*id));
        let halves: Vec<EventId> =
            removed().filter(|id| is_weak(*id)).filter_map(|read| graph.write_half_of(read)).collect();
        let leads = |id: EventId| {
            halves
                .iter()
                .any(|half| *half == id || graph.earlier_in_thread(*half).any(|earlier| earlier == id))
        };
        removed().filter(|id| leads(*id)).collect()
    }

    fn is_maximal_in(
        &mut self,
        graph: &Graph,
        read: EventId,
        write: EventId,
        kept: &Kept,
        first: &[EventId],
        part: &mut Graph,
    ) -> Result<bool, Late> {
        let remains = |id: EventId| id != write && kept.has(id);
        for id in first {
            let was_there = |other: EventId| other < read || (other <= *id && first.contains(&other));
            let past = self.plan.past(graph, *id, &mut self.work);
            let mut needed = (0..graph.len()).map(EventId::from_usize).filter(|other| past.has(*other));
            let is_seen = graph.event(*id).label() == Label::Write
                && graph.readers_of(*id).any(|reader| reader < read || remains(reader));
            if is_seen || needed.any(|other| !was_there(other) && !remains(other)) {
                return Ok(false);
            }
            if !self.took_latest(graph, *id, (read, write), &was_there, &remains, part)? {
                return Ok(false);
            }
        }
        let stays = |id: EventId| remains(id) || first.contains(&id);
        let removed = || (read.at()..write.at()).map(EventId::from_usize).filter(|id| !stays(*id));
        // The write half of what stays comes back at once, so whoever reads it need not have been revisited.
        let comes_back = |id: EventId| {
            let event = graph.event(id);
            id != write && event.is_write_half() && stays(event.po_prev)
        };
        let revisits = |id: EventId| {
            graph.readers_of(id).any(|reader| stays(reader) || (reader < id && !comes_back(id)))
        };
        if removed().any(|id| graph.event(id).label() == Label::Write && revisits(id)) {
            return Ok(false);
        }
        if removed().any(|id| !graph.event(id).chose_first()) {
            return Ok(false);
        }
        if !R::start_judging(self, graph, &|id| id < read || stays(id))? {
            return Ok(false);
        }
        // With its other outcome the read could not have been added after what is kept behind it.
        for id in removed().filter(|id| *id != read || !kept.changes_outcome) {
            let was_there = |other| other <= id && other != write;
            if !self.took_latest(graph, id, (read, write), &was_there, &stays, part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an event that a revisit of a read by a write removes took the latest choice that is consistent with what
    /// was there when it was added, and with what stays.
    ///
    /// An event that was the last of its thread comes before nothing but what overwrites it, so its latest choice was the
    /// coherence-latest one. Only events that filled gaps, or that would leave one, are tried out in the part of the
    /// graph that was there.
    pub(super) fn took_latest(
        &mut self,
        graph: &Graph,
        id: EventId,
        (read, write): (EventId, EventId),
        was_there: &dyn Fn(EventId) -> bool,
        stays: &dyn Fn(EventId) -> bool,
        part: &mut Graph,
    ) -> Result<bool, Late> {
        let event = graph.event(id);
        let chosen = match event.access_kind() {
            Some(AccessKind::Read) => graph.rf(id),
            Some(AccessKind::Write) if R::COUNTS_COHERENCE && !event.is_exclusive() => graph.co_prev(id),
            Some(AccessKind::Write) | None => return Ok(true),
        };
        let is_there = |other: EventId| was_there(other) || stays(other);
        let has_half = |other: EventId| {
            let event = graph.event(other);
            other != write && event.is_write_half() && event.po_prev != id && is_there(event.po_prev)
        };
        let is_in_part = |other: EventId| is_there(other) || has_half(other);
        let is_in_wider_part = |other: EventId| is_in_part(other) || other == write;
        if R::COUNTS_COHERENCE
            && self.plan.checks().extends()
            && !comes_before_some(graph, id, &is_in_wider_part)
        {
            return Ok(chose_last(graph, event, id, &is_in_part));
        }
        let mut map = std::mem::take(&mut self.regime.room().map);
        graph.part_into(&is_in_part, None, part, &mut map);
        let new = map[id.at()];
        self.regime.room().map = map;
        let mut wider = may_order_anew(graph, id, &is_in_wider_part).then(|| {
            let mut wider = Wider::of(self.graphs.empty());
            graph.part_into(&is_in_wider_part, None, &mut wider.graph, &mut wider.map);
            let map = &self.regime.room().map;
            wider.back = (0..graph.len()).filter(|at| map[*at].is_some()).collect();
            wider.read = wider.map[id.at()];
            wider
        });
        // Its predecessor in the part is the nearest that is there.
        let chosen = nearest(graph, event, chosen, &self.regime.room().map);
        let latest = if event.label() == Label::Read {
            let ranked = R::rank(self, graph, part, id, &|id| id < read || stays(id));
            self.latest_source(event, new, part, ranked, wider.as_mut())?
        } else {
            self.latest_place(new, part)?
        };
        Ok(latest == Some(chosen))
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
        ranked: Vec<EventId>,
        mut wider: Option<&mut Wider>,
    ) -> Result<Option<EventId>, Late> {
        let condition = Condition::of(self.program, &self.states, event);
        let initial = self.locations.get(event.loc()).initial;
        let writes = |value| condition.is_some_and(|condition| condition.holds(value));
        let conditional = condition.map(|condition| condition.classes(event, initial, &writes));
        part.unlink_any_read(read);
        part.stand_at(read); // Its write half comes before what the thread has after it.
        let half = part.write_half_of(read);
        if let Some(half) = half {
            part.unlink_write(half);
        }
        for write in ranked.into_iter().filter(|write| Some(*write) != half) {
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
            let mut fits = match half {
                Some(half) => self.moved_half_fits(part, half, write)?,
                None => R::allows(self, part)?,
            };
            if fits && writes && half.is_none() {
                let mut event = *event;
                event.access_mut().value = value;
                fits = self.write_half_fits(&event, write, part)?;
            }
            if let (true, Some(wider)) = (fits, &mut wider) {
                let mut event = Event { class: part.event(read).class, ..*event };
                event.access_mut().value = value;
                fits = !self.is_missed_in(wider, &event, write, writes, conditional.as_ref());
            }
            part.unlink_read(read);
            if fits {
                return Ok(Some(write));
            }
        }
        Ok(None)
    }

    fn write_half_fits(&mut self, read: &Event, source: EventId, part: &mut Graph) -> Result<bool, Late> {
        let (value, mode, _) = write_half(self.program, &self.states, read, read.snapshot);
        let access = Access { value, ..*read.access() };
        part.dependencies.stage(self.states.dependencies(read.snapshot));
        let write = self.plan.upkeep().push(part, exclusive_write(read.thread, mode, read.snapshot, access));
        let fits = R::allows_half(self, part, write, source);
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
