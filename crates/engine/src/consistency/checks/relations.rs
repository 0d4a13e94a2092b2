//! The base relations of a graph as bit rows.
//!
//! The nodes are the events by [`EventId`], then one pseudo node a location that has events: its initial
//! write, which the location's reads of `NONE` read from, which is coherence-before all its writes, and which
//! is in no thread (so all its edges are between threads).
//!
//! A read that is not linked, or a write that is not in coherence order, has no such edges.
//! A `Free` of an object that the prologue made is related to no access: the graph does not know the object.

use crate::consistency::checks::bits::Rows;
use crate::consistency::plan::tables::Symbol;
use crate::consistency::rows::po::predecessors;
use crate::graph::{Access, Alloc, Dependency, Event, Graph, Label, Payload, INITIAL};
use crate::ids::{EventId, LocId};

/// No node.
const NO_NODE: u32 = u32::MAX;

/// The nodes of one graph, and room to compute relations over them.
#[derive(Clone, Default)]
pub(in crate::consistency) struct Relations {
    classes: Vec<u8>,
    events: usize,
    /// The locations of the initial writes, in the order of their nodes.
    locs: Vec<LocId>,
    /// The node of a location's initial write.
    initial: Vec<u32>,
    sets: Rows,
    po: Rows,
}

impl Relations {
    /// Numbers the nodes of a graph.
    pub(in crate::consistency) fn prepare(&mut self, graph: &Graph) {
        self.events = graph.len();
        self.classes.clear();
        self.classes.extend(graph.events().iter().map(|event| event.class));
        self.locs.clear();
        self.initial.clear();
        if graph.cells.is_used() {
            let ids = (0..graph.len()).map(EventId::from_usize);
            ids.flat_map(|id| graph.cells.of(id)).for_each(|cell| self.number(*cell));
            return;
        }
        graph.events().iter().filter_map(Event::as_access).for_each(|access| self.number(access.loc));
    }

    /// Gives the initial write of a location a node.
    fn number(&mut self, loc: LocId) {
        if self.initial.len() <= loc.at() {
            self.initial.resize(loc.at() + 1, NO_NODE);
        }
        if self.initial[loc.at()] == NO_NODE {
            self.initial[loc.at()] = self.classes.len() as u32;
            self.classes.push(INITIAL);
            self.locs.push(loc);
        }
    }

    /// The class of every node.
    pub(in crate::consistency) fn classes(&self) -> &[u8] {
        &self.classes
    }

    /// The node of a write, which may be the initial one.
    fn node(&self, loc: LocId, write: EventId) -> usize {
        if write.is_some() {
            write.at()
        } else {
            self.initial[loc.at()] as usize
        }
    }

    /// Fills `rows` with a relation, within threads and between them: circuits keep the part of a scope.
    pub(in crate::consistency) fn fill(&mut self, graph: &Graph, symbol: Symbol, rows: &mut Rows) {
        rows.reset(self.classes.len());
        match symbol {
            Symbol::Po => self.fill_po(graph, rows),
            Symbol::PoImm => each_step(graph, |before, after| rows.set(before, after)),
            Symbol::PoImmLoc | Symbol::PoImmElsewhere => each_step(graph, |before, after| {
                let [x, y] = [before, after].map(EventId::from_usize);
                if is_same_location(graph, x, y) == (symbol == Symbol::PoImmLoc) {
                    rows.set(before, after);
                }
            }),
            Symbol::PoLoc => {
                self.fill_po(graph, rows);
                self.keep_same_location(graph, rows);
            }
            Symbol::Rf(_) => self.each_reader(graph, |write, read| rows.set(write, read)),
            Symbol::Co(_) => self.fill_co(graph, rows),
            Symbol::Fr(_) => unreachable!("a circuit computes it by coherence"),
            Symbol::Rmw => {
                for (at, event) in graph.events().iter().enumerate() {
                    if is_write_half(event) {
                        rows.set(event.po_prev.at(), at);
                    }
                }
            }
            Symbol::Any => rows.add_all(),
            Symbol::SameAccess => rows.add_identity(),
            Symbol::Depends(how) => self.fill_dependencies(graph, how, rows),
            Symbol::SameThread => {
                self.sets.reset_wide(graph.threads().len(), self.classes.len());
                for (at, event) in graph.events().iter().enumerate() {
                    self.sets.set(event.thread.at(), at);
                }
                for (at, event) in graph.events().iter().enumerate() {
                    rows.change_row(at, self.sets.row(event.thread.at()), |_, thread| thread);
                    rows.unset(at, at);
                }
            }
            Symbol::LocOverlap
            | Symbol::Tc
            | Symbol::Tj
            | Symbol::Alloc
            | Symbol::Free
            | Symbol::SameDomain => {
                for x in 0..graph.len() {
                    for y in 0..graph.len() {
                        if x != y && related(graph, symbol, EventId::from_usize(x), EventId::from_usize(y)) {
                            rows.set(x, y);
                        }
                    }
                }
            }
            Symbol::View(_) | Symbol::ViewLoc(_) => {
                unreachable!("Tables::validate allows no view in a matrix program")
            }
        }
    }

    /// A control dependency goes on along `po`, also into threads that are created, and past joins.
    fn fill_dependencies(&mut self, graph: &Graph, how: Dependency, rows: &mut Rows) {
        let ids = (0..graph.len()).map(EventId::from_usize);
        // The address of a fence of SRCU is in no relation.
        for id in ids.filter(|id| how == Dependency::Ctrl || is_access(graph.event(*id))) {
            graph.dependencies(id, how).for_each(|read| rows.set(read.at(), id.at()));
        }
        if how == Dependency::Ctrl {
            let mut po = std::mem::take(&mut self.po);
            po.reset(self.classes.len());
            self.fill_po(graph, &mut po);
            for read in 0..graph.len() {
                for event in (0..graph.len()).filter(|event| *event != read) {
                    if rows.has(read, event) {
                        rows.change_row(read, po.row(event), |row, later| row | later);
                    }
                }
            }
            self.po = po;
        }
    }

    fn fill_po(&self, graph: &Graph, rows: &mut Rows) {
        // Backwards, so that what follows an event is complete when it is added to its predecessors; once more
        // for each event that filled a gap and so came after one that it precedes.
        let mut gaps = 0;
        each_step(graph, |before, after| {
            gaps += usize::from(before > after);
            rows.precede(before, after);
        });
        for _ in 0..gaps {
            each_step(graph, |before, after| rows.precede(before, after));
        }
    }

    /// From-read: a read comes before the writes that are coherence-after the one it sees.
    pub(in crate::consistency) fn fill_fr(&self, graph: &Graph, co: &Rows, rows: &mut Rows) {
        rows.reset(self.classes.len());
        match graph.cells.is_used() {
            true => self.fill_fr_in_cells(graph, rows),
            false => self.each_reader(graph, |write, read| rows.change_row(read, co.row(write), |_, co| co)),
        }
    }

    /// A read comes before the later writes of each of its cells.
    fn fill_fr_in_cells(&self, graph: &Graph, rows: &mut Rows) {
        for loc in &self.locs {
            let cell = graph.cells.cell(*loc);
            for read in &cell.reads {
                let source = graph.cells.source_in(*read, *loc);
                let later = cell.after(source).iter().filter(|write| *write != read);
                later.for_each(|write| rows.set(read.at(), write.at()));
            }
        }
    }

    fn fill_co(&self, graph: &Graph, rows: &mut Rows) {
        if graph.cells.is_used() {
            for loc in &self.locs {
                let writes = &graph.cells.cell(*loc).writes;
                for (at, newer) in writes.iter().enumerate() {
                    rows.set(self.node(*loc, EventId::NONE), newer.at());
                    writes[..at].iter().for_each(|older| rows.set(older.at(), newer.at()));
                }
            }
            return;
        }
        for loc in &self.locs {
            let mut write = graph.loc(*loc).last;
            while write.is_some() {
                let older = graph.co_prev(write);
                rows.precede(self.node(*loc, older), write.at());
                write = older;
            }
        }
    }

    /// Calls back with the nodes of each write and each of its readers.
    fn each_reader(&self, graph: &Graph, mut found: impl FnMut(usize, usize)) {
        if graph.cells.is_used() {
            for loc in &self.locs {
                let reads = graph.cells.cell(*loc).reads.iter();
                for read in reads.filter(|read| graph.event(**read).is_read()) {
                    found(self.node(*loc, graph.cells.source_in(*read, *loc)), read.at());
                }
            }
            return;
        }
        for (at, event) in graph.events().iter().enumerate() {
            if event.label() == Label::Write {
                graph.readers_of(EventId::from_usize(at)).for_each(|read| found(at, read.at()));
            }
        }
        for (at, loc) in self.locs.iter().enumerate() {
            let mut read = graph.loc(*loc).readers;
            while read.is_some() {
                found(self.events + at, read.at());
                read = graph.next_reader(read);
            }
        }
    }

    fn keep_same_location(&mut self, graph: &Graph, rows: &mut Rows) {
        if graph.cells.is_used() {
            self.sets.reset_wide(graph.len(), self.classes.len());
            for x in 0..graph.len() {
                let is_same =
                    |y: &usize| is_same_location(graph, EventId::from_usize(x), EventId::from_usize(*y));
                (0..graph.len()).filter(is_same).for_each(|y| self.sets.set(x, y));
            }
            (0..graph.len()).for_each(|at| rows.change_row(at, self.sets.row(at), |row, same| row & same));
            return;
        }
        self.sets.reset_wide(self.locs.len() + 1, self.classes.len());
        let nowhere = self.locs.len();
        let set_of = |initial: &[u32], event: &Event| match event.as_access() {
            Some(access) => initial[access.loc.at()] as usize - graph.len(),
            None => nowhere,
        };
        for (at, event) in graph.events().iter().enumerate().filter(|(_, event)| is_access(event)) {
            self.sets.set(set_of(&self.initial, event), at);
        }
        for (at, event) in graph.events().iter().enumerate() {
            rows.change_row(at, self.sets.row(set_of(&self.initial, event)), |row, same| row & same);
        }
    }
}

/// Calls back with every immediate step of program order, those to the newest event first.
fn each_step(graph: &Graph, mut found: impl FnMut(usize, usize)) {
    for after in (0..graph.len()).rev() {
        for before in predecessors(graph, EventId::from_usize(after)) {
            found(before.at(), after);
        }
    }
}

/// Whether an event reads or writes a location.
#[inline]
pub(in crate::consistency) fn is_access(event: &Event) -> bool {
    event.as_access().is_some()
}

/// Whether two events are accesses of one location, or of bytes in common.
#[inline(always)]
pub(in crate::consistency) fn is_same_location(graph: &Graph, x: EventId, y: EventId) -> bool {
    if graph.cells.is_used() {
        return graph.overlap(x, y);
    }
    both_accesses(graph.event(x), graph.event(y)).is_some_and(|(x, y)| x.loc == y.loc)
}

/// Whether an event is the write of a read-modify-write; its read is the event before it.
#[inline]
pub(in crate::consistency) fn is_write_half(event: &Event) -> bool {
    event.is_write_half() && event.po_prev.is_some()
}

/// Whether a pair of distinct events is in a relation that follows from the two alone.
pub(in crate::consistency) fn related(graph: &Graph, symbol: Symbol, x: EventId, y: EventId) -> bool {
    let (first, second) = (graph.event(x), graph.event(y));
    match symbol {
        Symbol::SameThread => first.thread == second.thread,
        Symbol::LocOverlap => graph.overlap(x, y),
        Symbol::SameDomain => {
            matches!((&first.payload, &second.payload), (Payload::Fence(x), Payload::Fence(y)) if x.overlaps(y))
        }
        Symbol::Tc => first.created() == Some(second.thread),
        Symbol::Tj => second.joined() == Some(first.thread),
        Symbol::Alloc => matches!(first.payload, Payload::Alloc(alloc) if is_inside(graph, &alloc, y)),
        Symbol::Free => matches!(first.payload, Payload::Free(free)
            if free.alloc.is_some() && is_inside(graph, graph.alloc(free.alloc), y)),
        Symbol::Any => true,
        other => unreachable!("{other:?} needs more than the two events"),
    }
}

fn both_accesses<'a>(x: &'a Event, y: &'a Event) -> Option<(&'a Access, &'a Access)> {
    x.as_access().zip(y.as_access())
}

fn is_inside(graph: &Graph, alloc: &Alloc, access: EventId) -> bool {
    let mut found = false;
    graph.each_run(access, |address, _| found |= alloc.holds(address));
    found
}
