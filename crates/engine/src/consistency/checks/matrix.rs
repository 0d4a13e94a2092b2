//! Evaluates matrix programs: any axiom, over all events of a graph and its initial writes.
//!
//! This is what an axiom means; the faster checks are measured against it. It is also the only check for
//! axioms with intersections, differences or inverses that no other table can state.
//!
//! I1: programs are well formed (`Tables::validate`): the stack never runs empty and ends with one value.
//! I2: buffers stay with the evaluator, so that it allocates nothing once it has seen the largest graph.

use crate::consistency::checks::bits::{PathScratch, Rows};
use crate::consistency::checks::relations::Relations;
use crate::consistency::plan::tables::{Matrix, MatrixOp};
use crate::consistency::plan::vocabulary::Verdict;
use crate::graph::Graph;

/// Runs matrix programs; reusable for any graphs and programs.
#[derive(Clone, Default)]
pub struct Evaluator {
    relations: Relations,
    stack: Vec<Rows>,
    depth: usize,
    /// Which values of the stack are tests, with which composition is only a restriction.
    is_test: Vec<bool>,
    slots: Vec<Rows>,
    scratch: Rows,
    path: PathScratch,
}

impl Evaluator {
    /// An evaluator with no memory yet.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// Whether the program's relation on this graph is what it must be.
    pub fn holds(&mut self, matrix: &Matrix, graph: &Graph) -> bool {
        self.run(&matrix.program, graph);
        let result = &self.stack[self.depth - 1];
        match matrix.verdict {
            Verdict::Acyclic => result.is_acyclic(&mut self.path),
            Verdict::Irreflexive => result.is_irreflexive(),
            Verdict::Empty => result.is_empty(),
        }
    }

    /// The program's relation on this graph.
    pub fn relation(&mut self, matrix: &Matrix, graph: &Graph) -> &Rows {
        self.run(&matrix.program, graph);
        &self.stack[self.depth - 1]
    }

    /// Leaves the program's relation on the stack.
    fn run(&mut self, program: &[MatrixOp], graph: &Graph) {
        self.relations.prepare(graph);
        self.depth = 0;
        for op in program {
            self.step(*op, graph);
            self.is_test.resize(self.stack.len(), false);
            self.is_test[self.depth - 1] = matches!(op, MatrixOp::Test(_));
        }
        debug_assert_eq!(self.depth, 1, "I1");
    }

    fn step(&mut self, op: MatrixOp, graph: &Graph) {
        match op {
            MatrixOp::Relation(symbol) => {
                let top = push(&mut self.stack, &mut self.depth);
                self.relations.fill(graph, symbol, top);
            }
            MatrixOp::Test(classes) => {
                let top = self.push_empty();
                for (at, class) in self.relations.classes().iter().enumerate() {
                    if classes.has(*class) {
                        self.stack[top].set(at, at);
                    }
                }
            }
            MatrixOp::Empty => {
                self.push_empty();
            }
            MatrixOp::Identity => {
                let top = self.push_empty();
                self.stack[top].add_identity();
            }
            MatrixOp::Union => self.combine(|a, b| a | b),
            MatrixOp::Intersection => self.combine(|a, b| a & b),
            MatrixOp::Difference => self.combine(|a, b| a & !b),
            MatrixOp::Sequence => self.compose(),
            MatrixOp::Plus => self.top().close(),
            MatrixOp::Star => {
                self.top().close();
                self.top().add_identity();
            }
            MatrixOp::Maybe => self.top().add_identity(),
            MatrixOp::Inverse => {
                self.scratch.invert(&self.stack[self.depth - 1]);
                std::mem::swap(&mut self.scratch, &mut self.stack[self.depth - 1]);
            }
            MatrixOp::Store(slot) => {
                if self.slots.len() <= slot {
                    self.slots.resize_with(slot + 1, Rows::default);
                }
                self.slots[slot].copy(&self.stack[self.depth - 1]);
            }
            MatrixOp::Load(slot) => push(&mut self.stack, &mut self.depth).copy(&self.slots[slot]),
        }
    }

    fn compose(&mut self) {
        self.depth -= 1;
        let (below, top) = self.stack.split_at_mut(self.depth);
        let (first, second) = (&mut below[self.depth - 1], &mut top[0]);
        if self.is_test[self.depth] {
            first.keep_range(second);
        } else if self.is_test[self.depth - 1] {
            second.keep_domain(first);
            std::mem::swap(first, second);
        } else {
            self.scratch.compose(first, second);
            std::mem::swap(&mut self.scratch, first);
        }
    }

    fn top(&mut self) -> &mut Rows {
        &mut self.stack[self.depth - 1]
    }

    /// Pushes the empty relation; gives its place.
    fn push_empty(&mut self) -> usize {
        let nodes = self.relations.classes().len();
        push(&mut self.stack, &mut self.depth).reset(nodes);
        self.depth - 1
    }

    /// Replaces the two topmost values by one.
    fn combine(&mut self, change: impl Fn(u64, u64) -> u64) {
        self.depth -= 1;
        let (below, top) = self.stack.split_at_mut(self.depth);
        below[self.depth - 1].change(&top[0], change);
    }
}

/// A place on the stack, with what was there before.
fn push<'s>(stack: &'s mut Vec<Rows>, depth: &mut usize) -> &'s mut Rows {
    if stack.len() == *depth {
        stack.push(Rows::default());
    }
    *depth += 1;
    &mut stack[*depth - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consistency::checks::defined::{close, has, symbols, Pairs};
    use crate::consistency::checks::random::{Random, Sample};
    use crate::consistency::plan::tables::{Classes, Symbol};
    use crate::graph::INITIAL;

    fn assert_top_is(
        evaluator: &mut Evaluator,
        expected: &Pairs,
        what: &dyn std::fmt::Debug,
        sample: &Sample,
    ) {
        for x in 0..expected.len() {
            for y in 0..expected.len() {
                let (actual, expected) = (evaluator.top().has(x, y), has(expected, x, y));
                assert_eq!(actual, expected, "{what:?} ({x}, {y}): {:?}", sample.graph.events());
            }
        }
    }

    #[test]
    fn relations_are_what_their_definitions_say() {
        let (mut random, mut evaluator) = (Random(0xfeed_beef_dead_cafe), Evaluator::new());
        for case in 0..200 {
            // Up to 123 nodes: more than one word a row.
            let size = 1 + random.below(if case % 20 == 0 { 118 } else { 30 });
            let sample = Sample::new(&mut random, size, false);
            for symbol in symbols() {
                evaluator.run(&[MatrixOp::Relation(symbol)], &sample.graph);
                assert_top_is(&mut evaluator, &sample.relation(symbol), &symbol, &sample);
            }
        }
    }

    /// Applies an instruction to the definition's stack and slot 0.
    fn apply(op: MatrixOp, sample: &Sample, stack: &mut Vec<Pairs>, slot: &mut Pairs) {
        let count = sample.nodes();
        let identity = |test: &dyn Fn(usize) -> bool| (0..count).map(|x| u128::from(test(x)) << x).collect();
        let takes = match op {
            MatrixOp::Union | MatrixOp::Intersection | MatrixOp::Difference | MatrixOp::Sequence => 2,
            MatrixOp::Plus | MatrixOp::Star | MatrixOp::Maybe | MatrixOp::Inverse => 1,
            _ => 0,
        };
        let mut args = stack.split_off(stack.len() - takes);
        let both = |args: &[Pairs], f: fn(u128, u128) -> u128| {
            args[0].iter().zip(&args[1]).map(|(a, b)| f(*a, *b)).collect()
        };
        let relate = |test: &dyn Fn(usize, usize) -> bool| {
            (0..count).map(|x| (0..count).fold(0, |row, y| row | u128::from(test(x, y)) << y)).collect()
        };
        let result: Pairs = match op {
            MatrixOp::Relation(symbol) => sample.relation(symbol),
            MatrixOp::Test(classes) => identity(&|x| classes.has(sample.class(x))),
            MatrixOp::Empty => vec![0; count],
            MatrixOp::Identity => identity(&|_| true),
            MatrixOp::Union => both(&args, |a, b| a | b),
            MatrixOp::Intersection => both(&args, |a, b| a & b),
            MatrixOp::Difference => both(&args, |a, b| a & !b),
            MatrixOp::Sequence => {
                relate(&|x, y| (0..count).any(|z| has(&args[0], x, z) && has(&args[1], z, y)))
            }
            MatrixOp::Plus | MatrixOp::Star => {
                close(&mut args[0]);
                relate(&|x, y| has(&args[0], x, y) || op == MatrixOp::Star && x == y)
            }
            MatrixOp::Maybe => relate(&|x, y| has(&args[0], x, y) || x == y),
            MatrixOp::Inverse => relate(&|x, y| has(&args[0], y, x)),
            MatrixOp::Store(_) => {
                slot.clone_from(stack.last().expect("a value"));
                return;
            }
            MatrixOp::Load(_) => slot.clone(),
        };
        stack.push(result);
    }

    #[test]
    fn random_programs_are_what_their_definitions_say() {
        use MatrixOp::*;
        let (mut random, mut evaluator) = (Random(0x0bad_cafe_1234_4321), Evaluator::new());
        let mut held = [0; 2];
        for case in 0..1000 {
            let size = 1 + random.below(if case % 20 == 0 { 70 } else { 12 });
            let sample = Sample::new(&mut random, size, false);
            let (mut stack, mut slot, mut program) = (Vec::new(), Pairs::new(), Vec::new());
            while program.len() < 12 || stack.len() != 1 {
                let op = match (random.below(16), stack.len()) {
                    (0..=5, 0..=3) | (_, 0) => Relation(random.pick(&symbols())),
                    (6..=7, 1..=3) => {
                        random.pick(&[Test(Classes(0xff0ff)), Empty, Identity, Test(Classes(1 << INITIAL))])
                    }
                    (8, 1..=3) if !slot.is_empty() => Load(0),
                    (9, _) => Store(0),
                    (10..=11, _) => random.pick(&[Plus, Star, Maybe, Inverse]),
                    (_, 1) => continue,
                    _ => random.pick(&[Union, Intersection, Difference, Sequence, Sequence]),
                };
                apply(op, &sample, &mut stack, &mut slot);
                program.push(op);
            }
            evaluator.run(&program, &sample.graph);
            assert_top_is(&mut evaluator, &stack[0], &program, &sample);
            let mut closed = stack[0].clone();
            close(&mut closed);
            let loops = |pairs: &Pairs| (0..pairs.len()).any(|x| has(pairs, x, x));
            for (verdict, expected) in [
                (Verdict::Acyclic, !loops(&closed)),
                (Verdict::Irreflexive, !loops(&stack[0])),
                (Verdict::Empty, stack[0].iter().all(|row| *row == 0)),
            ] {
                let matrix = Matrix { program: program.clone(), verdict };
                assert_eq!(evaluator.holds(&matrix, &sample.graph), expected, "{matrix:?}");
                held[usize::from(expected)] += 1;
            }
        }
        assert!(held[0] > 150 && held[1] > 150, "{held:?}");
    }

    #[test]
    fn an_empty_graph_satisfies_everything() {
        let graph = crate::consistency::plan::encode::interleavings().upkeep().graph(4);
        let program = vec![MatrixOp::Relation(Symbol::Any), MatrixOp::Plus];
        for verdict in [Verdict::Acyclic, Verdict::Irreflexive, Verdict::Empty] {
            assert!(Evaluator::new().holds(&Matrix { program: program.clone(), verdict }, &graph));
        }
    }
}
