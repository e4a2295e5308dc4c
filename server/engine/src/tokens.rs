//! A line as the words a person sees in it.

/// Words, runs of white space, and every other character by itself.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    #[derive(PartialEq)]
    enum Class {
        Word,
        Space,
        Other,
    }
    let class = |c: char| match c {
        '_' => Class::Word,
        _ if c.is_alphanumeric() => Class::Word,
        _ if c.is_whitespace() => Class::Space,
        _ => Class::Other,
    };
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = class(first);
        let run = rest.find(|c| class(c) != kind).unwrap_or(rest.len());
        let len = if kind == Class::Other { first.len_utf8() } else { run };
        let (token, behind) = rest.split_at(len);
        found.push(token);
        rest = behind;
    }
    found
}
