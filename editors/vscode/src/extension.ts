import * as vscode from "vscode";
import { AppliedBatches } from "./applied";
import { registerCommands } from "./commands";
import { Connection } from "./connection";
import type { AgentEditParams, AgentEditResult } from "./protocol";
import { Showing } from "./showing";
import { registerStatus } from "./status";
import { registerTool } from "./tool";

/** What other extensions get from `activate`. */
export interface AgentEditApi {
    /** Has the server apply a batch. Comes back when the editor holds the result; a refusal is an error whose message is the
     * report and whose `data` holds it as facts. */
    applyBatch(params: AgentEditParams, token?: vscode.CancellationToken): Promise<AgentEditResult>;
}

let connection: Connection | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<AgentEditApi> {
    const output = vscode.window.createOutputChannel("agent-edit");
    const showing = new Showing();
    const applied = new AppliedBatches();
    const started = new Connection(context, applied, showing, output);
    connection = started;
    context.subscriptions.push(
        output,
        showing,
        started,
        registerStatus(started, applied),
        registerCommands({ connection: started, applied, showing, output }),
        vscode.workspace.onDidChangeConfiguration((it) => {
            if (it.affectsConfiguration("agentEdit.server")) void started.restart();
        }),
    );
    // Editors built of VS Code's sources may have no language models.
    if ("lm" in vscode && "registerTool" in vscode.lm) context.subscriptions.push(registerTool(started));
    await started.restart();
    return { applyBatch: (params, token) => started.apply(params, token) };
}

export async function deactivate(): Promise<void> {
    await connection?.close();
}
