//! One open document of the fake editor: its text, and what the server has been told of it.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::{Value, json};

use crate::positions::{Encoding, range};
use crate::text_edits::Replacement;

/// How many of the announced texts are kept, to check what the server says of one of them.
const KEPT: usize = 64;

/// An open document.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) version: i64,
    /// The one its next change gives it.
    next_version: i64,
    first_version: i64,
    encoding: Encoding,
    /// Made, and not yet told: in order.
    untold: Vec<Change>,
    /// The texts the server has been told, by version.
    told: BTreeMap<i64, String>,
}

/// One `didChange` to be.
#[derive(Clone, Debug)]
struct Change {
    version: i64,
    content: Vec<Value>,
    text: String,
}

/// How an edit of several replacements is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    /// One change, from the end of the document to its start.
    FromTheEnd,
    /// One change, from the start of the document to its end.
    FromTheStart,
    /// One change a replacement, from the end of the document to its start.
    OneByOne,
    /// One change, the whole text.
    Whole,
}

impl Document {
    pub(crate) fn open(text: &str, version: i64, encoding: Encoding) -> Self {
        let told = BTreeMap::from([(version, text.to_owned())]);
        let text = text.to_owned();
        Self { text, version, next_version: version + 1, first_version: version, encoding, untold: vec![], told }
    }

    /// Versions are Vim's changedtick: 0 as long as nothing has changed, which an edit for version 1 fits too, then 3 at
    /// the least.
    pub(crate) fn with_changedticks(mut self) -> Self {
        self.told.insert(1, self.text.clone());
        self.next_version = 3;
        self
    }

    /// Makes sorted, disjoint replacements.
    pub(crate) fn change(&mut self, replacements: &[Replacement], telling: Telling) {
        let mut content = vec![];
        match telling {
            Telling::FromTheStart => {
                let mut shift = 0_isize;
                let moved = |at: usize, shift: isize| at.checked_add_signed(shift).expect("it stays in the text");
                for (span, new_text) in replacements {
                    content.push(self.replace(moved(span.start, shift)..moved(span.end, shift), new_text));
                    shift += new_text.len().cast_signed() - span.len().cast_signed();
                }
            }
            Telling::FromTheEnd => {
                for (span, new_text) in replacements.iter().rev() {
                    content.push(self.replace(span.clone(), new_text));
                }
            }
            Telling::OneByOne => {
                for (span, new_text) in replacements.iter().rev() {
                    let one = self.replace(span.clone(), new_text);
                    self.announce(vec![one]);
                }
                return;
            }
            Telling::Whole => {
                for (span, new_text) in replacements.iter().rev() {
                    self.text.replace_range(span.clone(), new_text);
                }
                content.push(json!({"text": self.text}));
            }
        }
        self.announce(content);
    }

    fn replace(&mut self, span: Range<usize>, new_text: &str) -> Value {
        let range = range(&self.text, self.encoding, span.clone());
        self.text.replace_range(span, new_text);
        json!({"range": range, "text": new_text})
    }

    fn announce(&mut self, content: Vec<Value>) {
        self.version = self.next_version;
        self.next_version += 1;
        self.untold.push(Change { version: self.version, content, text: self.text.clone() });
    }

    /// Whether the server has been told everything.
    pub(crate) fn is_told(&self) -> bool {
        self.untold.is_empty()
    }

    /// The version and the `contentChanges` of the oldest change the server has not been told.
    pub(crate) fn tell_one(&mut self) -> Option<(i64, Vec<Value>)> {
        let Change { version, content, text } = (!self.untold.is_empty()).then(|| self.untold.remove(0))?;
        self.remember(version, text);
        Some((version, content))
    }

    /// The same for all of them as a single one.
    pub(crate) fn tell_rest(&mut self) -> Option<(i64, Vec<Value>)> {
        let rest = std::mem::take(&mut self.untold);
        let (version, text) = rest.last().map(|it| (it.version, it.text.clone()))?;
        self.remember(version, text);
        Some((version, rest.into_iter().flat_map(|it| it.content).collect()))
    }

    fn remember(&mut self, version: i64, text: String) {
        self.told.insert(version, text);
        while self.told.len() > KEPT {
            self.told.pop_first();
        }
    }

    /// The text the server has been told for `version`; `None` where that was too long ago, an error where it never was.
    pub(crate) fn told(&self, version: i64) -> Result<Option<&str>, String> {
        match self.told.get(&version) {
            Some(it) => Ok(Some(it)),
            None if (self.first_version..*self.told.keys().next().expect("never empty")).contains(&version) => Ok(None),
            None => Err(format!("version {version} was never announced")),
        }
    }

    /// The last text the server has been told.
    pub(crate) fn last_told(&self) -> &str {
        self.told.values().next_back().expect("the text it was opened with at least")
    }

    /// Whether `holds` for a text the server was told and that is still known.
    pub(crate) fn any_told(&self, holds: impl Fn(&str) -> bool) -> bool {
        self.told.values().any(|it| holds(it))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Document, Telling};
    use crate::positions::{Encoding, span};

    /// What a server makes of the changes.
    fn follow(text: &mut String, content: &[Value]) {
        for change in content {
            let new_text = change["text"].as_str().unwrap();
            match change.get("range") {
                Some(range) => text.replace_range(span(text, Encoding::Utf16, range).unwrap(), new_text),
                None => *text = new_text.to_owned(),
            }
        }
    }

    #[test]
    fn who_follows_what_is_told_has_the_text() {
        for telling in [Telling::FromTheEnd, Telling::FromTheStart, Telling::OneByOne, Telling::Whole] {
            let mut document = Document::open("one\r\n🚀 two\nthree", 0, Encoding::Utf16);
            let mut followed = document.text.clone();
            document.change(&[(0..3, "1\n1".to_owned()), (5..9, "é".to_owned()), (13..14, String::new())], telling);
            document.change(&[(0..0, "x".to_owned())], telling);
            let (version, content) = document.tell_one().unwrap();
            follow(&mut followed, &content);
            assert_eq!(document.told(version), Ok(Some(followed.as_str())), "{telling:?}");
            follow(&mut followed, &document.tell_rest().unwrap().1);
            assert_eq!(followed, "x1\n1\r\né twothree", "{telling:?}");
            assert_eq!(followed, document.text);
            assert!(document.is_told());
        }
    }

    #[test]
    fn versions_are_those_told() {
        let mut document = Document::open("a", 1, Encoding::Utf8);
        document.change(&[(0..1, "b".to_owned())], Telling::Whole);
        assert_eq!(document.told(1), Ok(Some("a")));
        assert!(document.told(2).is_err() && document.told(0).is_err());
        assert_eq!(document.tell_one(), Some((2, vec![json!({"text": "b"})])));
        assert_eq!(document.told(2), Ok(Some("b")));
    }
}
