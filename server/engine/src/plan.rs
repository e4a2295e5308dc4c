//! The heart: batch and texts in, plan or conflicts out. Every edit ends applied or in conflict, never both.

use std::collections::BTreeMap;

use crate::applied::{Applied, Change, Warning, WarningKind};
use crate::batch::{Anchoring, Document, Edit, FindReplace, Options};
use crate::conflict::{Conflict, Kind};
use crate::diagnosis::diagnose;
use crate::edit_set::{EditSet, Replacement};
use crate::line_edits::{BaseLines, LineChange};
use crate::minimal::minimal;
use crate::place::{Placed, place};
use crate::scan::Scan;
use crate::text::{Byte, Span, Text};
use crate::warnings::warnings;
use crate::working::Working;

/// What a batch does to one of its documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentPlan {
    /// From base to result: sorted, disjoint, minimal.
    pub edits: EditSet,
    /// The text afterwards.
    pub result: Text,
    /// What was done, one an edit.
    pub applied: Vec<Applied>,
    /// What a person should know of it.
    pub warnings: Vec<Warning>,
}

/// Plans `documents` as one batch: all of it, or the conflicts of every edit that fails. A document without edits is only
/// looked into for what is missing in the others.
///
/// # Errors
/// The conflicts, in the order of documents and edits, never empty.
pub fn plan(documents: &[Document<'_>], options: &Options) -> Result<Vec<DocumentPlan>, Vec<Conflict>> {
    let mut plans = Vec::new();
    let mut conflicts = Vec::new();
    for index in 0..documents.len() {
        let planning = Planning { documents, index, options, conflicts: Vec::new(), warnings: Vec::new() };
        match planning.run() {
            Ok(plan) => plans.push(plan),
            Err(failed) => conflicts.extend(failed),
        }
    }
    if conflicts.is_empty() { Ok(plans) } else { Err(conflicts) }
}

/// The planning of one document.
struct Planning<'a> {
    documents: &'a [Document<'a>],
    index: usize,
    options: &'a Options,
    conflicts: Vec<Conflict>,
    warnings: Vec<Warning>,
}

/// All that is done to a text, what it becomes, and what was done for each edit.
struct Done {
    edits: EditSet,
    result: Text,
    applied: Vec<Applied>,
}

impl<'a> Planning<'a> {
    fn run(mut self) -> Result<DocumentPlan, Vec<Conflict>> {
        let Done { edits, result, applied } = match (self.mixed(), self.options.anchoring) {
            (Some(kinds), _) => self.refuse_mixed(kinds),
            (None, _) if self.document().edits.first().is_some_and(is_line_edit) => self.line_edits(),
            (None, Anchoring::Sequential) => self.sequential(),
            (None, Anchoring::Original) => self.original(),
        };
        if !self.conflicts.is_empty() {
            self.conflicts.sort_by_key(|it| it.edit);
            return Err(self.conflicts);
        }
        // A document that is only looked into costs nothing here.
        let edits = if edits.is_empty() { edits } else { minimal(edits, self.document().text.as_str()) };
        Ok(DocumentPlan { edits, result, applied, warnings: self.warnings })
    }

    fn document(&self) -> Document<'a> {
        self.documents[self.index]
    }

    fn fail(&mut self, working: &Working<'_>, edit: usize, kind: Kind) {
        let earlier: Vec<usize> = self.conflicts.iter().map(|it| it.edit).collect();
        self.conflicts.push(diagnose(self.documents, self.index, working, edit, kind, &earlier));
    }

    fn warn(&mut self, edit: usize, changes: &EditSet, before: &Text) {
        let edits = self.document().edits;
        let mut kinds = warnings(&edits[edit], changes, before);
        if edits[..edit].contains(&edits[edit]) {
            kinds.push(WarningKind::DuplicateEdit);
        }
        self.warnings.extend(kinds.into_iter().map(|kind| Warning { edit, kind }));
    }

    /// Where find/replace and line edits stand in one document: the first edit, and the first of the other kind.
    fn mixed(&self) -> Option<usize> {
        let edits = self.document().edits;
        edits.iter().position(|it| is_line_edit(it) != is_line_edit(&edits[0]))
    }

    /// Nobody can say which text the numbers speak of: every edit fails, and names one of the other kind.
    fn refuse_mixed(&mut self, other: usize) -> Done {
        let Document { text, edits, .. } = self.document();
        let working = Working::new(text);
        for (index, edit) in edits.iter().enumerate() {
            let with = if is_line_edit(edit) == is_line_edit(&edits[0]) { other } else { 0 };
            self.fail(&working, index, Kind::MixedKinds { with });
        }
        Done { edits: EditSet::default(), result: text.clone(), applied: Vec::new() }
    }

    /// Each edit sees the text the earlier ones left.
    fn sequential(&mut self) -> Done {
        let Document { text, edits, .. } = self.document();
        let mut working = Working::new(text);
        let mut scan = Scan::of(text, find_replaces(edits).map(|(_, it)| &*it.old_text));
        let mut applied = Vec::new();
        for (index, edit) in find_replaces(edits) {
            let scanned = scan.find(working.text(), index, &edit.old_text);
            match place(&working, edit, self.options, scanned) {
                Ok(placed) => {
                    applied.push(described(&working, edit, &placed));
                    self.warn(index, &placed.edits, working.text());
                    scan.apply(&placed.edits);
                    working.apply(placed.edits);
                }
                Err(kind) => self.fail(&working, index, kind),
            }
        }
        let (edits, result) = working.finish();
        Done { edits, result, applied }
    }

    /// Every edit sees the base; none may touch what another changes.
    fn original(&mut self) -> Done {
        let Document { text, edits, .. } = self.document();
        let working = Working::new(text);
        let scan = Scan::of(text, find_replaces(edits).map(|(_, it)| &*it.old_text));
        let mut applied = Vec::new();
        let mut all: Vec<(usize, Replacement)> = Vec::new();
        for (index, edit) in find_replaces(edits) {
            match place(&working, edit, self.options, scan.find(text, index, &edit.old_text)) {
                Ok(placed) => {
                    applied.push(described(&working, edit, &placed));
                    self.warn(index, &placed.edits, text);
                    // What changes nothing is in nobody's way.
                    let changes = placed.edits.replacements().iter().filter(|it| !changes_nothing(&working, it));
                    all.extend(changes.map(|it| (index, it.clone())));
                }
                Err(kind) => self.fail(&working, index, kind),
            }
        }
        for (edit, with) in overlapping(&all) {
            self.fail(&working, edit, Kind::Overlap { with });
        }
        all.sort_by_key(|(_, it)| it.span.start);
        let disjoint = EditSet::new(all.into_iter().map(|(_, it)| it).collect());
        let edits = disjoint.unwrap_or_default();
        Done { result: text.edited(&edits), edits, applied }
    }

    fn line_edits(&mut self) -> Done {
        let Document { text, edits, .. } = self.document();
        let working = Working::new(text);
        let lines = BaseLines::of(text);
        let mut changes: Vec<(usize, LineChange)> = Vec::new();
        for (index, edit) in edits.iter().enumerate() {
            let overlapped =
                |it: &LineChange| changes.iter().find(|(_, other)| other.overlaps(it)).map(|(with, _)| *with);
            match lines.change(edit, self.options) {
                None => {}
                Some(Err(kind)) => self.fail(&working, index, kind),
                Some(Ok(change)) => match overlapped(&change) {
                    Some(with) => self.fail(&working, index, Kind::Overlap { with }),
                    None => {
                        self.warn(index, &lines.together([&change]), text);
                        changes.push((index, change));
                    }
                },
            }
        }
        let edits = lines.together(changes.iter().map(|(_, it)| it));
        if let (Some((last, _)), true) = (changes.last(), edits.result_len(text.len().0) > self.options.output_limit) {
            self.fail(&working, *last, Kind::OutputLimit { limit: self.options.output_limit });
        }
        let applied = changes.into_iter().map(|(_, it)| it.applied).collect();
        Done { result: text.edited(&edits), edits, applied }
    }
}

fn is_line_edit(edit: &Edit) -> bool {
    !matches!(edit, Edit::FindReplace(_))
}

fn find_replaces(edits: &[Edit]) -> impl Iterator<Item = (usize, &FindReplace)> {
    edits.iter().enumerate().filter_map(|(index, edit)| match edit {
        Edit::FindReplace(it) => Some((index, it)),
        Edit::LineReplace(_) | Edit::LineInsert(_) => None,
    })
}

/// The edits that touch what an edit before them changes, each with that one. An edit that fails so is in nobody's way.
fn overlapping(all: &[(usize, Replacement)]) -> Vec<(usize, usize)> {
    let mut failing = Vec::new();
    let mut taken: BTreeMap<Byte, (Byte, usize)> = BTreeMap::new();
    for changes in all.chunk_by(|a, b| a.0 == b.0) {
        let edit = changes[0].0;
        match changes.iter().find_map(|(_, it)| taken_by(&taken, it.span)) {
            Some(with) => failing.push((edit, with)),
            None => taken.extend(changes.iter().map(|(_, it)| (it.span.start, (it.span.end, edit)))),
        }
    }
    failing
}

/// Who has some of `span`; two insertions at one place have it both.
fn taken_by(taken: &BTreeMap<Byte, (Byte, usize)>, span: Span) -> Option<usize> {
    let (start, (end, edit)) = taken.range(..span.end.max(Byte(span.start.0 + 1))).next_back()?;
    (*end > span.start || *start == span.start).then_some(*edit)
}

fn described(working: &Working<'_>, edit: &FindReplace, placed: &Placed) -> Applied {
    Applied {
        change: Change::FindReplace {
            line: working.base().line_of(working.to_base(placed.first).start),
            find_length: edit.old_text.len(),
            replaced_length: placed.replaced,
            content_length: placed.content,
        },
        no_change: placed.no_change,
        strategy: placed.strategy,
        occurrences: placed.occurrences,
    }
}

fn changes_nothing(working: &Working<'_>, it: &Replacement) -> bool {
    working.as_str()[it.span.range()] == *it.text
}
