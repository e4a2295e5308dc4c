// The status item, and the facts that the palette goes by.
import * as vscode from "vscode";
import type { AppliedBatches } from "./applied";
import { count, pendingCount } from "./batch";
import type { Connection } from "./connection";

export function registerStatus(connection: Connection, applied: AppliedBatches): vscode.Disposable {
    const item = vscode.window.createStatusBarItem("agent-edit.conflicts", vscode.StatusBarAlignment.Left);
    item.name = "Agent edit conflicts";
    item.command = "agent-edit.showConflicts";
    const show = () => {
        const pending = pendingCount(connection.pending);
        item.text = `$(git-pull-request-draft) ${count(pending, "conflict")}`;
        item.tooltip = `${count(pending, "agent edit")} ${pending === 1 ? "does" : "do"} not fit`;
        if (pending > 0) item.show();
        else item.hide();
        setContext("running", connection.running);
        setContext("pending", connection.pending.length > 0);
        setContext("applied", applied.all.length > 0);
    };
    show();
    return vscode.Disposable.from(item, connection.onDidChange(show));
}

function setContext(fact: string, value: boolean): void {
    void vscode.commands.executeCommand("setContext", `agent-edit.${fact}`, value);
}
