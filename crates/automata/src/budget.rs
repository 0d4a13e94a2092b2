//! How long work may take, and how much memory: a deadline, a limit, and a callback that says whether to stop. The
//! memory is that of the whole process, so what callers hold counts, too.
//! I1: every loop whose length is not that of its input spends.

use mazurka_machine::resident_bytes;
use std::time::{Duration, Instant};

/// Why work was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time limit was reached.
    OutOfTime,
    /// The memory limit was reached.
    OutOfMemory,
    /// The caller asked for it.
    Interrupted,
}

/// Units of work between two looks at the clock.
const UNITS: usize = 1 << 12;

/// Units of work between two looks at the memory, which take longer.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Time and memory to spend, looked at now and then.
pub struct Budget {
    deadline: Option<Instant>,
    most_memory: Option<u64>,
    next_memory_look: Instant,
    interrupted: Box<dyn FnMut() -> bool + Send>,
    left: usize,
}

impl Budget {
    /// A budget that ends after a time, above a number of bytes, or when the callback says so.
    pub fn new(
        limit: Option<Duration>,
        most_memory: Option<u64>,
        interrupted: Box<dyn FnMut() -> bool + Send>,
    ) -> Self {
        let now = Instant::now();
        // A limit beyond the range of the clock means no limit.
        let deadline = limit.and_then(|limit| now.checked_add(limit));
        Budget { deadline, most_memory, next_memory_look: now, interrupted, left: 0 }
    }

    /// Sets a new time limit, or none; it begins to count now.
    pub fn set_time_limit(&mut self, limit: Option<Duration>) {
        self.deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
    }

    /// A budget without an end.
    pub fn endless() -> Self {
        Budget::new(None, None, Box::new(|| false))
    }

    /// Records some units of work (one is about as much as looking at an edge).
    pub fn spend(&mut self, units: usize) -> Result<(), Stop> {
        if self.left > units {
            self.left -= units;
            return Ok(());
        }
        self.left = UNITS;
        self.look()
    }

    /// Looks at the clock now, and at the memory if that was long ago.
    pub fn look(&mut self) -> Result<(), Stop> {
        if (self.interrupted)() {
            return Err(Stop::Interrupted);
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Stop::OutOfTime);
        }
        if now >= self.next_memory_look && self.most_memory.is_some() {
            self.next_memory_look = now + BETWEEN_LOOKS;
            if resident_bytes() > self.most_memory {
                return Err(Stop::OutOfMemory);
            }
        }
        Ok(())
    }
}
