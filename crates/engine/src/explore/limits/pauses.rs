//! Threads that pause because they have run for long without a request: told apart into those that never end, which are
//! refused, and those that are merely long, which go on.
//!
//! I1: whether a thread is refused depends on its state alone; how long it may go on, on the time limit and the caller.

use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Step, Stop};
use crate::ids::ThreadId;
use crate::vm::{Request, Snapshot, SLICE};

impl<R: Regime> Explorer<'_, R> {
    /// Lets a thread that pauses run to its next request. No event is added.
    pub(in crate::explore) fn run_on(&mut self, thread: ThreadId, at: Snapshot) -> Result<Step, Stop> {
        let (at, request) = self.end_pause(at)?;
        self.settle(thread, at, request);
        Ok(Step::Extended)
    }

    /// Goes on from a state in which a thread pauses until it asks for something else.
    pub(in crate::explore) fn end_pause(&mut self, from: Snapshot) -> Result<(Snapshot, Request), Stop> {
        let mut pauses = 1_u64;
        let mut is_endless = self.states.is_endless(from);
        let (mut at, mut request) = self.states.go_on(from);
        while request == Request::Pause && !is_endless && pauses * SLICE < self.config.step_limit {
            self.work.check_time()?;
            pauses += 1;
            is_endless = pauses.is_power_of_two() && self.states.is_endless(at);
            (at, request) = self.states.go_on_in_place(at);
        }
        if request == Request::Pause {
            request = self.states.give_up(at);
        }
        Ok((at, request))
    }
}
