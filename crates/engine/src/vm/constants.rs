//! Constant globals, whose loads need no request.
//!
//! Variables and constants lie side by side, and every load of a global must tell them apart. So a
//! bit map shows which granules of memory contain a byte of a constant; only a load there searches.

use crate::program::{Global, Program};

/// The most granules of a map: 128 KiB of bits.
const MOST_GRANULES: u64 = 1 << 20;

/// The constant globals, by address.
pub(super) struct Constants<'p> {
    globals: Vec<&'p Global>,
    first: u64,
    granule_shift: u32,
    granules: Vec<u64>,
}

impl<'p> Constants<'p> {
    /// The constant globals of a program.
    pub(super) fn new(program: &'p Program) -> Self {
        let globals = program.globals.iter().filter(|g| g.constant && g.size > 0);
        let globals: Vec<_> = globals.collect();
        let first = globals.first().map_or(0, |g| g.address);
        let end = globals.last().map_or(0, |g| g.address + u64::from(g.size));
        let mut granule_shift = 3;
        while (end - first) >> granule_shift >= MOST_GRANULES {
            granule_shift += 1;
        }
        let words = ((end - first) >> granule_shift) as usize / 64 + 1;
        let granules = if globals.is_empty() { Vec::new() } else { vec![0; words] };
        let mut constants = Constants { globals: Vec::new(), first, granule_shift, granules };
        globals.iter().for_each(|global| constants.mark(global));
        constants.globals = globals;
        constants
    }

    fn mark(&mut self, global: &Global) {
        let from = self.granule(global.address);
        let last = self.granule(global.address + u64::from(global.size) - 1);
        for granule in from..=last {
            self.granules[granule / 64] |= 1 << (granule % 64);
        }
    }

    #[inline(always)]
    fn granule(&self, address: u64) -> usize {
        (address.wrapping_sub(self.first) >> self.granule_shift) as usize
    }

    /// Whether an address is worth a `read`.
    #[inline(always)]
    pub(super) fn may_hold(&self, address: u64) -> bool {
        let granule = self.granule(address);
        let bits = self.granules.get(granule / 64);
        bits.is_some_and(|bits| bits >> (granule % 64) & 1 != 0)
    }

    /// The value of `size` bytes, if they lie in one constant global.
    pub(super) fn read(&self, address: u64, size: u8) -> Option<u64> {
        let after = self.globals.partition_point(|g| g.address <= address);
        self.globals[..after].last()?.initial(address, size)
    }

    /// The bytes themselves, if they lie in one constant global.
    pub(super) fn bytes(&self, address: u64, size: usize) -> Option<Vec<u8>> {
        let after = self.globals.partition_point(|g| g.address <= address);
        let global = self.globals[..after].last()?;
        if address.saturating_add(size as u64) > global.address + u64::from(global.size) {
            return None;
        }
        let mut bytes = vec![0; size];
        for (at, part) in (address..).step_by(8).zip(bytes.chunks_mut(8)) {
            let value = global.initial(at, part.len() as u8)?.to_le_bytes();
            part.copy_from_slice(&value[..part.len()]);
        }
        Some(bytes)
    }
}
