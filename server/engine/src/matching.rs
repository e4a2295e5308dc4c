//! The tiers as a table, strict to loose. Adding one is one file and one line.

/// One way of comparing `old_text` with the document, strict to loose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Nothing is ignored.
    Exact,
    /// Not searched for: the agent named the lines.
    Lines,
    /// White space at line ends, CRLF vs LF.
    LineTrimmed,
    /// A uniform shift of the whole block.
    IndentationFlexible,
    /// Any white-space run between whole tokens.
    WhitespaceNormalized,
    /// Line by line, how much white space stands in front, inside and behind; blank lines.
    WhitespaceMapped,
    /// Quotes, dashes, spaces, composed letters.
    Typography,
    /// White space there or not beside punctuation.
    Spacing,
    /// Line-number prefixes.
    LineNumbers,
    /// One level of escaping.
    Escaped,
    /// A code fence around both texts.
    Fenced,
    /// A middle that both texts leave out.
    Elided,
}

impl Strategy {
    /// Its name in the protocol.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Lines => "lines",
            Self::LineTrimmed => "line-trimmed",
            Self::IndentationFlexible => "indentation-flexible",
            Self::WhitespaceNormalized => "whitespace-normalized",
            Self::WhitespaceMapped => "whitespace-mapped",
            Self::Typography => "typography",
            Self::Spacing => "spacing",
            Self::LineNumbers => "line-numbers",
            Self::Escaped => "escaped",
            Self::Fenced => "fenced",
            Self::Elided => "elided",
        }
    }
}
