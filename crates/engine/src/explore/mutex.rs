//! Mutexes: a word that is 0 when free, the holder's thread number plus one when taken, and
//! `DESTROYED` after its end.

use super::extend::blame_event;
use super::{Explorer, Step, Stop};
use crate::detect::Finding;
use crate::graph::{Class, Label, Pending};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::Mode;
use crate::vm::{Answer, Request, Snapshot};

/// The word of a destroyed mutex.
pub(super) const DESTROYED: u64 = 0xffff_ffff;
/// What a failed trylock returns (EBUSY).
pub(super) const BUSY: u64 = 16;

impl Explorer<'_> {
    /// Of the options of a lock, those that see it taken lead nowhere unless it can still be given back,
    /// which only the coherence-latest one can.
    pub(super) fn drop_doomed_locks(&mut self, at: Snapshot, first: usize, loc: LocId) {
        if self.options.len() - first == 1 {
            return;
        }
        if !matches!(self.vm.request(&self.arena, at), Request::Lock { .. }) {
            return;
        }
        let mut kept = first + 1;
        for i in first + 1..self.options.len() {
            let value = self.value_of(loc, self.options[i]);
            if value == 0 || value == DESTROYED {
                self.options[kept] = self.options[i];
                kept += 1;
            }
        }
        self.options.truncate(kept);
    }

    /// A lock or trylock has read the mutex.
    pub(super) fn deliver_mutex(&mut self, read: EventId, value: u64) -> Result<(), Stop> {
        if value == 0 {
            self.await_write_half(read);
            return Ok(());
        }
        let event = *self.graph().event(read);
        if value == DESTROYED {
            let finding = Finding::violation("mutex", "lock of a mutex that was destroyed");
            return Err(blame_event(finding, &event));
        }
        if matches!(self.vm.request(&self.arena, event.snapshot), Request::TryLock { .. }) {
            self.proceed(event.thread, event.snapshot, Answer::Value(BUSY));
        } else {
            self.graph_mut().thread_mut(event.thread).pending =
                Pending { snapshot: event.snapshot, class: Class::Locked, other: ThreadId(0) };
        }
        Ok(())
    }

    /// Unlocking, initialising and destroying are writes.
    pub(super) fn add_mutex_write(
        &mut self,
        thread: ThreadId,
        at: Snapshot,
        request: Request,
    ) -> Result<Step, Stop> {
        match request {
            Request::Unlock { address } => {
                if self.last_written(thread, address) != Some(u64::from(thread.0) + 1) {
                    let message = "unlock of a mutex that this thread does not hold";
                    return Err(Finding::violation("mutex", message).into());
                }
                self.add_write(thread, at, address, 4, Mode::Rel, 0)
            }
            Request::MutexInit { address } => self.add_write(thread, at, address, 4, Mode::Rlx, 0),
            Request::MutexDestroy { address } => {
                if self.last_written(thread, address) == Some(u64::from(thread.0) + 1) {
                    return Err(Finding::violation("mutex", "destruction of a mutex that is held").into());
                }
                self.add_write(thread, at, address, 4, Mode::Rlx, DESTROYED)
            }
            other => unreachable!("{other:?} does not write a mutex"),
        }
    }

    /// What this thread last wrote to the word, or what was there at first.
    fn last_written(&self, thread: ThreadId, address: u64) -> Option<u64> {
        let graph = self.graph();
        let mut id = graph.thread(thread).last;
        while id.is_some() {
            let event = graph.event(id);
            if event.label == Label::Write && event.address == address {
                return Some(event.value);
            }
            id = event.po_prev;
        }
        Some(self.memory.read(address, 4))
    }
}
