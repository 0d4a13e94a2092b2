//! How far an exploration has come, for whoever shows it while it runs.
//!
//! Each choice divides its share of the whole among its options, revisits included (`choices::stack`). What is explored is
//! the sum of the shares of all options that are done, with all that follows from them.
//!
//! I1: the fraction never decreases, and is 1 once everything is explored. An exploration that starts again, because it
//! found out something, explores what is left of the fraction.
//! I2: workers report when they look at the clock, a few times a second, and when they hand in what they counted.

use crate::explore::choices::stack::WHOLE;
use crate::explore::regimes::Regime;
use crate::explore::Explorer;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What an exploration has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// The sum of the shares of what is explored.
    pub(in crate::explore) share: u64,
    /// Complete executions.
    pub complete: u64,
    /// Blocked executions.
    pub blocked: u64,
    /// Events that were added.
    pub events: u64,
}

impl Counts {
    /// These without some of them.
    fn since(self, before: Counts) -> Counts {
        Counts {
            share: self.share - before.share,
            complete: self.complete - before.complete,
            blocked: self.blocked - before.blocked,
            // An event that has to be added once more is taken back.
            events: self.events.saturating_sub(before.events),
        }
    }

    fn add(&mut self, more: Counts) {
        self.share += more.share;
        self.complete += more.complete;
        self.blocked += more.blocked;
        self.events += more.events;
    }

    /// How much of the whole that is.
    pub fn fraction(&self) -> f64 {
        self.share as f64 / WHOLE as f64
    }
}

/// What is shown of an exploration that runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// What was done since it started, or started again.
    pub counts: Counts,
    /// Which part is explored.
    pub fraction: f64,
    /// How often it has started.
    pub attempts: u32,
}

/// Where workers report.
#[derive(Debug, Default)]
pub struct Progress(Mutex<Look>);

impl Progress {
    /// How far the exploration has come.
    pub fn look(&self) -> Look {
        let mut look = *self.lock();
        look.fraction += (1.0 - look.fraction) * look.counts.fraction();
        look
    }

    /// The exploration starts, perhaps once more (I1).
    pub(in crate::explore) fn start(&self) {
        let fraction = self.look().fraction;
        let mut look = self.lock();
        *look = Look { fraction, counts: Counts::default(), attempts: look.attempts + 1 };
    }

    fn add(&self, more: Counts) {
        self.lock().counts.add(more);
    }

    /// A worker that panicked has left nothing half done here.
    fn lock(&self) -> MutexGuard<'_, Look> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<R: Regime> Explorer<'_, R> {
    /// Reports what was done since the last report.
    pub(in crate::explore) fn report_progress(&mut self) {
        let now = Counts {
            share: self.choices.explored(),
            complete: self.outcome.complete,
            blocked: self.outcome.blocked,
            events: self.outcome.events,
        };
        self.config.progress.add(now.since(self.reported));
        self.reported = now;
    }

    /// Whether as many executions are explored as were asked for. Nothing asks that once per execution: if there is such a
    /// limit, each event is looked at (`is_slow`).
    pub(in crate::explore) fn has_explored_enough(&self) -> bool {
        let explored = || self.outcome.explored_complete + self.outcome.explored_blocked;
        self.config.max_executions.is_some_and(|most| explored() >= most)
    }
}
