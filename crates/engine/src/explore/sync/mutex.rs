//! Mutexes in the graph: locking is a read-modify-write that waits, unlocking and destroying are writes.

use crate::detect::mutex::{check_lock, check_overwrite, check_unlock};
use crate::explore::choices::extend::blame_event;
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::{Class, Event, Label, Pending, LOCK, MUTEX};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::{Mode, MUTEX_BUSY, MUTEX_DESTROYED};
use crate::vm::{Answer, Request, Snapshot};

/// Bytes of a mutex's word.
pub(in crate::explore) const WORD: u8 = 4;

impl<R: Regime> Explorer<'_, R> {
    /// Of the options of a lock, those that see it taken lead nowhere unless it can still be given back,
    /// which only the coherence-latest one can.
    pub(in crate::explore) fn drop_doomed_locks(&mut self, first: usize, loc: LocId) {
        let mut kept = first + 1;
        for i in first + 1..self.options.len() {
            let value = self.value_of(loc, self.options[i]);
            if value == 0 || value == MUTEX_DESTROYED {
                self.options[kept] = self.options[i];
                kept += 1;
            }
        }
        self.options.truncate(kept);
    }

    /// A lock or trylock has read the mutex.
    pub(in crate::explore) fn deliver_mutex(&mut self, read: EventId, value: u64) -> Result<(), Stop> {
        if value == 0 {
            self.await_write_half(read);
            return Ok(());
        }
        let event = *self.graph().event(read);
        check_lock(value).map_err(|finding| blame_event(finding, &event))?;
        if event.flags & LOCK == 0 {
            self.proceed(event.thread, event.snapshot, Answer::Value(MUTEX_BUSY));
        } else {
            self.graph_mut().thread_mut(event.thread).pending =
                Pending { snapshot: event.snapshot, class: Class::Locked, other: ThreadId(0) };
        }
        Ok(())
    }

    /// Unlocking, initialising and destroying are writes.
    pub(in crate::explore) fn add_mutex_write(
        &mut self,
        thread: ThreadId,
        at: Snapshot,
        request: Request,
    ) -> Result<Step, Stop> {
        let mut event = Event::new(thread, Label::Write, Mode::Rlx, at);
        let address = match request {
            Request::Unlock { address } => {
                check_unlock(self.last_written(thread, address), thread)?;
                (event.mode, event.flags) = (Mode::Rel, MUTEX);
                address
            }
            Request::MutexDestroy { address } => {
                (event.value, event.flags) = (MUTEX_DESTROYED, MUTEX);
                address
            }
            Request::MutexInit { address } => address,
            other => unreachable!("{other:?} does not write a mutex"),
        };
        self.add_write(event, address, WORD)
    }

    /// A placed write that unlocks or destroys must find the mutex in a state that allows it.
    pub(in crate::explore) fn check_mutex_write(&self, write: EventId) -> Result<(), Stop> {
        let event = self.graph().event(write);
        let old = self.value_of(event.loc, event.co_prev);
        check_overwrite(old, event.value).map_err(|finding| blame_event(finding, event))
    }

    /// What this thread last wrote to the word, or what was there at first.
    fn last_written(&self, thread: ThreadId, address: u64) -> u64 {
        let graph = self.graph();
        let mut id = graph.thread(thread).last;
        while id.is_some() {
            let event = graph.event(id);
            if event.label == Label::Write && event.address == address {
                return event.value;
            }
            id = event.po_prev;
        }
        self.memory.read(address, WORD)
    }
}
