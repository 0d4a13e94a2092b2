//! Shared objects: which exist, which are dead, and which bytes were ever written.

use super::finding::{ACCESS_AFTER_FREE, ACCESS_AFTER_RETURN};
use super::kinds::Violation;
use super::Finding;
use crate::graph::{Event, Graph, Payload};
use crate::ids::{EventId, ThreadId};
use crate::memory::Memory;
use crate::program::{around, origin, region, step, thread_of, Extent, Owner, Region, SLACK};

/// Whether one event comes before another in the plan's happens-before.
type Order<'a> = &'a dyn Fn(EventId, EventId) -> bool;

/// A heap object or escaping local variable as one graph sees it.
struct Object {
    base: u64,
    size: u64,
    /// Its `Alloc`, `NONE` if the prologue made it.
    alloc: EventId,
    zeroed: bool,
    owner: Owner,
    /// The prologue freed it.
    dead: bool,
}

impl Object {
    fn contains(&self, address: u64, size: u64) -> bool {
        address >= self.base && address + size <= self.base + self.size
    }

    fn late_access(&self) -> Finding {
        let message = if self.owner.is_scope() { ACCESS_AFTER_RETURN } else { ACCESS_AFTER_FREE };
        Finding::violation(Violation::Freed, message)
    }
}

fn find(graph: &Graph, memory: &Memory, address: u64) -> Option<Object> {
    let owner = thread_of(address);
    if owner.at() >= graph.threads().len() {
        return None;
    }
    let mut id = graph.thread(owner).last_alloc;
    while id.is_some() {
        let alloc = graph.alloc(id);
        if address >= alloc.address {
            let object = Object {
                base: alloc.address,
                size: alloc.size,
                alloc: id,
                zeroed: alloc.zeroed,
                owner: alloc.owner,
                dead: false,
            };
            return object.contains(address, 0).then_some(object);
        }
        id = graph.earlier_alloc(id);
    }
    let object = memory.object(address)?;
    Some(Object {
        base: object.base,
        size: object.size,
        alloc: EventId::NONE,
        zeroed: false,
        owner: object.owner,
        dead: object.dead,
    })
}

/// The event that ends the object's lifetime in this graph.
fn freed_by(graph: &Graph, object: &Object) -> EventId {
    if object.alloc.is_some() {
        return graph.freed_by(object.alloc);
    }
    if graph.frees() == 0 {
        return EventId::NONE;
    }
    let position = graph.events().iter().position(|event| frees(event, object.base));
    position.map_or(EventId::NONE, EventId::from_usize)
}

fn frees(event: &Event, base: u64) -> bool {
    matches!(event.payload, Payload::Free(free) if free.address == base)
}

/// Whether an access to shared or unknown memory may happen at all.
pub fn accessible(graph: &Graph, memory: &Memory, address: u64, size: u8) -> Result<(), Finding> {
    let bytes = u64::from(size);
    if region(address) != Region::SHARED {
        return Err(Finding::unallocated(address, bytes));
    }
    match find(graph, memory, address) {
        Some(object) if !object.contains(address, bytes) => Err(Finding::unallocated(address, bytes)),
        Some(object) if object.dead => Err(object.late_access()),
        Some(_) => Ok(()),
        None => Err(Finding::unallocated(address, bytes)),
    }
}

/// An address computed from another in a shared object.
pub fn step_shared(graph: &Graph, memory: &Memory, base: u64, offset: u64) -> u64 {
    step(extent(graph, memory, origin(base)), base, offset)
}

/// The shared object around an address.
fn extent(graph: &Graph, memory: &Memory, address: u64) -> Option<Extent> {
    let owner = thread_of(address);
    if owner.at() >= graph.threads().len() {
        return None;
    }
    let mut id = graph.thread(owner).last_alloc;
    while id.is_some() && graph.alloc(id).address > address + SLACK {
        id = graph.earlier_alloc(id);
    }
    let made = id.is_some().then(|| graph.alloc(id));
    let found = made.map(|alloc| (alloc.address, alloc.address + alloc.size));
    around(found.or_else(|| memory.extent(address + SLACK))?, address)
}

/// The newest local variable of a thread that is still alive; 0 if there is none.
pub fn living_local(graph: &Graph, memory: &Memory, thread: ThreadId) -> u64 {
    let mut id = graph.thread(thread).last_alloc;
    while id.is_some() {
        let alloc = graph.alloc(id);
        if alloc.owner.is_scope() && graph.freed_by(id).is_none() {
            return alloc.address;
        }
        id = graph.earlier_alloc(id);
    }
    let is_freed = |base| graph.events().iter().any(|event| frees(event, base));
    let mut locals = memory.objects().iter().rev().filter(|o| o.owner.is_scope() && !o.dead);
    let living = locals.find(|o| thread_of(o.base) == thread && !is_freed(o.base));
    living.map_or(0, |object| object.base)
}

/// An access that was just linked must not follow, or race with, the end of its object's lifetime.
pub fn check_new_access(
    graph: &Graph,
    memory: &Memory,
    happens_before: Order<'_>,
    (access, address): (EventId, u64),
) -> Result<(), Finding> {
    if region(address) != Region::SHARED {
        return Ok(());
    }
    let Some(object) = find(graph, memory, address) else { return Ok(()) };
    let end = freed_by(graph, &object);
    if end.is_some() && !happens_before(access, end) {
        return Err(object.late_access().with(end));
    }
    Ok(())
}

/// An access that was just linked must follow the start of its object's lifetime.
pub fn check_access_begun(
    graph: &Graph,
    memory: &Memory,
    happens_before: Order<'_>,
    (access, address): (EventId, u64),
) -> Result<(), Finding> {
    let event = graph.event(access);
    let owner = thread_of(address);
    if owner == event.thread || graph.thread(owner).last_alloc.is_none() {
        return Ok(());
    }
    match find(graph, memory, address) {
        Some(object) => check_begun(graph, happens_before, object.alloc, access),
        None => Ok(()),
    }
}

/// An allocation must happen before every use of its object. (It is not enough that it is in the graph: a
/// pointer may reach another thread by an access that orders nothing.)
pub fn check_begun(
    graph: &Graph,
    happens_before: Order<'_>,
    alloc: EventId,
    event: EventId,
) -> Result<(), Finding> {
    let own = alloc.is_none() || graph.event(alloc).thread == graph.event(event).thread;
    if own || happens_before(alloc, event) {
        return Ok(());
    }
    let message = if graph.alloc(alloc).owner.is_scope() {
        "this is not ordered after the point where the local variable begins to exist"
    } else {
        "this is not ordered after the allocation of the memory"
    };
    Err(Finding::violation(Violation::Unallocated, message).with(alloc))
}

/// Whether a read of one location that sees the initial write of shared memory sees bytes that were never written.
pub fn uninitialized(graph: &Graph, memory: &Memory, read: EventId) -> bool {
    let access = graph.event(read).access();
    graph.rf(read).is_none() && unwritten(graph, memory, access.address, access.size)
}

/// Whether bytes hold nothing at first.
pub fn unwritten(graph: &Graph, memory: &Memory, address: u64, size: u8) -> bool {
    if region(address) != Region::SHARED {
        return false;
    }
    match find(graph, memory, address) {
        Some(object) if object.alloc.is_some() => !object.zeroed,
        Some(_) => !memory.is_written(address, size),
        None => false,
    }
}

/// Checks a `Free` before it is added; gives the `Alloc` that it ends (`NONE`: of the prologue).
pub fn check_free(graph: &Graph, memory: &Memory, address: u64, owner: Owner) -> Result<EventId, Finding> {
    let invalid = || Finding::invalid_free(address);
    if region(address) != Region::SHARED {
        return Err(invalid());
    }
    let object = find(graph, memory, address).ok_or_else(invalid)?;
    if object.base != address || object.owner.is_scope() != owner.is_scope() {
        return Err(invalid());
    }
    let end = freed_by(graph, &object);
    if object.dead || end.is_some() {
        let finding = Finding::violation(Violation::DoubleFree, "the object was freed before");
        return Err(if end.is_some() { finding.with(end) } else { finding });
    }
    if object.owner != owner {
        return Err(Finding::mismatched_free(address, object.owner, owner));
    }
    Ok(object.alloc)
}

/// Every access to the object must precede its end, which was just added.
pub fn check_accesses_before(
    graph: &Graph,
    happens_before: Order<'_>,
    end: EventId,
    base: u64,
    size: u64,
) -> Result<(), Finding> {
    for id in (0..graph.len()).map(EventId::from_usize) {
        let mut is_inside = false;
        graph.each_run(id, |address, _| is_inside |= address >= base && address < base + size);
        if is_inside && !happens_before(id, end) {
            let message = "this frees memory that another thread may still access";
            return Err(Finding::violation(Violation::Freed, message).with(id));
        }
    }
    Ok(())
}

/// The size of the heap object that starts at an address.
pub fn object_size(graph: &Graph, memory: &Memory, address: u64) -> Option<u64> {
    if region(address) != Region::SHARED {
        return None;
    }
    find(graph, memory, address).filter(|object| object.base == address).map(|object| object.size)
}
