//! Evaluates matrix programs over pieces of accesses: what a model says of accesses of several sizes if it has `si`.
//!
//! An access has a node for each of its cells, and every other event has one node; initial writes have one per cell.
//! `rf`, `co`, `fr`, `po-loc` and `loc-overlap` are between pieces of one cell. All other relations are about whole
//! accesses: they lead from every piece of the one to every piece of the other. `si` is between the pieces of one
//! access. So a step to one piece of an access goes on from its other pieces only where the model says so.
//!
//! I1: programs are well formed (`Tables::validate`). I2: `prepare` is called for each graph before it is judged.

use crate::consistency::checks::bits::{ones, PathScratch, Rows};
use crate::consistency::checks::relations::Relations;
use crate::consistency::plan::tables::{Matrix, MatrixOp, Scope, Symbol};
use crate::consistency::plan::vocabulary::Verdict;
use crate::graph::{Graph, INITIAL};
use crate::ids::{EventId, LocId};
use std::ops::Range;

/// No cell, and no node.
const NONE: u32 = u32::MAX;

/// Runs matrix programs over the pieces of a graph's accesses.
#[derive(Clone, Default)]
pub(in crate::consistency) struct Pieces {
    /// The relations of whole events.
    whole: Relations,
    /// Where the nodes of each event begin, and where those of the initial writes do.
    starts: Vec<usize>,
    /// The cell of each node.
    cells: Vec<u32>,
    /// The class of each node's event.
    classes: Vec<u8>,
    /// The node of each cell's initial write.
    initial: Vec<u32>,
    /// What has been computed for this graph.
    known: Vec<(Symbol, Rows)>,
    room: Vec<Rows>,
    path: PathScratch,
}

impl Pieces {
    /// Numbers the nodes of a graph, and forgets what was known of another.
    pub(in crate::consistency) fn prepare(&mut self, graph: &Graph) {
        self.whole.prepare(graph);
        for list in [&mut self.cells, &mut self.initial] {
            list.clear();
        }
        self.starts.clear();
        self.classes.clear();
        for id in (0..graph.len()).map(EventId::from_usize) {
            self.starts.push(self.cells.len());
            let cells = graph.cells.of(id);
            match cells {
                [] => self.cells.push(NONE),
                _ => self.cells.extend(cells.iter().map(|cell| cell.0)),
            }
            self.classes.resize(self.cells.len(), graph.event(id).class);
        }
        self.starts.push(self.cells.len());
        for at in 0..self.cells.len() {
            let cell = self.cells[at];
            if cell != NONE {
                self.number(cell);
            }
        }
        let room = &mut self.room;
        room.extend(self.known.drain(..).map(|(_, rows)| rows));
    }

    /// Gives the initial write of a cell a node.
    fn number(&mut self, cell: u32) {
        let at = cell as usize;
        if self.initial.len() <= at {
            self.initial.resize(at + 1, NONE);
        }
        if self.initial[at] == NONE {
            self.initial[at] = self.cells.len() as u32;
            self.cells.push(cell);
            self.classes.push(INITIAL);
        }
    }

    /// Whether a program's relation on the graph is what it must be.
    pub(in crate::consistency) fn holds(&mut self, matrix: &Matrix, graph: &Graph) -> bool {
        let result = self.run(&matrix.program, graph);
        let holds = match matrix.verdict {
            Verdict::Acyclic => result.is_acyclic(&mut self.path),
            Verdict::Irreflexive => result.is_irreflexive(),
            Verdict::Empty => result.is_empty(),
        };
        self.room.push(result);
        holds
    }

    fn run(&mut self, program: &[MatrixOp], graph: &Graph) -> Rows {
        let (mut stack, mut slots): (Vec<Rows>, Vec<Rows>) = (Vec::new(), Vec::new());
        for op in program {
            let mut value = self.room.pop().unwrap_or_default();
            match *op {
                MatrixOp::Relation(symbol) => value.copy(self.relation(symbol, graph)),
                MatrixOp::Test(classes) => {
                    value.reset(self.cells.len());
                    let passing = (0..self.classes.len()).filter(|at| classes.has(self.classes[*at]));
                    passing.for_each(|at| value.set(at, at));
                }
                MatrixOp::Empty => value.reset(self.cells.len()),
                MatrixOp::Identity => {
                    value.reset(self.cells.len());
                    value.add_identity();
                }
                MatrixOp::Union | MatrixOp::Intersection | MatrixOp::Difference | MatrixOp::Sequence => {
                    let second = stack.pop().expect("the program is well formed");
                    let first = stack.pop().expect("the program is well formed");
                    match op {
                        MatrixOp::Union => value.combine(&first, &second, |a, b| a | b),
                        MatrixOp::Intersection => value.combine(&first, &second, |a, b| a & b),
                        MatrixOp::Difference => value.combine(&first, &second, |a, b| a & !b),
                        _ => value.compose(&first, &second),
                    }
                    self.room.extend([first, second]);
                }
                MatrixOp::Plus | MatrixOp::Star | MatrixOp::Maybe | MatrixOp::Inverse => {
                    let body = stack.pop().expect("the program is well formed");
                    match op {
                        MatrixOp::Inverse => value.invert(&body),
                        _ => value.copy(&body),
                    }
                    if matches!(op, MatrixOp::Plus | MatrixOp::Star) {
                        value.close();
                    }
                    if matches!(op, MatrixOp::Star | MatrixOp::Maybe) {
                        value.add_identity();
                    }
                    self.room.push(body);
                }
                MatrixOp::Store(slot) => {
                    value.copy(stack.last().expect("the program is well formed"));
                    if slots.len() <= slot {
                        slots.resize_with(slot + 1, Rows::default);
                    }
                    slots[slot] = value;
                    continue;
                }
                MatrixOp::Load(slot) => value.copy(&slots[slot]),
                MatrixOp::Variable(_) | MatrixOp::Fixpoint(_) => {
                    unreachable!("whoever makes a Plan refuses fixpoints in models that are about pieces")
                }
            }
            stack.push(value);
        }
        self.room.append(&mut slots);
        stack.pop().expect("the program is well formed")
    }

    /// A relation, which is computed once for each graph.
    fn relation(&mut self, symbol: Symbol, graph: &Graph) -> &Rows {
        if let Some(at) = self.known.iter().position(|(known, _)| *known == symbol) {
            return &self.known[at].1;
        }
        let mut rows = self.room.pop().unwrap_or_default();
        rows.reset(self.cells.len());
        match symbol {
            Symbol::Rf(scope) => self.fill_rf(graph, scope, &mut rows),
            Symbol::Co(scope) => self.fill_co(graph, scope, &mut rows),
            Symbol::Fr(scope) => self.fill_fr(graph, scope, &mut rows),
            Symbol::SameAccess => {
                rows.add_identity();
                for event in 0..graph.len() {
                    self.fill_product(event, event, &mut rows);
                }
            }
            Symbol::Any => rows.add_all(),
            Symbol::PoLoc | Symbol::LocOverlap => {
                self.fill_whole(graph, symbol, &mut rows);
                self.keep_same_cell(graph, &mut rows);
            }
            _ => self.fill_whole(graph, symbol, &mut rows),
        }
        self.known.push((symbol, rows));
        &self.known[self.known.len() - 1].1
    }

    fn nodes(&self, event: usize) -> Range<usize> {
        self.starts[event]..self.starts[event + 1]
    }

    /// The node of an access in a cell; that of the initial write if it is none.
    fn node(&self, event: EventId, cell: LocId) -> usize {
        if event.is_none() {
            return self.initial[cell.at()] as usize;
        }
        let mut nodes = self.nodes(event.at());
        nodes.find(|node| self.cells[*node] == cell.0).expect("it accesses the cell")
    }

    fn fill_product(&self, first: usize, second: usize, rows: &mut Rows) {
        for x in self.nodes(first) {
            self.nodes(second).for_each(|y| rows.set(x, y));
        }
    }

    /// Relates all pieces of whole events that are related.
    fn fill_whole(&mut self, graph: &Graph, symbol: Symbol, rows: &mut Rows) {
        let mut whole = self.room.pop().unwrap_or_default();
        self.whole.fill(graph, symbol, &mut whole);
        for first in 0..graph.len() {
            let related = ones(whole.row(first)).take_while(|second| *second < graph.len());
            related.for_each(|second| self.fill_product(first, second, rows));
        }
        self.room.push(whole);
    }

    fn keep_same_cell(&self, graph: &Graph, rows: &mut Rows) {
        for x in 0..self.starts[graph.len()] {
            for y in 0..self.starts[graph.len()] {
                if rows.has(x, y) && (self.cells[x] != self.cells[y] || self.cells[x] == NONE) {
                    rows.unset(x, y);
                }
            }
        }
    }

    fn fill_rf(&self, graph: &Graph, scope: Scope, rows: &mut Rows) {
        self.each_read(graph, |cell, read, source| {
            if in_scope(graph, scope, source, read) {
                rows.set(self.node(source, cell), self.node(read, cell));
            }
        });
    }

    fn fill_co(&self, graph: &Graph, scope: Scope, rows: &mut Rows) {
        for (at, _) in self.initial.iter().enumerate().filter(|(_, node)| **node != NONE) {
            let cell = LocId::from_usize(at);
            let writes = &graph.cells.cell(cell).writes;
            for (place, newer) in writes.iter().enumerate() {
                for older in writes[..place].iter().chain([&EventId::NONE]) {
                    if in_scope(graph, scope, *older, *newer) {
                        rows.set(self.node(*older, cell), self.node(*newer, cell));
                    }
                }
            }
        }
    }

    fn fill_fr(&self, graph: &Graph, scope: Scope, rows: &mut Rows) {
        self.each_read(graph, |cell, read, source| {
            for later in graph.cells.cell(cell).after(source) {
                if in_scope(graph, scope, read, *later) {
                    rows.set(self.node(read, cell), self.node(*later, cell));
                }
            }
        });
    }

    /// Calls back with each cell of each linked read, and with what it reads there.
    fn each_read(&self, graph: &Graph, mut found: impl FnMut(LocId, EventId, EventId)) {
        for (at, _) in self.initial.iter().enumerate().filter(|(_, node)| **node != NONE) {
            let cell = LocId::from_usize(at);
            for read in &graph.cells.cell(cell).reads {
                found(cell, *read, graph.cells.source_in(*read, cell));
            }
        }
    }
}

/// Whether a pair counts; initial writes are in no thread.
fn in_scope(graph: &Graph, scope: Scope, first: EventId, second: EventId) -> bool {
    let is_internal = first.is_some() && graph.event(first).thread == graph.event(second).thread;
    scope.has(is_internal)
}
