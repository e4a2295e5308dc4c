//! One name for one document, however the client spells its URI. Only for looking up: answers carry the client's own
//! spelling.

use std::path::PathBuf;

use url::Url;

/// A URI in the one form documents are looked up by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct UriKey(String);

impl UriKey {
    /// The key of `uri`. Clients escape differently (`%3A` or `:`, `%c3` or `%C3`) and differ in the case of a drive.
    pub(crate) fn of(uri: &str) -> Self {
        let Ok(parsed) = Url::parse(uri) else { return Self(uri.to_owned()) };
        match parsed.scheme() {
            "file" => Self(format!("file:{}{}", host(&parsed), file_path(parsed.path()))),
            _ => Self(unescaped(uri, |byte| byte.is_ascii_alphanumeric() || b"-._~:@".contains(&byte))),
        }
    }
}

/// The path a `file:` URI names; `None` for any other URI.
pub(crate) fn file_path_of(uri: &str) -> Option<PathBuf> {
    let parsed = Url::parse(uri).ok()?;
    (parsed.scheme() == "file").then(|| parsed.to_file_path().ok()).flatten()
}

fn host(uri: &Url) -> String {
    match uri.host_str() {
        None | Some("localhost") => "//".to_owned(),
        Some(host) => format!("//{}", host.to_lowercase()),
    }
}

/// A path without escapes but for `/` and NUL, its drive letter small.
fn file_path(path: &str) -> String {
    let path = unescaped(path, |byte| byte != b'/' && byte != 0);
    match path.as_bytes() {
        [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => {
            format!("/{}{}", char::from(drive.to_ascii_lowercase()), &path[2..])
        }
        _ => path,
    }
}

/// `text` with the escapes of bytes that `plain` names undone and the others in capitals. Escapes that would not give
/// UTF-8 stay.
fn unescaped(text: &str, plain: impl Fn(u8) -> bool) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let escaped = after.get(..2).filter(|_| byte == b'%').and_then(escaped_byte);
        match escaped {
            Some(escaped) if plain(escaped) => bytes.push(escaped),
            Some(escaped) => bytes.extend(format!("%{escaped:02X}").bytes()),
            None => bytes.push(byte),
        }
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn escaped_byte(digits: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(digits).ok()?;
    digits.bytes().all(|it| it.is_ascii_hexdigit()).then(|| u8::from_str_radix(digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::UriKey;

    #[track_caller]
    fn same(a: &str, b: &str) {
        assert_eq!(UriKey::of(a), UriKey::of(b));
    }

    #[track_caller]
    fn different(a: &str, b: &str) {
        assert_ne!(UriKey::of(a), UriKey::of(b));
    }

    #[test]
    fn spellings_of_one_document_have_one_key() {
        same("file:///c%3A/a.rs", "file:///C:/a.rs");
        same("file:///tmp/%C3%A9%20b.rs", "file:///tmp/%c3%a9 b.rs");
        same("file:///tmp/é.rs", "file:///tmp/%C3%A9.rs");
        same("file://localhost/tmp/a.rs", "file:///tmp/a.rs");
        same("untitled:Untitled-1", "untitled:Untitled%2D1");
        same("file:///tmp/a%2Bb.rs", "file:///tmp/a+b.rs");
        same("file:///tmp/%28x%29.rs", "file:///tmp/(x).rs");
    }

    #[test]
    fn other_documents_have_other_keys() {
        different("file:///tmp/a.rs", "file:///tmp/A.rs");
        different("file:///tmp/a%2Fb", "file:///tmp/a/b");
        different("file:///tmp/a", "untitled:/tmp/a");
        different("file://host/tmp/a", "file:///tmp/a");
        different("file:///tmp/a%2520b", "file:///tmp/a%20b");
        different("git:/a%2Fb", "git:/a/b");
    }
}
