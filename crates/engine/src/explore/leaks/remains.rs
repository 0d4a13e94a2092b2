//! The memory that is left at the end of an execution, and the pointers in it.
//!
//! A pointer is any eight bytes in a row, aligned or not, that are an address in or next to an object. It may have a
//! tag in its lowest bits or its highest 16, or be shifted by 16 bits for one. So a number may be taken for a pointer, and hide a leak.

use crate::ids::EventId;
use crate::memory::Memory;
use crate::program::{origin, region, Region, SLACK};
use std::collections::BTreeSet;

/// Bytes of a pointer.
pub(super) const WORD: usize = 8;
/// Bits of a tag above a pointer, or below one that is shifted.
const TAG: u32 = 16;

/// A heap object that is not freed.
pub(super) struct Unfreed {
    /// Where it starts.
    pub(super) base: u64,
    size: u64,
    /// Its allocation, `NONE` if the prologue made it.
    pub(super) alloc: EventId,
    /// Something leads to it.
    pub(super) is_reached: bool,
}

/// What is left at the end of an execution.
#[derive(Default)]
pub(super) struct Remains {
    /// By address, once all are there.
    pub(super) objects: Vec<Unfreed>,
    /// Where local variables and thread-locals lie that are left: start and end.
    locals: Vec<(u64, u64)>,
    /// Where pointers are, and to which objects.
    pub(super) links: Vec<(u64, usize)>,
    /// Objects that are reached, whose pointers are still to be followed.
    pub(super) next: Vec<usize>,
}

impl Remains {
    /// Adds an object, which may be a local variable, or if so a thread-local of main. The program ends before its
    /// thread-locals do.
    pub(super) fn add(
        &mut self,
        (base, size): (u64, u64),
        alloc: EventId,
        (is_local, is_kept): (bool, bool),
        is_freed: bool,
    ) {
        if is_local && (is_kept || !is_freed) {
            self.locals.push((base, base + size));
        } else if !is_local && !is_freed {
            self.objects.push(Unfreed { base, size, alloc, is_reached: false });
        }
    }

    /// The objects that a word leads to, with or without a tag.
    fn targets(&self, word: u64) -> impl Iterator<Item = usize> + '_ {
        let addresses = [origin(word), untagged(word), word >> TAG];
        addresses.into_iter().filter_map(|address| self.object_around(address))
    }

    fn object_around(&self, address: u64) -> Option<usize> {
        if region(address) != Region::SHARED {
            return None;
        }
        let at = self.objects.partition_point(|object| object.base <= address + SLACK).checked_sub(1)?;
        let object = &self.objects[at];
        (address <= object.base + object.size + SLACK).then_some(at)
    }

    pub(super) fn reach(&mut self, objects: Vec<usize>) {
        for object in objects {
            if !self.objects[object].is_reached {
                self.objects[object].is_reached = true;
                self.next.push(object);
            }
        }
    }

    /// Reaches what words of a thread lead to.
    pub(super) fn reach_from(&mut self, words: &[u64]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let found = pointers(&bytes).flat_map(|(_, word)| self.targets(word)).collect();
        self.reach(found);
    }

    /// Notes the pointers in bytes at an address.
    pub(super) fn link(&mut self, address: u64, bytes: &[u8]) {
        for (at, word) in pointers(bytes) {
            let found: Vec<usize> = self.targets(word).collect();
            self.links.extend(found.into_iter().map(|object| (address + at as u64, object)));
        }
    }

    /// What globals and local variables lead to.
    pub(super) fn roots(&self) -> Vec<usize> {
        let is_left = |address: &u64| {
            region(*address) == Region::GLOBAL
                || self.locals.iter().any(|(start, end)| (start..end).contains(&address))
        };
        self.links.iter().filter(|(at, _)| is_left(at)).map(|(_, object)| *object).collect()
    }

    /// Follows all pointers in objects that are reached.
    pub(super) fn follow(&mut self) {
        while let Some(object) = self.next.pop() {
            let Unfreed { base, size, .. } = self.objects[object];
            let first = self.links.partition_point(|(at, _)| *at < base);
            let inside = self.links[first..].iter().take_while(|(at, _)| *at < base + size);
            let found = inside.map(|(_, object)| *object).collect();
            self.reach(found);
        }
    }
}

/// A word without what may be a tag in its highest bits.
fn untagged(word: u64) -> u64 {
    word << TAG >> TAG
}

/// All eight bytes in a row that may be a pointer to a shared object, and where they are.
fn pointers(bytes: &[u8]) -> impl Iterator<Item = (usize, u64)> + '_ {
    let words =
        bytes.windows(WORD).map(|eight| u64::from_le_bytes(eight.try_into().expect("they are eight")));
    let is_shared = |address| region(address) == Region::SHARED;
    words.enumerate().filter(move |(_, word)| is_shared(untagged(*word)) || is_shared(word >> TAG))
}

/// Where words of initial memory are that may be pointers.
pub(super) fn initial_pointers(memory: &Memory) -> BTreeSet<u64> {
    let around = WORD as u64 - 1;
    let ranges = memory.writers.iter().map(|(start, (size, ..))| (start - around, start + size + around));
    let found = ranges.flat_map(|(start, end)| {
        let bytes: Vec<u8> = (start..end).map(|at| memory.read(at, 1) as u8).collect();
        pointers(&bytes).map(|(at, _)| start + at as u64).collect::<Vec<u64>>()
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::{Remains, WORD};
    use crate::ids::{EventId, ThreadId};
    use crate::program::{address, Region};

    fn heap(offset: u64) -> u64 {
        address(Region::SHARED, ThreadId(1), offset)
    }

    /// Two objects of 32 bytes.
    fn two() -> Remains {
        let mut remains = Remains::default();
        for offset in [4096, 4384] {
            remains.add((heap(offset), 32), EventId::NONE, (false, false), false);
        }
        remains
    }

    #[test]
    fn words_that_lead_to_an_object() {
        let (one, two_objects) = (heap(4096), two());
        let leads = |word: u64| two_objects.targets(word).next();
        for word in [one, one + 31, one + 32, one | 7, one | 0xbeef << 48, one << 16 | 0xabc, one - 8] {
            assert_eq!(leads(word), Some(0), "{word:#x}");
        }
        assert_eq!(leads(heap(4384)), Some(1));
        for word in [0, 4096, one + 128, one ^ 1 << 28, !one, one << 1] {
            assert_eq!(leads(word), None, "{word:#x}");
        }
    }

    #[test]
    fn pointers_need_no_alignment_and_are_followed_from_what_is_left() {
        for from_global in [true, false] {
            let mut remains = two();
            let mut bytes = [0; 3 + WORD];
            bytes[3..].copy_from_slice(&heap(4096).to_le_bytes());
            let global = address(Region::GLOBAL, ThreadId(0), 64);
            remains.link(if from_global { global } else { heap(9000) }, &bytes); // The latter is freed.
            remains.link(heap(4104), &heap(4400).to_le_bytes());
            let roots = remains.roots();
            remains.reach(roots);
            remains.follow();
            assert_eq!(remains.objects.iter().map(|o| o.is_reached).collect::<Vec<_>>(), [from_global; 2]);
        }
    }
}
