//! A batch written in each of the formats: what `read` makes of it again is the same.

mod blocks;
mod envelope;
mod json;
mod rows;
mod unified;

use crate::batch::{Document, Format};

/// What a format has no way to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// The document, from 0.
    pub document: usize,
    /// Why.
    pub why: &'static str,
}

/// `documents` as `format` has them. Each edit comes out as it is, its hints included, or nothing does.
pub fn write(documents: &[Document], format: Format) -> Result<String, Unwritable> {
    let each = |one: fn(&Document) -> Result<String, &'static str>| {
        let written = documents
            .iter()
            .enumerate()
            .map(|(number, it)| one(it).map_err(|why| Unwritable { document: number, why }));
        written.collect::<Result<Vec<_>, _>>()
    };
    match format {
        Format::Params => Ok(json::params(&each(json::entry)?)),
        Format::Calls => Ok(each(json::calls)?.concat()),
        Format::Blocks => Ok(each(blocks::document)?.concat()),
        Format::Envelope => Ok(format!("*** Begin Patch\n{}*** End Patch\n", each(envelope::document)?.concat())),
        Format::Unified => Ok(each(unified::document)?.concat()),
    }
}

/// Why a name cannot be written.
const NAME: &str = "its name cannot stand on a line of its own";
/// Why an edit cannot be written.
const NUMBERED: &str = "an edit by line numbers";
const PARTS: &str = "an edit of less than whole lines";
const OCCURRENCES: &str = "an edit of every place, or of a number of places";
