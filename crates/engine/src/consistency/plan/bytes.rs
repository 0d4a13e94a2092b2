//! Reading the words of an encoded Plan.

use crate::consistency::plan::tables::PlanError;

/// A cursor over little-endian 32-bit words.
pub(in crate::consistency) struct Words<'b> {
    words: &'b [[u8; 4]],
    position: usize,
}

impl<'b> Words<'b> {
    pub(in crate::consistency) fn new(bytes: &'b [u8]) -> Result<Words<'b>, PlanError> {
        let (words, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(PlanError("cut short".into()));
        }
        Ok(Words { words, position: 0 })
    }

    pub(in crate::consistency) fn position(&self) -> usize {
        self.position
    }

    pub(in crate::consistency) fn next(&mut self) -> Result<u32, PlanError> {
        let word = self.words.get(self.position).ok_or_else(|| PlanError("too short".into()))?;
        self.position += 1;
        Ok(u32::from_le_bytes(*word))
    }

    pub(in crate::consistency) fn index(&mut self) -> Result<usize, PlanError> {
        Ok(self.next()? as usize)
    }

    pub(in crate::consistency) fn flag(&mut self) -> Result<bool, PlanError> {
        Ok(self.next()? != 0)
    }

    pub(in crate::consistency) fn long(&mut self) -> Result<u64, PlanError> {
        Ok(u64::from(self.next()?) | u64::from(self.next()?) << 32)
    }

    /// A count, then that many items.
    pub(in crate::consistency) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, PlanError>,
    ) -> Result<Vec<T>, PlanError> {
        let count = self.index()?;
        if count > self.words.len() {
            return Err(PlanError(format!("a list of {count} items is too long")));
        }
        (0..count).map(|_| item(self)).collect()
    }

    pub(in crate::consistency) fn end(&self) -> Result<(), PlanError> {
        match self.words.len() - self.position {
            0 => Ok(()),
            more => Err(PlanError(format!("{more} words follow the end of the plan"))),
        }
    }
}
