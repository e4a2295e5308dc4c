//! What all handlers share.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};

use tower_lsp::Client;

use crate::applied::AppliedBatches;
use crate::capabilities::Profile;
use crate::configuration::Configuration;
use crate::documents::{Documents, Reading};
use crate::known_conflicts::KnownConflicts;
use crate::lanes::Lanes;
use crate::pending::Pending;
use crate::progress::Shown;
use crate::settings::Settings;
use crate::showing::ShownFiles;

/// The server behind the routing table.
pub(crate) struct Server {
    /// The editor.
    pub client: Client,
    /// The documents it has open.
    pub documents: Documents,
    /// The order of batches.
    pub lanes: Lanes,
    /// The batches that were refused.
    pub pending: Pending,
    /// What was found wrong with them.
    pub known_conflicts: KnownConflicts,
    /// The batches that were applied.
    pub applied: AppliedBatches,
    /// The batches that take long.
    pub progress: Shown,
    /// What the person has set.
    pub configuration: Configuration,
    /// The diffs the person was shown as files.
    pub shown_files: ShownFiles,
    profile: OnceLock<Profile>,
    folders: RwLock<Vec<PathBuf>>,
    batches: AtomicU64,
}

impl Server {
    /// A server that has not been initialized yet.
    pub(crate) fn new(client: Client, shown_files: ShownFiles) -> Self {
        Self {
            client,
            documents: Documents::default(),
            lanes: Lanes::default(),
            pending: Pending::default(),
            applied: AppliedBatches::default(),
            known_conflicts: KnownConflicts::default(),
            progress: Shown::default(),
            configuration: Configuration::default(),
            shown_files,
            profile: OnceLock::new(),
            folders: RwLock::default(),
            batches: AtomicU64::new(1),
        }
    }

    /// Takes note of who the client is. Only the first `initialize` comes this far.
    pub(crate) fn meet(&self, profile: Profile) -> &Profile {
        self.profile.get_or_init(|| profile)
    }

    /// Who the client is.
    pub(crate) fn profile(&self) -> &Profile {
        self.profile.get().expect("the service lets no request through before initialize")
    }

    /// The settings in force.
    pub(crate) fn settings(&self) -> Settings {
        self.configuration.now()
    }

    /// How texts are taken from the client.
    pub(crate) fn reading(&self) -> Reading {
        let profile = self.profile();
        Reading { encoding: profile.encoding, counts_lone_cr: profile.counts_lone_cr }
    }

    /// The workspace folders.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        self.folders.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the workspace folders.
    pub(crate) fn with_folders(&self, change: impl FnOnce(&mut Vec<PathBuf>)) {
        change(&mut self.folders.write().unwrap_or_else(PoisonError::into_inner));
    }

    /// A name for a batch, of this server's life.
    pub(crate) fn next_batch_id(&self) -> String {
        format!("b{}", self.batches.fetch_add(1, Ordering::Relaxed))
    }
}
