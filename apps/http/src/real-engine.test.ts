import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Host, openHost } from "@plasm/host";
import { createMcpHandler } from "@plasm/mcp";
import { fixtureCatalogDir } from "@plasm/testkit";
import type { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHttpApp } from "./create-http-app.ts";
import { problemIn } from "./testing/app-for.ts";

let [dataDir, host, app]: [string, Host | null, Hono | null] = ["", null, null];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plasm-http-"));
  host = await openHost({
    dataDir,
    catalogs: [fixtureCatalogDir("quay"), fixtureCatalogDir("yard")],
    env: {},
  });
  const { engine, connections } = host;
  app = createHttpApp({ engine, mcp: createMcpHandler({ engine, connections }) });
});

afterEach(async () => {
  await host?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function send(path: string, type: string | null, body = "", accept = "*/*") {
  const headers = { accept, ...(type === null ? {} : { "content-type": type }) };
  const sent = type === null ? { headers } : { method: "POST", headers, body };
  const response = await app?.fetch(new Request(`http://127.0.0.1${path}`, sent));
  if (response === undefined) throw new Error("no app");
  return response;
}

const json = (path: string, value: unknown) =>
  send(path, "application/json", JSON.stringify(value));

const quay = { seeds: [{ api: "quay", entity: "Boat" }] };

async function opened(given: object = quay): Promise<string> {
  const response = await json("/execute", given);
  expect(response.status).toBe(303);
  return response.headers.get("location") ?? "";
}

describe("HTTP on the engine (SURF-16)", () => {
  it("opens a session, shows it, extends it, plans in it", async () => {
    const session = await opened({ entry_id: "quay", entities: ["Boat"] });
    const prompt = await (await send(session, null, "", "text/plain")).text();
    expect(prompt).toContain("quay: Boat");
    const yard = { seeds: [{ api: "yard", entity: "Boat" }] };
    const extended = await (await json(`${session}/context`, yard)).json();
    expect(extended).toMatchObject({ text: expect.stringContaining("yard: e2 Boat") as string });
    const shown = await (await send(session, null)).json();
    expect(shown).toMatchObject({
      entry_id: "quay",
      entities: ["Boat", "Boat"],
      domain_revision: 2,
    });
    const planned = await (await send(`${session}?mode=plan`, "text/plain", "e2.limit(2)")).json();
    expect(planned).toMatchObject({ _meta: { plasm: { dry_run: true, plan_commit_ref: "pc0" } } });
  });

  it("finds the session of equal seeds again, without an intent (B19)", async () => {
    expect(await opened()).toBe(await opened());
  });

  it("answers a program with errors by all of them, with places (SURF-18)", async () => {
    const session = await opened();
    const response = await send(session, "text/plain", "Boat{colour=red}\nBoat[nme]");
    const problem = await problemIn(response);
    expect(problem).toMatchObject({ status: 422, code: "plasm-program-invalid" });
    expect(problem.errors).toMatchObject([
      { code: "unknown_slot", span: { start: 5, end: 11, line: 1, column: 6 } },
      { code: "unknown_column", span: { line: 2 } },
    ]);
  });

  it.each([
    ["an unknown catalog", { seeds: [{ api: "nowhere", entity: "Boat" }] }, 404],
    ["an unknown entity", { seeds: [{ api: "quay", entity: "Lighthouse" }] }, 422],
    ["no seeds", { seeds: [] }, 400],
    ["a blank intent", { ...quay, intent: " " }, 400],
  ])("refuses %s", async (_what, given, status) => {
    expect((await problemIn(await json("/execute", given))).status).toBe(status);
  });

  it("does not know sessions that are not there (SESS-38)", async () => {
    const nowhere = `/execute/${"a".repeat(64)}/${"b".repeat(32)}`;
    for (const path of [nowhere, "/execute/x/y"]) {
      expect((await problemIn(await send(path, null))).code).toBe("plasm-unknown-session");
    }
  });

  it("lists catalogs, shows one, finds entities for a goal", async () => {
    const listed = await (await send("/v1/registry", null)).json();
    expect(listed).toMatchObject([{ entry_id: "quay" }, { entry_id: "yard" }]);
    const one = await (await send("/v1/registry/yard", null)).json();
    expect(one).toMatchObject({ entry_id: "yard", entities: [{ entity: "Boat" }, {}] });
    const found = await (
      await json("/v1/discover", { intent: "boats in the harbour", limit: 32 })
    ).json();
    expect(found).toMatchObject({ options: expect.any(Array) as unknown[], omitted: 0 });
  });
});
