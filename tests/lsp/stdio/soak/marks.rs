//! Characters that nobody writes: whatever an agent brings in is made of them and whatever a person types is not, so that
//! one can be told from the other in any text, at any time.

use std::ops::RangeInclusive;

use fake_editor::is_between;

/// What a person types.
const TYPED: RangeInclusive<char> = '\u{F0000}'..='\u{FFFFD}';
/// What an agent puts into a line.
const IN_LINES: RangeInclusive<char> = '\u{100000}'..='\u{107FFF}';
/// What an agent puts in as a line of its own, with the line break behind it.
const WHOLE_LINES: RangeInclusive<char> = '\u{108000}'..='\u{10FFFD}';

/// The next of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    typed: char,
    in_line: char,
    whole_line: char,
}

impl Default for Marks {
    fn default() -> Self {
        Self { typed: *TYPED.start(), in_line: *IN_LINES.start(), whole_line: *WHOLE_LINES.start() }
    }
}

impl Marks {
    pub(crate) fn typed(&mut self) -> char {
        taken(&mut self.typed, &TYPED)
    }

    pub(crate) fn in_line(&mut self) -> char {
        taken(&mut self.in_line, &IN_LINES)
    }

    pub(crate) fn whole_line(&mut self) -> char {
        taken(&mut self.whole_line, &WHOLE_LINES)
    }
}

/// The next one; after the last the first again, which has been forgotten by then.
fn taken(next: &mut char, all: &RangeInclusive<char>) -> char {
    let it = *next;
    *next = char::from_u32(it as u32 + 1).filter(|it| all.contains(it)).unwrap_or(*all.start());
    it
}

/// What would stand there if there were no agents.
pub(crate) fn without_agents(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.chars().filter(|it| !IN_LINES.contains(it)).peekable();
    while let Some(it) = rest.next() {
        if WHOLE_LINES.contains(&it) {
            rest.next_if_eq(&'\r');
            rest.next_if_eq(&'\n');
        } else {
            kept.push(it);
        }
    }
    kept
}

/// The last place up to `at` where a person can type without tearing an agent's line from its line break.
pub(crate) fn place_to_type(text: &str, mut at: usize) -> usize {
    let tears =
        |at: usize| text[..at].trim_end_matches(|it| IN_LINES.contains(&it)).ends_with(|it| WHOLE_LINES.contains(&it));
    while !is_between(text, at) || tears(at) {
        at -= 1;
    }
    at
}
