// What this client says and expects, against the real server, where AGENT_EDIT_SERVER names one. No editor: the edits that
// the server asks for are not applied.
import { type ChildProcess, spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMessageConnection, type MessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { parseBatch, placeOf, report, withEdits } from "../src/batch";
import { type AgentEditResult, FEATURES, type PendingBatch } from "../src/protocol";

const program = process.env.AGENT_EDIT_SERVER;
const uri = "untitled:Untitled-1";
const text = "one 🚀\r\ntwo\r\nthree\r\n";

describe.skipIf(!program)("the server", () => {
    let server: ChildProcess;
    let connection: MessageConnection;
    let announced: { features: string[] };

    beforeAll(async () => {
        server = spawn(program ?? "", ["lsp"], { stdio: ["pipe", "pipe", "ignore"] });
        if (!server.stdout || !server.stdin) throw new Error("no pipes");
        connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
        connection.listen();
        const agentEdit = { features: FEATURES, save: true, showEdit: true };
        const workspace = { applyEdit: true, workspaceEdit: { documentChanges: true } };
        const answer = await connection.sendRequest<{ capabilities: { experimental: { agentEdit: typeof announced } } }>("initialize", {
            processId: process.pid,
            rootUri: null,
            capabilities: { workspace, experimental: { agentEdit } },
        });
        announced = answer.capabilities.experimental.agentEdit;
        await connection.sendNotification("initialized", {});
        const textDocument = { uri, languageId: "plaintext", version: 1, text };
        await connection.sendNotification("textDocument/didOpen", { textDocument });
    });

    afterAll(async () => {
        await connection.sendRequest("shutdown");
        await connection.sendNotification("exit");
        connection.dispose();
    });

    test("has every feature that this client names", () => {
        expect(announced.features).toEqual(expect.arrayContaining([...FEATURES]));
    });

    test("previews what is shown beside the document", async () => {
        const edits = [{ oldText: "🚀", newText: "rocket" }, { oldText: "three", newText: "3" }];
        const batch = parseBatch(JSON.stringify({ mode: "preview", documents: [{ textDocument: { uri }, edits }] }));
        if ("problem" in batch) throw new Error(batch.problem);
        const result = await connection.sendRequest<AgentEditResult>("workspace/agentEdit", batch.params);
        expect(result.applied).toBe(false);
        expect(withEdits(text, result.documents[0]?.textEdits ?? [])).toBe("one rocket\r\ntwo\r\n3\r\n");
        expect(report(result)).toContain("+one rocket");
    });

    test("tells of conflicts where the cursor can go", async () => {
        const edits = [{ oldText: "two\nthree!", newText: "2\n3" }];
        const params = { agent: "a test", documents: [{ textDocument: { uri }, edits }] };
        await expect(connection.sendRequest("workspace/agentEdit", params)).rejects.toThrow(/edit 1: not-found/);
        const list = { command: "agentEdit.conflicts", arguments: [] };
        const pending = await connection.sendRequest<PendingBatch[]>("workspace/executeCommand", list);
        expect(pending).toMatchObject([{ agent: "a test", editCount: 1, failures: [{ uri, edit: 0, kind: "not-found" }] }]);
        const failure = pending[0]?.failures[0];
        expect(failure && placeOf(failure)).toEqual({ line: 1, character: 0 });
        const discard = { command: "agentEdit.discardAll", arguments: [{ batchId: pending[0]?.batchId }] };
        expect(await connection.sendRequest("workspace/executeCommand", discard)).toHaveProperty("status");
        expect(await connection.sendRequest("workspace/executeCommand", list)).toEqual([]);
    });
});
