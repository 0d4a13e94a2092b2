//! What regimes in which events may be missing in the middle of threads have in common, and what differs.

use crate::consistency::{Kept, Late, Past};
use crate::explore::choices::read::Condition;
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Stop};
use crate::graph::{Graph, Label, Payload};
use crate::ids::EventId;
use crate::vm::Snapshot;
use std::collections::HashSet;

/// The space that a regime with gaps works in.
#[derive(Default)]
pub(in crate::explore) struct Room {
    /// What became of each event of a graph in a part of it.
    pub(super) map: Vec<EventId>,
    /// Executions that were found.
    pub(super) known: HashSet<Vec<u32>>,
    /// Whether choices of the newest event were dropped because others lead to the same executions.
    pub(super) drops_missed: bool,
    /// Graphs in which an outcome was left open.
    pub(super) opened: HashSet<Vec<u32>>,
}

/// What a regime with gaps takes for consistent, and for the latest choice.
pub(in crate::explore) trait WithGaps: Regime {
    fn room(&mut self) -> &mut Room;

    /// Whether a part of a graph is consistent.
    fn allows(explorer: &mut Explorer<'_, Self>, part: &mut Graph) -> Result<bool, Late>;

    /// The same if the newest event, the write of a read-modify-write that is not placed yet, stands after a write.
    fn allows_half(
        explorer: &mut Explorer<'_, Self>,
        part: &mut Graph,
        half: EventId,
        source: EventId,
    ) -> Result<bool, Late>;

    /// Gets ready to judge what a revisit removes. False if that is known not to have been added maximally.
    fn start_judging(
        _explorer: &mut Explorer<'_, Self>,
        _graph: &Graph,
        _keeps: &dyn Fn(EventId) -> bool,
    ) -> Result<bool, Late> {
        Ok(true)
    }

    /// The writes that a read of the graph, which a revisit removes, may see in a part of it, the latest first. The
    /// initial write is the last one.
    fn rank(
        explorer: &Explorer<'_, Self>,
        graph: &Graph,
        part: &Graph,
        read: EventId,
        stays: &dyn Fn(EventId) -> bool,
    ) -> Vec<EventId>;
}

impl<R: WithGaps> Explorer<'_, R> {
    /// Those before the write in its thread included, and outcomes that are left open.
    pub(super) fn find_revisits_with_gaps(&mut self, write: EventId) -> Result<(), Stop> {
        self.find_reads_to_revisit(write)?;
        self.find_outcomes_to_open(write);
        Ok(())
    }

    fn find_reads_to_revisit(&mut self, write: EventId) -> Result<(), Stop> {
        let mut read = self.graph().loc(self.graph().event(write).loc()).last_read;
        if read.is_none() {
            return Ok(());
        }
        let past = self.past_of(write);
        if R::COUNTS_COHERENCE
            && !self.may_revisit_past(&past, write)
            && self.weak_successes(self.graph(), &|id| past.has(id)).is_empty()
            && self.sweep_revisits(write, &|id| past.has(id))?
        {
            return Ok(());
        }
        let mut part = self.graphs.empty();
        while read.is_some() {
            let previous = self.graph().earlier_read(read);
            if let Some(kept) = self.kept_by_revisit(&past, read, write) {
                if self.is_maximal_with_gaps(read, write, &kept, &mut part)?
                    && !self.is_missed_by_revisit(read, write, &kept)
                {
                    self.choices.options().push(read);
                }
            }
            read = previous;
        }
        Ok(())
    }

    /// Kept are the events added before the read, the read, and the causal past of the write with the write.
    pub(super) fn enter_revisit_with_gaps(&mut self, read: EventId, write: EventId) -> (EventId, EventId) {
        let past = self.past_of(write);
        let kept = self.kept_by_revisit(&past, read, write).expect("it was kept when the revisit was found");
        let (read, write) = self.graphs.enter_part(|_, id| id <= read || kept.has(id), read, write);
        let graph = self.graph_mut();
        // Without gaps, what was removed comes before nothing that is left, so the rows stay as they are.
        let are_rows_right =
            matches!(past, Past::Rows(_)) && !kept.splits && !graph.has_gaps() && graph.is_last(read);
        if !are_rows_right {
            graph.note_lost_rows();
        }
        self.take_out_half(read);
        (read, write)
    }

    /// What the revisit of a read by the newest write keeps; none if the write depends on the read.
    fn kept_by_revisit(&mut self, past: &Past, read: EventId, write: EventId) -> Option<Kept> {
        past.kept(self.graph(), read, write)
            .or_else(|| self.kept_with_other_outcome(read, write))
            .or_else(|| self.kept_with_write_half(read, write))
    }

    /// Whether a write depends on a compare-exchange that would have another outcome if it saw the write, or on the write
    /// of an exchange that may see it.
    fn may_revisit_past(&self, past: &Past, write: EventId) -> bool {
        let graph = self.graph();
        let mut read = graph.loc(graph.event(write).loc()).last_read;
        while read.is_some() {
            if past.has(read)
                && (self.other_class(read, write).is_some() || self.forwarded_half(read).is_some())
            {
                return true;
            }
            read = graph.earlier_read(read);
        }
        false
    }

    /// The thread goes on from the read unless an earlier event is missing.
    pub(super) fn deliver_revisit_with_gaps(&mut self, read: EventId) -> Result<(), Stop> {
        if self.graph_mut().go_back_to(read) {
            self.deliver(read)?;
            self.pass_over_moved_half(read);
            return Ok(());
        }
        let graph = self.graph();
        let value = self.value_of(graph.event(read).loc(), graph.rf(read));
        self.graph_mut().event_mut(read).access_mut().value = value;
        Ok(())
    }
}

impl<R: Regime> Explorer<'_, R> {
    pub(super) fn stage_dependencies(&mut self, at: Snapshot) {
        let depends = self.states.dependencies(at);
        self.graph_mut().dependencies.stage(depends);
    }

    /// What a write depends on that is the newest event.
    pub(super) fn past_of(&mut self, write: EventId) -> Past {
        let graph = self.graphs.current_mut();
        if R::COUNTS_COHERENCE && self.plan.has_rows_for(graph, write) {
            return Past::Rows(self.plan.past_by_rows(graph, write));
        }
        Past::Marks(self.plan.past(graph, write, &mut self.work))
    }

    /// The places of a new write, by rows if there are any for it.
    pub(super) fn find_places_by_rows(&mut self, write: EventId) -> Result<(), Late> {
        let graph = self.graphs.current_mut();
        let (work, options) = (&mut self.work, self.choices.options());
        if !self.plan.has_rows_for(graph, write) {
            return self.plan.consistent_places(graph, write, work, options);
        }
        if graph.event(write).is_exclusive() {
            options.extend(self.plan.place_exclusive(graph, write, work));
            return Ok(());
        }
        self.plan.placeable(graph, write, work, options)
    }

    /// What the revisit of a compare-exchange by the newest write keeps if the write would change its outcome, and what
    /// follows it depends on it only with the outcome that it has. Other revisits may lead to the same executions.
    pub(super) fn kept_with_other_outcome(&mut self, read: EventId, write: EventId) -> Option<Kept> {
        let class = self.other_class(read, write)?;
        let mut other = self.graphs.empty();
        self.graph().part_into(&|_| true, None, &mut other, &mut Vec::new());
        self.plan.upkeep().reclassify(&mut other, read, class);
        let is_half = |id: &EventId| other.event(*id).is_write_half() && other.event(*id).po_prev == read;
        let half = (read.0 + 1..write.0).map(EventId).find(is_half);
        let past = self.plan.past_without(&other, write, half, &mut self.work)?;
        let mut kept = past.kept(&other, read, write)?;
        kept.changes_outcome = true;
        Some(kept)
    }

    /// The class that a compare-exchange would have if it saw a write, if it has another one now.
    fn other_class(&self, read: EventId, write: EventId) -> Option<u8> {
        let event = self.graph().event(read);
        let condition = Condition::of(self.program, &self.states, event)?;
        let writes = |value| condition.holds(value);
        let class = condition.classes(event, 0, &writes).class(self.graph(), write);
        (class != event.class).then_some(class)
    }
}

/// All choices of a graph: what each read sees, the value of each choice, and maybe the order of writes. Joins are left
/// out, because the last ones need not be events.
pub(super) fn choices_of(graph: &Graph, with_coherence: bool) -> Vec<u32> {
    let name = |id: EventId| match id.is_some() {
        true => [graph.event(id).thread.0, graph.event(id).index],
        false => [u32::MAX; 2],
    };
    let is_chosen = |id: &EventId| graph.event(*id).label() != Label::Join;
    let mut ids: Vec<EventId> = (0..graph.len()).map(EventId::from_usize).filter(is_chosen).collect();
    ids.sort_unstable_by_key(|id| name(*id));
    let mut found = Vec::new();
    for id in ids {
        found.extend(name(id));
        match graph.event(id).payload {
            Payload::Read(_) => found.extend(name(graph.rf(id))),
            Payload::Write(_) if with_coherence => found.extend(name(graph.co_prev(id))),
            Payload::Choose(choice) => found.push(choice.number),
            _ => {}
        }
    }
    found
}
