//! Rows of graphs whose accesses may have several sizes: what `orders` and `enter` do for one location, for each cell.

use crate::consistency::rows::orders::Order;
use crate::consistency::rows::Upkeep;
use crate::graph::Graph;
use crate::ids::EventId;

impl Upkeep {
    /// Sets the views of a linked read: its past in `po`, and what it learns from its sources.
    pub fn see_in_cells(&self, graph: &mut Graph, read: EventId) {
        self.reenter(graph, read);
        self.learn_in_cells(graph, read);
    }

    /// Adds what a linked read learns from its sources to its views, which have its past in `po`.
    #[inline]
    pub fn learn_in_cells(&self, graph: &mut Graph, read: EventId) {
        if !graph.cells.has_wide() {
            return self.see(graph, read, graph.cells.only(read).1);
        }
        for at in 0..graph.cells.sources(read).len() {
            let sources = graph.cells.sources(read);
            let source = sources[at];
            if source.is_some() && !sources[..at].contains(&source) {
                self.see(graph, read, source);
            }
        }
    }

    /// Orders a linked read or a placed write, which nothing follows in `po`, among the others. What comes after it is
    /// updated later (see `settle_orders`).
    pub fn order_in_cells(&self, graph: &mut Graph, event: EventId) {
        if !graph.cells.has_wide() {
            return match graph.event(event).is_read() {
                true => self.order_read_in_cell(graph, event),
                false => self.order_write_in_cell(graph, event),
            };
        }
        let mut neighbours = std::mem::take(&mut graph.neighbours);
        for (k, order) in self.orders().iter().enumerate() {
            neighbours.clear();
            order.any_neighbour(graph, event, |other, side| {
                neighbours.push((other, side == Side::After));
                false
            });
            for (other, is_after) in &neighbours {
                match is_after {
                    true => graph.deferred.push((k, event, *other)),
                    false => order.join(graph, event, *other),
                }
            }
        }
        graph.neighbours = neighbours;
    }

    /// The same for a read, where every access has one cell.
    fn order_read_in_cell(&self, graph: &mut Graph, read: EventId) {
        let (place, source) = graph.cells.only(read);
        for (k, order) in self.orders().iter().enumerate() {
            if source.is_some() && order.reads(graph, source, read) {
                order.join(graph, read, source);
            }
            if order.fr {
                let Graph { cells, deferred, .. } = graph;
                let later = cells.cell(place).after(source);
                let nearest = &later[..later.len().min(if order.co { 1 } else { usize::MAX })];
                deferred.extend(nearest.iter().map(|write| (k, read, *write)));
            }
        }
    }

    /// The same for a write that has no readers.
    fn order_write_in_cell(&self, graph: &mut Graph, write: EventId) {
        let place = graph.cells.only(write).0;
        let cell = graph.cells.cell(place);
        let position = cell.position(write).expect("it is placed");
        let before = position.checked_sub(1);
        let last = before.map_or(EventId::NONE, |before| cell.writes[before]);
        let next = cell.writes.get(position + 1).copied();
        let count = cell.reads.len();
        for (k, order) in self.orders().iter().enumerate() {
            if order.co && last.is_some() {
                order.join(graph, write, last);
            }
            if order.fr {
                let first = count - graph.cells.cell(place).reads_since(before.filter(|_| order.co)).len();
                for at in first..count {
                    let cell = graph.cells.cell(place);
                    let read = cell.reads[at];
                    let source = graph.cells.only(read).1;
                    let is_older = || source.is_none() || cell.writes[..position].contains(&source);
                    if source == last || (!order.co && is_older()) {
                        order.join(graph, write, read);
                    }
                }
            }
            if let (true, Some(next)) = (order.co, next) {
                graph.deferred.push((k, write, next));
            }
        }
    }

    /// The axiom whose order a new event closes to a cycle. Its rows have its past in `po`.
    pub(in crate::consistency) fn cycle_in_cells(&self, graph: &Graph, event: EventId) -> Option<usize> {
        let closes = |order: &&Order| {
            order.any_neighbour(graph, event, |after, side| {
                side == Side::After
                    && (order.has(graph, after, event)
                        || order.any_neighbour(graph, event, |before, side| {
                            side == Side::Before && order.has(graph, after, before)
                        }))
            })
        };
        self.orders().iter().find(closes).map(|order| order.axiom)
    }

    /// Whether some order has every edge of `rf`, `co` and `fr`, and if asked so of `po`.
    pub(in crate::consistency) fn has_eco_in_orders(&self, and_po: bool) -> bool {
        let has_po = |order: &Order| !and_po || order.contains_all();
        self.orders().iter().any(|order| order.whole_rf && order.co && order.fr && has_po(order))
    }
}

/// On which side of an event another one is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

impl Order {
    /// Whether a test accepts one of the events that a linked event directly follows or precedes in this order, by
    /// links alone.
    fn any_neighbour(
        &self,
        graph: &Graph,
        event: EventId,
        mut accepts: impl FnMut(EventId, Side) -> bool,
    ) -> bool {
        let cells = &graph.cells;
        let is_read = graph.event(event).is_read();
        if is_read || graph.is_in_section(event) {
            let found = cells.linked(event).any(|(place, source)| {
                let follows = is_read && source.is_some() && self.reads(graph, source, event);
                let later = cells.cell(place).after(source).iter().filter(|write| **write != event);
                // If the order contains `co`, the first write leads to the others.
                let mut later = later.take(match (self.fr, self.co) {
                    (false, _) => 0,
                    (true, true) => 1,
                    (true, false) => usize::MAX,
                });
                (follows && accepts(source, Side::Before)) || later.any(|write| accepts(*write, Side::After))
            });
            if found || is_read {
                return found;
            }
        }
        cells.written(event).iter().any(|place| {
            let cell = cells.cell(*place);
            let (older, newer) = (cell.before(event), cell.after(event));
            let last = older.last().copied().unwrap_or(EventId::NONE);
            if self.co && last.is_some() && accepts(last, Side::Before) {
                return true;
            }
            if self.co && newer.first().is_some_and(|write| accepts(*write, Side::After)) {
                return true;
            }
            cell.reads.iter().any(|read| {
                let source = cells.source_in(*read, *place);
                if source == event {
                    return self.reads(graph, event, *read) && accepts(*read, Side::After);
                }
                if *read == event {
                    return false;
                }
                let is_overwritten =
                    source == last || (!self.co && (source.is_none() || older.contains(&source)));
                self.fr && is_overwritten && accepts(*read, Side::Before)
            })
        })
    }
}
