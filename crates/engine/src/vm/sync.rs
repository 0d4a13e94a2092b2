//! Synchronisation objects that only one thread sees: handled here, because no other thread can change their
//! word.

use super::fault::Fault;
use super::image::thread;
use super::private::{is_private, is_written, read, resolve, store, Place};
use super::request::Request;
use super::Vm;
use crate::program::{Effect, Inputs, Instr, Operation};

impl Vm<'_> {
    /// The operation of a SYNC.
    fn operation(&self, i: &Instr) -> &Operation {
        &self.program.operations[i.c as usize]
    }

    /// Does a SYNC on a private object; false if it is not private, or if the thread cannot go on.
    pub(super) fn synchronise(&self, image: &mut [u64], i: &Instr) -> bool {
        let address = self.operand(image, i.a);
        if !is_private(address) {
            return false;
        }
        let operation = self.operation(i);
        let Some(place) = self.word(image, operation, address) else { return false };
        let result = match self.effect_at(image, i, place) {
            Effect::Write { value, result } => {
                store(image, place, operation.size, value);
                result
            }
            Effect::Stay(result) => result,
            Effect::Wait | Effect::Misuse(_) | Effect::Meet(_) => return false,
        };
        match operation.has_result {
            true => self.finish(image, i.dst, result),
            false => self.advance(image),
        }
    }

    /// The request of a thread that rests at a SYNC. If it waits for an object that no other thread sees, it
    /// is blocked for good.
    pub(super) fn sync_request(&self, image: &[u64], i: &Instr) -> Request {
        let address = self.operand(image, i.a);
        if !is_private(address) {
            return Request::Sync { address, operand: self.operand(image, i.b), operation: i.c };
        }
        let operation = self.operation(i);
        let Some(at) = self.word(image, operation, address) else {
            return Request::Fault(self.private_fault(image, address, operation.size));
        };
        match self.effect_at(image, i, at) {
            Effect::Misuse(message) => Request::Fault(Fault::Fail { kind: operation.kind, message }),
            _ => Request::Blocked,
        }
    }

    /// Where the word of a private object is, if the operation may access it.
    fn word(&self, image: &[u64], operation: &Operation, address: u64) -> Option<Place> {
        let size = usize::from(operation.size);
        let place = resolve(self.program, image, address, size)?;
        (operation.reads.is_none() || is_written(image, place, size)).then_some(place)
    }

    fn effect_at(&self, image: &[u64], i: &Instr, place: Place) -> Effect {
        let operation = self.operation(i);
        let old = read(image, place.at, operation.size);
        operation.effect_alone(&Inputs::new(old, thread(image), self.operand(image, i.b)))
    }
}
