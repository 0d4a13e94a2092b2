//! Evaluates matrix programs: any axiom, over all events of a graph and its initial writes.
//!
//! This is what an axiom means; the faster checks are measured against it. It is also the only check for
//! axioms with intersections, differences or inverses that no other table can state.
//!
//! I1: programs are well formed (`Tables::validate`).
//! I2: buffers stay with the evaluator. It allocates nothing once it has seen a few of the largest graphs of each size
//! up to 128 events, for which values are kept (`fixed`).

use crate::consistency::checks::bits::{PathScratch, Rows};
use crate::consistency::checks::circuit::{inputs, Circuit, Gate, Node};
use crate::consistency::checks::fixed::{Fixed, Remembered};
use crate::consistency::checks::relations::Relations;
use crate::consistency::plan::tables::{Matrix, MatrixOp};
use crate::consistency::plan::vocabulary::Verdict;
use crate::graph::Graph;
use std::sync::Arc;

/// Runs matrix programs; reusable for any graphs and programs.
#[derive(Clone, Default)]
pub struct Evaluator {
    relations: Relations,
    circuit: Circuit,
    /// The values of nodes that are not fixed.
    values: Vec<Rows>,
    fixed: Fixed,
    path: PathScratch,
}

impl Evaluator {
    /// An evaluator with no memory yet.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// Whether the program's relation on this graph is what it must be.
    pub fn holds(&mut self, matrix: &Matrix, graph: &Graph) -> bool {
        let mut path = std::mem::take(&mut self.path);
        let result = self.run(&matrix.program, graph);
        let holds = match matrix.verdict {
            Verdict::Acyclic => result.is_acyclic(&mut path),
            Verdict::Irreflexive => result.is_irreflexive(),
            Verdict::Empty => result.is_empty(),
        };
        self.path = path;
        holds
    }

    /// The program's relation on this graph.
    pub fn relation(&mut self, matrix: &Matrix, graph: &Graph) -> &Rows {
        self.run(&matrix.program, graph)
    }

    fn run(&mut self, program: &Arc<[MatrixOp]>, graph: &Graph) -> &Rows {
        let Evaluator { relations, circuit, values, fixed, .. } = self;
        let number = circuit.number_of(program);
        relations.prepare(graph);
        values.resize_with(circuit.len(), Rows::default);
        let known = fixed.of(graph, circuit.len());
        let (needed, result) = circuit.program(number);
        compute_all(circuit, needed, graph, relations, known, values);
        known.value(result).unwrap_or(&values[result as usize])
    }
}

/// Gives nodes their values, in order.
fn compute_all(
    circuit: &Circuit,
    nodes: &[Node],
    graph: &Graph,
    relations: &mut Relations,
    known: &mut Remembered,
    values: &mut [Rows],
) {
    for node in nodes {
        if circuit.is_fixed(*node) {
            settle(circuit, *node, graph, relations, known);
            continue;
        }
        if let Gate::Fixpoint(_, body) = circuit.gate(*node) {
            let (variable, rounds) = circuit.rounds_of(*node);
            values[variable as usize].reset(relations.classes().len());
            loop {
                compute_all(circuit, rounds, graph, relations, known, values);
                let found = known.value(body).unwrap_or(&values[body as usize]);
                if found.is_same(&values[variable as usize]) {
                    break;
                }
                let mut value = std::mem::take(&mut values[variable as usize]);
                value.copy(known.value(body).unwrap_or(&values[body as usize]));
                values[variable as usize] = value;
            }
        }
        let mut value = std::mem::take(&mut values[*node as usize]);
        let input = |node: Node| known.value(node).unwrap_or(&values[node as usize]);
        compute(circuit, *node, graph, relations, input, &mut value);
        values[*node as usize] = value;
    }
}

/// Gives a fixed node its value, unless it has one.
fn settle(circuit: &Circuit, node: Node, graph: &Graph, relations: &mut Relations, known: &mut Remembered) {
    if known.value(node).is_some() {
        return;
    }
    for input in inputs(circuit.gate(node)) {
        settle(circuit, input, graph, relations, known);
    }
    let mut value = known.room();
    let input = |node: Node| known.value(node).expect("it was settled before");
    compute(circuit, node, graph, relations, input, &mut value);
    known.keep(node, value);
}

/// Computes the value of a node from those of its inputs.
fn compute<'v>(
    circuit: &Circuit,
    node: Node,
    graph: &Graph,
    relations: &mut Relations,
    input: impl Fn(Node) -> &'v Rows,
    value: &mut Rows,
) {
    let nodes = relations.classes().len();
    match circuit.gate(node) {
        Gate::Relation(symbol) => relations.fill(graph, symbol, value),
        Gate::FromRead(co) => relations.fill_fr(graph, input(co), value),
        Gate::Test(classes) => {
            value.reset(nodes);
            for (at, class) in relations.classes().iter().enumerate() {
                if classes.has(*class) {
                    value.set(at, at);
                }
            }
        }
        Gate::Empty => value.reset(nodes),
        Gate::Identity => {
            value.reset(nodes);
            value.add_identity();
        }
        Gate::Union(a, b) => value.combine(input(a), input(b), |a, b| a | b),
        Gate::Intersection(a, b) => value.combine(input(a), input(b), |a, b| a & b),
        Gate::Difference(a, b) => value.combine(input(a), input(b), |a, b| a & !b),
        Gate::Sequence(a, b) if circuit.is_test(b) => {
            value.copy(input(a));
            value.keep_range(input(b));
        }
        Gate::Sequence(a, b) if circuit.is_test(a) => {
            value.copy(input(b));
            value.keep_domain(input(a));
        }
        Gate::Sequence(a, b) => value.compose(input(a), input(b)),
        Gate::Plus(a) => {
            value.copy(input(a));
            value.close();
        }
        Gate::Star(a) => {
            value.copy(input(a));
            value.close();
            value.add_identity();
        }
        Gate::Maybe(a) => {
            value.copy(input(a));
            value.add_identity();
        }
        Gate::Inverse(a) => value.invert(input(a)),
        // What its rounds ended with.
        Gate::Fixpoint(_, a) => value.copy(input(a)),
        Gate::Variable(_) => unreachable!("rounds give variables their values"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consistency::checks::defined::{close, has, symbols, Pairs};
    use crate::consistency::checks::random::{Random, Sample};
    use crate::consistency::plan::tables::{Classes, Symbol};
    use crate::graph::INITIAL;

    fn assert_is(result: &Rows, expected: &Pairs, what: &dyn std::fmt::Debug, sample: &Sample) {
        for x in 0..expected.len() {
            for y in 0..expected.len() {
                let (actual, expected) = (result.has(x, y), has(expected, x, y));
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
                let result = evaluator.run(&[MatrixOp::Relation(symbol)].into(), &sample.graph);
                assert_is(result, &sample.relation(symbol), &symbol, &sample);
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
            MatrixOp::Variable(_) | MatrixOp::Fixpoint(_) => unreachable!("not drawn"),
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
            let program: Arc<[MatrixOp]> = program.into();
            assert_is(evaluator.run(&program, &sample.graph), &stack[0], &program, &sample);
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

    /// As many steps of one relation as then of another, with fixpoints of their own inside: `x = a | a ; x ; b`, where
    /// `b` is `y = c | c ; y` or, with `x` inside, `y = c | x ; y`.
    #[test]
    fn fixpoints_are_the_least_solutions() {
        use MatrixOp::*;
        let (mut random, mut evaluator) = (Random(0x5eed_0f1c_0de5_0001), Evaluator::new());
        let mut deep = 0;
        for _ in 0..300 {
            let size = 1 + random.below(14);
            let sample = Sample::new(&mut random, size, false);
            let [a, c] = [0, 1].map(|_| random.pick(&symbols()));
            let (first, other) = (sample.relation(a), sample.relation(c));
            let count = sample.nodes();
            let join = |one: &Pairs, two: &Pairs| -> Pairs {
                one.iter()
                    .map(|row| (0..count).filter(|y| row >> y & 1 == 1).fold(0, |all, y| all | two[y]))
                    .collect()
            };
            let unite =
                |one: &Pairs, two: &Pairs| -> Pairs { one.iter().zip(two).map(|(a, b)| a | b).collect() };
            for inner_step in [Relation(c), Variable(0)] {
                let inner = [Relation(c), inner_step, Variable(1), Sequence, Union, Fixpoint(1)];
                let mut program = vec![Relation(a), Relation(a), Variable(0), Sequence];
                program.extend(inner);
                program.extend([Sequence, Union, Fixpoint(0)]);
                let mut x: Pairs = vec![0; count];
                for round in 0.. {
                    let step = if inner_step == Variable(0) { x.clone() } else { other.clone() };
                    let mut y: Pairs = vec![0; count];
                    loop {
                        let next = unite(&other, &join(&step, &y));
                        if next == y {
                            break;
                        }
                        y = next;
                    }
                    let next = unite(&first, &join(&join(&first, &x), &y));
                    deep = deep.max(round);
                    if next == x {
                        break;
                    }
                    x = next;
                }
                assert_is(evaluator.run(&program.into(), &sample.graph), &x, &(a, c), &sample);
            }
        }
        assert!(deep > 2, "{deep}");
    }

    #[test]
    fn an_empty_graph_satisfies_everything() {
        let graph = crate::consistency::plan::encode::interleavings().upkeep().graph(4);
        let program: Arc<[MatrixOp]> = [MatrixOp::Relation(Symbol::Any), MatrixOp::Plus].into();
        for verdict in [Verdict::Acyclic, Verdict::Irreflexive, Verdict::Empty] {
            assert!(Evaluator::new().holds(&Matrix { program: program.clone(), verdict }, &graph));
        }
    }
}
