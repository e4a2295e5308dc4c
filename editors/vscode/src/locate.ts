// Which server is started. Facts come in, a path goes out.

export interface Surroundings {
    /** The setting `agentEdit.server.path`. */
    setting: string | undefined;
    environment: { AGENT_EDIT_SERVER?: string | undefined; PATH?: string | undefined };
    /** Where the extension is installed. */
    extensionFolder: string;
    home: string;
    platform: string;
    /** Whether this file can be run. */
    isProgram(path: string): boolean;
}

export type Located =
    | { found: true; path: string; by: "setting" | "environment" | "bundled" | "path" }
    | { found: false; message: string };

/** The setting, the environment, the binary that came with the extension, the path: the first that is set decides. What a
 * person has named and is not there is told, and nothing else is started in its place. */
export function locate(at: Surroundings): Located {
    const setting = at.setting?.trim();
    if (setting) return named(at, expandHome(setting, at.home), "setting", "the setting agentEdit.server.path");
    const variable = at.environment.AGENT_EDIT_SERVER?.trim();
    if (variable) return named(at, expandHome(variable, at.home), "environment", "the environment variable AGENT_EDIT_SERVER");
    const name = at.platform === "win32" ? "agent-edit.exe" : "agent-edit";
    const bundled = join(at, join(at, at.extensionFolder, "server"), name);
    if (at.isProgram(bundled)) return { found: true, path: bundled, by: "bundled" };
    const separator = at.platform === "win32" ? ";" : ":";
    for (const folder of (at.environment.PATH ?? "").split(separator)) {
        if (!folder) continue;
        const path = join(at, folder, name);
        if (at.isProgram(path)) return { found: true, path, by: "path" };
    }
    return { found: false, message: "The server agent-edit was not found: none came with this extension, and none is on the PATH." };
}

function named(at: Surroundings, path: string, by: "setting" | "environment", where: string): Located {
    if (at.isProgram(path)) return { found: true, path, by };
    return { found: false, message: `There is no program at ${path}, which ${where} names.` };
}

function expandHome(path: string, home: string): string {
    return path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;
}

function join(at: Surroundings, folder: string, name: string): string {
    const slash = at.platform === "win32" ? "\\" : "/";
    return folder.endsWith(slash) ? folder + name : folder + slash + name;
}

/** The oldest server that this extension speaks with. */
export const OLDEST: readonly [number, number, number] = [0, 1, 0];

/** What `agent-edit --version` says, as a sentence for the person if it will not do. */
export function complaintAbout(path: string, said: string): string | undefined {
    const found = /^agent-edit (\d+)\.(\d+)\.(\d+)/.exec(said.trim());
    if (!found) return `${path} is not agent-edit: asked for its version, it said “${said.trim().slice(0, 60)}”.`;
    const version = found.slice(1).map(Number);
    for (const [i, least] of OLDEST.entries()) {
        const is = version[i] ?? 0;
        if (is > least) return undefined;
        if (is < least) return `${path} is agent-edit ${version.join(".")}; this extension needs ${OLDEST.join(".")} or newer.`;
    }
    return undefined;
}
