//! The steps of a search: where each leads from an event.
//!
//! A read that is not linked, or a write that is not in coherence order, has no such edges.

use crate::consistency::checks::relations::{is_same_location, is_write_half, related};
use crate::consistency::checks::search::Search;
use crate::consistency::checks::steps::{Walk, WalkStep};
use crate::consistency::plan::tables::{Scope, Symbol};
use crate::consistency::rows::po::predecessors;
use crate::graph::{Graph, Round};
use crate::ids::{EventId, ThreadId};

impl<V: Fn(usize, EventId, EventId) -> bool> Search<'_, V> {
    /// Sees what a step leads to from an event, whose class has passed the step's guard. Steps along links are those of
    /// accesses of one size (see `follow_cells`).
    #[inline(always)]
    pub(in crate::consistency) fn follow(&mut self, step: &WalkStep, x: EventId) {
        let graph = self.graph;
        match step.walk {
            Walk::PoNext => self.follow_po(step, x, |_| true),
            Walk::PoPrev => predecessors(graph, x).for_each(|before| self.see(step, before)),
            Walk::PoNextIf(same) => self.follow_po(step, x, |next| is_alike(graph, x, next) == same),
            Walk::PoPrevIf(same) => {
                let before = predecessors(graph, x).filter(|before| is_alike(graph, x, *before) == same);
                before.for_each(|before| self.see(step, before));
            }
            Walk::CoNext if is_placed(graph, x) => self.see(step, graph.co_next(x)),
            Walk::CoPrev if is_placed(graph, x) => self.see(step, graph.co_prev(x)),
            Walk::FrNext => {
                if let Some(source) = source_in_co(graph, x) {
                    self.see(step, graph.overwriter(graph.event(x).loc(), source));
                }
            }
            Walk::FrPrev if is_placed(graph, x) => {
                self.see_readers(step, x, graph.co_prev(x), Scope::All);
            }
            Walk::Readers(scope) => self.see_readers(step, x, x, scope),
            Walk::Source(scope) if is_linked(graph, x) => {
                self.see_scoped(step, x, graph.rf(x), scope);
            }
            Walk::Newer(scope) if is_placed(graph, x) => self.see_newer(step, x, x, scope),
            Walk::Older(scope) if is_placed(graph, x) => {
                let mut write = graph.co_prev(x);
                while write.is_some() {
                    self.see_scoped(step, x, write, scope);
                    write = graph.co_prev(write);
                }
            }
            Walk::Overwriters(scope) => {
                if let Some(source) = source_in_co(graph, x) {
                    self.see_newer(step, x, source, scope);
                }
            }
            Walk::Overwritten(scope) if is_placed(graph, x) => {
                let mut write = x;
                while write.is_some() {
                    write = graph.co_prev(write);
                    self.see_readers(step, x, write, scope);
                }
            }
            Walk::WriteHalf => {
                self.scratch.po.need_steps(graph);
                let next = self.scratch.po.next(x);
                if next.is_some() && is_write_half(graph.event(next)) {
                    self.see(step, next);
                }
            }
            Walk::ReadHalf if is_write_half(graph.event(x)) => self.see(step, graph.event(x).po_prev),
            Walk::Suffix(view, number) => self.follow_suffixes(step, x, view, number),
            Walk::View(view) => self.see_if(step, x, |search, y| (search.in_view)(view, x, y)),
            Walk::ViewBack(view) => self.see_if(step, x, |search, y| (search.in_view)(view, y, x)),
            Walk::ViewLoc(view) => {
                self.see_if(step, x, |search, y| is_alike(graph, x, y) && (search.in_view)(view, x, y));
            }
            Walk::ViewLocBack(view) => {
                self.see_if(step, x, |search, y| is_alike(graph, x, y) && (search.in_view)(view, y, x));
            }
            Walk::Pairs(symbol) => self.follow_pairs(step, x, symbol, false),
            Walk::PairsBack(symbol) => self.follow_pairs(step, x, symbol, true),
            Walk::CoNext
            | Walk::CoPrev
            | Walk::FrPrev
            | Walk::Source(_)
            | Walk::Newer(_)
            | Walk::Older(_)
            | Walk::Overwritten(_)
            | Walk::ReadHalf => {} // Not linked, or not in coherence order, or no half.
        }
    }

    /// Sees an event (not `NONE`) in the step's target state, unless the guard forbids it.
    #[inline(always)]
    fn see(&mut self, step: &WalkStep, to: EventId) {
        if to.is_none() || !step.after.has(self.graph.event(to).class) {
            return;
        }
        let node = self.node(to, step.target);
        if self.scratch.stamps[node] != self.scratch.now {
            self.scratch.stamps[node] = self.scratch.now;
            self.scratch.stack.push((to, step.target));
        }
    }

    #[inline(always)]
    fn see_scoped(&mut self, step: &WalkStep, x: EventId, to: EventId, scope: Scope) {
        let same = |to| self.graph.event(to).thread == self.graph.event(x).thread;
        let in_scope = match scope {
            Scope::All => true,
            Scope::External => to.is_some() && !same(to),
            Scope::Internal => to.is_some() && same(to),
        };
        if in_scope {
            self.see(step, to);
        }
    }

    /// Sees the readers of a write of `x`'s location, which may be the initial one.
    #[inline]
    fn see_readers(&mut self, step: &WalkStep, x: EventId, write: EventId, scope: Scope) {
        let mut read = self.graph.first_reader(self.graph.event(x).loc(), write);
        while read.is_some() {
            self.see_scoped(step, x, read, scope);
            read = self.graph.next_reader(read);
        }
    }

    fn see_newer(&mut self, step: &WalkStep, x: EventId, than: EventId, scope: Scope) {
        let graph = self.graph;
        for write in graph.co_after(graph.event(x).loc(), than) {
            self.see_scoped(step, x, write, scope);
        }
    }

    /// As `follow`, for steps along links where accesses have several cells. All steps along closed relations are whole
    /// ones there (`steps_of`).
    pub(in crate::consistency) fn follow_cells(&mut self, step: &WalkStep, x: EventId) {
        let cells = &self.graph.cells;
        for (place, source) in cells.linked(x) {
            let cell = cells.cell(place);
            if !cell.reads.contains(&x) {
                continue;
            }
            match step.walk {
                Walk::Source(scope) if self.graph.event(x).is_read() => {
                    self.see_scoped(step, x, source, scope)
                }
                Walk::Overwriters(scope) => {
                    let later = cell.after(source).iter().filter(|write| **write != x);
                    later.for_each(|write| self.see_scoped(step, x, *write, scope));
                }
                _ => {}
            }
        }
        for place in cells.written(x) {
            let cell = cells.cell(*place);
            let source = |read: &EventId| cells.source_in(*read, *place);
            match step.walk {
                Walk::Readers(scope) => {
                    let is_reader = |read: &&EventId| source(read) == x && self.graph.event(**read).is_read();
                    let reads = cell.reads.iter().filter(is_reader);
                    reads.for_each(|read| self.see_scoped(step, x, *read, scope));
                }
                Walk::Newer(scope) => {
                    cell.after(x).iter().for_each(|write| self.see_scoped(step, x, *write, scope));
                }
                Walk::Older(scope) => {
                    cell.before(x).iter().for_each(|write| self.see_scoped(step, x, *write, scope));
                }
                Walk::Overwritten(scope) if cell.writes.contains(&x) => {
                    let older = cell.before(x);
                    for read in cell.reads.iter().filter(|read| **read != x) {
                        if source(read).is_none() || older.contains(&source(read)) {
                            self.see_scoped(step, x, *read, scope);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Sees what directly follows in program order, if it passes a test.
    #[inline(always)]
    fn follow_po(&mut self, step: &WalkStep, x: EventId, test: impl Fn(EventId) -> bool) {
        if x.at() + 1 == self.graph.len() {
            return; // The newest event has no successor, and often nothing else asks for the steps.
        }
        let graph = self.graph;
        let event = graph.event(x);
        self.scratch.po.need_steps(graph);
        let next = self.scratch.po.next(x);
        if next.is_some() && test(next) {
            self.see(step, next);
        }
        if let Some(child) = event.created() {
            let first = self.scratch.po.first_of(child);
            if first.is_none() {
                self.see_joins(step, child, &test);
            } else if test(first) {
                self.see(step, first);
            }
        }
        if graph.thread(event.thread).last == x {
            self.see_joins(step, event.thread, &test);
        }
        if let Some(arrival) = event.arrival() {
            self.see_departures(step, arrival.round, &test);
        }
    }

    #[cold]
    #[inline(never)]
    fn see_departures(&mut self, step: &WalkStep, round: Round, test: impl Fn(EventId) -> bool) {
        for at in 0..self.scratch.po.departure_count() {
            let departure = self.scratch.po.departure(at);
            if self.graph.event(departure).departed() == Some(round) && test(departure) {
                self.see(step, departure);
            }
        }
    }

    fn see_joins(&mut self, step: &WalkStep, thread: ThreadId, test: impl Fn(EventId) -> bool) {
        for at in 0..self.scratch.po.join_count() {
            let join = self.scratch.po.join(at);
            if self.graph.event(join).joined() == Some(thread) && test(join) {
                self.see(step, join);
            }
        }
    }

    /// The view leads to the rest of each thread, so what this walk has visited of it needs no second look.
    fn follow_suffixes(&mut self, step: &WalkStep, x: EventId, view: usize, number: usize) {
        let graph = self.graph;
        let lanes = graph.threads().len();
        let row = self.fresh_rest(number);
        for thread in 0..lanes {
            let mut event = self.scratch.rest[row + thread];
            while event.is_some() && event != x && (self.in_view)(view, x, event) {
                self.see(step, event);
                event = graph.event(event).po_prev;
            }
            self.scratch.rest[row + thread] = event;
        }
    }

    /// Where the row of a suffix walk in `rest` begins.
    fn fresh_rest(&mut self, number: usize) -> usize {
        let lanes = self.graph.threads().len();
        let scratch = &mut *self.scratch;
        if scratch.rest_stamps.len() < self.automaton.suffixes() {
            scratch.rest_stamps.resize(self.automaton.suffixes(), 0);
        }
        if scratch.rest.len() < self.automaton.suffixes() * lanes {
            scratch.rest.resize(self.automaton.suffixes() * lanes, EventId::NONE);
        }
        let row = number * lanes;
        if scratch.rest_stamps[number] != scratch.now {
            scratch.rest_stamps[number] = scratch.now;
            for (rest, thread) in scratch.rest[row..row + lanes].iter_mut().zip(self.graph.threads()) {
                *rest = thread.last;
            }
        }
        row
    }

    /// Sees every other event that a test accepts.
    fn see_if(&mut self, step: &WalkStep, x: EventId, test: impl Fn(&Self, EventId) -> bool) {
        for y in (0..self.graph.len()).map(EventId::from_usize) {
            if x != y && test(self, y) {
                self.see(step, y);
            }
        }
    }

    fn follow_pairs(&mut self, step: &WalkStep, x: EventId, symbol: Symbol, back: bool) {
        let graph = self.graph;
        match symbol {
            Symbol::Any => self.see(step, x), // And all the others, below.
            Symbol::PoLoc => self.scratch.po.need_clocks(graph),
            _ => {}
        }
        self.see_if(step, x, |search, y| {
            let (from, to) = if back { (y, x) } else { (x, y) };
            if symbol == Symbol::PoLoc {
                is_alike(graph, from, to)
                    && step.after.has(graph.event(y).class)
                    && search.scratch.po.precedes(graph, from, to)
            } else {
                related(graph, symbol, from, to)
            }
        });
    }
}

/// Whether two events are accesses of one location.
#[inline(always)]
fn is_alike(graph: &Graph, x: EventId, y: EventId) -> bool {
    is_same_location(graph, x, y)
}

/// Whether a write is in coherence order.
#[inline(always)]
fn is_placed(graph: &Graph, write: EventId) -> bool {
    let older = graph.co_prev(write);
    let has_older = older.is_none() || older.at() < graph.len();
    has_older && graph.overwriter(graph.event(write).loc(), older) == write
}

/// Whether a read reads from its `rf`.
#[inline(always)]
fn is_linked(graph: &Graph, read: EventId) -> bool {
    let source = graph.rf(read);
    if source.is_some() && source.at() >= graph.len() {
        return false;
    }
    let mut reader = graph.first_reader(graph.event(read).loc(), source);
    while reader.is_some() && reader != read {
        reader = graph.next_reader(reader);
    }
    reader.is_some()
}

/// What a read reads from (`NONE`: the initial write), if the read is linked and that is in coherence order.
#[inline]
fn source_in_co(graph: &Graph, read: EventId) -> Option<EventId> {
    let source = graph.rf(read);
    let known = is_linked(graph, read) && (source.is_none() || is_placed(graph, source));
    known.then_some(source)
}
