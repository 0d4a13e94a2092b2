//! Addresses: a region of memory, a thread, and an offset.
//!
//! Bits 44..47 are the region, bits 28..43 the thread, bits 0..27 the offset. In GLOBAL and CODE the
//! thread's bits belong to the offset. An address with a higher bit set has a region of 16 or more, which
//! does not exist: no access to it succeeds.
//!
//! Objects are far apart: between two of them are at least `GAP - FRAME_SCALE` bytes that belong to no
//! object, so an address up to `SLACK` bytes outside its object still shows which object it was made from. An
//! address further out is stray. Its highest 16 bits say on which side it is (01 past, 10 before) and how
//! many `UNIT`s to go back to get an address next to its object. Beyond `LOST` units (2 MiB) it is only known
//! to be outside.

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

/// The bits of a stray address that say where it points.
const PLAIN_BITS: u32 = 48;
const PLAIN: u64 = (1 << PLAIN_BITS) - 1;
/// The unit of a stray address's distance: the number of addresses around the smallest object.
const UNIT: u64 = 2 * SLACK;
/// The distance that stands for all distances too large to be remembered.
const LOST: u64 = 0x3fff;

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

/// An address `offset` bytes from another; `object` is the one around the `origin` of that.
///
/// An address that leaves its object becomes stray, so that it does not reach another object. As a signed
/// number it compares with addresses of the object as the plain sum would, and an address that leads back is
/// in the object again.
pub fn step(object: Option<Extent>, base: u64, offset: u64) -> u64 {
    let sum = base.wrapping_add(offset);
    match object {
        _ if is_lost(base) => base & !PLAIN | sum & PLAIN,
        Some(extent) if mark(extent, plain(base)) == base => mark(extent, plain(base).wrapping_add(offset)),
        _ if is_in_objects(base) => stray(sum, LOST, (offset as i64) < 0),
        _ => sum,
    }
}

/// Whether an address was computed too far from its object.
pub fn is_stray(address: u64) -> bool {
    matches!(address >> 62, 1 | 2)
}

/// An address next to the object that an address was made from.
pub fn origin(address: u64) -> u64 {
    match address >> 62 {
        1 => plain(address).wrapping_sub(units(address) * UNIT),
        2 => plain(address) + units(address) * UNIT,
        _ => address,
    }
}

/// An address as it is made from an object.
fn mark(extent: Extent, target: u64) -> u64 {
    if around(extent, target).is_some() {
        return target;
    }
    let past = target.wrapping_sub(extent.1) as i64;
    let distance = if past > 0 { past as u64 } else { extent.0.wrapping_sub(target) };
    stray(target, (distance - SLACK).div_ceil(UNIT).min(LOST), past < 0)
}

fn stray(target: u64, units: u64, before: bool) -> u64 {
    let tag = if before { 0xc000 - units } else { 0x4000 + units };
    tag << PLAIN_BITS | target & PLAIN
}

/// The address without the mark that leads to its object.
fn plain(address: u64) -> u64 {
    if is_stray(address) {
        address & PLAIN
    } else {
        address
    }
}

/// How far a stray address is from its object.
fn units(address: u64) -> u64 {
    let tag = address >> PLAIN_BITS;
    if tag < 0x8000 {
        tag - 0x4000
    } else {
        0xc000 - tag
    }
}

fn is_lost(address: u64) -> bool {
    is_stray(address) && units(address) == LOST
}

fn is_in_objects(address: u64) -> bool {
    (Region::GLOBAL..=Region::SHARED).contains(&region(address))
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
