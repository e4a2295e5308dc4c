// The wire, as docs/protocol.md and docs/conflicts.md have it. Lines and characters (UTF-16) count from 0.

export interface Position { line: number; character: number }
export interface Range { start: Position; end: Position }
export interface TextEdit { range: Range; newText: string }

/** What this client uses. A field of a feature that is not named here would be refused. */
export const FEATURES = [
    "tolerant_match", "lenient_match", "replace_all", "line_edits", "expected_base_sha256",
    "original_anchoring", "policy", "preview", "review", "resource_operations", "save",
] as const;

export type Edit =
    | { oldText: string; newText: string; replaceAll?: boolean; expectedOccurrences?: number; atLine?: number }
    | { from: number; to?: number; newText: string; expectedText?: string };

export interface DocumentEdits {
    textDocument: { uri: string; version?: number | null };
    expectedBaseSha256?: string;
    edits: Edit[];
}

export type FileOperation =
    | { create: { uri: string; content: string; overwrite?: boolean } }
    | { rename: { oldUri: string; newUri: string; expectedBaseSha256?: string } }
    | { delete: { uri: string; expectedBaseSha256?: string } };

/** A batch: `workspace/agentEdit`. */
export interface AgentEditParams {
    documents: (DocumentEdits | FileOperation)[];
    matching?: "exact" | "tolerant" | "lenient";
    anchoring?: "sequential" | "original";
    mode?: "apply" | "preview" | "review";
    partialOnly?: boolean;
    lineEndings?: "document" | "asGiven";
    allowPlaceholders?: boolean;
    agent?: string;
    label?: string;
    save?: boolean;
}

export interface DocumentResult {
    textDocument: { uri: string; version: number | null };
    baseSha256?: string;
    sha256?: string;
    /** One an edit, or what was done with the file. */
    appliedEdits: { kind: string; lineNumber?: number; noChange?: boolean }[];
    warnings?: { edit?: number; code: string; message: string }[];
    saved?: boolean;
    textEdits?: TextEdit[];
    diff?: string;
}

export interface AgentEditResult {
    batchId: string;
    applied: boolean;
    status: string;
    documents: DocumentResult[];
}

/** An edit that does not fit, as the server last found it. */
export interface Failure {
    uri: string;
    document: number;
    edit: number;
    label: string;
    kind: string;
    message: string;
    candidate?: { range: Range };
    locations?: Range[];
    lines?: number[];
}

/** One entry of `agentEdit.conflicts`. */
export interface PendingBatch {
    batchId: string;
    agent: string;
    label?: string;
    editCount: number;
    failures: Failure[];
}

export interface RevertResult {
    batchId: string;
    status: string;
    documents: { uri: string; reverted: boolean; reason?: string }[];
}

export interface ShownSide { title: string; text: string; uri?: string; range?: Range }
export interface ShowEditParams { title: string; left: ShownSide; right: ShownSide }
export interface SaveParams { textDocuments: { uri: string; version: number | null }[] }
