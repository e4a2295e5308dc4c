//! Who the client is, and which folders it works in.

use serde_json::Value;
use tower_lsp::ls_types::{
    DidChangeWorkspaceFoldersParams, InitializeParams, InitializeResult, ServerInfo, Uri, WorkspaceFolder,
};

use crate::capabilities::{Profile, offered};
use crate::server::Server;
use crate::settings::Settings;
use crate::uri_key::file_path_of;

/// `initialize`.
pub(crate) fn initialize(server: &Server, params: &InitializeParams) -> InitializeResult {
    let profile = server.meet(Profile::of(params));
    let client = params.client_info.as_ref().map(|it| it.name.as_str());
    tracing::info!(client, encoding = ?profile.encoding, "initialize");
    let folders = folders(params).iter().filter_map(|it| file_path_of(it.as_str())).collect();
    server.with_folders(|it| *it = folders);
    let defaults = Settings { diagnose_delay: profile.timeouts.diagnose, ..Settings::default() };
    let given = params.initialization_options.as_ref().and_then(|it| it.get("settings")).unwrap_or(&Value::Null);
    let settings = server.configuration.begin(defaults, given);
    InitializeResult {
        capabilities: offered(profile, &settings.limits),
        server_info: Some(ServerInfo {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
        ..InitializeResult::default()
    }
}

/// Old clients name one root instead of folders.
#[expect(deprecated, reason = "they still exist")]
fn folders(params: &InitializeParams) -> Vec<Uri> {
    match params.workspace_folders.as_deref() {
        Some(folders) if !folders.is_empty() => folders.iter().map(|it| it.uri.clone()).collect(),
        _ => params.root_uri.iter().cloned().collect(),
    }
}

/// `workspace/didChangeWorkspaceFolders`.
pub(crate) fn did_change_workspace_folders(server: &Server, params: &DidChangeWorkspaceFoldersParams) {
    let paths = |it: &[WorkspaceFolder]| it.iter().filter_map(|it| file_path_of(it.uri.as_str())).collect::<Vec<_>>();
    let (removed, added) = (paths(&params.event.removed), paths(&params.event.added));
    server.with_folders(|folders| {
        folders.retain(|it| !removed.contains(it));
        folders.extend(added);
    });
}
