//! Threads get the same number in every execution: by who creates them, and which child they are.

use crate::ids::ThreadId;

/// The numbers of all threads met in an exploration.
pub(super) struct ThreadTable {
    /// By thread: its parent and which child of it.
    origins: Vec<(ThreadId, u32)>,
    limit: usize,
}

impl ThreadTable {
    /// Main only; at most `limit` threads.
    pub fn new(limit: usize) -> ThreadTable {
        ThreadTable { origins: vec![(ThreadId(0), 0)], limit }
    }

    /// How many threads there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.origins.len()
    }

    /// The number of a thread's `nth` child; none if there are too many threads.
    pub fn child(&mut self, parent: ThreadId, nth: u32) -> Option<ThreadId> {
        let origin = (parent, nth);
        if let Some(position) = self.origins[1..].iter().position(|known| *known == origin) {
            return Some(ThreadId::from_usize(position + 1));
        }
        if self.origins.len() == self.limit {
            return None;
        }
        self.origins.push(origin);
        Some(ThreadId::from_usize(self.origins.len() - 1))
    }

    /// The thread that a program's value of a thread names.
    pub fn named(&self, value: u64) -> Option<ThreadId> {
        let position = usize::try_from(value.checked_sub(1)?).ok()?;
        (position < self.origins.len()).then(|| ThreadId::from_usize(position))
    }

    /// A thread's parent; none for main.
    pub fn parent(&self, thread: ThreadId) -> Option<ThreadId> {
        (thread.0 != 0).then(|| self.origins[thread.at()].0)
    }
}
