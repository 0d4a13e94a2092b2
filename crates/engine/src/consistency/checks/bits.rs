//! Relations as bit rows: row x has bit y if (x, y) is in the relation.
//!
//! Any number of nodes; a value keeps its memory when it is reset, so that repeated use allocates nothing.
//! I1: bits beyond the last node are 0.

/// A relation over the nodes 0 … count - 1.
#[derive(Clone, Default)]
pub(in crate::consistency) struct Rows {
    words: Vec<u64>,
    width: usize,
    count: usize,
}

impl Rows {
    /// Makes it the empty relation over `count` nodes.
    pub(in crate::consistency) fn reset(&mut self, count: usize) {
        self.reset_wide(count, count);
    }

    /// Makes it `rows` empty sets of `count` nodes.
    pub(in crate::consistency) fn reset_wide(&mut self, rows: usize, count: usize) {
        self.count = rows;
        self.width = count.div_ceil(64);
        self.words.clear();
        self.words.resize(rows * self.width, 0);
    }

    /// Makes it equal to another.
    pub(in crate::consistency) fn copy(&mut self, other: &Rows) {
        (self.width, self.count) = (other.width, other.count);
        self.words.clear();
        self.words.extend_from_slice(&other.words);
    }

    /// Whether it has the same pairs as another over the same nodes.
    pub(in crate::consistency) fn is_same(&self, other: &Rows) -> bool {
        self.words == other.words
    }

    /// Adds a pair.
    #[inline]
    pub(in crate::consistency) fn set(&mut self, x: usize, y: usize) {
        self.words[x * self.width + y / 64] |= 1 << (y % 64);
    }

    /// Removes a pair.
    pub(in crate::consistency) fn unset(&mut self, x: usize, y: usize) {
        self.words[x * self.width + y / 64] &= !(1 << (y % 64));
    }

    /// Whether it has a pair.
    #[inline]
    pub(in crate::consistency) fn has(&self, x: usize, y: usize) -> bool {
        self.words[x * self.width + y / 64] >> (y % 64) & 1 != 0
    }

    /// The nodes that a node is related to.
    #[inline]
    pub(in crate::consistency) fn row(&self, x: usize) -> &[u64] {
        &self.words[x * self.width..(x + 1) * self.width]
    }

    /// Relates `x` to `y` and to all that `y` is related to.
    #[inline]
    pub(in crate::consistency) fn precede(&mut self, x: usize, y: usize) {
        for word in 0..self.width {
            self.words[x * self.width + word] |= self.words[y * self.width + word];
        }
        self.set(x, y);
    }

    /// Changes a row word by word with one of another relation.
    #[inline]
    pub(in crate::consistency) fn change_row(
        &mut self,
        x: usize,
        other: &[u64],
        change: impl Fn(u64, u64) -> u64,
    ) {
        for (word, other) in self.words[x * self.width..(x + 1) * self.width].iter_mut().zip(other) {
            *word = change(*word, *other);
        }
    }

    /// Makes it the combination of two others, word by word.
    #[inline]
    pub(in crate::consistency) fn combine(
        &mut self,
        one: &Rows,
        other: &Rows,
        join: impl Fn(u64, u64) -> u64,
    ) {
        (self.width, self.count) = (one.width, one.count);
        self.words.clear();
        self.words.extend(one.words.iter().zip(&other.words).map(|(one, other)| join(*one, *other)));
    }

    /// Adds every node with itself.
    pub(in crate::consistency) fn add_identity(&mut self) {
        (0..self.count).for_each(|x| self.set(x, x));
    }

    /// Adds every pair.
    pub(in crate::consistency) fn add_all(&mut self) {
        for x in 0..self.count {
            for word in 0..self.width {
                let left = self.count - word * 64;
                self.words[x * self.width + word] = if left < 64 { (1 << left) - 1 } else { u64::MAX };
            }
        }
    }

    /// Makes it `first ; second`.
    pub(in crate::consistency) fn compose(&mut self, first: &Rows, second: &Rows) {
        self.reset(first.count);
        if self.width == 1 {
            for (to, from) in self.words.iter_mut().zip(&first.words) {
                let mut left = *from;
                while left != 0 {
                    *to |= second.words[left.trailing_zeros() as usize];
                    left &= left - 1;
                }
            }
            return;
        }
        for x in 0..first.count {
            for y in ones(first.row(x)) {
                self.change_row(x, second.row(y), |a, b| a | b);
            }
        }
    }

    /// Drops the pairs whose first node a test (a part of the identity) does not pass.
    pub(in crate::consistency) fn keep_domain(&mut self, test: &Rows) {
        let width = self.width.max(1);
        for (row, test) in self.words.chunks_exact_mut(width).zip(test.words.chunks_exact(width)) {
            if test.iter().all(|word| *word == 0) {
                row.fill(0);
            }
        }
    }

    /// Drops the pairs whose second node a test does not pass.
    pub(in crate::consistency) fn keep_range(&mut self, test: &Rows) {
        for at in 0..self.width {
            let column = |words: &[u64]| words.iter().skip(at).step_by(self.width).fold(0, |a, b| a | b);
            let passing = column(&test.words);
            self.words.iter_mut().skip(at).step_by(self.width).for_each(|word| *word &= passing);
        }
    }

    /// Makes it the inverse of another.
    pub(in crate::consistency) fn invert(&mut self, other: &Rows) {
        self.reset(other.count);
        for x in 0..other.count {
            for y in ones(other.row(x)) {
                self.set(y, x);
            }
        }
    }

    /// Makes it transitive.
    pub(in crate::consistency) fn close(&mut self) {
        let never: Result<(), std::convert::Infallible> = self.close_while(|| Ok(()));
        let Ok(()) = never;
    }

    /// Makes it transitive (Warshall), unless that takes too long: `go_on` is asked between rows.
    #[inline]
    pub(in crate::consistency) fn close_while<E>(
        &mut self,
        mut go_on: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        if self.width == 1 {
            for middle in 0..self.count {
                let after = self.words[middle];
                for word in &mut self.words {
                    *word |= after & 0u64.wrapping_sub(*word >> middle & 1);
                }
            }
            return Ok(());
        }
        for middle in 0..self.count {
            go_on()?;
            for x in 0..self.count {
                if x != middle && self.has(x, middle) {
                    self.precede(x, middle);
                }
            }
        }
        Ok(())
    }

    /// Whether it has no pair.
    pub(in crate::consistency) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Whether it relates no node to itself.
    pub(in crate::consistency) fn is_irreflexive(&self) -> bool {
        (0..self.count).all(|x| !self.has(x, x))
    }

    /// Whether it has no cycle; `scratch` is overwritten.
    pub(in crate::consistency) fn is_acyclic(&self, scratch: &mut PathScratch) -> bool {
        let PathScratch { path, sets } = scratch;
        sets.reset_wide(2, self.count);
        for root in 0..self.count {
            if sets.has(DONE, root) {
                continue;
            }
            path.push(root);
            sets.set(OPEN, root);
            while let Some(&x) = path.last() {
                match self.next_open(x, sets) {
                    Next::Cycle => {
                        path.clear();
                        return false;
                    }
                    Next::Node(y) => {
                        path.push(y);
                        sets.set(OPEN, y);
                    }
                    Next::None => {
                        path.pop();
                        sets.set(DONE, x);
                        sets.words[OPEN * self.width + x / 64] &= !(1 << (x % 64));
                    }
                }
            }
        }
        true
    }

    fn next_open(&self, x: usize, sets: &Rows) -> Next {
        let mut next = Next::None;
        for (at, word) in self.row(x).iter().enumerate() {
            if word & sets.row(OPEN)[at] != 0 {
                return Next::Cycle;
            }
            let left = word & !sets.row(DONE)[at];
            if left != 0 && matches!(next, Next::None) {
                next = Next::Node(at * 64 + left.trailing_zeros() as usize);
            }
        }
        next
    }
}

/// What `is_acyclic` needs: the path it is on, the nodes of the path, and those that lead to no cycle.
#[derive(Clone, Default)]
pub(in crate::consistency) struct PathScratch {
    path: Vec<usize>,
    sets: Rows,
}

const OPEN: usize = 0;
const DONE: usize = 1;

/// Where a path goes on.
enum Next {
    Cycle,
    Node(usize),
    None,
}

/// The members of a set.
pub(in crate::consistency) fn ones(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(at, word)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                at * 64 + bit
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of `count` nodes without its last edge.
    fn chain(count: usize) -> Rows {
        let mut rows = Rows::default();
        rows.reset(count);
        (1..count).for_each(|x| rows.set(x - 1, x));
        rows
    }

    #[test]
    fn closing_and_cycles_at_word_borders() {
        for count in [1, 2, 63, 64, 65, 128, 129, 200] {
            let mut rows = chain(count);
            assert!(rows.is_acyclic(&mut PathScratch::default()), "{count}");
            let open = rows.clone();
            rows.close();
            assert!((0..count).all(|x| (0..count).all(|y| rows.has(x, y) == (x < y))), "{count}");
            rows.copy(&open);
            rows.set(count - 1, 0);
            assert!(!rows.is_acyclic(&mut PathScratch::default()), "{count}");
            rows.close();
            assert!((0..count).all(|x| (0..count).all(|y| rows.has(x, y))), "{count}");
            let (mut all, mut left) = (open.clone(), open);
            all.add_all();
            left.combine(&all, &rows, |a, b| a & !b);
            assert!(left.is_empty(), "{count}");
        }
    }

    #[test]
    fn composition_and_inverse() {
        let (rows, mut twice, mut back) = (chain(70), Rows::default(), Rows::default());
        twice.compose(&rows, &rows);
        assert!((0..70).all(|x| (0..70).all(|y| twice.has(x, y) == (x + 2 == y))));
        back.invert(&twice);
        assert!((0..70).all(|x| (0..70).all(|y| back.has(x, y) == (y + 2 == x))));
        assert!(back.is_irreflexive());
        back.add_identity();
        assert!(!back.is_irreflexive() && !back.is_empty());
    }
}
