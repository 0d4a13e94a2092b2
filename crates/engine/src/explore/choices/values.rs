//! Values that the program leaves open: one execution for each.
//!
//! A choice is an event of its thread. Its first value comes first, and the others are options of a frame, like the writes
//! that a read may see. No write revisits it. If a revisit keeps it, it keeps its value; if a revisit removes it, it must have
//! had its first value (`Event::chose_first`), which it gets when it is added again. So of the graphs that differ only in
//! a choice which a revisit removes, one makes the revisit.

use crate::detect::{Finding, Refusal};
use crate::explore::choices::frames::{Choice, Frame};
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::{Chosen, Event, Payload, Pending};
use crate::ids::{EventId, ThreadId};
use crate::program::Mode;
use crate::vm::{Answer, Snapshot};

/// The most values among which a thread may choose.
const MOST_VALUES: u64 = 1 << 16;

impl<R: Regime> Explorer<'_, R> {
    /// Adds the choice among several values, of which it takes the first.
    #[cold]
    pub(in crate::explore) fn add_choice(
        &mut self,
        (thread, at): (ThreadId, Snapshot),
        (first, last): (u64, u64),
        mask: u64,
    ) -> Result<Step, Stop> {
        let more = last.wrapping_sub(first) & mask;
        if more >= MOST_VALUES {
            let count = u128::from(more) + 1;
            let message =
                format!("a choice among {count} values, of which at most {MOST_VALUES} are explored");
            return Err(Finding::refusal(Refusal::TooManyValues, message).into());
        }
        let choice = Chosen { first, count: more as u32 + 1, number: 0, mask };
        self.graphs.settle();
        let mark = self.graph().mark();
        let event = self.graphs.push(Event::new(thread, Payload::Choose(choice), Mode::Na, at));
        let options = self.choices.end();
        self.choices.options().extend((0..choice.count).map(EventId));
        self.choices.push(Frame {
            choice: Choice::Value,
            level: self.graphs.level(),
            event,
            arena: self.states.mark(),
            mark,
            after: Pending::ABSENT,
            first: options,
            next: options + 1,
            revisits: self.choices.end(),
            end: self.choices.end(),
            share: 0,
        });
        self.take_value(event, EventId(0));
        Ok(Step::Extended)
    }

    /// Gives a choice one of its values, and lets its thread go on.
    pub(in crate::explore) fn take_value(&mut self, event: EventId, option: EventId) {
        let event = self.graphs.current_mut().event_mut(event);
        let Payload::Choose(choice) = &mut event.payload else { unreachable!("it is a choice") };
        choice.number = option.0;
        let (thread, at, value) = (event.thread, event.snapshot, choice.value());
        self.proceed(thread, at, Answer::Value(value));
    }
}
