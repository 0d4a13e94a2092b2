//! Backward revisits: a write becomes what an earlier read reads, in the graph that is left without what came
//! after the read (TruSt Algorithm 1, line 18). Which reads may be revisited is up to the regime.

use crate::explore::choices::frames::{Choice, Frame};
use crate::explore::regimes::{opened, Regime};
use crate::explore::{Explorer, Stop};
use crate::graph::Pending;
use crate::ids::EventId;

impl<R: Regime> Explorer<'_, R> {
    /// Makes `write`, the newest event of the current graph and not yet placed, revisit `read`: goes to
    /// the restricted graph and takes the write's first place there. False if it has none.
    pub(in crate::explore) fn revisit(&mut self, read: EventId, write: EventId) -> Result<bool, Stop> {
        if let (true, Some(read)) = (R::HAS_GAPS, opened(read)) {
            return R::open_outcome(self, read, write);
        }
        if R::FIXES_READS && self.config.postpones && self.would_wait(read, write) {
            return self.put_off(read, write);
        }
        let (read, write) = R::enter_revisit(self, read, write);
        R::shape_revisit(self, read, write);
        R::take_revisit(self, read, write)
    }

    /// Takes the first of the places of a revisit's write that were appended to the options from `first` on, and
    /// remembers the others. False if there are none.
    pub(in crate::explore) fn take_first_place(
        &mut self,
        read: EventId,
        write: EventId,
        first: usize,
    ) -> Result<bool, Stop> {
        let end = self.choices.end();
        let Some(after) = self.choices.option(first) else {
            self.graphs.leave();
            return Ok(false);
        };
        self.outcome.revisits += 1;
        if end - first > 1 {
            self.choices.push(Frame {
                choice: Choice::Revisit { read },
                level: self.graphs.level(),
                event: write,
                arena: self.states.mark(),
                mark: self.graph().mark(),
                after: Pending::ABSENT,
                first,
                next: first + 1,
                revisits: end,
                end,
                share: 0,
            });
        } else {
            self.choices.forget_from(first);
        }
        R::place_revisit(self, read, write, after)?;
        Ok(true)
    }

    /// Goes to the restricted graph; the read and the write there.
    pub(in crate::explore) fn enter_restriction(
        &mut self,
        read: EventId,
        write: EventId,
    ) -> (EventId, EventId) {
        let pair = self.graphs.enter_restriction(read, write);
        self.graphs.renew(pair.0);
        pair
    }
}
