//! Rows of plans whose causal order is any part of `po`: what each event is kept with, and orders that must be acyclic.
//!
//! They are kept while threads have no gaps, as for other plans: an event that comes last in its thread has successors
//! only through `co` and `fr`. What leads to it within `po` is found backwards from it (`columns`).
//!
//! | row | the events before one |
//! |---|---|
//! | [`WHOLE`] | that a revisit keeps with it, together with all that is ordered before it |
//! | [`ALONE`] | the same without what is merely ordered before it: it may be forwarded within its thread |
//! | `CARRY` | that everything after them in the thread is kept with |
//! | [`CTRL`] | on which a branch before it depends |
//! | `ORDERED` | that are ordered before it, directly and whatever is read |
//!
//! An order has a row, and one of the events directly before an event, whatever is read.
//!
//! I1: the rows are up to date if `Graph::has_fresh_rows` says so. Then no thread has a gap.

use crate::consistency::plan::tables::{Classes, GuardedEdge, Matrix, Scope, Symbol};
use crate::consistency::rows::causes::is_barrier;
use crate::consistency::rows::columns::{
    depended_on, each_older, each_reader_of_older, is_placed, Columns, Found,
};
use crate::graph::{AccessKind, Dependency, EventSet, Graph, Label, PO};
use crate::ids::EventId;

/// The rows, after that of `po`.
pub(in crate::consistency) const WHOLE: usize = 1;
pub(in crate::consistency) const ALONE: usize = 2;
const CARRY: usize = 3;
pub(in crate::consistency) const CTRL: usize = 4;
const ORDERED: usize = 5;
/// How many rows there are before those of orders, and how many an order has.
const FIRST_ORDER: usize = 6;
const ROWS_OF_ORDER: usize = 2;

/// What is kept for plans of this kind.
#[derive(Clone, Debug)]
pub(in crate::consistency) struct Local {
    /// The causal order within threads, and that part of each order.
    columns: Columns,
    pub orders: Vec<LocalOrder>,
}

/// The number of the causal order among the columns.
const PPO: usize = 0;

/// An order that must be acyclic: a part of `po`, and edges between threads.
#[derive(Clone, Debug)]
pub(in crate::consistency) struct LocalOrder {
    pub axiom: usize,
    /// Its row; the next one has what is directly before an event.
    row: usize,
    /// The number of its part within threads among the columns.
    within: usize,
    edges: Vec<GuardedEdge>,
}

impl Local {
    /// For a causal order; none if it cannot be followed backwards.
    pub fn new(ppo: &Matrix, guards: &mut Vec<u64>) -> Option<Local> {
        let mut columns = Columns::default();
        columns.add_program(&ppo.program, guards)?;
        Some(Local { columns, orders: Vec::new() })
    }

    /// Keeps an order, too, in the next row. False if it cannot be followed backwards.
    pub fn add_order(
        &mut self,
        axiom: usize,
        within: &Matrix,
        edges: &[GuardedEdge],
        guards: &mut Vec<u64>,
    ) -> bool {
        let Some(within) = self.columns.add_program(&within.program, guards) else { return false };
        let row = self.rows();
        self.orders.push(LocalOrder { axiom, row, within, edges: edges.to_vec() });
        true
    }

    /// How many rows an event has.
    pub fn rows(&self) -> usize {
        FIRST_ORDER + ROWS_OF_ORDER * self.orders.len()
    }

    /// Makes the rows of an event whose row of `po` is there, and which reads nothing and has no place in `co`.
    pub fn enter(&self, graph: &mut Graph, id: EventId) {
        self.enter_dependencies(graph, id);
        let kind = graph.event(id).access_kind();
        if kind == Some(AccessKind::Read) {
            return; // Nobody asks before it sees a write.
        }
        let direct = self.direct(graph, id);
        self.keep(graph, id, direct.ordered());
        if kind.is_none() {
            for order in &self.orders {
                order.enter(graph, id, direct.before(order));
            }
        }
    }

    /// The rows that do not depend on what is read.
    pub(super) fn enter_dependencies(&self, graph: &mut Graph, id: EventId) {
        let event = *graph.event(id);
        let mut carry = EventSet::EMPTY;
        let mut ctrl = depended_on(graph, id, Dependency::Ctrl);
        for previous in super::po::predecessors(graph, id) {
            ctrl.add(graph.bits.set_of(CTRL, previous));
        }
        let previous = match event.po_prev.is_some() {
            true => event.po_prev,
            false => graph.thread(event.thread).creator,
        };
        if previous.is_some() {
            carry = graph.bits.set_of(CARRY, previous);
            let stays = |label| matches!(label, Label::Fence | Label::Choose);
            if is_barrier(graph.event(previous)) || stays(graph.event(previous).label()) {
                carry.add(graph.bits.set_of(WHOLE, previous));
            }
            for read in depended_on(graph, previous, Dependency::Addr).iter() {
                carry.add(graph.bits.set_of(WHOLE, read));
            }
        }
        graph.bits.store(CARRY, id, carry);
        graph.bits.store(CTRL, id, ctrl);
        let fixed = self.columns.fixed(graph, id);
        // A barrier is kept with all that comes before it anyway.
        let ordered = if is_barrier(&event) { EventSet::EMPTY } else { fixed[PPO] };
        graph.bits.store(ORDERED, id, ordered);
        for order in &self.orders {
            graph.bits.store(order.row + 1, id, fixed[order.within]);
        }
    }

    /// What is directly before an event.
    pub(super) fn direct(&self, graph: &Graph, id: EventId) -> Direct {
        let mut found = self.columns.open(graph, id);
        found[PPO].add(graph.bits.set_of(ORDERED, id));
        for order in &self.orders {
            found[order.within].add(order.fixed_and_linked(graph, id));
        }
        Direct(found)
    }

    /// Makes the rows of what an event is kept with, from the events that are ordered before it.
    pub(super) fn keep(&self, graph: &mut Graph, id: EventId, ordered: EventSet) {
        let event = *graph.event(id);
        let mut alone = graph.bits.set_of(CARRY, id);
        alone.insert(id);
        let mut needed = graph.bits.set_of(CTRL, id);
        for how in [Dependency::Addr, Dependency::Data] {
            needed.add(depended_on(graph, id, how));
        }
        if event.is_write_half() {
            needed.insert(event.po_prev);
        }
        if is_barrier(&event) {
            needed.add(graph.bits.set_of(PO, id));
        }
        while let Some(newest) = needed.newest() {
            // What it is kept with is in its row.
            let row = graph.bits.set_of(WHOLE, newest);
            alone.add(row);
            needed = needed.without(row).without(EventSet::of(newest));
        }
        if event.label() == Label::Read && graph.rf(id).is_some() && is_linked(graph, id) {
            let source = graph.rf(id);
            let is_own = graph.event(source).thread == event.thread;
            alone.add(graph.bits.set_of(if is_own { ALONE } else { WHOLE }, source));
        }
        let mut whole = alone;
        let mut ordered = ordered;
        while let Some(newest) = ordered.newest() {
            let row = graph.bits.set_of(WHOLE, newest);
            whole.add(row);
            ordered = ordered.without(row).without(EventSet::of(newest));
        }
        graph.bits.store(ALONE, id, alone);
        graph.bits.store(WHOLE, id, whole);
    }

    /// Brings the rows up to date with the choice of an access.
    pub fn link(&self, graph: &mut Graph, id: EventId) {
        let direct = self.direct(graph, id);
        self.keep(graph, id, direct.ordered());
        for order in &self.orders {
            order.enter(graph, id, direct.before(order));
            for later in order.after(graph, id).iter() {
                graph.bits.order_before(order.row, id, later);
            }
        }
    }

    /// The axiom that forbids the choice of the newest access, which is made.
    pub fn forbids(&self, graph: &Graph, id: EventId) -> Option<usize> {
        let closes = |order: &&LocalOrder| {
            let later = order.after(graph, id);
            !later.is_empty() && self.past(order, graph, id).meets(later)
        };
        self.orders.iter().find(closes).map(|order| order.axiom)
    }

    /// Whether an order has an edge from a read to a write, whatever is read, and one back if the read saw the write.
    pub fn forbids_own_write(&self, graph: &Graph, read: EventId, write: EventId) -> bool {
        self.orders.iter().any(|order| {
            graph.bits.fit_sets()
                && graph.bits.has(order.row + 1, read, write)
                && order.has_edge(graph, Symbol::Rf(Scope::All), write, read)
        })
    }

    /// The axiom that forbids a read to see a write, which both stand last in their threads, where the write stands.
    pub fn forbids_revisit(&self, graph: &Graph, read: EventId, write: EventId) -> Option<usize> {
        let closes = |order: &&LocalOrder| {
            let later = [read, write].map(|id| order.after(graph, id));
            if later.iter().all(EventSet::is_empty) {
                return false;
            }
            let mut past = [read, write].map(|id| self.past(order, graph, id));
            past[0] = past[0].without(EventSet::of(write));
            let leads = |from: usize, to: usize| later[from].meets(past[to]);
            let sees = order.has_edge(graph, Symbol::Rf(Scope::All), write, read);
            leads(0, 0) || leads(1, 1) || (leads(0, 1) && (sees || leads(1, 0)))
        };
        self.orders.iter().find(closes).map(|order| order.axiom)
    }
}

impl Local {
    /// The events before one in an order, found by those directly before it.
    fn past(&self, order: &LocalOrder, graph: &Graph, id: EventId) -> EventSet {
        let mut before = self.columns.open_of(order.within, graph, id);
        before.add(order.fixed_and_linked(graph, id));
        order.joined(graph, before)
    }
}

/// What is directly before an event.
pub(super) struct Direct(Found);

impl Direct {
    /// In the causal order.
    pub fn ordered(&self) -> EventSet {
        self.0[PPO]
    }

    /// In an order that must be acyclic.
    pub fn before(&self, order: &LocalOrder) -> EventSet {
        self.0[order.within]
    }
}

impl LocalOrder {
    /// Makes the row of an event from those of the events directly before it.
    pub(super) fn enter(&self, graph: &mut Graph, id: EventId, directly_before: EventSet) {
        let mut row = self.joined(graph, directly_before);
        row.insert(id);
        graph.bits.store(self.row, id, row);
    }

    /// The rows of some events together.
    fn joined(&self, graph: &Graph, events: EventSet) -> EventSet {
        let (mut past, mut left) = (EventSet::EMPTY, events);
        while let Some(newest) = left.newest() {
            // The rows of newer events often contain those of older ones.
            past.add(graph.bits.set_of(self.row, newest));
            left = left.without(past).without(EventSet::of(newest));
        }
        past
    }

    /// The events from which an edge leads to one, whatever is read, or because of what is read and overwritten.
    fn fixed_and_linked(&self, graph: &Graph, id: EventId) -> EventSet {
        let mut found = graph.bits.set_of(self.row + 1, id);
        match graph.event(id).label() {
            Label::Read if is_linked(graph, id) && graph.rf(id).is_some() => {
                let source = graph.rf(id);
                if self.has_edge(graph, Symbol::Rf(Scope::All), source, id) {
                    found.insert(source);
                }
            }
            Label::Write if is_placed(graph, id) => {
                each_older(graph, id, |older| {
                    if self.has_edge(graph, Symbol::Co(Scope::All), older, id) {
                        found.insert(older);
                    }
                });
                each_reader_of_older(graph, id, |reader| {
                    if self.has_edge(graph, Symbol::Fr(Scope::All), reader, id) {
                        found.insert(reader);
                    }
                });
            }
            _ => {}
        }
        found
    }

    /// The events to which an edge leads from an access.
    fn after(&self, graph: &Graph, id: EventId) -> EventSet {
        let event = graph.event(id);
        let mut found = EventSet::EMPTY;
        let (symbol, source) = match event.label() {
            Label::Read => (Symbol::Fr(Scope::All), graph.rf(id)),
            Label::Write => (Symbol::Co(Scope::All), id),
            _ => return found,
        };
        for later in graph.co_after(event.loc(), source) {
            if later != id && self.has_edge(graph, symbol, id, later) {
                found.insert(later);
            }
        }
        found
    }

    /// Whether a pair of a relation is an edge, by the threads and classes of its events.
    fn has_edge(&self, graph: &Graph, relation: Symbol, from: EventId, to: EventId) -> bool {
        let (from, to) = (graph.event(from), graph.event(to));
        let is_internal = from.thread == to.thread;
        let fits = |edge: &GuardedEdge, scope: Scope| {
            scope.has(is_internal) && guards(edge.before, edge.after, from.class, to.class)
        };
        self.edges.iter().any(|edge| match (edge.symbol, relation) {
            (Symbol::Rf(scope), Symbol::Rf(_))
            | (Symbol::Co(scope), Symbol::Co(_))
            | (Symbol::Fr(scope), Symbol::Fr(_)) => fits(edge, scope),
            _ => false,
        })
    }
}

fn guards(before: Classes, after: Classes, from: u8, to: u8) -> bool {
    before.has(from) && after.has(to)
}

fn is_linked(graph: &Graph, id: EventId) -> bool {
    super::columns::is_linked_read(graph, id)
}
