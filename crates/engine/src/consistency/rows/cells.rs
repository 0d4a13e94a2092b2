//! Rows of graphs whose accesses may have several sizes: what `orders` and `enter` do for one location, for each cell.

use crate::consistency::rows::orders::Order;
use crate::consistency::rows::Upkeep;
use crate::graph::{Cell, Graph};
use crate::ids::EventId;

impl Upkeep {
    /// Sets the views of a linked read: its past in `po`, and what it learns from its sources.
    pub fn see_in_cells(&self, graph: &mut Graph, read: EventId) {
        self.reenter(graph, read);
        for at in 0..graph.cells.sources(read).len() {
            let sources = graph.cells.sources(read);
            let source = sources[at];
            if source.is_some() && !sources[..at].contains(&source) {
                self.see(graph, read, source);
            }
        }
    }

    /// Orders a linked read or a placed write, which nothing follows in `po`, among the others.
    pub fn order_in_cells(&self, graph: &mut Graph, event: EventId) {
        for (k, order) in self.orders().iter().enumerate() {
            let mut at = Neighbours::of(order, event);
            while let Some((other, side)) = at.next(graph) {
                match side {
                    Side::Before => order.join(graph, event, other),
                    Side::After => graph.deferred.push((k, event, other)),
                }
            }
        }
        self.settle_orders(graph);
    }

    /// The axiom whose order a new event closes to a cycle. Its rows have its past in `po`.
    pub(in crate::consistency) fn cycle_in_cells(&self, graph: &Graph, event: EventId) -> Option<usize> {
        let closes = |order: &&Order| {
            let mut later = Neighbours::of(order, event);
            while let Some((after, side)) = later.next(graph) {
                if side == Side::After && order.closes_in_cells(graph, event, after) {
                    return true;
                }
            }
            false
        };
        self.orders().iter().find(closes).map(|order| order.axiom)
    }

    /// Whether some order has every edge of `rf`, `co` and `fr`.
    pub(in crate::consistency) fn has_eco_in_orders(&self) -> bool {
        self.orders().iter().any(|order| order.whole_rf && order.co && order.fr)
    }
}

impl Order {
    /// Whether an event that comes after a linked one already comes before it, or before one that it follows.
    fn closes_in_cells(&self, graph: &Graph, event: EventId, after: EventId) -> bool {
        let mut earlier = Neighbours::of(self, event);
        let mut comes_before = || {
            std::iter::from_fn(|| earlier.next(graph))
                .any(|(before, side)| side == Side::Before && self.has(graph, after, before))
        };
        self.has(graph, after, event) || comes_before()
    }
}

/// On which side of an event another one is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// The events that a linked event directly follows and precedes in an order, by links alone, one after the other. Those
/// of a cell are first its writes, then its reads.
struct Neighbours<'o> {
    order: &'o Order,
    event: EventId,
    piece: usize,
    at: usize,
}

impl<'o> Neighbours<'o> {
    fn of(order: &'o Order, event: EventId) -> Neighbours<'o> {
        Neighbours { order, event, piece: 0, at: 0 }
    }

    fn next(&mut self, graph: &Graph) -> Option<(EventId, Side)> {
        let cells = &graph.cells;
        let is_read = graph.event(self.event).is_read();
        while let Some(place) = cells.of(self.event).get(self.piece) {
            let (cell, source) = (cells.cell(*place), cells.sources(self.event)[self.piece]);
            let at = self.at;
            self.at += 1;
            let found = match (is_read, at) {
                (true, 0) => self.read_source(graph, source),
                (true, _) => self.overwriter(cell.after(source), at - 1),
                (false, 0) => self.overwritten(cell.before(self.event)),
                (false, 1) => self.overwriter_of_write(cell.after(self.event)),
                (false, _) => match cell.reads.get(at - 2) {
                    Some(read) => self.reader(graph, cell, *read, cells.source_in(*read, *place)),
                    None => Found::End,
                },
            };
            match found {
                Found::Event(event, side) => return Some((event, side)),
                Found::Nothing => {}
                Found::End => (self.piece, self.at) = (self.piece + 1, 0),
            }
        }
        None
    }

    fn read_source(&self, graph: &Graph, source: EventId) -> Found {
        match source.is_some() && self.order.reads(graph, source, self.event) {
            true => Found::Event(source, Side::Before),
            false => Found::Nothing,
        }
    }

    /// If the order contains `co`, the first write leads to the others.
    fn overwriter(&self, later: &[EventId], at: usize) -> Found {
        match later.get(at).filter(|_| self.order.fr && (at == 0 || !self.order.co)) {
            Some(write) => Found::Event(*write, Side::After),
            None => Found::End,
        }
    }

    fn overwritten(&self, older: &[EventId]) -> Found {
        let newest = older.last().filter(|_| self.order.co);
        newest.map_or(Found::Nothing, |write| Found::Event(*write, Side::Before))
    }

    fn overwriter_of_write(&self, newer: &[EventId]) -> Found {
        let oldest = newer.first().filter(|_| self.order.co);
        oldest.map_or(Found::Nothing, |write| Found::Event(*write, Side::After))
    }

    fn reader(&self, graph: &Graph, cell: &Cell, read: EventId, source: EventId) -> Found {
        if source == self.event {
            return match self.order.reads(graph, self.event, read) {
                true => Found::Event(read, Side::After),
                false => Found::Nothing,
            };
        }
        let is_older = || source.is_none() || cell.before(self.event).contains(&source);
        match self.order.fr && read != self.event && is_older() {
            true => Found::Event(read, Side::Before),
            false => Found::Nothing,
        }
    }
}

/// What is found at one place.
enum Found {
    Event(EventId, Side),
    Nothing,
    /// There is nothing more in this cell.
    End,
}
