//! Addresses: which memory, whose, and where in it.
//!
//! Bits 44..47 are the region, bits 28..43 the thread, bits 0..27 the offset. In GLOBAL and CODE the
//! thread's bits belong to the offset. Higher bits are zero in every address that the engine makes;
//! an address with one of them set has a region of 16 or more, which is none of those below.
//!
//! Objects are far apart: between two of them lie at least `GAP - FRAME_SCALE` bytes that belong to nobody, so that
//! an address up to `SLACK` bytes outside its object still tells which object it was made from.

use crate::ids::ThreadId;

const REGION_SHIFT: u32 = 44;
const THREAD_SHIFT: u32 = 28;
const THREAD_MASK: u64 = 0xffff;
const CODE_STRIDE: u64 = 16;

/// The bits of an address that are its offset.
pub const OFFSET_MASK: u64 = (1 << THREAD_SHIFT) - 1;

/// Where globals begin.
pub const GLOBAL_BASE: u64 = Region::GLOBAL << REGION_SHIFT;

/// Bytes that the allocators leave between two objects.
pub const GAP: u64 = 256;

/// Bytes outside an object, on either side, for which an address computed from it stays as it is.
pub const SLACK: u64 = 64;

/// How much further apart frame objects are in addresses than in images: gaps cost no memory.
pub const FRAME_SCALE: u64 = 32;

/// Set, in region NULL, in addresses that were computed too far before the start of their object.
const BEFORE: u64 = 1 << 43;

/// The regions' numbers.
#[allow(non_snake_case)]
pub mod Region {
    /// Nothing: any access is a finding.
    pub const NULL: u64 = 0;
    /// Globals and string literals.
    pub const GLOBAL: u64 = 1;
    /// Private objects in a thread's call frames.
    pub const FRAME: u64 = 2;
    /// Private heap and thread-locals of a thread.
    pub const PRIVATE: u64 = 3;
    /// Heap and escaping local variables.
    pub const SHARED: u64 = 4;
    /// Functions.
    pub const CODE: u64 = 5;
    /// Nothing: addresses that were computed too far past the end of their object.
    pub const OUTSIDE: u64 = 7;
}

/// The region of an address.
#[inline(always)]
pub fn region(address: u64) -> u64 {
    address >> REGION_SHIFT
}

/// The thread whose memory an address names.
#[inline(always)]
pub fn thread_of(address: u64) -> ThreadId {
    ThreadId((address >> THREAD_SHIFT & THREAD_MASK) as u32)
}

/// The offset of an address in its region (of its thread).
#[inline(always)]
pub fn offset(address: u64) -> u64 {
    address & OFFSET_MASK
}

/// The address of an offset in a thread's region.
#[inline(always)]
pub fn address(region: u64, thread: ThreadId, offset: u64) -> u64 {
    region << REGION_SHIFT | u64::from(thread.0) << THREAD_SHIFT | offset
}

/// Where an object lies: its first byte, and the one after its last.
pub type Extent = (u64, u64);

/// The extent, unless an address is too far from it to have been made from the object.
pub fn around(extent: Extent, address: u64) -> Option<Extent> {
    (extent.0 <= address.saturating_add(SLACK) && address <= extent.1 + SLACK).then_some(extent)
}

/// An address `offset` bytes from another, which lies in or next to an object, or nowhere.
///
/// What leaves its object becomes an address of nothing, so that it does not reach another object. It
/// compares with addresses of the object as the one that was asked for does.
pub fn step(object: Option<Extent>, base: u64, offset: u64) -> u64 {
    let target = base.wrapping_add(offset);
    match object {
        Some(extent) if around(extent, target).is_some() => target,
        Some(_) if (offset as i64) < 0 => BEFORE | target & (BEFORE - 1),
        Some(_) => Region::OUTSIDE << REGION_SHIFT | target & (GLOBAL_BASE - 1),
        None if region(base) == Region::OUTSIDE => {
            Region::OUTSIDE << REGION_SHIFT | target & (GLOBAL_BASE - 1)
        }
        None if is_before(base) => BEFORE | target & (BEFORE - 1),
        None => target,
    }
}

/// Whether an address was computed too far from its object.
pub fn is_stray(address: u64) -> bool {
    region(address) == Region::OUTSIDE || is_before(address)
}

fn is_before(address: u64) -> bool {
    address >> 43 == 1
}

/// The address of a function.
pub fn code_address(function: u32) -> u64 {
    (Region::CODE << REGION_SHIFT) + u64::from(function) * CODE_STRIDE
}

/// The function that an address names, if it is the start of one (which need not exist).
#[inline]
pub fn function_index(address: u64) -> Option<u32> {
    let offset = address.wrapping_sub(Region::CODE << REGION_SHIFT);
    let fits = region(address) == Region::CODE && offset.is_multiple_of(CODE_STRIDE);
    fits.then(|| u32::try_from(offset / CODE_STRIDE).ok()).flatten()
}
