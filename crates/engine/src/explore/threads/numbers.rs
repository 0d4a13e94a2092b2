//! Threads get the same number in every execution: by who creates them, and which child they are.

use crate::explore::Stop;
use crate::graph::{Graph, ThreadStatus};
use crate::ids::ThreadId;

/// The numbers of all threads met in an exploration.
#[derive(Clone)]
pub(in crate::explore) struct ThreadTable {
    /// By thread: its parent and which child of it.
    origins: Vec<(ThreadId, u32)>,
    limit: usize,
    /// Whether it may number more of them: one worker at a time may.
    open: bool,
}

impl ThreadTable {
    /// Main only; at most `limit` threads.
    pub fn new(limit: usize) -> ThreadTable {
        ThreadTable { origins: vec![(ThreadId(0), 0)], limit, open: true }
    }

    /// With the threads that were met on the way to some execution (`Route::threads`).
    pub fn knowing(limit: usize, origins: &[(u32, u32)]) -> ThreadTable {
        let mut table = ThreadTable::new(limit);
        table.origins.extend(origins.iter().skip(1).map(|&(parent, nth)| (ThreadId(parent), nth)));
        table
    }

    /// By thread, main included: its parent, and which child of it.
    pub fn origins(&self) -> Vec<(u32, u32)> {
        self.origins.iter().map(|(parent, nth)| (parent.0, *nth)).collect()
    }

    /// How many threads there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.origins.len()
    }

    /// A copy that numbers no more threads.
    pub fn closed(&self) -> ThreadTable {
        ThreadTable { open: false, ..self.clone() }
    }

    /// Goes on numbering after those that were met meanwhile.
    pub fn open_after(&mut self, met: ThreadTable) {
        if met.len() > self.len() {
            self.origins = met.origins;
        }
        self.open = true;
    }

    /// The number of a thread's `nth` child, unless it is new and may not be numbered.
    pub fn child(&mut self, parent: ThreadId, nth: u32) -> Result<ThreadId, Stop> {
        let origin = (parent, nth);
        if let Some(position) = self.origins[1..].iter().position(|known| *known == origin) {
            return Ok(ThreadId::from_usize(position + 1));
        }
        if !self.open {
            return Err(Stop::UnknownThread);
        }
        if self.origins.len() == self.limit {
            return Err(Stop::TooManyThreads);
        }
        self.origins.push(origin);
        Ok(ThreadId::from_usize(self.origins.len() - 1))
    }

    /// The thread that a program's value of a thread names.
    fn named(&self, value: u64) -> Option<ThreadId> {
        let position = usize::try_from(value.checked_sub(1)?).ok()?;
        (position < self.origins.len()).then(|| ThreadId::from_usize(position))
    }

    /// The same, if there is such a thread in a graph.
    pub fn joinable(&self, graph: &Graph, value: u64) -> Option<ThreadId> {
        let thread = self.named(value)?;
        (graph.thread(thread).pending.status != ThreadStatus::Absent).then_some(thread)
    }

    /// A thread's parent; none for main.
    pub fn parent(&self, thread: ThreadId) -> Option<ThreadId> {
        (thread.0 != 0).then(|| self.origins[thread.at()].0)
    }
}
