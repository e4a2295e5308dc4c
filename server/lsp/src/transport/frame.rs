//! LSP's base protocol, read by somebody who expects the worst: whatever is no frame is told once, and reading goes on at
//! the next `Content-Length:`.
//!
//! Linear in the input, and never further ahead in memory than one body.

use std::io::{self, ErrorKind};

use bytes::{Buf, BytesMut};
use memchr::memchr;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::transport::Limits;
use crate::transport::header::{Found, field, is_name, look_for_length};

/// What is read at least at once.
const CHUNK: usize = 64 * 1024;
/// So much of a body that is too long is kept, to tell which request or document it was about.
const START: usize = 16 * 1024;

/// What comes next in the input.
#[derive(Debug, PartialEq)]
pub(crate) enum Frame {
    /// A body, as many bytes as its header said.
    Body(BytesMut),
    /// A body over the limit, of which only this start is kept.
    TooLong { length: u64, start: BytesMut },
    /// Something that is no frame, and why not. What follows it is skipped up to the next length.
    Malformed(String),
    /// A length beyond anything that can be skipped: what follows it will never be understood.
    Hopeless { length: u64 },
}

/// Reads frames from `input`.
#[derive(Debug)]
pub(crate) struct FrameReader<R> {
    input: R,
    limits: Limits,
    buffer: BytesMut,
    /// How many bytes of a body that is too long are still to come.
    to_skip: u64,
    /// The next byte is not known to begin a header.
    astray: bool,
}

impl<R: AsyncRead + Unpin> FrameReader<R> {
    pub(crate) fn new(input: R, limits: Limits) -> Self {
        Self { input, limits, buffer: BytesMut::new(), to_skip: 0, astray: false }
    }

    /// The next frame. Waits for nothing but input.
    ///
    /// # Errors
    /// The input cannot be read; where it is over, `UnexpectedEof`.
    pub(crate) async fn next(&mut self) -> io::Result<Frame> {
        self.skip_the_rest().await?;
        if self.astray {
            self.find_a_length().await?;
            self.astray = false;
        }
        match self.header().await? {
            Ok(length) if length > self.limits.skip => Ok(Frame::Hopeless { length }),
            Ok(length) => self.body(length).await,
            Err(fault) => {
                // Not the whole line: a header may follow in the middle of it.
                self.buffer.advance(1);
                self.astray = true;
                Ok(Frame::Malformed(fault))
            }
        }
    }

    /// Says that `body` made no sense, so that its header cannot be trusted either. Where a new header seems to begin
    /// inside it, `rest` is the place, and it is read again from there.
    pub(crate) fn reject(&mut self, mut body: BytesMut, rest: Option<usize>) {
        self.astray = true;
        if let Some(at) = rest {
            body.advance(at);
            body.unsplit(std::mem::take(&mut self.buffer));
            self.buffer = body;
        }
    }

    /// The length that the header gives, or what is wrong with the line at which the buffer then begins.
    async fn header(&mut self) -> io::Result<Result<u64, String>> {
        let mut length = None;
        let mut size = 0;
        loop {
            let end = match self.line(self.limits.header.saturating_sub(size)).await? {
                Ok(end) => end,
                Err(fault) => return Ok(Err(fault)),
            };
            let line = self.buffer[..end].trim_ascii_end();
            if line.is_empty() && size > 0 {
                let Some(length) = length else { return Ok(Err("a header without Content-Length".to_owned())) };
                self.buffer.advance(end + 1);
                return Ok(Ok(length));
            }
            if !line.is_empty() {
                // Line breaks in front of a header harm nobody.
                size += end + 1;
                match field(line) {
                    Ok(Some(other)) if length.is_some_and(|it| it != other) => {
                        return Ok(Err("a header with two lengths".to_owned()));
                    }
                    Ok(given) => length = length.or(given),
                    Err(fault) => return Ok(Err(fault)),
                }
            }
            self.buffer.advance(end + 1);
        }
    }

    /// Waits until the buffer begins with a whole line, and says where its text ends.
    async fn line(&mut self, longest: usize) -> io::Result<Result<usize, String>> {
        loop {
            match self.buffer.first() {
                Some(&it) if !is_name(it) && !b"\r\n".contains(&it) => {
                    return Ok(Err(format!("a header cannot begin with {:?}", char::from(it))));
                }
                _ => {}
            }
            match memchr(b'\n', &self.buffer) {
                Some(end) if end <= longest => return Ok(Ok(end)),
                None if self.buffer.len() <= longest => self.fill(CHUNK).await?,
                _ => return Ok(Err(format!("a header longer than {} bytes", self.limits.header))),
            }
        }
    }

    async fn body(&mut self, length: u64) -> io::Result<Frame> {
        if length > self.limits.body as u64 {
            self.read(START.min(self.limits.body)).await?;
            let start = self.buffer.split_to(self.buffer.len().min(START.min(self.limits.body)));
            self.to_skip = length - start.len() as u64;
            return Ok(Frame::TooLong { length, start });
        }
        let length = usize::try_from(length).expect("it is within the limit, which is one");
        self.read(length).await?;
        let body = self.buffer.split_to(length);
        if self.buffer.is_empty() {
            // Else the space of a long message would be kept for ever.
            self.buffer = BytesMut::new();
        }
        Ok(Frame::Body(body))
    }

    async fn skip_the_rest(&mut self) -> io::Result<()> {
        while self.to_skip > 0 {
            if self.buffer.is_empty() {
                self.fill(CHUNK).await?;
            }
            let now = usize::try_from(self.to_skip).unwrap_or(usize::MAX).min(self.buffer.len());
            self.buffer.advance(now);
            self.to_skip -= now as u64;
        }
        Ok(())
    }

    /// Skips to the next line that gives a length.
    async fn find_a_length(&mut self) -> io::Result<()> {
        loop {
            match look_for_length(&self.buffer) {
                Found::At(at) => {
                    self.buffer.advance(at);
                    return Ok(());
                }
                Found::NotBefore(at) => {
                    self.buffer.advance(at);
                    self.fill(CHUNK).await?;
                }
            }
        }
    }

    async fn read(&mut self, length: usize) -> io::Result<()> {
        while self.buffer.len() < length {
            self.fill(length - self.buffer.len()).await?;
        }
        Ok(())
    }

    /// Reads what there is, at most about `wanted` bytes or one chunk.
    async fn fill(&mut self, wanted: usize) -> io::Result<()> {
        self.buffer.reserve(wanted.max(CHUNK));
        match self.input.read_buf(&mut self.buffer).await? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use futures::FutureExt;
    use tokio::io::{AsyncRead, ReadBuf};

    use super::{Frame, FrameReader};
    use crate::transport::Limits;

    const LIMITS: Limits = Limits { header: 100, body: 50, skip: 1_000, requests: 1, unread: 1 };

    /// Input that comes in pieces of a few bytes.
    struct Pieces<'a> {
        rest: &'a [u8],
        size: usize,
    }

    impl AsyncRead for Pieces<'_> {
        fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
            let (now, rest) = self.rest.split_at(self.size.min(self.rest.len()).min(to.remaining()));
            to.put_slice(now);
            self.rest = rest;
            Poll::Ready(Ok(()))
        }
    }

    /// What is read of `input`, where bodies that are not in braces make no sense.
    fn read(input: &[u8], size: usize) -> Vec<String> {
        let mut frames = FrameReader::new(Pieces { rest: input, size }, LIMITS);
        let mut found = vec![];
        while let Ok(frame) = frames.next().now_or_never().expect("there is input, or its end") {
            match frame {
                Frame::Body(body) => {
                    found.push(String::from_utf8_lossy(&body).into_owned());
                    match body.iter().position(|it| *it == b'}') {
                        Some(end) if end + 1 == body.len() => {}
                        end => frames.reject(body, end.map(|it| it + 1)),
                    }
                }
                Frame::TooLong { length, start } => {
                    found.push(format!("too long: {length}, {}", String::from_utf8_lossy(&start)));
                }
                Frame::Malformed(why) => found.push(format!("malformed: {why}")),
                Frame::Hopeless { length } => {
                    found.push(format!("hopeless: {length}"));
                    break;
                }
            }
        }
        found
    }

    #[track_caller]
    fn check(input: impl AsRef<[u8]>, expected: &[&str]) {
        let input = input.as_ref();
        for size in [usize::MAX, 1, 2, 3, 7, 16] {
            assert_eq!(read(input, size), expected, "in pieces of {size}: {:?}", String::from_utf8_lossy(input));
        }
    }

    #[test]
    fn frames_are_read_as_others_write_them() {
        check("Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\n{ab}", &["{}", "{ab}"]);
        check("content-length:2\n\n{}CONTENT-LENGTH:   3 \n\n{a}", &["{}", "{a}"]);
        check("Content-Type: application/json\r\nX-Other: 1\r\nContent-Length: 2\r\nX-Last:\r\n\r\n{}", &["{}"]);
        check("\r\n\nContent-Length: 2\r\n\r\n{}\r\nContent-Length: 3\r\n\r\n{a}\r\n", &["{}", "{a}"]);
        check("Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", &["{}"]);
        check("Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n{}", &["", "{}"]);
        check("Content-Length: 2\r\n", &[]);
        check("Content-Length: 4\r\n\r\n{}", &[]);
    }

    #[test]
    fn what_is_no_header_is_told_once_and_reading_goes_on() {
        let next = "Content-Length: 2\r\n\r\n{}";
        for (garbage, why) in [
            ("Content-Length: -5\r\n\r\n{}{}{}", "a Content-Length that is no number: \"Content-Length: -5\""),
            ("Content-Length: +2\r\n\r\n{}", "a Content-Length that is no number: \"Content-Length: +2\""),
            ("Content-Length: x\n\n{}", "a Content-Length that is no number: \"Content-Length: x\""),
            ("Content-Length:\r\n\r\n{}", "a Content-Length that is no number: \"Content-Length:\""),
            ("Content-Type: a\r\n\r\n{\"a\":1}", "a header without Content-Length"),
            ("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "a header with two lengths"),
            ("{\"jsonrpc\":\"2.0\"}\n{\"a\": 1}\n", "a header cannot begin with '{'"),
            ("  ", "a header cannot begin with ' '"),
            ("npm WARN old\n", "a header line without a colon: \"npm WARN old\""),
            ("a b: c\n", "no header line: \"a b: c\""),
            ("\0\u{ff}\n\r", "a header cannot begin with '\\0'"),
        ] {
            check(format!("{garbage}{next}{next}"), &[&format!("malformed: {why}"), "{}", "{}"]);
            check(format!("{next}{garbage}{next}"), &["{}", &format!("malformed: {why}"), "{}"]);
        }
    }

    #[test]
    fn a_header_has_a_limit() {
        let why = "malformed: a header longer than 100 bytes";
        let long = "x".repeat(101);
        check(format!("{long}: 1\r\nContent-Length: 2\r\n\r\n{{}}"), &[why, "{}"]);
        check(format!("{long}{long}"), &[why]);
        check(format!("{}Content-Length: 2\r\n\r\n{{}}", "X: 1\r\n".repeat(20)), &[why, "{}"]);
    }

    #[test]
    fn a_wrong_length_costs_its_own_message_only() {
        let next = "Content-Length: 2\r\n\r\n{}";
        check(format!("Content-Length: 2\r\n\r\n{{abc}}{next}"), &["{a", "{}"]);
        check(format!("Content-Length: 25\r\n\r\n{{abc}}{next}{next}"), &["{abc}Content-Length: 2\r\n\r", "{}", "{}"]);
        check(format!("Content-Length: 9\r\n\r\n{{abc}}{next}{next}"), &["{abc}Cont", "{}", "{}"]);
    }

    #[test]
    fn text_that_speaks_of_a_length_is_no_header() {
        let next = "Content-Length: 2\r\n\r\n{}";
        let body = r#"{"a":"Content-Length: 3\r\n\r\n{b}"}"#;
        check(format!("Content-Length: 5\r\n\r\n{body}{next}"), &["{\"a\":", "{}"]);
        check(format!("Content-Length: 5\r\n\r\n{body}\n{next}"), &["{\"a\":", "{}"]);
    }

    #[test]
    fn a_message_over_the_limit_is_skipped() {
        let next = "Content-Length: 2\r\n\r\n{}";
        let long = "x".repeat(60);
        let told = format!("too long: 60, {}", "x".repeat(50));
        check(format!("Content-Length: 60\r\n\r\n{long}{next}"), &[&told, "{}"]);
        let frames = next.repeat(3);
        let told = format!("too long: 69, {}", &frames[..50]);
        check(format!("Content-Length: 69\r\n\r\n{frames}{next}"), &[&told, "{}"]);
    }

    #[test]
    fn a_length_nobody_can_mean_is_the_end() {
        check("Content-Length: 1001\r\n\r\n{}", &["hopeless: 1001"]);
        check("Content-Length: 1099511627776\r\n\r\n{}", &["hopeless: 1099511627776"]);
        check("Content-Length: 99999999999999999999999\r\n\r\n{}", &["hopeless: 18446744073709551615"]);
    }

    #[test]
    fn pieces_make_no_difference() {
        let words = [
            "Content-Length: 2\r\n\r\n{}",
            "content-length:",
            "Content-Length: ",
            "2",
            "9",
            "\r\n",
            "\n",
            "{}",
            "{",
            "\"",
            ":",
            "Content-Length: 30\r\n\r\n{}",
            "Content-Length: 60\r\n\r\n",
            "c",
            " ",
            "é",
        ];
        let mut random = 1_u32;
        for _ in 0..5_000 {
            let mut input = String::new();
            for _ in 0..12 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                input.push_str(words[(random >> 16) as usize % words.len()]);
            }
            let whole = read(input.as_bytes(), usize::MAX);
            for size in [1, 5] {
                assert_eq!(read(input.as_bytes(), size), whole, "{input:?}");
            }
        }
    }
}
