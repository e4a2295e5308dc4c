//! What must hold of a table. Each is a floor: it is raised when the engine can do more, never lowered.

use super::table::{Row, Table};
use super::verdict::Outcome;

/// What must hold of a table.
#[derive(Clone, Copy, Debug)]
pub struct Floors {
    /// These never happen, in any class.
    pub never: &'static [Outcome],
    /// How many of a hundred cases of a class must be right; a class stands here by its whole name.
    pub right: &'static [(&'static str, usize)],
    /// How many of a hundred refusals with a region, over all classes, must point into it.
    pub nearest: usize,
}

/// Derived cases under `tolerant`: tiers 1 to 4.
pub const TOLERANT: Floors = Floors {
    never: &[Outcome::Wrong, Outcome::Collateral],
    right: &[
        ("exact", 100),
        ("exact_nl", 100),
        ("sub_first_indent", 100),
        ("sub_last_cut", 100),
        ("sub_first_cut", 100),
        ("dollar_new", 100),
        ("delete_all", 100),
        ("bom", 100),
        ("crlf_doc", 100),
        ("crlf_edit", 100),
        ("mixed_eol_exact", 100),
        ("ambig_exact", 100),
        ("ambig_ws", 100),
        ("exact_beats_ws", 100),
        ("decoy_only", 100),
        ("absent", 100),
        ("already_applied", 100),
        ("indent_shift", 95),
        ("indent_unshift", 95),
        ("indent_col0", 95),
    ],
    nearest: 98,
};

/// Derived cases under `lenient`, and field cases.
pub const LENIENT: Floors =
    Floors { never: &[Outcome::Missed, Outcome::Near, Outcome::Collateral, Outcome::Wrong], right: &[], nearest: 98 };

/// Our own cases, of both forms.
pub const OWN: Floors = Floors {
    never: &[Outcome::Missed, Outcome::Facts, Outcome::Near, Outcome::Collateral, Outcome::Wrong],
    right: &[],
    nearest: 98,
};

impl Floors {
    /// Every floor that `table` breaks.
    #[must_use]
    pub fn broken(&self, table: &Table) -> Vec<String> {
        let mut broken = vec![];
        for (class, row) in &table.rows {
            for &it in self.never {
                if row.count(it) > 0 {
                    broken.push(format!("{class}: {} {}", row.count(it), it.name()));
                }
            }
            // A merge that claims to be clean is applied by a person who trusts it.
            if row.here.1 > 0 {
                broken.push(format!("{class}: applied here, {} wrong", row.here.1));
            }
            let right = self.right.iter().find(|it| it.0 == class).map_or(0, |it| it.1);
            if row.count(Outcome::Right) * 100 < right * row.total() {
                broken.push(format!(
                    "{class}: {} of {} right, wanted {right} %",
                    row.count(Outcome::Right),
                    row.total()
                ));
            }
        }
        let Row { nearest: (near, all), .. } = table.sum();
        if near * 100 < self.nearest * all {
            broken.push(format!("all: {near} of {all} refusals point into their region, wanted {} %", self.nearest));
        }
        broken
    }
}
