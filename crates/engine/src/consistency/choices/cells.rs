//! Choices of accesses of several sizes (Mixer §4.3): a source, or a place, for each cell at once.
//!
//! Every consistent choice of whole instructions is found by trying the products of what single cells allow. A choice
//! is a number: the digit of each cell counts from the newest write (0) to the initial one.
//!
//! A model means its lifted relations, and accesses are single-copy atomic: `rf ∪ co ∪ fr` has no cycle. For
//! `coherence v` that union may be passed through any number of cells (Mixer §6.2).

use crate::consistency::plan::layout::Plan;
use crate::consistency::rows::orders::Order;
use crate::consistency::{Late, Workspace};
use crate::graph::{Cell, Graph};
use crate::ids::{EventId, LocId};

/// What forbids an access to be torn: it is no axiom of the model.
const ATOMICITY: usize = usize::MAX;

/// The write that a digit stands for in a cell.
pub fn write_at(cell: &Cell, digit: usize) -> EventId {
    match cell.writes.len().checked_sub(digit + 1) {
        Some(position) => cell.writes[position],
        None => EventId::NONE,
    }
}

/// The number of a choice of one write per cell.
pub(in crate::consistency) fn number_of(
    graph: &Graph,
    cells: &[LocId],
    writes: impl Iterator<Item = EventId>,
) -> EventId {
    let (mut number, mut weight) = (0, 1);
    for (cell, write) in cells.iter().map(|cell| graph.cells.cell(*cell)).zip(writes) {
        number += weight * cell.after(write).len() as u32;
        weight *= cell.writes.len() as u32 + 1;
    }
    EventId(number)
}

/// The writes that a choice stands for, by cell.
pub fn writes_of<'a>(
    graph: &'a Graph,
    cells: &'a [LocId],
    choice: EventId,
) -> impl Iterator<Item = EventId> + 'a {
    let mut rest = choice.at();
    cells.iter().map(move |cell| {
        let cell = graph.cells.cell(*cell);
        let digit = rest % (cell.writes.len() + 1);
        rest /= cell.writes.len() + 1;
        write_at(cell, digit)
    })
}

/// Every combination of digits up to given limits, all zero first, the first digit fastest.
pub fn each_combination(
    limits: &[usize],
    mut found: impl FnMut(&[usize]) -> Result<(), Late>,
) -> Result<(), Late> {
    let mut digits = vec![0; limits.len()];
    loop {
        found(&digits)?;
        let Some(at) = (0..limits.len()).find(|at| digits[*at] < limits[*at]) else { return Ok(()) };
        digits[at] += 1;
        digits[..at].fill(0);
    }
}

/// Whether digits stand for the newest write of every cell.
pub(in crate::consistency) fn is_newest(digits: &[usize]) -> bool {
    digits.iter().all(|digit| *digit == 0)
}

impl Plan {
    /// The choices of sources for a new read, that of the newest writes first. `classify` gives the read the class
    /// that it has with some sources.
    pub fn readable_in_cells(
        &self,
        graph: &mut Graph,
        read: EventId,
        classify: &dyn Fn(&Graph, &[EventId]) -> Option<u8>,
        work: &mut Workspace,
        out: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        let cells = graph.cells.of(read).to_vec();
        let limits: Vec<usize> = cells.iter().map(|cell| self.oldest_in_sight(graph, read, *cell)).collect();
        let mut sources = vec![EventId::NONE; cells.len()];
        each_combination(&limits, |digits| {
            work.check_time_now_and_then()?;
            for (at, cell) in cells.iter().enumerate() {
                sources[at] = write_at(graph.cells.cell(*cell), digits[at]);
            }
            if let Some(class) = classify(graph, &sources) {
                self.upkeep.reclassify(graph, read, class);
            }
            if self.may_link(graph, read, &sources, is_newest(digits), work) {
                out.push(number_of(graph, &cells, sources.iter().copied()));
            }
            Ok(())
        })?;
        self.upkeep.reenter(graph, read);
        Ok(())
    }

    /// The choices of places for a new write, the newest first.
    pub fn placeable_in_cells(
        &self,
        graph: &mut Graph,
        write: EventId,
        work: &mut Workspace,
        out: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        if !graph.cells.has_wide() {
            return self.placeable_in_cell(graph, write, work, out);
        }
        let cells = graph.cells.of(write).to_vec();
        let limits: Vec<usize> = cells.iter().map(|cell| self.oldest_in_sight(graph, write, *cell)).collect();
        let mut after = vec![EventId::NONE; cells.len()];
        let was_newest = graph.has_read_newest(write);
        each_combination(&limits, |digits| {
            work.check_time_now_and_then()?;
            for (at, cell) in cells.iter().enumerate() {
                after[at] = write_at(graph.cells.cell(*cell), digits[at]);
                if graph.splits_rmw_in(*cell, after[at]) {
                    return Ok(());
                }
            }
            if self.may_link(graph, write, &after, was_newest && is_newest(digits), work) {
                out.push(number_of(graph, &cells, after.iter().copied()));
            }
            Ok(())
        })
    }

    /// The place of the write half of a read-modify-write, directly after what the read half read; none if another
    /// one stands there.
    pub fn place_exclusive_in_cells(
        &self,
        graph: &mut Graph,
        write: EventId,
        work: &mut Workspace,
    ) -> Option<EventId> {
        if !graph.cells.has_wide() {
            return self.place_exclusive_in_cell(graph, write, work);
        }
        let read = graph.event(write).po_prev;
        let after = graph.cells.sources(read).to_vec();
        let cells = graph.cells.of(write).to_vec();
        if cells.iter().zip(&after).any(|(cell, after)| graph.splits_rmw_in(*cell, *after)) {
            return None;
        }
        let choice = number_of(graph, &cells, after.iter().copied());
        self.may_link(graph, write, &after, choice == EventId(0), work).then_some(choice)
    }

    /// Whether a new event may see, or stand directly after, one write per cell. The newest choice is consistent
    /// unless an axiom says so about which nothing is known.
    fn may_link(
        &self,
        graph: &mut Graph,
        event: EventId,
        writes: &[EventId],
        is_newest: bool,
        work: &mut Workspace,
    ) -> bool {
        if is_newest && !self.checks.has_matrices() && !work.audits {
            return true;
        }
        if graph.event(event).is_read() {
            graph.cells.link_read(event, writes.iter().copied());
            self.upkeep.see_in_cells(graph, event);
        } else {
            graph.cells.link_write(event, writes.iter().copied());
        }
        let broken = self.broken_in_cells(graph, event, is_newest, work);
        graph.cells.unlink(event);
        if let Some(axiom) = broken {
            work.forbid(axiom);
        }
        broken.is_none()
    }

    /// The digit of the oldest write of a cell that a new event may see, or stand after: it knows of the next one.
    pub(in crate::consistency) fn oldest_in_sight(
        &self,
        graph: &Graph,
        event: EventId,
        cell: LocId,
    ) -> usize {
        let writes = &graph.cells.cell(cell).writes;
        let known = writes.iter().rev().position(|write| {
            let by_order = |order: &Order| order.co && order.fr && order.has(graph, *write, event);
            self.upkeep.orders().iter().any(by_order) || self.checks.knows_by_view(graph, event, *write)
        });
        known.unwrap_or(writes.len())
    }

    /// The axiom that an event breaks which is linked in all its cells, and which nothing follows in `po`. If it took
    /// the newest choice, nothing follows it at all, and only what nothing is known of can forbid it.
    pub fn broken_in_cells(
        &self,
        graph: &Graph,
        event: EventId,
        is_newest: bool,
        work: &mut Workspace,
    ) -> Option<usize> {
        let broken = self.find_broken(graph, event, is_newest, work);
        if work.audits {
            self.audit_in_cells(graph, event, broken, work);
        }
        broken
    }

    /// Compares an answer with what the axioms mean.
    fn audit_in_cells(&self, graph: &Graph, event: EventId, broken: Option<usize>, work: &mut Workspace) {
        let after = &mut work.eco.0;
        collect(graph, event, after, |graph, x, found| graph.each_eco_next(x, found));
        let is_torn = after[1..].contains(&event)
            || (graph.cells.has_sections() && self.is_on_cycle_of_sections(graph, event, work));
        let is_right = !is_torn && self.checks.is_consistent(graph, work);
        assert_eq!(broken.is_none(), is_right, "{broken:?} for {:?}", graph.event(event));
    }

    fn find_broken(
        &self,
        graph: &Graph,
        event: EventId,
        is_newest: bool,
        work: &mut Workspace,
    ) -> Option<usize> {
        if is_newest {
            return self.checks.has_matrices().then(|| self.checks.broken_matrix(graph, work)).flatten();
        }
        self.upkeep
            .cycle_in_cells(graph, event)
            .or_else(|| self.broken_by_eco(graph, event, work))
            .or_else(|| self.checks.broken_search(graph, &[event], work))
    }

    /// The axiom by which the event may not stand between its predecessors and its successors in `rf`, `co` and `fr`.
    fn broken_by_eco(&self, graph: &Graph, event: EventId, work: &mut Workspace) -> Option<usize> {
        if self.checks.has_no_coherence() && self.upkeep.has_eco_in_orders(graph.cells.has_sections()) {
            return None; // The order says as much.
        }
        if graph.cells.has_sections() && self.is_on_cycle_of_sections(graph, event, work) {
            return Some(ATOMICITY);
        }
        let (after, before) = &mut work.eco;
        collect(graph, event, after, |graph, x, found| graph.each_eco_next(x, found));
        if after.len() == 1 {
            return None;
        }
        if after[1..].contains(&event) {
            return Some(ATOMICITY);
        }
        collect(graph, event, before, |graph, x, found| graph.each_eco_prev(x, found));
        self.checks.contradicted(graph, before, &after[1..])
    }
}

/// Fills a list with an event and all that can be reached from it. The event is there twice if it can be reached.
pub(in crate::consistency) fn collect(
    graph: &Graph,
    from: EventId,
    list: &mut Vec<EventId>,
    next: impl Fn(&Graph, EventId, &mut dyn FnMut(EventId)),
) {
    list.clear();
    list.push(from);
    let mut at = 0;
    while at < list.len() {
        let x = list[at];
        let mut found = |y: EventId| {
            if !list[1..].contains(&y) {
                list.push(y);
            }
        };
        next(graph, x, &mut found);
        at += 1;
    }
}
