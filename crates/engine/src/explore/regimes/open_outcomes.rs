//! Compare-exchanges whose outcome is left open, because what follows them depends on them only with the one they have.
//!
//! A compare-exchange orders what follows it by its outcome. When a write is added that comes after one only because it
//! succeeded, or only because it failed, the graph without the compare-exchange is explored, too: as if the write had
//! been added before. That is a gap, which is closed by the other outcome alone (`missed`), and by what other threads
//! have done after the write. So several compare-exchanges of a thread may fail by what depends on a store behind them.
//!
//! I1: of the compare-exchanges of a thread, later ones are left out before earlier ones.
//! I2: such a graph is explored once, for each order in which its events were added (`Room::opened`).

use crate::consistency::Past;
use crate::explore::choices::read::Condition;
use crate::explore::regimes::with_gaps::choices_of;
use crate::explore::regimes::WithGaps;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::{AccessKind, Dependency, Graph, CONDITIONAL};
use crate::ids::EventId;

/// Marks an option: not a read that a write revisits, but one whose outcome is open.
const OPEN: u32 = 1 << 31;

/// The compare-exchange whose outcome an option leaves open.
#[inline]
pub(in crate::explore) fn opened(option: EventId) -> Option<EventId> {
    (option.0 & OPEN != 0).then_some(EventId(option.0 & !OPEN))
}

impl<R: WithGaps> Explorer<'_, R> {
    /// Appends to the options the compare-exchanges that a new write of their thread depends on only with the outcome
    /// that they have.
    pub(super) fn find_outcomes_to_open(&mut self, write: EventId) {
        let graph = self.graph();
        let may_open = |read: &EventId| self.may_open(graph, *read, write);
        let candidates: Vec<EventId> = graph.earlier_in_thread(write).filter(may_open).collect();
        if candidates.is_empty() {
            return;
        }
        let past = self.past_of(write);
        for read in candidates {
            let half = self.graph().write_half_of(read);
            let depends = |past: &Past| past.has(read) || half.is_some_and(|half| past.has(half));
            if !depends(&past) {
                continue;
            }
            let other = self.with_other_outcome(read);
            let found = self.plan.past_without(&other, write, half, &mut self.work);
            if found.is_some_and(|past| !depends(&Past::Marks(past))) {
                self.choices.options().push(EventId(read.0 | OPEN));
            }
        }
    }

    /// Whether a read is a compare-exchange that may be left out by what its thread has done before a write (I1), and that
    /// nothing of the write depends on whatever its outcome.
    fn may_open(&self, graph: &Graph, read: EventId, write: EventId) -> bool {
        let event = graph.event(read);
        let depends = |how| graph.dependencies(write, how).any(|source| source == read);
        event.access_kind() == Some(AccessKind::Read)
            && event.flags & CONDITIONAL != 0
            && event.index < graph.thread(event.thread).count
            && !(graph.event(write).is_exclusive() && graph.event(write).po_prev == read)
            && ![Dependency::Addr, Dependency::Data, Dependency::Ctrl].into_iter().any(depends)
    }

    /// The current graph, in which a compare-exchange orders what it would with its other outcome.
    fn with_other_outcome(&self, read: EventId) -> Graph {
        let event = *self.graph().event(read);
        let condition =
            Condition::of(self.program, &self.states, &event).expect("its outcome may be another");
        let kinds = condition.classes(&event, 0, &|_| false);
        let mut other = self.graphs.empty();
        self.graph().part_into(&|_| true, None, &mut other, &mut Vec::new());
        let class = if event.is_exclusive() { kinds.failing } else { kinds.writing };
        self.plan.upkeep().reclassify(&mut other, read, class);
        other
    }

    /// Goes to the graph without a compare-exchange and what depends on it, and adds the newest event there, a write. False
    /// if nothing follows from it.
    pub(super) fn open_outcome_with_gaps(&mut self, read: EventId, write: EventId) -> Result<bool, Stop> {
        let half = self.graph().write_half_of(read);
        let other = self.with_other_outcome(read);
        let kept = self.plan.independent_of(&other, read, half, &mut self.work);
        let kept = kept.expect("outcomes are left open only where the plan says what is preserved");
        debug_assert!(kept[write.at()], "the write does not depend on the compare-exchange");
        self.graphs.enter_kept(&|id| kept[id.at()]);
        let write = self.graphs.renamed(write);
        let graph = self.graph_mut();
        graph.note_lost_rows();
        let name = name_of(graph);
        if !self.regime.room().opened.insert(name) {
            self.graphs.leave();
            return Ok(false);
        }
        self.outcome.revisits += 1;
        let event = *self.graph().event(write);
        let first = self.choices.end();
        self.find_places_again(write)?;
        let revisits = self.choices.end();
        R::find_revisits(self, write)?;
        if self.choices.end() == first {
            self.graphs.leave();
            return Ok(false);
        }
        Ok(matches!(self.choose_place(write, event.thread, first, revisits)?, Step::Extended))
    }
}

/// The choices of a graph, and the order in which its events were added (I2).
fn name_of(graph: &Graph) -> Vec<u32> {
    let mut name = choices_of(graph, true);
    for id in (0..graph.len()).map(EventId::from_usize) {
        name.extend([graph.event(id).thread.0, graph.event(id).index]);
    }
    name
}
