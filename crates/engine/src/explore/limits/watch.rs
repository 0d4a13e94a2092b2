//! Looks now and then whether to go on.
//!
//! I1: the clock is read every few hundred events, or at each event where one can take long.

use crate::consistency::Alarm;
use crate::explore::Stop;
use crate::vm::Arena;
use std::time::{Duration, Instant};

/// Events between two looks at the clock, as a rule.
const EVENTS_BETWEEN_LOOKS: u32 = 256;
/// Steps of threads (jumps, calls) between two such looks.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 20;
/// Words by which thread states may grow between two such looks.
const WORDS_BETWEEN_LOOKS: usize = 1 << 23;

/// When to stop, and when to call for help.
pub(in crate::explore) struct Watch {
    alarm: Alarm,
    help_at: Option<Instant>,
    /// Events between two looks at the clock.
    every: u32,
    /// What is left until the next look: events, and how much may have been done and held by then.
    events: u32,
    most_steps: u64,
    most_words: usize,
    passed: u64,
    grown: bool,
}

impl Watch {
    /// Keeps an ear on an alarm.
    pub fn new(alarm: Alarm) -> Watch {
        let (every, events) = (EVENTS_BETWEEN_LOOKS, EVENTS_BETWEEN_LOOKS);
        let (most_steps, most_words) = (STEPS_BETWEEN_LOOKS, WORDS_BETWEEN_LOOKS);
        Watch { alarm, help_at: None, every, events, most_steps, most_words, passed: 0, grown: false }
    }

    /// Another exploration starts. In a slow one an event can take as long as hundreds do elsewhere.
    pub fn start(&mut self, is_slow: bool) {
        self.every = if is_slow { 1 } else { EVENTS_BETWEEN_LOOKS };
        self.events = self.every;
        (self.most_steps, self.most_words) = (STEPS_BETWEEN_LOOKS, WORDS_BETWEEN_LOOKS);
    }

    /// What it listens to.
    pub fn alarm(&self) -> &Alarm {
        &self.alarm
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
        if self.events > 0 && arena.steps() < self.most_steps && arena.len() <= self.most_words {
            return false;
        }
        self.passed = u64::from(self.every.saturating_sub(self.events));
        self.grown = arena.len() > self.most_words;
        self.events = self.every;
        self.most_steps = arena.steps() + STEPS_BETWEEN_LOOKS;
        self.most_words = arena.len() + WORDS_BETWEEN_LOOKS;
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
        let asks = self.alarm.look()?;
        if self.help_at.is_some_and(|at| Instant::now() >= at) {
            self.help_at = None;
            return Err(Stop::NeedsHelp);
        }
        Ok(asks)
    }
}
