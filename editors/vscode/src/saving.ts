// `agentEdit/save`: what is saved is what was asked for, and only that is said to be.
import * as vscode from "vscode";
import type { SaveParams } from "./protocol";

export async function save(params: SaveParams): Promise<{ saved: boolean[] }> {
    const saved: boolean[] = [];
    for (const { uri, version } of params.textDocuments) saved.push(await saveOne(uri, version));
    return { saved };
}

async function saveOne(uri: string, version: number | null): Promise<boolean> {
    const wanted = vscode.Uri.parse(uri).toString();
    const document = vscode.workspace.textDocuments.find((it) => it.uri.toString() === wanted);
    // To save what has no file yet would ask the person for a name.
    if (!document || document.isUntitled || (version !== null && document.version !== version)) return false;
    if (!document.isDirty) return true;
    return (await document.save()) && !document.isDirty;
}
