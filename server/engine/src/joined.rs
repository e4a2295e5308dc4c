//! The replacements of one edit that has many matches. Where they are very many, close ones are made one: a client is better
//! served with thousands of edits than with a million, and so is memory.

use crate::edit_set::Replacement;
use crate::text::Span;

/// Above so many replacements close ones are made one.
const MANY: usize = 10_000;

/// How far apart close ones are, in bytes.
pub(crate) const CLOSE: usize = 64;

/// How long one gets, in bytes.
pub(crate) const LONG: usize = 16 << 10;

/// Replacements given from left to right.
#[derive(Default)]
pub(crate) struct Joined {
    done: Vec<Replacement>,
    /// The one that close ones still come to.
    open: Option<(Span, String)>,
}

impl Joined {
    /// `put` in place of `span` of `text`.
    pub(crate) fn push(&mut self, text: &str, span: Span, put: &str) {
        if self.done.len() < MANY {
            let same = self.done.last().filter(|it| &*it.text == put).map(|it| it.text.clone());
            self.done.push(Replacement { span, text: same.unwrap_or_else(|| put.into()) });
            return;
        }
        let close = |it: &&mut (Span, String)| span.start.0 - it.0.end.0 <= CLOSE && it.1.len() < LONG;
        match self.open.as_mut().filter(close) {
            Some((whole, all)) => {
                all.push_str(&text[whole.end.0..span.start.0]);
                all.push_str(put);
                whole.end = span.end;
            }
            None => {
                self.close();
                self.open = Some((span, put.to_owned()));
            }
        }
    }

    fn close(&mut self) {
        self.done.extend(self.open.take().map(|(span, text)| Replacement::new(span, text)));
    }

    pub(crate) fn finish(mut self) -> Vec<Replacement> {
        self.close();
        self.done
    }
}
