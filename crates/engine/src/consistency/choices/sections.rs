//! Choices of atomic sections, and what every model asks of them (Mixer §5).
//!
//! Sections are serialisable: `[S] ; po ; [S]`, `rf`, `co` and `fr` together have no cycle, where S are the events of
//! sections. (That a section happens at once is in `fr`, which leads from both its events.)

use crate::consistency::choices::cells::{collect, each_combination, is_newest, number_of, write_at};
use crate::consistency::plan::layout::Plan;
use crate::consistency::rows::po::predecessors;
use crate::consistency::{Late, Workspace};
use crate::graph::Graph;
use crate::ids::{EventId, LocId};

impl Plan {
    /// The choices of sources for new cells that a section reads, that of the newest writes first.
    pub fn readable_in_section(
        &self,
        graph: &mut Graph,
        read: EventId,
        cells: &[LocId],
        work: &mut Workspace,
        out: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        let (count, class) = (graph.cells.read_count(read), graph.event(read).class);
        let was_newest = graph.has_read_newest(read);
        let limits: Vec<usize> = cells.iter().map(|cell| self.oldest_in_sight(graph, read, *cell)).collect();
        let mut sources = vec![EventId::NONE; cells.len()];
        each_combination(&limits, |digits| {
            work.check_time_now_and_then()?;
            for (at, cell) in cells.iter().enumerate() {
                sources[at] = write_at(graph.cells.cell(*cell), digits[at]);
            }
            graph.cells.read_more(read, cells, &sources, class);
            self.upkeep().see_in_cells(graph, read);
            let newest = was_newest && is_newest(digits);
            let broken = self.broken_in_cells(graph, read, newest, work);
            graph.cells.read_less(read, count);
            match broken {
                Some(axiom) => work.forbid(axiom),
                None => out.push(number_of(graph, cells, sources.iter().copied())),
            }
            Ok(())
        })?;
        self.upkeep().see_in_cells(graph, read);
        self.upkeep().order_in_cells(graph, read);
        self.upkeep().settle_orders(graph);
        Ok(())
    }

    /// Whether an event that was just linked is on a cycle of sections.
    pub(in crate::consistency) fn is_on_cycle_of_sections(
        &self,
        graph: &Graph,
        event: EventId,
        work: &mut Workspace,
    ) -> bool {
        let before = &mut work.eco.1;
        collect(graph, event, before, |graph, x, found| {
            graph.each_eco_prev(x, &mut *found);
            if graph.is_in_section(x) {
                each_earlier_section(graph, x, found);
            }
        });
        before[1..].contains(&event)
    }
}

/// Calls back with the events of sections that come before one in program order.
fn each_earlier_section(graph: &Graph, event: EventId, found: &mut dyn FnMut(EventId)) {
    let mut seen = vec![event];
    let mut at = 0;
    while at < seen.len() {
        for earlier in predecessors(graph, seen[at]) {
            if !seen.contains(&earlier) {
                seen.push(earlier);
                if graph.is_in_section(earlier) {
                    found(earlier);
                    // What comes before that is found from there.
                    continue;
                }
            }
        }
        at += 1;
    }
}
