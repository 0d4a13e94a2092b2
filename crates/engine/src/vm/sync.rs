//! Synchronisation objects that only one thread sees: handled here, because no other thread can change their
//! word.

use super::fault::Fault;
use super::image::thread;
use super::private::{is_private, read, resolve, write};
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
        let Some(at) = resolve(self.program, image, address, usize::from(operation.size)) else {
            return false;
        };
        let result = match self.effect_at(image, i, at) {
            Effect::Write { value, result } => {
                write(image, at, operation.size, value);
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
        let Some(at) = resolve(self.program, image, address, usize::from(operation.size)) else {
            return Request::Fault(self.private_fault(image, address, operation.size));
        };
        match self.effect_at(image, i, at) {
            Effect::Misuse(message) => Request::Fault(Fault::Fail { kind: operation.kind, message }),
            _ => Request::Blocked,
        }
    }

    fn effect_at(&self, image: &[u64], i: &Instr, at: usize) -> Effect {
        let operation = self.operation(i);
        let old = read(image, at, operation.size);
        operation.effect_alone(&Inputs::new(old, thread(image), self.operand(image, i.b)))
    }
}
