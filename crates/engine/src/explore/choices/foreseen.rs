//! Reads whose values are known beforehand: the question is whether there are executions in which they have these.
//!
//! Such a read gets its value at once, and no write. When no thread can go on, these reads see each of the writes that have
//! the value. So executions in which they have others are not explored, and there may be far more of those.
//!
//! I1: every read is foreseen, so no write revisits a read.
//! I2: as elsewhere, no write depends on a read that sees it.

use crate::detect::{Finding, Refusal};
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::{Event, Label};
use crate::ids::EventId;
use crate::vm::Answer;

impl<R: Regime> Explorer<'_, R> {
    /// The value that a new read has in all executions of interest, if it is known.
    fn foreseen(&self, event: &Event) -> Option<u64> {
        let (function, pc) = self.states.position(event.snapshot);
        let known = |(other, at, _): &&(u32, u32, u64)| (*other, *at) == (function.0, pc);
        self.config.foreseen.iter().find(known).map(|(_, _, value)| *value)
    }

    /// Adds a read without a write that it sees (I1).
    #[cold]
    pub(in crate::explore) fn add_foreseen(&mut self, mut event: Event) -> Result<Step, Stop> {
        let Some(value) = self.foreseen(&event) else {
            return Err(Finding::refusal(Refusal::Unsupported, "a read that is not foreseen").into());
        };
        event.access_mut().value = value;
        self.graphs.push(event);
        self.proceed(event.thread, event.snapshot, Answer::Value(value));
        Ok(Step::Extended)
    }

    /// Counts the executions that the current graph leads to, and leaves it as it is.
    #[cold]
    pub(in crate::explore) fn count_foreseen(&mut self) -> Result<(), Stop> {
        let ids = (0..self.graph().len()).map(EventId::from_usize);
        let is_foreseen = |id: &EventId| {
            let event = self.graph().event(*id);
            event.label() == Label::Read && self.foreseen(event).is_some()
        };
        let reads: Vec<EventId> = ids.filter(is_foreseen).collect();
        self.see_writes(&reads)
    }

    fn see_writes(&mut self, reads: &[EventId]) -> Result<(), Stop> {
        let Some((&read, others)) = reads.split_first() else { return Ok(self.count_execution()?) };
        let access = *self.graph().event(read).access();
        let mut write = self.graph().loc(access.loc).last;
        loop {
            self.work.check_time_now_and_then()?;
            let past = self.plan.past(self.graphs.current(), write, &mut self.work);
            if self.value_of(access.loc, write) == access.value && !past.has(read) {
                self.graph_mut().link_read(read, write);
                if self.plan.checks().is_consistent(self.graphs.current(), &mut self.work) {
                    self.see_writes(others)?;
                }
                self.graph_mut().unlink_read(read);
            }
            if write.is_none() {
                return Ok(());
            }
            write = self.graph().co_prev(write);
        }
    }
}
