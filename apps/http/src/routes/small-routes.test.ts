import { LOCAL, type Caller } from "@plasm/agent-core";
import { fail, problem } from "@plasm/agent-core/internal";
import { describe, expect, it } from "vitest";
import { problemIn, send } from "../testing/app-for.ts";

describe("GET /v1/health", () => {
  it("is ok while the store is up", async () => {
    const response = await send({}, "/v1/health");
    expect([response.status, await response.text()]).toEqual([200, '{"status":"ok"}']);
  });

  it("is 503 while the store is down", async () => {
    const ping = async () => Promise.reject(new Error("disk full"));
    const response = await send({ ping }, "/v1/health");
    expect(response.status).toBe(503);
    expect(await problemIn(response)).toMatchObject({ code: "plasm-store-unavailable" });
  });
});

describe("GET /v1/ready (OPS-59)", () => {
  it("is ready while the store can be written, and asks nothing else", async () => {
    let pings = 0;
    const ping = async () => void (pings += 1);
    const storage = async (): Promise<never> => Promise.reject(new Error("nobody asks"));
    const response = await send({ ping, storage }, "/v1/ready");
    expect([response.status, await response.text(), pings]).toEqual([200, '{"status":"ready"}', 1]);
  });

  it("is 503 with the cause while the store cannot be written", async () => {
    const text = "The disk that holds the data directory is full.";
    const ping = async () => Promise.reject(new Error("/data: full"));
    const problemOf = () => problem("plasm-store-unavailable", text);
    const response = await send({ ping, problemOf }, "/v1/ready");
    expect([response.status, await problemIn(response)]).toMatchObject([
      503,
      { code: "plasm-store-unavailable", detail: text },
    ]);
    const unknown = await send({ ping }, "/v1/ready");
    expect(await unknown.text()).not.toContain("/data");
  });
});

describe("18.2 GET /v1/health of a store that cannot be used", () => {
  it("says why, as the store says it to callers", async () => {
    const text = "The disk that holds the data directory is full.";
    const ping = async () => Promise.reject(new Error("/data: full"));
    const problemOf = () => problem("plasm-store-unavailable", text);
    const response = await send({ ping, problemOf }, "/v1/health");
    expect([response.status, (await problemIn(response)).detail]).toEqual([503, text]);
  });
});

describe("GET /v1/registry", () => {
  it("lists catalogs for the local caller", async () => {
    const callers: Caller[] = [];
    const registry = async (caller: Caller) => {
      callers.push(caller);
      return [{ entry_id: "quay" }];
    };
    const response = await send({ registry }, "/v1/registry");
    expect(await response.json()).toEqual([{ entry_id: "quay" }]);
    expect(callers).toMatchObject([{ ...LOCAL, requestId: response.headers.get("x-request-id") }]);
  });

  it("shows one by its id", async () => {
    const registryEntry = async (_caller: Caller, id: string) => ({ entry_id: id });
    const response = await send({ registryEntry }, "/v1/registry/quay%20x");
    expect(await response.json()).toEqual({ entry_id: "quay x" });
  });

  it("answers 404 for one that is not there", async () => {
    const registryEntry = async () => {
      throw fail("plasm-unknown-catalog", "No catalog x.");
    };
    const response = await send({ registryEntry }, "/v1/registry/x");
    expect(await problemIn(response)).toMatchObject({ status: 404, detail: "No catalog x." });
  });
});

describe("POST /v1/discover", () => {
  const discover = async (_caller: Caller, given: object) => ({
    text: "text",
    meta: { options: [], omitted: 0, given: { ...given } },
  });

  it("hands on what it is asked", async () => {
    const json = { intent: "boats", apis: ["quay"], limit: 3 };
    const response = await send({ discover }, "/v1/discover", { json });
    expect(await response.json()).toEqual({ options: [], omitted: 0, given: json });
  });

  it.each([
    [{ json: { intent: "x", limits: 3 } }, 400, "Did you mean limit?"],
    [{ json: [] }, 400, "JSON object"],
    [{ json: "text" }, 400, "JSON object"],
    [{ body: "{", headers: { "content-type": "application/json" } }, 400, "not valid JSON"],
    [
      { body: '{"intent":"a","intent":"b"}', headers: { "content-type": "application/json" } },
      400,
      'The body has "intent" twice',
    ],
    [
      { body: '{"intent":"x"}', headers: { "content-type": "text/plain" } },
      415,
      "application/json",
    ],
    [{ body: '{"intent":"x"}' }, 415, "application/json"],
    [
      { body: "{}", headers: { "content-type": "application/json; charset=latin1" } },
      415,
      "in UTF-8",
    ],
    [
      { body: "{}", headers: { "content-type": "application/json", "content-encoding": "gzip" } },
      415,
      "gzip",
    ],
    [
      {
        body: JSON.stringify("x".repeat(4 * 1024 * 1024)),
        headers: { "content-type": "application/json" },
      },
      413,
      "4194304 bytes",
    ],
  ])("refuses %j", async (sent, status, said) => {
    const response = await send({ discover }, "/v1/discover", sent);
    expect(response.status).toBe(status);
    expect((await problemIn(response)).detail).toContain(said);
  });
});
