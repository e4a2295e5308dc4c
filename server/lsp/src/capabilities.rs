//! What the client can do and how it does it, resolved once from `initialize`; and what we offer.

use std::time::Duration;

use serde_json::{Value, json};
use tower_lsp::ls_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProviderCapability, DiagnosticOptions,
    DiagnosticServerCapabilities, ExecuteCommandOptions, InitializeParams, OneOf, PositionEncodingKind,
    ResourceOperationKind, SaveOptions, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, WorkDoneProgressOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};

use crate::diagnostics::SOURCE;
use crate::features::{Agreed, BUILT, Feature};
use crate::handlers::commands;
use crate::limits::Limits;
use crate::newer::KEPT;
use crate::positions::Encoding;
use crate::protocol::{
    AgentEditClientOptions, AgentEditOptions, InitializationOptions, LimitsOptions, TimeoutsOptions, to_value,
};
use crate::settings::Settings;

/// The client, as flat facts. Nothing else in the server asks who it is.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    /// What the character of a position counts.
    pub encoding: Encoding,
    /// The features of `workspace/agentEdit` both sides named.
    pub agreed: Agreed,
    /// It takes `workspace/applyEdit`.
    pub applies_edits: bool,
    /// It takes versioned `documentChanges`. Some that do announce `resourceOperations` only.
    pub document_changes: bool,
    /// What it does with files as such.
    pub operations: Operations,
    /// Asked to create a file that is there, it refuses. Others empty that file, unless they are told to leave it alone.
    pub refuses_to_create_over: bool,
    /// It turns inserted line breaks into its document's own.
    pub normalizes_line_endings: bool,
    /// It counts a lone `\r` as a line break, as LSP has it. Neovim and Helix do not: in a document that holds one,
    /// their lines are not ours.
    pub counts_lone_cr: bool,
    /// It does not look at the version of an edit for version 0, which each document has until it first changes. Neovim's
    /// next version is a changedtick beyond 1, so an edit for version 1 is one that is looked at.
    pub skips_version_zero: bool,
    /// Of an edit of several documents it checks the version of the first only, and what it skips it says to have
    /// applied: such an edit is one for each document.
    pub skips_in_silence: bool,
    /// It asks the person before it applies an edit that needs confirmation. That it knows annotations says nothing: some
    /// announce them and apply unasked, others ask and do not tell the answer.
    pub asks_before_applying: bool,
    /// Diagnostics may name the version they are for.
    pub versioned_diagnostics: bool,
    /// Diagnostics may point to other places.
    pub related_information: bool,
    /// It would rather ask for diagnostics than be told of them: then it is not told.
    pub pulls_diagnostics: bool,
    /// It asks for diagnostics again when it is told to.
    pub refreshes_diagnostics: bool,
    /// It can be asked for settings.
    pub has_configuration: bool,
    /// It tells of changed settings to who registers for it.
    pub registers_configuration: bool,
    /// Code actions may be more than a command.
    pub code_action_literals: bool,
    /// It shows documents that have no file, of whom it is told that has them.
    pub registers_virtual_documents: bool,
    /// How it can be shown a diff.
    pub shows: Shows,
    /// It shows work that is done, unasked.
    pub creates_progress: bool,
    /// How long to wait for it.
    pub timeouts: Timeouts,
}

/// What a client does with files as such, by what it announces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Operations {
    pub create: bool,
    pub rename: bool,
    pub delete: bool,
}

/// How a person is shown a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// The client opens one of its own.
    Itself,
    /// It opens a file that holds one.
    File,
    /// It shows messages.
    Message,
}

/// How long to wait for the editor and for the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timeouts {
    /// For the answer to `workspace/applyEdit`.
    pub answer: Duration,
    /// After the answer, for the `didChange` that brings the result.
    pub settle: Duration,
    /// After the last change of a document, before its conflicts are looked for again.
    pub diagnose: Duration,
    /// After the arrival of a batch, before it is shown that it is worked on.
    pub progress: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(30),
            settle: Duration::from_secs(2),
            diagnose: Settings::default().diagnose_delay,
            progress: Duration::from_secs(1),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Editor {
    Neovim,
    Helix,
    VsCode,
    Other,
}

impl Profile {
    /// What `params` say of the client. What is not said is taken for absent.
    pub(crate) fn of(params: &InitializeParams) -> Self {
        let capabilities = &params.capabilities;
        let workspace = capabilities.workspace.as_ref();
        let edits = workspace.and_then(|it| it.workspace_edit.as_ref());
        let text = capabilities.text_document.as_ref();
        let diagnostics = text.and_then(|it| it.publish_diagnostics.as_ref());
        let pulled = text.and_then(|it| it.diagnostic.as_ref());
        let actions = text.and_then(|it| it.code_action.as_ref());
        let annotates = edits.is_some_and(|it| it.change_annotation_support.is_some());
        let AgentEditClientOptions { mut features, checks_versions, save, .. } = client_options(capabilities);
        // To know of saving is not enough, it has to do it.
        features.retain(|it| save || it != Feature::Save.name());
        let is_stock_neovim = editor(params) == Editor::Neovim && !checks_versions;
        Self {
            encoding: encoding(capabilities),
            agreed: Agreed::with(&features),
            applies_edits: workspace.and_then(|it| it.apply_edit).unwrap_or(false),
            document_changes: edits
                .is_some_and(|it| it.document_changes.unwrap_or(false) || it.resource_operations.as_ref().is_some()),
            operations: operations(edits.and_then(|it| it.resource_operations.as_deref()).unwrap_or_default()),
            refuses_to_create_over: editor(params) == Editor::VsCode,
            normalizes_line_endings: edits.and_then(|it| it.normalizes_line_endings).unwrap_or(false),
            counts_lone_cr: !matches!(editor(params), Editor::Neovim | Editor::Helix),
            skips_version_zero: is_stock_neovim,
            skips_in_silence: is_stock_neovim,
            asks_before_applying: annotates && editor(params) == Editor::VsCode,
            versioned_diagnostics: diagnostics.and_then(|it| it.version_support).unwrap_or(false),
            related_information: diagnostics.and_then(|it| it.related_information).unwrap_or(false)
                || pulled.and_then(|it| it.related_information).unwrap_or(false),
            pulls_diagnostics: pulls(params),
            refreshes_diagnostics: workspace
                .and_then(|it| it.diagnostics.as_ref())
                .and_then(|it| it.refresh_support)
                .unwrap_or(false),
            has_configuration: workspace.and_then(|it| it.configuration).unwrap_or(false),
            registers_configuration: workspace
                .and_then(|it| it.did_change_configuration)
                .and_then(|it| it.dynamic_registration)
                .unwrap_or(false),
            code_action_literals: actions.is_some_and(|it| it.code_action_literal_support.is_some()),
            registers_virtual_documents: shows(params) == Shows::File && has_virtual_documents(capabilities),
            shows: shows(params),
            creates_progress: capabilities.window.as_ref().and_then(|it| it.work_done_progress).unwrap_or(false),
            timeouts: timeouts(params.initialization_options.as_ref()),
        }
    }
}

fn operations(announced: &[ResourceOperationKind]) -> Operations {
    let announces = |it| announced.contains(&it);
    Operations {
        create: announces(ResourceOperationKind::Create),
        rename: announces(ResourceOperationKind::Rename),
        delete: announces(ResourceOperationKind::Delete),
    }
}

fn has_virtual_documents(capabilities: &ClientCapabilities) -> bool {
    let kept = capabilities.experimental.as_ref().and_then(|it| it.get(KEPT));
    kept.and_then(|it| it.get("dynamicRegistration")).and_then(Value::as_bool).unwrap_or(false)
}

/// Helix opens documents without announcing it.
fn shows(params: &InitializeParams) -> Shows {
    let window = params.capabilities.window.as_ref();
    if client_options(&params.capabilities).show_edit {
        Shows::Itself
    } else if window.is_some_and(|it| it.show_document.as_ref().is_some_and(|it| it.support))
        || editor(params) == Editor::Helix
    {
        Shows::File
    } else {
        Shows::Message
    }
}

/// Push, and pull, never both: two lists of one server would show each conflict twice. Most editors announce both, and
/// are told unless they ask not to be.
fn pulls(params: &InitializeParams) -> bool {
    let text = params.capabilities.text_document.as_ref();
    let can_pull = text.is_some_and(|it| it.diagnostic.is_some());
    let can_be_told = text.is_some_and(|it| it.publish_diagnostics.is_some());
    let wish = params.initialization_options.as_ref().and_then(|it| it.get("diagnostics")).and_then(Value::as_str);
    match wish {
        Some("pull") => can_pull,
        Some("push") => false,
        _ => can_pull && !can_be_told,
    }
}

/// How VS Code and what is built of its sources as they are call themselves, in lower case. An edition may follow.
const VS_CODES: [&str; 4] = ["visual studio code", "code - oss", "code-server", "vscodium"];

fn is_vs_code(name: &str) -> bool {
    VS_CODES.iter().any(|it| name.strip_prefix(it).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
}

fn editor(params: &InitializeParams) -> Editor {
    match params.client_info.as_ref().map(|it| it.name.to_lowercase()) {
        Some(name) if name == "neovim" => Editor::Neovim,
        Some(name) if name == "helix" => Editor::Helix,
        Some(name) if is_vs_code(&name) => Editor::VsCode,
        _ => Editor::Other,
    }
}

/// UTF-8 where it is offered, since that is what texts are; UTF-16 else, which every client knows.
fn encoding(capabilities: &ClientCapabilities) -> Encoding {
    let offered = capabilities.general.as_ref().and_then(|it| it.position_encodings.as_deref()).unwrap_or_default();
    let offers = |kind: &PositionEncodingKind| offered.contains(kind);
    if offers(&PositionEncodingKind::UTF8) {
        Encoding::Utf8
    } else if offers(&PositionEncodingKind::UTF32) && !offers(&PositionEncodingKind::UTF16) {
        Encoding::Utf32
    } else {
        Encoding::Utf16
    }
}

fn client_options(capabilities: &ClientCapabilities) -> AgentEditClientOptions {
    let named = capabilities.experimental.as_ref().and_then(|it| it.get("agentEdit"));
    named.and_then(|it| serde_json::from_value(it.clone()).ok()).unwrap_or_default()
}

fn timeouts(options: Option<&Value>) -> Timeouts {
    let options = options.and_then(|it| serde_json::from_value::<InitializationOptions>(it.clone()).ok());
    let TimeoutsOptions { answer, settle, diagnose, progress } = options.unwrap_or_default().timeouts;
    let defaults = Timeouts::default();
    Timeouts {
        answer: answer.map_or(defaults.answer, Duration::from_millis),
        settle: settle.map_or(defaults.settle, Duration::from_millis),
        diagnose: diagnose.map_or(defaults.diagnose, Duration::from_millis),
        progress: progress.map_or(defaults.progress, Duration::from_millis),
    }
}

/// What we offer to this client, with the limits in force.
pub(crate) fn offered(profile: &Profile, limits: &Limits) -> ServerCapabilities {
    let agent_edit = AgentEditOptions {
        version: 1,
        features: BUILT.iter().map(|it| it.name()).collect(),
        limits: LimitsOptions {
            documents: limits.documents,
            edits: limits.edits,
            document_bytes: limits.document_bytes,
            edit_bytes: limits.edit_bytes,
            result_bytes: limits.result_bytes,
            pending_batches: limits.pending_batches,
        },
    };
    ServerCapabilities {
        position_encoding: Some(profile.encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        code_action_provider: Some(match profile.code_action_literals {
            true => CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CodeActionKind::REFACTOR_REWRITE]),
                ..CodeActionOptions::default()
            }),
            false => CodeActionProviderCapability::Simple(true),
        }),
        diagnostic_provider: profile.pulls_diagnostics.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some(SOURCE.to_owned()),
                // Whether a text stands in another document is a part of what is said of it.
                inter_file_dependencies: true,
                ..DiagnosticOptions::default()
            })
        }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: commands::NAMES.iter().map(|&it| it.to_owned()).collect(),
            work_done_progress_options: WorkDoneProgressOptions { work_done_progress: Some(true) },
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            ..WorkspaceServerCapabilities::default()
        }),
        experimental: Some(json!({ "agentEdit": to_value(agent_edit) })),
        ..ServerCapabilities::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(params: Value) -> Profile {
        Profile::of(&serde_json::from_value(params).unwrap())
    }

    #[test]
    fn the_encoding_is_utf_8_where_it_is_offered_and_one_every_client_knows_else() {
        let check = |offered: Value, expected| {
            let params = json!({"capabilities": {"general": {"positionEncodings": offered}}});
            assert_eq!(profile(params).encoding, expected);
        };
        check(json!(["utf-16"]), Encoding::Utf16);
        check(json!(["utf-32", "utf-16", "utf-8"]), Encoding::Utf8);
        check(json!(["utf-32", "utf-16"]), Encoding::Utf16);
        check(json!(["utf-32"]), Encoding::Utf32);
        check(json!([]), Encoding::Utf16);
        check(json!(["utf-7"]), Encoding::Utf16);
        assert_eq!(profile(json!({"capabilities": {}})).encoding, Encoding::Utf16);
    }

    #[test]
    fn versioned_edits_go_to_who_announces_them_in_either_way() {
        let check = |edit: Value, expected| {
            let params = json!({"capabilities": {"workspace": {"workspaceEdit": edit}}});
            assert_eq!(profile(params).document_changes, expected);
        };
        check(json!({"documentChanges": true}), true);
        check(json!({"resourceOperations": ["create"]}), true);
        check(json!({"documentChanges": false}), false);
        check(json!({}), false);
    }

    #[test]
    fn diagnostics_are_pushed_or_pulled_and_never_both() {
        let check = |text: Value, wish: Value, expected: bool| {
            let capabilities = json!({"textDocument": text});
            let profile =
                profile(json!({"capabilities": capabilities, "initializationOptions": {"diagnostics": wish}}));
            assert_eq!(profile.pulls_diagnostics, expected);
            assert_eq!(offered(&profile, &Limits::DEFAULT).diagnostic_provider.is_some(), expected);
        };
        let (both, pull, push) = (
            json!({"diagnostic": {}, "publishDiagnostics": {}}),
            json!({"diagnostic": {}}),
            json!({"publishDiagnostics": {}}),
        );
        for wish in [Value::Null, json!("both"), json!(true)] {
            check(both.clone(), wish.clone(), false);
            check(pull.clone(), wish.clone(), true);
            check(push.clone(), wish.clone(), false);
            check(json!({}), wish, false);
        }
        check(both.clone(), json!("pull"), true);
        check(both, json!("push"), false);
        check(pull, json!("push"), false);
        // It would not ask, and be shown nothing.
        check(push, json!("pull"), false);
    }

    #[test]
    fn an_unknown_client_gets_the_safest_way() {
        let profile = profile(json!({"capabilities": {}}));
        assert!(!profile.applies_edits && !profile.document_changes && !profile.normalizes_line_endings);
        assert!(profile.counts_lone_cr && !profile.code_action_literals && !profile.versioned_diagnostics);
        assert_eq!(profile.timeouts, Timeouts::default());
    }

    #[test]
    fn editors_that_count_lines_otherwise_are_known_by_name() {
        let check = |name: &str, expected| {
            let params = json!({"capabilities": {}, "clientInfo": {"name": name}});
            assert_eq!(profile(params).counts_lone_cr, expected, "{name}");
        };
        check("Neovim", false);
        check("helix", false);
        check("Visual Studio Code", true);
        check("something else", true);
    }

    #[test]
    fn neovim_with_a_handler_of_its_own_is_trusted_with_the_versions() {
        let check = |name: &str, agent_edit: Value, expected| {
            let capabilities = json!({"experimental": {"agentEdit": agent_edit}});
            let profile = profile(json!({"capabilities": capabilities, "clientInfo": {"name": name}}));
            assert_eq!((profile.skips_version_zero, profile.skips_in_silence), (expected, expected), "{name}");
        };
        check("Neovim", json!({"checksVersions": true}), false);
        check("Neovim", json!({"checksVersions": false}), true);
        check("Neovim", json!({}), true);
        check("Visual Studio Code", json!({}), false);
    }

    #[test]
    fn what_is_said_wrongly_is_taken_for_not_said() {
        let experimental = json!({"agentEdit": {"features": "all"}});
        let profile = profile(json!({
            "capabilities": {"experimental": experimental},
            "initializationOptions": {"timeouts": {"settle": "soon"}},
        }));
        assert!(!profile.agreed.has(crate::features::Feature::Preview));
        assert_eq!(profile.timeouts, Timeouts::default());
    }

    #[test]
    fn waiting_can_be_made_shorter() {
        let options = json!({"timeouts": {"answer": 50, "settle": 20}});
        let timeouts = profile(json!({"capabilities": {}, "initializationOptions": options})).timeouts;
        assert_eq!((timeouts.answer.as_millis(), timeouts.settle.as_millis()), (50, 20));
        assert_eq!(timeouts.diagnose, Timeouts::default().diagnose);
    }
}
