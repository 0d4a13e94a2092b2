//! Columns of matrix programs: the events from which a relation leads to one event, without the rest of the relation.
//!
//! What a program says about one event is found by going backwards from it, step by step. That takes far less than
//! evaluating matrices (`checks::matrix`), which say the same about all events.
//!
//! Departs 1: initial writes are left out. Nothing leads to them, so none is on a cycle.
//! I1: the rows of `po` and of control dependencies are up to date.
//! I2: the graph has at most [`EventSet::MOST`] events, and each access has one size.

use crate::consistency::plan::tables::{Classes, MatrixOp, Scope, Symbol};
use crate::consistency::rows::local::CTRL;
use crate::graph::{Dependency, EventSet, Graph, Label, PO};
use crate::ids::EventId;

type Node = usize;

/// How the events before a set of events are found.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Gate {
    Relation(Symbol),
    /// Events of some classes, which are in the graph's set of a guard.
    Test(Classes, usize),
    Empty,
    Identity,
    Union(Node, Node),
    Intersection(Node, Node),
    Difference(Node, Node),
    Sequence(Node, Node),
    Plus(Node),
    Maybe(Node),
    /// An inverse, which has to be followed by the relation itself.
    Inverse(Node),
    /// Reads of one write: `rf^-1 ; rf`.
    SameSource,
}

/// How many programs there are at most.
const MOST_PROGRAMS: usize = 6;

/// Programs, prepared for columns. What they have in common is there once.
#[derive(Clone, Debug, Default)]
pub(in crate::consistency) struct Columns {
    gates: Vec<Gate>,
    parts: Vec<Part>,
    programs: usize,
}

/// What leads to an event, by program.
pub(in crate::consistency) type Found = [EventSet; MOST_PROGRAMS];

/// One of the relations whose union a program computes.
#[derive(Clone, Copy, Debug)]
struct Part {
    node: Node,
    /// The programs that it is a part of, as bits.
    programs: u8,
    /// The classes of the events to which it may lead.
    ends: Classes,
    /// It follows from the events alone, whatever they read and however writes are ordered.
    is_fixed: bool,
}

impl Columns {
    /// Adds a program, and returns its number; none if it cannot be followed backwards. The graph has to keep a set of
    /// events for each guard, to which those of the program are added.
    pub(in crate::consistency) fn add_program(
        &mut self,
        program: &[MatrixOp],
        guards: &mut Vec<u64>,
    ) -> Option<usize> {
        let columns = self;
        if columns.programs == MOST_PROGRAMS {
            return None;
        }
        let (mut stack, mut slots) = (Vec::new(), Vec::new());
        for op in program {
            let mut pop = || stack.pop().expect("the program is well formed");
            let gate = match *op {
                MatrixOp::Relation(symbol) => is_followed(symbol).then_some(Gate::Relation(symbol))?,
                MatrixOp::Test(classes) => Gate::Test(classes, guard(guards, classes)),
                MatrixOp::Empty => Gate::Empty,
                MatrixOp::Identity => Gate::Identity,
                MatrixOp::Union | MatrixOp::Intersection | MatrixOp::Difference | MatrixOp::Sequence => {
                    let (second, first) = (pop(), pop());
                    match op {
                        MatrixOp::Union => Gate::Union(first, second),
                        MatrixOp::Intersection => Gate::Intersection(first, second),
                        MatrixOp::Difference => Gate::Difference(first, second),
                        _ => columns.sequence(first, second),
                    }
                }
                MatrixOp::Plus => Gate::Plus(pop()),
                MatrixOp::Star => {
                    let once = columns.add(Gate::Plus(pop()));
                    Gate::Maybe(once)
                }
                MatrixOp::Maybe => Gate::Maybe(pop()),
                MatrixOp::Inverse => Gate::Inverse(pop()),
                MatrixOp::Store(slot) => {
                    let top = pop();
                    if slots.len() <= slot {
                        slots.resize(slot + 1, top);
                    }
                    slots[slot] = top;
                    stack.push(top);
                    continue;
                }
                MatrixOp::Load(slot) => {
                    stack.push(slots[slot]);
                    continue;
                }
                MatrixOp::Variable(_) | MatrixOp::Fixpoint(_) => return None,
            };
            let node = columns.add(gate);
            stack.push(node);
        }
        let result = stack.pop().expect("the program is well formed");
        if columns.has_inverse(result) {
            return None;
        }
        columns.divide(result);
        columns.programs += 1;
        Some(columns.programs - 1)
    }

    /// Makes the parts of a union, for the program that is being added.
    fn divide(&mut self, node: Node) {
        if let Gate::Union(a, b) = self.gates[node] {
            self.divide(a);
            self.divide(b);
            return;
        }
        let program = 1 << self.programs;
        match self.parts.iter_mut().find(|part| part.node == node) {
            Some(part) => part.programs |= program,
            None => {
                let (ends, is_fixed) = (Classes(self.ends(node)), self.is_fixed(node));
                self.parts.push(Part { node, programs: program, ends, is_fixed });
            }
        }
    }

    fn ends(&self, node: Node) -> u64 {
        match self.gates[node] {
            Gate::Test(classes, _) => classes.0,
            Gate::Union(a, b) => self.ends(a) | self.ends(b),
            Gate::Intersection(a, b) => self.ends(a) & self.ends(b),
            Gate::Difference(a, _) | Gate::Plus(a) => self.ends(a),
            Gate::Sequence(a, b) => match self.gates[b] {
                Gate::Test(classes, _) => self.ends(a) & classes.0,
                Gate::Maybe(c) => self.ends(a) | self.ends(c),
                _ => self.ends(b),
            },
            Gate::Relation(_) | Gate::Empty | Gate::Identity | Gate::Maybe(_) => Classes::ALL.0,
            Gate::Inverse(_) | Gate::SameSource => Classes::ALL.0,
        }
    }

    fn is_fixed(&self, node: Node) -> bool {
        match self.gates[node] {
            Gate::Relation(symbol) => !matches!(symbol, Symbol::Rf(_) | Symbol::Co(_) | Symbol::Fr(_)),
            Gate::SameSource => false,
            Gate::Union(a, b) | Gate::Intersection(a, b) | Gate::Difference(a, b) | Gate::Sequence(a, b) => {
                self.is_fixed(a) && self.is_fixed(b)
            }
            Gate::Plus(a) | Gate::Maybe(a) | Gate::Inverse(a) => self.is_fixed(a),
            Gate::Test(..) | Gate::Empty | Gate::Identity => true,
        }
    }

    /// The node of a gate, a new one if there is none like it.
    fn add(&mut self, gate: Gate) -> Node {
        self.gates.iter().position(|known| *known == gate).unwrap_or_else(|| {
            self.gates.push(gate);
            self.gates.len() - 1
        })
    }

    fn sequence(&self, first: Node, second: Node) -> Gate {
        let is_rf = |node: Node| matches!(self.gates[node], Gate::Relation(Symbol::Rf(Scope::All)));
        match self.gates[first] {
            Gate::Inverse(node) if is_rf(node) && is_rf(second) => Gate::SameSource,
            _ => Gate::Sequence(first, second),
        }
    }

    fn has_inverse(&self, node: Node) -> bool {
        match self.gates[node] {
            Gate::Inverse(_) => true,
            Gate::Union(a, b) | Gate::Intersection(a, b) | Gate::Difference(a, b) | Gate::Sequence(a, b) => {
                self.has_inverse(a) || self.has_inverse(b)
            }
            Gate::Plus(a) | Gate::Maybe(a) => self.has_inverse(a),
            Gate::Relation(_) | Gate::Test(..) | Gate::Empty | Gate::Identity | Gate::SameSource => false,
        }
    }

    /// The events from which each program leads to an event, whatever is read and however writes are ordered.
    pub(in crate::consistency) fn fixed(&self, graph: &Graph, event: EventId) -> Found {
        self.by_parts(graph, event, true, u8::MAX)
    }

    /// The others from which each leads to an event.
    pub(in crate::consistency) fn open(&self, graph: &Graph, event: EventId) -> Found {
        self.by_parts(graph, event, false, u8::MAX)
    }

    /// The same for one program.
    pub(in crate::consistency) fn open_of(&self, program: usize, graph: &Graph, event: EventId) -> EventSet {
        self.by_parts(graph, event, false, 1 << program)[program]
    }

    fn by_parts(&self, graph: &Graph, event: EventId, is_fixed: bool, programs: u8) -> Found {
        let class = graph.event(event).class;
        let (mut found, one) = ([EventSet::EMPTY; MOST_PROGRAMS], EventSet::of(event));
        let is_asked_for =
            |part: &&Part| part.is_fixed == is_fixed && part.programs & programs != 0 && part.ends.has(class);
        for part in self.parts.iter().filter(is_asked_for) {
            let before = self.before(graph, part.node, one);
            if before.is_empty() {
                continue;
            }
            for (program, found) in found.iter_mut().enumerate().take(self.programs) {
                if part.programs >> program & 1 != 0 {
                    found.add(before);
                }
            }
        }
        found
    }

    fn before(&self, graph: &Graph, node: Node, set: EventSet) -> EventSet {
        if set.is_empty() {
            return set;
        }
        match self.gates[node] {
            Gate::Relation(symbol) => step_back(graph, symbol, set),
            Gate::Test(_, guard) => set.and(graph.bits.passing(guard)),
            Gate::Empty => EventSet::EMPTY,
            Gate::Identity => set,
            Gate::Union(a, b) => {
                let mut found = self.before(graph, a, set);
                found.add(self.before(graph, b, set));
                found
            }
            Gate::Intersection(a, b) => self.each(set, |one| {
                let first = self.before(graph, a, one);
                if first.is_empty() {
                    first
                } else {
                    first.and(self.before(graph, b, one))
                }
            }),
            Gate::Difference(a, b) => self.each(set, |one| {
                let first = self.before(graph, a, one);
                if first.is_empty() {
                    first
                } else {
                    first.without(self.before(graph, b, one))
                }
            }),
            Gate::Sequence(a, b) => self.before(graph, a, self.before(graph, b, set)),
            Gate::Plus(a) => {
                let mut found = self.before(graph, a, set);
                let mut new = found.without(set);
                while !new.is_empty() {
                    let more = self.before(graph, a, new);
                    new = more.without(found).without(set);
                    found.add(more);
                }
                found
            }
            Gate::Maybe(a) => {
                let mut found = self.before(graph, a, set);
                found.add(set);
                found
            }
            Gate::SameSource => self.each(set, |one| {
                let mut found = EventSet::EMPTY;
                for read in one.iter().filter(|id| is_linked_read(graph, *id)) {
                    let (loc, source) = (graph.event(read).loc(), graph.rf(read));
                    let mut reader = graph.first_reader(loc, source);
                    while reader.is_some() {
                        found.insert(reader);
                        reader = graph.next_reader(reader);
                    }
                }
                found
            }),
            Gate::Inverse(_) => unreachable!("no column follows an inverse"),
        }
    }

    /// What comes before each event of a set by itself.
    fn each(&self, set: EventSet, before: impl Fn(EventSet) -> EventSet) -> EventSet {
        let mut found = EventSet::EMPTY;
        set.iter().for_each(|id| found.add(before(EventSet::of(id))));
        found
    }
}

/// The number of the guard that some classes pass.
pub(in crate::consistency) fn guard(guards: &mut Vec<u64>, classes: Classes) -> usize {
    if let Some(known) = guards.iter().position(|guard| *guard == classes.0) {
        return known;
    }
    guards.push(classes.0);
    guards.len() - 1
}

fn is_followed(symbol: Symbol) -> bool {
    match symbol {
        Symbol::Po | Symbol::PoLoc | Symbol::Rf(_) | Symbol::Co(_) | Symbol::Fr(_) | Symbol::Rmw => true,
        Symbol::PoImm | Symbol::Depends(_) => true,
        Symbol::PoImmLoc | Symbol::PoImmElsewhere | Symbol::SameThread | Symbol::LocOverlap => false,
        Symbol::SameDomain => false,
        Symbol::Tc | Symbol::Tj | Symbol::Any | Symbol::Alloc | Symbol::Free => false,
        Symbol::SameAccess | Symbol::View(_) | Symbol::ViewLoc(_) => false,
    }
}

/// The events from which a relation leads to those of a set.
fn step_back(graph: &Graph, symbol: Symbol, set: EventSet) -> EventSet {
    let mut found = EventSet::EMPTY;
    if symbol == Symbol::Po {
        let mut left = set;
        while let Some(id) = left.newest() {
            // What comes before it comes before the newer ones that it comes before.
            found.add(graph.bits.set_of(PO, id));
            left = left.without(found).without(EventSet::of(id));
        }
        return found;
    }
    for id in set.iter() {
        match symbol {
            Symbol::PoImm => super::po::predecessors(graph, id).for_each(|id| found.insert(id)),
            Symbol::PoLoc => found.add(earlier_at_location(graph, id)),
            Symbol::Depends(Dependency::Ctrl) => found.add(graph.bits.set_of(CTRL, id)),
            Symbol::Depends(how) => found.add(depended_on(graph, id, how)),
            Symbol::Rmw => {
                if graph.event(id).is_write_half() {
                    found.insert(graph.event(id).po_prev);
                }
            }
            Symbol::Rf(scope) => {
                if is_linked_read(graph, id) && graph.rf(id).is_some() {
                    insert_if(graph, scope, graph.rf(id), id, &mut found);
                }
            }
            Symbol::Co(scope) => {
                each_older(graph, id, |older| insert_if(graph, scope, older, id, &mut found));
            }
            Symbol::Fr(scope) => each_reader_of_older(graph, id, |reader| {
                insert_if(graph, scope, reader, id, &mut found);
            }),
            _ => unreachable!("no column follows {symbol:?}"),
        }
    }
    found
}

fn insert_if(graph: &Graph, scope: Scope, from: EventId, to: EventId, found: &mut EventSet) {
    if scope.has(graph.event(from).thread == graph.event(to).thread) {
        found.insert(from);
    }
}

/// The accesses of an event's location before it in `po`.
fn earlier_at_location(graph: &Graph, id: EventId) -> EventSet {
    let mut found = EventSet::EMPTY;
    let Some(access) = graph.event(id).as_access() else { return found };
    let is_there = |other: &EventId| graph.event(*other).as_access().is_some_and(|one| one.loc == access.loc);
    graph.bits.set_of(PO, id).iter().filter(is_there).for_each(|other| found.insert(other));
    found
}

/// The reads that an event depends on by its address or by what it writes.
pub(super) fn depended_on(graph: &Graph, id: EventId, how: Dependency) -> EventSet {
    let mut found = EventSet::EMPTY;
    if graph.depends(id).is_some_and(|depends| !depends.sets[how as usize].is_empty()) {
        graph.dependencies(id, how).for_each(|read| found.insert(read));
    }
    found
}

/// Whether an event is a read that sees a write. Only the newest event may be one that does not.
pub(super) fn is_linked_read(graph: &Graph, id: EventId) -> bool {
    let is_newest = id.at() + 1 == graph.len();
    graph.event(id).label() == Label::Read && (!is_newest || is_among_readers(graph, id))
}

fn is_among_readers(graph: &Graph, id: EventId) -> bool {
    let mut reader = graph.first_reader(graph.event(id).loc(), graph.rf(id));
    while reader.is_some() && reader != id {
        reader = graph.next_reader(reader);
    }
    reader == id
}

/// Whether a write has a place in coherence order.
pub(super) fn is_placed(graph: &Graph, id: EventId) -> bool {
    let event = graph.event(id);
    event.label() == Label::Write && graph.overwriter(event.loc(), graph.co_prev(id)) == id
}

/// The writes before a write in coherence order.
pub(super) fn each_older(graph: &Graph, id: EventId, mut found: impl FnMut(EventId)) {
    if !is_placed(graph, id) {
        return;
    }
    let mut older = graph.co_prev(id);
    while older.is_some() {
        found(older);
        older = graph.co_prev(older);
    }
}

/// The reads that see a write before another in coherence order, or the initial one.
pub(super) fn each_reader_of_older(graph: &Graph, id: EventId, mut found: impl FnMut(EventId)) {
    if !is_placed(graph, id) {
        return;
    }
    let loc = graph.event(id).loc();
    let mut source = graph.co_prev(id);
    loop {
        let mut reader = graph.first_reader(loc, source);
        while reader.is_some() {
            if reader != id {
                found(reader);
            }
            reader = graph.next_reader(reader);
        }
        if source.is_none() {
            return;
        }
        source = graph.co_prev(source);
    }
}
