//! One pass over the lines: each format is asked whether something of its own starts here, and takes all of it.

use memchr::memmem;

use crate::batch::{Batch, Change, Format};
use crate::lines::Lines;
use crate::place::{Place, Problem};
use crate::{blocks, envelope, gather, json, unified};

/// The batch that `text` holds; `None` where it holds none; or everything that is wrong with it, in order.
///
/// Linear in the length of the text.
pub fn read(text: &str) -> Result<Option<Batch>, Vec<Problem>> {
    if !may_hold_batch(text) {
        return Ok(None);
    }
    let mut reader = Reader::of(text);
    while reader.lines.at < reader.lines.count() {
        let taken = json::read(&mut reader)
            || blocks::read(&mut reader)
            || envelope::read(&mut reader)
            || unified::read(&mut reader);
        if !taken {
            reader.lines.pass();
        }
    }
    gather::batch(reader)
}

/// Whether a batch can be in `text` at all: a few searches for what each format cannot do without.
pub fn may_hold_batch(text: &str) -> bool {
    let marks = [" SEARCH", " REPLACE", "*** ", "@@ -", "+++ ", "diff --"];
    json::may_hold(text) || marks.iter().any(|it| memmem::find(text.as_bytes(), it.as_bytes()).is_some())
}

/// What one block of the text asks of one document.
#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) format: Format,
    pub(crate) name: String,
    pub(crate) change: Change,
    /// Where the document is named.
    pub(crate) place: Place,
}

/// What has been read so far.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    pub(crate) text: &'a str,
    pub(crate) lines: Lines<'a>,
    /// The line behind what was taken last: what stands in front of it belongs to that.
    pub(crate) floor: usize,
    pub(crate) sections: Vec<Section>,
    pub(crate) problems: Vec<Problem>,
    /// The parameters of `workspace/agentEdit`, as they stand there.
    pub(crate) params: Option<serde_json::Value>,
    /// Where the last key ends that a batch in JSON has.
    pub(crate) last_key: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        Self {
            text,
            lines: Lines::of(text),
            floor: 0,
            sections: Vec::new(),
            problems: Vec::new(),
            params: None,
            last_key: json::last_key(text),
        }
    }

    pub(crate) fn wrong(&mut self, place: Place, message: impl Into<String>) {
        self.problems.push(Problem::new(place, message));
    }

    /// Everything up to the line `end` is taken.
    pub(crate) fn taken_to(&mut self, end: usize) {
        self.lines.at = end;
        self.floor = end;
    }

    pub(crate) fn found(&mut self, format: Format, name: String, place: Place, change: Change) {
        self.sections.push(Section { format, name, change, place });
    }
}
