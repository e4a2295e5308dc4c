//! The names of files, as the formats decorate them.

/// The path that a line of prose is: bare, or as a heading, in bold or code, with a label in front or a colon behind.
pub(crate) fn on_line(line: &str) -> Option<&str> {
    let line = line.trim();
    for tag in ["path", "file_path"] {
        let inner = line.strip_prefix('<').and_then(|it| it.strip_prefix(tag)).and_then(|it| it.strip_prefix('>'));
        if let Some(name) = inner.and_then(|it| it.strip_suffix('>')?.strip_suffix(tag)?.strip_suffix("</")) {
            return Some(name.trim()).filter(|it| !it.is_empty());
        }
    }
    let bare = line.trim_start_matches('#').trim_start();
    let bare = bare.strip_prefix("// ").unwrap_or(bare).trim();
    let labels = ["File:", "file:", "Path:", "path:", "Filename:", "filename:", "File path:"];
    let unlabelled = labels.iter().find_map(|it| bare.strip_prefix(it)).filter(|it| it.starts_with([' ', '`', '*']));
    let (name, is_quoted) = undecorated(unlabelled.unwrap_or(bare).trim());
    let is_path = name.contains(['.', '/', '\\']);
    let is_word = !name.contains(char::is_whitespace);
    let ends_well =
        !name.ends_with(['.', ',', ';', '!', '?', ':', '>', '}', ')']) && !name.starts_with(['<', '{', '(']);
    let is_name = name.contains(char::is_alphanumeric)
        && !name.contains(char::is_control)
        && (is_quoted || (is_word && ends_well && (is_path || name.len() == line.len())));
    is_name.then_some(name)
}

/// Without bold, code and colon around it; and whether it stood in code or bold, where blanks belong to it.
fn undecorated(text: &str) -> (&str, bool) {
    let (mut name, mut is_quoted) = (text, false);
    loop {
        let pairs = ["**", "__", "`", "*"];
        let inner = pairs.iter().find_map(|it| name.strip_prefix(it)?.strip_suffix(it)).filter(|it| !it.is_empty());
        if let Some(inner) = inner {
            // Two quoted words are no quoted name.
            if inner.contains(['`', '*']) && !inner.starts_with(['`', '*']) {
                return (name, false);
            }
            (name, is_quoted) = (inner.trim(), true);
        } else if let Some(front) = name.strip_suffix(':') {
            name = front.trim_end();
        } else {
            return (name, is_quoted);
        }
    }
}

/// Lines that some tools put between a path and a block.
pub(crate) fn is_wrapping(line: &str) -> bool {
    matches!(line.trim(), "<diff>" | "<content>" | "<![CDATA[" | "</diff>" | "</content>" | "]]>")
}

/// A name as Git and GNU diff quote it: in double quotes, with escapes of C and octal bytes. Where it ends in `text`.
pub(crate) fn unquoted(text: &str) -> Result<(String, usize), &'static str> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 1;
    loop {
        match (bytes.get(at), bytes.get(at + 1)) {
            (None, _) | (Some(b'\\'), None) => return Err("expected `\"` to close the name"),
            (Some(b'"'), _) => break,
            (Some(b'\\'), Some(b'0'..=b'3')) => {
                let digits = text.get(at + 1..at + 4).and_then(|it| u8::from_str_radix(it, 8).ok());
                out.push(digits.ok_or("expected three octal digits behind `\\` in the name")?);
                at += 4;
            }
            (Some(b'\\'), Some(letter)) => {
                let plain = match letter {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    b'"' | b'\\' => *letter,
                    _ => return Err("expected an escape as in C behind `\\` in the name"),
                };
                out.push(plain);
                at += 2;
            }
            (Some(byte), _) => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    let name = String::from_utf8(out).map_err(|_| "expected a name in UTF-8")?;
    Ok((name, at + 1))
}

/// The name as a diff has to write it.
pub(crate) fn quoted(name: &str) -> String {
    if !name.contains(|it: char| it.is_control() || matches!(it, '"' | '\\')) {
        return name.to_owned();
    }
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        c if c.is_control() => c.to_string().bytes().map(|it| format!("\\{it:03o}")).collect(),
        c => c.to_string(),
    };
    format!("\"{}\"", name.chars().map(escaped).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_path_or_prose() {
        let paths = [
            ("src/a.rs", "src/a.rs"),
            ("  src/a.rs  ", "src/a.rs"),
            ("### src/a.rs", "src/a.rs"),
            ("**src/a.rs**", "src/a.rs"),
            ("`docs/my notes.md`:", "docs/my notes.md"),
            ("**`a.rs`:**", "a.rs"),
            ("#### `a.rs`", "a.rs"),
            ("File: src/a.rs", "src/a.rs"),
            ("file: `a b.rs`", "a b.rs"),
            ("// src/a.rs", "src/a.rs"),
            ("# src/a.py", "src/a.py"),
            ("src/a.rs:", "src/a.rs"),
            ("Makefile", "Makefile"),
            ("`Makefile`", "Makefile"),
            ("file:///home/me/a.rs", "file:///home/me/a.rs"),
            ("<path>src/a b.ts</path>", "src/a b.ts"),
            ("C:\\a\\b.c", "C:\\a\\b.c"),
            (".gitignore", ".gitignore"),
            ("__init__.py", "__init__.py"),
        ];
        for (line, name) in paths {
            assert_eq!(on_line(line), Some(name), "{line}");
        }
        let prose = [
            "I changed src/a.rs as follows:",
            "Changes:",
            "Done.",
            "",
            "**",
            "``",
            "`a.rs` and `b.rs`",
            "}",
            "<path></path>",
            "let x = 1;",
            "a.rs, b.rs:",
            "...",
            "## Changes",
        ];
        for line in prose {
            assert_eq!(on_line(line), None, "{line}");
        }
    }

    #[test]
    fn quotes_are_those_of_c() {
        assert_eq!(unquoted(r#""a/\303\244\t\"\\.txt" b"#), Ok(("a/ä\t\"\\.txt".to_owned(), 22)));
        for (wrong, why) in
            [("\"a", "close"), ("\"a\\", "close"), ("\"\\q\"", "as in C"), ("\"\\07", "octal"), ("\"\\377\"", "UTF-8")]
        {
            assert!(unquoted(wrong).unwrap_err().contains(why), "{wrong}");
        }
        for name in ["a b", "ä", "\"", "a\\\n\u{7f}\u{1}"] {
            let written = quoted(name);
            let read = if written.starts_with('"') { unquoted(&written).unwrap().0 } else { written };
            assert_eq!(read, name);
        }
    }
}
