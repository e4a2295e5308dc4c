//! How editors differ: what they announce, which stale edits they refuse, when they say what they did.

use serde_json::{Value, json};

use crate::document::Document;
use crate::positions::Encoding;

/// An editor's character. Each is what the named editor was seen to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Character {
    /// VS Code: refuses a stale edit as a whole and gives no reason; answers, then sends its `didChange`.
    AnswersFirst,
    /// Helix: checks document by document, what came before a stale one stays; sends its `didChange`, then answers. Drops
    /// diagnostics for another version than it has.
    ChangesFirst,
    /// Neovim: skips a stale first document and says `applied: true`, checks no other and no version 0; sends the first
    /// change at once, answers, and sends the rest late, together with what was typed meanwhile.
    InPieces,
}

impl Character {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::AnswersFirst, Self::ChangesFirst, Self::InPieces];

    /// A document that has just been opened.
    pub(crate) fn opened(self, text: &str, encoding: Encoding) -> Document {
        match self {
            Self::AnswersFirst => Document::open(text, 1, encoding),
            Self::ChangesFirst => Document::open(text, 0, encoding),
            Self::InPieces => Document::open(text, 0, encoding).with_changedticks(),
        }
    }

    /// The encoding it would rather have.
    pub(crate) fn encoding(self) -> Encoding {
        match self {
            Self::AnswersFirst => Encoding::Utf16,
            Self::ChangesFirst | Self::InPieces => Encoding::Utf8,
        }
    }

    /// `clientInfo`.
    pub(crate) fn info(self) -> Value {
        match self {
            Self::AnswersFirst => json!({"name": "Visual Studio Code", "version": "1.100.3"}),
            Self::ChangesFirst => json!({"name": "helix", "version": "25.01.1"}),
            Self::InPieces => json!({"name": "Neovim", "version": "0.11.4"}),
        }
    }

    /// `capabilities`, less `experimental`.
    pub(crate) fn capabilities(self, encoding: Encoding) -> Value {
        let operations = json!(["create", "rename", "delete"]);
        let edit = match self {
            Self::AnswersFirst => json!({
                "documentChanges": true, "resourceOperations": operations, "failureHandling": "textOnlyTransactional",
                "normalizesLineEndings": true, "changeAnnotationSupport": {"groupsOnLabel": true},
            }),
            Self::ChangesFirst => json!({
                "documentChanges": true, "resourceOperations": operations, "failureHandling": "abort",
                "normalizesLineEndings": false,
            }),
            Self::InPieces => json!({"resourceOperations": operations}),
        };
        let diagnostics = match self {
            Self::AnswersFirst => json!({
                "relatedInformation": true, "versionSupport": false, "codeDescriptionSupport": true,
                "dataSupport": true, "tagSupport": {"valueSet": [1, 2]},
            }),
            Self::ChangesFirst => json!({"versionSupport": true, "tagSupport": {"valueSet": [1, 2]}}),
            Self::InPieces => json!({"relatedInformation": true, "dataSupport": true}),
        };
        // Who can ask for diagnostics can be told of them, too. Neovim does not know to ask again.
        let mut capabilities = json!({
            "general": {"positionEncodings": [encoding.name()]},
            "workspace": {
                "applyEdit": true, "workspaceEdit": edit, "workspaceFolders": true, "configuration": true,
                "didChangeConfiguration": {"dynamicRegistration": self == Self::AnswersFirst},
                "executeCommand": {"dynamicRegistration": false},
            },
            "textDocument": {
                "synchronization": {"didSave": true},
                "publishDiagnostics": diagnostics,
                "codeAction": {
                    "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "refactor", "source"]}},
                    "isPreferredSupport": true, "disabledSupport": true, "dataSupport": true,
                    "resolveSupport": {"properties": ["edit", "command"]},
                },
            },
            "window": {"workDoneProgress": true, "showMessage": {}, "showDocument": {"support": true}},
        });
        if self != Self::ChangesFirst {
            capabilities["textDocument"]["diagnostic"] = json!({"dynamicRegistration": false});
        }
        if self == Self::AnswersFirst {
            capabilities["workspace"]["diagnostics"] = json!({"refreshSupport": true});
        }
        capabilities
    }
}
