//! Header lines: what one says, and where one may begin in text that is none.

use memchr::{memchr, memchr2_iter};

const LENGTH: &[u8] = b"content-length:";
/// A header line that gives a length is shorter than this; more is not waited for.
const LENGTH_LINE: usize = 64;

/// The length that a header line gives, if that is what it is about.
pub(crate) fn field(line: &[u8]) -> Result<Option<u64>, String> {
    let shown = || String::from_utf8_lossy(&line[..line.len().min(LENGTH_LINE)]).into_owned();
    let colon = memchr(b':', line).ok_or_else(|| format!("a header line without a colon: {:?}", shown()))?;
    let value = line[colon + 1..].trim_ascii();
    if !line[..colon].iter().copied().all(is_name) {
        return Err(format!("no header line: {:?}", shown()));
    }
    if !line[..=colon].eq_ignore_ascii_case(LENGTH) {
        return Ok(None);
    }
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return Err(format!("a Content-Length that is no number: {:?}", shown()));
    }
    let digits = value.iter().map(|it| u64::from(it - b'0'));
    Ok(Some(digits.fold(0, |sum, digit| sum.saturating_mul(10).saturating_add(digit))))
}

/// Whether `byte` may stand in the name of a header line.
pub(crate) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Where a header may begin.
pub(crate) enum Found {
    At(usize),
    /// Not here, and what follows can change that only from this place on.
    NotBefore(usize),
}

/// The first line in `bytes` that gives a length, whatever stands in front of it.
pub(crate) fn look_for_length(bytes: &[u8]) -> Found {
    for at in memchr2_iter(b'c', b'C', bytes) {
        let here = &bytes[at..];
        let name = &here[..here.len().min(LENGTH.len())];
        if !name.eq_ignore_ascii_case(&LENGTH[..name.len()]) {
            continue;
        }
        let line = &here[..here.len().min(LENGTH_LINE)];
        match memchr(b'\n', line) {
            // A quote: it is text that speaks of lengths.
            Some(end) if !line[..end].contains(&b'"') => return Found::At(at),
            None if line.len() < LENGTH_LINE => return Found::NotBefore(at),
            _ => {}
        }
    }
    Found::NotBefore(bytes.len())
}
