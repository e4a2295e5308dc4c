// A batch as a person or a model hands it over, and what is said of it. The server judges it; here it is only told from
// text that is no batch at all.
import type { AgentEditParams, AgentEditResult, PendingBatch, Position, TextEdit } from "./protocol";

export type Parsed = { params: AgentEditParams } | { problem: string };

/** JSON with a list `documents`, alone or in a code fence. */
export function parseBatch(text: string): Parsed {
    const fenced = /^\s*```[^\n]*\n([\s\S]*?)\n\s*```\s*$/.exec(text);
    let value: unknown;
    try {
        value = JSON.parse(fenced?.[1] ?? text);
    } catch (error) {
        return { problem: `it is not JSON (${error instanceof Error ? error.message : String(error)})` };
    }
    if (typeof value !== "object" || value === null || !("documents" in value) || !Array.isArray(value.documents)) {
        return { problem: "it has no list `documents`" };
    }
    return { params: value as AgentEditParams };
}

/** “2 edits in 1 document: rates.py; delete old.py”, for a batch that nobody has checked yet. */
export function summary(params: AgentEditParams): string {
    const entries: unknown[] = Array.isArray(params.documents) ? params.documents : [];
    const operations = entries.flatMap(operationOf);
    const documents = entries.filter((it) => operationOf(it).length === 0);
    const edits = documents.reduce<number>((sum, it) => sum + editsIn(it), 0);
    const names = shortened(documents.map((it) => nameOf(field(it, "textDocument"), "uri")), ", ");
    const texts = `${count(edits, "edit")} in ${count(documents.length, "document")}${names ? `: ${names}` : ""}`;
    return documents.length === 0 && operations.length > 0 ? shortened(operations, "; ") : shortened([texts, ...operations], "; ");
}

/** What an entry does with a file; nothing for edits of a text. */
function operationOf(entry: unknown): string[] {
    const [create, rename, removed] = [field(entry, "create"), field(entry, "rename"), field(entry, "delete")];
    if (create) return [`${field(create, "overwrite") === true ? "overwrite" : "create"} ${nameOf(create, "uri")}`];
    if (rename) return [`rename ${nameOf(rename, "oldUri")} to ${nameOf(rename, "newUri")}`];
    return removed ? [`delete ${nameOf(removed, "uri")}`] : [];
}

function shortened(list: readonly string[], separator: string): string {
    return list.length > 10 ? `${list.slice(0, 10).join(separator)}${separator}and ${list.length - 10} more` : list.join(separator);
}

/** What became of a batch, for a model: the status, the warnings, and for a preview the diffs. */
export function report(result: AgentEditResult): string {
    const lines = [result.status];
    for (const it of result.documents) {
        for (const warning of it.warnings ?? []) lines.push(`${baseName(it.textDocument.uri)}: warning: ${warning.message}`);
        if (!result.applied && it.diff) lines.push(it.diff);
    }
    return lines.join("\n");
}

/** How many edits are pending. */
export function pendingCount(batches: readonly PendingBatch[]): number {
    return batches.reduce((sum, it) => sum + it.failures.length, 0);
}

/** Where the cursor goes for an edit that does not fit; nothing where it has no place. */
export function placeOf(failure: PendingBatch["failures"][number]): Position | undefined {
    const range = failure.candidate?.range ?? failure.locations?.[0];
    const line = failure.lines?.[0];
    return range?.start ?? (line === undefined ? undefined : { line, character: 0 });
}

/** The text with the edits of a preview in it; they do not overlap. For showing only. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
    const starts = lineStarts(text);
    const offset = (at: Position) => Math.min((starts[at.line] ?? text.length) + at.character, text.length);
    let made = "";
    let from = 0;
    for (const it of [...edits].sort((a, b) => offset(a.range.start) - offset(b.range.start))) {
        made += text.slice(from, offset(it.range.start)) + it.newText;
        from = offset(it.range.end);
    }
    return made + text.slice(from);
}

function lineStarts(text: string): number[] {
    const starts = [0];
    for (const it of text.matchAll(/\r\n|\r|\n/g)) starts.push(it.index + it[0].length);
    return starts;
}

/** The last part of a URI, readable. */
export function baseName(uri: string): string {
    const last = uri.slice(uri.lastIndexOf("/") + 1) || uri;
    try {
        return decodeURIComponent(last);
    } catch {
        return last;
    }
}

export function count(number: number, noun: string): string {
    return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function field(value: unknown, name: string): unknown {
    return (value as Record<string, unknown> | null)?.[name];
}

function editsIn(entry: unknown): number {
    const edits = field(entry, "edits");
    return Array.isArray(edits) ? edits.length : 0;
}

function nameOf(value: unknown, name: string): string {
    const uri = field(value, name);
    return typeof uri === "string" ? baseName(uri) : "?";
}
