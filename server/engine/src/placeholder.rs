//! Lines of new text that leave out code they would delete: `// ... existing code ...`, "rest of the file unchanged".

use crate::rows::rows;
use crate::text::Line;

/// The first line of `new` that leaves code out where `old` has no such line.
pub(crate) fn placeholder(old: &str, new: &str) -> Option<Line> {
    if rows(old).any(|row| leaves_out(row.text) || is_elision(row.text)) {
        return None;
    }
    rows(new).position(|row| leaves_out(row.text)).map(Line)
}

/// Whether a line is nothing but dots, bare or in a comment, with or without "existing code" and the like.
pub(crate) fn is_elision(line: &str) -> bool {
    let bare = line.trim();
    bare == "..." || bare == "…" || ((bare.contains("...") || bare.contains('…')) && leaves_out(bare))
}

/// What opens and closes a comment, in the languages agents write. Longer ones first.
const OPENERS: &[&str] =
    &["<!--", "{/*", "/**", "/*", "///", "//", "--[[", "--", "##", "#", "%", ";;", ";", "(*", "{-", "'", "*"];
const CLOSERS: &[&str] = &["-->", "*/}", "*/", "]]", "*)", "-}"];

/// Words that say what is left out, and words that may stand beside them. A line of nothing else is a placeholder.
const KEPT: &[&str] =
    &["existing", "rest", "remaining", "remainder", "unchanged", "same", "previous", "original", "omitted", "other"];
const BESIDE: &[&str] = &[
    "the",
    "of",
    "as",
    "is",
    "are",
    "and",
    "in",
    "for",
    "here",
    "above",
    "before",
    "below",
    "code",
    "file",
    "function",
    "functions",
    "method",
    "methods",
    "class",
    "classes",
    "body",
    "implementation",
    "content",
    "contents",
    "logic",
    "lines",
    "line",
    "stays",
    "remains",
    "remain",
    "stay",
    "keep",
    "kept",
    "this",
    "your",
    "all",
    "it",
    "goes",
    "imports",
    "fields",
    "tests",
    "brevity",
    "module",
    "block",
    "section",
    "component",
    "script",
    "document",
    "from",
    "with",
    "no",
    "changes",
    "to",
    "etc",
    "everything",
    "else",
];

fn leaves_out(line: &str) -> bool {
    let line = line.trim();
    let opener = OPENERS.iter().find(|it| line.starts_with(**it));
    let inner = opener.map_or(line, |it| &line[it.len()..]).trim();
    let inner = CLOSERS.iter().find_map(|it| inner.strip_suffix(it)).unwrap_or(inner).trim();
    let dots = |text: &str| text.contains("...") || text.contains('…');
    let words: Vec<String> = inner
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|it| !it.is_empty())
        .map(str::to_lowercase)
        .collect();
    let known = |word: &String| KEPT.contains(&word.as_str()) || BESIDE.contains(&word.as_str());
    let says_so = words.iter().any(|it| KEPT.contains(&it.as_str())) && words.iter().all(known);
    match opener {
        // A comment that is nothing but dots, or says what is kept.
        Some(_) => (dots(inner) && (words.is_empty() || says_so)) || (says_so && speaks_of_code(&words)),
        // Without a comment it must be a whole phrase: `...` alone is code in some languages.
        None => says_so && (dots(inner) || speaks_of_code(&words)) && words.len() >= 2,
    }
}

/// "rest of the file unchanged" and the like, said without dots.
fn speaks_of_code(words: &[String]) -> bool {
    let has = |list: &[&str]| words.iter().any(|it| list.contains(&it.as_str()));
    has(&["rest", "remaining", "remainder", "existing"])
        && has(&["unchanged", "same", "code", "file", "function", "method", "class", "implementation", "body"])
        && has(&["unchanged", "same", "remains", "stays", "here", "rest", "omitted"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_leave_code_out_are_told_from_code() {
        for line in [
            "// ... existing code ...",
            "    # ... rest of the function ...",
            "/* ... */",
            "// ...",
            "<!-- ... existing content ... -->",
            "-- … unchanged …",
            "// rest of the file unchanged",
            "# rest of the code remains the same",
            "... rest of the file unchanged ...",
            "{/* ... existing code ... */}",
            "// ... other methods ...",
        ] {
            assert!(leaves_out(line), "{line}");
        }
        for line in [
            "...",
            "…",
            "f(...args)",
            "// see the existing code in parse.rs",
            "// waits... then retries",
            "# the rest is up to the caller",
            "let rest = 1;",
            "// the same as above",
            "return existing",
            "match x { .. }",
            "other: ...",
            "// Loading...",
        ] {
            assert!(!leaves_out(line), "{line}");
        }
    }

    #[test]
    fn a_line_that_was_there_before_is_none() {
        assert_eq!(placeholder("a\n", "a\n// ... existing code ...\n"), Some(Line(1)));
        assert_eq!(placeholder("// ...\na\n", "// ... existing code ...\nb\n"), None);
    }
}
