//! Small programs whose executions can be counted by hand; the Python tests compare many more with
//! brute force.

use crate::consistency::plan::encode;
use crate::consistency::Plan;
use crate::explore::{explore, Config, Leaks, Outcome, Status};
use crate::graph::Label;
use crate::program::assemble::{op, Assembler};
use crate::program::assemble_sync::{Use, MISUSE};
use crate::program::{code_address, Instr, Mode, Op, Program, RmwOp};
use crate::vm::{Repetition, Unroll};
use std::sync::Arc;

pub(in crate::explore) const X: u64 = (1 << 44) + 4096;
pub(in crate::explore) const Y: u64 = X + 16;

/// What a thread of a test does, one after the other.
#[derive(Clone, Copy)]
pub(in crate::explore) enum Act {
    Load(u64),
    Store(u64, u64),
    StoreLast(u64),
    Add(u64),
    Cas(u64, u64, u64),
    AssumeLast(u64),
    FailIf(u64),
    Lock(u64),
    Unlock(u64),
    Destroy(u64),
    Spin(u64),
    Exit,
    JoinThread(u64),
    Wide(u64),
}

fn emit(assembler: &mut Assembler, act: Act, code: &mut Vec<Instr>) {
    let access = |code| Instr { width: 32, mode: Mode::Rlx, dst: 1, ..op(code) };
    match act {
        Act::Load(at) => code.push(Instr { a: assembler.constant(at), ..access(Op::Load) }),
        Act::Wide(at) => code.push(Instr { a: assembler.constant(at), width: 64, ..access(Op::Load) }),
        Act::Store(at, value) => {
            let (a, b) = (assembler.constant(at), assembler.constant(value));
            code.push(Instr { a, b, ..access(Op::Store) });
        }
        Act::StoreLast(at) => {
            let a = assembler.constant(at);
            code.push(Instr { a, b: 1, ..access(Op::Store) });
        }
        Act::Add(at) => {
            let (a, b) = (assembler.constant(at), assembler.constant(1));
            code.push(Instr { a, b, x: RmwOp::Add as u8, ..access(Op::Rmw) });
        }
        Act::Cas(at, expected, new) => {
            let (a, b) = (assembler.constant(at), assembler.constant(expected));
            let c = assembler.constant(new);
            code.push(Instr { a, b, c, x: Mode::Rlx as u8, ..access(Op::Cas) });
        }
        Act::AssumeLast(value) => {
            code.push(Instr { dst: 1, a: 1, b: assembler.constant(value), ..op(Op::Eq) });
            code.push(Instr { a: 1, ..op(Op::Assume) });
        }
        Act::FailIf(value) => {
            let next = code.len() as u32 + 3;
            code.push(Instr { dst: 1, a: 1, b: assembler.constant(value), ..op(Op::Eq) });
            code.push(Instr { a: 1, b: next - 1, c: next, ..op(Op::Br) });
            code.push(Instr { a: 0, b: 0, ..op(Op::Fail) });
        }
        Act::Lock(at) => code.push(lock(assembler, Use::Take, at)),
        Act::Destroy(at) => code.push(lock(assembler, Use::Destroy, at)),
        Act::Exit => code.push(Instr { a: assembler.constant(0), x: 1, ..op(Op::Exit) }),
        Act::JoinThread(value) => {
            code.push(Instr { dst: 1, a: assembler.constant(value), ..op(Op::Join) });
        }
        Act::Spin(at) => {
            let start = code.len() as u32;
            code.push(Instr { a: assembler.constant(at), ..access(Op::Load) });
            code.push(Instr { a: 1, b: start + 4, c: start + 2, ..op(Op::Br) });
            code.push(Instr { dst: 2, a: 0, ..op(Op::Loop) });
            code.push(Instr { a: start, ..op(Op::Jmp) });
        }
        Act::Unlock(at) => code.push(lock(assembler, Use::Give, at)),
    }
}

fn lock(assembler: &mut Assembler, which: Use, at: u64) -> Instr {
    let address = assembler.constant(at);
    assembler.lock(which, 0, address)
}

/// Main creates the threads in order and joins them.
pub(in crate::explore) fn program(threads: &[&[Act]]) -> Program {
    let mut assembler = Assembler { strings: vec!["assertion".into()], loops: 1, ..Assembler::default() };
    assembler.globals = vec![(X, 8, false, vec![]), (Y, 8, false, vec![])];
    let n = threads.len() as u32;
    let zero = assembler.constant(0);
    let mut main = Vec::new();
    for i in 0..n {
        let a = assembler.constant(code_address(i + 1));
        main.push(Instr { dst: i, a, b: zero, ..op(Op::Create) });
    }
    main.extend((0..n).map(|i| Instr { dst: n, a: i, ..op(Op::Join) }));
    main.push(assembler.ret(&[zero]));
    assembler.function(0, n + 1, &main);
    for thread in threads {
        let mut code = Vec::new();
        for act in *thread {
            emit(&mut assembler, *act, &mut code);
        }
        code.push(assembler.ret(&[zero]));
        assembler.function(1, 3, &code);
    }
    assembler.program()
}

fn run_with(threads: &[&[Act]], change: impl FnOnce(&mut Config)) -> Outcome {
    run_plan(&encode::interleavings(), threads, change)
}

pub(in crate::explore) fn run_plan(
    plan: &Plan,
    threads: &[&[Act]],
    change: impl FnOnce(&mut Config),
) -> Outcome {
    let mut config = config();
    change(&mut config);
    explore(&program(threads), plan, &config, Arc::new(|| false))
}

/// The options of a test that changes none.
pub(in crate::explore) fn config() -> Config {
    Config {
        cuts: None,
        leaves_sizes: false,
        symmetry: false,
        unroll: Unroll::default(),
        schedule_seed: None,
        time_limit: None,
        collect: false,
        dependencies: false,
        liveness: false,
        load_annotations: true,
        confirmations: true,
        helping: false,
        postpones: true,
        reads_from: false,
        audit: true,
        verbose: false,
        event_limit: 1000,
        step_limit: 100_000,
        memory_limit: None,
        workers: 1,
        zero_net_effect: true,
        causal: false,
        observed: Vec::new(),
        contended: Vec::new(),
        stuck: 0,
        foreseen: Vec::new(),
        flags: None,
        eager: false,
        leaks: Leaks::Ignored,
        max_executions: None,
        progress: Arc::default(),
        route: None,
    }
}

fn run(threads: &[&[Act]], seed: Option<u64>) -> Outcome {
    run_with(threads, |config| config.schedule_seed = seed)
}

/// Complete and blocked executions, the same for every order of scheduling.
fn counts(threads: &[&[Act]]) -> (u64, u64) {
    let outcome = run(threads, None);
    assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.finding);
    for seed in 0..6 {
        let other = run(threads, Some(seed));
        assert_eq!((other.complete, other.blocked), (outcome.complete, outcome.blocked), "seed {seed}");
    }
    (outcome.complete, outcome.blocked)
}

use Act::*;

#[test]
fn store_buffering_has_three() {
    assert_eq!(counts(&[&[Store(X, 1), Load(Y)], &[Store(Y, 1), Load(X)]]), (3, 0));
}

#[test]
fn paper_examples() {
    assert_eq!(counts(&[&[Load(X)], &[Store(X, 1)], &[Store(X, 2)]]), (6, 0));
    assert_eq!(counts(&[&[Store(X, 1)], &[Store(Y, 1)], &[Load(X), Load(Y)]]), (4, 0));
    assert_eq!(counts(&[&[Add(X)], &[Add(X)]]), (2, 0));
    assert_eq!(counts(&[&[Load(X)], &[Store(X, 1), Store(X, 2)]]), (3, 0));
}

#[test]
fn increments_are_ordered_in_every_way() {
    assert_eq!(counts(&[&[Add(X)] as &[Act]; 5]), (120, 0));
    assert_eq!(counts(&[&[Add(X), Add(Y)] as &[Act]; 3]), (36, 0));
}

/// A write cannot stand between what an RMW read and what it wrote: W and U are ordered in two ways.
#[test]
fn intruder() {
    assert_eq!(counts(&[&[Add(X)], &[Store(X, 7)]]), (2, 0));
}

#[test]
fn compare_exchange_succeeds_or_fails() {
    assert_eq!(counts(&[&[Cas(X, 0, 1)], &[Cas(X, 0, 2)], &[Cas(X, 1, 3)]]), (5, 0));
}

#[test]
fn assume_blocks_an_execution() {
    let threads: &[&[Act]] = &[&[Store(X, 1)], &[Load(X), AssumeLast(1)]];
    let all = run_with(threads, |config| config.load_annotations = false);
    assert_eq!((all.complete, all.blocked), (1, 1));
    // The thread that reads 0 could have read again.
    assert_eq!(counts(threads), (1, 0));
    assert_eq!(counts(&[&[Store(X, 1)], &[Load(X), AssumeLast(2)]]), (0, 1));
}

#[test]
fn errors_beside_a_thread_that_stops_are_found() {
    // The first thread stops whatever it reads; under every schedule the failure of the third is found.
    let threads: &[&[Act]] =
        &[&[Load(X), AssumeLast(3)], &[Store(X, 1), Store(X, 2)], &[Load(Y), FailIf(0)], &[Store(Y, 1)]];
    for seed in 0..20 {
        assert_eq!(run(threads, Some(seed)).status, Status::Violation, "seed {seed}");
    }
}

#[test]
fn mutexes_exclude() {
    let critical = [Lock(Y), Load(X), Store(X, 1), Unlock(Y)];
    assert_eq!(counts(&[&critical, &critical]), (2, 0));
    assert_eq!(counts(&[&critical as &[Act]; 4]), (24, 0));
}

/// Two threads that take two mutexes in opposite orders: two orders, and one deadlock.
#[test]
fn lock_order_deadlock_is_a_blocked_execution() {
    let one = [Lock(X), Lock(Y), Unlock(Y), Unlock(X)];
    let other = [Lock(Y), Lock(X), Unlock(X), Unlock(Y)];
    assert_eq!(counts(&[&one, &other]), (2, 1));
    let outcome = run_with(&[&one, &other], |config| config.liveness = true);
    assert_eq!(outcome.finding.expect("a violation has a finding").finding.kind, "deadlock");
}

#[test]
fn more_threads_than_clocks_have_room_for_at_first() {
    assert_eq!(counts(&[&[Store(X, 1)] as &[Act]; 6]), (720, 0));
}

#[test]
fn a_failure_is_found_with_its_graph() {
    let outcome = run(&[&[Store(X, 1)], &[Store(X, 2)], &[Load(X), FailIf(2)]], None);
    assert_eq!(outcome.status, Status::Violation);
    let located = outcome.finding.expect("a violation has a finding");
    assert_eq!((located.finding.kind.as_str(), located.finding.thread.0), ("assertion", 3));
    assert!(outcome.graph.is_some());
}

#[test]
fn mixed_sizes_are_refused() {
    let outcome = run(&[&[Store(X, 1)], &[Wide(X)]], None);
    assert_eq!(outcome.status, Status::Refused);
    assert_eq!(outcome.finding.expect("a refusal has a finding").finding.kind, "mixed-size");
}

#[test]
fn unlocking_what_is_not_held_is_found() {
    let outcome = run(&[&[Unlock(X)]], None);
    assert_eq!(outcome.finding.expect("a violation has a finding").finding.kind, MISUSE);
}

fn finding(threads: &[&[Act]]) -> String {
    let outcome = run_with(threads, |config| config.liveness = true);
    outcome.finding.expect("there is a finding").finding.kind
}

#[test]
fn a_mutex_is_not_used_after_its_destruction() {
    let critical = [Lock(X), Unlock(X)];
    assert_eq!(finding(&[&critical, &[Destroy(X)]]), MISUSE);
    assert_eq!(finding(&[&[Lock(X), Store(Y, 1), Unlock(X)], &[Destroy(X)]]), MISUSE);
}

/// Reading the same write again and again is always consistent, so there is no end.
#[test]
fn waiting_loops_are_refused_at_once() {
    for seed in 0..4 {
        let outcome = run(&[&[Spin(X)], &[Store(X, 1)]], Some(seed));
        let located = outcome.finding.expect("a refusal has a finding");
        assert_eq!(
            (located.finding.kind.as_str(), located.finding.endless),
            ("endless-loop", Some(Repetition::Loop(0)))
        );
        assert!(outcome.events < 100);
    }
    let bounded = run_with(&[&[Spin(X)], &[Store(X, 1)]], |config| config.unroll = Unroll::all(3));
    assert_eq!((bounded.complete, bounded.blocked, bounded.cuts.len()), (4, 1, 1));
}

/// Threads 1 and 2 (values 2 and 3) wait for each other, or for themselves.
#[test]
fn waiting_for_each_other_is_a_deadlock() {
    assert_eq!(finding(&[&[JoinThread(3)], &[JoinThread(2)]]), "deadlock");
    assert_eq!(finding(&[&[JoinThread(2)]]), "deadlock");
    // The first thread joins the second one, which main joins too.
    assert_eq!(finding(&[&[JoinThread(3)], &[]]), "thread");
}

/// Nothing comes after the end of the program: a thread that waits for the one that ended it no longer waits.
#[test]
fn exit_ends_the_program() {
    assert_eq!(counts(&[&[Store(X, 1), Exit], &[Load(X)]]), (2, 0));
    assert_eq!(counts(&[&[Exit], &[Load(X), AssumeLast(1)]]), (0, 1));
}

#[test]
fn a_time_limit_gives_a_partial_answer() {
    let outcome = run_with(&[&[Add(X), Add(Y)] as &[Act]; 8], |config| config.time_limit = Some(0.05));
    assert_eq!(outcome.status, Status::Interrupted);
    assert!(outcome.complete > 0);
}

#[test]
fn reads_from_classes_are_counted_once() {
    let rf = |threads: &[&[Act]]| {
        let counts: Vec<u64> = (0..6)
            .map(|seed| {
                let outcome = run_with(threads, |config| {
                    (config.reads_from, config.schedule_seed) = (true, Some(seed));
                });
                outcome.complete
            })
            .collect();
        assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
        counts[0]
    };
    assert_eq!(rf(&[&[Store(X, 1)], &[Store(X, 2)], &[Store(X, 3)]]), 1);
    assert_eq!(rf(&[&[Load(X)], &[Store(X, 1)], &[Store(X, 2)]]), 3);
    assert_eq!(rf(&[&[Add(X)], &[Add(X)], &[Add(X)]]), 6);
    assert_eq!(rf(&[&[Store(X, 1), Load(Y)], &[Store(Y, 1), Load(X)]]), 3);
}

/// What the read knows already decides which of two unordered writes comes last: if the order were found with the
/// read in the graph, the revisit would be made once for each of them.
#[test]
fn judged_without_the_read() {
    let threads: &[&[Act]] = &[&[Store(X, 1)], &[Store(X, 2), Load(X), Load(X)], &[Store(X, 3)]];
    for seed in 0..12 {
        let outcome = run_with(threads, |config| {
            (config.reads_from, config.schedule_seed, config.collect) = (true, Some(seed), true);
        });
        // Both reads see 2; 2 then 1 or 3; or the same of 1 and 3; or 1 and 3 in either order.
        assert_eq!(outcome.complete, 7, "seed {seed}");
    }
}

/// Load buffering (thesis §5.7): the write of a thread may be seen before the thread's earlier read is made.
#[test]
fn gaps_are_filled() {
    let plan = encode::coherence_with_gaps();
    let two: &[&[Act]] = &[&[Load(X), Store(Y, 1)], &[Load(Y), Store(X, 1)]];
    let own: &[&[Act]] = &[&[Load(X), Store(X, 1)], &[Load(X), Store(X, 2)]];
    for seed in [None, Some(0), Some(1), Some(2), Some(3)] {
        let count = |threads| run_plan(&plan, threads, |config| config.schedule_seed = seed).complete;
        assert_eq!(count(two), 4, "seed {seed:?}");
        // No thread sees its own later write: 2 orders of writes, and with each what the reads may see.
        assert_eq!(count(own), 4, "seed {seed:?}");
    }
}

/// The value of a store is what the thread has read, so it is not known before; the other thread's is.
#[test]
fn dependencies_are_in_the_causal_order() {
    let plan = encode::coherence_with_gaps();
    let one: &[&[Act]] = &[&[Load(X), Store(Y, 5)], &[Load(Y), StoreLast(X)]];
    let both: &[&[Act]] = &[&[Load(X), StoreLast(Y)], &[Load(Y), StoreLast(X)]];
    for seed in [None, Some(0), Some(1), Some(2), Some(3)] {
        let count = |threads| run_plan(&plan, threads, |config| config.schedule_seed = seed).complete;
        assert_eq!(count(one), 4, "seed {seed:?}");
        assert_eq!(count(both), 3, "seed {seed:?}");
    }
}

/// Where the plan needs dependencies, and where only the caller does.
#[test]
fn graphs_say_what_events_depend_on() {
    let threads: &[&[Act]] = &[&[Load(X), Load(Y), StoreLast(X)]];
    let store = |plan: &Plan, asks| {
        let outcome = run_plan(plan, threads, |config| {
            config.collect = true;
            config.dependencies = asks;
        });
        let events = outcome.graphs[0].threads.iter().flat_map(|thread| &thread.events);
        let mut stores = events.filter(|event| event.label == Label::Write);
        stores.next().expect("the thread stores").depends.clone()
    };
    let by_data = Some([vec![], vec![1], vec![]]);
    assert_eq!(store(&encode::coherence_with_gaps(), false), by_data);
    assert_eq!(store(&encode::interleavings(), true), by_data);
    assert_eq!(store(&encode::interleavings(), false), None);
}
