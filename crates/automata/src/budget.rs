//! How long work may go on: a deadline, and a question whether somebody wants it to stop.
//! I1: every loop whose length is not that of its input spends.

use std::time::{Duration, Instant};

/// Why work was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time that was given is used up.
    OutOfTime,
    /// Somebody asked for it.
    Interrupted,
}

/// Between two looks at the clock.
const UNITS: usize = 1 << 12;

/// Time to spend, looked at now and then.
pub struct Budget {
    deadline: Option<Instant>,
    interrupted: Box<dyn FnMut() -> bool + Send>,
    left: usize,
}

impl Budget {
    /// A budget that ends after a time, or when the question is answered with yes.
    pub fn new(limit: Option<Duration>, interrupted: Box<dyn FnMut() -> bool + Send>) -> Self {
        // A limit beyond what the clock can say is none.
        Budget { deadline: limit.and_then(|limit| Instant::now().checked_add(limit)), interrupted, left: 0 }
    }

    /// A budget without an end.
    pub fn endless() -> Self {
        Budget::new(None, Box::new(|| false))
    }

    /// Notes that some units of work (about as much as looking at an edge) are done.
    pub fn spend(&mut self, units: usize) -> Result<(), Stop> {
        if self.left > units {
            self.left -= units;
            return Ok(());
        }
        self.left = UNITS;
        self.look()
    }

    /// Looks at the clock now.
    pub fn look(&mut self) -> Result<(), Stop> {
        if (self.interrupted)() {
            return Err(Stop::Interrupted);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::OutOfTime),
            _ => Ok(()),
        }
    }
}
