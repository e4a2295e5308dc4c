// What a person can do from the palette. Each command asks the server; what it says is shown.
import * as vscode from "vscode";
import type { AppliedBatches } from "./applied";
import { baseName, count, parseBatch, placeOf, report, summary } from "./batch";
import type { Connection } from "./connection";
import type { AgentEditParams, AgentEditResult, PendingBatch, RevertResult } from "./protocol";
import type { Showing } from "./showing";

export interface Parts {
    connection: Connection;
    applied: AppliedBatches;
    showing: Showing;
    output: vscode.OutputChannel;
}

/** Our own ids begin with `agent-edit.`; those with `agentEdit.` are the server's, and registered by the client library. */
export function registerCommands(parts: Parts): vscode.Disposable {
    const commands: Record<string, () => Promise<void>> = {
        "agent-edit.apply": () => send(parts, "apply"),
        "agent-edit.preview": () => send(parts, "preview"),
        "agent-edit.review": () => send(parts, "review"),
        "agent-edit.showConflicts": () => showConflicts(parts),
        "agent-edit.applyMatching": () => withPending(parts, "Apply the edits that match", "agentEdit.applyMatching"),
        "agent-edit.discard": () => withPending(parts, "Discard the conflicts of a batch", "agentEdit.discardAll"),
        "agent-edit.revert": () => revert(parts),
        "agent-edit.restart": () => parts.connection.restart(),
    };
    return vscode.Disposable.from(
        ...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, () => told(parts, run))),
    );
}

async function told(parts: Parts, run: () => Promise<void>): Promise<void> {
    try {
        await run();
    } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        parts.output.appendLine(message);
        const show = parts.connection.pending.length > 0 ? ["Show Conflicts"] : [];
        const chosen = await vscode.window.showErrorMessage(message.split("\n", 1)[0] ?? message, ...show, "Show Report");
        if (chosen === "Show Report") parts.output.show(true);
        if (chosen === "Show Conflicts") await showConflicts(parts);
    }
}

async function send(parts: Parts, mode: "apply" | "preview" | "review"): Promise<void> {
    const params = await chooseBatch();
    if (!params) return;
    const result = await parts.connection.apply({ ...params, mode });
    if (mode === "preview") return parts.showing.preview(result);
    sayApplied(parts, result);
}

function sayApplied(parts: Parts, result: AgentEditResult): void {
    parts.output.appendLine(report(result));
    const warnings = result.documents.flatMap((it) => it.warnings ?? []);
    if (warnings.length === 0) {
        void vscode.window.showInformationMessage(result.status);
    } else {
        void vscode.window.showWarningMessage(`${result.status}; ${warnings.map((it) => it.message).join("; ")}`);
    }
}

/** From the selection, the document or the clipboard: whichever holds a batch; the person is asked where several do. */
async function chooseBatch(): Promise<AgentEditParams | undefined> {
    const editor = vscode.window.activeTextEditor;
    const sources = [
        { from: "Selection", text: editor && !editor.selection.isEmpty ? editor.document.getText(editor.selection) : "" },
        { from: "Active document", text: editor?.document.getText() ?? "" },
        { from: "Clipboard", text: await vscode.env.clipboard.readText() },
    ].map((it) => ({ ...it, parsed: parseBatch(it.text) }));
    const items = sources.flatMap(({ from, parsed }) =>
        "params" in parsed ? [{ label: from, description: summary(parsed.params), params: parsed.params }] : [],
    );
    if (items.length === 0) {
        const why = sources.map((it) => `${it.from}: ${it.text.trim() && "problem" in it.parsed ? it.parsed.problem : "empty"}`);
        throw new Error(`There is no batch of edits to take. ${why.join("; ")}.`);
    }
    if (items.length === 1) return items[0]?.params;
    return (await vscode.window.showQuickPick(items, { placeHolder: "Where is the batch of edits?" }))?.params;
}

async function showConflicts({ connection }: Parts): Promise<void> {
    const items = (await connection.conflicts()).flatMap((batch) =>
        batch.failures.map((it) => ({
            label: `edit ${it.edit + 1}: ${it.kind}`,
            description: `${baseName(it.uri)}, ${titleOf(batch)}`,
            detail: it.message,
            failure: it,
        })),
    );
    const chosen = await vscode.window.showQuickPick(items, { placeHolder: "Edits that do not fit", matchOnDetail: true });
    if (!chosen) return;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(chosen.failure.uri));
    const { line, character } = placeOf(chosen.failure) ?? { line: 0, character: 0 };
    const at = new vscode.Position(line, character);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}

async function withPending({ connection }: Parts, placeHolder: string, command: string): Promise<void> {
    const items = (await connection.conflicts()).map((it) => ({
        label: titleOf(it),
        description: `${it.agent}: ${it.failures.length} of ${count(it.editCount, "edit")} ${it.failures.length === 1 ? "does" : "do"} not fit`,
        batchId: it.batchId,
    }));
    const chosen = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { placeHolder });
    if (!chosen) return;
    const answer = await connection.execute<{ status: string }>(command, { batchId: chosen.batchId });
    void vscode.window.showInformationMessage(answer.status);
}

async function revert({ connection, applied }: Parts): Promise<void> {
    const items = applied.all.map((it) => ({ label: `batch ${it.batchId}`, description: it.status, batchId: it.batchId }));
    const chosen = await vscode.window.showQuickPick(items, { placeHolder: "Take back what a batch did" });
    if (!chosen) return;
    const answer = await connection.execute<RevertResult>("agentEdit.revert", { batchId: chosen.batchId });
    const kept = answer.documents.filter((it) => !it.reverted);
    if (kept.length === 0) {
        void vscode.window.showInformationMessage(answer.status);
    } else {
        const why = kept.map((it) => `${baseName(it.uri)}: ${it.reason ?? "it stays"}`).join("; ");
        void vscode.window.showWarningMessage(`${answer.status} (${why})`);
    }
}

function titleOf(batch: PendingBatch): string {
    return batch.label ? `batch ${batch.batchId}: ${batch.label}` : `batch ${batch.batchId}`;
}
