//! What regimes share in which accesses may have several cells: cells of new events, and values.

use crate::consistency::{write_at, writes_of, Conditional};
use crate::explore::choices::locations::Locations;
use crate::explore::choices::read::Condition;
use crate::explore::regimes::Regime;
use crate::explore::threads::states::States;
use crate::explore::Explorer;
use crate::graph::{Event, Graph};
use crate::ids::EventId;
use crate::vm::PAIR;

impl<R: Regime> Explorer<'_, R> {
    /// Gives the newest event its cells.
    pub(super) fn attach(&mut self, event: EventId) {
        let graph = self.graphs.current_mut();
        attach(&self.locations, graph, event);
        if !graph.event(event).is_read() && graph.event(event).access().size == PAIR {
            self.keep_pair_written(event);
        }
    }

    /// What a read has if it takes an option.
    pub(super) fn value_of_choice_in_cells(&self, read: EventId, choice: EventId) -> u64 {
        let graph = self.graph();
        if !graph.cells.has_wide() {
            let loc = graph.cells.only(read).0;
            return self.value_of(loc, write_at(graph.cells.cell(loc), choice.at()));
        }
        let sources = writes_of(graph, graph.cells.of(read), choice);
        self.locations.assemble(graph, graph.event(read).access(), sources)
    }

    /// Whether a read whose write depends on its value is followed by it if it takes an option.
    pub(super) fn is_met_in_cells(&self, condition: &Condition, read: EventId, choice: EventId) -> bool {
        let graph = self.graph();
        match graph.event(read).access().size {
            PAIR => self.is_met(condition, graph.event(read), writes_of(graph, graph.cells.of(read), choice)),
            _ => condition.holds(R::value_of_choice(self, read, choice)),
        }
    }

    /// What a linked read reads.
    pub(super) fn value_read_in_cells(&self, read: EventId) -> u64 {
        let graph = self.graph();
        if !graph.cells.has_wide() {
            let (loc, source) = graph.cells.only(read);
            return self.value_of(loc, source);
        }
        let sources = graph.cells.sources(read).iter().copied();
        self.locations.assemble(graph, graph.event(read).access(), sources)
    }

    /// What a placed write overwrites.
    pub(super) fn value_overwritten_in_cells(&self, write: EventId) -> u64 {
        let graph = self.graph();
        let before = graph.cells.of(write).iter().map(|cell| {
            let older = graph.cells.cell(*cell).before(write);
            older.last().copied().unwrap_or(EventId::NONE)
        });
        self.locations.assemble(graph, graph.event(write).access(), before)
    }
}

/// Gives the newest event of a graph its cells.
pub(super) fn attach(locations: &Locations, graph: &mut Graph, event: EventId) {
    let Event { class, .. } = *graph.event(event);
    let (cells, is_read) = (locations.cells(graph.event(event).loc()), graph.event(event).is_read());
    graph.cells.attach(event, cells, is_read, class);
}

/// The class of a read that sees these writes, if it depends on them.
pub(super) fn class_with(
    locations: &Locations,
    states: &States,
    graph: &Graph,
    read: &Event,
    sources: &[EventId],
    conditional: Option<&Conditional>,
) -> Option<u8> {
    let (access, sources) = (read.access(), || sources.iter().copied());
    let writes = |kinds: &Conditional| match access.size {
        PAIR => {
            locations.assemble_pair(graph, access, sources()) == states.pair_operands(read.snapshot).first
        }
        _ => (kinds.writes)(locations.assemble(graph, access, sources())),
    };
    conditional.map(|kinds| if writes(kinds) { kinds.writing } else { kinds.failing })
}
