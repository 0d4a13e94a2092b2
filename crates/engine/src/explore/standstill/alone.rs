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
use crate::graph::{Access, Cell};
use crate::ids::{EventId, FunctionId, LocId, ThreadId};
use crate::program::{Effect, Inputs};
use crate::vm::{apply_rmw, Answer, PairAccess, Request, Snapshot, PAIR};

/// Requests after which a thread is taken for one that goes on.
const PATIENCE: usize = 10_000;

/// What a thread has written: address, size and value.
type Written = (u64, u8, u128);

/// A run of one thread alone.
struct Alone<'e, 'p, R: Regime> {
    explorer: &'e mut Explorer<'p, R>,
    thread: ThreadId,
    /// What is there other than in the graph: what it has written, and what others take back.
    written: Vec<Written>,
    /// The same before it runs.
    before: Vec<Written>,
    /// It has stopped after an attempt that failed.
    attempts: bool,
    /// It has not begun its next round since.
    has_failed: bool,
    seen: Vec<Seen>,
    /// Where it has begun rounds of loops, and what it had written then.
    rounds: Vec<(Snapshot, Vec<Written>)>,
}

impl<R: Regime> Explorer<'_, R> {
    /// What a spinning thread sees in each round, if it goes round for ever.
    pub(super) fn seen_alone(&mut self, thread: ThreadId) -> Option<Vec<Seen>> {
        let mark = self.states.mark();
        let (written, before) = (Vec::new(), Vec::new());
        let attempts = self.states.is_attempt(self.graph().thread(thread).pending.snapshot);
        let (seen, rounds, has_failed) = (Vec::new(), Vec::new(), attempts);
        let mut alone = Alone { explorer: self, thread, written, before, attempts, has_failed, seen, rounds };
        let is_back = alone.others_take_back().is_some() && alone.comes_back();
        let seen = alone.seen;
        self.states.go_back_to(mark);
        is_back.then_some(seen)
    }
}

impl<R: Regime> Alone<'_, '_, R> {
    /// Lets the other threads take back what they added in attempts that failed; none if that cannot be known.
    fn others_take_back(&mut self) -> Option<()> {
        for (address, size, added) in self.explorer.failed_attempts(self.thread) {
            let now = self.value(address, size)? as u64;
            let mask = u64::MAX >> (64 - 8 * u32::from(size));
            self.write(address, size, u128::from(now.wrapping_sub(added as u64) & mask))?;
        }
        self.before.clone_from(&self.written);
        Some(())
    }

    /// Whether the thread comes back to where it spins. If it goes round another loop, it has left this one.
    fn comes_back(&mut self) -> bool {
        let from = self.explorer.graph().thread(self.thread).pending.snapshot;
        let home = self.explorer.states.position(from);
        let (mut at, mut request) = self.explorer.states.pass_spin(from);
        if self.has_failed {
            (at, request) = self.explorer.states.resume(at, Answer::Value(0));
        }
        for _ in 0..PATIENCE {
            match request {
                // Between an attempt that failed and the next round there are only loops that wait for the counter.
                Request::Spin { .. } if self.has_failed => return true,
                Request::Spin { .. } => return self.is_home(at, home),
                Request::Round if self.explorer.states.is_attempt(at) => {
                    if self.explorer.states.position(at) == home {
                        return self.is_home(at, home);
                    }
                    (at, request) = self.explorer.states.resume(at, Answer::Value(0));
                }
                Request::Round => {
                    if let Some(before) = self.was_here(at) {
                        return self.is_home(before, home);
                    }
                    self.has_failed = false;
                    (at, request) = self.begin_round(at);
                }
                _ => match self.answer(at, request) {
                    Some(answer) => (at, request) = self.explorer.states.resume_in_place(at, answer),
                    None => return false,
                },
            }
        }
        false
    }

    /// Whether a state is where the thread spins, with memory as it was.
    fn is_home(&self, at: Snapshot, home: (FunctionId, u32)) -> bool {
        self.explorer.states.position(at) == home && self.written == self.before
    }

    fn was_here(&self, at: Snapshot) -> Option<Snapshot> {
        let states = &self.explorer.states;
        let is_same =
            |(before, written): &&(Snapshot, _)| *written == self.written && states.is_back(*before, at);
        self.rounds.iter().find(is_same).map(|(before, _)| *before)
    }

    /// The thread remembers what it did, so that this makes no difference.
    fn begin_round(&mut self, at: Snapshot) -> (Snapshot, Request) {
        if !self.explorer.states.is_compared(at) {
            return self.explorer.states.resume_in_place(at, Answer::Value(0));
        }
        self.rounds.push((at, self.written.clone()));
        let states = &mut self.explorer.states;
        let remembered = states.last_arrival(at).map(|arrival| states.remember(arrival));
        states.resume(at, remembered.unwrap_or(Answer::Value(0)))
    }

    /// The answer to a request; none if the thread does something that it did not do before.
    fn answer(&mut self, at: Snapshot, request: Request) -> Option<Answer> {
        match request {
            Request::Load { address, size, .. } => {
                self.read(at, address, size).map(|value| Answer::Value(value as u64))
            }
            Request::Store { address, size, value, .. } => self.write(address, size, value.into()),
            Request::Rmw { address, size, op, operand, .. } => {
                // What it takes back is not what it waits for.
                let old =
                    if self.has_failed { self.value(address, size) } else { self.read(at, address, size) }?;
                let old = old as u64;
                self.write(address, size, apply_rmw(op, old, operand, size).into())?;
                Some(Answer::Value(old))
            }
            Request::Cas { address, size, expected, new, .. } => {
                let old = self.read(at, address, size)? as u64;
                if old == expected {
                    self.write(address, size, new.into())?;
                }
                Some(Answer::Exchange { old, success: old == expected })
            }
            Request::Pair { address, access, .. } => {
                let old = if access == PairAccess::Store { 0 } else { self.read(at, address, PAIR)? };
                let new = access.written(old, &self.explorer.states.pair_operands(at));
                if let Some(new) = new {
                    self.write(address, PAIR, new)?;
                }
                Some(Answer::of_pair(old, new.is_some()))
            }
            Request::Sync { address, operand, operation } => {
                self.synchronise(at, address, operand, operation)
            }
            // Nobody else runs, so all that it does happens at once.
            Request::Fence { .. } | Request::Print { .. } | Request::Begin | Request::End => {
                Some(Answer::None)
            }
            _ => self.answer_about_objects(request),
        }
    }

    fn answer_about_objects(&self, request: Request) -> Option<Answer> {
        let (graph, memory) = (self.explorer.graph(), &self.explorer.memory);
        match request {
            Request::Step { base, offset } => Some(step_shared(graph, memory, base, offset)),
            Request::Unwind => Some(living_local(graph, memory, self.thread)),
            Request::ObjectSize { address } => object_size(graph, memory, address),
            _ => None,
        }
        .map(Answer::Value)
    }

    fn synchronise(&mut self, at: Snapshot, address: u64, operand: u64, number: u32) -> Option<Answer> {
        let operation = self.explorer.program.operation(number);
        let old = if operation.reads.is_some() {
            self.read_by(at, address, operation.size, Some(number))? as u64
        } else {
            self.own_last(address, operation.size)
        };
        match operation.effect(&Inputs::new(old, self.thread, operand)) {
            Effect::Stay(result) => Some(Answer::Value(result)),
            Effect::Write { value, result } => {
                self.write(address, operation.size, value.into())?;
                Some(Answer::Value(result))
            }
            Effect::Wait | Effect::Misuse(_) | Effect::Meet(_) => None,
        }
    }

    /// What the thread itself last wrote to a word.
    fn own_last(&self, address: u64, size: u8) -> u64 {
        let memory = &self.explorer.memory;
        self.find(address, size)
            .map(|value| value as u64)
            .unwrap_or_else(|| last_written(self.explorer.graph(), memory, self.thread, (address, size)))
    }

    /// What the thread reads, which is noted; none if it cannot be known here.
    fn read(&mut self, at: Snapshot, address: u64, size: u8) -> Option<u128> {
        self.read_by(at, address, size, None)
    }

    /// The same by an operation on a synchronisation object.
    fn read_by(&mut self, at: Snapshot, address: u64, size: u8, operation: Option<u32>) -> Option<u128> {
        let value = self.value(address, size)?;
        if self.find(address, size).is_some() && !self.attempts {
            return Some(value);
        }
        let source = self.lasting(address, size)?;
        match self.seen.iter_mut().find(|seen| (seen.address, seen.size) == (address, size)) {
            Some(seen) => seen.operation = seen.operation.filter(|known| Some(*known) == operation),
            None => {
                let place = self.explorer.states.position(at);
                let source = source.is_some().then_some(source);
                self.seen.push(Seen { address, size, value, source, place, operation });
            }
        }
        Some(value)
    }

    /// What is there now.
    fn value(&self, address: u64, size: u8) -> Option<u128> {
        self.find(address, size).or_else(|| self.newest(address, size).map(|(_, value)| value))
    }

    /// The newest write of a location of the graph that is not taken back.
    fn lasting(&self, address: u64, size: u8) -> Option<EventId> {
        let (mut write, _) = self.newest(address, size)?;
        while write.is_some() && self.explorer.is_failed_attempt(write) {
            write = self.explorer.graph().co_prev(write);
        }
        Some(write)
    }

    /// The newest write of a location of the graph, and its value.
    fn newest(&self, address: u64, size: u8) -> Option<(EventId, u128)> {
        let (graph, locations) = (self.explorer.graph(), &self.explorer.locations);
        let loc = locations.find(address, size)?;
        if graph.cells.is_used() {
            let cells = locations.cells(loc);
            let last = |cell: &LocId| graph.cells.all().get(cell.at()).map_or(EventId::NONE, Cell::last);
            let newest = || cells.iter().map(last);
            let access = Access { address, size, loc, value: 0 };
            let first = newest().find(|write| write.is_some()).unwrap_or(EventId::NONE);
            return Some((first, locations.assemble_pair(graph, &access, newest())));
        }
        let newest = graph.loc(loc).last;
        Some((newest, locations.value_of(graph, loc, newest).into()))
    }

    fn find(&self, address: u64, size: u8) -> Option<u128> {
        let is_there = |(at, bytes, _): &&Written| (*at, *bytes) == (address, size);
        self.written.iter().find(is_there).map(|(_, _, value)| *value)
    }

    fn write(&mut self, address: u64, size: u8, value: u128) -> Option<Answer> {
        let (_, before) = self.newest(address, size)?;
        self.written.retain(|(at, bytes, _)| (*at, *bytes) != (address, size));
        if value != before {
            self.written.push((address, size, value));
            self.written.sort_unstable();
        }
        Some(Answer::None)
    }
}
