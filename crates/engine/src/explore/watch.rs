//! Looks now and then whether to go on: at the clock, and at the caller's wish to stop.
//!
//! I1: a look costs a reading of the clock every few hundred events, or at each event where one can take long; the
//! caller, whose answer may be slow, is asked a few times a second.

use super::outcome::Config;
use super::Stop;
use crate::vm::Arena;
use std::time::{Duration, Instant};

/// Events between two looks at the clock, as a rule.
const EVENTS_BETWEEN_LOOKS: u32 = 256;
/// Steps of threads (jumps, calls) between two such looks.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 20;
/// Words by which thread states may grow between two such looks.
const WORDS_BETWEEN_LOOKS: usize = 1 << 23;
/// Time between two questions to the caller.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(20);

/// When to stop, and when to call for help.
pub(super) struct Watch<'w> {
    deadline: Option<Instant>,
    help_at: Option<Instant>,
    ask_at: Instant,
    interrupted: &'w mut dyn FnMut() -> bool,
    /// Events between two looks at the clock.
    every: u32,
    events: u32,
    steps: u64,
    words: usize,
    passed: u64,
    grown: bool,
    /// Someone has asked to stop, and is not asked again.
    is_over: bool,
}

impl<'w> Watch<'w> {
    /// For an exploration that starts now; `interrupted` is the caller's wish to stop.
    pub fn new(time_limit: Option<f64>, interrupted: &'w mut dyn FnMut() -> bool) -> Watch<'w> {
        let now = Instant::now();
        let limit = time_limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Watch::until(limit.and_then(|limit| now.checked_add(limit)), interrupted)
    }

    /// For a part of an exploration that has to stop at the deadline.
    pub fn until(deadline: Option<Instant>, interrupted: &'w mut dyn FnMut() -> bool) -> Watch<'w> {
        let (ask_at, events) = (Instant::now(), EVENTS_BETWEEN_LOOKS);
        Watch {
            deadline,
            help_at: None,
            ask_at,
            interrupted,
            every: EVENTS_BETWEEN_LOOKS,
            events,
            steps: 0,
            words: 0,
            passed: 0,
            grown: false,
            is_over: false,
        }
    }

    /// Another exploration starts. Where an event needs a search or is audited, it can take as long as hundreds do
    /// elsewhere.
    pub fn start(&mut self, config: &Config) {
        self.every = if config.reads_from || config.audit { 1 } else { EVENTS_BETWEEN_LOOKS };
        (self.events, self.steps, self.words) = (self.every, 0, 0);
    }

    /// When the time limit is reached.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// From so much later on, if ever, a look finds that the exploration takes long enough for more workers.
    pub fn help_after(&mut self, patience: Option<Duration>) {
        self.help_at = patience.and_then(|patience| Instant::now().checked_add(patience));
        if patience.is_some_and(|patience| patience.is_zero()) {
            self.events = 1;
        }
    }

    /// Whether it is time for a look; asked at each event (or access of the prologue).
    #[inline]
    pub fn is_due(&mut self, arena: &Arena) -> bool {
        self.events -= 1;
        if self.events > 0
            && arena.steps().wrapping_sub(self.steps) < STEPS_BETWEEN_LOOKS
            && arena.len() <= self.words + WORDS_BETWEEN_LOOKS
        {
            return false;
        }
        self.passed = u64::from(self.every.saturating_sub(self.events));
        self.events = self.every;
        self.grown = arena.len() > self.words + WORDS_BETWEEN_LOOKS;
        self.words = arena.len();
        self.steps = arena.steps();
        true
    }

    /// Whether thread states have grown much between the last two looks.
    pub fn has_grown(&self) -> bool {
        self.grown
    }

    /// How many events have passed between the last two looks.
    pub fn events_passed(&self) -> u64 {
        self.passed
    }

    /// Finds out why not to go on as before, if there is a reason. Whether it is time for questions that take longer.
    pub fn look(&mut self) -> Result<bool, Stop> {
        let now = Instant::now();
        if self.is_over || self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Stop::Interrupted);
        }
        let asks = now >= self.ask_at;
        if asks {
            self.ask_at = now + BETWEEN_QUESTIONS;
            self.is_over = (self.interrupted)();
            if self.is_over {
                return Err(Stop::Interrupted);
            }
        }
        if self.help_at.is_some_and(|at| now >= at) {
            self.help_at = None;
            return Err(Stop::NeedsHelp);
        }
        Ok(asks)
    }
}
