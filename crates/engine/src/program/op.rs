//! The opcodes, modes and read-modify-write operations, with Python's numbers and names.

/// Defines an enum whose numbers count from 0, and whose variants have the names that Python knows.
macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident { $($(#[$note:meta])* $variant:ident = $python:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$note])* #[doc = concat!("`", $python, "`")] $variant,)*
        }

        impl $name {
            /// Every variant, by number.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];
            /// Every variant's Python name, by number.
            pub const NAMES: &'static [&'static str] = &[$($python,)*];

            /// The variant with a number.
            pub fn from_u8(number: u8) -> Option<$name> {
                Self::ALL.get(usize::from(number)).copied()
            }

            /// Its Python name.
            pub fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }
    };
}

pub(crate) use numbered;

numbered!(
    /// How strongly an access or fence orders.
    Mode {
        Na = "NA",
        Rlx = "RLX",
        Acq = "ACQ",
        Rel = "REL",
        AcqRel = "ACQ_REL",
        Sc = "SC",
    }
);

numbered!(
    /// What a read-modify-write stores, from the old value and its operand.
    RmwOp {
        Xchg = "XCHG",
        Add = "ADD",
        Sub = "SUB",
        And = "AND",
        Or = "OR",
        Xor = "XOR",
        Nand = "NAND",
        Max = "MAX",
        Min = "MIN",
        Umax = "UMAX",
        Umin = "UMIN",
        Fadd = "FADD",
        Fsub = "FSUB",
    }
);

numbered!(
    /// An instruction's kind; `docs/reference/bytecode.md` says what each does.
    Op {
        Mov = "MOV",
        Add = "ADD",
        Sub = "SUB",
        Mul = "MUL",
        Udiv = "UDIV",
        Sdiv = "SDIV",
        Urem = "UREM",
        Srem = "SREM",
        And = "AND",
        Or = "OR",
        Xor = "XOR",
        Shl = "SHL",
        Lshr = "LSHR",
        Ashr = "ASHR",
        Eq = "EQ",
        Ne = "NE",
        Ult = "ULT",
        Ule = "ULE",
        Slt = "SLT",
        Sle = "SLE",
        Trunc = "TRUNC",
        Sext = "SEXT",
        Select = "SELECT",
        Saddo = "SADDO",
        Uaddo = "UADDO",
        Ssubo = "SSUBO",
        Usubo = "USUBO",
        Smulo = "SMULO",
        Umulo = "UMULO",
        Ctpop = "CTPOP",
        Ctlz = "CTLZ",
        Cttz = "CTTZ",
        Bswap = "BSWAP",
        Bitrev = "BITREV",
        Abs = "ABS",
        Smax = "SMAX",
        Smin = "SMIN",
        Umax = "UMAX",
        Umin = "UMIN",
        Fshl = "FSHL",
        Fshr = "FSHR",
        Fadd = "FADD",
        Fsub = "FSUB",
        Fmul = "FMUL",
        Fdiv = "FDIV",
        Frem = "FREM",
        Fneg = "FNEG",
        Fcmp = "FCMP",
        Fptosi = "FPTOSI",
        Fptoui = "FPTOUI",
        Sitofp = "SITOFP",
        Uitofp = "UITOFP",
        Fpext = "FPEXT",
        Fptrunc = "FPTRUNC",
        Fabs = "FABS",
        Fsqrt = "FSQRT",
        Ffloor = "FFLOOR",
        Fceil = "FCEIL",
        Ftrunc = "FTRUNC",
        Fround = "FROUND",
        Jmp = "JMP",
        Br = "BR",
        Switch = "SWITCH",
        Loop = "LOOP",
        Call = "CALL",
        Calli = "CALLI",
        Ret = "RET",
        Unreachable = "UNREACHABLE",
        Load = "LOAD",
        Store = "STORE",
        Rmw = "RMW",
        Cas = "CAS",
        Fence = "FENCE",
        Frameaddr = "FRAMEADDR",
        Tlsaddr = "TLSADDR",
        Alloc = "ALLOC",
        Free = "FREE",
        Objsize = "OBJSIZE",
        Create = "CREATE",
        Join = "JOIN",
        SelfThread = "SELF",
        Exit = "EXIT",
        Lock = "LOCK",
        Trylock = "TRYLOCK",
        Unlock = "UNLOCK",
        MutexInit = "MUTEX_INIT",
        MutexDestroy = "MUTEX_DESTROY",
        Fail = "FAIL",
        Assume = "ASSUME",
        Print = "PRINT",
        Unknown = "UNKNOWN",
        Nop = "NOP",
        Refuse = "REFUSE",
        Fdigits = "FDIGITS",
        Step = "STEP",
        Unwind = "UNWIND",
        Fill = "FILL",
        Copy = "COPY",
    }
);

impl Op {
    /// Whether control never passes from it to the next instruction.
    pub fn is_terminator(self) -> bool {
        use Op::*;
        matches!(self, Jmp | Br | Switch | Ret | Unreachable | Exit | Fail | Unknown | Refuse)
    }

    /// Whether a value instruction has an operand `b`.
    pub fn takes_two(self) -> bool {
        use Op::*;
        let ranges = [Add..=Sle, Select..=Umulo, Smax..=Frem, Fcmp..=Fcmp, Fdigits..=Fdigits];
        ranges.iter().any(|range| range.contains(&self))
    }

    /// Whether a value instruction has an operand `c`.
    pub fn takes_three(self) -> bool {
        matches!(self, Op::Select | Op::Fshl | Op::Fshr)
    }
}
