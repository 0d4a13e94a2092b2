//! Vocabularies that the engine shares with Python: enums whose numbers and names both sides state alike.
//!
//! The bindings hand the names to Python by number (`vocabularies`, `violation_kinds`), and tests compare
//! them with Python's tables: a member that one side lacks fails there. Code that depends on a member matches
//! exhaustively, so a new member does not compile until every case is handled.

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
