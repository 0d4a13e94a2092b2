//! Exploration of accesses of several sizes where events may be missing in the middle of threads.
//!
//! It joins what `Gaps` does with what `Mixed` does: an instruction is added as a whole, with a source or a place for
//! each of its cells, and several writes may revisit a read together (Mixer §3.2). A revisit keeps what the writes
//! depend on, and threads run again from the first missing event (thesis §5.7). Every choice is judged by what the axioms
//! mean for pieces of accesses (`consistency::choices::pieces`).
//!
//! Departs 1: an event counts as added maximally if it took the first choice that is consistent with what was there, in
//! the order in which choices are tried: the newest writes first, and the first cell changes fastest.
//! Departs 2 from Mixer: there is no tie-breaking, which relies on `po` in the causal order. Writes that revisit
//! together may do so whichever comes last, so executions may be found more than once. They are told apart when they
//! are full (`known`), so an exploration has one worker.
//! Departs 3: atomic sections are refused.

mod maximal;
mod revisits;

use crate::consistency::{writes_of, Conditional, Late};
use crate::explore::choices::read::Condition;
use crate::explore::regimes::in_cells::class_with;
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::{Graph, Payload};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::Mode;
use crate::vm::{PairAccess, Snapshot, PAIR};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Every `rf` and `co` of every cell; events may be added in any order that the causal order allows.
#[derive(Default)]
pub(in crate::explore) struct MixedGaps {
    /// What became of each event of a graph in a part of it.
    map: Vec<EventId>,
    /// The writes that revisit together with the newest one, in the graph that is being entered.
    kept: Vec<EventId>,
    /// Whether the read of that graph has to be followed by its write, if its outcome has to change.
    outcome: Option<bool>,
    /// Executions that were found.
    known: HashSet<Vec<u32>>,
}

impl Regime for MixedGaps {
    const RENEWS_READS: bool = true;
    const MAY_LEAVE_OUT_JOINS: bool = false;
    const STOPS_SPINS: bool = false; // As in `Gaps`.
    const READS_ANNOTATIONS: bool = false;
    const HAS_CELLS: bool = true;
    const HAS_GAPS: bool = true;
    const TRACKS: bool = true;

    fn find_sources(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        conditional: Option<&Conditional>,
    ) -> Result<(), Late> {
        explorer.attach(read);
        let event = *explorer.graph().event(read);
        let drops_missed = conditional.is_some() && explorer.graph().has_kept_after(read);
        let first = explorer.choices.end();
        let Explorer { graphs, locations, plan, work, choices, states, .. } = &mut *explorer;
        let classify = |graph: &Graph, sources: &[EventId]| {
            class_with(locations, states, graph, &event, sources, conditional)
        };
        plan.each_source_in_pieces(graphs.current_mut(), read, &classify, work, |_, _, choice, _| {
            choices.options().push(choice);
            ControlFlow::Continue(())
        })?;
        if drops_missed {
            explorer.drop_missed_sources(read, conditional, first);
        }
        Ok(())
    }

    fn link_read(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        choice: EventId,
        is_stale: bool,
    ) -> Result<(), Late> {
        let graph = explorer.graphs.current_mut();
        let sources: Vec<EventId> = writes_of(graph, graph.cells.of(read), choice).collect();
        graph.cells.link_read(read, sources.into_iter());
        explorer.plan.upkeep().order_read_later(graph, read, is_stale);
        Ok(())
    }

    fn find_places(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Late> {
        explorer.attach(write);
        let Explorer { graphs, plan, work, choices, .. } = explorer;
        plan.each_place_in_pieces(graphs.current_mut(), write, work, |_, choice, _| {
            choices.options().push(choice);
            ControlFlow::Continue(())
        })
    }

    fn link_write(explorer: &mut Explorer<'_, Self>, write: EventId, choice: EventId) -> Result<(), Late> {
        let graph = explorer.graphs.current_mut();
        let after: Vec<EventId> = writes_of(graph, graph.cells.of(write), choice).collect();
        graph.cells.link_write(write, after.into_iter());
        explorer.plan.upkeep().order_in_cells(graph, write);
        Ok(())
    }

    fn unlink(graph: &mut Graph, event: EventId) {
        graph.cells.unlink(event);
    }

    fn find_revisits(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Stop> {
        explorer.find_joint_revisits_with_gaps(write)
    }

    fn enter_revisit(
        explorer: &mut Explorer<'_, Self>,
        option: EventId,
        write: EventId,
    ) -> (EventId, EventId) {
        explorer.enter_joint_revisit_with_gaps(option, write)
    }

    fn take_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> Result<bool, Stop> {
        let first = explorer.choices.end();
        explorer.find_joint_choices_with_gaps(read, write)?;
        explorer.take_first_place(read, write, first)
    }

    fn shape_revisit(_explorer: &mut Explorer<'_, Self>, _read: EventId, _write: EventId) {}

    fn place_revisit(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        write: EventId,
        choice: EventId,
    ) -> Result<(), Stop> {
        explorer.take_joint_choice_with_gaps(read, write, choice)
    }

    /// The thread goes on from the read unless an earlier event is missing.
    fn deliver_revisit(explorer: &mut Explorer<'_, Self>, read: EventId) -> Result<(), Stop> {
        if explorer.graph_mut().go_back_to(read) {
            explorer.deliver(read)?;
            explorer.pass_over_moved_half(read);
            return Ok(());
        }
        let value = explorer.value_read_in_cells(read);
        explorer.graph_mut().event_mut(read).access_mut().value = value;
        if explorer.graph().event(read).access().size == PAIR {
            explorer.keep_pair_read(read);
        }
        Ok(())
    }

    fn add_pair(
        explorer: &mut Explorer<'_, Self>,
        (thread, at): (ThreadId, Snapshot),
        (address, mode): (u64, Mode),
        access: PairAccess,
    ) -> Result<Step, Stop> {
        explorer.add_pair_event(thread, at, (address, mode), access)
    }

    fn value_of_choice(explorer: &Explorer<'_, Self>, read: EventId, choice: EventId) -> u64 {
        explorer.value_of_choice_in_cells(read, choice)
    }

    fn is_met(explorer: &Explorer<'_, Self>, condition: &Condition, read: EventId, choice: EventId) -> bool {
        explorer.is_met_in_cells(condition, read, choice)
    }

    fn keep_pair(explorer: &mut Explorer<'_, Self>, read: EventId) {
        explorer.keep_pair_read(read);
    }

    fn value_read(explorer: &Explorer<'_, Self>, read: EventId, _: LocId) -> u64 {
        explorer.value_read_in_cells(read)
    }

    fn value_overwritten(explorer: &Explorer<'_, Self>, write: EventId) -> u64 {
        explorer.value_overwritten_in_cells(write)
    }

    fn is_known(explorer: &mut Explorer<'_, Self>) -> bool {
        let execution = choices_of(explorer.graph());
        !explorer.regime.known.insert(execution)
    }

    fn is_forbidden(explorer: &mut Explorer<'_, Self>) -> bool {
        !explorer.plan.is_consistent_in_pieces(explorer.graphs.current(), &mut explorer.work)
    }

    fn return_to(graph: &mut Graph, read: EventId) {
        graph.go_back_to(read);
    }
}

/// All choices of a graph: what each piece of a read sees, the value of each choice, and the order of writes of each
/// cell.
fn choices_of(graph: &Graph) -> Vec<u32> {
    let name = |id: EventId| match id.is_some() {
        true => [graph.event(id).thread.0, graph.event(id).index],
        false => [u32::MAX; 2],
    };
    let mut ids: Vec<EventId> = (0..graph.len()).map(EventId::from_usize).collect();
    ids.sort_unstable_by_key(|id| name(*id));
    let mut found = Vec::new();
    for id in ids {
        found.extend(name(id));
        match graph.event(id).payload {
            Payload::Read(_) => found.extend(graph.cells.sources(id).iter().flat_map(|source| name(*source))),
            Payload::Choose(choice) => found.push(choice.number),
            _ => {}
        }
    }
    for cell in graph.cells.all() {
        found.push(u32::MAX - 1);
        found.extend(cell.writes.iter().flat_map(|write| name(*write)));
    }
    found
}
