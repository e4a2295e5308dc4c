//! What a document is to become: registered before the editor is asked, compared with every text it then goes through.

use agent_edit_engine::Text;
use tokio::sync::watch;

/// How an arrived text is compared with the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// Byte for byte.
    Exact,
    /// All line breaks alike, for clients that turn them into their own.
    ModuloLineEndings,
}

impl Comparison {
    /// Whether `actual` is `expected`.
    pub(crate) fn same(self, expected: &Text, actual: &Text) -> bool {
        let alike = || expected.line_count() == actual.line_count() && same_lines(expected.as_str(), actual.as_str());
        expected == actual || (self == Self::ModuloLineEndings && alike())
    }
}

/// What has been seen of a document since the editor was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// Not the expected text.
    NotYet,
    /// The expected text, whatever came after it.
    Result,
    /// The document was closed before.
    Closed,
}

/// The side that compares: it is with the documents.
#[derive(Debug)]
pub(crate) struct Expected {
    result: Text,
    comparison: Comparison,
    seen: watch::Sender<Seen>,
}

/// The side that waits.
#[derive(Debug)]
pub(crate) struct Expectation(watch::Receiver<Seen>);

/// The two sides of expecting `result`.
pub(crate) fn expect(result: Text, comparison: Comparison) -> (Expected, Expectation) {
    let (seen, waiting) = watch::channel(Seen::NotYet);
    (Expected { result, comparison, seen }, Expectation(waiting))
}

impl Expected {
    /// `text` is what the document holds now.
    pub(crate) fn compare(&self, text: &Text) {
        if *self.seen.borrow() != Seen::Result && self.comparison.same(&self.result, text) {
            self.seen.send_replace(Seen::Result);
        }
    }

    /// The document is no longer open.
    pub(crate) fn closed(&self) {
        if *self.seen.borrow() != Seen::Result {
            self.seen.send_replace(Seen::Closed);
        }
    }
}

impl Expectation {
    /// Whether the document has held the expected text.
    pub(crate) fn is_reached(&self) -> bool {
        *self.0.borrow() == Seen::Result
    }

    /// Waits until it has, or has been closed.
    pub(crate) async fn decided(&mut self) {
        // An error says that nobody compares any longer: nothing more will be seen.
        let _ = self.0.wait_for(|seen| *seen != Seen::NotYet).await;
    }
}

fn same_lines(a: &str, b: &str) -> bool {
    lines_with_lf(a).eq(lines_with_lf(b))
}

fn lines_with_lf(text: &str) -> impl Iterator<Item = char> {
    let mut characters = text.chars().peekable();
    std::iter::from_fn(move || match characters.next()? {
        '\r' => {
            characters.next_if_eq(&'\n');
            Some('\n')
        }
        other => Some(other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_endings_are_alike_only_where_that_is_asked_for() {
        let check = |a, b| {
            let (a, b) = (Text::new(a), Text::new(b));
            (Comparison::Exact.same(&a, &b), Comparison::ModuloLineEndings.same(&a, &b))
        };
        assert_eq!(check("a\r\nb\r", "a\nb\n"), (false, true));
        assert_eq!(check("a\nb", "a\nb"), (true, true));
        assert_eq!(check("a\n\nb", "a\nb"), (false, false));
        assert_eq!(check("a\r\r\nb", "a\n\nb"), (false, true));
    }

    #[test]
    fn what_was_reached_stays_reached() {
        let (expected, expectation) = expect(Text::new("b"), Comparison::Exact);
        expected.compare(&Text::new("a"));
        assert!(!expectation.is_reached());
        expected.compare(&Text::new("b"));
        expected.compare(&Text::new("c"));
        expected.closed();
        assert!(expectation.is_reached());
    }

    #[tokio::test]
    async fn closing_ends_the_waiting() {
        let (expected, mut expectation) = expect(Text::new("b"), Comparison::Exact);
        expected.closed();
        expectation.decided().await;
        assert!(!expectation.is_reached());
    }
}
