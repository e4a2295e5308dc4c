// The server, and what is asked of it.
import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { LanguageClient, type StaticFeature } from "vscode-languageclient/node";
import type { AppliedBatches } from "./applied";
import { Lifecycle, type Server } from "./lifecycle";
import { complaintAbout, locate } from "./locate";
import { type AgentEditParams, type AgentEditResult, FEATURES, type PendingBatch, type SaveParams, type ShowEditParams } from "./protocol";
import { save } from "./saving";
import type { Showing } from "./showing";

export class Connection implements vscode.Disposable {
    /** What is pending, as the server last said. */
    pending: readonly PendingBatch[] = [];
    private client: LanguageClient | undefined;
    private readonly lifecycle: Lifecycle;
    private readonly changed = new vscode.EventEmitter<void>();
    private quiet: NodeJS.Timeout | undefined;
    private readonly watching: vscode.Disposable;
    /** Something of what is pending, of what was applied, or whether a server runs. */
    readonly onDidChange = this.changed.event;

    constructor(
        private readonly context: vscode.ExtensionContext,
        private readonly applied: AppliedBatches,
        private readonly showing: Showing,
        private readonly output: vscode.OutputChannel,
    ) {
        this.lifecycle = new Lifecycle(() => this.make(), (error) => this.complain(`agent-edit could not be started: ${String(error)}`));
        this.watching = vscode.languages.onDidChangeDiagnostics(() => this.refreshSoon());
    }

    get running(): boolean {
        return this.client?.isRunning() ?? false;
    }

    restart(): Promise<void> {
        return this.lifecycle.restart();
    }

    close(): Promise<void> {
        return this.lifecycle.close();
    }

    dispose(): void {
        this.watching.dispose();
        clearTimeout(this.quiet);
        this.changed.dispose();
    }

    /** Sends a batch, and comes back when the editor holds the result; an error has the report as its message. */
    async apply(params: AgentEditParams, token?: vscode.CancellationToken): Promise<AgentEditResult> {
        try {
            const result = await this.current().sendRequest<AgentEditResult>("workspace/agentEdit", params, token);
            this.applied.note(result);
            return result;
        } finally {
            await this.refresh();
        }
    }

    async execute<Answer>(command: string, argument?: object): Promise<Answer> {
        const params = { command, arguments: argument === undefined ? [] : [argument] };
        const answer = await this.current().sendRequest<Answer>("workspace/executeCommand", params);
        this.note(command, argument, answer);
        await this.refresh();
        return answer;
    }

    async conflicts(): Promise<readonly PendingBatch[]> {
        await this.refresh();
        return this.pending;
    }

    private current(): LanguageClient {
        if (this.client?.isRunning()) return this.client;
        throw new Error("The server agent-edit is not running.");
    }

    private note(command: string, argument: unknown, answer: unknown): void {
        if (command !== "agentEdit.revert") return this.applied.note(answer);
        const documents = (answer as { documents?: { reverted: boolean }[] } | null)?.documents ?? [];
        const { batchId, uri } = (argument ?? {}) as { batchId?: string; uri?: string };
        if (batchId && !uri && documents.every((it) => it.reverted)) this.applied.forget(batchId);
    }

    private refreshSoon(): void {
        clearTimeout(this.quiet);
        this.quiet = setTimeout(() => void this.refresh(), 100);
    }

    private async refresh(): Promise<void> {
        const client = this.client;
        if (!client?.isRunning()) {
            this.pending = [];
        } else {
            const params = { command: "agentEdit.conflicts", arguments: [] };
            const pending = await client.sendRequest<PendingBatch[]>("workspace/executeCommand", params).catch(() => undefined);
            if (client === this.client && pending) this.pending = pending;
        }
        this.changed.fire();
    }

    private async make(): Promise<Server | undefined> {
        const found = locate({
            setting: vscode.workspace.getConfiguration("agentEdit").get<string>("server.path"),
            environment: process.env,
            extensionFolder: this.context.extensionPath,
            home: homedir(),
            platform: process.platform,
            isProgram,
        });
        if (!found.found) return this.complain(found.message);
        const complaint = complaintAbout(found.path, await versionOf(found.path));
        if (complaint) return this.complain(complaint);
        this.output.appendLine(`server: ${found.path} (by ${found.by})`);
        return this.serverAt(found.path);
    }

    private serverAt(path: string): Server {
        const client = new LanguageClient(
            "agentEdit",
            "agent-edit",
            { command: path, args: ["lsp"] },
            {
                documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
                outputChannel: this.output,
                synchronize: { configurationSection: "agentEdit" },
                middleware: {
                    executeCommand: async (command, args, next) => {
                        const answer: unknown = await next(command, args);
                        this.note(command, args[0], answer);
                        this.refreshSoon();
                        return answer;
                    },
                },
            },
        );
        client.registerFeature(announcement);
        client.onRequest("agentEdit/save", (params: SaveParams) => save(params));
        client.onRequest("agentEdit/showEdit", async (params: ShowEditParams) => {
            await this.showing.edit(params);
            return null;
        });
        client.onDidChangeState(() => this.refreshSoon());
        return {
            start: async () => {
                this.client = client;
                await client.start();
                await this.refresh();
            },
            stop: async () => {
                this.client = undefined;
                this.applied.clear();
                await client.dispose();
                await this.refresh();
            },
        };
    }

    /** One message with one button; it is not waited for. */
    private complain(message: string): undefined {
        this.output.appendLine(message);
        void vscode.window.showErrorMessage(message, "Open Settings").then((chosen) => {
            if (chosen) void vscode.commands.executeCommand("workbench.action.openSettings", "agentEdit.server.path");
        });
    }
}

const announcement: StaticFeature = {
    fillClientCapabilities(capabilities) {
        const experimental = (capabilities.experimental ?? {}) as Record<string, unknown>;
        capabilities.experimental = { ...experimental, agentEdit: { features: FEATURES, save: true, showEdit: true } };
    },
    initialize() {},
    getState: () => ({ kind: "static" }),
    clear() {},
};

function isProgram(path: string): boolean {
    try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
    } catch {
        return false;
    }
}

async function versionOf(path: string): Promise<string> {
    try {
        return (await promisify(execFile)(path, ["--version"], { timeout: 10_000 })).stdout;
    } catch (error) {
        return String(error);
    }
}
