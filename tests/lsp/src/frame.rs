//! LSP's base protocol, read strictly: what a lenient reader would forgive is a fault of the writer.

use std::io::{self, BufRead, ErrorKind, Read};

use serde_json::Value;

/// `message` with its header.
#[must_use]
pub fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// The next message, `None` at the end of the input.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Value>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return match length {
                None => Ok(None),
                Some(_) => Err(fault("the output ends inside a header")),
            };
        }
        match line
            .strip_suffix("\r\n")
            .ok_or_else(|| fault(&format!("a header line that ends without CRLF: {line:?}")))?
        {
            "" => break,
            header => match header.split_once(": ") {
                Some(("Content-Length", value)) if length.is_none() => {
                    length = Some(value.parse::<u64>().map_err(|_| fault(&format!("a length of {value:?}")))?);
                }
                Some(("Content-Type", _)) => {}
                _ => return Err(fault(&format!("an unknown header line {header:?}"))),
            },
        }
    }
    let length = length.ok_or_else(|| fault("a header without Content-Length"))?;
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    if (body.len() as u64) < length {
        return Err(fault("the output ends inside a message"));
    }
    serde_json::from_slice(&body).map(Some).map_err(|it| fault(&format!("a body that is no JSON ({it})")))
}

fn fault(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{frame, read};

    fn all(mut bytes: &[u8]) -> Result<Vec<Value>, String> {
        let mut messages = vec![];
        while let Some(it) = read(&mut bytes).map_err(|it| it.to_string())? {
            messages.push(it);
        }
        Ok(messages)
    }

    #[test]
    fn what_is_written_is_read() {
        let (one, two) = (json!({"a": "é🚀"}), json!([]));
        assert_eq!(all(&[frame(&one), frame(&two)].concat()), Ok(vec![one, two]));
    }

    #[test]
    fn what_is_loose_is_a_fault() {
        for (bytes, fault) in [
            ("Content-Length: 2\n\n{}", "a header line that ends without CRLF: \"Content-Length: 2\\n\""),
            ("content-length: 2\r\n\r\n{}", "an unknown header line \"content-length: 2\""),
            ("\r\n{}", "a header without Content-Length"),
            ("Content-Length: 3\r\n\r\n{}", "the output ends inside a message"),
            ("Content-Length: 2\r\n", "the output ends inside a header"),
            ("Content-Length: -2\r\n\r\n{}", "a length of \"-2\""),
        ] {
            assert_eq!(all(bytes.as_bytes()), Err(fault.to_owned()), "{bytes:?}");
        }
    }
}
