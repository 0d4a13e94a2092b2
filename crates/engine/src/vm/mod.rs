//! The VM: runs one thread of a program from one request to the next.
//!
//! It is a value and never calls the explorer: given a thread image and the answer to the image's request it
//! makes the image that waits for the next one. Nothing is ever re-run: an explorer keeps an image
//! for each event, and goes back by resuming an older one.
//!
//! I1: the request of an image depends on the image alone: `request` returns the same at any time.
//! I2: resuming depends on the image and the answer alone; other images are untouched.
//! I3: private memory (frames, thread-locals, private heap) and constant globals never make a request.
//!
//! It knows nothing about shared memory: whoever answers requests decides whether an address there is
//! allocated, initialised or a lock. It does not see a dangling pointer into a frame that a later call has
//! reused.

mod bulk;
mod constants;
mod deliver;
mod digits;
mod fault;
mod floats;
mod heap;
mod image;
mod inspect;
mod loops;
mod pairs;
mod perform;
mod private;
mod request;
mod resume;
mod run;
mod sync;
mod tracking;
mod values;

#[cfg(test)]
mod tests;

pub use bulk::bulk_steps;
pub use fault::{Cause, Fault};
pub(crate) use floats::read as read_float;
pub use image::{Arena, Snapshot};
pub use inspect::{Loops, Repetition};
pub use loops::pauses::SLICE;
pub use loops::rounds::Arrival;
pub use loops::unroll::Unroll;
pub use pairs::{pair_of, PairAccess, PairOperands, PAIR};
pub use request::{Answer, Request};
pub use tracking::Depends;
pub use values::apply_rmw;
pub(crate) use values::signed;

use crate::program::{Extent, Global, Instr, Program, LOOP_CONSTANT, LOOP_ENDLESS};
use constants::Constants;
use loops::unroll::Bounds;

/// Runs threads of one program.
pub struct Vm<'p> {
    program: &'p Program,
    bounds: Bounds,
    step_limit: u64,
    /// Steps after which a thread pauses, or is given up if that is the limit.
    slice: u64,
    constants: Constants<'p>,
    /// No thread was created yet: a bound cuts only loops that have no exit.
    pub in_prologue: bool,
    /// What threads depend on is tracked (`dependencies`).
    pub tracks: bool,
    /// Where globals lie, by address.
    globals: Vec<Extent>,
}

impl<'p> Vm<'p> {
    /// A VM for a program. A loop's back edge is passed as often as `unroll` allows, unless its number of
    /// iterations is constant. A thread that makes `step_limit` jumps, calls and returns without a request
    /// is in an endless loop; it pauses before that, after each `SLICE` of them.
    pub fn new(program: &'p Program, unroll: &Unroll, step_limit: u64) -> Self {
        let bounds = Bounds::new(program, unroll);
        let constants = Constants::new(program);
        let extent = |global: &Global| (global.address, global.address + u64::from(global.size));
        let globals = program.globals.iter().map(extent).collect();
        let step_limit = step_limit.max(1);
        let slice = step_limit.min(SLICE);
        Vm { program, bounds, step_limit, slice, constants, in_prologue: false, tracks: false, globals }
    }

    /// Whether a loop is cut when it passes the bound.
    #[cold]
    fn may_cut(&self, loop_: &Instr) -> bool {
        match loop_.x {
            LOOP_CONSTANT => false,
            LOOP_ENDLESS => true,
            _ => !self.in_prologue,
        }
    }
}
