//! One event of a graph: a flat value, so that graphs are copied with a memcpy.

use crate::ids::{EventId, LocId, ThreadId};
use crate::program::Mode;
use crate::vm::Snapshot;

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// Reads a location.
    Read,
    /// Writes a location.
    Write,
    /// Orders other events.
    Fence,
    /// Begins an object's life.
    Alloc,
    /// Ends an object's life.
    Free,
    /// Starts a thread.
    Create,
    /// Waits for a thread.
    Join,
}

/// Flag: half of a read-modify-write that writes.
pub const EXCLUSIVE: u8 = 1;
/// Flag of a read: the first half of something more than a load (an RMW, a CAS, a lock).
pub const COMPOUND: u8 = 8;
/// Flag of a read: for some values its thread waits (the first half of a lock).
pub const WAITS: u8 = 32;
/// Flag of a read: whether it writes depends on the value (a CAS, a lock).
pub const CONDITIONAL: u8 = 64;
/// Flag of a write to a synchronisation object: some values must not be overwritten.
pub const CHECKED: u8 = 16;
/// Flag of an `Alloc`: the object starts as zeros.
pub const ZEROED: u8 = 2;
/// Flag of an `Alloc` or `Free`: a local variable.
pub const STACK: u8 = 4;

/// An event and its links. Fields that a label does not use hold `NONE` or 0.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The thread it belongs to.
    pub thread: ThreadId,
    /// Its position in the thread, from 0.
    pub index: u32,
    /// The event before it in the thread.
    pub po_prev: EventId,
    /// What it does.
    pub label: Label,
    /// How strongly it orders.
    pub mode: Mode,
    /// `EXCLUSIVE`, `COMPOUND`, `CONDITIONAL`, `WAITS`, `CHECKED`, `ZEROED`, `STACK`.
    pub flags: u8,
    /// Bytes accessed.
    pub size: u8,
    /// What guards see of it; follows from the label, the mode and the flags.
    pub class: u8,
    /// Read, write: the location.
    pub loc: LocId,
    /// Read: the write it reads from, `NONE` for the initial one. Free: the `Alloc` it ends.
    pub rf: EventId,
    /// Write: the next older write of the location, `NONE` for the initial one.
    pub co_prev: EventId,
    /// Write: the next newer write of the location. Alloc: the event that freed it.
    pub co_next: EventId,
    /// Write: the newest of its readers.
    pub readers: EventId,
    /// Read: the next older reader of the same write.
    pub next_reader: EventId,
    /// Read: the read of the same location added before it. Alloc: the thread's alloc before it.
    pub previous: EventId,
    /// Read: the newest read of the same location added before it by another thread. Not kept where there are gaps.
    pub foreign: EventId,
    /// The thread's state when it asked for this event.
    pub snapshot: Snapshot,
    /// Value read or written; bytes of an `Alloc`; the other thread of a `Create` or `Join`.
    pub value: u64,
    /// Where: of an access, an `Alloc` or a `Free`.
    pub address: u64,
}

impl Event {
    /// An event with no links yet.
    pub fn new(thread: ThreadId, label: Label, mode: Mode, snapshot: Snapshot) -> Event {
        Event {
            thread,
            index: 0,
            po_prev: EventId::NONE,
            label,
            mode,
            flags: 0,
            size: 0,
            class: 0,
            loc: LocId(0),
            rf: EventId::NONE,
            co_prev: EventId::NONE,
            co_next: EventId::NONE,
            readers: EventId::NONE,
            next_reader: EventId::NONE,
            previous: EventId::NONE,
            foreign: EventId::NONE,
            snapshot,
            value: 0,
            address: 0,
        }
    }

    /// Whether it is a read that a load made, which is done once it has its value.
    #[inline(always)]
    pub fn is_load(&self) -> bool {
        self.flags & COMPOUND == 0
    }

    /// Whether it is half of a read-modify-write that writes.
    #[inline(always)]
    pub fn is_exclusive(&self) -> bool {
        self.flags & EXCLUSIVE != 0
    }
}
