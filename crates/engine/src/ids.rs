//! Newtypes for every index, so that they cannot be confused.

/// Defines a 32-bit index with conversions to and from `usize`.
macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as an array position.
            #[inline(always)]
            pub fn at(self) -> usize {
                self.0 as usize
            }

            /// The index at an array position.
            #[inline(always)]
            pub fn from_usize(position: usize) -> Self {
                $name(position as u32)
            }
        }
    };
}

index!(
    /// A thread; dense, the same in every execution.
    ThreadId
);
index!(
    /// An event: its position in the graph's insertion order.
    EventId
);
index!(
    /// A location: an address and a size, interned for a whole exploration.
    LocId
);
index!(
    /// A function of the program.
    FunctionId
);

impl EventId {
    /// No event; where a write is meant, the initial write of the location.
    pub const NONE: EventId = EventId(u32::MAX);

    /// Whether this is no event (or the initial write).
    #[inline(always)]
    pub fn is_none(self) -> bool {
        self == EventId::NONE
    }

    /// Whether this is an event of the graph.
    #[inline(always)]
    pub fn is_some(self) -> bool {
        self != EventId::NONE
    }
}

/// Active calls, innermost first: functions, and where they are.
pub type Stack = Vec<(FunctionId, u32)>;
