//! Bytes read as choices: one generator of samples serves proptest, the fuzzer and seeded runs alike.

/// A sequence of choices. Where the bytes end, every choice is the first.
pub(crate) struct Choices<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Choices<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes: bytes.iter() }
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let byte = usize::from(self.bytes.next().copied().unwrap_or(0));
        if limit <= 256 { byte % limit } else { (byte << 8 | self.below(256)) % limit }
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// The `case`th sample's bytes in the run that `seed` starts: splitmix64.
pub(crate) fn bytes(seed: u64, case: u64, count: usize) -> Vec<u8> {
    let mut state = seed ^ case.wrapping_mul(0xA076_1D64_78BD_642F);
    let words = (0..count.div_ceil(8)).flat_map(|_| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (word ^ (word >> 31)).to_le_bytes()
    });
    words.take(count).collect()
}
