//! The lines in front of the hunks: which file, and what becomes of it as a whole.

use crate::names::unquoted;
use crate::reader::Reader;

/// A file before or after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// There is none: `/dev/null`.
    None,
    /// Its path.
    Name(String),
}

/// What the lines in front of the hunks say.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) old: Side,
    pub(super) new: Side,
    /// The lines `---` and `+++` are there: hunks have to follow.
    pub(super) has_sides: bool,
}

/// The line that is wrong, and what was expected.
type Wrong = (usize, String);

/// Git's lines below `diff --git`.
#[derive(Default)]
struct Extended {
    is_new: bool,
    is_deleted: bool,
    from: Option<String>,
    to: Option<String>,
    /// The line that sets another mode.
    mode: Option<usize>,
}

impl Header {
    /// The header that starts on the line `first`, and the line behind it.
    pub(super) fn read(reader: &Reader<'_>, first: usize) -> Result<(Self, usize), Wrong> {
        let line = reader.lines.text(first).unwrap_or_default();
        let Some(names) = line.strip_prefix("diff --git ") else {
            let (old, new) = sides(reader, first)?;
            let (old, new) = without_prefixes(old, new, false);
            return Self::same_name(old, new, first).map(|it| (it, first + 2));
        };
        let (extended, at) = Extended::read(reader, first + 1)?;
        let has_sides = super::is_header(reader, at);
        let (old, new) = if has_sides { sides(reader, at)? } else { git_names(names, &extended, first)? };
        let body = if has_sides { at + 2 } else { at };
        let (old, new) = without_prefixes(old, new, true);
        let header = extended.header(old, new, has_sides, first)?;
        Ok((header, body))
    }

    fn same_name(old: Side, new: Side, line: usize) -> Result<Self, Wrong> {
        match (&old, &new) {
            (Side::Name(a), Side::Name(b)) if a != b => {
                let message = format!("expected the name of the line above, {a}, or `rename from` and `rename to`");
                Err((line + 1, message))
            }
            _ => Ok(Self { old, new, has_sides: true }),
        }
    }
}

impl Extended {
    fn read(reader: &Reader<'_>, first: usize) -> Result<(Self, usize), Wrong> {
        let mut found = Self::default();
        let mut at = first;
        while let Some(line) = reader.lines.text(at) {
            let name = |rest: &str| plain_name(rest).map_err(|it| (at, it.to_owned()));
            if line.starts_with("new file mode ") {
                found.is_new = true;
            } else if line.starts_with("deleted file mode ") {
                found.is_deleted = true;
            } else if let Some(rest) = line.strip_prefix("rename from ") {
                found.from = Some(name(rest)?);
            } else if let Some(rest) = line.strip_prefix("rename to ") {
                found.to = Some(name(rest)?);
            } else if line.starts_with("new mode ") {
                found.mode = Some(at);
            } else if line.starts_with("copy from ") || line.starts_with("copy to ") {
                return Err((at, "a copy cannot be applied: expected a new file with its content".to_owned()));
            } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
                return Err((at, "a binary patch cannot be applied: expected lines of text".to_owned()));
            } else if !["old mode ", "index ", "similarity index ", "dissimilarity index "]
                .iter()
                .any(|it| line.starts_with(it))
            {
                break;
            }
            at += 1;
        }
        Ok((found, at))
    }

    fn header(self, old: Side, new: Side, has_sides: bool, line: usize) -> Result<Header, Wrong> {
        if let Some(line) = self.mode {
            return Err((
                line,
                "another file mode is nothing that an edit can set: expected a change of text".to_owned(),
            ));
        }
        let renamed = match (self.from, self.to) {
            (Some(from), Some(to)) => Some((from, to)),
            (None, None) => None,
            (from, _) => {
                let lacking = if from.is_some() { "rename to" } else { "rename from" };
                return Err((line, format!("expected a line `{lacking}` below")));
            }
        };
        let named = |side: &Side, name: &str| matches!(side, Side::Name(it) if it == name);
        match renamed {
            Some((from, to)) if has_sides && !(named(&old, &from) && named(&new, &to)) => Err((
                line,
                format!("expected the names of the renaming, {from} and {to}, on the lines `---` and `+++`"),
            )),
            Some((from, to)) => Ok(Header { old: Side::Name(from), new: Side::Name(to), has_sides }),
            None if self.is_new || self.is_deleted => {
                let (gone, kept) = if self.is_new { (old, new) } else { (new, old) };
                let is_right = !(self.is_new && self.is_deleted)
                    && matches!(kept, Side::Name(_))
                    && (gone == Side::None || gone == kept);
                if !is_right {
                    return Err((line, "expected one name, and `/dev/null` for the side without the file".to_owned()));
                }
                let (old, new) = if self.is_new { (Side::None, kept) } else { (kept, Side::None) };
                Ok(Header { old, new, has_sides })
            }
            None => Header::same_name(old, new, line).map(|it| Header { has_sides, ..it }),
        }
    }
}

/// The files that the lines `---` and `+++` name.
fn sides(reader: &Reader<'_>, first: usize) -> Result<(Side, Side), Wrong> {
    let side = |number: usize| {
        let line = reader.lines.text(number).and_then(|it| it.get(4..)).unwrap_or_default();
        let name = file_name(line).map_err(|it| (number, it.to_owned()))?;
        Ok(if name == "/dev/null" { Side::None } else { Side::Name(name) })
    };
    Ok((side(first)?, side(first + 1)?))
}

/// The name in front of a tab or a time.
fn file_name(line: &str) -> Result<String, &'static str> {
    if line.starts_with('"') {
        return unquoted(line).map(|it| it.0);
    }
    let name = line.split('\t').next().unwrap_or_default();
    let name = (0..name.len()).find(|at| is_time(&name.as_bytes()[*at..])).map_or(name, |it| &name[..it]);
    plain_name(name)
}

/// Whether a space and a time as in ` 2026-02-21 23:30:39` come first.
fn is_time(bytes: &[u8]) -> bool {
    let shape = b" 0000-00-00 00:00:00";
    let fits = |(byte, shape): (&u8, &u8)| if *shape == b'0' { byte.is_ascii_digit() } else { byte == shape };
    bytes.len() >= shape.len() && bytes.iter().zip(shape).all(fits)
}

fn plain_name(name: &str) -> Result<String, &'static str> {
    let name = name.trim_end();
    match name {
        "" => Err("expected the name of a file"),
        _ if name.starts_with('"') => unquoted(name).map(|it| it.0),
        _ => Ok(name.to_owned()),
    }
}

/// The names behind `diff --git`, where no other line has them: both are the same but for their prefixes.
fn git_names(names: &str, extended: &Extended, line: usize) -> Result<(Side, Side), Wrong> {
    if extended.from.is_some() {
        return Ok((Side::None, Side::None));
    }
    let wrong = || (line, "expected the same name twice behind `diff --git`".to_owned());
    if names.starts_with('"') {
        let (old, end) = unquoted(names).map_err(|it| (line, it.to_owned()))?;
        let new = plain_name(names[end..].trim_start()).map_err(|it| (line, it.to_owned()))?;
        return Ok((Side::Name(old), Side::Name(new)));
    }
    let names = names.trim_end();
    let middle = names.len() / 2;
    let (old, new) = names.split_at_checked(middle).ok_or_else(wrong)?;
    let new = new.strip_prefix(' ').ok_or_else(wrong)?;
    let bare = |it: &str| it.split_once('/').map_or(it.to_owned(), |it| it.1.to_owned());
    if old == new || bare(old) == bare(new) {
        return Ok((Side::Name(old.to_owned()), Side::Name(new.to_owned())));
    }
    Err(wrong())
}

/// The names without `a/` and `b/`, or what Git is told to write in their place, where both sides have theirs.
fn without_prefixes(old: Side, new: Side, is_git: bool) -> (Side, Side) {
    let pairs: &[(&str, &str)] =
        if is_git { &[("a/", "b/"), ("i/", "w/"), ("c/", "i/"), ("c/", "w/"), ("o/", "w/")] } else { &[("a/", "b/")] };
    let cut = |side: &Side, prefix: &str| match side {
        Side::None => Some(Side::None),
        Side::Name(name) => name.strip_prefix(prefix).filter(|it| !it.is_empty()).map(|it| Side::Name(it.to_owned())),
    };
    pairs.iter().find_map(|(a, b)| cut(&old, a).zip(cut(&new, b))).unwrap_or((old, new))
}
