//! One event of a graph: what all events have, and a payload that depends on the label.
//!
//! An event is a flat value, so that graphs are copied with a memcpy. The data of a label is only in its payload, and
//! every match on payloads names all labels: a new label does not compile until every match handles it.
//! Links to other events are private to this room; the accessors of [`Graph`](super::Graph) follow them.

use super::payload::{Access, AccessKind, Arrival, Chosen, Label, Payload, Read, Round, Write};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::Mode;
use crate::vm::Snapshot;

/// Flag of a read or write: half of a read-modify-write that writes.
pub const EXCLUSIVE: u8 = 1;
/// Flag of a read: the first half of something more than a load (an RMW, a CAS, a lock).
pub const COMPOUND: u8 = 2;
/// Flag of a read: whether it writes depends on the value (a CAS, a lock).
pub const CONDITIONAL: u8 = 4;
/// Flag of a read: for some values its thread waits (the first half of a lock).
pub const WAITS: u8 = 8;
/// Flag of a write to a synchronisation object: some values must not be overwritten.
pub const CHECKED: u8 = 16;
/// Flag of a read or write: what an atomic section reads, or writes.
pub const SECTION: u8 = 32;

/// An event.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The thread it belongs to.
    pub thread: ThreadId,
    /// Its position in the thread, from 0.
    pub index: u32,
    /// The event before it in the thread.
    pub po_prev: EventId,
    /// The thread's state when it requested this event.
    pub snapshot: Snapshot,
    /// How strongly it orders.
    pub mode: Mode,
    /// For a read or write: the flags of this module.
    pub flags: u8,
    /// What guards see; it follows from the label, the mode and the flags.
    pub class: u8,
    /// What it does, with the data of that label.
    pub payload: Payload,
}

impl Event {
    /// An event with no links yet.
    pub fn new(thread: ThreadId, payload: Payload, mode: Mode, snapshot: Snapshot) -> Event {
        Event { thread, index: 0, po_prev: EventId::NONE, snapshot, mode, flags: 0, class: 0, payload }
    }

    /// What it does.
    #[inline(always)]
    pub fn label(&self) -> Label {
        self.payload.label()
    }

    /// Whether it is a read or a write, and which.
    #[inline(always)]
    pub fn access_kind(&self) -> Option<AccessKind> {
        match self.label() {
            Label::Read => Some(AccessKind::Read),
            Label::Write => Some(AccessKind::Write),
            Label::Fence | Label::Alloc | Label::Free | Label::Create | Label::Join => None,
            Label::Arrive | Label::Depart | Label::Choose => None,
        }
    }

    /// What it accesses, if it is a read or a write.
    #[inline(always)]
    pub fn as_access(&self) -> Option<&Access> {
        match &self.payload {
            Payload::Read(read) => Some(&read.access),
            Payload::Write(write) => Some(&write.access),
            Payload::Fence(_)
            | Payload::Alloc(_)
            | Payload::Free(_)
            | Payload::Create(_)
            | Payload::Join(_) => None,
            Payload::Arrive(_) | Payload::Depart(_) | Payload::Choose(_) => None,
        }
    }

    /// What a read or write accesses.
    #[inline(always)]
    pub fn access(&self) -> &Access {
        match self.as_access() {
            Some(access) => access,
            None => self.is_no("access"),
        }
    }

    /// What a read or write accesses, to change it.
    #[inline(always)]
    pub fn access_mut(&mut self) -> &mut Access {
        if let Payload::Read(ref mut read) = self.payload {
            return &mut read.access;
        }
        if let Payload::Write(ref mut write) = self.payload {
            return &mut write.access;
        }
        self.is_no("access")
    }

    /// The location of a read or write.
    #[inline(always)]
    pub fn loc(&self) -> LocId {
        self.access().loc
    }

    /// The thread that it starts.
    #[inline(always)]
    pub fn created(&self) -> Option<ThreadId> {
        let Payload::Create(child) = self.payload else { return None };
        Some(child)
    }

    /// The thread that it waits for.
    #[inline(always)]
    pub fn joined(&self) -> Option<ThreadId> {
        let Payload::Join(other) = self.payload else { return None };
        Some(other)
    }

    /// The meeting that it comes to.
    #[inline(always)]
    pub fn arrival(&self) -> Option<&Arrival> {
        let Payload::Arrive(ref arrival) = self.payload else { return None };
        Some(arrival)
    }

    /// The round of meetings after which it goes on.
    #[inline(always)]
    pub fn departed(&self) -> Option<Round> {
        let Payload::Depart(round) = self.payload else { return None };
        Some(round)
    }

    /// What the program left open and was chosen.
    #[inline(always)]
    pub fn choice(&self) -> Option<&Chosen> {
        let Payload::Choose(ref choice) = self.payload else { return None };
        Some(choice)
    }

    /// Whether it chose no value, or the first one: what it would do again if it were removed and added.
    #[inline(always)]
    pub fn chose_first(&self) -> bool {
        self.choice().is_none_or(|choice| choice.number == 0)
    }

    /// The same event as it was before it was added to a graph; `renamed` gives the ids of older events in the graph
    /// where it is added next.
    pub fn without_links(&self, renamed: impl Fn(EventId) -> EventId) -> Event {
        let payload = self.payload.without_links(renamed);
        Event { flags: self.flags, ..Event::new(self.thread, payload, self.mode, self.snapshot) }
    }

    /// Whether it reads.
    #[inline(always)]
    pub fn is_read(&self) -> bool {
        matches!(self.payload, Payload::Read(_))
    }

    /// Whether it is the read of a load, which is complete once it has its value.
    #[inline(always)]
    pub fn is_load(&self) -> bool {
        self.flags & COMPOUND == 0
    }

    /// Whether it is half of a read-modify-write that writes.
    #[inline(always)]
    pub fn is_exclusive(&self) -> bool {
        self.flags & EXCLUSIVE != 0
    }

    /// Whether it is the write half of a read-modify-write.
    #[inline(always)]
    pub fn is_write_half(&self) -> bool {
        matches!(self.payload, Payload::Write(_)) && self.is_exclusive()
    }

    #[inline(always)]
    pub(super) fn read(&self) -> &Read {
        let Payload::Read(read) = &self.payload else { self.is_no("read") };
        read
    }

    #[inline(always)]
    pub(super) fn read_mut(&mut self) -> &mut Read {
        let Payload::Read(ref mut read) = self.payload else { self.is_no("read") };
        read
    }

    #[inline(always)]
    pub(super) fn write(&self) -> &Write {
        let Payload::Write(write) = &self.payload else { self.is_no("write") };
        write
    }

    #[inline(always)]
    pub(super) fn write_mut(&mut self) -> &mut Write {
        let Payload::Write(ref mut write) = self.payload else { self.is_no("write") };
        write
    }

    /// Callers ask for a payload only if they know the label.
    #[cold]
    #[inline(never)]
    pub(super) fn is_no(&self, expected: &str) -> ! {
        panic!("{self:?} is no {expected}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Graphs are copied at each revisit: a larger event makes every copy slower.
    #[test]
    fn an_event_is_small() {
        assert!(size_of::<Event>() <= 72, "{} bytes", size_of::<Event>());
    }
}
