//! Matrix programs as one circuit: what several of them compute alike is one node of it.
//!
//! A node is fixed if it follows from the events alone, whatever they read and however writes are ordered. Most of what the
//! model of a machine says is: so its value can be kept while choices are tried (`matrix`).
//!
//! I1: a node comes after those that it is computed from.

use crate::consistency::plan::tables::{Classes, MatrixOp, Scope, Symbol};
use std::sync::Arc;

/// A node, by its place in the circuit.
pub(super) type Node = u32;

/// How a node is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gate {
    Relation(Symbol),
    /// From-read, by coherence.
    FromRead(Node),
    Test(Classes),
    Empty,
    Identity,
    Union(Node, Node),
    Intersection(Node, Node),
    Difference(Node, Node),
    Sequence(Node, Node),
    Plus(Node),
    Star(Node),
    Maybe(Node),
    Inverse(Node),
}

/// The gates of some programs.
#[derive(Clone, Default)]
pub(super) struct Circuit {
    gates: Vec<Gate>,
    fixed: Vec<bool>,
    programs: Vec<Wired>,
}

/// A program that is part of the circuit.
#[derive(Clone)]
struct Wired {
    program: Arc<[MatrixOp]>,
    result: Node,
    /// What must be known for it, in order. Of the fixed nodes only those that are its result, or that another needs.
    needed: Vec<Node>,
}

impl Circuit {
    /// How many nodes it has.
    pub(super) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(super) fn gate(&self, node: Node) -> Gate {
        self.gates[node as usize]
    }

    pub(super) fn is_fixed(&self, node: Node) -> bool {
        self.fixed[node as usize]
    }

    pub(super) fn is_test(&self, node: Node) -> bool {
        matches!(self.gate(node), Gate::Test(_))
    }

    /// The number of a program, which becomes a part of the circuit unless it is one.
    pub(super) fn number_of(&mut self, program: &Arc<[MatrixOp]>) -> usize {
        let known = self.programs.iter().position(|wired| Arc::ptr_eq(&wired.program, program));
        known.unwrap_or_else(|| {
            let result = self.wire(program);
            let needed = self.needed_for(result);
            self.programs.push(Wired { program: program.clone(), result, needed });
            self.programs.len() - 1
        })
    }

    /// The nodes to compute for a program, and the one that is its result.
    pub(super) fn program(&self, number: usize) -> (&[Node], Node) {
        let wired = &self.programs[number];
        (&wired.needed, wired.result)
    }

    /// Adds the gates of a program; its result.
    fn wire(&mut self, program: &[MatrixOp]) -> Node {
        let (mut stack, mut slots) = (Vec::new(), Vec::new());
        for op in program {
            let mut pop = || stack.pop().expect("the program is well formed");
            let node = match *op {
                MatrixOp::Relation(symbol) => self.relation(symbol),
                MatrixOp::Test(classes) => self.add(Gate::Test(classes)),
                MatrixOp::Empty => self.add(Gate::Empty),
                MatrixOp::Identity => self.add(Gate::Identity),
                MatrixOp::Union => {
                    let (second, first) = (pop(), pop());
                    self.union(first, second)
                }
                MatrixOp::Intersection => {
                    let (second, first) = (pop(), pop());
                    self.add(Gate::Intersection(first, second))
                }
                MatrixOp::Difference => {
                    let (second, first) = (pop(), pop());
                    self.add(Gate::Difference(first, second))
                }
                MatrixOp::Sequence => {
                    let (second, first) = (pop(), pop());
                    self.add(Gate::Sequence(first, second))
                }
                MatrixOp::Plus => self.add(Gate::Plus(pop())),
                MatrixOp::Star => self.add(Gate::Star(pop())),
                MatrixOp::Maybe => self.add(Gate::Maybe(pop())),
                MatrixOp::Inverse => self.add(Gate::Inverse(pop())),
                MatrixOp::Store(slot) => {
                    let top = pop();
                    if slots.len() <= slot {
                        slots.resize(slot + 1, top);
                    }
                    slots[slot] = top;
                    top
                }
                MatrixOp::Load(slot) => slots[slot],
            };
            stack.push(node);
        }
        stack.pop().expect("the program is well formed")
    }

    /// The node of a gate: an old one if there is one like it.
    fn add(&mut self, gate: Gate) -> Node {
        if let Some(node) = self.gates.iter().position(|other| *other == gate) {
            return node as Node;
        }
        let is_fixed = match gate {
            Gate::Relation(Symbol::Rf(_) | Symbol::Co(_) | Symbol::Fr(_)) => false,
            _ => inputs(gate).all(|input| self.is_fixed(input)),
        };
        self.gates.push(gate);
        self.fixed.push(is_fixed);
        (self.gates.len() - 1) as Node
    }

    /// A relation; the pairs within or between threads are those of the whole that are in one thread or not.
    fn relation(&mut self, symbol: Symbol) -> Node {
        let (whole, scope) = match symbol {
            Symbol::Rf(scope) => (self.add(Gate::Relation(Symbol::Rf(Scope::All))), scope),
            Symbol::Co(scope) => (self.add(Gate::Relation(Symbol::Co(Scope::All))), scope),
            Symbol::Fr(scope) => {
                let co = self.add(Gate::Relation(Symbol::Co(Scope::All)));
                (self.add(Gate::FromRead(co)), scope)
            }
            other => return self.add(Gate::Relation(other)),
        };
        if scope == Scope::All {
            return whole;
        }
        let thread = self.add(Gate::Relation(Symbol::SameThread));
        self.add(match scope {
            Scope::External => Gate::Difference(whole, thread),
            _ => Gate::Intersection(whole, thread),
        })
    }

    /// A union whose fixed parts are one fixed node.
    fn union(&mut self, first: Node, second: Node) -> Node {
        let mut parts = Vec::new();
        self.each_part(first, &mut parts);
        self.each_part(second, &mut parts);
        let (fixed, open): (Vec<Node>, Vec<Node>) = parts.into_iter().partition(|part| self.is_fixed(*part));
        let [fixed, open] = [fixed, open].map(|parts| {
            parts
                .into_iter()
                .reduce(|all, part| if all == part { all } else { self.add(Gate::Union(all, part)) })
        });
        match (open, fixed) {
            (Some(open), Some(fixed)) => self.add(Gate::Union(open, fixed)),
            (one, other) => one.or(other).expect("a union has parts"),
        }
    }

    fn each_part(&self, node: Node, parts: &mut Vec<Node>) {
        match self.gate(node) {
            Gate::Union(first, second) => {
                self.each_part(first, parts);
                self.each_part(second, parts);
            }
            _ => parts.push(node),
        }
    }

    fn needed_for(&self, result: Node) -> Vec<Node> {
        let mut is_needed = vec![false; self.len()];
        let mut open = vec![result];
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut is_needed[node as usize], true) && !self.is_fixed(node) {
                open.extend(inputs(self.gate(node)));
            }
        }
        (0..self.len() as Node).filter(|node| is_needed[*node as usize]).collect()
    }
}

/// What a gate is computed from.
pub(super) fn inputs(gate: Gate) -> impl Iterator<Item = Node> {
    let (first, second) = match gate {
        Gate::Union(a, b) | Gate::Intersection(a, b) | Gate::Difference(a, b) | Gate::Sequence(a, b) => {
            (Some(a), Some(b))
        }
        Gate::Plus(a) | Gate::Star(a) | Gate::Maybe(a) | Gate::Inverse(a) | Gate::FromRead(a) => {
            (Some(a), None)
        }
        Gate::Relation(_) | Gate::Test(_) | Gate::Empty | Gate::Identity => (None, None),
    };
    first.into_iter().chain(second)
}
