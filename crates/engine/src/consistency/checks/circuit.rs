//! Matrix programs as one circuit: what several of them compute alike is one node of it.
//!
//! A node is fixed if it follows from the events alone, whatever they read and however writes are ordered. Most of what the
//! model of a machine says is: so its value can be kept while choices are tried (`matrix`).
//!
//! A fixpoint is computed by computing what depends on its variable again and again, from the empty relation on. Fixpoints
//! inside of others have variables with higher numbers.
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
    /// What a fixpoint has found so far.
    Variable(u32),
    /// The least value of a variable that equals what is computed from it.
    Fixpoint(u32, Node),
}

/// The gates of some programs.
#[derive(Clone, Default)]
pub(super) struct Circuit {
    gates: Vec<Gate>,
    fixed: Vec<bool>,
    /// The variables that each node depends on and that no fixpoint in it defines, as bits.
    open: Vec<u64>,
    programs: Vec<Wired>,
    /// What is computed in each round of a fixpoint, in order.
    rounds: Vec<(Node, Vec<Node>)>,
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

    /// The node of a variable, and those to compute in each round of a fixpoint.
    pub(super) fn rounds_of(&self, fixpoint: Node) -> (Node, &[Node]) {
        let Gate::Fixpoint(variable, _) = self.gate(fixpoint) else { unreachable!("it is a fixpoint") };
        let at = self.gates.iter().position(|gate| *gate == Gate::Variable(variable));
        let (_, rounds) = self.rounds.iter().find(|(node, _)| *node == fixpoint).expect("it was wired");
        (at.expect("wired before its fixpoint") as Node, rounds)
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
                MatrixOp::Variable(number) => self.add(Gate::Variable(number)),
                MatrixOp::Fixpoint(number) => {
                    let body = pop();
                    self.add(Gate::Variable(number));
                    self.fixpoint(number, body)
                }
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
            Gate::Relation(Symbol::Rf(_) | Symbol::Co(_) | Symbol::Fr(_)) | Gate::Variable(_) => false,
            _ => inputs(gate).all(|input| self.is_fixed(input)),
        };
        let inherited = inputs(gate).fold(0, |open, input| open | self.open[input as usize]);
        self.open.push(match gate {
            Gate::Variable(number) => 1 << number,
            Gate::Fixpoint(number, _) => inherited & !(1 << number),
            _ => inherited,
        });
        self.gates.push(gate);
        self.fixed.push(is_fixed);
        (self.gates.len() - 1) as Node
    }

    /// A fixpoint. Each round computes what depends on its variable, but on none of the fixpoints inside.
    fn fixpoint(&mut self, variable: u32, body: Node) -> Node {
        let node = self.add(Gate::Fixpoint(variable, body));
        if !self.rounds.iter().any(|(known, _)| *known == node) {
            let is_own = |node: &Node| {
                let open = self.open[*node as usize];
                open != 0 && open.ilog2() == variable && self.gate(*node) != Gate::Variable(variable)
            };
            let rounds = self.reached_from(body, |_| false).into_iter().filter(is_own).collect();
            self.rounds.push((node, rounds));
        }
        node
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
        let mut needed = self.reached_from(result, |node| self.is_fixed(node));
        needed.retain(|node| self.open[*node as usize] == 0);
        needed
    }

    /// What a node is computed from, itself included, in order; but not what some are computed from.
    fn reached_from(&self, result: Node, is_end: impl Fn(Node) -> bool) -> Vec<Node> {
        let mut is_reached = vec![false; self.len()];
        let mut pending = vec![result];
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut is_reached[node as usize], true) && !is_end(node) {
                pending.extend(inputs(self.gate(node)));
            }
        }
        (0..self.len() as Node).filter(|node| is_reached[*node as usize]).collect()
    }
}

/// What a gate is computed from.
pub(super) fn inputs(gate: Gate) -> impl Iterator<Item = Node> {
    let (first, second) = match gate {
        Gate::Union(a, b) | Gate::Intersection(a, b) | Gate::Difference(a, b) | Gate::Sequence(a, b) => {
            (Some(a), Some(b))
        }
        Gate::Plus(a)
        | Gate::Star(a)
        | Gate::Maybe(a)
        | Gate::Inverse(a)
        | Gate::FromRead(a)
        | Gate::Fixpoint(_, a) => (Some(a), None),
        Gate::Relation(_) | Gate::Test(_) | Gate::Empty | Gate::Identity | Gate::Variable(_) => (None, None),
    };
    first.into_iter().chain(second)
}
