//! Private memory: where the bytes behind a FRAME or PRIVATE address are.
//!
//! A frame object whose first byte is the n-th of the stack has the address n * `FRAME_SCALE`; its other
//! bytes follow. So there are gaps between the addresses of objects that are adjacent in the image.
//!
//! I1: what `resolve` gives lies inside one live object of the image's own thread.

use super::heap;
use super::image::{frames, thread, Field, Fields, HEADER};
use super::values::mask;
use crate::program::{
    address, around, offset, region, thread_of, Extent, Program, Region, FRAME_SCALE, SLACK,
};

/// Whether an address is in FRAME or PRIVATE.
#[inline(always)]
pub(super) fn is_private(address: u64) -> bool {
    address >> 45 == Region::FRAME >> 1
}

/// The position of `size` bytes of private memory, in bytes from the image's start.
pub(super) fn resolve(program: &Program, image: &[u64], address: u64, size: usize) -> Option<usize> {
    if thread_of(address) != thread(image) {
        return None;
    }
    let from = offset(address) as usize;
    if region(address) == Region::FRAME {
        return in_frames(program, image, from, size);
    }
    if from < program.thread_locals_end() as usize {
        return in_thread_locals(program, from, size);
    }
    heap::locate(program, image, from, size)
}

/// Bytes of a thread-local, as a position in bytes from the image's start.
fn in_thread_locals(program: &Program, from: usize, size: usize) -> Option<usize> {
    let local = program.thread_local(from as u64)?;
    let inside = from + size <= local.end() as usize;
    inside.then(|| HEADER * 8 + local.position as usize + from - local.offset as usize)
}

/// Bytes of a frame object, as a position in bytes from the image's start.
fn in_frames(program: &Program, image: &[u64], from: usize, size: usize) -> Option<usize> {
    let ((start, end), position) = frame_object(program, image, from as u64)?;
    let inside = (from as u64).checked_sub(start)?;
    (inside + size as u64 <= end - start).then_some(position + inside as usize)
}

/// The last frame object that starts at or before an offset: its offsets, and its position in bytes.
fn frame_object(program: &Program, image: &[u64], from: u64) -> Option<(Extent, usize)> {
    let stack = image.field(Field::Stack) as usize;
    let reached = from / FRAME_SCALE;
    for frame in frames(image) {
        let function = &program.functions[frame.function.at()];
        let first = ((frame.base - stack + function.registers as usize) * 8) as u64;
        let Some(inside) = reached.checked_sub(first) else { continue };
        let after = function.objects.partition_point(|object| u64::from(object.offset) <= inside);
        let Some(object) = function.objects[..after].last() else { continue };
        let place = first + u64::from(object.offset);
        let start = place * FRAME_SCALE;
        return Some(((start, start + u64::from(object.size)), stack * 8 + place as usize));
    }
    None
}

/// The private object of the image's thread that an address was computed from.
pub(super) fn extent(program: &Program, image: &[u64], base: u64) -> Option<Extent> {
    if thread_of(base) != thread(image) {
        return None;
    }
    let from = offset(base);
    let found = if region(base) == Region::FRAME {
        let (extent, _) = frame_object(program, image, from + SLACK)?;
        around(extent, from)
    } else if from <= u64::from(program.thread_locals_end()) + SLACK {
        let local = program.thread_local(from + SLACK)?;
        around((local.offset.into(), local.end().into()), from)
    } else {
        heap::extent(program, image, from)
    };
    let absolute = |at| address(region(base), thread(image), 0) + at;
    found.map(|(start, end)| (absolute(start), absolute(end)))
}

/// Reads up to 8 bytes at a byte position.
#[inline]
pub(super) fn read(image: &[u64], position: usize, size: u8) -> u64 {
    let (word, shift) = (position / 8, position % 8 * 8);
    let bits = usize::from(size) * 8;
    let mut value = image[word] >> shift;
    if shift + bits > 64 {
        value |= image[word + 1] << (64 - shift);
    }
    value & mask(bits as u8)
}

/// Writes up to 8 bytes at a byte position.
#[inline]
pub(super) fn write(image: &mut [u64], position: usize, size: u8, value: u64) {
    let (word, shift) = (position / 8, position % 8 * 8);
    let bits = usize::from(size) * 8;
    let kept = mask(bits as u8);
    let value = value & kept;
    image[word] = image[word] & !(kept << shift) | value << shift;
    if shift + bits > 64 {
        let done = 64 - shift;
        image[word + 1] = image[word + 1] & !(kept >> done) | value >> done;
    }
}
