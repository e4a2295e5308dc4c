// The tool that language models apply edits with. Its description and schema stand in package.json.
import * as vscode from "vscode";
import { report, summary } from "./batch";
import type { Connection } from "./connection";
import type { AgentEditParams } from "./protocol";

export function registerTool(connection: Connection): vscode.Disposable {
    return vscode.lm.registerTool<AgentEditParams>("agent-edit_apply", {
        prepareInvocation: ({ input }) => ({
            invocationMessage: input.mode === "preview" ? "Previewing edits" : "Applying edits",
            confirmationMessages: {
                title: input.mode === "preview" ? "Preview edits" : "Apply edits",
                message: `${input.label ? `${input.label}: ` : ""}${summary(input)}`,
            },
        }),
        invoke: async ({ input }, token) => {
            const text = await reported(connection, { agent: "language model tool", ...input }, token);
            return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
        },
    });
}

/** A refusal is a result like any other: its report is made for the model to repair the batch from. */
async function reported(connection: Connection, input: AgentEditParams, token: vscode.CancellationToken): Promise<string> {
    try {
        return report(await connection.apply(input, token));
    } catch (error) {
        return error instanceof Error ? error.message : String(error);
    }
}
