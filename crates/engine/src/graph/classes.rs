//! Event classes: everything about an event that a plan's guards may ask, as one small number.
//!
//! The numbers are a contract with `mazurka/kat/meaning/plan.py` (CLASSES), which a test compares.
//! I1: reads come first, by mode and then by kind; then writes, likewise; then fences, by mode. Classes are computed
//! from this order, and the test below compares the computed classes with their names. Modes that C does not have
//! come last in each group, and there are only those of their classes that instructions can make.

use super::event::{Event, COMPOUND, EXCLUSIVE};
use super::payload::Label;
use crate::numbered::numbered;
use crate::program::Mode;

numbered!(
    /// What a guard may ask about an event: what it is, its mode, and its part in a read-modify-write.
    EventClass {
        ReadNaLoad = "R.na.load",
        ReadNaRmw = "R.na.rmw",
        ReadNaFailed = "R.na.failed",
        ReadRlxLoad = "R.rlx.load",
        ReadRlxRmw = "R.rlx.rmw",
        ReadRlxFailed = "R.rlx.failed",
        ReadAcqLoad = "R.acq.load",
        ReadAcqRmw = "R.acq.rmw",
        ReadAcqFailed = "R.acq.failed",
        ReadScLoad = "R.sc.load",
        ReadScRmw = "R.sc.rmw",
        ReadScFailed = "R.sc.failed",
        ReadPcLoad = "R.pc.load",
        ReadRlLoad = "R.rl.load",
        ReadRlRmw = "R.rl.rmw",
        ReadAqrlLoad = "R.aqrl.load",
        ReadAqrlRmw = "R.aqrl.rmw",
        ReadNoretRmw = "R.noret.rmw",
        ReadSuccessLoad = "R.success.load",
        ReadLockRmw = "R.lock.rmw",
        WriteNaStore = "W.na.store",
        WriteNaRmw = "W.na.rmw",
        WriteRlxStore = "W.rlx.store",
        WriteRlxRmw = "W.rlx.rmw",
        WriteRelStore = "W.rel.store",
        WriteRelRmw = "W.rel.rmw",
        WriteScStore = "W.sc.store",
        WriteScRmw = "W.sc.rmw",
        WriteAqStore = "W.aq.store",
        WriteAqRmw = "W.aq.rmw",
        WriteAqrlStore = "W.aqrl.store",
        WriteAqrlRmw = "W.aqrl.rmw",
        WriteLockRmw = "W.lock.rmw",
        WriteUnlockStore = "W.unlock.store",
        FenceRlx = "F.rlx",
        FenceAcq = "F.acq",
        FenceRel = "F.rel",
        FenceAcqRel = "F.acqrel",
        FenceSc = "F.sc",
        FenceRR = "F.r-r",
        FenceRW = "F.r-w",
        FenceWR = "F.w-r",
        FenceWW = "F.w-w",
        FenceWRw = "F.w-rw",
        FenceRwR = "F.rw-r",
        FenceInstr = "F.i",
        FenceBeforeAtomic = "F.before-atomic",
        FenceAfterAtomic = "F.after-atomic",
        FenceAfterSpinlock = "F.after-spinlock",
        FenceAfterUnlockLock = "F.after-unlock-lock",
        FenceRcuLock = "F.rcu-lock",
        FenceRcuUnlock = "F.rcu-unlock",
        FenceRcuSync = "F.rcu-sync",
        FenceSrcuLock = "F.srcu-lock",
        FenceSrcuUnlock = "F.srcu-unlock",
        FenceSrcuSync = "F.srcu-sync",
        Alloc = "ALLOC",
        Free = "FREE",
        Create = "CREATE",
        Join = "JOIN",
        Barrier = "BARRIER",
        Choose = "CHOOSE",
        Init = "INIT",
    }
);

/// The class of initial writes, which are not events.
pub const INITIAL: u8 = EventClass::Init as u8;
const WRITES: u8 = EventClass::WriteNaStore as u8;
const FENCES: u8 = EventClass::FenceRlx as u8;

impl EventClass {
    /// The number of classes.
    pub const COUNT: u32 = EventClass::ALL.len() as u32;
    /// The set of all classes, as a mask.
    pub const EVERY: u64 = (1 << EventClass::COUNT) - 1;
    /// The set of reads.
    pub const READS: u64 = (1 << WRITES) - 1;
    /// The set of writes, without initial ones.
    pub const WRITES: u64 = (1 << FENCES) - (1 << WRITES);
    /// The set of all classes except initial writes.
    pub const EVENTS: u64 = (1 << INITIAL) - 1;
}

impl Event {
    /// The class that follows from the event's label, mode and flags.
    #[inline]
    pub fn classify(&self) -> u8 {
        match self.label() {
            Label::Read => read_class(self.mode, self.flags),
            Label::Write => write_class(self.mode, self.flags),
            Label::Fence => fence_class(self.mode),
            Label::Alloc => EventClass::Alloc as u8,
            Label::Free => EventClass::Free as u8,
            Label::Create => EventClass::Create as u8,
            Label::Join => EventClass::Join as u8,
            Label::Arrive | Label::Depart => EventClass::Barrier as u8,
            Label::Choose => EventClass::Choose as u8,
        }
    }
}

/// The class of a read with a mode and flags.
#[inline]
pub fn read_class(mode: Mode, flags: u8) -> u8 {
    let mode = match mode {
        Mode::Na => 0,
        Mode::Rlx | Mode::Rel => 1,
        Mode::Acq | Mode::AcqRel => 2,
        Mode::Sc => 3,
        _ => return machine_read_class(mode, flags),
    };
    let kind = match (flags & COMPOUND != 0, flags & EXCLUSIVE != 0) {
        (false, _) => 0,
        (true, true) => 1,
        (true, false) => 2,
    };
    mode * 3 + kind
}

/// The same for a mode that only machines have.
#[cold]
fn machine_read_class(mode: Mode, flags: u8) -> u8 {
    let load = flags & COMPOUND == 0;
    let class = match mode.read_half() {
        Mode::AcqPc if load => EventClass::ReadPcLoad,
        Mode::Rl if load => EventClass::ReadRlLoad,
        Mode::Rl => EventClass::ReadRlRmw,
        Mode::Aqrl if load => EventClass::ReadAqrlLoad,
        Mode::Aqrl => EventClass::ReadAqrlRmw,
        Mode::Noret => EventClass::ReadNoretRmw,
        Mode::Success if load => EventClass::ReadSuccessLoad,
        Mode::Lock if !load => EventClass::ReadLockRmw,
        Mode::AcqPc | Mode::Success | Mode::Lock => return read_class(Mode::Acq, flags),
        half => return read_class(half, flags),
    };
    class as u8
}

#[inline]
fn write_class(mode: Mode, flags: u8) -> u8 {
    let mode = match mode {
        Mode::Na => 0,
        Mode::Rlx | Mode::Acq => 1,
        Mode::Rel | Mode::AcqRel => 2,
        Mode::Sc => 3,
        _ => return machine_write_class(mode, flags),
    };
    WRITES + mode * 2 + u8::from(flags & EXCLUSIVE != 0)
}

/// The same for a mode that only machines have.
#[cold]
fn machine_write_class(mode: Mode, flags: u8) -> u8 {
    let exclusive = flags & EXCLUSIVE != 0;
    let class = match mode.write_half() {
        Mode::Aq if exclusive => EventClass::WriteAqRmw,
        Mode::Aq => EventClass::WriteAqStore,
        Mode::Aqrl if exclusive => EventClass::WriteAqrlRmw,
        Mode::Aqrl => EventClass::WriteAqrlStore,
        Mode::Lock if exclusive => EventClass::WriteLockRmw,
        Mode::Unlock if !exclusive => EventClass::WriteUnlockStore,
        Mode::Lock | Mode::Unlock => return write_class(Mode::Rel, flags),
        half => return write_class(half, flags),
    };
    class as u8
}

#[inline]
fn fence_class(mode: Mode) -> u8 {
    let mode = match mode {
        Mode::Acq => 1,
        Mode::Rel => 2,
        Mode::AcqRel => 3,
        Mode::Sc => 4,
        mode if mode.is_of_fences() => 5 + mode as u8 - Mode::RR as u8,
        _ => 0,
    };
    FENCES + mode
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The class whose name has these parts.
    fn named(kind: &str, mode: &str, rest: &str) -> u8 {
        let name = format!("{kind}.{mode}{rest}");
        let class = EventClass::NAMES.iter().position(|known| *known == name);
        class.unwrap_or_else(|| panic!("there is no class {name}")) as u8
    }

    /// Each mode of C with its name in the class of a read, a write and a fence.
    const MODES: [(Mode, &str, &str, &str); 6] = [
        (Mode::Na, "na", "na", "rlx"),
        (Mode::Rlx, "rlx", "rlx", "rlx"),
        (Mode::Acq, "acq", "rlx", "acq"),
        (Mode::Rel, "rlx", "rel", "rel"),
        (Mode::AcqRel, "acq", "rel", "acqrel"),
        (Mode::Sc, "sc", "sc", "sc"),
    ];

    #[test]
    fn computed_classes_have_the_right_names() {
        assert_eq!(MODES.map(|row| row.0), Mode::ALL[..6]);
        for (mode, read, write, fence) in MODES {
            for (flags, kind) in [(0, ".load"), (COMPOUND | EXCLUSIVE, ".rmw"), (COMPOUND, ".failed")] {
                assert_eq!(read_class(mode, flags), named("R", read, kind));
            }
            for (flags, kind) in [(0, ".store"), (EXCLUSIVE, ".rmw")] {
                assert_eq!(write_class(mode, flags), named("W", write, kind));
            }
            assert_eq!(fence_class(mode), named("F", fence, ""));
        }
    }

    /// Each mode of machines with its names in the classes of a load, a store, the halves of a read-modify-write, and
    /// a fence; empty if no instruction of that mode makes such an event.
    const OF_MACHINES: [(Mode, [&str; 5]); 30] = [
        (Mode::AcqPc, ["pc", "", "", "", ""]),
        (Mode::Aq, ["acq", "aq", "acq", "aq", ""]),
        (Mode::Rl, ["rl", "rel", "rl", "rel", ""]),
        (Mode::Aqrl, ["aqrl", "aqrl", "aqrl", "aqrl", ""]),
        (Mode::AqrlRlx, ["", "", "aqrl", "rlx", ""]),
        (Mode::AqrlRel, ["", "", "aqrl", "rel", ""]),
        (Mode::RlxAqrl, ["", "", "rlx", "aqrl", ""]),
        (Mode::AcqAqrl, ["", "", "acq", "aqrl", ""]),
        (Mode::Noret, ["", "", "noret", "rlx", ""]),
        (Mode::NoretRel, ["", "", "noret", "rel", ""]),
        (Mode::Success, ["success", "", "", "", ""]),
        (Mode::Lock, ["", "", "lock", "lock", ""]),
        (Mode::Unlock, ["", "unlock", "", "", ""]),
        (Mode::RR, ["", "", "", "", "r-r"]),
        (Mode::RW, ["", "", "", "", "r-w"]),
        (Mode::WR, ["", "", "", "", "w-r"]),
        (Mode::WW, ["", "", "", "", "w-w"]),
        (Mode::WRw, ["", "", "", "", "w-rw"]),
        (Mode::RwR, ["", "", "", "", "rw-r"]),
        (Mode::Instr, ["", "", "", "", "i"]),
        (Mode::BeforeAtomic, ["", "", "", "", "before-atomic"]),
        (Mode::AfterAtomic, ["", "", "", "", "after-atomic"]),
        (Mode::AfterSpinlock, ["", "", "", "", "after-spinlock"]),
        (Mode::AfterUnlockLock, ["", "", "", "", "after-unlock-lock"]),
        (Mode::RcuLock, ["", "", "", "", "rcu-lock"]),
        (Mode::RcuUnlock, ["", "", "", "", "rcu-unlock"]),
        (Mode::RcuSync, ["", "", "", "", "rcu-sync"]),
        (Mode::SrcuLock, ["", "", "", "", "srcu-lock"]),
        (Mode::SrcuUnlock, ["", "", "", "", "srcu-unlock"]),
        (Mode::SrcuSync, ["", "", "", "", "srcu-sync"]),
    ];

    #[test]
    fn classes_of_machines_have_the_right_names() {
        assert_eq!(OF_MACHINES.map(|row| row.0), Mode::ALL[6..]);
        for (mode, [load, store, read, write, fence]) in OF_MACHINES {
            let computed = [
                (load, "R", ".load", read_class(mode, 0)),
                (store, "W", ".store", write_class(mode, 0)),
                (read, "R", ".rmw", read_class(mode, COMPOUND | EXCLUSIVE)),
                (write, "W", ".rmw", write_class(mode, EXCLUSIVE)),
                (fence, "F", "", fence_class(mode)),
            ];
            for (name, kind, rest, class) in computed {
                assert!(name.is_empty() || class == named(kind, name, rest), "{mode:?} {kind}{rest}");
            }
            assert_eq!(mode.is_of_fences(), !fence.is_empty());
        }
    }

    #[test]
    fn sets_of_classes_are_those_of_the_names() {
        let with = |first: &str| {
            let all = EventClass::ALL.iter().filter(|class| class.name().starts_with(first));
            all.fold(0, |mask, class| mask | 1u64 << *class as u8)
        };
        assert_eq!(EventClass::READS, with("R."));
        assert_eq!(EventClass::WRITES, with("W."));
        assert_eq!(EventClass::EVENTS, with("") & !with("INIT"));
        assert_eq!(EventClass::EVERY, with(""));
    }
}
