//! Initial memory: globals as the program declares them, and what the prologue made of them.
//!
//! I1: it changes only while the prologue runs; afterwards it is the initial write of every location.
//! I2: the ranges of the writers are disjoint: each byte has the writer that wrote it last.

mod bulk;

use crate::ids::Stack;
use crate::program::{region, Extent, Owner, Program, Region, GLOBAL_BASE};
use std::collections::BTreeMap;

mod sparse;

pub use sparse::{SparseBytes, NEAR_BYTES};

/// An object that the prologue allocated.
#[derive(Clone, Debug)]
pub struct PrologueObject {
    /// Where it starts.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Who ends its life.
    pub owner: Owner,
    /// The prologue freed it.
    pub dead: bool,
    /// It started as zeros.
    pub zeroed: bool,
    /// The calls that led to its allocation.
    pub calls: Stack,
    bytes: Vec<u8>,
    written: Vec<bool>,
}

/// Who wrote some bytes of initial memory last: how many, function, pc.
pub type Writer = (u64, u32, u32);

/// Globals and the prologue's objects.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    globals: SparseBytes,
    extents: Vec<(u64, u64, bool)>,
    objects: Vec<PrologueObject>,
    /// What the prologue wrote, by address.
    pub writers: BTreeMap<u64, Writer>,
}

impl Memory {
    /// Memory before main starts.
    pub fn new(program: &Program) -> Memory {
        let mut memory = Memory::default();
        for global in &program.globals {
            let start = (global.address - GLOBAL_BASE) as usize;
            if start < NEAR_BYTES {
                memory.globals.reach(start + global.size as usize);
            }
            for piece in &global.pieces {
                memory.globals.write(start + piece.at as usize, &piece.bytes);
            }
            memory.extents.push((global.address, u64::from(global.size), global.constant));
        }
        memory
    }

    /// Whether the bytes lie in one global; if so, whether it is constant.
    pub fn global(&self, address: u64, size: u64) -> Option<bool> {
        let position = self.extents.partition_point(|extent| extent.0 <= address).checked_sub(1)?;
        let (base, length, constant) = self.extents[position];
        debug_assert!(address >= base);
        (address + size <= base + length).then_some(constant)
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        let objects: usize = self.objects.iter().map(|object| object.bytes.len() * 2).sum();
        self.globals.held() + objects + self.writers.len() * 2 * size_of::<(u64, Writer)>()
    }

    /// How many bytes the globals at small offsets span.
    pub fn near_span(&self) -> usize {
        self.globals.near()
    }

    /// The prologue's object around an address.
    pub fn object(&self, address: u64) -> Option<&PrologueObject> {
        let position = self.objects.partition_point(|object| object.base <= address).checked_sub(1)?;
        let object = &self.objects[position];
        (address < object.base + object.size.max(1)).then_some(object)
    }

    /// Where the prologue's last object lies that starts at or before an address.
    pub fn extent(&self, address: u64) -> Option<Extent> {
        let position = self.objects.partition_point(|object| object.base <= address).checked_sub(1)?;
        let object = &self.objects[position];
        Some((object.base, object.base + object.size))
    }

    fn object_mut(&mut self, address: u64) -> Option<&mut PrologueObject> {
        let position = self.objects.partition_point(|object| object.base <= address).checked_sub(1)?;
        Some(&mut self.objects[position])
    }

    /// All objects of the prologue, by address.
    pub fn objects(&self) -> &[PrologueObject] {
        &self.objects
    }

    /// Adds an object; the prologue's addresses only grow.
    pub fn allocate(&mut self, base: u64, size: u64, zeroed: bool, owner: Owner, calls: Stack) {
        let bytes = vec![0; size as usize];
        let written = vec![zeroed; size as usize];
        self.objects.push(PrologueObject { base, size, owner, dead: false, zeroed, calls, bytes, written });
    }

    /// Ends the lifetime of the object at an address.
    pub fn free(&mut self, address: u64) {
        if let Some(object) = self.object_mut(address) {
            object.dead = true;
        }
    }

    /// Whether the prologue wrote all these bytes of its object.
    pub fn is_written(&self, address: u64, size: u8) -> bool {
        self.object(address).is_some_and(|object| {
            let start = (address - object.base) as usize;
            object.written.get(start..start + usize::from(size)).is_some_and(|bytes| bytes.iter().all(|b| *b))
        })
    }

    /// The value of up to 8 bytes; zeros where there is no memory.
    pub fn read(&self, address: u64, size: u8) -> u64 {
        let size = usize::from(size);
        let mut value = [0u8; 8];
        if region(address) == Region::GLOBAL {
            self.globals.read((address - GLOBAL_BASE) as usize, &mut value[..size]);
        } else if let Some(object) = self.object(address) {
            let start = (address - object.base) as usize;
            if let Some(bytes) = object.bytes.get(start..start + size) {
                value[..size].copy_from_slice(bytes);
            }
        }
        u64::from_le_bytes(value)
    }

    /// Writes up to 8 bytes; the caller has checked that they exist.
    pub fn write(&mut self, address: u64, size: u8, value: u64, function: u32, pc: u32) {
        self.note_writer(address, u64::from(size), (function, pc));
        self.store(address, size, value);
    }

    fn store(&mut self, address: u64, size: u8, value: u64) {
        let length = usize::from(size);
        let bytes = value.to_le_bytes();
        if region(address) == Region::GLOBAL {
            self.globals.write((address - GLOBAL_BASE) as usize, &bytes[..length]);
        } else if let Some(object) = self.object_mut(address) {
            let start = (address - object.base) as usize;
            object.bytes[start..start + length].copy_from_slice(&bytes[..length]);
            object.written[start..start + length].fill(true);
        }
    }
}
