//! SHA-256 (FIPS 180-4), for asking the server which text it holds.

/// The digest of `text`, 64 lower-case hex digits.
#[must_use]
pub fn sha256(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0x80);
    while bytes.len() % 64 != 56 {
        bytes.push(0);
    }
    bytes.extend((text.len() as u64 * 8).to_be_bytes());
    // The first 32 bits of the fractional parts of the roots of the first primes: square roots here, cube roots below.
    let mut state: [u32; 8] = std::array::from_fn(|n| fraction(f64::from(PRIMES[n]).sqrt()));
    for block in bytes.chunks_exact(64) {
        mix(&mut state, block);
    }
    state.iter().map(|it| format!("{it:08x}")).collect()
}

fn fraction(of: f64) -> u32 {
    (of.fract() * 4_294_967_296.0) as u32
}

fn mix(state: &mut [u32; 8], block: &[u8]) {
    let mut words = [0_u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes(bytes.try_into().expect("chunks of four"));
    }
    for n in 16..64 {
        let (a, b) = (words[n - 15], words[n - 2]);
        let low = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
        let high = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
        words[n] = words[n - 16].wrapping_add(low).wrapping_add(words[n - 7]).wrapping_add(high);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for n in 0..64 {
        let round = fraction(f64::from(PRIMES[n]).cbrt());
        let one = (e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25)).wrapping_add((e & f) ^ (!e & g));
        let one = one.wrapping_add(h).wrapping_add(round).wrapping_add(words[n]);
        let two =
            (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22)).wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(one), c, b, a, one.wrapping_add(two));
    }
    for (it, add) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *it = it.wrapping_add(add);
    }
}

const PRIMES: [u32; 64] = primes();

const fn primes() -> [u32; 64] {
    let mut found = [0; 64];
    let (mut count, mut candidate) = (0, 2);
    while count < 64 {
        let mut divisor = 2;
        while candidate % divisor != 0 {
            divisor += 1;
        }
        if divisor == candidate {
            found[count] = candidate;
            count += 1;
        }
        candidate += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::sha256;

    /// The examples of FIPS 180-4, and lengths around the edge of a block.
    #[test]
    fn known_digests() {
        for (text, digest) in [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
        ] {
            assert_eq!(sha256(text), digest, "{text:?}");
        }
    }
}
