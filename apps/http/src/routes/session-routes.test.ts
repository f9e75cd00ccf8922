import type { Caller, ContextRequest } from "@plasm/agent-core";
import { describe, expect, it } from "vitest";
import { problemIn, send, type Sent } from "../testing/app-for.ts";

const key = { prompt_hash: "a".repeat(64), session_id: "b".repeat(32) };
const pair = `/execute/${key.prompt_hash}/${key.session_id}`;
const DIGEST = `sha256:${"0".repeat(64)}`;
const seeds = [{ api: "quay", entity: "Boat" }];

async function post(path: string, sent: Sent) {
  const given: ContextRequest[] = [];
  const context = async (_caller: Caller, request: ContextRequest) => {
    given.push(request);
    return { text: "the table", meta: { execute_binding: key, reused: false } };
  };
  return { response: await send({ context }, path, sent), given };
}

describe("GET …/runs (SURF-16)", () => {
  it("hands on where the page begins", async () => {
    const asked: unknown[] = [];
    const runs = async (_caller: Caller, _at: unknown, page?: object) => {
      asked.push(page);
      return { runs: [], omitted: 0, next: null };
    };
    for (const query of ["", "?before=1.a"]) await send({ runs }, `${pair}/runs${query}`);
    expect(asked).toEqual([{ before: undefined }, { before: "1.a" }]);
  });
});

describe("POST /execute (SURF-16)", () => {
  it("answers 303 with the place and the meta of the session", async () => {
    const { response, given } = await post("/execute", { json: { seeds } });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(pair);
    expect(await response.json()).toEqual({ plasm: { execute_binding: key, reused: false } });
    expect(given[0]).not.toHaveProperty("intent");
  });

  it("takes seeds that name no catalog (SURF-7)", async () => {
    const json = { seeds: [{ entity: "boats" }, ...seeds], intent: "x" };
    const { given } = await post("/execute", { json });
    expect(given[0]).toMatchObject({ seeds: json.seeds });
  });

  it("takes a catalog with entities, an intent, a notation, read_only, pins (RUN-172, TEACH-25)", async () => {
    const json = {
      entry_id: "quay",
      entities: ["Boat", "Harbour"],
      intent: "x",
      notation: "names",
      read_only: true,
      pins: [{ api: "quay", digest: DIGEST }],
    };
    const { given } = await post("/execute", { json });
    expect(given[0]).toMatchObject({
      intent: "x",
      notation: "names",
      readOnly: true,
      pins: [{ api: "quay", digest: DIGEST }],
      seeds: [...seeds, { api: "quay", entity: "Harbour" }],
    });
  });

  it("gives the table as text where text is asked for", async () => {
    const headers = { accept: "text/plain" };
    const { response } = await post("/execute", { json: { seeds }, headers });
    expect(response.status).toBe(303);
    expect(await response.text()).toBe("the table\n");
  });

  it.each([
    [{ seeds, entry_id: "quay", entities: ["Boat"] }, "not both"],
    [{ entry_id: "quay" }, "entities a list"],
    [{ seeds, intents: "x" }, "Did you mean intent?"],
    [{ seeds, replay: true }, "takes no argument replay"],
    [{ seeds, detail: 1 }, "detail is 1, and must be true or false"],
    [{ seeds, read_only: "yes" }, 'read_only is "yes", and must be true or false'],
  ])("refuses %j", async (json, said) => {
    const { response, given } = await post("/execute", { json });
    expect(await problemIn(response)).toMatchObject({ status: 400 });
    expect((await problemIn((await post("/execute", { json })).response)).detail).toContain(said);
    expect(given).toEqual([]);
  });

  it("opens nothing for a format that it cannot answer in", async () => {
    const headers = { accept: "text/html" };
    const { response, given } = await post("/execute", { json: { seeds }, headers });
    expect((await problemIn(response)).status).toBe(406);
    expect(given).toEqual([]);
  });
});

describe("POST …/context (SURF-16, A38)", () => {
  it("extends the session of its path, and answers text and meta", async () => {
    const json = { seeds, replay: true, detail: true, read_only: false };
    const { response, given } = await post(`${pair}/context`, { json });
    expect(await response.json()).toEqual({
      text: "the table",
      _meta: { plasm: { execute_binding: key, reused: false } },
    });
    const session = { promptHash: key.prompt_hash, sessionId: key.session_id };
    expect(given).toEqual([{ seeds, replay: true, detail: true, readOnly: false, session }]);
  });

  it("takes no intent: its path says which session", async () => {
    const { response } = await post(`${pair}/context`, { json: { seeds, intent: "x" } });
    expect((await problemIn(response)).status).toBe(400);
  });
});

describe("GET /execute/{prompt_hash}/{session_id}", () => {
  const describeIt = async (_caller: Caller, address: object) => ({
    prompt: "p",
    at: { ...address },
  });

  it("shows the session, and as text its prompt", async () => {
    const json = await send({ describe: describeIt }, pair);
    expect(await json.json()).toEqual({
      prompt: "p",
      at: { kind: "pair", promptHash: key.prompt_hash, sessionId: key.session_id },
    });
    const headers = { accept: "text/plain" };
    const text = await send({ describe: describeIt }, pair, { headers });
    expect(text.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await text.text()).toBe("p\n");
  });

  it("answers HEAD without a body", async () => {
    const response = await send({ describe: describeIt }, pair, { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });
});
