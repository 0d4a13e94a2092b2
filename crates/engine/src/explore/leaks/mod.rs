//! Leaks: heap objects that are not freed at the end of an execution, and to which nothing leads any more.
//!
//! What is left at the end: globals, the thread-locals of main, what a thread returned that nobody joined, and the whole
//! state of a thread whose functions have not returned. Shared memory holds what was written last in coherence order. An
//! object that is reached leads on to others.
//!
//! The state of such a thread lacks variables that are not used any more, though a pointer in them counts. So what it may
//! have there is spared: it is not reported, nor does a property hold because of it.
//!
//! I1: the program was compiled so that all heap objects are shared: none is in the state of a thread.
//! I2: an object is lost only if no pointer leads to it from what is left.

mod remains;

use crate::detect::Finding;
use crate::explore::regimes::Regime;
use crate::explore::threads::prologue::MAIN;
use crate::explore::Explorer;
use crate::graph::{AccessKind, Payload, ThreadStatus};
use crate::ids::{EventId, LocId, Stack, ThreadId};
use crate::program::Op;
use crate::vm::{Request, PAIR};
use remains::{initial_pointers, Remains, Unfreed, WORD};
use std::collections::BTreeSet;

/// What to do about objects that are not freed at the end of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leaks {
    /// Nothing.
    #[default]
    Ignored,
    /// Note those that are lost.
    Noted,
    /// It is a violation if one is lost.
    Forbidden,
    /// It is a violation if there is one.
    AllForbidden,
}

/// Bytes that no later write has overwritten.
struct Written {
    address: u64,
    size: u8,
    value: u64,
}

impl Written {
    fn end(&self) -> u64 {
        self.address + u64::from(self.size)
    }
}

impl<R: Regime> Explorer<'_, R> {
    /// Looks for leaks at the end of the current execution, if that is wanted.
    #[inline]
    pub(in crate::explore) fn check_leaks(&mut self) -> Result<(), Finding> {
        match self.config.leaks {
            Leaks::Ignored => Ok(()),
            wanted => self.look_for_leaks(wanted),
        }
    }

    #[cold]
    fn look_for_leaks(&mut self, wanted: Leaks) -> Result<(), Finding> {
        let mut remains = self.unfreed();
        if remains.objects.is_empty() {
            return Ok(());
        }
        if wanted != Leaks::AllForbidden {
            self.follow_pointers(&mut remains);
        }
        for object in remains.objects.iter().filter(|object| !object.is_reached) {
            let made = object.alloc.is_some().then(|| self.graph().event(object.alloc));
            let (thread, at) = (made.map_or(MAIN, |event| event.thread), made.map(|event| event.snapshot));
            let how = match wanted {
                Leaks::Ignored | Leaks::Noted => {
                    let calls = at.map_or_else(|| self.early_calls(object), |at| self.states.stack(at));
                    self.outcome.leaks.entry(calls).or_insert(thread);
                    continue;
                }
                Leaks::Forbidden => ", and at the end nothing leads to it",
                Leaks::AllForbidden => "",
            };
            return Err(Finding::leak(object.base, thread, at, how));
        }
        Ok(())
    }

    /// The calls that led to an allocation in the prologue.
    fn early_calls(&self, object: &Unfreed) -> Stack {
        self.memory.object(object.base).expect("the prologue made it").calls.clone()
    }

    /// Heap objects that are not freed, and what is left of the local variables.
    fn unfreed(&self) -> Remains {
        let graph = self.graph();
        let mut remains = Remains::default();
        let is_free = |payload: &Payload| match payload {
            Payload::Free(free) => Some(free.address),
            _ => None,
        };
        let freed: BTreeSet<u64> = match graph.frees() {
            0 => BTreeSet::new(),
            _ => graph.events().iter().filter_map(|event| is_free(&event.payload)).collect(),
        };
        // A local variable that starts as zeros is a thread-local.
        for object in self.memory.objects() {
            let is_freed = object.dead || freed.contains(&object.base);
            remains.add(
                (object.base, object.size),
                EventId::NONE,
                (object.owner.is_scope(), object.zeroed),
                is_freed,
            );
        }
        for thread in (0..self.threads.len()).map(ThreadId::from_usize) {
            let mut id = graph.thread(thread).last_alloc;
            while id.is_some() {
                let alloc = graph.alloc(id);
                let (kind, is_freed) =
                    ((alloc.owner.is_scope(), alloc.zeroed && thread == MAIN), graph.freed_by(id).is_some());
                remains.add((alloc.address, alloc.size), id, kind, is_freed);
                id = graph.earlier_alloc(id);
            }
        }
        remains.objects.sort_unstable_by_key(|object| object.base);
        remains
    }

    /// Reaches all objects that something leads to.
    fn follow_pointers(&mut self, remains: &mut Remains) {
        if self.initial_pointers.is_none() {
            self.initial_pointers = Some(initial_pointers(&self.memory));
        }
        let written = self.last_writes();
        self.link_written(remains, &written);
        self.link_initial(remains, &written);
        remains.links.sort_unstable();
        let threads = || (0..self.threads.len()).map(ThreadId::from_usize);
        threads().for_each(|thread| self.reach_from_thread(remains, thread));
        let roots = remains.roots();
        remains.reach(roots);
        remains.follow();
        for thread in threads().filter(|thread| self.has_frames(*thread)) {
            self.reach_from_variables(remains, thread);
        }
        self.outcome.spared |= !remains.next.is_empty();
        remains.follow();
    }

    /// What the events have left in memory, by address.
    fn last_writes(&self) -> Vec<Written> {
        let (graph, locations) = (self.graph(), &self.locations);
        let mut written: Vec<Written> = if graph.cells.is_used() {
            let cells = (0..graph.cells.all().len()).map(LocId::from_usize);
            let last =
                cells.map(|cell| (cell, graph.cells.cell(cell).last())).filter(|(_, last)| last.is_some());
            let part = last.map(|(cell, last)| (locations.name(cell), locations.part_of(graph, cell, last)));
            part.map(|((address, size), value)| Written { address, size, value }).collect()
        } else {
            let ids = (0..graph.len()).map(EventId::from_usize);
            let last = ids.filter(|id| {
                graph.event(*id).access_kind() == Some(AccessKind::Write)
                    && graph.loc(graph.event(*id).loc()).last == *id
            });
            let access = last.map(|id| graph.event(id).access());
            access.map(|a| Written { address: a.address, size: a.size, value: a.value }).collect()
        };
        written.sort_unstable_by_key(|written| written.address);
        written
    }

    /// Notes the pointers that have a byte which an event has written.
    fn link_written(&self, remains: &mut Remains, written: &[Written]) {
        let around = WORD as u64 - 1;
        let mut bytes = Vec::new();
        for run in written.chunk_by(|one, next| next.address <= one.end() + 2 * around) {
            let start = run[0].address - around;
            bytes.clear();
            let fill = |bytes: &mut Vec<u8>, to: u64| {
                bytes.extend((start + bytes.len() as u64..to).map(|at| self.memory.read(at, 1) as u8));
            };
            for part in run {
                fill(&mut bytes, part.address);
                bytes.extend_from_slice(&part.value.to_le_bytes()[..usize::from(part.size)]);
            }
            fill(&mut bytes, run[run.len() - 1].end() + around);
            remains.link(start, &bytes);
        }
    }

    /// Notes the pointers in initial memory of which no event has written a byte.
    fn link_initial(&self, remains: &mut Remains, written: &[Written]) {
        for at in self.initial_pointers.iter().flatten() {
            let end = at + WORD as u64;
            let next = written.partition_point(|part| part.end() <= *at);
            if written.get(next).is_none_or(|part| part.address >= end) {
                remains.link(*at, &self.memory.read(*at, WORD as u8).to_le_bytes());
            }
        }
    }

    /// Whether functions of a thread have not returned: it waits, or it has ended the program by `exit`.
    fn has_frames(&self, thread: ThreadId) -> bool {
        let pending = self.graph().thread(thread).pending;
        match pending.status {
            ThreadStatus::Absent | ThreadStatus::Done => false,
            ThreadStatus::Exited => self.states.instruction(pending.snapshot).op != Op::Ret,
            _ => true,
        }
    }

    /// Reaches what a thread has left.
    fn reach_from_thread(&self, remains: &mut Remains, thread: ThreadId) {
        let (state, at) = (self.graph().thread(thread), self.graph().thread(thread).pending.snapshot);
        if self.has_frames(thread) {
            remains.reach_from(self.states.words(at));
        } else if thread == MAIN {
            remains.reach_from(self.states.thread_locals(at));
        }
        if state.joined_by.is_none() {
            remains.reach_from(&[self.result(thread)]);
        }
    }

    /// What a thread has returned, else 0.
    fn result(&self, thread: ThreadId) -> u64 {
        let pending = self.graph().thread(thread).pending;
        match pending.status {
            ThreadStatus::Done => match self.states.request(pending.snapshot) {
                Request::Done { value } => value,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Reaches what variables of a thread may point to that its state no longer has, because it does not need them: what
    /// it has allocated, read, or got from other threads.
    fn reach_from_variables(&self, remains: &mut Remains, thread: ThreadId) {
        let graph = self.graph();
        let is_own = |object: &Unfreed| match object.alloc.is_some() {
            true => graph.event(object.alloc).thread == thread,
            false => thread == MAIN,
        };
        let own = (0..remains.objects.len()).filter(|object| is_own(&remains.objects[*object])).collect();
        remains.reach(own);
        let mut words = Vec::new();
        let creator = graph.thread(thread).creator;
        if creator.is_some() {
            if let Request::Create { argument, .. } = self.states.request(graph.event(creator).snapshot) {
                words.push(argument);
            }
        }
        for (id, event) in graph.events().iter().enumerate().filter(|(_, event)| event.thread == thread) {
            match event.payload {
                Payload::Read(_) if event.access().size == PAIR => {
                    let value = self.locations.pair(graph, EventId::from_usize(id));
                    words.extend([value as u64, (value >> 64) as u64]);
                }
                Payload::Read(_) => words.push(event.access().value),
                Payload::Join(other) => words.push(self.result(other)),
                _ => {}
            }
        }
        remains.reach_from(&words);
    }
}
