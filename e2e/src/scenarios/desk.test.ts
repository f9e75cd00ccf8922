import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AgentClient } from "../harness/agent-client.ts";
import { failureOf } from "../harness/agent-failure.ts";
import type { PlasmOptions } from "../harness/plasm-command.ts";
import { type PlasmServer, startPlasmServer } from "../harness/plasm-server.ts";
import { connect, type Surface } from "../harness/surfaces.ts";
import { type DeskApi, startDeskApi } from "../servers/desk/desk-api.ts";
import { writeDeskCatalogs } from "../servers/desk/desk-catalogs.ts";

let directory: string;
let api: DeskApi;
let options: PlasmOptions;
let server: PlasmServer;
const agents: AgentClient[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "plasm-desk-"));
  api = await startDeskApi();
  await writeDeskCatalogs(join(directory, "catalogs"), api.url);
  const catalogs = [join(directory, "catalogs")];
  options = { dataDir: join(directory, "data"), catalogs, env: {} };
  server = await startPlasmServer(options);
});
beforeEach(() => void api.asked.splice(0));
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.close()));
  await server.stop();
  await api.close();
  await rm(directory, { recursive: true, force: true });
});

const lines = (): readonly string[] => api.asked.map(({ line }) => line);

/** A session of an agent that has a connection of its own. */
async function open(
  surface: Surface,
  intent: string,
  entry: string,
  ...entities: readonly string[]
) {
  const agent = await connect(surface, { url: server.url, options });
  agents.push(agent);
  const seeds = entities.map((entity) => ({ api: entry, entity }));
  const { text, meta } = await agent.context({ intent, seeds, notation: "names" });
  const ref = meta.logical_session_ref;
  return {
    text,
    plan: (program: string) => agent.plan(ref, program),
    /** Plans it, and runs it with the ref that the plan gives. */
    run: async (program: string): Promise<string> => {
      const planned = await agent.plan(ref, program);
      const given = planned.meta.plan_commit_ref;
      return (await agent.run(ref, program, { plan_commit_ref: given })).text;
    },
    fail: async (program: string): Promise<string> => {
      const planned = await agent.plan(ref, program);
      const given = planned.meta.plan_commit_ref;
      const failure = await failureOf(agent.run(ref, program, { plan_commit_ref: given }));
      return failure.message;
    },
  };
}

describe("RUN-103: a tenant's own schema", () => {
  test("is taught, planned and run; restarts and other processes take it from the store", async () => {
    const intent = "desk: own schema";
    const first = await open("MCP 2026 over HTTP", intent, "forms", "Entry__trees");
    expect(first.text).toContain("as seeds: Entry__trees, Entry__old_books\n");
    expect(first.text).toMatch(/^height_m\tint$/m);
    expect(await first.run("Entry__trees{height_m>10}[id, height_m, kind]")).toContain("oak");
    expect(lines()).toEqual(["GET /api/forms", "GET /api/forms/trees/entries"]);

    await server.kill();
    server = await startPlasmServer(options);
    api.asked.splice(0);
    const again = await open("MCP 2025 over HTTP", intent, "forms", "Entry__trees");
    expect(await again.run('Entry__trees("a")[kind]')).toContain("oak");
    expect(lines()).toEqual(["GET /api/forms/trees/entries/a"]);
    const other = await open(
      "MCP 2026 over stdio",
      "desk: another process",
      "forms",
      "Entry__old_books",
    );
    expect(await other.run("Entry__old_books[id, form]")).toContain("old books");
    expect(lines().slice(1)).toEqual(["GET /api/forms/old%20books/entries"]);
  });
});

describe("RUN-104: reads before an effect", () => {
  test("are shown by the dry run, made live in order, and give the effect what it sends", async () => {
    const agent = await open("MCP 2026 over HTTP", "desk: preflight", "forms", "Entry__trees");
    api.asked.splice(0);
    const program = 'Entry__trees("a").assign(person="Ann")';
    const { text } = await agent.plan(program);
    expect(text).toContain(
      'effect forms.Entry__trees("a").assign(person="Ann") after reading entry_get, person_query',
    );
    expect(lines()).toEqual([]);
    await agent.run(program);
    expect(lines()).toEqual([
      "GET /api/forms/trees/entries/a",
      "GET /api/people",
      "POST /api/forms/trees/entries/a/assign",
    ]);
    expect(api.asked.at(-1)?.body).toEqual({ person: "p1", was: "the a" });
  });

  test("a look-up that is not clear stops it, with the candidates", async () => {
    const agent = await open("MCP 2025 over HTTP", "desk: unclear", "forms", "Entry__trees");
    api.asked.splice(0);
    const message = await agent.fail('Entry__trees("a").assign(person="Bob")');
    expect(message).toContain('2 Person rows have name "Bob", which person asks for: Person:p2');
    expect(lines().filter((line) => line.startsWith("POST"))).toEqual([]);
  });
});

test("RUN-105: a registered function makes the body of a mail", async () => {
  const agent = await open("HTTP", "desk: mail", "forms", "Mail");
  api.asked.splice(0);
  await agent.run(
    'Mail.create(from="ann@example.com", to="bob@example.com", subject="Größe", plainBody="Hallo 日本")',
  );
  const { raw = "" } = (api.asked.at(-1)?.body ?? {}) as { readonly raw?: string };
  const mail = Buffer.from(raw, "base64url").toString("utf8");
  expect(mail).toContain("\r\nSubject: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?=\r\n");
  expect(mail).toMatch(/\r\n\r\nHallo 日本$/);
});

test("MAP-050 to MAP-054: calls and logs of a chain, whose id is asked once", async () => {
  const agent = await open("MCP 2026 over HTTP", "desk: ledger", "ledger", "Holding", "Transfer");
  const who = `0x${"11".repeat(20)}`;
  expect(await agent.run(`Holding("${who}")[amount]`)).toContain((2n ** 256n - 1n).toString());
  const logs = await agent.run("Transfer{from_block=1500}[event, amount, block]");
  expect(logs).toContain(`0x${"ab".repeat(32)}:3`);
  expect(logs).toContain("42");
  expect(lines()).toEqual(["eth_chainId", "eth_call", "eth_blockNumber", "eth_getLogs"]);
});
