//! Exploration up to reads-from equivalence where events may be missing in the middle of threads: `reads_from` and
//! `gaps` together.
//!
//! The graph has a coherence order as a witness that there is one; another one is given to a copy of it. A choice is
//! consistent if it is under some order.
//!
//! Departs 1: as in `reads_from`, what a revisit removes is judged by an order that is found for what it keeps, without
//! the read and the write. Writes that are removed come after all others, the newest last.
//! Departs 2: as in `gaps`, an event was added maximally if it took the latest choice that is consistent.
//! I1: what a write depends on does not depend on the order: where the causal order names `co` or `fr`, what reads see
//! and coherence within a thread imply these.

use crate::consistency::{Conditional, GapWitness, Late};
use crate::explore::regimes::with_gaps::{choices_of, Room};
use crate::explore::regimes::{Regime, WithGaps};
use crate::explore::{Explorer, Stop};
use crate::graph::{Graph, Label, EXCLUSIVE};
use crate::ids::EventId;
use crate::vm::Snapshot;

/// Every `rf`; events may be added in any order that the causal order allows.
#[derive(Default)]
pub(in crate::explore) struct ReadsFromGaps {
    room: Room,
    witness: GapWitness,
    /// What became of each event of a graph in what a revisit keeps of it, and back.
    map: Vec<EventId>,
    back: Vec<EventId>,
    /// The writes that a revisit keeps, location by location, the latest first.
    ranked: Vec<EventId>,
}

impl Regime for ReadsFromGaps {
    const SEARCHES_COHERENCE: bool = true;
    const RENEWS_READS: bool = true;
    const COUNTS_COHERENCE: bool = false;
    const STOPS_SPINS: bool = false;
    const HAS_GAPS: bool = true;
    const TRACKS: bool = true;

    /// No rows are kept, because the coherence order of the graph may change.
    fn stage(explorer: &mut Explorer<'_, Self>, at: Snapshot) {
        explorer.graph_mut().note_lost_rows();
        explorer.stage_dependencies(at);
    }

    /// Those that it may see under some coherence order.
    fn find_sources(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        conditional: Option<&Conditional>,
    ) -> Result<(), Late> {
        let first = explorer.choices.end();
        let mut graph = explorer.graphs.take_current();
        let found = explorer.find_sources_in(&mut graph, read, conditional);
        *explorer.graphs.current_mut() = graph;
        found?;
        explorer.drop_missed(read, conditional, first);
        Ok(())
    }

    /// In place if the witness allows it. The read has the right class.
    fn link_read(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        source: EventId,
        is_stale: bool,
    ) -> Result<(), Late> {
        let graph = explorer.graphs.current_mut();
        graph.link_read(read, source);
        let fits = explorer.plan.checks().is_consistent(graph, &mut explorer.work);
        graph.unlink_read(read);
        if !fits {
            explorer.graphs.enter_copy();
        }
        explorer.graphs.link_read(read, source, is_stale);
        if fits {
            return Ok(());
        }
        explorer.order_anew()
    }

    /// All places are alike.
    fn find_places(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Late> {
        let mut graph = explorer.graphs.take_current();
        let allows = explorer.find_order(&mut graph);
        *explorer.graphs.current_mut() = graph;
        if allows? {
            let graph = explorer.graph();
            let last = graph.loc(graph.event(write).loc()).last;
            explorer.choices.options().push(last);
        }
        Ok(())
    }

    /// In place if the witness allows it.
    fn link_write(explorer: &mut Explorer<'_, Self>, write: EventId, after: EventId) -> Result<(), Late> {
        if !explorer.graph().event(write).is_exclusive() {
            let graph = explorer.graphs.current_mut();
            graph.link_write(write, after);
            let fits = explorer.plan.checks().is_consistent(graph, &mut explorer.work);
            graph.unlink_write(write);
            if fits {
                explorer.graphs.link_write(write, after);
                return Ok(());
            }
        }
        explorer.graphs.enter_copy();
        explorer.order_anew()
    }

    fn find_revisits(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Stop> {
        explorer.find_revisits_with_gaps(write)
    }

    fn enter_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> (EventId, EventId) {
        explorer.enter_revisit_with_gaps(read, write)
    }

    fn open_outcome(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> Result<bool, Stop> {
        explorer.open_outcome_with_gaps(read, write)
    }

    /// The write stands where a witness puts it, if there is any.
    fn take_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> Result<bool, Stop> {
        explorer.graphs.renew(read);
        let graph = explorer.graphs.current();
        if !explorer.regime.witness.find(explorer.plan, graph, &mut explorer.work)? {
            explorer.graphs.leave();
            return Ok(false);
        }
        explorer.regime.witness.give_to(explorer.graphs.current_mut());
        explorer.outcome.revisits += 1;
        explorer.check_placed(write)?;
        Self::deliver_revisit(explorer, read)?;
        Ok(true)
    }

    fn deliver_revisit(explorer: &mut Explorer<'_, Self>, read: EventId) -> Result<(), Stop> {
        explorer.deliver_revisit_with_gaps(read)
    }

    fn forget_opened(explorer: &mut Explorer<'_, Self>) {
        explorer.regime.room.opened.clear();
    }

    fn is_known(explorer: &mut Explorer<'_, Self>) -> bool {
        let execution = choices_of(explorer.graph(), false);
        !explorer.regime.room.known.insert(execution)
    }

    fn return_to(graph: &mut Graph, read: EventId) {
        graph.go_back_to(read);
    }
}

impl WithGaps for ReadsFromGaps {
    fn room(&mut self) -> &mut Room {
        &mut self.room
    }

    fn allows(explorer: &mut Explorer<'_, Self>, part: &mut Graph) -> Result<bool, Late> {
        Ok(explorer.plan.checks().is_consistent(part, &mut explorer.work) || explorer.find_order(part)?)
    }

    fn allows_half(
        explorer: &mut Explorer<'_, Self>,
        part: &mut Graph,
        _half: EventId,
        _source: EventId,
    ) -> Result<bool, Late> {
        explorer.find_order(part)
    }

    /// Finds the order of what stays.
    fn start_judging(
        explorer: &mut Explorer<'_, Self>,
        graph: &Graph,
        keeps: &dyn Fn(EventId) -> bool,
    ) -> Result<bool, Late> {
        let mut part = explorer.graphs.empty();
        graph.part_into(keeps, None, &mut part, &mut explorer.regime.map);
        release_halves(graph, &mut part, &explorer.regime.map);
        let ReadsFromGaps { witness, map, back, ranked, .. } = &mut explorer.regime;
        if !witness.find(explorer.plan, &part, &mut explorer.work)? {
            return Ok(false);
        }
        back.clear();
        back.resize(part.len(), EventId::NONE);
        for (old, new) in map.iter().enumerate().filter(|(_, new)| new.is_some()) {
            back[new.at()] = EventId::from_usize(old);
        }
        ranked.clear();
        for loc in part.written_locs() {
            ranked.extend(witness.order(loc).into_iter().rev().map(|write| back[write.at()]));
        }
        Ok(true)
    }

    fn rank(
        explorer: &Explorer<'_, Self>,
        graph: &Graph,
        _part: &Graph,
        read: EventId,
        stays: &dyn Fn(EventId) -> bool,
    ) -> Vec<EventId> {
        let loc = graph.event(read).loc();
        let is_of_loc = |id: &EventId| {
            let event = graph.event(*id);
            event.label() == Label::Write && event.loc() == loc
        };
        let newest = (0..graph.len()).rev().map(EventId::from_usize);
        let removed = newest.filter(|id| is_of_loc(id) && !stays(*id));
        let kept = explorer.regime.ranked.iter().copied().filter(is_of_loc);
        let map = &explorer.regime.room.map;
        let there = removed.chain(kept).map(|id| map[id.at()]).filter(|id| id.is_some());
        there.chain([EventId::NONE]).collect()
    }
}

impl Explorer<'_, ReadsFromGaps> {
    /// Whether there is a coherence order under which a graph is consistent.
    fn find_order(&mut self, graph: &mut Graph) -> Result<bool, Late> {
        self.regime.witness.find(self.plan, graph, &mut self.work)
    }

    /// Gives the current graph, a copy, another coherence order.
    fn order_anew(&mut self) -> Result<(), Late> {
        let found = self.regime.witness.find(self.plan, self.graphs.current(), &mut self.work)?;
        assert!(found, "an option has a witness");
        self.regime.witness.give_to(self.graphs.current_mut());
        Ok(())
    }

    fn find_sources_in(
        &mut self,
        graph: &mut Graph,
        read: EventId,
        conditional: Option<&Conditional>,
    ) -> Result<(), Late> {
        let loc = graph.event(read).loc();
        let mut writes: Vec<EventId> = graph.co_after(loc, EventId::NONE).collect();
        writes.reverse();
        writes.push(EventId::NONE);
        for write in writes {
            self.work.check_time()?;
            if let Some(kinds) = conditional {
                self.plan.upkeep().reclassify(graph, read, kinds.class(graph, write));
            }
            graph.link_read(read, write);
            let allows = ReadsFromGaps::allows(self, graph);
            graph.unlink_read(read);
            if allows? {
                self.choices.options().push(write);
            }
        }
        Ok(())
    }
}

/// Lets the writes of read-modify-writes that were kept without their reads stand anywhere.
fn release_halves(graph: &Graph, part: &mut Graph, map: &[EventId]) {
    for (old, new) in map.iter().enumerate().filter(|(_, new)| new.is_some()) {
        let event = graph.event(EventId::from_usize(old));
        if event.is_write_half() && map[event.po_prev.at()].is_none() {
            part.event_mut(*new).flags &= !EXCLUSIVE;
        }
    }
}
