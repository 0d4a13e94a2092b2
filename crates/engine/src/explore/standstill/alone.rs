//! Whether a thread that spins would spin for ever: it is run alone, with the newest write of each location.
//!
//! If it comes back to where it is, and leaves memory as it is, it does so again and again, unless another thread writes.
//! Reading the newest write is consistent in every model that may be explored, whatever a thread has read before, so
//! there is an execution that goes on like this for ever. It is fair, because the thread misses nothing.
//!
//! Nothing of this becomes part of the graph: writes are kept aside, and the states are forgotten.

use crate::detect::{living_local, object_size, step_shared, Seen};
use crate::explore::regimes::Regime;
use crate::explore::sync::last_written;
use crate::explore::Explorer;
use crate::ids::{EventId, ThreadId};
use crate::program::{Effect, Inputs};
use crate::vm::{apply_rmw, Answer, Request, Snapshot};

/// Requests after which a thread is taken for one that goes on.
const PATIENCE: usize = 10_000;

/// A run of one thread alone.
struct Alone<'e, 'p, R: Regime> {
    explorer: &'e mut Explorer<'p, R>,
    thread: ThreadId,
    /// What it has written: address, size and value.
    written: Vec<(u64, u8, u64)>,
    seen: Vec<Seen>,
    /// Where it has begun rounds of loops.
    rounds: Vec<Snapshot>,
}

/// What a request of a thread alone leads to.
enum Next {
    Answer(Answer),
    /// It waits, as it did before.
    Back,
    /// It does something that it did not do before.
    Away,
}

impl<R: Regime> Explorer<'_, R> {
    /// What a spinning thread sees in each round, if it goes round for ever.
    pub(super) fn seen_alone(&mut self, thread: ThreadId) -> Option<Vec<Seen>> {
        let mark = self.states.mark();
        let mut alone =
            Alone { explorer: self, thread, written: Vec::new(), seen: Vec::new(), rounds: Vec::new() };
        let is_back = alone.comes_back();
        let seen = alone.seen;
        self.states.go_back_to(mark);
        is_back.then_some(seen)
    }
}

impl<R: Regime> Alone<'_, '_, R> {
    fn comes_back(&mut self) -> bool {
        let from = self.explorer.graph().thread(self.thread).pending.snapshot;
        let (mut at, mut request) = self.explorer.states.pass_spin(from);
        for _ in 0..PATIENCE {
            if matches!(request, Request::Round) {
                if self.was_here(at) {
                    return self.leaves_memory_alone();
                }
                (at, request) = self.begin_round(at);
                continue;
            }
            match self.next(at, request) {
                Next::Answer(answer) => (at, request) = self.explorer.states.resume_in_place(at, answer),
                Next::Back => return self.leaves_memory_alone(),
                Next::Away => return false,
            }
        }
        false
    }

    fn was_here(&self, at: Snapshot) -> bool {
        let states = &self.explorer.states;
        self.rounds.iter().any(|&before| states.is_back(before, at))
    }

    /// The thread remembers what it did, so that this makes no difference.
    fn begin_round(&mut self, at: Snapshot) -> (Snapshot, Request) {
        self.rounds.push(at);
        let states = &mut self.explorer.states;
        let remembered = states.last_arrival(at).map(|arrival| states.remember(arrival));
        states.resume(at, remembered.unwrap_or(Answer::Value(0)))
    }

    fn next(&mut self, at: Snapshot, request: Request) -> Next {
        let answer = match request {
            Request::Spin { .. } => return Next::Back,
            Request::Load { address, size, .. } => self.read(at, address, size).map(Answer::Value),
            Request::Store { address, size, value, .. } => {
                self.read_memory(address, size).map(|_| self.write(address, size, value))
            }
            Request::Rmw { address, size, op, operand, .. } => self.read(at, address, size).map(|old| {
                self.write(address, size, apply_rmw(op, old, operand, size));
                Answer::Value(old)
            }),
            Request::Cas { address, size, expected, new, .. } => self.read(at, address, size).map(|old| {
                if old == expected {
                    self.write(address, size, new);
                }
                Answer::Exchange { old, success: old == expected }
            }),
            Request::Sync { address, operand, operation } => {
                return self.synchronise(at, address, operand, operation)
            }
            Request::Fence { .. } | Request::Print { .. } => Some(Answer::None),
            Request::Step { base, offset } => {
                let Explorer { graphs, memory, .. } = &*self.explorer;
                Some(Answer::Value(step_shared(graphs.current(), memory, base, offset)))
            }
            Request::Unwind => {
                let Explorer { graphs, memory, .. } = &*self.explorer;
                Some(Answer::Value(living_local(graphs.current(), memory, self.thread)))
            }
            Request::ObjectSize { address } => {
                let Explorer { graphs, memory, .. } = &*self.explorer;
                object_size(graphs.current(), memory, address).map(Answer::Value)
            }
            _ => None,
        };
        answer.map_or(Next::Away, Next::Answer)
    }

    fn synchronise(&mut self, at: Snapshot, address: u64, operand: u64, operation: u32) -> Next {
        let operation = self.explorer.program.operation(operation);
        let old = if operation.reads.is_some() {
            self.read(at, address, operation.size)
        } else {
            self.own_last(address, operation.size)
        };
        let Some(old) = old else { return Next::Away };
        match operation.effect(&Inputs::new(old, self.thread, operand)) {
            Effect::Stay(result) => Next::Answer(Answer::Value(result)),
            Effect::Write { value, result } => {
                self.write(address, operation.size, value);
                Next::Answer(Answer::Value(result))
            }
            Effect::Wait => Next::Back,
            Effect::Misuse(_) | Effect::Meet(_) => Next::Away,
        }
    }

    /// What the thread itself last wrote to a word.
    fn own_last(&self, address: u64, size: u8) -> Option<u64> {
        let Explorer { graphs, memory, .. } = &*self.explorer;
        let aside = self.find(address, size).map(|(_, _, value)| *value);
        Some(aside.unwrap_or_else(|| last_written(graphs.current(), memory, self.thread, (address, size))))
    }

    /// What the thread reads, which is noted; none if it cannot be known here.
    fn read(&mut self, at: Snapshot, address: u64, size: u8) -> Option<u64> {
        if let Some((_, _, value)) = self.find(address, size) {
            return Some(*value);
        }
        let (source, value) = self.read_memory(address, size)?;
        if !self.seen.iter().any(|seen| (seen.address, seen.size) == (address, size)) {
            let place = self.explorer.states.position(at);
            let source = source.is_some().then_some(source);
            self.seen.push(Seen { address, size, value, source, place });
        }
        Some(value)
    }

    /// The newest write of a location of the graph, and its value.
    fn read_memory(&self, address: u64, size: u8) -> Option<(EventId, u64)> {
        let Explorer { graphs, locations, .. } = &*self.explorer;
        let loc = locations.find(address, size)?;
        let newest = graphs.current().loc(loc).last;
        Some((newest, locations.value_of(graphs.current(), loc, newest)))
    }

    fn find(&self, address: u64, size: u8) -> Option<&(u64, u8, u64)> {
        self.written.iter().find(|(at, bytes, _)| (*at, *bytes) == (address, size))
    }

    fn write(&mut self, address: u64, size: u8, value: u64) -> Answer {
        self.written.retain(|(at, bytes, _)| (*at, *bytes) != (address, size));
        self.written.push((address, size, value));
        Answer::None
    }

    fn leaves_memory_alone(&self) -> bool {
        let is_as_before = |(address, size, value): &(u64, u8, u64)| {
            self.read_memory(*address, *size).is_some_and(|(_, before)| before == *value)
        };
        self.written.iter().all(is_as_before)
    }
}
