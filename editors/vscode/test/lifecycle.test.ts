import { expect, test } from "vitest";
import { Lifecycle } from "../src/lifecycle";

/** Servers that write down what is done to them, and take as long as they are told. */
function bench(gate: Record<string, Promise<void>> = {}) {
    const log: string[] = [];
    const failures: string[] = [];
    let made = 0;
    const step = async (what: string) => {
        log.push(what);
        await gate[what];
    };
    const lifecycle = new Lifecycle(
        async () => {
            const n = ++made;
            await step(`make ${n}`);
            return { start: () => step(`start ${n}`), stop: () => step(`stop ${n}`) };
        },
        (error) => failures.push(String(error)),
    );
    return { lifecycle, log, failures };
}

function gateway() {
    let open = () => {};
    let fail = (_: Error) => {};
    const promise = new Promise<void>((resolve, reject) => ([open, fail] = [resolve, reject]));
    return { promise, open, fail };
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

test("a restart stops the one that runs before it starts another", async () => {
    const { lifecycle, log } = bench();
    await lifecycle.restart();
    await lifecycle.restart();
    expect(log).toEqual(["make 1", "start 1", "stop 1", "make 2", "start 2"]);
});

test("restarts that are asked for in one breath are one", async () => {
    const { lifecycle, log } = bench();
    await Promise.all([lifecycle.restart(), lifecycle.restart(), lifecycle.restart()]);
    expect(log).toEqual(["make 1", "start 1"]);
});

test("restarts that are asked for during a start are one more, and all wait for it", async () => {
    const starting = gateway();
    const { lifecycle, log } = bench({ "start 1": starting.promise });
    const first = lifecycle.restart();
    await turns();
    const others = [lifecycle.restart(), lifecycle.restart()];
    await turns();
    expect(log).toEqual(["make 1", "start 1"]);
    starting.open();
    await Promise.all([first, ...others]);
    expect(log).toEqual(["make 1", "start 1", "stop 1", "make 2", "start 2"]);
});

test("a restart that is asked for the moment one is done is not lost", async () => {
    const { lifecycle, log } = bench();
    await lifecycle.restart().then(() => lifecycle.restart());
    expect(log.at(-1)).toBe("start 2");
});

test("a start that fails is told once, and does not stand in the way", async () => {
    const starting = gateway();
    const { lifecycle, log, failures } = bench({ "start 1": starting.promise });
    starting.fail(new Error("no"));
    await lifecycle.restart();
    expect(failures).toEqual(["Error: no"]);
    await lifecycle.restart();
    expect(log).toEqual(["make 1", "start 1", "make 2", "start 2"]);
});

test("a server that does not stop well is told, and the next one starts when it is asked for", async () => {
    const stopping = gateway();
    const { lifecycle, log, failures } = bench({ "stop 1": stopping.promise });
    stopping.fail(new Error("stuck"));
    await lifecycle.restart();
    await lifecycle.restart();
    expect(failures).toEqual(["Error: stuck"]);
    await lifecycle.restart();
    expect(log.at(-1)).toMatch(/^start /);
});

test("what closes during a start is stopped after it, and nothing starts again", async () => {
    const starting = gateway();
    const { lifecycle, log } = bench({ "start 1": starting.promise });
    const first = lifecycle.restart();
    await turns();
    const closed = lifecycle.close();
    starting.open();
    await Promise.all([first, closed]);
    await lifecycle.restart();
    expect(log).toEqual(["make 1", "start 1", "stop 1"]);
});

test("what closes while a server is looked for does not start it", async () => {
    const making = gateway();
    const { lifecycle, log } = bench({ "make 1": making.promise });
    const first = lifecycle.restart();
    await turns();
    const closed = lifecycle.close();
    making.open();
    await Promise.all([first, closed]);
    expect(log).toEqual(["make 1"]);
});
