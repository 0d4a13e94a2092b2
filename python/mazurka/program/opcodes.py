"""The words of the bytecode, each stated once: opcodes with their rows, modes, operations and flags.

``instructions`` reads the rows. The engine's enums and its table are made from this file when it is built
(``crates/engine/build.rs``), so it stays plain: one member per line, numbers that count from 0. The page
``docs/reference/bytecode.md`` says what each instruction means, and a test compares its fields with these.

A row is ``shape; properties; events``; parts at its end may be left out.

The shape is ``results = fields``. Results are registers: ``dst``, ``dst dst+1``, ``dst dst+1 dst+2``, or
``dst...`` for as many as the field ``x`` says. Fields are those of ``a b c`` that are in use: a letter alone
is an operand (a register or a constant), one with a kind is something else (``Field``). ``dst`` among the
fields is read, too.

The properties say where control goes (``Flow``; without one, to the next instruction), what the instruction
does besides computing its results (``Effect``; without one, anything), that it is ``pure`` (it has no effect,
and may be left out if its results are not used), or that it is an ``access`` of the memory at ``a``.

The events are the classes of those that it can make; ``mode`` and ``x`` stand for the mode in that field,
``c`` for what the operation there makes (``sync``).

I1: opcodes are numbered in the order in which they were added; a new one comes last.
"""

from __future__ import annotations

from enum import IntEnum


class Mode(IntEnum):
    """How strongly an access or fence orders. C has the first six; the others are of machines and the kernel.

    Of the others, those of fences say what they order before what: ``R_W`` reads before writes.
    """

    NA = 0
    RLX = 1
    ACQ = 2
    REL = 3
    ACQ_REL = 4
    SC = 5
    # accesses
    ACQ_PC = 6  # AArch64's acquirePC: not ordered after earlier releases
    AQ = 7  # RISC-V's .aq of a store, or of both halves of a read-modify-write
    RL = 8  # RISC-V's .rl of a load, or of both halves
    AQRL = 9  # both bits, of both halves
    AQRL_RLX = 10  # lr.aqrl and sc
    AQRL_REL = 11  # lr.aqrl and sc.rl
    RLX_AQRL = 12  # lr and sc.aqrl
    ACQ_AQRL = 13  # lr.aq and sc.aqrl
    NORET = 14  # a read-modify-write that gives no register what it reads
    NORET_REL = 15  # one whose write releases
    SUCCESS = 16  # a read that stands for what RISC-V's store conditional before it returns
    LOCK = 17  # the kernel's: both halves of taking a lock
    UNLOCK = 18
    # fences
    R_R = 19
    R_W = 20
    W_R = 21
    W_W = 22
    W_RW = 23
    RW_R = 24
    INSTR = 25  # isb, isync: what follows is fetched afterwards
    BEFORE_ATOMIC = 26  # the kernel's: full fences beside certain operations
    AFTER_ATOMIC = 27
    AFTER_SPINLOCK = 28
    AFTER_UNLOCK_LOCK = 29
    RCU_LOCK = 30  # begins and ends a critical section of RCU
    RCU_UNLOCK = 31
    RCU_SYNC = 32  # waits for a grace period
    SRCU_LOCK = 33  # the same for SRCU, of one domain
    SRCU_UNLOCK = 34
    SRCU_SYNC = 35


class RmwOp(IntEnum):
    """What a read-modify-write stores, from the old value and its operand."""

    XCHG = 0
    ADD = 1
    SUB = 2
    AND = 3
    OR = 4
    XOR = 5
    NAND = 6
    MAX = 7
    MIN = 8
    UMAX = 9
    UMIN = 10
    FADD = 11
    FSUB = 12


class Op(IntEnum):
    """The opcodes, each with its row."""

    row: str

    def __new__(cls, number: int, row: str = "") -> Op:
        op = int.__new__(cls, number)
        op._value_ = number
        op.row = row
        return op

    # values: dst, a, b (width)
    MOV = 0, "dst = a; pure"
    ADD = 1, "dst = a b; pure"
    SUB = 2, "dst = a b; pure"
    MUL = 3, "dst = a b; pure"
    UDIV = 4, "dst = a b; fails"
    SDIV = 5, "dst = a b; fails"
    UREM = 6, "dst = a b; fails"
    SREM = 7, "dst = a b; fails"
    AND = 8, "dst = a b; pure"
    OR = 9, "dst = a b; pure"
    XOR = 10, "dst = a b; pure"
    SHL = 11, "dst = a b; pure"
    LSHR = 12, "dst = a b; pure"
    ASHR = 13, "dst = a b; pure"
    EQ = 14, "dst = a b; pure"
    NE = 15, "dst = a b; pure"
    ULT = 16, "dst = a b; pure"
    ULE = 17, "dst = a b; pure"
    SLT = 18, "dst = a b; pure"
    SLE = 19, "dst = a b; pure"
    TRUNC = 20, "dst = a; pure"  # keeps width bits
    SEXT = 21, "dst = a; pure"  # from width bits to x bits
    SELECT = 22, "dst = a b c; pure"  # a ? b : c
    SADDO = 23, "dst dst+1 = a b; pure"  # the result, and whether it overflowed
    UADDO = 24, "dst dst+1 = a b; pure"
    SSUBO = 25, "dst dst+1 = a b; pure"
    USUBO = 26, "dst dst+1 = a b; pure"
    SMULO = 27, "dst dst+1 = a b; pure"
    UMULO = 28, "dst dst+1 = a b; pure"
    CTPOP = 29, "dst = a; pure"
    CTLZ = 30, "dst = a; pure"
    CTTZ = 31, "dst = a; pure"
    BSWAP = 32, "dst = a; pure"
    BITREV = 33, "dst = a; pure"
    ABS = 34, "dst = a; pure"
    SMAX = 35, "dst = a b; pure"
    SMIN = 36, "dst = a b; pure"
    UMAX = 37, "dst = a b; pure"
    UMIN = 38, "dst = a b; pure"
    FSHL = 39, "dst = a b c; pure"  # a and b as one number, by c
    FSHR = 40, "dst = a b c; pure"
    # floating point, width 32 or 64, values as bit patterns
    FADD = 41, "dst = a b; pure"
    FSUB = 42, "dst = a b; pure"
    FMUL = 43, "dst = a b; pure"
    FDIV = 44, "dst = a b; pure"
    FREM = 45, "dst = a b; pure"
    FNEG = 46, "dst = a; pure"
    FCMP = 47, "dst = a b; pure"  # x: LLVM's number of the predicate, 0 to 15
    FPTOSI = 48, "dst = a; pure"  # width: of the float, x: of the integer
    FPTOUI = 49, "dst = a; pure"
    SITOFP = 50, "dst = a; pure"  # the same
    UITOFP = 51, "dst = a; pure"
    FPEXT = 52, "dst = a; pure"  # 32 to 64
    FPTRUNC = 53, "dst = a; pure"  # 64 to 32
    FABS = 54, "dst = a; pure"
    FSQRT = 55, "dst = a; pure"
    FFLOOR = 56, "dst = a; pure"
    FCEIL = 57, "dst = a; pure"
    FTRUNC = 58, "dst = a; pure"
    FROUND = 59, "dst = a; pure"
    # control
    JMP = 60, "a:target; quiet jumps"
    BR = 61, "a b:target c:target; quiet jumps"  # condition, target if it is not zero, target if it is zero
    SWITCH = 62, "a c:switch; quiet jumps"
    LOOP = 63, "dst = dst a:loop b:number; quiet"  # counts the rounds; on every back edge; x: Rounds
    CALL = 64, "dst... = a:function c:list"  # x: the number of results
    CALLI = 65, "dst... = a c:list"  # a: the function's address
    RET = 66, "c:list; returns"
    UNREACHABLE = 67, "; nowhere"
    # memory
    LOAD = 68, "dst = a; reads access; R.mode.load"  # address; x: MOVED if the value is only moved
    STORE = 69, "a b c:number; access; W.mode.store"  # address, value; c: of which loop the first write
    RMW = 70, "dst = a b c:number; access; R.mode.rmw W.mode.rmw"  # old value = address, operand; x: RmwOp
    CAS = 71, "dst dst+1 = a b c; access; R.mode.rmw W.mode.rmw R.x.failed"  # x: mode on failure
    FENCE = 72, "; orders; F.mode"
    FRAMEADDR = 73, "dst = a:number b:number; pure"  # where the object starts in the frame, byte in it
    TLSADDR = 74, "dst = a:number; pure"  # offset in PRIVATE
    ALLOC = 75, "dst = a b; ; ALLOC"  # size, alignment; x: AllocFlag
    FREE = 76, "a; ; FREE"  # address; x: AllocFlag of who ends it
    OBJSIZE = 77, "dst = a; reads"  # of the heap object at an address
    # threads
    CREATE = 78, "dst = a b; ; CREATE"  # a thread = address of its function, argument
    JOIN = 79, "dst = a; ; JOIN"  # what it returned = a thread
    SELF = 80, "dst =; quiet"
    EXIT = 81, "a; stops"  # what it returns; x = 1: ends the whole program
    SYNC = 82, "dst... = a b c:operation; access; c"  # result, if x = 1 = address of the object, operand
    # verification
    FAIL = 83, "a:string b:string; stops"  # kind, message
    ASSUME = 84, "a; blocks"  # zero blocks the thread
    PRINT = 85, "a:string c:list"  # source of the format; address of the format, arguments
    UNKNOWN = 86, "a:string; stops"  # reached a function that is not known
    NOP = 87, "; quiet"
    REFUSE = 88, "a:string; stops"  # reached a construct that is not supported
    # values again
    FDIGITS = 89, "dst = a b; pure"  # characters of a double = its bits, precision; x: form
    # memory, again
    STEP = 90, "dst = a b c:number; pure"  # address, bytes, how many bytes on the object surely has
    UNWIND = 91, "dst =; reads"  # the newest shared local that lives, else 0
    FILL = 92, "dst = a b c"  # whether it was done = address, byte, how many
    COPY = 93, "dst = a b c"  # the same = address, source, how many; x: OVERLAPPING
    # control, again
    SPIN = 94, "a:loop b:target; stops"  # a round of a loop, from b, has changed nothing: the thread waits
    ROUND = 95, "dst = dst a b:loop c:list; quiet"  # what it remembers = rounds made; live registers
    # verification, again
    ANNOTATE = 96, "a:number; quiet"  # Annotation of the access that follows
    # memory, once more
    BEGIN = 97, "; ; R.sc.load"  # what follows, up to the END, happens at once
    END = 98, "; ; W.sc.store"
    # memory: 16 bytes at once, in two registers, the lower half first
    LOAD_PAIR = 99, "dst dst+1 = a; reads access; R.mode.load"
    STORE_PAIR = 100, "a b c; access; W.mode.store"
    RMW_PAIR = 101, "dst dst+1 = a b c; access; R.mode.rmw W.mode.rmw"  # x: RmwOp of integers
    CAS_PAIR = 102, "dst dst+1 dst+2 = a c:list; access; R.mode.rmw W.mode.rmw R.x.failed"  # expected, new
    # values that the program leaves open
    CHOOSE = 103, "dst = a b; ; CHOOSE"  # one of a, a + 1, …, b
    # what C leaves undefined
    CHECK = 104, "a b; fails"  # x: Check, what must hold of a and b, or it is a finding
    # fences, again
    FENCE_AT = 105, "a; orders; F.mode"  # of SRCU: the bytes of the domain that it is about


class Annotation(IntEnum):
    """What a program says about the access after an ANNOTATE."""

    FINAL_WRITE = 0  # all other writes of the location happen before it
    LOCAL_WRITE = 1  # other threads read it only if it happens before they do
    HELPED_CAS = 2  # if it fails, another helped or a helping one has done the same
    HELPING_CAS = 3  # does what a helped one does
    CONFIRMING_CAS = 4  # expects what its thread read there last


class Check(IntEnum):
    """What a CHECK asks (``x``) of its operands."""

    WRITTEN = 0  # a is not zero: the local variable has a value
    INDEX = 1  # a is an index of an array of b elements
    SHIFT = 2  # b is less than the width
    ADD = 3  # the sum of a and b, as signed numbers, fits in the width
    SUB = 4
    MUL = 5
    DIV = 6
    SHL = 7  # a is not negative, and a shifted by b to the left fits in the width, with a sign
    SIGNED = 8  # a is a float, without its fraction a signed number of b bits
    UNSIGNED = 9  # the same without a sign


class AllocFlag(IntEnum):
    """Bits in ``x`` of ALLOC and FREE."""

    PRIVATE = 1  # escape analysis proved that no other thread sees it
    ZERO = 2
    STACK = 4  # a local variable, which its function ends; free() must not
    NEW = 8  # C++: allocated by new, which delete must end; without one of these, malloc and free
    ARRAY = 16  # C++: the same for new[] and delete[]


OWNER = AllocFlag.STACK | AllocFlag.NEW | AllocFlag.ARRAY  # the bits that say who ends an object's life


class Rounds(IntEnum):
    """What is known about a loop's iterations (``x`` of LOOP): whether a bound cuts it."""

    ANY = 0  # cut beyond the bound, except before the first thread is created
    CONSTANT = 1  # the same in every execution: never cut
    ENDLESS = 2  # no exit: cut beyond the bound everywhere


OVERLAPPING = 1  # x of a COPY whose source and target may have bytes in common
SIGNED = 1  # x of a CHOOSE, a bit: reports show its values with a sign
OPEN = 2  # x of a CHOOSE, a bit: the program leaves the value open, and names no range
MOVED = 1  # x of a LOAD that belongs to a copy or a bit-field store: indeterminate bytes are not a finding
