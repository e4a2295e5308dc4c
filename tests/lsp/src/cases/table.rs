//! The verdicts of many cases, counted by class.

use std::collections::BTreeMap;
use std::fmt;

use super::case::Case;
use super::verdict::{Here, Outcome, Verdict};

/// The verdicts, by class, and every one that is not right.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub(crate) rows: BTreeMap<String, Row>,
    notes: Vec<String>,
}

/// One class.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    counts: [usize; Outcome::ALL.len()],
    /// Of the refusals with a region, those whose candidate overlaps it, and all.
    pub(crate) nearest: (usize, usize),
    /// Refusals that gave a candidate where nothing resembles the edit.
    pub(crate) invented: usize,
    /// Of the refusals that a person may mend, those that *Apply edit here* made right, those it made wrong, and all.
    pub(crate) here: (usize, usize, usize),
}

impl Row {
    pub(crate) fn count(&self, outcome: Outcome) -> usize {
        self.counts[outcome as usize]
    }

    pub(crate) fn total(&self) -> usize {
        self.counts.iter().sum()
    }

    fn add(&mut self, verdict: &Verdict) {
        self.counts[verdict.outcome as usize] += 1;
        self.invented += usize::from(verdict.invented);
        if let Some(here) = &verdict.here {
            self.here.0 += usize::from(*here == Here::Right);
            self.here.1 += usize::from(matches!(here, Here::Wrong(_)));
            self.here.2 += 1;
        }
        if let Some(nearest) = verdict.nearest {
            self.nearest.0 += usize::from(nearest);
            self.nearest.1 += 1;
        }
    }
}

impl Table {
    /// Counts a verdict.
    pub fn add(&mut self, case: &Case, verdict: &Verdict) {
        self.rows.entry(case.class.clone()).or_default().add(verdict);
        let far = verdict.nearest == Some(false) || verdict.invented;
        if far || !matches!(verdict.outcome, Outcome::Right | Outcome::Safe) {
            let far = if far { " (and points elsewhere)" } else { "" };
            self.notes.push(format!("{:<10} {}{far}: {}", verdict.outcome.name(), case.id, verdict.detail));
        }
        if let Some(Here::Wrong(detail)) = &verdict.here {
            self.notes.push(format!("{:<10} {}: {detail}", "here", case.id));
        }
    }

    /// All classes together.
    pub(crate) fn sum(&self) -> Row {
        self.rows.values().fold(Row::default(), |mut sum, row| {
            for (sum, count) in sum.counts.iter_mut().zip(row.counts) {
                *sum += count;
            }
            sum.nearest = (sum.nearest.0 + row.nearest.0, sum.nearest.1 + row.nearest.1);
            sum.invented += row.invented;
            let (right, wrong, all) = row.here;
            sum.here = (sum.here.0 + right, sum.here.1 + wrong, sum.here.2 + all);
            sum
        })
    }

    /// One line: all classes together.
    #[must_use]
    pub fn summary(&self) -> String {
        let sum = self.sum();
        let counts: Vec<_> = Outcome::ALL.iter().map(|&it| format!("{} {}", sum.count(it), it.name())).collect();
        format!(
            "{} cases: {}; nearest {} of {}; applied here {} right, {} wrong of {}",
            sum.total(),
            counts.join(", "),
            sum.nearest.0,
            sum.nearest.1,
            sum.here.0,
            sum.here.1,
            sum.here.2
        )
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<34}{:>5}", "class", "cases")?;
        for it in Outcome::ALL {
            write!(f, "{:>11}", it.name())?;
        }
        writeln!(f, "{:>11}{:>10}{:>9}{:>12}", "nearest", "invented", "here", "here wrong")?;
        for (class, row) in self.rows.iter().chain([(&"all".to_owned(), &self.sum())]) {
            write!(f, "{class:<34}{:>5}", row.total())?;
            for it in Outcome::ALL {
                match row.count(it) {
                    0 => write!(f, "{:>11}", "·")?,
                    count => write!(f, "{count:>11}")?,
                }
            }
            let nearest = format!("{}/{}", row.nearest.0, row.nearest.1);
            let here = format!("{}/{}", row.here.0, row.here.2);
            writeln!(f, "{nearest:>11}{:>10}{here:>9}{:>12}", row.invented, row.here.1)?;
        }
        self.notes.iter().try_for_each(|it| writeln!(f, "{it}"))
    }
}
