//! Tests only: the relations of a random graph by their definitions, from the record of its making.

use crate::consistency::checks::random::{Sample, Source, ADDRESSES};
use crate::consistency::plan::tables::{Scope, Symbol};
use crate::graph::{Label, Payload, INITIAL};

/// A relation over at most 128 nodes.
pub(in crate::consistency) type Pairs = Vec<u128>;

pub(in crate::consistency) fn has(pairs: &Pairs, x: usize, y: usize) -> bool {
    pairs[x] >> y & 1 != 0
}

pub(in crate::consistency) fn close(pairs: &mut Pairs) {
    for middle in 0..pairs.len() {
        for x in 0..pairs.len() {
            if has(pairs, x, middle) {
                pairs[x] |= pairs[middle];
            }
        }
    }
}

impl Sample {
    /// How many nodes there are: events and initial writes.
    pub(in crate::consistency) fn nodes(&self) -> usize {
        self.graph.len() + self.locs.len()
    }

    pub(in crate::consistency) fn class(&self, node: usize) -> u8 {
        self.graph.events().get(node).map_or(INITIAL, |event| event.classify())
    }

    fn thread_of(&self, node: usize) -> Option<usize> {
        self.graph.events().get(node).map(|event| event.thread.at())
    }

    /// A relation by its definition.
    pub(in crate::consistency) fn relation(&self, symbol: Symbol) -> Pairs {
        let mut pairs = vec![0u128; self.nodes()];
        match symbol {
            Symbol::PoImm => self.fill_po_imm(&mut pairs),
            Symbol::PoImmLoc | Symbol::PoImmElsewhere => {
                let steps = self.relation(Symbol::PoImm);
                let here = symbol == Symbol::PoImmLoc;
                self.fill(&mut pairs, |s, x, y| has(&steps, x, y) && s.is_same_location(x, y) == here);
            }
            Symbol::Po => {
                self.fill_po_imm(&mut pairs);
                close(&mut pairs);
            }
            Symbol::PoLoc => {
                let po = self.relation(Symbol::Po);
                self.fill(&mut pairs, |s, x, y| has(&po, x, y) && s.is_same_location(x, y));
            }
            Symbol::Rf(scope) => self.fill(&mut pairs, |s, x, y| s.in_scope(scope, x, y) && s.rf(x, y)),
            Symbol::Co(scope) => self.fill(&mut pairs, |s, x, y| s.in_scope(scope, x, y) && s.co(x, y)),
            Symbol::Fr(scope) => {
                let (rf, co) = (self.relation(Symbol::Rf(Scope::All)), self.relation(Symbol::Co(Scope::All)));
                self.fill(&mut pairs, |s, x, y| {
                    s.in_scope(scope, x, y) && (0..s.nodes()).any(|w| has(&rf, w, x) && has(&co, w, y))
                });
            }
            Symbol::Rmw => self.rmw.iter().for_each(|(r, w)| pairs[*r] |= 1 << w),
            Symbol::SameThread => self.fill(&mut pairs, |s, x, y| {
                x != y && s.thread_of(x).is_some() && s.thread_of(x) == s.thread_of(y)
            }),
            Symbol::LocOverlap => self.fill(&mut pairs, |s, x, y| match (s.loc(x), s.loc(y)) {
                (Some(a), Some(b)) => x != y && (a == 0) == (b == 0),
                _ => false,
            }),
            Symbol::Tc => self.fill(&mut pairs, |s, x, y| {
                s.created.iter().any(|(create, child)| *create == x && s.thread_of(y) == Some(*child))
            }),
            Symbol::Tj => self.fill(&mut pairs, |s, x, y| {
                s.joined.iter().any(|(join, other)| *join == y && s.thread_of(x) == Some(*other))
            }),
            Symbol::Any => self.fill(&mut pairs, |_, _, _| true),
            Symbol::SameAccess => self.fill(&mut pairs, |_, x, y| x == y),
            Symbol::Alloc => self.fill(&mut pairs, |s, x, y| s.owns(x, y, Label::Alloc)),
            Symbol::Free => self.fill(&mut pairs, |s, x, y| s.owns(x, y, Label::Free)),
            // Random graphs have no dependencies, and no fences of SRCU.
            Symbol::Depends(_) | Symbol::SameDomain => {}
            Symbol::View(_) | Symbol::ViewLoc(_) => unreachable!("the caller defines its views"),
        }
        pairs
    }

    fn fill(&self, pairs: &mut Pairs, test: impl Fn(&Sample, usize, usize) -> bool) {
        for (x, row) in pairs.iter_mut().enumerate() {
            (0..self.nodes()).filter(|y| test(self, x, *y)).for_each(|y| *row |= 1 << y);
        }
    }

    fn fill_po_imm(&self, pairs: &mut Pairs) {
        for events in &self.threads {
            events.windows(2).for_each(|two| pairs[two[0]] |= 1 << two[1]);
        }
        for (create, child) in &self.created {
            self.threads[*child].first().into_iter().for_each(|first| pairs[*create] |= 1 << first);
        }
        for (join, other) in &self.joined {
            let creation = self.created.iter().find(|(_, child)| child == other).map(|(create, _)| create);
            let last = self.threads[*other].last().or(creation);
            last.into_iter().for_each(|last| pairs[*last] |= 1 << join);
        }
    }

    /// The location of an access.
    fn loc(&self, node: usize) -> Option<usize> {
        let event = self.graph.events().get(node)?;
        event.as_access().map(|access| access.loc.at())
    }

    pub(in crate::consistency) fn is_same_location(&self, x: usize, y: usize) -> bool {
        self.loc(x).is_some() && self.loc(x) == self.loc(y)
    }

    fn initial_loc(&self, node: usize) -> Option<usize> {
        node.checked_sub(self.graph.len()).map(|at| self.locs[at])
    }

    fn in_scope(&self, scope: Scope, x: usize, y: usize) -> bool {
        let internal = self.thread_of(x).is_some() && self.thread_of(x) == self.thread_of(y);
        scope == Scope::All || (scope == Scope::Internal) == internal
    }

    fn rf(&self, x: usize, y: usize) -> bool {
        match self.sources.get(y) {
            Some(Source::Write(write)) => *write == x,
            Some(Source::Initial) => self.loc(y) == self.initial_loc(x),
            Some(Source::Unlinked) | None => false,
        }
    }

    fn co(&self, x: usize, y: usize) -> bool {
        self.co.iter().enumerate().any(|(loc, order)| {
            let place = |node| order.iter().position(|write| *write == node);
            match (place(x), place(y)) {
                (Some(x), Some(y)) => x < y,
                (None, Some(_)) => self.initial_loc(x) == Some(loc),
                _ => false,
            }
        })
    }

    fn owns(&self, x: usize, y: usize, label: Label) -> bool {
        let Some(owner) = self.graph.events().get(x).filter(|event| event.label() == label) else {
            return false;
        };
        let alloc = match owner.payload {
            Payload::Alloc(alloc) => alloc,
            Payload::Free(free) if free.alloc.is_some() => *self.graph.alloc(free.alloc),
            _ => return false,
        };
        let bytes = alloc.address..alloc.address + alloc.size;
        self.loc(y).is_some_and(|loc| bytes.contains(&ADDRESSES[loc]))
    }
}

/// Every relation that is no view.
pub(in crate::consistency) fn symbols() -> Vec<Symbol> {
    use Symbol::*;
    let mut all = vec![
        Po,
        PoImm,
        PoImmLoc,
        PoImmElsewhere,
        PoLoc,
        Rmw,
        SameThread,
        LocOverlap,
        Tc,
        Tj,
        Any,
        Alloc,
        Free,
    ];
    for scope in [Scope::All, Scope::External, Scope::Internal] {
        all.extend([Rf(scope), Co(scope), Fr(scope)]);
    }
    all
}
