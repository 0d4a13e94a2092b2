//! Any number of workers reports what one does; work is shared at every occasion, so that small programs are split.

use crate::consistency::plan::encode;
use crate::consistency::{Alarm, Plan};
use crate::explore::limits::watch::Watch;
use crate::explore::tests::Act::{self, *};
use crate::explore::tests::{run_plan, X, Y};
use crate::explore::threads::numbers::ThreadTable;
use crate::explore::workers::team::Team;
use crate::explore::{Config, Outcome, Status};
use std::panic::{catch_unwind, AssertUnwindSafe};

const MORE_WORKERS: [usize; 3] = [2, 3, 5];

/// Everything that is reported, but for what may depend on the workers.
fn reported(plan: &Plan, threads: &[&[Act]], change: impl FnOnce(&mut Config)) -> String {
    let outcome = run_plan(plan, threads, |config| {
        (config.collect, config.liveness, config.eager) = (true, true, true);
        change(config);
    });
    format!("{:#?}", Outcome { seconds: 0.0, parts: 1, ..outcome })
}

fn assert_same_for_any_number(plan: &Plan, threads: &[&[Act]], reads_from: bool) {
    for schedule_seed in [None, Some(0), Some(1)] {
        let report = |workers| {
            reported(plan, threads, |config| {
                (config.workers, config.schedule_seed, config.reads_from) =
                    (workers, schedule_seed, reads_from);
            })
        };
        let alone = report(1);
        for workers in MORE_WORKERS {
            assert_eq!(report(workers), alone, "{workers} workers, seed {schedule_seed:?}");
        }
    }
}

#[test]
fn graphs_come_in_the_same_order() {
    let plan = encode::interleavings();
    let programs: [&[&[Act]]; 4] = [
        &[&[Add(X), Add(Y)] as &[Act]; 3],
        &[&[Store(X, 1), Load(Y)], &[Store(Y, 1), Load(X)], &[Load(X), Store(Y, 2)]],
        &[&[Cas(X, 0, 1)], &[Cas(X, 0, 2)], &[Cas(X, 1, 3)], &[Load(X), AssumeLast(2)]],
        &[&[Store(X, 1), Store(X, 2)], &[Load(X), Store(Y, 1)], &[Load(Y), Store(X, 3)], &[Load(X)]],
    ];
    for threads in programs {
        assert_same_for_any_number(&plan, threads, false);
        assert_same_for_any_number(&plan, threads, true);
    }
}

#[test]
fn gaps_are_filled_alike() {
    let threads: &[&[Act]] = &[&[Load(X), Store(Y, 1)], &[Load(Y), Store(X, 1)], &[Store(X, 2), Load(Y)]];
    assert_same_for_any_number(&encode::coherence_with_gaps(), threads, false);
}

/// Several parts of the exploration have a finding: the first that one worker meets is reported.
#[test]
fn the_same_finding_is_reported() {
    let threads: &[&[Act]] = &[
        &[Store(X, 1), Store(Y, 1)],
        &[Store(X, 2), Store(Y, 2)],
        &[Load(X), Load(Y), FailIf(2)],
        &[Load(Y), Load(X), FailIf(1)],
    ];
    assert_same_for_any_number(&encode::interleavings(), threads, false);
    assert_same_for_any_number(&encode::interleavings(), threads, true);
    let deadlock: &[&[Act]] = &[
        &[Lock(X), Lock(Y), Unlock(Y), Unlock(X)],
        &[Lock(Y), Lock(X), Unlock(X), Unlock(Y)],
        &[Lock(X), Unlock(X)],
    ];
    assert_same_for_any_number(&encode::interleavings(), deadlock, false);
}

#[test]
fn more_threads_than_clocks_have_room_for_at_first() {
    assert_same_for_any_number(&encode::interleavings(), &[&[Store(X, 1)] as &[Act]; 5], false);
}

#[test]
fn a_time_limit_stops_all_workers() {
    let threads: &[&[Act]] = &[&[Add(X), Add(Y)] as &[Act]; 8];
    for eager in [false, true] {
        let outcome = run_plan(&encode::interleavings(), threads, |config| {
            (config.workers, config.eager, config.time_limit) = (3, eager, Some(0.1));
        });
        // There are (8!)^2 executions: if one worker went on, this would not return in hours.
        assert_eq!(outcome.status, Status::Interrupted);
    }
}

#[test]
fn work_is_shared() {
    let threads: &[&[Act]] = &[&[Add(X), Add(Y)] as &[Act]; 3];
    for workers in MORE_WORKERS {
        let outcome = run_plan(&encode::interleavings(), threads, |config| {
            (config.workers, config.eager) = (workers, true);
        });
        assert!(outcome.parts > 2, "{}", outcome.parts);
    }
}

#[test]
#[should_panic(expected = "reads from")]
fn a_panic_of_any_worker_ends_the_exploration() {
    let threads: &[&[Act]] = &[&[Store(X, 1), Load(Y)], &[Store(Y, 1), Load(X)], &[Load(X), Load(Y)]];
    run_plan(&encode::mistaken(), threads, |config| (config.workers, config.eager) = (3, true));
}

#[test]
fn who_waits_is_told_of_a_panic() {
    let team = Team::new(ThreadTable::new(4));
    team.expect(1);
    std::thread::scope(|scope| {
        scope.spawn(|| team.next_work(&mut Watch::new(Alarm::silent())).is_none());
        team.gather(&mut Watch::new(Alarm::silent())).map_err(|_| ()).expect("nobody stops it");
        team.fail(Box::new("broken"));
    });
    let went_on = catch_unwind(AssertUnwindSafe(|| team.conclude()));
    assert_eq!(went_on.err().and_then(|panic| panic.downcast_ref::<&str>().copied()), Some("broken"));
}
