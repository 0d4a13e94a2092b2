//! How long work may go on, and how much memory it may take: a deadline, a limit, and a question whether somebody
//! wants it to stop. Memory is that of the whole process, so that what callers hold counts, too.
//! I1: every loop whose length is not that of its input spends.

use mazurka_machine::resident_bytes;
use std::time::{Duration, Instant};

/// Why work was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time that was given is used up.
    OutOfTime,
    /// The process takes more memory than was given.
    OutOfMemory,
    /// Somebody asked for it.
    Interrupted,
}

/// Between two looks at the clock.
const UNITS: usize = 1 << 12;

/// Between two looks at the memory, which take longer.
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
    /// A budget that ends after a time, past so many bytes, or when the question is answered with yes.
    pub fn new(
        limit: Option<Duration>,
        most_memory: Option<u64>,
        interrupted: Box<dyn FnMut() -> bool + Send>,
    ) -> Self {
        let now = Instant::now();
        // A limit beyond what the clock can say is none.
        let deadline = limit.and_then(|limit| now.checked_add(limit));
        Budget { deadline, most_memory, next_memory_look: now, interrupted, left: 0 }
    }

    /// Lets the time end later, or never; it begins to count now.
    pub fn set_time_limit(&mut self, limit: Option<Duration>) {
        self.deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
    }

    /// A budget without an end.
    pub fn endless() -> Self {
        Budget::new(None, None, Box::new(|| false))
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
