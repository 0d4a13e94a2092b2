//! The search and the evaluator against definitions, and against each other, on random graphs.

use crate::consistency::checks::automaton::Automaton;
use crate::consistency::checks::defined::{close, has, symbols, Pairs};
use crate::consistency::checks::matrix::Evaluator;
use crate::consistency::checks::random::{Random, Sample};
use crate::consistency::checks::search::Searcher;
use crate::consistency::plan::tables::{Classes, Matrix, MatrixOp, Scope, Symbol, Transition, View};
use crate::consistency::plan::vocabulary::Verdict;
use crate::graph::EventClass;
use crate::ids::EventId;

const READS: Classes = Classes(EventClass::READS);
const WRITES: Classes = Classes(EventClass::WRITES);
const NO_VIEWS: fn(usize, EventId, EventId) -> bool = |_, _, _| unreachable!("there are no views");

fn step(source: usize, symbol: Symbol, target: usize) -> Transition {
    Transition { source, symbol, target, before: Classes::ALL, after: Classes::ALL, inverse: false }
}

fn events(sample: &Sample) -> Vec<EventId> {
    (0..sample.graph.len()).map(EventId::from_usize).collect()
}

/// The product, made in full: a closed walk from one of the events through state 0.
fn naive_cycle(
    sample: &Sample,
    states: usize,
    transitions: &[Transition],
    around: &[EventId],
    relation: impl Fn(Symbol) -> Pairs,
) -> bool {
    let count = sample.graph.len();
    let mut product = vec![0u128; count * states];
    for t in transitions {
        let pairs = relation(t.symbol);
        for x in (0..count).filter(|x| t.before.has(sample.class(*x))) {
            for y in (0..count).filter(|y| t.after.has(sample.class(*y))) {
                if if t.inverse { has(&pairs, y, x) } else { has(&pairs, x, y) } {
                    product[x * states + t.source] |= 1 << (y * states + t.target);
                }
            }
        }
    }
    close(&mut product);
    around.iter().any(|e| {
        (0..states).map(|q| e.at() * states + q).any(|start| {
            (0..count)
                .map(|x| x * states)
                .any(|zero| has(&product, start, zero) && has(&product, zero, start))
        })
    })
}

/// The relations that most axioms are made of.
fn common() -> [Symbol; 4] {
    [Symbol::Po, Symbol::Rf(Scope::All), Symbol::Co(Scope::All), Symbol::Fr(Scope::All)]
}

fn random_table(random: &mut Random, states: usize, symbols: &[Symbol]) -> Vec<Transition> {
    (0..states + random.below(4 * states))
        .map(|_| Transition {
            source: random.below(states),
            symbol: random.pick(symbols),
            target: random.below(states),
            before: random.classes(),
            after: random.classes(),
            inverse: random.one_in(6),
        })
        .collect()
}

fn random_around(random: &mut Random, sample: &Sample) -> Vec<EventId> {
    let all = events(sample);
    match random.below(3) {
        0 => all,
        1 => vec![random.pick(&all)],
        _ => vec![random.pick(&all), random.pick(&all)],
    }
}

#[test]
fn random_automata_agree_with_the_whole_product() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut searcher, all) = (Searcher::new(), symbols());
    // Without `any`, which makes a cycle of almost everything.
    let mut tame: Vec<Symbol> = all.iter().copied().filter(|s| *s != Symbol::Any).collect();
    tame.extend(common().repeat(4));
    let mut found = [0; 2];
    for case in 0..8000 {
        let size = if case % 20 == 0 { 1 } else { 5 } + random.below(15);
        let sample = Sample::new(&mut random, size, case % 2 == 0);
        let states = 1 + random.below(4);
        let table = random_table(&mut random, states, if case % 8 == 0 { &all } else { &tame });
        let around = random_around(&mut random, &sample);
        let expected = naive_cycle(&sample, states, &table, &around, |s| sample.relation(s));
        let automaton = Automaton::new(states, &table, &[], false);
        let actual = searcher.has_cycle(&automaton, &sample.graph, &around, &NO_VIEWS);
        assert_eq!(actual, expected, "case {case}: {table:?} around {around:?}: {:?}", sample.graph.events());
        found[usize::from(actual)] += 1;
    }
    assert!(found[0] > 1000 && found[1] > 1000, "{found:?}");
}

/// Two views: causality, which leads to the rest of a thread, and one that does not.
fn views() -> Vec<View> {
    let transitions = vec![
        step(0, Symbol::PoImm, 0),
        Transition { before: Classes(0xf0000), ..step(0, Symbol::Rf(Scope::External), 1) },
        step(1, Symbol::PoImm, 1),
        step(1, Symbol::Rf(Scope::All), 1),
    ];
    let causal = View { states: 2, transitions, last: vec![0, 1] };
    let transitions = vec![step(0, Symbol::PoImm, 0), step(0, Symbol::Rf(Scope::All), 1)];
    vec![causal, View { states: 2, transitions, last: vec![1] }]
}

/// A view by its definition: paths of at least one step from state 0 to a last state.
fn view_pairs(sample: &Sample, view: &View) -> Pairs {
    let (count, states) = (sample.graph.len(), view.states);
    let mut product = vec![0u128; count * states];
    for t in &view.transitions {
        let pairs = sample.relation(t.symbol);
        for x in (0..count).filter(|x| t.before.has(sample.class(*x))) {
            for y in (0..count).filter(|y| has(&pairs, x, *y) && t.after.has(sample.class(*y))) {
                product[x * states + t.source] |= 1 << (y * states + t.target);
            }
        }
    }
    close(&mut product);
    let leads = |x: usize, y: usize| view.last.iter().any(|q| has(&product, x * states, y * states + q));
    (0..count).map(|x| (0..count).filter(|y| leads(x, *y)).fold(0, |row, y| row | 1 << y)).collect()
}

fn local_pairs(sample: &Sample, pairs: &Pairs) -> Pairs {
    let count = pairs.len();
    let local = |x: usize, y: usize| has(pairs, x, y) && sample.is_same_location(x, y);
    (0..count).map(|x| (0..count).filter(|y| local(x, *y)).fold(0, |row, y| row | 1 << y)).collect()
}

#[test]
fn random_automata_with_views_agree_with_the_whole_product() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut searcher, views) = (Searcher::new(), views());
    let mut some = symbols();
    some.retain(|s| *s != Symbol::Any);
    some.extend([Symbol::View(0), Symbol::View(1), Symbol::ViewLoc(0), Symbol::ViewLoc(1)].repeat(4));
    some.extend(common().repeat(3));
    let mut found = [0; 2];
    for case in 0..5000 {
        let size = 2 + random.below(16);
        let sample = Sample::new(&mut random, size, true);
        let states = 1 + random.below(4);
        let table = random_table(&mut random, states, &some);
        let around = random_around(&mut random, &sample);
        let pairs: Vec<Pairs> = views.iter().map(|view| view_pairs(&sample, view)).collect();
        let relation = |symbol| match symbol {
            Symbol::View(k) => pairs[k].clone(),
            Symbol::ViewLoc(k) => local_pairs(&sample, &pairs[k]),
            other => sample.relation(other),
        };
        let expected = naive_cycle(&sample, states, &table, &around, relation);
        let in_view = |k: usize, x: EventId, e: EventId| has(&pairs[k], x.at(), e.at());
        let automaton = Automaton::new(states, &table, &views, false);
        let actual = searcher.has_cycle(&automaton, &sample.graph, &around, &in_view);
        assert_eq!(actual, expected, "case {case}: {table:?} around {around:?}: {:?}", sample.graph.events());
        found[usize::from(actual)] += 1;
    }
    assert!(found[0] > 700 && found[1] > 700, "{found:?}");
}

/// The union of a table's transitions between two states, as a program.
fn between(table: &[Transition], source: usize, target: usize, program: &mut Vec<MatrixOp>) {
    program.push(MatrixOp::Empty);
    for t in table.iter().filter(|t| (t.source, t.target) == (source, target)) {
        program.extend([MatrixOp::Test(t.before), MatrixOp::Relation(t.symbol)]);
        program.extend(t.inverse.then_some(MatrixOp::Inverse));
        program.extend([MatrixOp::Sequence, MatrixOp::Test(t.after), MatrixOp::Sequence, MatrixOp::Union]);
    }
}

/// The words of a table with two states, as a program.
fn two_states(table: &[Transition]) -> Matrix {
    let mut program = Vec::new();
    between(table, 0, 0, &mut program);
    between(table, 0, 1, &mut program);
    between(table, 1, 1, &mut program);
    program.extend([MatrixOp::Star, MatrixOp::Sequence]);
    between(table, 1, 0, &mut program);
    program.extend([MatrixOp::Sequence, MatrixOp::Union]);
    Matrix { program: program.into(), verdict: Verdict::Acyclic }
}

/// Automata of real axioms' shapes.
fn tables() -> Vec<(usize, Vec<Transition>)> {
    use Scope::{All, External};
    let interleaving = common().map(|symbol| step(0, symbol, 0)).to_vec();
    let guarded = vec![
        Transition { before: READS, after: WRITES, ..step(0, Symbol::Po, 0) },
        step(0, Symbol::Rf(External), 0),
        step(0, Symbol::Co(All), 1),
        step(1, Symbol::Rf(All), 0),
        step(0, Symbol::Fr(All), 0),
    ];
    let fenced = vec![
        Transition { before: Classes(1 << 24), ..step(0, Symbol::Po, 1) },
        step(1, Symbol::Fr(External), 1),
        step(1, Symbol::Rf(External), 1),
        step(1, Symbol::Co(External), 1),
        Transition { after: Classes(1 << 24), ..step(1, Symbol::Po, 0) },
        step(0, Symbol::Po, 0),
    ];
    vec![(1, interleaving), (2, guarded), (2, fenced)]
}

#[test]
fn known_axioms_agree_with_matrix_programs() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let (mut searcher, mut evaluator) = (Searcher::new(), Evaluator::new());
    for (states, table) in tables() {
        let automaton = Automaton::new(states, &table, &[], false);
        let matrix = two_states(&table);
        let mut found = [0; 2];
        for case in 0..3000 {
            let size = 1 + random.below(if case % 10 == 0 { 90 } else { 25 });
            let sample = Sample::new(&mut random, size, case % 2 == 0);
            let around = events(&sample);
            let cyclic = searcher.has_cycle(&automaton, &sample.graph, &around, &NO_VIEWS);
            assert_eq!(
                evaluator.holds(&matrix, &sample.graph),
                !cyclic,
                "{table:?}: {:?}",
                sample.graph.events()
            );
            found[usize::from(cyclic)] += 1;
        }
        assert!(found[0] > 50 && found[1] > 50, "{table:?}: {found:?}");
    }
}

/// In a graph that is consistent without its newest event, a search around that event finds every cycle.
#[test]
fn searching_around_the_newest_event_is_enough() {
    let mut random = Random(0x0dd0_5eed_1337_c0de);
    let mut searcher = Searcher::new();
    for (states, table) in tables() {
        let automaton = Automaton::new(states, &table, &[], false);
        let mut compared = 0;
        for _ in 0..3000 {
            let size = 2 + random.below(14);
            let sample = Sample::new(&mut random, size, true);
            let mut smaller = sample.graph.clone();
            smaller.pop();
            let all = events(&sample);
            let (newest, older) = all.split_last().expect("at least two events");
            if !searcher.has_cycle(&automaton, &smaller, older, &NO_VIEWS) {
                let around = searcher.has_cycle(&automaton, &sample.graph, &[*newest], &NO_VIEWS);
                let anywhere = searcher.has_cycle(&automaton, &sample.graph, &all, &NO_VIEWS);
                assert_eq!(around, anywhere, "{table:?}: {:?}", sample.graph.events());
                compared += 1;
            }
        }
        assert!(compared > 300, "{compared}");
    }
}
