//! The parts of the protocol that both sides must name before a request may use them.

use std::collections::HashSet;

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Feature {
    ExpectedBaseSha256,
    TolerantMatch,
    LenientMatch,
    ReplaceAll,
    LineEdits,
    OriginalAnchoring,
    Policy,
    Preview,
    Review,
    ResourceOperations,
    Save,
}

/// What this server has: all of them.
pub(crate) const BUILT: [Feature; 11] = [
    Feature::ExpectedBaseSha256,
    Feature::TolerantMatch,
    Feature::LenientMatch,
    Feature::ReplaceAll,
    Feature::LineEdits,
    Feature::OriginalAnchoring,
    Feature::Policy,
    Feature::Preview,
    Feature::Review,
    Feature::ResourceOperations,
    Feature::Save,
];

impl Feature {
    /// Its name in the protocol.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ExpectedBaseSha256 => "expected_base_sha256",
            Self::TolerantMatch => "tolerant_match",
            Self::LenientMatch => "lenient_match",
            Self::ReplaceAll => "replace_all",
            Self::LineEdits => "line_edits",
            Self::OriginalAnchoring => "original_anchoring",
            Self::Policy => "policy",
            Self::Preview => "preview",
            Self::Review => "review",
            Self::ResourceOperations => "resource_operations",
            Self::Save => "save",
        }
    }
}

/// The features both sides named.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agreed(HashSet<Feature>);

impl Agreed {
    /// What is built of what the client named.
    pub(crate) fn with(client: &[String]) -> Self {
        Self(BUILT.into_iter().filter(|it| client.iter().any(|name| name == it.name())).collect())
    }

    /// Whether a request may use `feature`.
    pub(crate) fn has(&self, feature: Feature) -> bool {
        self.0.contains(&feature)
    }
}
