//! Estimates of small programs, beside what exploring them counts; and fractions of what is explored.

use crate::consistency::plan::encode;
use crate::consistency::Plan;
use crate::explore::tests::Act::{self, *};
use crate::explore::tests::{config, program, run_plan, X, Y};
use crate::explore::{estimate, Config, Estimate, Outcome, Sampling, Status};
use std::sync::Arc;

const RW: &[&[Act]] = &[&[Load(X)], &[Store(X, 1)], &[Store(X, 2)]];
/// Most choices of these lead to few executions, and some to many.
const UNEVEN: [&[&[Act]]; 5] = [
    RW,
    &[&[Load(X), Load(X), Store(Y, 1)], &[Store(X, 1), Load(Y)], &[Store(X, 2), Load(Y), Load(X)]],
    &[&[Add(X), Load(Y)], &[Add(X), Store(Y, 1)], &[Add(X), Load(Y)], &[Store(Y, 2)]],
    &[&[Cas(X, 0, 1), Load(Y)], &[Cas(X, 0, 2), Store(Y, 1)], &[Cas(X, 1, 3), Load(Y)], &[Load(X)]],
    &[&[Lock(X), Load(Y), Unlock(X)], &[Lock(X), Store(Y, 1), Unlock(X)], &[Load(Y), Load(Y)]],
];

fn sampled(plan: &Plan, threads: &[&[Act]], how: Sampling, change: impl FnOnce(&mut Config)) -> Estimate {
    let mut config = config();
    change(&mut config);
    let outcome = estimate(&program(threads), plan, &config, how, Arc::new(|| false));
    assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.finding);
    outcome.estimate.expect("it was asked for")
}

fn counted(outcome: &Outcome) -> f64 {
    (outcome.complete + outcome.blocked) as f64
}

#[test]
fn small_programs_are_counted() {
    for threads in UNEVEN {
        for reads_from in [false, true] {
            let plan = encode::interleavings();
            let found = run_plan(&plan, threads, |config| config.reads_from = reads_from);
            let how = Sampling { widths: (10_000, 10_000), ..Sampling::new(1, 100, 0.01) };
            let estimate = sampled(&plan, threads, how, |config| config.reads_from = reads_from);
            assert!(estimate.exact && estimate.samples == 1, "{estimate:?}");
            assert_eq!(estimate.executions.mean, counted(&found));
            assert_eq!(estimate.executions.low, estimate.executions.high);
        }
    }
}

/// However few options are followed, the mean of many samples is the number of executions.
#[test]
fn the_mean_is_the_number_of_executions() {
    for threads in UNEVEN {
        for (plan, reads_from) in [
            (encode::interleavings(), false),
            (encode::interleavings(), true),
            (encode::coherence_with_gaps(), false),
        ] {
            let found = run_plan(&plan, threads, |config| config.reads_from = reads_from);
            for (width, samples) in [(2, 500), (4, 200)] {
                let how = Sampling { widths: (width, width), ..Sampling::new(7, samples, 0.0) };
                let estimate = sampled(&plan, threads, how, |config| {
                    (config.reads_from, config.audit) = (reads_from, false);
                });
                let ratio = estimate.executions.mean / counted(&found);
                assert!((0.8..1.25).contains(&ratio), "{ratio} of {}, width {width}", counted(&found));
            }
        }
    }
}

#[test]
fn exchangeable_threads_are_explored_once_and_counted_often() {
    let threads: &[&[Act]] = &[&[Add(X)] as &[Act]; 4];
    let how = Sampling::new(1, 100, 0.01);
    let estimate = sampled(&encode::interleavings(), threads, how, |config| config.symmetry = true);
    assert_eq!(estimate.executions.mean, 24.0);
}

#[test]
fn a_finding_ends_sampling() {
    let threads: &[&[Act]] = &[&[Store(X, 1)], &[Load(X), FailIf(1)]];
    let how = Sampling::new(1, 100, 0.01);
    let outcome = estimate(&program(threads), &encode::interleavings(), &config(), how, Arc::new(|| false));
    assert_eq!(outcome.status, Status::Violation);
}

/// The first so many executions cover more than fewer do, and all of them everything.
#[test]
fn the_fraction_grows_to_one() {
    for threads in UNEVEN {
        let plan = encode::interleavings();
        let all = run_plan(&plan, threads, |_| {});
        assert_eq!(all.fraction(), 1.0);
        let mut before = 0.0;
        let count = all.complete + all.blocked;
        for most in 1..=count + 1 {
            let some = run_plan(&plan, threads, |config| config.max_executions = Some(most));
            // Behind the last execution there may be options that lead to none.
            assert!(some.fraction() > before || most > count, "{most}: {} after {before}", some.fraction());
            before = some.fraction();
            let is_over = some.status == Status::Finished;
            assert_eq!(is_over, some.fraction() == 1.0);
            assert_eq!(some.complete + some.blocked, most.min(count));
        }
        assert_eq!(before, 1.0);
    }
}

#[test]
fn workers_cover_everything_together() {
    for threads in UNEVEN {
        for workers in [2, 3, 5] {
            let mut shown = None;
            let found = run_plan(&encode::interleavings(), threads, |config| {
                (config.workers, config.eager) = (workers, true);
                shown = Some(Arc::clone(&config.progress));
            });
            let look = shown.expect("it was kept").look();
            assert_eq!((found.fraction(), look.fraction), (1.0, 1.0));
            assert_eq!((look.counts.complete, look.counts.blocked), (found.complete, found.blocked));
        }
    }
}
