//! Labels, and the data that an event has because of its label.
//!
//! Links to other events are private to the room (see `links`).

use crate::ids::{EventId, LocId, ThreadId};
use crate::numbered::numbered;
use crate::program::{Domain, Owner};

numbered!(
    /// What an event does.
    Label {
        /// Reads a location.
        Read = "R",
        /// Writes a location.
        Write = "W",
        /// Orders other events.
        Fence = "F",
        /// Begins an object's life.
        Alloc = "ALLOC",
        /// Ends an object's life.
        Free = "FREE",
        /// Starts a thread.
        Create = "CREATE",
        /// Waits for a thread.
        Join = "JOIN",
        /// Comes to a meeting of several threads.
        Arrive = "ARRIVE",
        /// Goes on once all of them have come.
        Depart = "DEPART",
        /// Takes one of several values.
        Choose = "CHOOSE",
    }
);

/// What an event does to a location. All choices of the explorer are about such events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// Reads it.
    Read,
    /// Writes it.
    Write,
}

/// The bytes that a read or write accesses, and what it reads or writes there.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Where it starts.
    pub address: u64,
    /// Value read or written.
    pub value: u64,
    /// The location that these bytes make up.
    pub loc: LocId,
    /// How many bytes.
    pub size: u8,
}

impl Access {
    /// An access of no bytes.
    const NOWHERE: Access = Access { address: 0, value: 0, loc: LocId(0), size: 0 };

    /// Whether two accesses have a byte in common.
    pub fn overlaps(&self, other: &Access) -> bool {
        self.address < other.address + u64::from(other.size)
            && other.address < self.address + u64::from(self.size)
    }
}

/// A read and its links.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    pub(super) access: Access,
    /// The write it reads from, `NONE` for the initial one.
    pub(super) rf: EventId,
    /// The next older reader of the same write.
    pub(super) next_reader: EventId,
    /// The read of the same location added before it.
    pub(super) previous: EventId,
    /// The newest read of the same location added before it by another thread. Not kept where there are gaps.
    pub(super) foreign: EventId,
}

impl Read {
    const NEW: Read = Read {
        access: Access::NOWHERE,
        rf: EventId::NONE,
        next_reader: EventId::NONE,
        previous: EventId::NONE,
        foreign: EventId::NONE,
    };
}

/// A write and its links.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    pub(super) access: Access,
    /// The next older write of the location, `NONE` for the initial one.
    pub(super) co_prev: EventId,
    /// The next newer write of the location.
    pub(super) co_next: EventId,
    /// The newest of its readers.
    pub(super) readers: EventId,
}

impl Write {
    const NEW: Write = Write {
        access: Access::NOWHERE,
        co_prev: EventId::NONE,
        co_next: EventId::NONE,
        readers: EventId::NONE,
    };

    /// The same access, without a place in coherence order and without readers.
    #[inline(always)]
    pub(super) fn without_links(&self) -> Write {
        Write { access: self.access, ..Write::NEW }
    }
}

/// The start of an object's life.
#[derive(Clone, Copy, Debug)]
pub struct Alloc {
    /// Where the object starts.
    pub address: u64,
    /// How many bytes it has.
    pub size: u64,
    /// It starts as zeros.
    pub zeroed: bool,
    /// Who ends its life.
    pub owner: Owner,
    /// The `Free` that ends its life.
    pub(super) freed_by: EventId,
    /// The thread's `Alloc` before it.
    pub(super) previous: EventId,
}

impl Alloc {
    /// An object that nobody has freed.
    pub fn new(address: u64, size: u64, zeroed: bool, owner: Owner) -> Alloc {
        Alloc { address, size, zeroed, owner, freed_by: EventId::NONE, previous: EventId::NONE }
    }

    /// Whether an address is in the object.
    pub fn holds(&self, address: u64) -> bool {
        address >= self.address && address - self.address < self.size
    }
}

/// The end of an object's life.
#[derive(Clone, Copy, Debug)]
pub struct Free {
    /// Where the object starts.
    pub address: u64,
    /// The `Alloc` that began it, `NONE` if the prologue did.
    pub alloc: EventId,
}

/// A round of meetings at an address: all threads of it go on when the last of them has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// Where they meet.
    pub address: u64,
    /// How many rounds the threads of this one know to be over.
    pub number: u32,
}

/// A thread comes to a meeting.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// Which meeting.
    pub round: Round,
    /// How many threads meet.
    pub count: u32,
    /// The `Arrive` added before it, at any address.
    pub(super) previous: EventId,
}

impl Arrival {
    /// An arrival without links.
    pub fn new(round: Round, count: u32) -> Arrival {
        Arrival { round, count, previous: EventId::NONE }
    }
}

/// A value that the program leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    /// The first value that it may be.
    pub first: u64,
    /// How many values it may be; the others follow the first.
    pub count: u32,
    /// Which of them it is.
    pub number: u32,
    /// The bits of a value.
    pub mask: u64,
}

impl Chosen {
    /// The value.
    pub fn value(&self) -> u64 {
        self.first.wrapping_add(u64::from(self.number)) & self.mask
    }
}

/// The data that an event has because of its label.
#[derive(Clone, Copy, Debug)]
pub enum Payload {
    /// Reads a location.
    Read(Read),
    /// Writes a location.
    Write(Write),
    /// Orders other events; of SRCU, those of a domain.
    Fence(Domain),
    /// Begins an object's life.
    Alloc(Alloc),
    /// Ends an object's life.
    Free(Free),
    /// Starts this thread.
    Create(ThreadId),
    /// Waits for this thread.
    Join(ThreadId),
    /// Comes to a meeting.
    Arrive(Arrival),
    /// Goes on after this round of meetings.
    Depart(Round),
    /// Takes one of several values.
    Choose(Chosen),
}

impl Payload {
    /// A read without links, of no bytes yet.
    pub const READ: Payload = Payload::Read(Read::NEW);

    /// A write without links, of no bytes yet.
    pub const WRITE: Payload = Payload::Write(Write::NEW);

    /// What an event with this payload does.
    #[inline(always)]
    pub(super) fn label(&self) -> Label {
        match self {
            Payload::Read(_) => Label::Read,
            Payload::Write(_) => Label::Write,
            Payload::Fence(_) => Label::Fence,
            Payload::Alloc(_) => Label::Alloc,
            Payload::Free(_) => Label::Free,
            Payload::Create(_) => Label::Create,
            Payload::Join(_) => Label::Join,
            Payload::Arrive(_) => Label::Arrive,
            Payload::Depart(_) => Label::Depart,
            Payload::Choose(_) => Label::Choose,
        }
    }

    /// The payload as it was before the event was added to a graph; `renamed` gives the new ids of older events.
    pub(super) fn without_links(&self, renamed: impl Fn(EventId) -> EventId) -> Payload {
        match *self {
            Payload::Read(read) => Payload::Read(Read { access: read.access, ..Read::NEW }),
            Payload::Write(write) => Payload::Write(write.without_links()),
            Payload::Alloc(Alloc { address, size, zeroed, owner, .. }) => {
                Payload::Alloc(Alloc::new(address, size, zeroed, owner))
            }
            Payload::Free(free) => Payload::Free(Free { alloc: renamed(free.alloc), ..free }),
            Payload::Arrive(arrival) => Payload::Arrive(Arrival::new(arrival.round, arrival.count)),
            Payload::Fence(_) | Payload::Create(_) | Payload::Join(_) => *self,
            Payload::Depart(_) | Payload::Choose(_) => *self,
        }
    }
}
