//! Private memory: where the bytes behind a FRAME or PRIVATE address are.
//!
//! I1: what `resolve` gives lies inside one live object of the image's own thread.

use super::heap;
use super::image::{frames, thread, Field, Fields, HEADER};
use super::values::mask;
use crate::program::{offset, region, thread_of, Function, Program, Region};

/// Whether an address is in FRAME or PRIVATE.
#[inline(always)]
pub(super) fn is_private(address: u64) -> bool {
    address >> 45 == Region::FRAME >> 1
}

/// The position of `size` bytes of private memory, in bytes from the image's start.
pub(super) fn resolve(program: &Program, image: &[u64], address: u64, size: u8) -> Option<usize> {
    if thread_of(address) != thread(image) {
        return None;
    }
    let (from, size) = (offset(address) as usize, usize::from(size));
    if region(address) == Region::FRAME {
        return in_frames(program, image, from, size);
    }
    if from + size <= program.tls.len() {
        return Some(HEADER * 8 + from);
    }
    heap::locate(program, image, from, size)
}

/// The frame that reaches up to an offset in the stack must have an object there.
fn in_frames(program: &Program, image: &[u64], from: usize, size: usize) -> Option<usize> {
    let stack = image.field(Field::Stack) as usize;
    for frame in frames(image) {
        let function = &program.functions[frame.function.at()];
        let objects = (frame.base - stack + function.registers as usize) * 8;
        if let Some(inside) = from.checked_sub(objects) {
            return holds(function, inside, size).then_some(stack * 8 + from);
        }
    }
    None
}

fn holds(function: &Function, from: usize, size: usize) -> bool {
    let objects = &function.objects;
    let after = objects.partition_point(|object| object.offset as usize <= from);
    let end = |object: &crate::program::FrameObject| object.offset as usize + object.size as usize;
    objects[..after].last().is_some_and(|object| from + size <= end(object))
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
