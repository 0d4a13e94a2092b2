//! Exploration of accesses of several sizes: Mixer (POPL 2025, Algorithm 1).
//!
//! An instruction is added as a whole, with a source or a place for each of its cells, and several writes may revisit
//! a read together (`revisits`). Threads take turns from left to right (`Schedule`), which tie-breaking relies on, once
//! some access has several cells.
//!
//! Departs 1: cells (`Locations`) stand for bytes: what no access tells apart is chosen together.
//! Departs 2: the two halves of a read-modify-write are two events, of which the second follows at once, as in TruSt.
//! Departs 3: a thread that has joined others comes, from then on, after them in the order of threads.

mod revisits;
mod sections;

use crate::consistency::{write_at, writes_of, Conditional, Late};
use crate::explore::choices::read::Condition;
use crate::explore::regimes::in_cells::class_with;
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::Graph;
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::Mode;
use crate::vm::{PairAccess, Snapshot};

/// Every `rf` and `co` of every cell.
#[derive(Default)]
pub(in crate::explore) struct Mixed {
    /// The writes that revisit together with the newest one, in the graph that is being entered.
    kept: Vec<EventId>,
}

impl Regime for Mixed {
    const RENEWS_READS: bool = false;
    const READS_ANNOTATIONS: bool = false;
    const HAS_SECTIONS: bool = true;
    const HAS_CELLS: bool = true;

    fn find_sources(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        conditional: Option<&Conditional>,
    ) -> Result<(), Late> {
        explorer.attach(read);
        let Explorer { graphs, locations, plan, work, choices, states, .. } = explorer;
        let graph = graphs.current_mut();
        if !graph.cells.has_wide() {
            return plan.readable_in_cell(graph, read, conditional, work, choices.options());
        }
        let event = *graph.event(read);
        let classify = |graph: &Graph, sources: &[EventId]| {
            class_with(locations, states, graph, &event, sources, conditional)
        };
        plan.readable_in_cells(graph, read, &classify, work, choices.options())
    }

    fn link_read(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        choice: EventId,
        is_stale: bool,
    ) -> Result<(), Late> {
        let graph = explorer.graphs.current_mut();
        if !graph.cells.has_wide() {
            let source = write_at(graph.cells.cell(graph.cells.only(read).0), choice.at());
            graph.cells.link_read(read, std::iter::once(source));
            explorer.plan.upkeep().order_read_later(graph, read, is_stale);
            return Ok(());
        }
        let sources: Vec<EventId> = writes_of(graph, graph.cells.of(read), choice).collect();
        graph.cells.link_read(read, sources.into_iter());
        explorer.plan.upkeep().order_read_later(graph, read, is_stale);
        Ok(())
    }

    fn find_places(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Late> {
        explorer.attach(write);
        let graph = explorer.graphs.current_mut();
        explorer.plan.placeable_in_cells(graph, write, &mut explorer.work, explorer.choices.options())
    }

    /// As in `Coherence`, where every access has one cell.
    fn settle_for_write_half(explorer: &mut Explorer<'_, Self>, read: EventId) {
        let graph = explorer.graphs.current_mut();
        let (place, source) = graph.cells.only(read);
        if !graph.cells.has_wide() && graph.splits_rmw_in(place, source) {
            explorer.plan.upkeep().settle_for_revisits(graph);
        } else {
            explorer.plan.upkeep().settle_orders(graph);
        }
    }

    fn find_exclusive_place(
        explorer: &mut Explorer<'_, Self>,
        write: EventId,
        _source: EventId,
    ) -> Result<(), Late> {
        explorer.attach(write);
        let graph = explorer.graphs.current_mut();
        let place = explorer.plan.place_exclusive_in_cells(graph, write, &mut explorer.work);
        explorer.choices.options().extend(place);
        Ok(())
    }

    fn link_write(explorer: &mut Explorer<'_, Self>, write: EventId, choice: EventId) -> Result<(), Late> {
        let graph = explorer.graphs.current_mut();
        if graph.cells.has_wide() {
            let after: Vec<EventId> = writes_of(graph, graph.cells.of(write), choice).collect();
            graph.cells.link_write(write, after.into_iter());
        } else {
            let after = write_at(graph.cells.cell(graph.cells.only(write).0), choice.at());
            graph.cells.link_write(write, std::iter::once(after));
        }
        explorer.plan.upkeep().order_in_cells(graph, write);
        Ok(())
    }

    fn unlink(graph: &mut Graph, event: EventId) {
        graph.cells.unlink(event);
    }

    fn find_revisits(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Stop> {
        explorer.find_joint_revisits(write)
    }

    fn enter_revisit(
        explorer: &mut Explorer<'_, Self>,
        option: EventId,
        write: EventId,
    ) -> (EventId, EventId) {
        explorer.enter_joint_revisit(option, write)
    }

    fn take_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> Result<bool, Stop> {
        let first = explorer.choices.end();
        explorer.find_joint_choices(read, write)?;
        explorer.take_first_place(read, write, first)
    }

    fn shape_revisit(_explorer: &mut Explorer<'_, Self>, _read: EventId, _write: EventId) {}

    fn place_revisit(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        write: EventId,
        choice: EventId,
    ) -> Result<(), Stop> {
        explorer.take_joint_choice(read, write, choice)
    }

    fn add_pair(
        explorer: &mut Explorer<'_, Self>,
        (thread, at): (ThreadId, Snapshot),
        (address, mode): (u64, Mode),
        access: PairAccess,
    ) -> Result<Step, Stop> {
        explorer.add_pair_event(thread, at, (address, mode), access)
    }

    fn begin_section(
        explorer: &mut Explorer<'_, Self>,
        thread: ThreadId,
        at: Snapshot,
    ) -> Result<Step, Stop> {
        Ok(explorer.add_section(thread, at))
    }

    fn go_on_with_section(explorer: &mut Explorer<'_, Self>, read: EventId) -> Result<Step, Stop> {
        explorer.continue_section(read, None)
    }

    fn take_source_of_section(
        explorer: &mut Explorer<'_, Self>,
        newest: EventId,
        option: EventId,
    ) -> Result<(), Stop> {
        explorer.continue_section(explorer.running_section(newest), Some(option)).map(|_| ())
    }

    fn return_to_section(explorer: &mut Explorer<'_, Self>, newest: EventId, count: usize) {
        explorer.rewind_section(explorer.running_section(newest), count);
    }

    fn check_section(explorer: &mut Explorer<'_, Self>, access: EventId) -> Result<(), Stop> {
        explorer.check_section_access(access)
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
}

impl Explorer<'_, Mixed> {
    /// A revisited read, whose views have its past in `po`, sees a write per cell.
    fn see(&mut self, read: EventId, sources: impl IntoIterator<Item = EventId>) {
        let graph = self.graphs.current_mut();
        graph.cells.link_read(read, sources.into_iter());
        self.plan.upkeep().learn_in_cells(graph, read);
        self.plan.upkeep().order_in_cells(graph, read);
    }
}
