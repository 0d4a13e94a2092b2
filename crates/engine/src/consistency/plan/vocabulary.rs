//! The vocabularies of a Plan: relations, matrix instructions, checks, verdicts and lifetimes, with Python's names.
//!
//! `mazurka/kat/meaning/plan.py` has the same tables, `docs/reference/plan.md` describes them, and
//! `tests/quality/test_vocabularies.py` compares all three.

use crate::numbered::numbered;

numbered!(
    /// A relation that tables name, except views.
    RelationName {
        Po = "PO",
        PoImm = "PO_IMM",
        PoLoc = "PO_LOC",
        Rf = "RF",
        Rfe = "RFE",
        Rfi = "RFI",
        Co = "CO",
        Coe = "COE",
        Coi = "COI",
        Fr = "FR",
        Fre = "FRE",
        Fri = "FRI",
        Rmw = "RMW",
        SameThread = "SAME_THREAD",
        LocOverlap = "LOC_OVERLAP",
        Tc = "TC",
        Tj = "TJ",
        Any = "ANY",
        Alloc = "ALLOC",
        Free = "FREE",
        PoImmLoc = "PO_IMM_LOC",
        PoImmElsewhere = "PO_IMM_ELSEWHERE",
        Addr = "ADDR",
        Data = "DATA",
        Ctrl = "CTRL",
        Si = "SI",
        SameDomain = "SAME_DOMAIN",
    }
);

/// The number of the first view among the relations, and that of the first view's pairs of one location.
pub const FIRST_VIEWS: [u32; 2] = [64, 4096];

numbered!(
    /// An instruction of a matrix program.
    MatrixWord {
        Relation = "RELATION",
        Test = "TEST",
        Empty = "EMPTY",
        Identity = "IDENTITY",
        Union = "UNION",
        Intersection = "INTERSECTION",
        Difference = "DIFFERENCE",
        Sequence = "SEQUENCE",
        Plus = "PLUS",
        Star = "STAR",
        Maybe = "MAYBE",
        Inverse = "INVERSE",
        Store = "STORE",
        Load = "LOAD",
        Variable = "VARIABLE",
        Fixpoint = "FIXPOINT",
    }
);

numbered!(
    /// What a matrix program's relation must be: acyclic, irreflexive or empty.
    Verdict {
        Acyclic = "ACYCLIC",
        Irreflexive = "IRREFLEXIVE",
        Empty = "EMPTY",
    }
);

numbered!(
    /// How an axiom is checked.
    CheckKind {
        Closure = "CLOSURE",
        Coherence = "COHERENCE",
        Automaton = "AUTOMATON",
        Matrix = "MATRIX",
        Local = "LOCAL",
    }
);

numbered!(
    /// What orders accesses before the end of their object's life.
    LifetimeOrder {
        Causal = "CAUSAL",
        View = "VIEW",
        Axiom = "AXIOM",
        Computed = "COMPUTED",
    }
);
