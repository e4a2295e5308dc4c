import { expect, test } from "vitest";
import { AppliedBatches } from "../src/applied";
import { baseName, parseBatch, pendingCount, placeOf, report, summary, withEdits } from "../src/batch";
import type { AgentEditParams, AgentEditResult, Failure, Range } from "../src/protocol";

const batch: AgentEditParams = {
    documents: [{ textDocument: { uri: "file:///shop/rates%20a.py" }, edits: [{ oldText: "a", newText: "b" }, { from: 1, newText: "c" }] }],
};

test.each([
    ["as it is", JSON.stringify(batch)],
    ["in a code fence", `\n\`\`\`json\n${JSON.stringify(batch, null, 2)}\n\`\`\`\n`],
])("a batch is taken %s", (_, text) => {
    expect(parseBatch(text)).toEqual({ params: batch });
});

test.each([
    ["{", /^it is not JSON \(/],
    ["", /^it is not JSON \(/],
    ["[]", /^it has no list `documents`$/],
    ["null", /^it has no list `documents`$/],
    ['{"documents": {}}', /^it has no list `documents`$/],
])("%j is no batch", (text, problem) => {
    expect(parseBatch(text)).toEqual({ problem: expect.stringMatching(problem) });
});

test("a batch in a few words, whatever is in it", () => {
    expect(summary(batch)).toBe("2 edits in 1 document: rates a.py");
    expect(summary({ documents: [null, { edits: 3 }] } as never)).toBe("0 edits in 2 documents: ?, ?");
    expect(summary({ documents: Array(12).fill(batch.documents[0]) })).toMatch(/^24 edits in 12 documents: .*, and 2 more$/);
    expect(summary({} as never)).toBe("0 edits in 0 documents");
});

test("nobody is asked about a batch without being told what becomes of files", () => {
    const operations: AgentEditParams["documents"] = [
        { create: { uri: "file:///new.py", content: "" } },
        { create: { uri: "file:///old.py", content: "", overwrite: true } },
        { rename: { oldUri: "file:///a", newUri: "file:///b" } },
        { delete: { uri: "file:///c" } },
    ];
    const files = "create new.py; overwrite old.py; rename a to b; delete c";
    expect(summary({ documents: operations })).toBe(files);
    expect(summary({ documents: [...batch.documents, ...operations] })).toBe(`2 edits in 1 document: rates a.py; ${files}`);
});

function result(applied: boolean): AgentEditResult {
    const document = { textDocument: { uri: "file:///a.py", version: 1 }, baseSha256: "", sha256: "", appliedEdits: [] };
    return { batchId: "b1", applied, status: "done", documents: [{ ...document, diff: "-a\n+b", warnings: [{ code: "odd", message: "odd" }] }] };
}

test("the report has the warnings, and the diff of a preview only", () => {
    expect(report(result(true))).toBe("done\na.py: warning: odd");
    expect(report(result(false))).toBe("done\na.py: warning: odd\n-a\n+b");
});

const range = (line: number, character: number, endLine: number, endCharacter: number): Range => ({
    start: { line, character },
    end: { line: endLine, character: endCharacter },
});

test.each([
    ["a\nb\n", [{ range: range(1, 0, 1, 1), newText: "c" }], "a\nc\n"],
    ["a\r\nb\r\n", [{ range: range(1, 1, 2, 0), newText: "!" }], "a\r\nb!"],
    ["a\rb", [{ range: range(1, 0, 1, 1), newText: "c" }], "a\rc"],
    ["🚀x", [{ range: range(0, 2, 0, 3), newText: "y" }], "🚀y"],
    ["ab", [{ range: range(0, 2, 0, 2), newText: "!" }, { range: range(0, 0, 0, 1), newText: "" }], "b!"],
    ["a", [{ range: range(1, 0, 1, 0), newText: "z" }], "az"],
    ["a", [], "a"],
])("%j as previewed", (text, edits, expected) => {
    expect(withEdits(text, edits)).toBe(expected);
});

test("the cursor goes to the likely place, else to the first of several, else to the line", () => {
    const failure: Failure = { uri: "file:///a", document: 0, edit: 0, label: "", kind: "", message: "" };
    const [first, second] = [range(3, 1, 3, 2), range(5, 0, 5, 1)];
    expect(placeOf({ ...failure, candidate: { range: first }, locations: [second] })).toEqual({ line: 3, character: 1 });
    expect(placeOf({ ...failure, locations: [second] })).toEqual({ line: 5, character: 0 });
    expect(placeOf({ ...failure, lines: [7] })).toEqual({ line: 7, character: 0 });
    expect(placeOf(failure)).toBeUndefined();
    const pending = { batchId: "b1", agent: "a", editCount: 3, failures: [failure, failure] };
    expect(pendingCount([pending, pending])).toBe(4);
});

test("names are readable, even those that are not encoded well", () => {
    expect(baseName("file:///a/b%20c")).toBe("b c");
    expect(baseName("file:///a/%zz")).toBe("%zz");
    expect(baseName("untitled:Untitled-1")).toBe("untitled:Untitled-1");
});

test("batches that were applied are remembered, newest first, until they are taken back", () => {
    const applied = new AppliedBatches();
    for (const answer of [result(true), result(false), null, "x", { ...result(true), batchId: "b2" }]) applied.note(answer);
    expect(applied.all.map((it) => it.batchId)).toEqual(["b2", "b1"]);
    applied.note({ batchId: "b1", applied: true, status: "more" });
    expect(applied.all).toEqual([{ batchId: "b1", status: "more" }, { batchId: "b2", status: "done" }]);
    applied.forget("b1");
    expect(applied.all.map((it) => it.batchId)).toEqual(["b2"]);
    for (let i = 0; i < 120; i += 1) applied.note({ batchId: `c${i}`, applied: true });
    expect(applied.all).toHaveLength(100);
});
