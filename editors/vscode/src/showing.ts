// Diffs are VS Code's own. Texts that stand in no file are read-only documents of the scheme `agent-edit`.
import * as vscode from "vscode";
import { baseName, withEdits } from "./batch";
import type { AgentEditResult, DocumentResult, ShowEditParams, ShownSide } from "./protocol";

const SCHEME = "agent-edit";

export class Showing implements vscode.Disposable, vscode.TextDocumentContentProvider {
    private readonly texts = new Map<string, string>();
    private last = 0;
    private readonly registered = vscode.Disposable.from(
        vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
        vscode.workspace.onDidCloseTextDocument((it) => this.texts.delete(it.uri.toString())),
    );

    provideTextDocumentContent(uri: vscode.Uri): string {
        return this.texts.get(uri.toString()) ?? "";
    }

    dispose(): void {
        this.registered.dispose();
    }

    /** One edit beside what stands where it would go. */
    async edit({ title, left, right }: ShowEditParams): Promise<void> {
        await this.diff(this.side(left, left.uri), this.side(right, left.uri), title, true);
    }

    /** Each document of a preview beside what it would become. */
    async preview(result: AgentEditResult): Promise<void> {
        const changed = result.documents.filter((it) => (it.textEdits?.length ?? 0) > 0);
        if (changed.length === 0) void vscode.window.showInformationMessage(result.status);
        for (const it of changed) await this.previewOf(it, changed.length === 1);
    }

    private async previewOf(it: DocumentResult, alone: boolean): Promise<void> {
        const uri = vscode.Uri.parse(it.textDocument.uri);
        const document = await vscode.workspace.openTextDocument(uri);
        const { version } = it.textDocument;
        const name = baseName(it.textDocument.uri);
        if (version !== null && version !== document.version) throw new Error(`${name} has changed since it was previewed.`);
        const right = this.virtual(withEdits(document.getText(), it.textEdits ?? []), it.textDocument.uri);
        await this.diff(uri, right, `${name}: preview`, alone);
    }

    private side(side: ShownSide, like: string | undefined): vscode.Uri {
        return this.virtual(side.text, like ?? side.title);
    }

    /** Named like the document, so that it is coloured like it. */
    private virtual(text: string, like: string): vscode.Uri {
        const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${++this.last}/${baseName(like)}` });
        this.texts.set(uri.toString(), text);
        return uri;
    }

    private async diff(left: vscode.Uri, right: vscode.Uri, title: string, preview: boolean): Promise<void> {
        await vscode.commands.executeCommand("vscode.diff", left, right, title, { preview });
    }
}
