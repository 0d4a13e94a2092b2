//! The location of an access: whether the access may happen at all, and with which others it may not mix.

use crate::detect::{accessible, count, Finding, Refusal, Violation};
use crate::explore::choices::cells::LARGEST_CELL;
use crate::explore::choices::locations::Locations;
use crate::explore::limits::second_look::{Leniency, Name};
use crate::graph::{Event, Graph};
use crate::ids::{EventId, LocId};
use crate::memory::Memory;
use crate::program::{region, Region};

/// An access of several cells has more choices than can be numbered.
pub(in crate::explore) fn too_many_ways() -> Finding {
    let message = "an access whose bytes may come from many writes in very many ways";
    Finding::refusal(Refusal::Unsupported, message)
}

impl Locations {
    /// The location of an access that a graph is about to get, if it may happen.
    #[inline]
    pub fn locate(
        &mut self,
        graph: &mut Graph,
        memory: &Memory,
        leniency: &mut Leniency,
        (address, size): Name,
        writes: bool,
    ) -> Result<LocId, Finding> {
        let id = match self.find(address, size) {
            Some(id) => id,
            None => self.new_location(graph, memory, leniency, (address, size))?,
        };
        let location = self.get(id);
        if !location.is_global {
            accessible(graph, memory, address, size)?;
        } else if writes && location.is_constant {
            return Err(Finding::violation(Violation::Unallocated, "write to constant memory"));
        }
        if let Some(other) = self.mixed_with(id, graph) {
            leniency.meet([id, other].map(|id| self.name(id)));
            return Err(self.mixed_sizes(graph, size, other));
        }
        graph.reserve_locs(self.len());
        Ok(id)
    }

    fn mixed_sizes(&self, graph: &Graph, size: u8, other: LocId) -> Finding {
        let accesses = |event: &Event| event.as_access().is_some_and(|access| access.loc == other);
        let position = graph.events().iter().position(accesses);
        let bytes = self.get(other).size;
        let message = format!("accesses of {size} and of {} to the same memory", count(bytes.into()));
        let finding = Finding::refusal(Refusal::MixedSize, message);
        position.map_or(finding.clone(), |event| finding.with(EventId::from_usize(event)))
    }

    fn new_location(
        &mut self,
        graph: &Graph,
        memory: &Memory,
        leniency: &mut Leniency,
        (address, size): Name,
    ) -> Result<LocId, Finding> {
        if leniency.leaves_out((address, size)) {
            return Err(Finding::refusal(Refusal::LeftOut, "the same bytes are accessed with another size"));
        }
        if region(address) == Region::GLOBAL {
            if memory.global(address, u64::from(size)).is_none() {
                return Err(Finding::unallocated(address, u64::from(size)));
            }
        } else {
            accessible(graph, memory, address, size)?;
        }
        if size > LARGEST_CELL && self.cell_table.is_none() {
            leniency.meet([(address, size); 2]);
            return Err(Finding::refusal(Refusal::MixedSize, "an access of 16 bytes to shared memory"));
        }
        match self.add(address, size, memory) {
            (id, None) => Ok(id),
            (id, Some(cut)) => {
                leniency.meet([id, cut].map(|id| self.name(id)));
                Err(self.mixed_sizes(graph, size, cut))
            }
        }
    }
}
