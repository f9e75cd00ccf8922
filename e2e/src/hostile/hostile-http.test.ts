import { eachEffect, readAnswer, readTables } from "@plasm/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textIn } from "../identity/identity-world.ts";
import { EVERYTHING } from "./hostile-api.ts";
import { callerOf, GRAFTS, ROWS, SAYABLE, SEEDS, type Call } from "./hostile-caller.ts";
import { openHostileWorld, type HostileWorld } from "./hostile-world.ts";
import { eventsIn, looked } from "./looked-at.ts";

let world: HostileWorld;
let call: Call;
/** the session's path */
let at = "";
beforeAll(async () => {
  world = await openHostileWorld();
  call = callerOf(world.url);
  const opening = { intent: SAYABLE, seeds: SEEDS, notation: "names" };
  at = (await call("POST", "/execute", opening)).location;
  await call("POST", `${at}/grafts`, GRAFTS);
}, 60_000);
afterAll(() => world.close());

const run = (program: string, accept = "text/plain", more: object = {}) =>
  call("POST", at, { program, wait: true, force: true, ...more }, { accept });

/** The heads of the lines that something foreign might feign. */
const heads = (text: string): readonly string[] =>
  text
    .split("\n")
    .flatMap((line) => /^(?:failed at|effects:|error|fix:|try:|done|Boat ·)/.exec(line) ?? []);

describe("P16, P24: HTTP between a hostile API, catalog and caller, byte for byte", () => {
  it("tables and documents of the session are read back", async () => {
    const { text } = await call("GET", at, undefined, { accept: "text/plain" });
    expect(readTables(text)).toMatchObject([{ heading: "quay: Boat" }]);
    expect((await call("GET", at)).json()).toHaveProperty("prompt");
    const index = await call("GET", `${at}/grafts`, undefined, { accept: "text/markdown" });
    expect(index.text.match(/^- `g01` /gm)).toHaveLength(1);
    expect((await call("GET", "/v1/registry")).json()).toMatchObject([{ entry_id: "quay" }]);
    const found = (await call("POST", "/v1/discover", { intent: SAYABLE })).json();
    expect(found["options"]).toContainEqual(expect.objectContaining({ entity: "Boat" }));
  });

  it.each(["text/plain", "text/markdown"])("rows and effects as %s", async (accept) => {
    const { results, effects } = readAnswer((await run(ROWS, accept)).text.trimEnd());
    expect([results.length, results[0]?.rowCount, effects]).toEqual([1, 12, []]);
    const called = await run("Boat.limit(12) => Boat(_.id).ping()", accept);
    expect(readAnswer(called.text.trimEnd()).effects).toHaveLength(12);
  });

  it("rows as JSON, as lines, as a snapshot and as a run are the same rows", async () => {
    const whole = (await run(ROWS, "application/json")).json() as unknown as {
      readonly results: readonly { readonly rows: readonly object[] }[];
      readonly _meta: { readonly plasm: { readonly steps: readonly { run_id: string }[] } };
    };
    const rows = whole.results[0]?.rows ?? [];
    expect(rows).toHaveLength(12);
    const lines = (await run(ROWS, "application/x-ndjson")).text.trimEnd().split("\n");
    const read = lines.map((line) => JSON.parse(line) as object);
    expect(read.slice(0, 12)).toEqual(rows.map((row) => ({ result: "Boat", row })));
    expect((await call("GET", `${at}/r/1`)).json()["rows"]).toEqual(rows);
    const [step] = whole._meta.plasm.steps;
    expect((await call("GET", `${at}/artifacts/${step?.run_id}`)).json()["rows"]).toEqual(rows);
    expect((await call("GET", `${at}/runs`)).json()["runs"]).toBeInstanceOf(Array);
  });

  it.each<readonly [place: string, status: number, ask: () => ReturnType<Call>]>([
    ["refused by the API", 502, () => run('Boat("b1")')],
    ["programs", 422, () => run(EVERYTHING)],
    ["refs of plans", 400, () => run("Boat", "text/plain", { plan_commit_ref: EVERYTHING })],
    ["members", 400, () => call("POST", `${at}/context`, { seeds: SEEDS, [EVERYTHING]: 1 })],
    [
      "seeds",
      404,
      () => call("POST", `${at}/context`, { seeds: [{ api: SAYABLE, entity: "Boat" }] }),
    ],
    [
      "entities",
      422,
      () => call("POST", `${at}/context`, { seeds: [{ api: "quay", entity: SAYABLE }] }),
    ],
    ["apis", 404, () => call("POST", "/v1/discover", { intent: "boats", apis: [SAYABLE] })],
    ["queries", 400, () => call("GET", `${at}/runs?${encodeURIComponent(SAYABLE)}=1`)],
    ["intents", 400, () => call("POST", "/execute", { intent: EVERYTHING, seeds: SEEDS })],
    ["ids of grafts", 404, () => call("GET", `${at}/grafts/${encodeURIComponent(SAYABLE)}`)],
    ["ids of traces", 404, () => call("GET", `/v1/traces/${encodeURIComponent(SAYABLE)}`)],
    ["handles", 404, () => call("GET", `${at}/operations/${encodeURIComponent(SAYABLE)}`)],
    ["paths", 404, () => call("GET", `/${encodeURIComponent(SAYABLE)}`)],
    ["types", 406, () => run("Boat", 'text/"\u009b2J\u0085"')],
  ])("problem+json: %s", async (place, status, ask) => {
    const answer = await ask();
    expect([answer.status, answer.type], answer.text).toEqual([status, "application/problem+json"]);
    const detail = textIn(answer.json(), "detail");
    // What is read from JSON is shown next: it is looked at, too.
    looked(detail, "detail");
    // A program that is refused shows its own lines.
    if (place === "programs") return;
    expect(heads(detail)).toEqual(status === 502 ? ["failed at", "error", "fix:"] : []);
  });

  it("a path has no lines of its own", async () => {
    const answer = await call("GET", `/${encodeURIComponent(SAYABLE)}`);
    expect(textIn(answer.json(), "detail").split("\n")).toHaveLength(1);
  });

  it("an operation: its line, its state, and its stream to the end", async () => {
    const begun = await run("Boat.limit(12) => Boat(_.id).ping()", "application/json", {
      wait: false,
    });
    expect(begun.status).toBe(202);
    const [handle = ""] = /s0_o\d+/.exec(begun.text) ?? [];
    const accept = { accept: "text/event-stream" };
    const stream = await call("GET", `${at}/operations/${handle}/stream`, undefined, accept);
    const events = eventsIn(stream.text);
    expect(events.length).toBeGreaterThan(0);
    for (const { data } of events) expect(data.startsWith(handle), data).toBe(true);
    expect((await call("GET", `${at}/operations/${handle}`)).status).toBe(200);
    const ended = await run(`wait(${handle})`);
    const effects = ended.text.split("\n").flatMap(eachEffect);
    expect(effects.filter((line) => line.startsWith("done "))).toHaveLength(12);
  });

  it("traces, and their stream", { timeout: 60_000 }, async () => {
    // Traces are written behind the calls that they are of.
    let id = "";
    const listed = async () => {
      const { traces } = (await call("GET", "/v1/traces")).json();
      id = (traces as readonly { readonly trace_id: string }[])[0]?.trace_id ?? "";
      return id;
    };
    await expect.poll(listed, { timeout: 30_000 }).not.toBe("");
    expect((await call("GET", `/v1/traces/${id}`)).json()["events"]).not.toEqual([]);
    const response = await fetch(`${world.url}/v1/traces/${id}/stream`);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let told = "";
    while (!told.endsWith("\n\n")) told += (await reader?.read())?.value ?? "\n\n";
    await reader?.cancel();
    const [first] = eventsIn(looked(told, "a trace's stream"));
    expect([first?.event, JSON.parse(first?.data ?? "")]).toMatchObject([
      "snapshot",
      { trace_id: id },
    ]);
  });

  it("plans that wait for an operator", async () => {
    const note = JSON.stringify(SAYABLE);
    const asked = await run(`Boat("b1").update(note=${note})`, "text/plain", { force: false });
    expect([asked.status, asked.json()["code"]]).toEqual([409, "plasm-approval-required"]);
    const key = { "x-api-key": world.operatorKey };
    const listed = (await call("GET", "/v1/approvals", undefined, key)).json();
    expect(listed).toMatchObject({ approvals: [{ intent: SAYABLE }] });
  });
});
