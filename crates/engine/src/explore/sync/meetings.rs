//! Meetings of threads, as at a barrier (BAM, thesis §7.1): an arrival and a departure, which nobody chooses.
//!
//! Which round an arrival belongs to follows from its causal past: it is the first that it does not know to be over. So a
//! round is complete when it has as many arrivals as threads meet, in whatever order they came.
//!
//! Departs 1: BAM has one event for both ends, and adds order to it when the last thread comes. Here what follows all
//! arrivals is an event of its own, so that rows never change.
//! I1: no round has more arrivals than threads that meet. A program in which one could has a choice here, namely who
//! meets whom, and is refused (barrier well-formedness, thesis Definition 7.1.1, with the causal order for `hb`).

use crate::detect::{Finding, Refusal};
use crate::explore::regimes::Regime;
use crate::explore::sync::{asked_operation, misuse};
use crate::explore::threads::states::States;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::{Arrival, Event, Graph, Payload, Pending, Round, ThreadStatus};
use crate::ids::{EventId, ThreadId};
use crate::program::{Effect, Inputs, Mode, Operation, Program};
use crate::vm::{Answer, Snapshot};

const TOO_MANY: &str = "a barrier at which more threads can wait at the same time than its count";

impl<R: Regime> Explorer<'_, R> {
    /// A thread comes to a meeting of `count` threads.
    pub(super) fn add_arrival(
        &mut self,
        thread: ThreadId,
        at: Snapshot,
        address: u64,
        count: u64,
    ) -> Result<Step, Stop> {
        self.graphs.settle();
        let number = self.rounds_over(address, self.graph().frontier(thread));
        let round = Round { address, number };
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        if self.graph().arrivals_of(round).count() >= count as usize {
            return Err(Finding::refusal(Refusal::Unsupported, TOO_MANY).into());
        }
        self.graphs.push(Event::new(thread, Payload::Arrive(Arrival::new(round, count)), Mode::Na, at));
        self.graph_mut().thread_mut(thread).pending =
            Pending { snapshot: at, status: ThreadStatus::Meet, other: ThreadId(0) };
        Ok(Step::Extended)
    }

    /// All threads of a meeting have come, and one of them goes on.
    pub(in crate::explore) fn add_departure(&mut self, thread: ThreadId, at: Snapshot) -> Step {
        let arrival = self.graph().thread(thread).last;
        let arrival = self.graph().event(arrival).arrival().expect("only a thread that has arrived departs");
        let round = arrival.round;
        self.graphs.push_awaiting(Event::new(thread, Payload::Depart(round), Mode::Na, at));
        self.proceed(thread, at, Answer::Value(0));
        Step::Extended
    }

    /// How many rounds at an address are over for an event, or for a thread that has this one last.
    pub(in crate::explore) fn rounds_over(&self, address: u64, event: EventId) -> u32 {
        let (graph, upkeep) = (self.graph(), self.plan.upkeep());
        graph.rounds_known(address, |arrival| event.is_some() && upkeep.causes(graph, arrival, event))
    }

    /// Whether an operation is a meeting of a thread with itself.
    pub(in crate::explore) fn meets_alone(&self, thread: ThreadId, operand: u64, operation: u32) -> bool {
        let operation = self.program.operation(operation);
        operation.meets && operation.effect(&Inputs::new(0, thread, operand)) == Effect::Meet(1)
    }

    /// An operation that must not be done while threads wait to meet.
    pub(super) fn check_none_waits(&self, operation: &Operation, address: u64) -> Result<(), Stop> {
        let message = operation.while_met;
        if self.program.strings[message as usize].is_empty() {
            return Ok(());
        }
        match self.graph().waiting_at(address) {
            Some(arrival) => Err(misuse(self.program, operation, message).with(arrival).into()),
            None => Ok(()),
        }
    }
}

/// Why a thread that has arrived waits for ever.
pub(in crate::explore) fn why_not_met(
    program: &Program,
    states: &States,
    graph: &Graph,
    arrival: EventId,
) -> String {
    let (operation, _) = asked_operation(program, states, graph.event(arrival).snapshot);
    let alone = met_last(graph, arrival).is_none();
    let string = if alone { operation.stuck_alone } else { operation.stuck };
    program.strings[string as usize].clone()
}

/// The last arrival at the meeting that a thread waits in, if it is of another thread.
pub(in crate::explore) fn met_last(graph: &Graph, arrival: EventId) -> Option<EventId> {
    let round = graph.event(arrival).arrival()?.round;
    graph.arrivals_of(round).find(|other| *other != arrival)
}
