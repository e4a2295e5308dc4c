import { expect, test } from "vitest";
import { complaintAbout, locate, type Surroundings } from "../src/locate";

const nothing: Surroundings = {
    setting: undefined,
    environment: {},
    extensionFolder: "/ext",
    home: "/home/me",
    platform: "linux",
    isProgram: () => false,
};

function at(programs: string[], rest: Partial<Surroundings> = {}): Surroundings {
    return { ...nothing, ...rest, isProgram: (it) => programs.includes(it) };
}

test.each([
    ["the setting is first", at(["/s", "/e", "/ext/server/agent-edit"], { setting: "/s", environment: { AGENT_EDIT_SERVER: "/e" } }), "setting", "/s"],
    ["home in the setting", at(["/home/me/bin/it"], { setting: " ~/bin/it " }), "setting", "/home/me/bin/it"],
    ["an empty setting is none", at(["/e"], { setting: " ", environment: { AGENT_EDIT_SERVER: "/e" } }), "environment", "/e"],
    ["the environment before the bundle", at(["/e", "/ext/server/agent-edit"], { environment: { AGENT_EDIT_SERVER: "/e" } }), "environment", "/e"],
    ["the bundle before the path", at(["/ext/server/agent-edit", "/b/agent-edit"], { environment: { PATH: "/b" } }), "bundled", "/ext/server/agent-edit"],
    ["the first of the path", at(["/b/agent-edit", "/c/agent-edit"], { environment: { PATH: "/a::/b/:/c" } }), "path", "/b/agent-edit"],
    ["Windows", at(["C:\\b\\agent-edit.exe"], { platform: "win32", extensionFolder: "C:\\ext", environment: { PATH: "C:\\a;C:\\b" } }), "path", "C:\\b\\agent-edit.exe"],
    ["Windows, bundled", at(["C:\\ext\\server\\agent-edit.exe"], { platform: "win32", extensionFolder: "C:\\ext" }), "bundled", "C:\\ext\\server\\agent-edit.exe"],
])("%s", (_, surroundings, by, path) => {
    expect(locate(surroundings)).toEqual({ found: true, by, path });
});

test.each([
    ["nothing anywhere", at([]), "was not found"],
    ["a wrong setting, though there is a bundle", at(["/ext/server/agent-edit"], { setting: "/s" }), "/s, which the setting"],
    ["a wrong variable, though it is on the path", at(["/b/agent-edit"], { environment: { AGENT_EDIT_SERVER: "/e", PATH: "/b" } }), "/e, which the environment"],
])("told: %s", (_, surroundings, words) => {
    const found = locate(surroundings);
    expect(found.found).toBe(false);
    expect(found).toHaveProperty("message", expect.stringContaining(words));
});

test.each([
    ["agent-edit 0.1.0\n", undefined],
    ["agent-edit 0.1.7", undefined],
    ["agent-edit 1.0.0-rc.1", undefined],
    ["agent-edit 0.0.9", "/a is agent-edit 0.0.9; this extension needs 0.1.0 or newer."],
    ["other 3.0.0", "/a is not agent-edit: asked for its version, it said “other 3.0.0”."],
    ["", "/a is not agent-edit: asked for its version, it said “”."],
])("the version %j", (said, complaint) => {
    expect(complaintAbout("/a", said)).toBe(complaint);
});
